//! Responses to deletes.

use super::{FromResponse, Head, api_error};
use crate::codec::json::DecodeError;
use crate::codec::{Object, Value};
use crate::meta_v1::Status;

/// The response to a delete, for any response type in its document: the object or a `Status`.
///
/// ```
/// use kapigen_runtime::{Deleted, Resource};
///
/// /// A line for people.
/// fn describe<T: Resource>(deleted: &Deleted<T>) -> String {
///     match deleted {
///         Deleted::Object(object) => format!("{} waits for {:?}", object.name(), object.metadata().finalizers),
///         Deleted::Status(_) => "gone".to_owned(),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Deleted<T> {
    /// The object as it was, or as it is until its finalizers are removed and its grace period has ended.
    Object(Box<T>),
    /// The object is gone; `details` names it.
    Status(Box<Status>),
}

/// The response to the delete of a collection, for any type in its document: the list of the objects or a `Status`.
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
    api_error::status(body).filter(|status| status.status.as_deref() != Some("Failure"))
}
