//! Decoding of numbers into integers and floats.

use super::read::Reader;
use crate::codec::value::float;
use crate::lexer::{Fault, Result};

impl Reader<'_> {
    /// Decodes a number that has neither fraction nor exponent and fits the type.
    pub(super) fn integer<T: std::str::FromStr>(&mut self, expected: &'static str) -> Result<T> {
        if !self.lexer.is_at_number() {
            return Err(Fault::expected(self.lexer.at, expected));
        }
        let start = self.lexer.at;
        let digits = self.lexer.number()?;
        match digits.parse() {
            Ok(number) if digits != "-0" => Ok(number),
            _ => Err(Fault::expected(start, expected)),
        }
    }

    /// Decodes any number that is not beyond the range of floats.
    pub(super) fn float(&mut self) -> Result<f64> {
        if !self.lexer.is_at_number() {
            return Err(Fault::expected(self.lexer.at, "a number"));
        }
        let start = self.lexer.at;
        float(self.lexer.number()?).map_err(|expected| Fault::expected(start, expected.0))
    }
}
