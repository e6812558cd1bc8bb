//! Decoding of numbers into integers and floats.

use super::read::Reader;
use crate::codec::value::float;
use crate::lexer::{Fault, Result};
use std::str::FromStr;

impl Reader<'_> {
    /// Decodes a number that has neither fraction nor exponent and fits the type.
    pub(super) fn integer<T: FromStr + TryFrom<i64>>(&mut self, expected: &'static str) -> Result<T> {
        let start = self.lexer.at;
        if let Some(number) = self.lexer.small_integer() {
            return T::try_from(number).map_err(|_| Fault::expected(start, expected));
        }
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
