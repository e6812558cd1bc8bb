//! Events, the common interface of the readers of YAML and JSON.

use serde_json::{Number, Value};
use std::borrow::Cow;

/// The byte order mark that some editors write. It is not part of the content.
pub(crate) const BOM: char = '\u{feff}';

/// A part of a document. Keys are strings, and aliases are unfolded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event<'a> {
    /// The beginning of a document.
    Document,
    Null,
    Bool(bool),
    Number(Number),
    String(Cow<'a, str>),
    /// The beginning of an array.
    Array,
    /// The beginning of an object.
    Object,
    /// The key of the value that follows.
    Key(Cow<'a, str>),
    /// In place of a key: the entries of the mapping that follows, or of a list of mappings, belong
    /// to this object.
    Merge,
    /// The end of the innermost array or object.
    End,
}

impl Event<'_> {
    /// The value of an event that is a scalar.
    pub(crate) fn into_scalar(self) -> Option<Value> {
        match self {
            Self::Null => Some(Value::Null),
            Self::Bool(value) => Some(Value::Bool(value)),
            Self::Number(number) => Some(Value::Number(number)),
            Self::String(text) => Some(Value::String(text.into_owned())),
            Self::Document
            | Self::Array
            | Self::Object
            | Self::Key(_)
            | Self::Merge
            | Self::End => None,
        }
    }
}
