//! Numbers.

use super::error::Fault;
use super::read::{Reader, Result};

impl<'a> Reader<'a> {
    /// Reads a number that has neither fraction nor exponent and fits the type.
    pub(super) fn integer<T: std::str::FromStr>(&mut self, expected: &'static str) -> Result<T> {
        if !self.is_at_number() {
            return Err(Fault::expected(self.at, expected));
        }
        let start = self.at;
        let digits = self.number()?;
        match digits.parse() {
            Ok(number) if digits != "-0" => Ok(number),
            _ => Err(Fault::expected(start, expected)),
        }
    }

    /// Reads any number that is not beyond the range of floats.
    pub(super) fn float(&mut self) -> Result<f64> {
        if !self.is_at_number() {
            return Err(Fault::expected(self.at, "a number"));
        }
        let start = self.at;
        match self.number()?.parse() {
            Ok(number) if f64::is_finite(number) => Ok(number),
            _ => Err(Fault::expected(start, "a number of 64 bits")),
        }
    }

    pub(super) fn is_at_number(&mut self) -> bool {
        matches!(self.peek(), b'-' | b'0'..=b'9')
    }

    /// Passes over a number and gives its text.
    pub(super) fn number(&mut self) -> Result<&'a str> {
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

/// How many bytes at the start of this belong to a number. If the last one is no digit, then something is missing.
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
