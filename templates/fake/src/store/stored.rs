//! An object as the store has it.

use crate::object::{encode, is_terminating};
use crate::select::Terms;
use crate::tree;
use bytes::Bytes;
use serde_json::Value;

/// An object as JSON, which takes a fraction of the memory of a tree.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    json: Bytes,
    is_terminating: bool,
    terms: Terms,
}

impl Stored {
    pub(super) fn new(object: &Value, terms: Terms) -> Self {
        let json = encode(object).into_boxed_slice().into();
        Self { json, is_terminating: is_terminating(object), terms }
    }

    pub(crate) fn json(&self) -> &Bytes {
        &self.json
    }

    /// Whether it waits for its end.
    pub(crate) fn is_terminating(&self) -> bool {
        self.is_terminating
    }

    /// The labels and fields by which it can be selected.
    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The object as a tree. It is never deeper than what can be parsed, see [`is_too_deep`](crate::object::is_too_deep).
    pub(crate) fn tree(&self) -> Value {
        #[cfg(test)]
        super::PARSED.with(|parsed| parsed.set(parsed.get() + 1));
        tree::from_json(&self.json).unwrap_or_default().tree
    }
}
