//! JSON, read token by token.
//!
//! A parser of serde builds a value of each token, or an error. Here a token is a piece of the body, which is copied as
//! it is, and an error needs no words: the body is read again in the usual way.

use crate::schema::Field;

/// A position in JSON, and a copy of all before it, without white space.
///
/// The copy is made of long pieces: as long as it is the same as the text, nothing is copied.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// The beginning of the copy. The text from `run` to `at` is the rest of it.
    copied: Vec<u8>,
    run: usize,
}

/// A string with its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quoted<'a> {
    text: &'a str,
    /// With the quotes.
    start: usize,
    end: usize,
    pub(super) has_escapes: bool,
}

impl<'a> Quoted<'a> {
    /// The string with its quotes.
    #[inline]
    pub(super) fn raw(self) -> &'a str {
        &self.text[self.start..self.end]
    }

    /// The string between the quotes, in which escapes stay as they are.
    #[inline]
    pub(super) fn inner(self) -> &'a str {
        &self.text[self.start + 1..self.end - 1]
    }
}

impl<'a> Cursor<'a> {
    /// The beginning of a text, with memory for the copy.
    pub(super) fn new(text: &'a str, copied: Vec<u8>) -> Self {
        Self { text, at: 0, copied, run: 0 }
    }

    /// The next byte that is no white space. Zero at the end.
    #[inline]
    pub(super) fn peek(&mut self) -> u8 {
        match self.text.as_bytes().get(self.at) {
            Some(byte) if *byte > b' ' => *byte,
            _ => self.peek_behind_space(),
        }
    }

    #[cold]
    fn peek_behind_space(&mut self) -> u8 {
        self.flush();
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = bytes.get(self.at) {
            self.at += 1;
        }
        self.run = self.at;
        bytes.get(self.at).copied().unwrap_or_default()
    }

    /// Passes over a byte, which is next.
    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek() == byte).then(|| self.at += 1)
    }

    /// Begins an object or an array. Returns whether there is something in it.
    #[inline]
    pub(super) fn open(&mut self, opener: u8, closer: u8) -> Option<bool> {
        self.take(opener)?;
        let is_empty = self.take(closer).is_some();
        Some(!is_empty)
    }

    /// Passes over a comma, or the end of an object or an array. Returns whether there is more.
    #[inline]
    pub(super) fn has_next(&mut self, closer: u8) -> Option<bool> {
        let next = self.peek();
        self.at += 1;
        match next {
            b',' => Some(true),
            next if next == closer => Some(false),
            _ => None,
        }
    }

    /// The name of a member, up to its value. `None` if it has escapes.
    #[inline]
    pub(super) fn name(&mut self) -> Option<&'a str> {
        let name = self.string().filter(|name| !name.has_escapes)?;
        self.take(b':')?;
        Some(name.inner())
    }

    /// Passes over the name of a member up to its value, if it is that of this field and the usual way to write it.
    #[inline]
    pub(super) fn take_name(&mut self, field: &Field) -> bool {
        let rest = field.rest_of_name().as_bytes();
        let is_here = self.peek() == b'"' && self.text.as_bytes()[self.at + 1..].starts_with(rest);
        if is_here {
            self.at += 1 + rest.len();
        }
        is_here
    }

    /// A string. Its escapes are not checked.
    #[inline]
    pub(super) fn string(&mut self) -> Option<Quoted<'a>> {
        self.take(b'"')?;
        let (start, mut has_escapes) = (self.at - 1, false);
        let bytes = self.text.as_bytes();
        loop {
            self.at += plain(bytes.get(self.at..)?);
            match bytes.get(self.at)? {
                b'"' => break,
                b'\\' => has_escapes = true,
                _ => return None,
            }
            // The escaped byte may be a quote.
            self.at += 2;
        }
        self.at += 1;
        Some(Quoted { text: self.text, start, end: self.at, has_escapes })
    }

    /// A number, or a word such as `true`. Neither is checked.
    pub(super) fn word(&mut self) -> &'a str {
        self.peek();
        let rest = &self.text[self.at..];
        let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
        let length = rest.bytes().take_while(is_inner).count();
        self.at += length;
        &rest[..length]
    }

    /// Whether there is nothing left but white space.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek() == 0 && self.at == self.text.len()
    }

    /// The length of the copy.
    #[inline]
    pub(super) fn length(&self) -> usize {
        self.copied.len() + self.at - self.run
    }

    /// The copy.
    pub(super) fn copied(&mut self) -> &[u8] {
        self.flush();
        &self.copied
    }

    pub(super) fn into_copied(mut self) -> Vec<u8> {
        self.flush();
        self.copied
    }

    fn flush(&mut self) {
        // Nobody passes over an end, but for a string that has none.
        let run = self.text.as_bytes().get(self.run..self.at).unwrap_or_default();
        if self.copied.capacity() == 0 {
            self.copied.reserve(self.text.len() + 64);
        }
        self.copied.extend_from_slice(run);
        self.run = self.at;
    }

    /// Drops the end of the copy.
    pub(super) fn truncate(&mut self, length: usize) {
        match length.checked_sub(self.copied.len()) {
            Some(kept) => {
                let at = std::mem::replace(&mut self.at, self.run + kept);
                self.flush();
                self.at = at;
            }
            None => self.copied.truncate(length),
        }
        self.run = self.at;
    }

    /// Adds to the copy what is not in the text.
    pub(super) fn write(&mut self, json: &[u8]) {
        self.flush();
        self.copied.extend_from_slice(json);
    }

    /// Puts a value into the copy in place of the one that begins at a position.
    pub(super) fn replace(&mut self, start: usize, json: &[u8]) {
        self.truncate(start);
        self.write(json);
    }

    /// Opens an object of the copy again. Its next member follows, and then [`Self::close`].
    pub(super) fn reopen(&mut self) {
        self.truncate(self.length() - 1);
        if !self.copied.ends_with(b"{") {
            self.copied.push(b',');
        }
    }

    /// Ends an object of the copy, behind its last member or a comma that is dropped.
    pub(super) fn close(&mut self) {
        self.flush();
        if self.copied.ends_with(b",") {
            self.copied.pop();
        }
        self.copied.push(b'}');
    }
}

