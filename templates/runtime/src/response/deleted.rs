//! Answers to deletes.

use super::{Answer, Head, api_error};
use crate::codec::json::DecodeError;
use crate::codec::{Object, Value};
use crate::meta_v1::Status;

/// What a server answers to a delete, whatever its document says: the object or a `Status`.
#[derive(Clone, Debug, PartialEq)]
pub enum Deleted<T> {
    /// The object as it was, or as it is until its finalizers and its grace period have come to an end.
    Object(Box<T>),
    /// It is gone; `details` tells which one it was.
    Status(Box<Status>),
}

/// What a server answers to the delete of a collection, whatever its document says: the list of what was deleted, or
/// a `Status`.
#[derive(Clone, Debug, PartialEq)]
pub enum DeletedCollection<L> {
    /// What was deleted.
    List(Box<L>),
    /// That all is gone.
    Status(Box<Status>),
}

impl<T: Object + Value> Answer for Deleted<T> {
    fn decode(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        Ok(match status(body) {
            Some(status) => Self::Status(status),
            None => Self::Object(Box::new(T::decode(head, body)?)),
        })
    }
}

impl<L: Object + Value> Answer for DeletedCollection<L> {
    fn decode(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        Ok(match status(body) {
            Some(status) => Self::Status(status),
            None => Self::List(Box::new(L::decode(head, body)?)),
        })
    }
}

/// The body, if it is a `Status` and not one that tells a failure.
fn status(body: &[u8]) -> Option<Box<Status>> {
    api_error::status(body).filter(|status| status.status.as_deref() != Some("Failure"))
}
