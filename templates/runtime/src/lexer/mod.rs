//! JSON as bytes: tokens, values that are skipped, and the chunks in which they arrive. Depends on
//! no types and no other module.

mod buffer;
mod compact;
mod string;

pub(crate) use buffer::Buffer;
pub(crate) use compact::{compact, compacted};
pub(crate) use string::{LONGEST_SHORT, copy_long, copy_short, end_of_string, plain};

use std::borrow::Cow;
use string::run_length;

/// The expected token at the start of any string.
pub(crate) const STRING: &str = "a string";
/// The expected token at the start of a key.
pub(crate) const KEY: &str = "the name of a member";

/// A tokenizer of JSON.
pub(crate) struct Lexer<'a> {
    pub(crate) text: &'a str,
    /// The offset of the next byte.
    pub(crate) at: usize,
    /// The last string that had escapes.
    scratch: String,
    /// The open objects and arrays of the value that is being skipped.
    nesting: Nesting,
    /// Whether there was white space since this was last set to false.
    has_space: bool,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, scratch: String::new(), nesting: Nesting::default(), has_space: false }
    }

    #[inline]
    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// Skips white space and returns the next byte, or 0 at the end. No JSON has a byte 0 between
    /// its tokens.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        match self.bytes().get(self.at) {
            Some(&byte) if byte > b' ' => byte,
            _ => self.peek_behind_space(),
        }
    }

    fn peek_behind_space(&mut self) -> u8 {
        while let Some(&byte) = self.bytes().get(self.at) {
            if !is_space(byte) {
                return byte;
            }
            self.has_space = true;
            self.at += 1;
        }
        0
    }

    /// Consumes a literal such as `null`.
    pub(crate) fn word(&mut self, word: &'static str) -> Result {
        if !self.bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(Fault::expected(self.at, word));
        }
        self.at += word.len();
        Ok(())
    }

    #[inline]
    pub(crate) fn colon(&mut self) -> Result {
        if self.peek() != b':' {
            return Err(Fault::expected(self.at, "`:`"));
        }
        self.at += 1;
        Ok(())
    }

    /// Skips the token that a block holds after its first byte, if it is next and at least as many
    /// bytes remain as a block has. Returns whether it did. Only the bits of the mask are compared.
    #[inline]
    pub(crate) fn skip_block(&mut self, block: &[u8; 32], mask: &[u8; 32], length: usize) -> bool {
        let start = self.at.wrapping_sub(1);
        let Some(here) = self.bytes().get(start..).and_then(|rest| rest.first_chunk::<32>()) else {
            return false;
        };
        let word = |bytes: &[u8; 32], index: usize| u64::from_ne_bytes(bytes.as_chunks().0[index]);
        let difference = |index| (word(here, index) ^ word(block, index)) & word(mask, index);
        let differs = difference(0) | difference(1) | difference(2) | difference(3);
        if differs == 0 {
            self.at += length - 1;
        }
        differs == 0
    }

    /// Consumes a comma or the closing bracket of an object or array. Returns whether it was a
    /// comma.
    #[inline]
    pub(crate) fn comma_or_close(&mut self, closer: u8) -> Result<bool> {
        let byte = self.peek();
        if byte != b',' && byte != closer {
            return Err(Fault::expected(
                self.at,
                if closer == b'}' { "`,` or `}`" } else { "`,` or `]`" },
            ));
        }
        self.at += 1;
        Ok(byte == b',')
    }

    /// Checks that only white space remains.
    pub(crate) fn end(&mut self) -> Result {
        match self.peek() {
            0 if self.at == self.text.len() => Ok(()),
            _ => Err(Fault::expected(self.at, "the end of the text")),
        }
    }

    pub(crate) fn is_at_number(&mut self) -> bool {
        matches!(self.peek(), b'-' | b'0'..=b'9')
    }

    /// Consumes an integer of at most 18 digits. Consumes nothing and returns nothing where any
    /// other number begins, one that is not valid, or `-0`.
    pub(crate) fn small_integer(&mut self) -> Option<i64> {
        let bytes = &self.bytes()[self.at..];
        let is_negative = bytes.first() == Some(&b'-');
        let digits = &bytes[usize::from(is_negative)..];
        let mut number = 0;
        let mut count = 0;
        while let Some(digit @ b'0'..=b'9') = digits.get(count)
            && count < 18
        {
            number = number * 10 + i64::from(digit - b'0');
            count += 1;
        }
        let continues = matches!(digits.get(count), Some(b'0'..=b'9' | b'.' | b'e' | b'E'));
        let is_zero = digits.first() == Some(&b'0');
        if count == 0 || continues || is_zero && (count > 1 || is_negative) {
            return None;
        }
        self.at += usize::from(is_negative) + count;
        Some(if is_negative { -number } else { number })
    }

    /// Consumes a number that begins here, and returns it as it is spelled.
    pub(crate) fn number(&mut self) -> Result<&'a str> {
        let text = &self.text[self.at..];
        let length = number_length(text);
        self.at += length;
        if text.as_bytes()[length - 1].is_ascii_digit() {
            Ok(&text[..length])
        } else {
            Err(Fault::expected(self.at, "a digit"))
        }
    }
}

