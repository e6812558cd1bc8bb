use crate::codec::json::{self, DecodeError};
use crate::codec::serde::raw;
use crate::codec::{Slot, Value, View, debug};
use crate::lexer::compact;
use canonical::canonical;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

mod canonical;

/// Any JSON, kept as a string.
///
/// Stands for schemas that say nothing of their type. It costs one string, however deep the value is; look into it
/// with [`decode`](Self::decode) or [`to_value`](Self::to_value).
///
/// The text is always one valid JSON value without white space around its parts. All else is as it was read: the
/// spelling of numbers and strings, the order of members, and members that occur twice. The default is `null`.
///
/// Two of them are equal if their JSON values are: the order of members does not count, of repeated members the last
/// one does, numbers are compared by their amount (`1.0` is `1`, `1e3` is `1000`), strings by their characters. To
/// compare the spelling, compare [`as_str`](Self::as_str).
///
/// `Debug` shows only the length, since any JSON may be a `Secret`; `Display` and [`as_str`](Self::as_str) have it all.
///
/// With `serde_json` the text is read and written as it is. With every other format it is transcoded: then numbers
/// are those the format has, and text that only JSON can hold, such as `1e400`, is an error.
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

/// The set of fields that a manager owns: an object with members such as `f:spec`, `k:{"name":"x"}` and `.`.
///
/// Stands for the schema `io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1`.
pub type FieldsV1 = RawJson;

/// The text of a value: the empty string is `null`.
pub(crate) fn spelled(text: &str) -> &str {
    if text.is_empty() { "null" } else { text }
}

/// Whether two texts are the same value.
pub(crate) fn is_same_json(text: &str, other: &str) -> bool {
    let (text, other) = (spelled(text), spelled(other));
    text == other || canonical(text) == canonical(other)
}

impl RawJson {
    /// The value with this text, which is valid and compact.
    pub(crate) fn of(text: String) -> Self {
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
    /// When `serde_json`'s tree cannot hold it: a number such as `1e400`, more than 128 levels, half a surrogate pair.
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

#[cfg(test)]
mod tests;
