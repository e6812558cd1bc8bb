//! Response bodies that are not objects of a document: text, free JSON, and the results of deletes.

use super::{ANY, FromResponse, Head, error};
use crate::codec::json::{self, DecodeError};
use crate::codec::{Object, Target, Value};
use crate::meta_v1::{RawJson, Status};
use http::HeaderValue;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::fmt;

/// An undecoded response body: the log of a container, or the response of a server behind a proxy.
///
/// Logs are usually UTF-8, but nothing guarantees it. `Display` replaces other bytes, and `Debug`
/// shows only the length.
///
/// ```
/// use kapigen_runtime::{Response, Text, http};
///
/// let log = Response::<Text>::decode(&http::Response::new("ready\nlistening\n"))?.body;
/// assert_eq!(log.lines().collect::<Vec<_>>(), [b"ready".as_slice(), b"listening"]);
/// # Ok::<(), kapigen_runtime::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text(pub Vec<u8>);

impl Text {
    /// The bytes as a string. Bytes that are not UTF-8 are replaced.
    #[must_use]
    #[inline]
    pub fn to_str_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The lines, without their ends.
    #[inline]
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let text = self.0.strip_suffix(b"\n").unwrap_or(&self.0);
        let none = text.is_empty() && self.0.is_empty();
        let lines =
            text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        lines.take(if none { 0 } else { usize::MAX })
    }
}

impl fmt::Debug for Text {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.0.len())
    }
}

impl fmt::Display for Text {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_str_lossy())
    }
}

impl AsRef<[u8]> for Text {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl FromResponse for Text {
    #[inline]
    fn accept() -> HeaderValue {
        ANY
    }

    #[inline]
    fn from_response(_: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        Ok(Self(body.to_vec()))
    }
}

/// The response to a delete, for any response type in its document: the object or a `Status`.
///
/// ```
/// use kapigen_runtime::{AnyResource, Deleted};
///
/// /// A line for people.
/// fn describe<T: AnyResource>(deleted: &Deleted<T>) -> String {
///     match deleted {
///         Deleted::Object(object) => format!("{} waits for {:?}", object.name(), object.metadata().finalizers),
///         Deleted::Status(_) => "gone".to_owned(),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Deleted<T> {
    /// The object as it was, or as it is until its finalizers are removed and its grace period has
    /// ended.
    Object(Box<T>),
    /// The object is gone; `details` names it.
    Status(Box<Status>),
}

/// The response to the delete of a collection, for any type in its document: the list of the
/// objects or a `Status`.
#[derive(Clone, Debug, PartialEq)]
pub enum DeletedCollection<L> {
    /// The objects that were deleted.
    List(Box<L>),
    /// All objects are gone.
    Status(Box<Status>),
}

impl<T: Object + Value> FromResponse for Deleted<T> {
    fn from_response(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        Ok(match status(body) {
            Some(status) => Self::Status(status),
            None => Self::Object(Box::new(T::from_response(head, body)?)),
        })
    }
}

impl<L: Object + Value> FromResponse for DeletedCollection<L> {
    fn from_response(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        Ok(match status(body) {
            Some(status) => Self::Status(status),
            None => Self::List(Box::new(L::from_response(head, body)?)),
        })
    }
}

/// The body, if it is a `Status` and not one of a failure.
fn status(body: &[u8]) -> Option<Box<Status>> {
    error::status(body).filter(|status| status.status.as_deref() != Some("Failure"))
}

/// A response body of a type that serde deserializes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromResponse for Json<T> {
    #[inline]
    fn from_response(_: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        serde_json::from_slice(body).map(Self).map_err(DecodeError::custom)
    }
}

/// Any JSON, as its text.
impl FromResponse for RawJson {
    #[inline]
    fn from_response(_: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        let mut value = RawJson::empty();
        json::read(Target::Value(&mut value), body)?;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn bytes_that_are_no_characters_are_replaced() {
        let text = Text(b"a\xffb\n".to_vec());
        assert_eq!(
            (text.to_string(), format!("{text:?}")),
            ("a\u{fffd}b\n".to_owned(), "Text(4 bytes)".to_owned())
        );
    }

    #[test]
    fn lines_have_no_ends() {
        let lines = |text: &str| -> Vec<String> {
            let text = Text(text.as_bytes().to_vec());
            text.lines().map(|line| String::from_utf8_lossy(line).into_owned()).collect()
        };
        assert!(lines("").is_empty());
        assert_eq!(lines("\n"), [""]);
        assert_eq!(lines("a\nb"), ["a", "b"]);
        assert_eq!(lines("a\r\n\nb\n"), ["a", "", "b"]);
    }
}
