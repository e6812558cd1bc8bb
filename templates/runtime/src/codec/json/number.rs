//! Decoding of numbers into integers and floats.

use super::read::Reader;
use crate::codec::number::float;
use crate::lexer::{Fault, Result};

impl Reader<'_> {
    /// Decodes a number that has neither fraction nor exponent and fits 32 bits.
    pub(super) fn int32(&mut self) -> Result<i32> {
        const EXPECTED: &str = "an integer of 32 bits";
        let (start, number) = self.integer(EXPECTED)?;
        i32::try_from(number).map_err(|_| Fault::expected(start, EXPECTED))
    }

    /// Decodes a number that has neither fraction nor exponent and fits 64 bits.
    pub(super) fn int64(&mut self) -> Result<i64> {
        self.integer("an integer of 64 bits").map(|(_, number)| number)
    }

    /// Decodes an integer. Returns its offset, too.
    #[inline]
    fn integer(&mut self, expected: &'static str) -> Result<(usize, i64)> {
        let start = self.lexer.at;
        match self.lexer.small_integer() {
            Some(number) => Ok((start, number)),
            None => self.long_integer(expected),
        }
    }

    /// Decodes an integer that is long, or stands after white space.
    fn long_integer(&mut self, expected: &'static str) -> Result<(usize, i64)> {
        if !self.lexer.is_at_number() {
            return Err(Fault::expected(self.lexer.at, expected));
        }
        let start = self.lexer.at;
        let digits = self.lexer.number()?;
        match digits.parse() {
            Ok(number) if digits != "-0" => Ok((start, number)),
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
