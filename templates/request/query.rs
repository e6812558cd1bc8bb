//! The query of a request.

use crate::codec::{Value, View};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::fmt::Write;

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Parameters that go into the query of a request.
pub trait Params {
    /// Adds what is set.
    fn add_to(&self, query: &mut Query);
}

/// Names and values, in the order in which they are sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Booleans, numbers, strings, and lists of them. They keep their type, because some move into a body.
    pairs: Vec<(&'static str, Json)>,
}

impl Query {
    /// Adds a parameter if it is set: booleans as `true` and `false`, numbers in base ten, a list as one pair for each
    /// element. A value that was added before under this name is replaced.
    pub fn add(&mut self, name: &'static str, value: &dyn Value) {
        if let Some(value) = json(&value.view()) {
            self.set(name, value);
        }
    }

    /// Gives a parameter a value, whether it had one or not.
    pub(super) fn set(&mut self, name: &'static str, value: impl Into<Json>) {
        self.take(name);
        self.pairs.push((name, value.into()));
    }

    /// Removes a parameter and returns its value.
    pub(super) fn take(&mut self, name: &str) -> Option<Json> {
        let index = self.pairs.iter().position(|(key, _)| *key == name)?;
        Some(self.pairs.remove(index).1)
    }

    /// The value of a parameter.
    pub(super) fn get(&self, name: &str) -> Option<&Json> {
        self.pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Writes the query behind a path, with its question mark.
    pub(super) fn write(&self, target: &mut String) {
        let mut separator = '?';
        for (name, value) in &self.pairs {
            let values = match value {
                Json::Array(values) => values.as_slice(),
                value => std::slice::from_ref(value),
            };
            for value in values {
                let (name, value) = (utf8_percent_encode(name, RESERVED), text(value));
                let value = utf8_percent_encode(&value, RESERVED);
                write!(target, "{separator}{name}={value}").expect("a string takes everything");
                separator = '&';
            }
        }
    }
}

/// Nothing for what is not set, and nothing else fits a query.
fn json(view: &View<'_>) -> Option<Json> {
    Some(match view {
        View::Bool(value) => (*value).into(),
        View::Int(value) => (*value).into(),
        View::Double(value) => (*value).into(),
        View::Str(value) => (*value).into(),
        View::Text(value) => value.to_string().into(),
        View::List(list) if list.count() > 0 => {
            (0..list.count()).filter_map(|index| json(&list.element(index))).collect()
        }
        View::Absent | View::Null | View::Raw(_) | View::Object(_) | View::List(_) | View::Map(_) => return None,
    })
}

fn text(value: &Json) -> Cow<'_, str> {
    match value {
        Json::String(text) => text.into(),
        value => value.to_string().into(),
    }
}
