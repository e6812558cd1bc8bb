//! Serialization of a JSON string to any format.

use super::TOKEN;
use super::tree::{Tree, unquoted};
use serde::ser::{Error, Serialize, SerializeMap, SerializeStruct, Serializer};
use std::any::type_name;
use std::sync::LazyLock;

/// The beginning of the name of `serde_json`'s serializer of JSON.
const SERIALIZER: &str = "&mut serde_json::ser::Serializer<";

/// Serializes a compact JSON string: to `serde_json` verbatim, to every other format value by value.
pub(crate) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if takes_text::<S>() {
        Verbatim(text).serialize(serializer)
    } else {
        Tree::of(text).map_err(S::Error::custom)?.serialize(serializer)
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
    let own = name.starts_with(SERIALIZER) || name == "serde_json::value::ser::Serializer";
    own && *PROTOCOL_HOLDS
}

/// Whether this is `serde_json`'s own serializer of JSON without white space, so that a value can be encoded elsewhere.
///
/// Its formatter is the default of its second parameter, and names of types omit defaults.
pub(crate) fn takes_compact_text<S>() -> bool {
    let parameters = type_name::<S>().strip_prefix(SERIALIZER);
    parameters.is_some_and(|names| !names.contains(',')) && takes_text::<S>()
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

impl Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Tree::Leaf(token) => serialize_leaf(token, serializer),
            Tree::List(elements) => serializer.collect_seq(elements),
            Tree::Map(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(&*unquoted(key).map_err(S::Error::custom)?, value)?;
                }
                map.end()
            }
        }
    }
}

fn serialize_leaf<S: Serializer>(token: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match token.as_bytes().first() {
        Some(b'"') => serializer.serialize_str(&unquoted(token).map_err(S::Error::custom)?),
        Some(b't' | b'f') => serializer.serialize_bool(token == "true"),
        Some(b'n') => serializer.serialize_unit(),
        _ => serialize_number(token, serializer),
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
