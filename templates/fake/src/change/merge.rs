//! Applies merge patches.

use serde_json::{Map, Value};

/// Applies a merge patch (RFC 7386): members replace the members of the same name, and `null`
/// removes them.
///
/// A patch that is not an object replaces the whole value, as in the RFC. Servers refuse such a
/// patch.
///
/// ```
/// use serde_json::json;
///
/// let mut value = json!({"a": 1, "b": 2});
/// kapigen_fake::change::apply_merge(&mut value, &json!({"a": null, "c": 3}));
/// assert_eq!(value, json!({"b": 2, "c": 3}));
/// ```
pub fn apply_merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        target.clone_from(patch);
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else { return };
    target.retain(|key, _| !patch.get(key).is_some_and(Value::is_null));
    for (key, value) in patch.iter().filter(|(_, value)| !value.is_null()) {
        apply_merge(target.entry(key).or_insert(Value::Null), value);
    }
}
