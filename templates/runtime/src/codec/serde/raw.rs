//! Free JSON, as a string, from any serde format and into any.

use crate::lexer::{self, Fault, Lexer, STRING, compact, compacted};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::ser::{self, Serialize, SerializeMap, SerializeStruct, Serializer};
use std::any::type_name;
use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

/// The name by which `serde_json` passes JSON through its serializers and deserializers verbatim:
/// the protocol of its `RawValue`, which is not used itself since it works with no other format.
///
/// If a later `serde_json` chooses another name, then nothing breaks: both directions detect it,
/// and transcode as for every other format. Only the spelling of numbers is lost.
pub(crate) const TOKEN: &str = "$serde_json::private::RawValue";

/// Deserializes any value as a compact JSON string.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    // Deserializers of `serde_json` have validated the string that they pass; their name only saves
    // a second check.
    let question = if has_text::<D>() { Question::CheckedText } else { Question::Text };
    let mut out = Vec::new();
    // For this name, serde_json visits a map of one member, which holds the JSON. Other formats
    // pass themselves to `visit_newtype_struct`, or ignore the name and visit the value that they
    // have.
    deserializer.deserialize_newtype_struct(TOKEN, Writer { out: &mut out, question })?;
    out.shrink_to_fit();
    String::from_utf8(out).map_err(D::Error::custom)
}

/// Whether this is `serde_json`'s deserializer of JSON, which can pass a value with its spelling.
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
    /// JSON, in the protocol of `serde_json`. The deserializer may not implement the protocol and
    /// visit any value, so a map that looks like the protocol can be data.
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
        if value.is_finite() {
            put(self.out, &value)
        } else {
            Err(E::invalid_value(Unexpected::Float(value), &self))
        }
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
                return map.next_value_seed(Text {
                    out: self.out,
                    checked: self.question == Question::CheckedText,
                });
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

/// The key of a member. Other formats have keys that are not strings; they become strings as in a
/// server, which reads YAML the same way.
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

/// With `serde_json`'s feature `arbitrary_precision`, which any crate of a program can switch on
/// for all of them, its numbers arrive as a map of one member, which holds the digits. Without it,
/// such a map is only data.
fn unwrap_number(out: &mut Vec<u8>, start: usize) {
    static NUMBERS_ARE_TEXT: LazyLock<bool> = LazyLock::new(|| {
        let number = "1.10".parse::<serde_json::Number>();
        number.is_ok_and(|number| number.to_string() == "1.10")
    });
    let member = out[start..].strip_prefix(br#"{"$serde_json::private::Number":""#);
    let digits = member.and_then(|rest| str::from_utf8(rest.strip_suffix(br#""}"#)?).ok());
    let Some(digits) = digits.filter(|digits| digits.parse::<serde_json::Number>().is_ok()) else {
        return;
    };
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

/// The beginning of the name of `serde_json`'s serializer of JSON.
const SERIALIZER: &str = "&mut serde_json::ser::Serializer<";

/// Serializes a compact JSON string: to `serde_json` verbatim, to every other format value by
/// value.
pub(crate) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if takes_text::<S>() {
        Verbatim(text).serialize(serializer)
    } else {
        Tree::from_text(text).map_err(ser::Error::custom)?.serialize(serializer)
    }
}

/// Whether this is one of `serde_json`'s own serializers.
///
/// Type names are not guaranteed to be stable, but there is no other test: `S` need not be
/// `'static`. A name that is not recognized only costs the spelling of numbers. Only these two may
/// be recognized, so the error type does not suffice: serde's helpers for `flatten` and for tagged
/// enums, and serializers wrapped around `serde_json`'s, have its error type as well, and some of
/// them would serialize the protocol as an object.
fn takes_text<S>() -> bool {
    static PROTOCOL_HOLDS: LazyLock<bool> =
        LazyLock::new(|| serde_json::to_string(&Verbatim("1.10")).is_ok_and(|text| text == "1.10"));
    let name = type_name::<S>();
    let own = name.starts_with(SERIALIZER) || name == "serde_json::value::ser::Serializer";
    own && *PROTOCOL_HOLDS
}

/// Whether this is `serde_json`'s own serializer of JSON without white space, so that a value can
/// be encoded elsewhere.
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
                    map.serialize_entry(&*unquoted(key).map_err(ser::Error::custom)?, value)?;
                }
                map.end()
            }
        }
    }
}

