//! Merges a configuration into an object, and removes the fields that its manager applied before.

use super::fields::{fields_of, is_granular, part_of, parts, with_known};
use crate::schema::Node;
use kapigen_definitions::schema_keywords::ListType;
use kapigen_runtime::change::{FieldPart, FieldSet, list_order};
use serde_json::Value;

/// The object with the members of a configuration. `null` removes nothing from objects and lists
/// that are merged.
pub(super) fn merged(live: &Value, configuration: &Value, node: Node<'_>) -> Value {
    match (live, configuration) {
        (Value::Object(old), Value::Object(new)) if !node.is_atomic() => {
            let mut all = old.clone();
            for (key, new) in new {
                let old = old.get(key).unwrap_or(&Value::Null);
                all.insert(key.clone(), merged(old, new, node.member(key)));
            }
            Value::Object(all)
        }
        (Value::Array(old), Value::Array(new)) if node.list_type() != ListType::Atomic => {
            Value::Array(merged_list(old, new, node))
        }
        (live, Value::Null) if is_granular(live, node) => live.clone(),
        _ => configuration.clone(),
    }
}

fn merged_list(old: &[Value], new: &[Value], node: Node<'_>) -> Vec<Value> {
    let pairs = list_order::merged(&parts(old, node), &parts(new, node));
    let elements = pairs.into_iter().filter_map(|pair| match pair {
        (Some(at), Some(with)) => Some(merged(&old[at], &new[with], node.element())),
        (Some(at), None) => old.get(at).cloned(),
        (None, with) => new.get(with?).cloned(),
    });
    elements.collect()
}

/// Removes the fields that a manager owned before, unless it or others still own them, or they have
/// content that the manager never owned.
pub(super) fn prune<'a>(
    object: &mut Value,
    node: Node<'_>,
    former: &FieldSet,
    own: &FieldSet,
    others: impl Iterator<Item = &'a FieldSet>,
) {
    if former.is_subset(own) {
        return;
    }
    let former = with_known(former.clone(), node);
    let all = with_known(fields_of(object, node), node);
    let owned = with_known(others.fold(own.clone(), |owned, other| owned.union(other)), node);
    // An unowned field is removed together with its parent, but only if the manager owned it
    // before.
    let kept = fields_without(object, &former, node).union(&owned);
    let kept = fields_without(object, &all.difference(&kept), node);
    remove(object, &all.difference(&kept).intersection(&former), node);
}

/// The fields of an object from which some are removed.
fn fields_without(object: &Value, removed: &FieldSet, node: Node<'_>) -> FieldSet {
    let mut rest = object.clone();
    remove(&mut rest, removed, node);
    with_known(fields_of(&rest, node), node)
}

/// Removes fields from a value. Objects and lists that lose all of their content stay, empty.
fn remove(value: &mut Value, fields: &FieldSet, node: Node<'_>) {
    match value {
        Value::Object(members) if node.is_atomic() => members.clear(),
        Value::Object(members) => members.retain(|name, value| {
            let below = fields.children.get(&FieldPart::Field(name.clone()));
            stays_without(value, below, node.member(name))
        }),
        Value::Array(elements) if node.list_type() == ListType::Atomic => elements.clear(),
        Value::Array(elements) => {
            let mut index = 0;
            elements.retain_mut(|element| {
                let below = fields.children.get(&part_of(element, index, node));
                index += 1;
                stays_without(element, below, node.element())
            });
        }
        _ => {}
    }
}

/// Removes fields from a value, if there are any. Returns whether the value stays.
fn stays_without(value: &mut Value, fields: Option<&FieldSet>, node: Node<'_>) -> bool {
    match fields {
        Some(fields) if fields.is_member => false,
        Some(fields) => {
            remove(value, fields, node);
            true
        }
        None => true,
    }
}
