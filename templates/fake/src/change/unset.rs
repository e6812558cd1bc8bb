//! Trees without the required members that are not set.

use crate::schema::{ListType, Node, PatchRule, Scalar, Schema, Shape};
use serde_json::{Map, Value};

/// Removes the required members that are not set from a tree, as
/// [`Patch::apply`](kapigen_runtime::Patch::apply) does with a typed object of a built-in kind.
///
/// ```
/// use kapigen_fake::change::{Schema, drop_unset};
/// use serde_json::json;
///
/// let text = json!({"type": "string"});
/// let condition = json!({"required": ["status", "type"], "properties": {"status": text, "type": text}});
/// let document = json!({"components": {"schemas": {"Condition": condition}}});
/// let mut condition = json!({"type": "Ready", "status": ""});
/// drop_unset(&mut condition, &Schema::from_document(&document, "Condition").unwrap());
/// assert_eq!(condition, json!({"type": "Ready"}));
/// ```
pub fn drop_unset(object: &mut Value, schema: &Schema) {
    drop_nulls(schema.root(), object);
    prune(schema.root(), object);
}

/// Removes known members that are `null`.
fn drop_nulls(node: Node<'_>, value: &mut Value) {
    match (node.shape(), value) {
        (Shape::Struct { .. }, Value::Object(members)) => {
            members.retain(|key, value| !value.is_null() || node.known(key).is_none());
            members.iter_mut().for_each(|(key, value)| drop_nulls(node.member(key), value));
        }
        (Shape::Map(entry), Value::Object(entries)) => {
            entries.values_mut().for_each(|value| drop_nulls(node.at(*entry), value));
        }
        (Shape::List(..), Value::Array(elements)) => {
            for value in elements {
                drop_nulls(node.element(), value);
            }
        }
        _ => {}
    }
}

/// Removes required members that are empty, from the inside out.
fn prune(node: Node<'_>, value: &mut Value) {
    match (node.shape(), value) {
        (Shape::Struct { .. }, Value::Object(members)) => prune_object(node, members, &[]),
        (Shape::Map(entry), Value::Object(entries)) => {
            entries.values_mut().for_each(|value| prune(node.at(*entry), value));
        }
        (Shape::List(..), Value::Array(elements)) => {
            let keys = merge_keys(node);
            for element in elements {
                match element {
                    Value::Object(members) => prune_object(node.element(), members, &keys),
                    element => prune(node.element(), element),
                }
            }
        }
        _ => {}
    }
}

/// Members with these keys stay.
fn prune_object(node: Node<'_>, members: &mut Map<String, Value>, keys: &[&str]) {
    members.retain(|key, value| {
        prune(node.member(key), value);
        keys.contains(&key.as_str()) || !is_left_out(node, key, value)
    });
}

fn is_left_out(node: Node<'_>, key: &str, value: &Value) -> bool {
    let is_empty = match (value, node.member(key).shape()) {
        (Value::Array(elements), _) => elements.is_empty(),
        (Value::Object(members), Shape::Struct { .. }) => {
            let inner = node.member(key);
            members.iter().all(|(key, value)| is_unset_number(inner, key, value))
        }
        (Value::Object(members), _) => members.is_empty(),
        (Value::String(text), Shape::Scalar(Scalar::Quantity)) => text == "0",
        (Value::String(text), Shape::Scalar(Scalar::String | Scalar::Bytes)) => text.is_empty(),
        _ => false,
    };
    let is_required =
        node.required().iter().any(|name| name == key) || key == "metadata" && is_kind(node);
    is_empty && is_required
}

/// Whether a member is a required number or boolean that is not set unless its object is.
fn is_unset_number(node: Node<'_>, key: &str, value: &Value) -> bool {
    let is_empty = *value == false || value.as_f64() == Some(0.0);
    is_empty && node.required().iter().any(|name| name == key)
}

/// Whether the schema is that of a kind, which always has metadata.
fn is_kind(node: Node<'_>) -> bool {
    ["apiVersion", "kind"].iter().all(|name| node.known(name).is_some())
}

/// The members that identify the elements of a list.
fn merge_keys(node: Node<'_>) -> Vec<&str> {
    let several: &[String] = if let ListType::Map(keys) = node.list_type() { keys } else { &[] };
    let one = if let PatchRule::MergeBy(key) = node.patch_rule() { Some(key) } else { None };
    several.iter().chain(one).map(String::as_str).collect()
}
