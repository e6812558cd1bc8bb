//! The operations of JSON patches.

use super::ChangeError;
use crate::codec::{Value, View, json, presence};
use std::fmt;

/// A value that can be encoded as JSON: one of this crate's types, a string, or a
/// [`serde_json::Value`].
///
/// A type of your own becomes one with
/// [`RawJson::from_serialize`](crate::meta_v1::RawJson::from_serialize).
pub trait AsJson {
    /// Encodes the value.
    fn as_json(&self) -> Vec<u8>;

    /// The type of an object in it that a mask left members out of.
    #[doc(hidden)]
    fn masked(&self) -> Option<&'static str> {
        None
    }
}

impl<T: Value> AsJson for T {
    #[inline]
    fn as_json(&self) -> Vec<u8> {
        json::write(&self.view())
    }

    #[inline]
    fn masked(&self) -> Option<&'static str> {
        presence::masked_in(&self.view())
    }
}

impl AsJson for &str {
    #[inline]
    fn as_json(&self) -> Vec<u8> {
        json::write(&View::Str(self))
    }
}

impl AsJson for serde_json::Value {
    #[inline]
    fn as_json(&self) -> Vec<u8> {
        self.to_string().into_bytes()
    }
}

/// An operation of a JSON patch (RFC 6902).
///
/// Paths are JSON pointers: `/spec/containers/0/image`, with `~1` for a slash in a key and `~0` for
/// a tilde. `-` as the last part is the end of a list. `Debug` shows no values, which may be
/// secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct PatchOperation {
    op: &'static str,
    path: String,
    from: Option<String>,
    value: Option<Vec<u8>>,
    /// The type of an object in the value that a mask left members out of, so that the operation is
    /// refused.
    masked: Option<&'static str>,
}

/// Not generic, except for paths, so that no serializer is compiled in crates that patch.
impl PatchOperation {
    /// Sets a member, or inserts an element before the one with this index.
    #[must_use]
    #[inline]
    pub fn add(path: impl Into<String>, value: &dyn AsJson) -> Self {
        Self::with_value("add", path.into(), value)
    }

    /// Removes a member or an element.
    #[must_use]
    #[inline]
    pub fn remove(path: impl Into<String>) -> Self {
        Self::new("remove", path.into(), None, None)
    }

    /// Replaces a value, which must exist.
    #[must_use]
    #[inline]
    pub fn replace(path: impl Into<String>, value: &dyn AsJson) -> Self {
        Self::with_value("replace", path.into(), value)
    }

    /// Removes a value at one path and adds it at another.
    #[must_use]
    #[inline]
    pub fn move_from(from: impl Into<String>, path: impl Into<String>) -> Self {
        Self::new("move", path.into(), Some(from.into()), None)
    }

    /// Adds a copy of the value at another path.
    #[must_use]
    #[inline]
    pub fn copy_from(from: impl Into<String>, path: impl Into<String>) -> Self {
        Self::new("copy", path.into(), Some(from.into()), None)
    }

    /// Fails, and the whole patch with it, unless this is the value.
    #[must_use]
    #[inline]
    pub fn test(path: impl Into<String>, value: &dyn AsJson) -> Self {
        Self::with_value("test", path.into(), value)
    }

    #[inline]
    fn new(op: &'static str, path: String, from: Option<String>, value: Option<Vec<u8>>) -> Self {
        Self { op, path, from, value, masked: None }
    }

    #[inline]
    fn with_value(op: &'static str, path: String, value: &dyn AsJson) -> Self {
        Self { masked: value.masked(), ..Self::new(op, path, None, Some(value.as_json())) }
    }

    /// The type of an object in the value that a mask left members out of.
    #[inline]
    pub(crate) fn masked(&self) -> Option<&'static str> {
        self.masked
    }

    /// Parses a JSON patch: a list of operations.
    ///
    /// # Errors
    /// When it is not such a list. The error has the index of the operation.
    #[inline] // few need it
    pub fn parse_list(operations: &serde_json::Value) -> Result<Vec<Self>, ChangeError> {
        let Some(operations) = operations.as_array() else {
            return Err(ChangeError::new("", "a JSON patch is a list of operations"));
        };
        let mut parsed = Vec::new();
        for (index, operation) in operations.iter().enumerate() {
            parsed.push(
                Self::parse(operation)
                    .map_err(|why| ChangeError::new(format!("[{index}]"), why))?,
            );
        }
        Ok(parsed)
    }

    #[inline] // as `parse_list`
    fn parse(operation: &serde_json::Value) -> Result<Self, &'static str> {
        let text = |name: &str| operation.get(name).and_then(serde_json::Value::as_str);
        let op = OPERATIONS.iter().find(|op| text("op") == Some(op.0));
        let (op, needs_value, needs_from) =
            *op.ok_or("`op` is not an operation of a JSON patch")?;
        let path = text("path").ok_or("the operation has no `path`")?;
        let from = text("from").filter(|_| needs_from);
        let value = operation.get("value").filter(|_| needs_value);
        if needs_value && value.is_none() {
            return Err("the operation has no `value`");
        }
        if needs_from && from.is_none() {
            return Err("the operation has no `from`");
        }
        Ok(Self::new(op, path.to_owned(), from.map(str::to_owned), value.map(AsJson::as_json)))
    }

    /// Encodes the operation.
    #[inline]
    pub(crate) fn write(&self, text: &mut Vec<u8>) {
        text.extend_from_slice(b"{\"op\":");
        json::append(text, &View::Str(self.op));
        if let Some(from) = &self.from {
            text.extend_from_slice(b",\"from\":");
            json::append(text, &View::Str(from));
        }
        text.extend_from_slice(b",\"path\":");
        json::append(text, &View::Str(&self.path));
        if let Some(value) = &self.value {
            text.extend_from_slice(b",\"value\":");
            text.extend_from_slice(value);
        }
        text.push(b'}');
    }
}

/// The operations, and whether each needs a value and a second path.
const OPERATIONS: [(&str, bool, bool); 6] = [
    ("add", true, false),
    ("remove", false, false),
    ("replace", true, false),
    ("move", false, true),
    ("copy", false, true),
    ("test", true, false),
];

#[expect(clippy::missing_fields_in_debug, reason = "values may be secrets")]
impl fmt::Debug for PatchOperation {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatchOperation")
            .field("op", &self.op)
            .field("path", &self.path)
            .field("from", &self.from)
            .finish()
    }
}
