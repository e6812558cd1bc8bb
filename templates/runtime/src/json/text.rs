//! Strings.

use super::error::Fault;
use super::read::{Reader, Result};

/// What is expected at the start of any string.
pub(super) const STRING: &str = "a string";
/// What is expected at the start of a key.
pub(super) const KEY: &str = "the name of a member";

/// Whether JSON takes this byte for white space.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether there is nothing but white space.
pub(crate) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| is_space(*byte))
}

/// How many bytes at the start of this can stand in a JSON string as they are.
///
/// Looks at eight bytes at a time.
#[inline]
pub(super) fn plain(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((block, after)) = rest.split_first_chunk() {
        let hits = special(u64::from_le_bytes(*block));
        if hits != 0 {
            return bytes.len() - rest.len() + hits.trailing_zeros() as usize / 8;
        }
        rest = after;
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..0x20);
    bytes.len() - rest.len() + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// Whether all of this can stand in a JSON string as it is.
#[allow(clippy::many_single_char_names)] // the bytes of a block
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    let is_plain = |block: &[u8; 8]| special(u64::from_le_bytes(*block)) == 0;
    // The last block overlaps the one before it, unless they fit.
    match (bytes.last_chunk::<8>(), bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(last), ..) => is_plain(last) && bytes.as_chunks().0.iter().all(is_plain),
        (None, Some(&[a, b, c, d]), Some(&[e, f, g, h])) => is_plain(&[a, b, c, d, e, f, g, h]),
        _ => plain(bytes) == bytes.len(),
    }
}

/// Marks the bytes of a word that cannot stand in a JSON string: `"`, `\` and control characters. The mark is the
/// highest bit of a byte, and nothing says anything about the bytes above the lowest mark.
///
/// A byte is less than `n` if subtracting `n` borrows from the bit above it; a borrow also reaches the next byte, which
/// is why only the lowest mark counts. Flipping the second bit moves `"` right behind the control characters.
#[inline]
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    let less = |word: u64, n: u64| word.wrapping_sub(ONES * n) & !word;
    let quote_or_control = less(word ^ (ONES * 2), 0x21);
    let backslash = less(word ^ (ONES * u64::from(b'\\')), 1);
    (quote_or_control | backslash) & (ONES << 7)
}

/// The value of every hexadecimal digit. A table, since servers escape `<`, `>` and `&` so.
const HEX: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        values[b"0123456789abcdef"[value as usize] as usize] = value;
        values[b"0123456789ABCDEF"[value as usize] as usize] = value;
        value += 1;
    }
    values
};
/// All bits, so that it shows when values are joined.
const NO_DIGIT: u8 = u8::MAX;

impl Reader<'_> {
    /// Reads a string. It lasts until the next one is read.
    #[inline]
    pub(super) fn string(&mut self, expected: &'static str) -> Result<&str> {
        if self.peek() != b'"' {
            return Err(Fault::expected(self.at, expected));
        }
        let start = self.at + 1;
        let end = start + plain(&self.bytes()[start..]);
        if self.bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(&self.text[start..end]);
        }
        self.with_escapes(start, end)
    }

    /// Goes on with a string that is plain from `start` to `end`. Apart, so that the usual string needs few registers.
    #[inline(never)]
    fn with_escapes(&mut self, mut start: usize, mut end: usize) -> Result<&str> {
        self.scratch.clear();
        loop {
            self.scratch.push_str(&self.text[start..end]);
            self.at = end;
            match self.bytes().get(end) {
                Some(b'"') => break,
                Some(b'\\') => {
                    let character = self.escape()?;
                    self.scratch.push(character);
                }
                _ => return Err(self.broken_string()),
            }
            start = self.at;
            end = start + plain(&self.bytes()[start..]);
        }
        self.at += 1;
        Ok(&self.scratch)
    }

    /// Passes over a string. Like everybody, it takes half of a surrogate pair where no one asks for the text.
    #[inline]
    pub(super) fn skip_string(&mut self, expected: &'static str) -> Result {
        if self.peek() != b'"' {
            return Err(Fault::expected(self.at, expected));
        }
        self.at += 1;
        loop {
            self.at += plain(&self.bytes()[self.at..]);
            match self.bytes().get(self.at..).unwrap_or_default() {
                [b'"', ..] => break,
                [b'\\', b'u', ..] => _ = self.hex()?,
                [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.at += 2,
                _ => return Err(self.broken_string()),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn escape(&mut self) -> Result<char> {
        let character = match self.bytes().get(self.at + 1) {
            Some(b'u') => return self.unicode(),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(&byte @ (b'"' | b'\\' | b'/')) => byte.into(),
            _ => return Err(self.broken_string()),
        };
        self.at += 2;
        Ok(character)
    }

    /// Reads `\uXXXX`, or two of them that are one character.
    fn unicode(&mut self) -> Result<char> {
        let start = self.at;
        let mut code = self.hex()?;
        if matches!(code, 0xd800..=0xdbff) && self.bytes()[self.at..].starts_with(b"\\u") {
            let low = self.hex()?;
            // With anything else behind it, the first half stays what it is: no character.
            if matches!(low, 0xdc00..=0xdfff) {
                code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
            }
        }
        char::from_u32(code).ok_or_else(|| Fault::says(start, "half of a surrogate pair, which is no character"))
    }

    /// Reads `\uXXXX` as a number.
    #[inline]
    fn hex(&mut self) -> Result<u32> {
        let digits = self.bytes().get(self.at + 2..).and_then(|rest| rest.first_chunk());
        let [a, b, c, d] = digits.map_or([NO_DIGIT; 4], |digits: &[u8; 4]| digits.map(|digit| HEX[usize::from(digit)]));
        if (a | b | c | d) == NO_DIGIT {
            return Err(Fault::says(self.at, "expected four hexadecimal digits after `\\u`"));
        }
        self.at += 6;
        Ok(u32::from(a) << 12 | u32::from(b) << 8 | u32::from(c) << 4 | u32::from(d))
    }

    /// Something in a string that cannot be there.
    #[cold]
    fn broken_string(&self) -> Box<Fault> {
        match self.bytes().get(self.at) {
            None => Fault::says(self.at, "expected `\"` at the end of a string, found the end of the text"),
            Some(b'\\') if self.at + 1 == self.text.len() => {
                Fault::says(self.at + 1, "expected an escape, found the end of the text")
            }
            Some(b'\\') => Fault::says(self.at, "expected an escape such as `\\n` or `\\u000a` after `\\`"),
            Some(byte) => Fault::says(self.at, format!("control character U+{byte:04X} in a string must be escaped")),
        }
    }
}
