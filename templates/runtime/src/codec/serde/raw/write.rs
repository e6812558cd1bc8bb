//! Serialization of a JSON string to any format.

use super::TOKEN;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Error, Serialize, SerializeMap, SerializeStruct, Serializer};
use serde_json::value::RawValue;
use std::any::type_name;
use std::fmt;
use std::sync::LazyLock;

/// The maximum depth of `serde_json`.
const DEPTH: u8 = 128;

/// Serializes a compact JSON string: to `serde_json` verbatim, to every other format value by value.
pub(crate) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if takes_text::<S>() {
        Verbatim(text).serialize(serializer)
    } else {
        Transcoded { text, depth: 0 }.serialize(serializer)
    }
}

/// Whether this is one of `serde_json`'s own serializers.
///
/// Type names are not guaranteed to be stable, but there is no other test: `S` need not be `'static`. A name that is
/// not recognized only costs the spelling of numbers. Only these two may be recognized, so the error type does not
/// suffice: serde's helpers for `flatten` and for tagged enums, and serializers wrapped around `serde_json`'s, have its
/// error type as well, and some of them would serialize the protocol as an object.
fn takes_text<S>() -> bool {
    static PROTOCOL_HOLDS: LazyLock<bool> =
        LazyLock::new(|| serde_json::to_string(&Verbatim("1.10")).is_ok_and(|text| text == "1.10"));
    let name = type_name::<S>();
    let own = name.starts_with("&mut serde_json::ser::Serializer<") || name == "serde_json::value::ser::Serializer";
    own && *PROTOCOL_HOLDS
}

/// JSON for `serde_json`, in the protocol of its `RawValue`.
struct Verbatim<'a>(&'a str);

impl Serialize for Verbatim<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut wrapper = serializer.serialize_struct(TOKEN, 1)?;
        wrapper.serialize_field(TOKEN, self.0)?;
        wrapper.end()
    }
}

/// A value in a JSON string. It borrows its part, so it can be serialized twice, as some formats do to get its size.
struct Transcoded<'a> {
    text: &'a str,
    depth: u8,
}

impl Transcoded<'_> {
    fn part<'a>(&self, raw: &'a RawValue) -> Transcoded<'a> {
        Transcoded { text: raw.get(), depth: self.depth + 1 }
    }

    fn parse<'a, T: Deserialize<'a>, E: Error>(&'a self) -> Result<T, E> {
        serde_json::from_str(self.text).map_err(E::custom)
    }
}

impl Serialize for Transcoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.text.as_bytes().first() {
            Some(b'{' | b'[') if self.depth == DEPTH => Err(S::Error::custom("JSON has too many levels")),
            Some(b'{') => {
                let Members(members) = self.parse()?;
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(&key, &self.part(value))?;
                }
                map.end()
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = self.parse()?;
                serializer.collect_seq(items.into_iter().map(|item| self.part(item)))
            }
            Some(b'"') => serializer.serialize_str(&self.parse::<String, _>()?),
            Some(b't' | b'f') => serializer.serialize_bool(self.parse()?),
            Some(b'n') => serializer.serialize_unit(),
            _ => serialize_number(self.text, serializer),
        }
    }
}

/// `serde_json` would give other formats its own representation of a number if its feature `arbitrary_precision` is on.
fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(number) = text.parse() {
        return serializer.serialize_u64(number);
    }
    if let Ok(number) = text.parse() {
        return serializer.serialize_i64(number);
    }
    match text.parse() {
        Ok(number) if f64::is_finite(number) => serializer.serialize_f64(number),
        _ => Err(S::Error::custom(format_args!("number out of range: {text}"))),
    }
}

/// The members of an object in their order, with those that occur twice.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor).map(Members)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}
