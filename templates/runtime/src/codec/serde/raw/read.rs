//! Deserialization of any format to a JSON string.

use super::TOKEN;
use crate::lexer::{compact, compacted};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::ser::Serialize;
use std::any::type_name;
use std::fmt;
use std::sync::LazyLock;

/// Deserializes any value as a compact JSON string.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    // Deserializers of `serde_json` have validated the string that they pass; their name only saves a second check.
    let question = if has_text::<D>() { Question::CheckedText } else { Question::Text };
    let mut out = Vec::new();
    // For this name, serde_json visits a map of one member, which holds the JSON. Other formats pass themselves to
    // `visit_newtype_struct`, or ignore the name and visit the value that they have.
    deserializer.deserialize_newtype_struct(TOKEN, Writer { out: &mut out, question })?;
    out.shrink_to_fit();
    String::from_utf8(out).map_err(D::Error::custom)
}

/// Whether this is `serde_json`'s deserializer of JSON, which can pass a value as it is spelled.
pub(crate) fn has_text<D>() -> bool {
    type_name::<D>().starts_with("&mut serde_json::de::Deserializer<")
}

/// Appends a value to the JSON while it is deserialized.
struct Writer<'a> {
    out: &'a mut Vec<u8>,
    question: Question,
}

/// The request that was made of a deserializer.
#[derive(Clone, Copy, PartialEq)]
enum Question {
    /// Any value. A member with the name of the token is only data.
    Value,
    /// JSON, in the protocol of `serde_json`. The deserializer may not implement the protocol and visit any value, so
    /// a map that looks like the protocol can be data.
    Text,
    /// JSON, from a deserializer that is known to implement the protocol.
    CheckedText,
}

impl<'de> Visitor<'de> for Writer<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value that JSON has")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        put(self.out, &value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        put(self.out, &value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        put(self.out, &value)
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<(), E> {
        put(self.out, &value)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<(), E> {
        put(self.out, &value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        // serde_json would write `null`.
        if value.is_finite() { put(self.out, &value) } else { Err(E::invalid_value(Unexpected::Float(value), &self)) }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        put(self.out, value)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        put(self.out, &())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.visit_newtype_struct(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(Writer { out: self.out, question: Question::Value })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.out.push(b'[');
        let mut comma = false;
        while seq.next_element_seed(Item { out: self.out, comma })?.is_some() {
            comma = true;
        }
        self.out.push(b']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let start = self.out.len();
        self.out.push(b'{');
        let mut comma = false;
        while map.next_key_seed(Key { out: self.out, comma })?.is_some() {
            if self.question != Question::Value && is_quoted(&self.out[start + 1..], TOKEN) {
                self.out.truncate(start);
                return map.next_value_seed(Text { out: self.out, checked: self.question == Question::CheckedText });
            }
            self.out.push(b':');
            map.next_value_seed(Item { out: self.out, comma: false })?;
            comma = true;
        }
        self.out.push(b'}');
        unwrap_number(self.out, start);
        Ok(())
    }
}

/// An element of a list, or the value of a member.
struct Item<'a> {
    out: &'a mut Vec<u8>,
    comma: bool,
}

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.comma {
            self.out.push(b',');
        }
        deserializer.deserialize_any(Writer { out: self.out, question: Question::Value })
    }
}

/// The key of a member. Other formats have keys that are not strings; they become strings as in a server, which
/// reads YAML the same way.
struct Key<'a> {
    out: &'a mut Vec<u8>,
    comma: bool,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.comma {
            self.out.push(b',');
        }
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_bool<E: Error>(self, key: bool) -> Result<(), E> {
        put(self.out, &key.to_string())
    }

    fn visit_i64<E: Error>(self, key: i64) -> Result<(), E> {
        put(self.out, &key.to_string())
    }

    fn visit_u64<E: Error>(self, key: u64) -> Result<(), E> {
        put(self.out, &key.to_string())
    }

    fn visit_f64<E: Error>(self, key: f64) -> Result<(), E> {
        put(self.out, &key.to_string())
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<(), E> {
        put(self.out, key)
    }
}

/// The JSON that `serde_json` passes. It keeps white space.
struct Text<'a> {
    out: &'a mut Vec<u8>,
    checked: bool,
}

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if self.checked {
            self.out.extend_from_slice(compact(text).as_bytes());
        } else {
            let value = compacted(text).map_err(|fault| E::custom(fault.describe(text)))?;
            self.out.extend_from_slice(value.as_bytes());
        }
        Ok(())
    }
}

/// With `serde_json`'s feature `arbitrary_precision`, which any crate of a program can switch on for all of them, its
/// numbers arrive as a map of one member, which holds the digits. Without it, such a map is only data.
fn unwrap_number(out: &mut Vec<u8>, start: usize) {
    static NUMBERS_ARE_TEXT: LazyLock<bool> = LazyLock::new(|| {
        let number = "1.10".parse::<serde_json::Number>();
        number.is_ok_and(|number| number.to_string() == "1.10")
    });
    let member = out[start..].strip_prefix(br#"{"$serde_json::private::Number":""#);
    let digits = member.and_then(|rest| str::from_utf8(rest.strip_suffix(br#""}"#)?).ok());
    let Some(digits) = digits.filter(|digits| digits.parse::<serde_json::Number>().is_ok()) else { return };
    if *NUMBERS_ARE_TEXT {
        let digits = digits.as_bytes().to_vec();
        out.truncate(start);
        out.extend_from_slice(&digits);
    }
}

fn is_quoted(json: &[u8], text: &str) -> bool {
    json.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) == Some(text.as_bytes())
}

fn put<T: Serialize + ?Sized, E: Error>(out: &mut Vec<u8>, value: &T) -> Result<(), E> {
    serde_json::to_writer(out, value).map_err(E::custom)
}
