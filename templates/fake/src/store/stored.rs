//! Objects as JSON, which takes a fraction of the memory of a tree.

use crate::encode::encode;
use crate::object::is_terminating;
use crate::select::Terms;
use bytes::Bytes;
use serde_json::Value;
use std::sync::LazyLock;

#[cfg(test)]
thread_local! {
    /// The number of objects that were parsed.
    pub(crate) static PARSED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The order in which the members of objects are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// The one in which they were written.
    #[default]
    Kept,
    /// By their names.
    Sorted,
}

/// An object as JSON.
#[derive(Debug)]
pub(crate) struct Stored {
    /// Made on demand.
    json: LazyLock<Bytes, Box<dyn FnOnce() -> Bytes + Send>>,
    is_terminating: bool,
    terms: Terms,
}

fn encoded(object: &Value, order: Order) -> Bytes {
    let json = match order {
        Order::Kept => encode(object),
        Order::Sorted => {
            let mut object = object.clone();
            object.sort_all_objects();
            encode(&object)
        }
    };
    json.into_boxed_slice().into()
}

fn parsed(json: &[u8]) -> Value {
    #[cfg(test)]
    PARSED.with(|parsed| parsed.set(parsed.get() + 1));
    serde_json::from_slice(json).unwrap_or_default()
}

impl Stored {
    pub(super) fn new(object: &Value, terms: Terms, order: Order) -> Self {
        let json = encoded(object, order);
        let is_terminating = is_terminating(object);
        let json: LazyLock<_, Box<dyn FnOnce() -> Bytes + Send>> =
            LazyLock::new(Box::new(move || json));
        LazyLock::force(&json);
        Self { json, is_terminating, terms }
    }

    /// An object that is completed when it is first read. Until then it is kept as JSON, too.
    pub(super) fn unfinished(
        object: &Value,
        terms: Terms,
        order: Order,
        finish: impl FnOnce(Value) -> Value + Send + 'static,
    ) -> Self {
        let json = encoded(object, Order::Kept);
        let is_terminating = is_terminating(object);
        let json: LazyLock<_, Box<dyn FnOnce() -> Bytes + Send>> =
            LazyLock::new(Box::new(move || encoded(&finish(parsed(&json)), order)));
        Self { json, is_terminating, terms }
    }

    pub(crate) fn json(&self) -> &Bytes {
        &self.json
    }

    /// Whether it is marked as deleted.
    pub(crate) fn is_terminating(&self) -> bool {
        self.is_terminating
    }

    /// Whether it has owners, and is garbage without them.
    pub(crate) fn has_owners(&self) -> bool {
        self.terms.has_owners()
    }

    /// The labels and fields by which it can be selected, and its owners.
    pub(crate) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The object as a tree. It is never too deep to be parsed, see
    /// [`is_too_deep`](crate::object::is_too_deep).
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
