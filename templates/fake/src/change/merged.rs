//! Merging a configuration into an object, as server-side apply does.

use super::fields::{part_of, parts};
use crate::schema::{ListType, Node};
use kapigen_runtime::change::{ChangeError, FieldPart, FieldSet, list_order};
use serde_json::Value;
use std::collections::BTreeSet;

/// The object with the members of a configuration.
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
        (Value::Array(old), Value::Array(new)) if *node.list_type() != ListType::Atomic => {
            Value::Array(merged_list(old, new, node))
        }
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

/// Removes what the manager owned, and neither it nor others own any more.
pub(super) fn prune(value: &mut Value, node: Node<'_>, [former, own, others]: [&FieldSet; 3]) {
    let empty = FieldSet::default();
    let stays = |part: &FieldPart| own.children.contains_key(part) || others.children.contains_key(part);
    let inner = |part: &FieldPart| [former, own, others].map(|set| set.children.get(part).unwrap_or(&empty));
    match value {
        Value::Object(members) => members.retain(|key, value| {
            let part = FieldPart::Field(key.clone());
            if !former.children.contains_key(&part) {
                return true;
            }
            prune(value, node.member(key), inner(&part));
            stays(&part)
        }),
        Value::Array(elements) => {
            let mut index = 0;
            elements.retain_mut(|element| {
                let part = part_of(element, index, node);
                index += 1;
                if !former.children.contains_key(&part) {
                    return true;
                }
                prune(element, node.element(), inner(&part));
                stays(&part)
            });
        }
        _ => {}
    }
}

/// Rejects lists whose elements have no keys or duplicate ones.
pub(super) fn check_keys(value: &Value, node: Node<'_>, path: &mut String) -> Result<(), ChangeError> {
    let length = path.len();
    match value {
        Value::Object(members) if !node.is_atomic() => {
            for (key, value) in members {
                path.extend([".", key]);
                check_keys(value, node.member(key), path)?;
                path.truncate(length);
            }
        }
        Value::Array(elements) if *node.list_type() != ListType::Atomic => {
            let mut seen = BTreeSet::new();
            for (index, element) in elements.iter().enumerate() {
                path.extend(["[", &index.to_string(), "]"]);
                let part = part_of(element, index, node);
                if matches!((&part, node.list_type()), (FieldPart::Key(key), ListType::Map(keys)) if key == "{}" && !keys.is_empty())
                {
                    return Err(ChangeError::new(&*path, "has none of the members that identify elements"));
                }
                if !seen.insert(part) {
                    return Err(ChangeError::new(&*path, "another element has the same key"));
                }
                check_keys(element, node.element(), path)?;
                path.truncate(length);
            }
        }
        _ => {}
    }
    Ok(())
}