fn serialize_leaf<S: Serializer>(token: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match token.as_bytes().first() {
        Some(b'"') => serializer.serialize_str(&unquoted(token).map_err(ser::Error::custom)?),
        Some(b't' | b'f') => serializer.serialize_bool(token == "true"),
        Some(b'n') => serializer.serialize_unit(),
        _ => serialize_number(token, serializer),
    }
}

/// `serde_json` would give other formats its own representation of a number if its feature
/// `arbitrary_precision` is on.
fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(number) = text.parse() {
        return serializer.serialize_u64(number);
    }
    if let Ok(number) = text.parse() {
        return serializer.serialize_i64(number);
    }
    match text.parse() {
        Ok(number) if f64::is_finite(number) => serializer.serialize_f64(number),
        _ => Err(ser::Error::custom(format_args!("number out of range: {text}"))),
    }
}

/// The maximum depth of objects and arrays, as in `serde_json`.
const DEPTH: u8 = 128;

/// The values of a JSON string, which borrow their tokens from it.
///
/// Made in one pass, so that its time does not grow with the depth. It can be serialized twice, as
/// some formats do to get the size of a value.
enum Tree<'a> {
    /// `null`, a boolean, a number or a string, as it is spelled.
    Leaf(&'a str),
    List(Vec<Tree<'a>>),
    /// The members in their order, including duplicates. Keys are spelled as in the string.
    Map(Vec<(&'a str, Tree<'a>)>),
}

impl<'a> Tree<'a> {
    /// The tree of a text that is JSON. It is not checked again whether keys are strings.
    fn from_text(text: &'a str) -> Result<Self, String> {
        let mut lexer = Lexer::new(text);
        let tree = Self::parse(&mut lexer, DEPTH).and_then(|tree| lexer.end().map(|()| tree));
        tree.map_err(|fault| fault.describe(text).into_owned())
    }

    fn parse(lexer: &mut Lexer<'a>, levels: u8) -> lexer::Result<Self> {
        let opener = lexer.peek();
        if !matches!(opener, b'{' | b'[') {
            return token(lexer).map(Tree::Leaf);
        }
        let Some(levels) = levels.checked_sub(1) else {
            return Err(Fault::message(lexer.at, "JSON has too many levels"));
        };
        lexer.at += 1;
        if opener == b'[' {
            let mut elements = Vec::new();
            let mut has_more = !closes(lexer, b']');
            while has_more {
                elements.push(Self::parse(lexer, levels)?);
                has_more = lexer.comma_or_close(b']')?;
            }
            return Ok(Tree::List(elements));
        }
        let mut members = Vec::new();
        let mut has_more = !closes(lexer, b'}');
        while has_more {
            lexer.peek();
            let key = token(lexer)?;
            lexer.colon()?;
            members.push((key, Self::parse(lexer, levels)?));
            has_more = lexer.comma_or_close(b'}')?;
        }
        Ok(Tree::Map(members))
    }
}

/// Consumes the closing bracket of an empty object or array, if it is next.
fn closes(lexer: &mut Lexer<'_>, closer: u8) -> bool {
    let is_closer = lexer.peek() == closer;
    lexer.at += usize::from(is_closer);
    is_closer
}

/// Consumes a token that is not a bracket.
fn token<'a>(lexer: &mut Lexer<'a>) -> lexer::Result<&'a str> {
    let start = lexer.at;
    lexer.skip()?;
    Ok(&lexer.text[start..lexer.at])
}

/// The string that a token spells.
fn unquoted(token: &str) -> Result<Cow<'_, str>, String> {
    let plain = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(plain) = plain.filter(|plain| !plain.contains('\\')) {
        return Ok(plain.into());
    }
    match Lexer::new(token).string(STRING) {
        Ok(string) => Ok(string.to_owned().into()),
        Err(fault) => Err(fault.describe(token).into_owned()),
    }
}