/// The number of bytes before a quote, a backslash or a control character.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut length = 0;
    while let Some(chunk) = bytes.get(length..).and_then(<[u8]>::first_chunk) {
        let chunk = u64::from_le_bytes(*chunk);
        // The highest bit of each byte that a number is greater than: a borrow reaches only bytes behind the first one.
        // Those of bytes that have it themselves count for nothing.
        let quotes = (chunk ^ (ONES * u64::from(b'"'))).wrapping_sub(ONES);
        let backslashes = (chunk ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
        let controls = chunk.wrapping_sub(ONES * 0x20);
        let found = (quotes | backslashes | controls) & !chunk & HIGH;
        if found != 0 {
            return length + found.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let is_plain = |byte: &&u8| **byte >= b' ' && !matches!(byte, b'"' | b'\\');
    length + bytes[length..].iter().take_while(is_plain).count()
}

#[cfg(test)]
mod tests {
    use super::{Cursor, plain};

    #[test]
    fn strings_end_at_quotes_that_are_not_escaped() {
        let string = |text| Cursor::new(text, Vec::new()).string().map(|found| (found.inner(), found.has_escapes));
        assert_eq!(string(r#" "a": 1"#), Some(("a", false)));
        assert_eq!(string(r#""""#), Some(("", false)));
        assert_eq!(string(r#""a\"b\\"c"#), Some((r#"a\"b\\"#, true)));
        assert_eq!(string("\"\u{e9}0123456789\u{1f600}\""), Some(("\u{e9}0123456789\u{1f600}", false)));
        for bad in ["", "a", "\"", "\"a", "\"a\\", "\"a\\\"", "\"a\nb\"", "\"012345\u{1f}7\""] {
            assert_eq!(string(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn special_bytes_are_found_wherever_they_are() {
        for special in (0..b' ').chain([b'"', b'\\']) {
            for at in 0..20 {
                // The neighbors differ from it in one bit.
                for neighbor in [b'a', b' ', b'!', b'#', b'[', b']', 0xff, 0x80, special | 0x80] {
                    let mut bytes = [neighbor; 24];
                    bytes[at] = special;
                    assert_eq!(plain(&bytes), at, "{special} among {neighbor} at {at}");
                }
            }
        }
        assert_eq!(plain(&[b'a'; 19]), 19);
    }

    #[test]
    fn tokens_follow_each_other() {
        let mut cursor = Cursor::new(" { \"a\" : [ 1.5e+3,true ] }\n", Vec::new());
        assert_eq!(cursor.open(b'{', b'}'), Some(true));
        assert_eq!(cursor.name(), Some("a"));
        assert_eq!(cursor.open(b'[', b']'), Some(true));
        assert_eq!((cursor.word(), cursor.has_next(b']')), ("1.5e+3", Some(true)));
        assert_eq!((cursor.word(), cursor.has_next(b']')), ("true", Some(false)));
        assert!(!cursor.is_at_end());
        assert_eq!((cursor.has_next(b'}'), cursor.is_at_end()), (Some(false), true));
        assert_eq!((cursor.has_next(b'}'), cursor.take(b'}')), (None, None));
    }
}
