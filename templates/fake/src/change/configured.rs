//! Merges a configuration into an object, and removes the fields that its manager applied before.

use super::fields::{add_known, fields_of, is_granular, part_of, parts};
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
    let with_known = |mut set: FieldSet| {
        add_known(&mut set, node);
        set
    };
    let without = |set: &FieldSet| {
        let mut rest = object.clone();
        remove(&mut rest, set, node);
        with_known(fields_of(&rest, node))
    };
    let former = with_known(former.clone());
    let all = with_known(fields_of(object, node));
    let owned = with_known(others.fold(own.clone(), |owned, other| owned.union(other)));
    // An unowned field is removed together with its parent, but only if the manager owned it
    // before.
    let kept = without(&former).union(&owned);
    let kept = without(&all.difference(&kept));
    remove(object, &all.difference(&kept).intersection(&former), node);
}

/// Removes fields from a value. Objects and lists that lose all of their content stay, empty.
fn remove(value: &mut Value, fields: &FieldSet, node: Node<'_>) {
    // Removes fields from the value with this part. Returns whether the value stays.
    let stays = |part: &FieldPart, value: &mut Value, node: Node<'_>| {
        let below = fields.children.get(part);
        if let Some(below) = below.filter(|below| !below.is_member) {
            remove(value, below, node);
        }
        below.is_none_or(|below| !below.is_member)
    };
    match value {
        Value::Object(members) if node.is_atomic() => members.clear(),
        Value::Object(members) => members
            .retain(|name, value| stays(&FieldPart::Field(name.clone()), value, node.member(name))),
        Value::Array(elements) if node.list_type() == ListType::Atomic => elements.clear(),
        Value::Array(elements) => {
            let mut index = 0;
            elements.retain_mut(|element| {
                let part = part_of(element, index, node);
                index += 1;
                stays(&part, element, node.element())
            });
        }
        _ => {}
    }
}
