//! The differences of two JSON values.

use serde_json::Value;
use std::fmt;

/// A difference of a value from the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The way to it, as the errors of the codec write it: `spec.containers[0].env[2].value`.
    pub path: String,
    /// The expected value. None: it should be absent.
    pub expected: Option<Value>,
    /// The actual value. None: it is absent.
    pub found: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "(root)" } else { &self.path };
        write!(
            f,
            "{path}: expected {}, found {}",
            shown(self.expected.as_ref()),
            shown(self.found.as_ref())
        )
    }
}

/// Long values are cut: whole objects make a message unreadable.
fn shown(value: Option<&Value>) -> String {
    const LONGEST: usize = 120;
    let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text,
    }
}

/// All differences, in the order of the expected value. The order of members does not count.
#[must_use]
pub fn differences(expected: &Value, found: &Value) -> Vec<Difference> {
    let mut all = Vec::new();
    walk(String::new(), Some(expected), Some(found), &mut all);
    all
}

fn walk(path: String, expected: Option<&Value>, found: Option<&Value>, all: &mut Vec<Difference>) {
    match (expected, found) {
        (Some(Value::Object(expected)), Some(Value::Object(found))) => {
            for (key, value) in expected {
                walk(step(&path, key), Some(value), found.get(key), all);
            }
            for (key, value) in found.iter().filter(|(key, _)| !expected.contains_key(*key)) {
                walk(step(&path, key), None, Some(value), all);
            }
        }
        (Some(Value::Array(expected)), Some(Value::Array(found))) => {
            for index in 0..expected.len().max(found.len()) {
                walk(format!("{path}[{index}]"), expected.get(index), found.get(index), all);
            }
        }
        (expected, found) if expected == found => {}
        (expected, found) => {
            all.push(Difference { path, expected: expected.cloned(), found: found.cloned() });
        }
    }
}

/// The path of a member.
fn step(path: &str, key: &str) -> String {
    let plain =
        !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b"_$-".contains(&b));
    match (plain, path.is_empty()) {
        (true, true) => key.to_owned(),
        (true, false) => format!("{path}.{key}"),
        (false, _) => format!("{path}[{key:?}]"),
    }
}
