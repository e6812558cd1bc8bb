//! Strings.

use super::{Fault, Lexer, Result};

/// The number of bytes at the start that need no escape in a JSON string.
///
/// Looks at eight bytes at a time.
#[inline]
pub(crate) fn plain(bytes: &[u8]) -> usize {
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

/// The number of bytes at the start that are ASCII and need no escape in a JSON string, and more
/// that need none if those are at least 32.
///
/// Checks the length once for 32 bytes, in which most strings end.
#[inline]
pub(super) fn run_length(bytes: &[u8]) -> usize {
    let Some((window, rest)) = bytes.split_first_chunk::<32>() else { return long_run(bytes) };
    for (index, block) in window.as_chunks().0.iter().enumerate() {
        let hits = special_or_not_ascii(u64::from_le_bytes(*block)) & HIGHEST;
        if hits != 0 {
            return index * 8 + hits.trailing_zeros() as usize / 8;
        }
    }
    window.len() + long_run(rest)
}

/// Not inlined, so that the usual string needs few registers.
#[inline(never)]
fn long_run(bytes: &[u8]) -> usize {
    plain(bytes)
}

/// Marks the bytes of a word that need an escape in a JSON string: `"`, `\` and control characters.
/// The mark is the highest bit of a byte. The bytes above the lowest mark are unspecified.
///
/// A byte is less than `n` if subtracting `n` borrows from the bit above it; a borrow also reaches
/// the next byte, which is why only the lowest mark counts. Flipping the second bit moves `"` right
/// behind the control characters.
#[inline]
fn special(word: u64) -> u64 {
    special_or_not_ascii(word) & (!word & HIGHEST)
}

/// As [`special`], and also marks bytes that are not ASCII. Only the highest bits are marks.
#[inline]
fn special_or_not_ascii(word: u64) -> u64 {
    let quote_or_control = (word ^ (ONES * 2)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
    quote_or_control | backslash
}

/// The lowest bit of each byte.
const ONES: u64 = u64::MAX / 0xff;
/// The highest bit of each byte.
const HIGHEST: u64 = ONES << 7;

/// The value of every hexadecimal digit. A table for speed, since servers escape `<`, `>` and `&`
/// as `\uXXXX`.
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

/// Finds the end of a string that began before `at`: the offset after the closing quote. If the
/// string does not end yet, the offset at which to continue when there are more bytes. Checks no
/// syntax: that happens when the string is decoded.
pub(crate) fn end_of_string(bytes: &[u8], mut at: usize) -> std::result::Result<usize, usize> {
    loop {
        at += plain(&bytes[at..]);
        match &bytes[at..] {
            [b'"', ..] => return Ok(at + 1),
            [b'\\', _, ..] => at += 2,
            [] | [b'\\'] => return Err(at),
            _ => at += 1,
        }
    }
}

impl Lexer<'_> {
    /// Decodes a string. It is valid until the next one is decoded.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "a call for each string costs a hundredth of decoding"
    )]
    pub(crate) fn string(&mut self, expected: &'static str) -> Result<&str> {
        if self.peek() != b'"' {
            return Err(Fault::expected(self.at, expected));
        }
        let start = self.at + 1;
        let rest = &self.text[start..];
        let length = run_length(rest.as_bytes());
        if rest.as_bytes().get(length) == Some(&b'"') {
            self.at = start + length + 1;
            return Ok(&rest[..length]);
        }
        self.decode(start, start + length)
    }

    /// Decodes a string that is plain from `start` to `end`. Not inlined, so that the usual string
    /// needs few registers.
    #[inline(never)]
    fn decode(&mut self, start: usize, end: usize) -> Result<&str> {
        let end = end + plain(&self.bytes()[end..]);
        if self.bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(&self.text[start..end]);
        }
        self.scratch.clear();
        self.scratch.push_str(&self.text[start..end]);
        self.at = end;
        self.rest_of_string::<true>()?;
        Ok(&self.scratch)
    }

    /// Skips a string that begins here after checking its syntax. A lone surrogate is accepted, as
    /// long as it is not decoded.
    #[inline]
    pub(super) fn skip_open_string(&mut self) -> Result {
        self.at += 1;
        self.at += run_length(&self.bytes()[self.at..]);
        self.end_string()
    }

    /// Skips the rest of a string from where a run of plain bytes ended.
    #[inline]
    pub(super) fn end_string(&mut self) -> Result {
        if self.bytes().get(self.at) == Some(&b'"') {
            self.at += 1;
            return Ok(());
        }
        self.rest_of_string::<false>()
    }

    /// Consumes a string from where a run of plain bytes ended up to its end, and adds it to
    /// `scratch` if it is to be decoded.
    #[inline(never)]
    fn rest_of_string<const DECODED: bool>(&mut self) -> Result {
        loop {
            let mut start = self.at;
            match (self.bytes().get(start), self.bytes().get(start + 1)) {
                (Some(b'"'), _) => break,
                // These represent the byte after the backslash, with which the next run begins.
                (Some(b'\\'), Some(b'"' | b'\\' | b'/')) => {
                    start += 1;
                    self.at += 2;
                }
                (Some(b'\\'), _) => {
                    if DECODED {
                        let character = self.character()?;
                        self.scratch.push(character);
                    } else {
                        self.escape()?;
                    }
                    start = self.at;
                }
                (Some(0x80..), _) => self.at += plain(&self.bytes()[start..]),
                _ => return Err(self.broken_string()),
            }
            self.at += run_length(&self.bytes()[self.at..]);
            if DECODED {
                self.scratch.push_str(&self.text[start..self.at]);
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Decodes an escape, or two of them that are one character.
    fn character(&mut self) -> Result<char> {
        let start = self.at;
        let mut code = self.escape()?;
        if matches!(code, 0xd800..=0xdbff) && self.bytes()[self.at..].starts_with(b"\\u") {
            let low = self.hex()?;
            // Followed by anything else, the first half is not a character.
            if matches!(low, 0xdc00..=0xdfff) {
                code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
            }
        }
        char::from_u32(code)
            .ok_or_else(|| Fault::message(start, "half of a surrogate pair, which is no character"))
    }

    /// Decodes an escape as a number: a character, or half of one.
    #[inline]
    fn escape(&mut self) -> Result<u32> {
        let character = match self.bytes().get(self.at + 1) {
            Some(b'u') => return self.hex(),
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(&byte @ (b'"' | b'\\' | b'/')) => byte,
            _ => return Err(self.broken_string()),
        };
        self.at += 2;
        Ok(character.into())
    }

    /// Decodes `\uXXXX` as a number.
    #[inline]
    fn hex(&mut self) -> Result<u32> {
        let digit = |byte: u8| HEX[usize::from(byte)];
        let digits = self.bytes().get(self.at + 2..).and_then(|rest| rest.first_chunk());
        let [a, b, c, d] =
            digits.map_or([NO_DIGIT; 4], |&[a, b, c, d]| [digit(a), digit(b), digit(c), digit(d)]);
        if (a | b | c | d) == NO_DIGIT {
            return Err(Fault::message(self.at, "expected four hexadecimal digits after `\\u`"));
        }
        self.at += 6;
        Ok(u32::from(a) << 12 | u32::from(b) << 8 | u32::from(c) << 4 | u32::from(d))
    }

    /// The fault of an invalid character or escape in a string.
    #[cold]
    fn broken_string(&self) -> Box<Fault> {
        match self.bytes().get(self.at) {
            None => Fault::message(
                self.at,
                "expected `\"` at the end of a string, found the end of the text",
            ),
            Some(b'\\') if self.at + 1 == self.text.len() => {
                Fault::message(self.at + 1, "expected an escape, found the end of the text")
            }
            Some(b'\\') => {
                Fault::message(self.at, "expected an escape such as `\\n` or `\\u000a` after `\\`")
            }
            Some(byte) => Fault::message(
                self.at,
                format!("control character U+{byte:04X} in a string must be escaped"),
            ),
        }
    }
}

/// The length up to which [`copy_short`] copies strings.
pub(crate) const LONGEST_SHORT: usize = 32;

/// Copies at most [`LONGEST_SHORT`] bytes to a slice of the same length. Returns whether all are
/// ASCII and need no escape in a JSON string.
///
/// Copies and checks at once, so that there is one decision by the length.
#[inline]
#[expect(clippy::many_single_char_names, reason = "the bytes of a block")]
pub(crate) fn copy_short(from: &[u8], to: &mut [u8]) -> bool {
    let length = from.len();
    debug_assert!(length <= LONGEST_SHORT && length == to.len());
    // The last block overlaps the one before it, unless they fit.
    let marks = if let (Some(first), Some(last)) =
        (from.first_chunk::<16>(), from.last_chunk::<16>())
    {
        to[..16].copy_from_slice(first);
        to[length - 16..].copy_from_slice(last);
        marks_of(first) | marks_of(last)
    } else if let (Some(first), Some(last)) = (from.first_chunk::<8>(), from.last_chunk::<8>()) {
        to[..8].copy_from_slice(first);
        to[length - 8..].copy_from_slice(last);
        marks_of(first) | marks_of(last)
    } else if let (Some(first), Some(last)) = (from.first_chunk::<4>(), from.last_chunk::<4>()) {
        to[..4].copy_from_slice(first);
        to[length - 4..].copy_from_slice(last);
        let [a, b, c, d] = *first;
        let [e, f, g, h] = *last;
        marks_of(&[a, b, c, d, e, f, g, h])
    } else if let (Some(&first), Some(&middle), Some(&last)) =
        (from.first(), from.get(length / 2), from.last())
    {
        to[0] = first;
        to[length / 2] = middle;
        to[length - 1] = last;
        marks_of(&[first, middle, last, first, first, first, first, first])
    } else {
        0
    };
    marks & HIGHEST == 0
}

/// The same for at least 16 bytes.
#[inline]
pub(crate) fn copy_long(from: &[u8], to: &mut [u8]) -> bool {
    debug_assert_eq!(from.len(), to.len());
    let (Some(last), Some(to_last)) = (from.last_chunk::<16>(), to.last_chunk_mut()) else {
        return false;
    };
    *to_last = *last;
    let blocks = from.as_chunks::<16>().0.iter().zip(to.as_chunks_mut().0);
    let marks = blocks.fold(marks_of(last), |marks, (block, to)| {
        *to = *block;
        marks | marks_of(block)
    });
    marks & HIGHEST == 0
}

/// Marks if any byte is not ASCII or needs an escape in a JSON string. Only the highest bits are
/// marks.
#[inline]
fn marks_of(bytes: &[u8]) -> u64 {
    bytes.as_chunks().0.iter().fold(0, |marks, bytes| {
        let word = u64::from_le_bytes(*bytes);
        marks | special_or_not_ascii(word) | word
    })
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_SHORT, copy_long, copy_short, end_of_string, plain, run_length};

    #[test]
    fn special_bytes_are_found_wherever_they_are() {
        for byte in 0..=0xff {
            let is_special = byte < b' ' || byte == b'"' || byte == b'\\';
            for length in (0..20).chain(30..44) {
                for at in 0..length {
                    let mut text = vec![b'a'; length];
                    text[at] = byte;
                    text[length - 1] = if at == length - 1 { byte } else { b'"' };
                    let expected =
                        if is_special { at } else { length - usize::from(at < length - 1) };
                    assert_eq!(plain(&text), expected, "{text:?}");
                    let ends_early = !byte.is_ascii() && at < 32 && length >= 32;
                    assert_eq!(
                        run_length(&text),
                        if ends_early { at } else { expected },
                        "{text:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn ends_of_strings_are_found_however_the_bytes_are_cut() {
        for text in [
            r#"" behind"#,
            r#"ab\"c\\" behind"#,
            r#"\\\"x\u0022 12345678" b"#,
            "\u{1}\n\" b",
            "ä\\ä\" b",
        ] {
            let end = text.rfind('"').unwrap() + 1;
            let text = text.as_bytes();
            assert_eq!(end_of_string(text, 0), Ok(end));
            for cut in 0..end {
                let scanned = end_of_string(&text[..cut], 0).unwrap_err();
                assert_eq!(end_of_string(text, scanned), Ok(end), "{cut}");
            }
        }
    }

    #[test]
    fn copies_all_bytes_and_notices_special_ones_wherever_they_are() {
        for byte in 0..=0xff {
            let is_plain = (b' '..0x80).contains(&byte) && byte != b'"' && byte != b'\\';
            for length in (0..36).chain(46..52) {
                let copy_plain = if length <= LONGEST_SHORT { copy_short } else { copy_long };
                assert!(copy_plain(&vec![b'a'; length], &mut vec![0; length]));
                for at in 0..length {
                    let mut text = vec![b'a'; length];
                    let mut copy = vec![0; length];
                    text[at] = byte;
                    assert_eq!(copy_plain(&text, &mut copy), is_plain, "{text:?}");
                    assert_eq!(copy, text);
                }
            }
        }
    }
}