/// Whether this byte is white space in JSON.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether all bytes are white space.
pub(crate) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| is_space(*byte))
}

impl Lexer<'_> {
    /// Skips a value after checking its syntax, and returns its JSON without white space between
    /// the tokens.
    pub(crate) fn raw(&mut self) -> Result<String> {
        self.peek();
        let start = self.at;
        self.has_space = false;
        self.skip()?;
        let text = &self.text[start..self.at];
        Ok(if self.has_space { compact(text).as_ref().into() } else { text.into() })
    }

    /// Skips a value of any kind after checking its syntax.
    ///
    /// Free JSON may have any depth: open objects and arrays are kept in a list, not on the stack.
    pub(crate) fn skip(&mut self) -> Result {
        loop {
            match self.peek() {
                b'"' => self.skip_open_string()?,
                opener @ (b'{' | b'[') => {
                    self.at += 1;
                    if self.peek() != opener + 2 {
                        self.nesting.open(opener == b'{');
                        self.skip_keys()?;
                        continue;
                    }
                    self.at += 1;
                }
                b'-' | b'0'..=b'9' => _ = self.number()?,
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                _ => return Err(Fault::expected(self.at, "a value")),
            }
            // Closes the objects and arrays that end here.
            while !self.nesting.is_empty() {
                if self.comma_or_close(if self.nesting.is_in_object() { b'}' } else { b']' })? {
                    break;
                }
                self.nesting.close();
            }
            if self.nesting.is_empty() {
                return Ok(());
            }
            self.skip_keys()?;
        }
    }

    /// Advances to the next value. In an object, skips its key.
    ///
    /// Also skips members with the value `{}`, and opens objects that begin with a key. Records of
    /// managed fields consist of these, and are up to half of an object.
    fn skip_keys(&mut self) -> Result {
        if !self.nesting.is_in_object() {
            return Ok(());
        }
        if self.peek() != b'"' {
            return Err(Fault::expected(self.at, KEY));
        }
        let mut rest = &self.bytes()[self.at + 1..];
        loop {
            rest = &rest[run_length(rest)..];
            let next = rest.first_chunk().map_or(0, |next| u64::from_le_bytes(*next));
            if next << 16 == u64::from_le_bytes(*b"\0\0\":{},\"") {
                rest = &rest[6..];
            } else if next << 32 == u64::from_le_bytes(*b"\0\0\0\0\":{\"") {
                self.nesting.open(true);
                rest = &rest[4..];
            } else if next << 48 == u64::from_le_bytes(*b"\0\0\0\0\0\0\\\"") {
                rest = &rest[2..];
            } else {
                break;
            }
        }
        self.at = self.text.len() - rest.len();
        self.end_string()?;
        self.colon()
    }
}

/// The open objects and arrays, of any number: a stack of which each entry takes one bit.
struct Nesting {
    /// The innermost ones, below a bit that marks the end: 1 for an object, 0 for an array.
    innermost: u64,
    /// Full words of those around them.
    outer: Vec<u64>,
}

/// A word without entries.
const EMPTY: u64 = 1;

impl Default for Nesting {
    fn default() -> Self {
        Self { innermost: EMPTY, outer: Vec::new() }
    }
}

impl Nesting {
    /// Opens an object or an array.
    #[inline]
    fn open(&mut self, is_object: bool) {
        if self.innermost >> 63 != 0 {
            self.outer.push(self.innermost);
            self.innermost = EMPTY;
        }
        self.innermost = self.innermost << 1 | u64::from(is_object);
    }

    /// Closes the innermost one.
    #[inline]
    fn close(&mut self) {
        self.innermost >>= 1;
        if self.innermost == EMPTY {
            self.innermost = self.outer.pop().unwrap_or(EMPTY);
        }
    }

    /// Whether nothing is open.
    #[inline]
    fn is_empty(&self) -> bool {
        self.innermost == EMPTY
    }

    /// Whether the innermost one is an object. Something must be open.
    #[inline]
    fn is_in_object(&self) -> bool {
        self.innermost & 1 != 0
    }
}

