//! A document of a server with a line for each value, so that changes of it can be read.
//!
//! It is printed while it is parsed: a tree of it would take thirty times its size.

use crate::error::Error;
use crate::input::{Source, parse};
use crate::openapi::load;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fmt;

/// White space before lines is at most this many times the size of the document. After that, a
/// deeply nested document is printed without more lines.
const INDENTED_TO_LENGTH: usize = 3;

/// Prints an OpenAPI document.
///
/// # Errors
/// When it is not JSON or YAML, or is not an OpenAPI 3.0 document.
pub(super) fn print(source: &Source) -> Result<String, Error> {
    load::check_text(source)?;
    if !source.text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        // YAML, which no server publishes: its aliases unfold to more than its size.
        return Ok(format!("{:#}\n", load::document(source)?.value));
    }
    let mut printer =
        Printer { text: Vec::new(), level: 0, white_space: INDENTED_TO_LENGTH * source.text.len() };
    let head = parse::read(source, Head(&mut printer))?;
    load::check_version(&source.name, &head)?;
    printer.text.push(b'\n');
    String::from_utf8(printer.text).map_err(|_| Error::new("a document of strings is UTF-8"))
}

struct Printer {
    text: Vec<u8>,
    level: usize,
    /// The white space that is left.
    white_space: usize,
}

impl Printer {
    fn scalar(&mut self, value: &Value) {
        serde_json::to_writer(&mut self.text, value).expect("memory takes everything");
    }

    fn line(&mut self) {
        let needed = 1 + 2 * self.level;
        if let Some(left) = self.white_space.checked_sub(needed) {
            self.white_space = left;
            self.text.push(b'\n');
            self.text.resize(self.text.len() + 2 * self.level, b' ');
        }
    }

    fn open(&mut self, bracket: u8) {
        self.text.push(bracket);
        self.level += 1;
    }

    /// Begins an element or member.
    fn next(&mut self, is_first: bool) {
        if !is_first {
            self.text.push(b',');
        }
        self.line();
    }

    fn close(&mut self, bracket: u8, is_empty: bool) {
        self.level -= 1;
        if !is_empty {
            self.line();
        }
        self.text.push(bracket);
    }

    /// Prints the members of an object. `value` prints the value of a key.
    fn members<'de, A: MapAccess<'de>>(
        &mut self,
        mut access: A,
        mut value: impl FnMut(&mut Self, &str, &mut A) -> Result<(), A::Error>,
    ) -> Result<(), A::Error> {
        let mut keys = BTreeSet::new();
        self.open(b'{');
        while let Some(key) = access.next_key::<Box<str>>()? {
            self.next(keys.is_empty());
            self.scalar(&Value::from(&*key));
            self.text.extend_from_slice(b": ");
            value(self, &key, &mut access)?;
            if let Some(key) = keys.replace(key) {
                return Err(A::Error::custom(format!("duplicate key `{key}`")));
            }
        }
        self.close(b'}', keys.is_empty());
        Ok(())
    }

    fn printed(&mut self, value: Value) -> Value {
        self.scalar(&value);
        value
    }
}

/// Prints a document and returns the members of its root that identify it, such as `openapi` and
/// `kind`.
struct Head<'a>(&'a mut Printer);

impl<'de> DeserializeSeed<'de> for Head<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Head<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an OpenAPI document")
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        let mut head = Map::new();
        self.0.members(access, |printer, key, access| {
            let value = access.next_value_seed(&mut *printer)?;
            if ["openapi", "swagger", "kind", "apiVersion", "message"].contains(&key) {
                head.insert(key.to_owned(), value);
            }
            Ok(())
        })?;
        Ok(Value::Object(head))
    }
}

/// Prints a value. A scalar is also returned, and `null` in place of a list or an object.
impl<'de> DeserializeSeed<'de> for &mut Printer {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Printer {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(self.printed(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(self.printed(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(self.printed(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(self.printed(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(self.printed(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(self.printed(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut is_empty = true;
        self.open(b'[');
        loop {
            let start = self.text.len();
            let white_space = self.white_space;
            self.next(is_empty);
            if access.next_element_seed(&mut *self)?.is_none() {
                self.text.truncate(start);
                self.white_space = white_space;
                break;
            }
            is_empty = false;
        }
        self.close(b']', is_empty);
        Ok(Value::Null)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        self.members(access, |printer, _, access| access.next_value_seed(&mut *printer).map(drop))?;
        Ok(Value::Null)
    }
}
