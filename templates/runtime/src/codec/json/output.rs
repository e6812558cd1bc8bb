//! The target of encoding: bytes in memory, or a writer that receives them in chunks.

use crate::codec::table::EncodedKey;
use crate::lexer;
use std::io;

/// The number of bytes that are buffered before they are passed to a writer.
const CHUNK: usize = 64 * 1024;
/// The length of the block in which bytes are put together.
const BLOCK: usize = 1024;
/// The factor by which the text may grow at once, if so much is expected.
const GROWTH: usize = 4;

/// Encoded bytes.
///
/// Most values are a few bytes. They are put together in a block, whose length the compiler knows, and whose bytes from
/// `at` on may have any value: a key is copied by two instructions, whatever its length.
pub(super) struct Output<'a> {
    block: [u8; BLOCK],
    /// The number of bytes in the block.
    at: usize,
    /// The bytes before those of the block.
    text: Vec<u8>,
    /// The expected length of the whole text, as far as it is known.
    expected: usize,
    /// The writer that receives the text when it is long. None: the text grows.
    writer: Option<&'a mut dyn io::Write>,
    /// The error of the writer, after which nothing more is passed to it.
    failure: Option<io::Error>,
}

impl<'a> Output<'a> {
    /// Appends to bytes.
    pub(super) fn after(text: Vec<u8>) -> Self {
        Self { block: [0; BLOCK], at: 0, text, expected: 0, writer: None, failure: None }
    }

    /// Passes the bytes to a writer.
    pub(super) fn to(writer: &'a mut dyn io::Write) -> Self {
        Self { writer: Some(writer), ..Self::after(Vec::new()) }
    }

    /// All bytes, if there is no writer.
    pub(super) fn into_text(mut self) -> Vec<u8> {
        self.flush();
        // The first elements of a list may have been far longer than the others.
        self.text.shrink_to(2 * self.text.len());
        self.text
    }

