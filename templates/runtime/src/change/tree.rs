//! JSON trees of typed values.

use super::ChangeError;
use crate::codec::View;
use crate::codec::schema::{Node, Shape};
use serde_json::{Map, Value};

/// The tree of a value, without members that are `null`, which means absent. Free JSON stays as it is.
pub(super) fn of(view: View<'_>, node: Node<'_>) -> Result<Value, ChangeError> {
    let mut tree = serde_json::to_value(view)
        .map_err(|error| ChangeError::at("", format!("the object has free JSON that cannot be compared: {error}")))?;
    drop_nulls(&mut tree, node);
    Ok(tree)
}

/// The tree of an object.
pub(super) fn object(view: View<'_>, node: Node<'_>) -> Result<Map<String, Value>, ChangeError> {
    match of(view, node)? {
        Value::Object(members) => Ok(members),
        _ => Err(ChangeError::at("", "not an object, which alone has members to change")),
    }
}

/// Removes known members that are `null`.
pub(super) fn drop_nulls(value: &mut Value, node: Node<'_>) {
    match (node.shape, value) {
        (Shape::Object(_), Value::Object(members)) => {
            let is_known = |key: &str| node.object().is_some_and(|object| object.members.contains_key(key));
            members.retain(|key, value| !(value.is_null() && is_known(key)));
            members.iter_mut().for_each(|(key, value)| drop_nulls(value, node.member(key)));
        }
        (Shape::Map(_), Value::Object(entries)) => {
            entries.iter_mut().for_each(|(key, value)| drop_nulls(value, node.member(key)));
        }
        (Shape::List(_), Value::Array(elements)) => {
            for value in elements {
                drop_nulls(value, node.element());
            }
        }
        _ => {}
    }
}

/// The resource version of an object, if it has one.
pub(super) fn version(object: &Map<String, Value>) -> Option<&Value> {
    let version = object.get("metadata")?.get("resourceVersion")?;
    version.as_str().filter(|version| !version.is_empty()).and(Some(version))
}

/// Whether an object in the value, but not in a list, has a member that is `null`.
pub(super) fn has_null_member(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.values().any(|value| value.is_null() || has_null_member(value)),
        _ => false,
    }
}
