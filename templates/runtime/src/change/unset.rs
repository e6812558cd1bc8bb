//! Trees without the required members that are not set.

use super::kept::is_kept;
use super::tree;
use crate::codec::schema::{ListRule, Node, ObjectSchema, PatchRule, Schema, Shape};
use serde_json::{Map, Value};

/// Removes the required members that are not set from a tree, as [`Patch::apply`](crate::Patch::apply) does with a
/// typed object of a built-in kind.
///
/// ```
/// use kapigen_runtime::change::{Schema, drop_unset};
/// use kapigen_runtime::meta_v1::Condition;
///
/// let mut condition = serde_json::json!({"type": "Ready", "status": "True", "reason": "", "message": ""});
/// drop_unset(&mut condition, &Schema::of::<Condition>());
/// assert_eq!(condition, serde_json::json!({"type": "Ready", "status": "True"}));
/// ```
pub fn drop_unset(object: &mut Value, schema: &Schema) {
    tree::drop_nulls(object, schema.root());
    prune(schema.root(), object);
}

/// Removes required members that are empty, from the inside out.
fn prune(node: Node<'_>, value: &mut Value) {
    match (node.shape, value) {
        (Shape::Object(_), Value::Object(members)) => prune_object(node, members, &[]),
        (Shape::Map(_), Value::Object(entries)) => {
            entries.iter_mut().for_each(|(key, value)| prune(node.member(key), value));
        }
        (Shape::List(_), Value::Array(elements)) => {
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
    let Some(object) = node.object() else { return };
    members.retain(|key, value| {
        prune(node.member(key), value);
        keys.contains(&key.as_str()) || !is_left_out(object, key, value)
    });
}

fn is_left_out(object: &ObjectSchema, key: &str, value: &Value) -> bool {
    let empty = object.members.get(key).and_then(|member| member.empty.as_ref());
    let is_empty = match value {
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(_) => empty == Some(value),
        _ => false,
    };
    is_empty && empty.is_some() && !is_kept(&object.name, key)
}

/// The members that identify the elements of a list.
fn merge_keys<'a>(node: Node<'a>) -> Vec<&'a str> {
    let mut keys: Vec<&'a str> = match &node.merge.list {
        ListRule::Map(keys) => keys.iter().map(|(key, _)| &**key).collect(),
        _ => Vec::new(),
    };
    if let PatchRule::MergeBy(key) = &node.merge.patch {
        keys.push(key);
    }
    keys
}
