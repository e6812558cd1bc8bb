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

#[cfg(test)]
mod tests {
    use super::{Json, Query, Value};

    fn text(pairs: &[(&'static str, &dyn Value)]) -> String {
        let mut query = Query::default();
        for (name, value) in pairs {
            query.add(name, *value);
        }
        let mut text = String::new();
        query.write(&mut text);
        text
    }

    #[test]
    fn values_are_written_by_their_type() {
        let words = vec!["ls".to_owned(), "-l".to_owned()];
        assert_eq!(text(&[("a", &true), ("b", &Some(-7_i64)), ("c", &words)]), "?a=true&b=-7&c=ls&c=-l");
        assert_eq!(text(&[("a", &String::new()), ("b", &"x y+z&ü/~".to_owned())]), "?a=&b=x%20y%2Bz%26%C3%BC%2F~");
    }

    #[test]
    fn what_is_not_set_is_not_written() {
        assert_eq!(text(&[]), "");
        assert_eq!(text(&[("a", &None::<String>), ("b", &Vec::<i64>::new())]), "");
        assert_eq!(text(&[("a", &None::<bool>), ("b", &1_i32), ("c", &None::<i64>)]), "?b=1");
    }

    #[test]
    fn a_value_replaces_the_one_before() {
        assert_eq!(text(&[("a", &1_i64), ("b", &2_i64), ("a", &vec![3_i64, 4])]), "?b=2&a=3&a=4");
    }

    #[test]
    fn what_is_taken_is_no_longer_there() {
        let mut query = Query::default();
        query.set("a", 1);
        assert_eq!(query.get("a"), Some(&Json::from(1)));
        assert_eq!((query.take("a"), query.take("a"), query.get("a")), (Some(1.into()), None, None));
    }
}
