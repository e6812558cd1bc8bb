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
    codec::other_identity(wanted, &stated("apiVersion"), &stated("kind")).map(DecodeError::new)
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

#[cfg(test)]
mod tests {
    use super::{DecodeError, from_slice, from_str, to_vec};
    use crate::meta_v1::{ListMeta, Status};

    fn fault<T: super::Value + std::fmt::Debug>(text: &str) -> DecodeError {
        from_str::<T>(text).unwrap_err()
    }

    #[test]
    fn values_are_read_and_written() {
        let text = br#"{"continue":"a","remainingItemCount":7}"#;
        let read: ListMeta = from_slice(text).unwrap();
        assert_eq!((read.continue_.as_deref(), read.remaining_item_count), (Some("a"), Some(7)));
        assert_eq!(to_vec(&read), text);
        assert_eq!(from_str::<Vec<i64>>(" [1, 2]\n"), Ok(vec![1, 2]));
    }

    #[test]
    fn errors_tell_path_and_place() {
        let error = fault::<ListMeta>("{\n  \"continue\": 5}");
        assert_eq!(error.message(), "continue: invalid type: integer `5`, expected a string");
        assert_eq!((error.line(), error.column()), (2, 15));
        assert_eq!(error.to_string(), format!("{} at line 2 column 15", error.message()));
        assert_eq!(fault::<ListMeta>("{} {}").to_string(), "trailing characters at line 1 column 4");
        assert_eq!(fault::<ListMeta>("").to_string(), "EOF while parsing a value at line 1 column 0");
    }

    #[test]
    fn a_message_that_quotes_a_place_is_kept_whole() {
        let error = fault::<Vec<i64>>(r#"["x at line 7 column 8"]"#);
        assert_eq!(error.message(), r#"[0]: invalid type: string "x at line 7 column 8", expected i64"#);
        assert_eq!((error.line(), error.column()), (1, 23));
        let custom: serde_json::Error = serde::de::Error::custom("told at line 7 column 8");
        let error = DecodeError::from(custom);
        assert_eq!((error.message(), error.line(), error.column()), ("told", 7, 8));
    }

    #[test]
    fn an_object_of_another_kind_is_told_by_its_kind() {
        let error = fault::<Status>(r#"{"status":{"phase":"Running"},"kind":"Pod","apiVersion":"v1"}"#);
        assert_eq!(error.to_string(), "expected kind `Status` of `v1`, found kind `Pod` of `v1`");
        // What cannot be read to its end, or tells no kind, is told by the place.
        let error = fault::<Status>(r#"{"kind":"Pod","status":{"phase":"#);
        assert!(error.message().starts_with("status: invalid type: map"), "{error}");
        let error = fault::<Status>(r#"{"kind":5}"#);
        assert!(error.message().starts_with("kind: invalid type: integer `5`"), "{error}");
    }
}
