//! Free JSON.

#[cfg(test)]
mod tests;

use crate::codec::json::{self, DecodeError};
use crate::codec::serde::raw;
use crate::codec::{Slot, Value, View, debug};
use crate::lexer::{self, Lexer, STRING, compact};
use crate::values::quantity::Number;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BinaryHeap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem;
use std::ops::Range;
use std::str::FromStr;

/// Any JSON, kept as a string.
///
/// The type of schemas without a type. It costs one string, however deep the value is; look into it
/// with [`decode`](Self::decode) or [`to_value`](Self::to_value).
///
/// The text is always one valid JSON value without white space around its parts. All else is as it
/// was read: the spelling of numbers and strings, the order of members, and members that occur
/// twice. The default is `null`.
///
/// Two of them are equal if their JSON values are: the order of members does not count, of repeated
/// members the last one does, numbers are compared by their amount (`1.0` is `1`, `1e3` is `1000`),
/// strings by their characters. To compare the spelling, compare [`as_str`](Self::as_str).
///
/// `Debug` shows only the length, since any JSON may be a `Secret`; `Display` and
/// [`as_str`](Self::as_str) have it all.
///
/// With `serde_json` the text is read and written as it is. With every other format it is
/// transcoded: then numbers are those the format has, and text that only JSON can hold, such as
/// `1e400`, is an error.
///
/// ```
/// use kapigen_runtime::meta_v1::RawJson;
///
/// let settings: RawJson = r#"{"size": 3, "tags": ["a"]}"#.parse()?;
/// assert_eq!(settings.as_str(), r#"{"size":3,"tags":["a"]}"#);
/// assert_eq!(settings.to_value()?["size"], 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
// The empty string is `null`, so that a value that is about to be decoded needs no memory.
pub struct RawJson(String);

/// Any JSON object, or `null`: an object of a kind that is known only when the program runs.
///
/// Stands for the schema `io.k8s.apimachinery.pkg.runtime.RawExtension`.
pub type RawExtension = RawJson;

/// The set of fields that a manager owns: an object with members such as `f:spec`, `k:{"name":"x"}`
/// and `.`.
///
/// Stands for the schema `io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1`.
pub type FieldsV1 = RawJson;

/// The text of a value: the empty string is `null`.
pub(crate) fn spelled(text: &str) -> &str {
    if text.is_empty() { "null" } else { text }
}

/// Whether two texts are the same value.
pub(crate) fn is_same_json(text: &str, other: &str) -> bool {
    let text = spelled(text);
    let other = spelled(other);
    text == other || canonical(text) == canonical(other)
}

impl RawJson {
    /// The value with this text, which is valid and compact.
    pub(crate) fn from_valid(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }

    /// The JSON as a string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        spelled(&self.0)
    }

    /// The value as a tree.
    ///
    /// # Errors
    /// When `serde_json`'s tree cannot hold it: a number such as `1e400`, more than 128 levels, a
    /// lone surrogate.
    #[inline] // few need it, and a tree brings much code with it
    pub fn to_value(&self) -> Result<serde_json::Value, serde_json::Error> {
        self.decode()
    }

    /// Encodes a tree.
    #[inline]
    #[must_use]
    pub fn from_value(value: &serde_json::Value) -> Self {
        RawJson(value.to_string())
    }

    /// The JSON to which a value of this crate was encoded.
    #[cfg(feature = "change")]
    pub(crate) fn of_encoded(text: Vec<u8>) -> Self {
        RawJson(String::from_utf8(text).unwrap_or_default())
    }

    /// Decodes the JSON as a type of your own.
    ///
    /// # Errors
    /// When the JSON is not a valid `T`.
    pub fn decode<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.as_str())
    }

    /// Encodes a type of your own as JSON.
    ///
    /// # Errors
    /// When the implementation of `T` returns one, or a map has a key that cannot be a string.
    pub fn from_serialize<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::to_string(value).map(|text| RawJson(compact(&text).into()))
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        is_same_json(&self.0, &other.0)
    }
}

impl Eq for RawJson {}

impl Hash for RawJson {
    fn hash<H: Hasher>(&self, state: &mut H) {
        canonical(self.as_str()).hash(state);
    }
}

/// The JSON `null`.
impl Default for RawJson {
    fn default() -> Self {
        RawJson(String::new())
    }
}

/// Parses any JSON and drops white space between its tokens.
impl FromStr for RawJson {
    type Err = DecodeError;

    fn from_str(text: &str) -> Result<Self, DecodeError> {
        json::from_str(text)
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug::raw(self.as_str(), f)
    }
}

impl Value for RawJson {
    fn empty() -> Self {
        Self::default()
    }

    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Raw(&mut self.0)
    }

    fn view(&self) -> View<'_> {
        View::Raw(self.as_str())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        raw::serialize(self.as_str(), serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        raw::deserialize(deserializer).map(RawJson)
    }
}

/// Returns a text that is the same for all texts of this JSON value, whatever the order of members
/// and the spelling of strings and numbers. A lone surrogate and an exponent beyond 64 bits have no
/// value, and keep their spelling.
///
/// Pending work is kept in lists, so that no depth exhausts the stack.
fn canonical(text: &str) -> Cow<'_, str> {
    objects(text).map_or(Cow::Borrowed(text), |objects| ordered(text, &objects).into())
}

