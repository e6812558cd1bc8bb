//! Numbers.

use super::{Fault, Lexer, Result};

impl<'a> Lexer<'a> {
    pub(crate) fn is_at_number(&mut self) -> bool {
        matches!(self.peek(), b'-' | b'0'..=b'9')
    }

    /// Consumes a number that begins here, and returns it as it is spelled.
    pub(crate) fn number(&mut self) -> Result<&'a str> {
        let text = &self.text[self.at..];
        let length = length(text);
        self.at += length;
        if text.as_bytes()[length - 1].is_ascii_digit() {
            Ok(&text[..length])
        } else {
            Err(Fault::expected(self.at, "a digit"))
        }
    }
}

/// The number of bytes at the start of a string that belong to a number. If the last one is no digit, it is incomplete.
pub(super) fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |at: usize| at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
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
