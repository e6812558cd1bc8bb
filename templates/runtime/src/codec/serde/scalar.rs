//! Deserializing scalars: one visitor for all of them, as members and on their own.

use super::raw;
use crate::codec::path;
use crate::codec::value::{Expected, Scalar};
use crate::lexer::{Lexer, STRING};
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Unexpected, Visitor,
};
use std::fmt;

/// Deserializes a string or number from any format.
///
/// A number may have any form that the format has for numbers: a float takes an integer, too.
///
/// # Errors
/// When the input is neither a string nor a number, or not such a value.
pub fn deserialize<'de, D: Deserializer<'de>>(
    scalar: &mut dyn Scalar,
    expected: &'static str,
    deserializer: D,
) -> Result<(), D::Error> {
    deserialize_member(scalar, expected, &mut None, deserializer)
}

/// As [`deserialize`]. `text` becomes the string, if an object keeps it.
pub(super) fn deserialize_member<'de, D: Deserializer<'de>>(
    scalar: &mut dyn Scalar,
    expected: &'static str,
    text: &mut Option<String>,
    deserializer: D,
) -> Result<(), D::Error> {
    let keeps_spelling = scalar.keeps_spelling();
    let visitor = ScalarVisitor { scalar, expected, text };
    if keeps_spelling && raw::has_text::<D>() {
        // Otherwise a number would be a float, with as many digits as a float has.
        return deserializer.deserialize_newtype_struct(raw::TOKEN, TextVisitor(visitor));
    }
    deserializer.deserialize_any(visitor)
}

/// Visits a value as it is spelled, from `serde_json`: a map of one member, which holds the JSON.
struct TextVisitor<'a>(ScalarVisitor<'a>);

impl<'de> Visitor<'de> for TextVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    /// The JSON itself.
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.json(text)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        map.next_key::<IgnoredAny>()?;
        map.next_value_seed(self)
    }

    /// If a later `serde_json` chooses another token, then it passes itself.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self.0)
    }
}

impl<'de> DeserializeSeed<'de> for TextVisitor<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

/// Not generic, so that every format has one visitor for all scalars.
struct ScalarVisitor<'a> {
    scalar: &'a mut dyn Scalar,
    expected: &'static str,
    text: &'a mut Option<String>,
}

impl ScalarVisitor<'_> {
    /// Decodes a value as it is spelled in JSON.
    fn json<E: Error>(self, text: &str) -> Result<(), E> {
        match text.as_bytes() {
            b"null" => self.visit_unit(),
            [b'"', plain @ .., b'"'] if !plain.contains(&b'\\') => {
                self.visit_str(&text[1..text.len() - 1])
            }
            [b'"', ..] => match Lexer::new(text).string(STRING) {
                Ok(string) => self.visit_str(string),
                Err(fault) => Err(E::custom(fault.describe(text))),
            },
            [b'{', ..] => Err(E::invalid_type(Unexpected::Map, &self)),
            [b'[', ..] => Err(E::invalid_type(Unexpected::Seq, &self)),
            [b't' | b'f', ..] => Err(E::invalid_type(Unexpected::Bool(text == "true"), &self)),
            _ => self.number(text),
        }
    }

    /// Decodes a number as it is spelled in JSON.
    fn number<E: Error>(self, literal: &str) -> Result<(), E> {
        let read = self.scalar.read_number(literal);
        let quoted = || format!("number `{}`", path::shortened(literal, 60));
        read.map_err(|expected| self.mismatch(Unexpected::Other(&quoted()), expected))
    }

    /// The error for an unexpected value, which it quotes unless it may be a secret.
    fn mismatch<E: Error>(&self, found: Unexpected<'_>, expected: Expected) -> E {
        let found = match found {
            Unexpected::Str(_) if self.scalar.is_secret() => Unexpected::Other("a string"),
            _ if self.scalar.is_secret() => Unexpected::Other("a number"),
            found => found,
        };
        E::invalid_value(found, &expected.0)
    }
}

impl<'de> Visitor<'de> for ScalarVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.scalar
            .read_text(text)
            .map_err(|expected| self.mismatch(Unexpected::Str(text), expected))?;
        if self.scalar.keeps_text(text) {
            *self.text = Some(text.to_owned());
        }
        Ok(())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.scalar
            .read_int(number)
            .map_err(|expected| self.mismatch(Unexpected::Signed(number), expected))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => self.number(&number.to_string()),
        }
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<(), E> {
        self.number(&number.to_string())
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<(), E> {
        self.number(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        if !number.is_finite() {
            // JSON has no such numbers.
            return Err(self.mismatch(Unexpected::Float(number), Expected(self.expected)));
        }
        self.scalar
            .read_float(number)
            .map_err(|expected| self.mismatch(Unexpected::Float(number), expected))
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.scalar.clear();
        Ok(())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    /// With `serde_json`'s feature `arbitrary_precision`, which any crate of a program can switch
    /// on for all of them, a number with a fraction or an exponent arrives as a map that only
    /// `Number` understands.
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let number = serde_json::Number::deserialize(MapAccessDeserializer::new(map))
            .map_err(|_| A::Error::invalid_type(Unexpected::Map, &self))?;
        self.number(&number.to_string())
    }
}
