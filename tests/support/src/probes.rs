//! Recorded objects with one change each, and the lines of recordings.

use crate::places;
use serde_json::Value;

/// The lines of a file of the data, each of which is JSON.
///
/// # Panics
/// When it cannot be read, or a line is not JSON.
#[must_use]
pub fn lines(path: &str) -> Vec<Value> {
    let text = places::text(&places::data(path));
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// An object with the one change of a recorded probe.
///
/// # Panics
/// When the object has no value at the pointer of the probe.
#[must_use]
pub fn changed(object: &Value, probe: &Value) -> Value {
    let mut object = object.clone();
    let at = probe["at"].as_str().expect("a pointer");
    let (parent, name) = at.rsplit_once('/').unwrap_or(("", ""));
    let with = probe.get("with").cloned().unwrap_or_default();
    match probe["op"].as_str().expect("an operation") {
        "value" => *object.pointer_mut(at).expect("a value") = with,
        "add" => {
            let place = object.pointer_mut(at).and_then(Value::as_object_mut).expect("an object");
            place.insert(with[0].as_str().expect("a name").to_owned(), with[1].clone());
        }
        _ => match object.pointer_mut(parent).expect("a parent") {
            Value::Array(elements) => _ = elements.remove(name.parse().expect("an index")),
            parent => _ = parent.as_object_mut().expect("an object").shift_remove(name),
        },
    }
    object
}