/// The number of bytes at the start of a string that belong to a number. If the last one is not a
/// digit, it is incomplete.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits =
        |at: usize| at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is = |at: usize, set: &[u8]| bytes.get(at).is_some_and(|byte| set.contains(byte));
    let first = usize::from(is(0, b"-"));
    let mut end = if is(first, b"0") { first + 1 } else { digits(first) };
    if end == first {
        return end;
    }
    if is(end, b".") {
        end = digits(end + 1);
        if !bytes[end - 1].is_ascii_digit() {
            return end;
        }
    }
    if is(end, b"eE") {
        let sign = usize::from(is(end + 1, b"+-"));
        end = digits(end + 1 + sign);
    }
    end
}

/// The result of consuming tokens. A fault is boxed, since it is large and rare.
pub(crate) type Result<T = ()> = std::result::Result<T, Box<Fault>>;

/// The offset and the cause of an error. Everything else that an error contains (the path, the line
/// and the token that was found) can be computed from the input, so it need not be tracked while
/// decoding.
pub(crate) struct Fault {
    /// The offset.
    pub(crate) at: usize,
    kind: FaultKind,
}

enum FaultKind {
    /// Another token or value is expected.
    Expected(Cow<'static, str>),
    /// Any other fault, as a whole message.
    Message(Cow<'static, str>),
}

impl Fault {
    #[cold]
    pub(crate) fn expected(at: usize, expected: impl Into<Cow<'static, str>>) -> Box<Self> {
        Box::new(Self { at, kind: FaultKind::Expected(expected.into()) })
    }

    #[cold]
    pub(crate) fn message(at: usize, message: impl Into<Cow<'static, str>>) -> Box<Self> {
        Box::new(Self { at, kind: FaultKind::Message(message.into()) })
    }

    /// The message, with the token that was found if another one was expected.
    pub(crate) fn describe(&self, text: &str) -> Cow<'_, str> {
        match self.found(text) {
            Some(found) => format!("{}{found}", self.stated()).into(),
            None => self.stated(),
        }
    }

    /// The message without the token that was found, which may be a secret.
    pub(crate) fn stated(&self) -> Cow<'_, str> {
        match &self.kind {
            FaultKind::Message(message) => Cow::Borrowed(message),
            FaultKind::Expected(expected) => format!("expected {expected}, found ").into(),
        }
    }

    /// The token that was found, if another one was expected. The message ends with it.
    pub(crate) fn found<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        let is_expected = matches!(self.kind, FaultKind::Expected(_));
        is_expected.then(|| found(text.get(self.at..).unwrap_or_default()))
    }
}

/// The token at the start of an input, for messages.
fn found(text: &str) -> Cow<'_, str> {
    let word = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    match text.chars().next() {
        None => "the end of the text".into(),
        Some('{') => "an object".into(),
        Some('[') => "an array".into(),
        Some('"') => quoted(text),
        Some('-' | '0'..='9') => shortened(&text[..number_length(text)]),
        Some('a'..='z') => shortened(word),
        Some(other) => format!("`{}`", other.escape_debug()).into(),
    }
}

/// The string at the start of an input, as it is spelled there.
fn quoted(text: &str) -> Cow<'_, str> {
    end_of_string(text.as_bytes(), 1)
        .map_or("a string without an end".into(), |end| shortened(&text[..end]))
}

/// Cuts a token for a message: its beginning is enough to find it, and a value can be megabytes.
fn shortened(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Lexer, Nesting};

    #[test]
    fn closes_in_reverse_order_at_any_depth() {
        let is_object = |level: usize| matches!(level % 7, 0 | 2 | 3);
        for depth in 0..200 {
            let mut nesting = Nesting::default();
            (0..depth).for_each(|level| nesting.open(is_object(level)));
            for level in (0..depth).rev() {
                assert!(!nesting.is_empty(), "{level} of {depth}");
                assert_eq!(nesting.is_in_object(), is_object(level), "{level} of {depth}");
                nesting.close();
            }
            assert!(nesting.is_empty(), "{depth}");
        }
    }

    #[test]
    fn small_integers_are_those_that_parse_as_they_are_spelled() {
        let digits = ["", "0", "00", "7", "07", "10", "123456789012345678", "1234567890123456789"];
        let ends = ["", ",", "}", " ", ".", ".5", "e1", "E1", "x"];
        for sign in ["", "-", "+"] {
            for text in
                digits.iter().flat_map(|digits| ends.map(|end| format!("{sign}{digits}{end}")))
            {
                let number = text.trim_end_matches([',', '}', ' ', 'x']);
                let expected = number
                    .parse::<i64>()
                    .ok()
                    .filter(|value| value.to_string() == number && number.len() < 20);
                let expected = expected.filter(|value| value.unsigned_abs() < 10_u64.pow(18));
                let mut lexer = Lexer::new(&text);
                assert_eq!(lexer.small_integer(), expected, "{text}");
                assert_eq!(lexer.at, expected.map_or(0, |_| number.len()), "{text}");
            }
        }
    }
}
