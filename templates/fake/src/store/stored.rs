//! An object as the store has it.

use crate::object::{encode, is_terminating};
use crate::select::Terms;
use bytes::Bytes;
use serde_json::Value;
use std::sync::LazyLock;

/// An object as JSON, which takes a fraction of the memory of a tree.
#[derive(Debug)]
pub(crate) struct Stored {
    /// Made when somebody wants to see it.
    json: LazyLock<Bytes, Box<dyn FnOnce() -> Bytes + Send>>,
    is_terminating: bool,
    terms: Terms,
}

fn encoded(object: &Value) -> Bytes {
    encode(object).into_boxed_slice().into()
}

fn parsed(json: &[u8]) -> Value {
    #[cfg(test)]
    super::PARSED.with(|parsed| parsed.set(parsed.get() + 1));
    serde_json::from_slice(json).unwrap_or_default()
}

impl Stored {
    pub(super) fn new(object: &Value, terms: Terms) -> Self {
        let json = encoded(object);
        let is_terminating = is_terminating(object);
        let json: LazyLock<_, Box<dyn FnOnce() -> Bytes + Send>> = LazyLock::new(Box::new(move || json));
        LazyLock::force(&json);
        Self { json, is_terminating, terms }
    }

    /// An object that is finished when it is first seen. Until then it is kept as JSON, too.
    pub(super) fn unfinished(
        object: &Value,
        terms: Terms,
        finish: impl FnOnce(Value) -> Value + Send + 'static,
    ) -> Self {
        let json = encoded(object);
        let is_terminating = is_terminating(object);
        Self { json: LazyLock::new(Box::new(move || encoded(&finish(parsed(&json))))), is_terminating, terms }
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
        parsed(&self.json)
    }
}

#[cfg(test)]
impl PartialEq for Stored {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}
