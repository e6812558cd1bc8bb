//! Requests after their first phase: what is left to write, and the response.

use super::Outcome;
use crate::key::Key;
use crate::store::Stored;
use serde_json::Value;
use std::sync::Arc;

/// A request after reading, merging and checking.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The writes that are left to do, each to an object of its own.
    pub(super) candidates: Vec<Candidate>,
    pub(super) response: Response,
}

/// The prepared write of an object.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(super) key: Key,
    /// The stored object that it was made from. `None` if it is new.
    pub(super) found: Option<Arc<Stored>>,
    pub(super) object: Value,
    /// The bytes of the defaults that it was given.
    pub(super) filled: usize,
    pub(super) effect: Effect,
}

/// The effect of a write on the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing changes.
    Nothing,
    Store,
    Remove,
    /// Removes the object, and returns it with the version of the removal.
    RemoveAsOfNow,
    /// Stores the object, marked as deleted, and removes it.
    StoreAndRemove,
    /// Deletes a definition at this time. It may wait for the objects of its kinds.
    EndDefinition(String),
}

/// The response to a request once all is written.
#[derive(Debug)]
pub(super) enum Response {
    /// The object of the last candidate, with a status code.
    Object(u16),
    /// The scale of that object.
    Scale,
    /// A response that does not depend on the writes.
    Ready(Outcome),
}

impl Prepared {
    pub(super) fn ready(outcome: Outcome) -> Self {
        Self { candidates: Vec::new(), response: Response::Ready(outcome) }
    }

    pub(super) fn write(candidate: Candidate, response: Response) -> Self {
        Self { candidates: vec![candidate], response }
    }
}