/// An object, and its position.
struct Object<'a> {
    place: Range<usize>,
    /// In the order of the keys, each once.
    members: Vec<Member<'a>>,
}

/// A key in canonical form, and the range of its value. Ordered by these.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Member<'a> {
    key: Cow<'a, str>,
    start: usize,
    end: usize,
}

impl Object<'_> {
    fn end(&mut self, at: usize) {
        self.place.end = at;
        // Compiled in a fraction of the time that the other ways to sort take.
        self.members = BinaryHeap::from(mem::take(&mut self.members)).into_sorted_vec();
        // The last of repeated members stays.
        self.members.dedup_by(|later, earlier| {
            let is_repeated = later.key == earlier.key;
            if is_repeated {
                mem::swap(later, earlier);
            }
            is_repeated
        });
    }
}

/// Finds all objects, in the order in which they begin.
fn objects(text: &str) -> lexer::Result<Vec<Object<'_>>> {
    let mut lexer = Lexer::new(text);
    let mut objects: Vec<Object<'_>> = Vec::new();
    // Open objects and arrays. Objects have an index.
    let mut open: Vec<Option<usize>> = Vec::new();
    loop {
        if let Some(Some(object)) = open.last() {
            let key = key(&mut lexer)?;
            objects[*object].members.push(Member { key, start: lexer.at, end: lexer.at });
        }
        match lexer.peek() {
            opener @ (b'{' | b'[') => {
                let place = lexer.at..lexer.at;
                lexer.at += 1;
                let is_empty = lexer.peek() == opener + 2;
                if opener == b'{' {
                    objects.push(Object { place, members: Vec::new() });
                }
                if !is_empty {
                    open.push((opener == b'{').then(|| objects.len() - 1));
                    continue;
                }
                lexer.at += 1;
                if let Some(object) = objects.last_mut().filter(|_| opener == b'{') {
                    object.end(lexer.at);
                }
            }
            _ => lexer.skip()?,
        }
        close(&mut lexer, &mut objects, &mut open)?;
        if open.is_empty() {
            return Ok(objects);
        }
    }
}

/// Consumes the commas and brackets after a value, up to the next value.
fn close(
    lexer: &mut Lexer<'_>,
    objects: &mut [Object<'_>],
    open: &mut Vec<Option<usize>>,
) -> lexer::Result {
    while let Some(container) = open.last() {
        let mut object = container.map(|index| &mut objects[index]);
        if let Some(member) = object.as_mut().and_then(|object| object.members.last_mut()) {
            member.end = lexer.at;
        }
        if lexer.comma_or_close(if object.is_some() { b'}' } else { b']' })? {
            break;
        }
        if let Some(object) = object {
            object.end(lexer.at);
        }
        open.pop();
    }
    Ok(())
}

fn key<'a>(lexer: &mut Lexer<'a>) -> lexer::Result<Cow<'a, str>> {
    let start = lexer.at;
    lexer.skip()?;
    let key = string(&lexer.text[start..lexer.at]);
    lexer.colon()?;
    Ok(key)
}

/// The JSON, with the members of objects in order.
fn ordered(text: &str, objects: &[Object<'_>]) -> String {
    let mut out = String::with_capacity(text.len());
    // The pieces that are still to be added, from the last to the first.
    let mut pieces = vec![("", 0..text.len())];
    while let Some((before, piece)) = pieces.pop() {
        out.push_str(before);
        let mut at = piece.start;
        while at < piece.end {
            let rest = &text[at..piece.end];
            let length = match rest.as_bytes()[0] {
                b'{' => {
                    let object = objects.partition_point(|object| object.place.start < at);
                    let Object { place, members } = &objects[object];
                    out.push('{');
                    pieces.push(("}", place.end..piece.end));
                    pieces.extend(
                        members.iter().rev().map(|member| (&*member.key, member.start..member.end)),
                    );
                    break;
                }
                b'"' => token(rest, &mut out, string),
                b'-' | b'0'..=b'9' => token(rest, &mut out, number),
                _ => {
                    out.push_str(&rest[..1]);
                    1
                }
            };
            at += length;
        }
    }
    out
}

/// Adds the token at the start of the input. Returns its length.
fn token(text: &str, out: &mut String, canonical: fn(&str) -> Cow<'_, str>) -> usize {
    let mut lexer = Lexer::new(text);
    // It was skipped before.
    let length = if lexer.skip().is_ok() { lexer.at } else { text.len() };
    out.push_str(&canonical(&text[..length]));
    length
}

fn string(spelled: &str) -> Cow<'_, str> {
    if !spelled.as_bytes().contains(&b'\\') {
        return spelled.into();
    }
    match Lexer::new(spelled).string(STRING) {
        Ok(string) => String::from_utf8_lossy(&json::write(&View::Str(string))).into_owned().into(),
        Err(_) => spelled.into(),
    }
}

fn number(spelled: &str) -> Cow<'_, str> {
    Number::parse(spelled).map_or(spelled.into(), |number| number.to_string().into())
}
