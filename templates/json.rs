//! JSON text to values and back.

use crate::codec::{self, Slot, Table, Value, View};
use crate::meta_v1::RawJson;
use std::collections::BTreeMap;
use std::fmt;

/// Why JSON text is not the value that it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    message: String,
    line: usize,
    column: usize,
}

impl DecodeError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), line: 0, column: 0 }
    }

    /// What is wrong, with the path of the value in front, such as `spec.containers[3].image: invalid type: …`.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Line of the text where reading stopped, from 1. 0 when the text as a whole is wrong.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Column in that line, in bytes, from 1. 0 when the text as a whole is wrong.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }
}

/// Reads a value from JSON text in UTF-8. Nothing but white space may follow it.
///
/// `serde_json::from_slice` reads the same; this is compiled once for all types, and its error tells the path.
///
/// # Errors
/// When the text is not JSON, or not such a value.
pub fn from_slice<T: Value>(text: &[u8]) -> Result<T, DecodeError> {
    let mut value = T::empty();
    read(value.slot(), text)?;
    Ok(value)
}

/// Reads a value from JSON text.
///
/// # Errors
/// As [`from_slice`].
pub fn from_str<T: Value>(text: &str) -> Result<T, DecodeError> {
    from_slice(text.as_bytes())
}

/// Writes a value as JSON text, without white space.
#[must_use]
pub fn to_vec<T: Value>(value: &T) -> Vec<u8> {
    write(&value.view())
}

/// Not generic, so that the decoder is compiled here and not in every crate that uses this one.
pub(crate) fn read(slot: Slot<'_>, text: &[u8]) -> Result<(), DecodeError> {
    let table = match &slot {
        Slot::Object(object) => Some(object.table()),
        _ => None,
    };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let done = codec::read_slot(slot, &mut deserializer).and_then(|()| deserializer.end());
    done.map_err(|error| table.and_then(|table| other_kind(table, text)).unwrap_or_else(|| error.into()))
}

/// Says so if the text states that it is an object of another kind: such a text fails at the first member that differs,
/// and what that member should have been helps nobody.
fn other_kind(wanted: &Table, text: &[u8]) -> Option<DecodeError> {
    let mut members = BTreeMap::<String, RawJson>::new();
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    codec::read_slot(members.slot(), &mut deserializer).ok()?;
    let stated = |key| members.get(key).and_then(|value| value.decode::<String>().ok()).unwrap_or_default();
    let (api_version, kind) = (stated("apiVersion"), stated("kind"));
    let other = |stated: &str, wanted: &str| !stated.is_empty() && stated != wanted;
    let differs = |wanted: &codec::Identity| other(&api_version, wanted.api_version) || other(&kind, wanted.kind);
    let first = wanted.identities.first().filter(|_| wanted.identities.iter().all(differs))?;
    Some(DecodeError::new(format!(
        "expected apiVersion `{}` and kind `{}`, found apiVersion `{api_version}` and kind `{kind}`",
        first.api_version, first.kind
    )))
}

/// Not generic, for the same reason.
pub(crate) fn write(view: &View<'_>) -> Vec<u8> {
    serde_json::to_vec(view).expect("no value of this crate has a key that is not a string, and memory does not fail")
}

impl From<serde_json::Error> for DecodeError {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let mut message = error.to_string();
        // The message may quote anything, but the place is at its end, if there is one.
        if let Some(rest) = message.strip_suffix(&format!(" at line {line} column {column}")) {
            message.truncate(rest.len());
        }
        Self { message, line, column }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match (self.line, self.column) {
            (0, _) => Ok(()),
            (line, column) => write!(f, " at line {line} column {column}"),
        }
    }
}

impl std::error::Error for DecodeError {}