    /// Passes the last bytes to the writer, and flushes it.
    ///
    /// # Errors
    /// The first one of the writer.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.hand_on();
        match (self.failure, self.writer) {
            (Some(failure), _) => Err(failure),
            (None, Some(writer)) => writer.flush(),
            (None, None) => Ok(()),
        }
    }

    /// The number of bytes so far, if there is no writer.
    pub(super) fn len(&self) -> usize {
        self.text.len() + self.at
    }

    /// Expects so many more elements, as long as those so far: `count` that began at `start`.
    #[cold]
    pub(super) fn expect(&mut self, start: usize, count: usize, more: usize) {
        let length = self.len();
        let rest = (length.saturating_sub(start) / count).saturating_mul(more);
        self.expected = self.expected.max(length.saturating_add(rest).saturating_add(rest / 8));
    }

    /// Makes room for so many bytes, and for those that are expected: to grow step by step copies all bytes again.
    /// Never for more than a multiple of what is there, because other elements may be shorter.
    #[inline]
    fn reserve(&mut self, count: usize) {
        if self.text.capacity() - self.text.len() < count {
            let length = self.text.len() + count;
            let expected = if self.writer.is_some() { 0 } else { self.expected.min(length.saturating_mul(GROWTH)) };
            self.text.reserve(expected.max(length) - self.text.len());
        }
    }

    /// Empties the block.
    #[cold]
    pub(super) fn flush(&mut self) {
        self.reserve(self.at);
        self.text.extend_from_slice(&self.block[..self.at]);
        self.at = 0;
        if self.writer.is_some() && self.text.len() >= CHUNK {
            self.hand_on();
        }
    }

    fn hand_on(&mut self) {
        if let (Some(writer), None) = (&mut self.writer, &self.failure) {
            self.failure = writer.write_all(&self.text).err();
        }
        self.text.clear();
    }

    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        if self.at >= BLOCK {
            self.flush();
        }
        self.block[self.at] = byte;
        self.at += 1;
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        match self.block.get_mut(self.at..self.at + bytes.len()) {
            Some(target) => {
                target.copy_from_slice(bytes);
                self.at += bytes.len();
            }
            None => self.many_bytes(bytes),
        }
    }

    #[cold]
    fn many_bytes(&mut self, bytes: &[u8]) {
        self.flush();
        if let Some(target) = self.block.get_mut(..bytes.len()) {
            target.copy_from_slice(bytes);
            self.at = bytes.len();
        } else {
            self.reserve(bytes.len());
            self.text.extend_from_slice(bytes);
        }
    }

    /// Appends the first `length` of these bytes. Copies all of them, since a copy of fixed size is fast.
    #[inline]
    pub(super) fn prefix<const N: usize>(&mut self, bytes: [u8; N], length: usize) {
        if self.at > BLOCK - N {
            self.flush();
        }
        self.block[self.at..][..N].copy_from_slice(&bytes);
        self.at += length;
    }

    /// Appends a key, with this byte in place of the comma before it. False if there is no room in the block, which
    /// must be flushed first.
    #[inline]
    pub(super) fn encoded_key(&mut self, separator: u8, key: &EncodedKey) -> bool {
        if self.at > BLOCK - EncodedKey::SIZE {
            return false;
        }
        let target = &mut self.block[self.at..][..EncodedKey::SIZE];
        target.copy_from_slice(&key.block);
        target[0] = separator;
        self.at += key.length();
        true
    }

    /// Appends a string between quotes.
    #[inline]
    pub(super) fn string(&mut self, value: &[u8]) {
        if value.len() > lexer::LONGEST_SHORT {
            return self.long_string(value);
        }
        self.quoted(value, lexer::copy_short);
    }

    /// Not inlined, so that the usual string needs few registers.
    #[inline(never)]
    fn long_string(&mut self, value: &[u8]) {
        self.quoted(value, lexer::copy_long);
    }

    #[inline]
    fn quoted(&mut self, value: &[u8], copy: impl FnOnce(&[u8], &mut [u8]) -> bool) {
        let end = self.at + value.len() + 2;
        if let Some([first, inside @ .., last]) = self.block.get_mut(self.at..end)
            && copy(value, inside)
        {
            (*first, *last) = (b'"', b'"');
            self.at = end;
            return;
        }
        self.unusual_string(value);
    }

    /// Appends a string that does not fit the block, is not ASCII, or has characters that must be escaped.
    #[inline(never)]
    fn unusual_string(&mut self, value: &[u8]) {
        self.byte(b'"');
        self.escaped(value);
        self.byte(b'"');
    }

    /// Appends the inside of a string.
    pub(super) fn escaped(&mut self, value: &[u8]) {
        let mut rest = value;
        loop {
            let (plain, special) = rest.split_at(lexer::plain(rest));
            self.bytes(plain);
            let Some((byte, after)) = special.split_first() else { return };
            self.escape(*byte);
            rest = after;
        }
    }

    fn escape(&mut self, byte: u8) {
        let short = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0c => b'f',
            b'\r' => b'r',
            _ => {
                let digit = |value: u8| char::from_digit(value.into(), 16).map_or(b'0', |digit| digit as u8);
                return self.bytes(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 0xf)]);
            }
        };
        self.bytes(&[b'\\', short]);
    }

    #[inline(never)]
    #[allow(clippy::cast_possible_truncation)] // a digit
    pub(super) fn integer(&mut self, value: i64) {
        match u32::try_from(value) {
            Ok(value @ 0..10) => self.byte(b'0' + value as u8),
            Ok(value @ 10..10_000) => self.small_integer(value),
            _ => self.large_integer(value),
        }
    }

    /// A loop over digits is a quarter of what `write!` costs.
    #[inline(never)]
    fn large_integer(&mut self, value: i64) {
        let mut digits = [0; 20];
        let mut start = digits.len();
        let mut rest = value.unsigned_abs();
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            self.byte(b'-');
        }
        self.bytes(&digits[start..]);
    }

    /// Appends an integer of at most four digits: all four, without the zeros in front.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // digits
    fn small_integer(&mut self, value: u32) {
        let digit = |value: u32| b'0' + (value % 10) as u8;
        let digits = [digit(value / 1000), digit(value / 100), digit(value / 10), digit(value)];
        let zeros = u32::from(value < 1000) + u32::from(value < 100) + u32::from(value < 10);
        let digits = u32::from_le_bytes(digits) >> (8 * zeros);
        self.prefix(digits.to_le_bytes(), 4 - zeros as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, GROWTH, Output};

    #[test]
    fn encodes_the_same_at_any_offset_of_the_block() {
        let strings = ["", "a", "abcd", "12345678", "a\"b\\c\u{1}\n", "ä", &"long ".repeat(12), &"longer".repeat(400)];
        for offset in (0..4).chain(BLOCK - 70..BLOCK + 4) {
            for string in strings {
                let mut output = Output::after(b"before".to_vec());
                output.bytes(&vec![b' '; offset]);
                output.string(string.as_bytes());
                output.integer(1234);
                output.prefix(*b"true\0\0\0\0", 4);
                let expected = format!("before{}{}1234true", " ".repeat(offset), serde_json::json!(string));
                assert_eq!(String::from_utf8(output.into_text()).unwrap(), expected, "{offset}");
            }
        }
    }

    #[test]
    fn grows_to_the_expected_length_at_once_but_not_without_limit() {
        let capacity = |more| {
            let mut output = Output::after(Vec::new());
            output.bytes(&[b' '; BLOCK]);
            output.expect(0, 1, more);
            output.flush();
            output.text.capacity()
        };
        assert!(capacity(2) >= 3 * BLOCK);
        assert!((GROWTH * BLOCK..2 * GROWTH * BLOCK).contains(&capacity(usize::MAX)));
    }
}
