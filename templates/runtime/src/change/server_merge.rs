//! Merging a configuration into an object, as server-side apply does.

use super::ChangeError;
use super::fields::{FieldSet, Part, parts};
use crate::codec::schema::{ListRule, Node};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

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
        (Value::Array(old), Value::Array(new)) if !node.is_atomic() && node.merge.list != ListRule::Atomic => {
            Value::Array(merged_list(old, new, node))
        }
        _ => configuration.clone(),
    }
}

/// The elements of both lists: those of the configuration in its order, and before them the others that stand before
/// them in the object.
fn merged_list(old: &[Value], new: &[Value], node: Node<'_>) -> Vec<Value> {
    let (olds, news) = (parts(old, node), parts(new, node));
    let in_new: BTreeSet<&Part> = news.iter().collect();
    let in_old: BTreeMap<&Part, usize> = olds.iter().zip(0..).collect();
    let mut at = 0;
    let mut all = Vec::new();
    for (part, element) in news.iter().zip(new) {
        while at < old.len() && !in_new.contains(&olds[at]) {
            all.push(old[at].clone());
            at += 1;
        }
        let former = in_old.get(part).copied();
        if former == Some(at) {
            at += 1;
        }
        all.push(former.map_or_else(|| element.clone(), |former| merged(&old[former], element, node.element())));
    }
    let rest = (at..old.len()).filter(|at| !in_new.contains(&olds[*at]));
    all.extend(rest.map(|at| old[at].clone()));
    all
}

/// Removes what the manager owned, and neither it nor others own any more.
pub(super) fn prune(value: &mut Value, node: Node<'_>, [former, own, others]: [&FieldSet; 3]) {
    let empty = FieldSet::default();
    let stays = |part: &Part| own.child(part).is_some() || others.child(part).is_some();
    let inner = |part: &Part| [former, own, others].map(|set| set.child(part).unwrap_or(&empty));
    match value {
        Value::Object(members) => members.retain(|key, value| {
            let part = Part::Field(key.clone());
            if former.child(&part).is_none() {
                return true;
            }
            prune(value, node.member(key), inner(&part));
            stays(&part)
        }),
        Value::Array(elements) => {
            let mut index = 0;
            elements.retain_mut(|element| {
                let part = Part::of(element, index, node);
                index += 1;
                if former.child(&part).is_none() {
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
        Value::Array(elements) if !node.is_atomic() && node.merge.list != ListRule::Atomic => {
            let mut seen = BTreeSet::new();
            for (index, element) in elements.iter().enumerate() {
                path.extend(["[", &index.to_string(), "]"]);
                let part = Part::of(element, index, node);
                if matches!((&part, &node.merge.list), (Part::Key(key), ListRule::Map(keys)) if key == "{}" && !keys.is_empty())
                {
                    return Err(ChangeError::at(&*path, "has none of the members that tell elements apart"));
                }
                if !seen.insert(part) {
                    return Err(ChangeError::at(&*path, "another element has the same key"));
                }
                check_keys(element, node.element(), path)?;
                path.truncate(length);
            }
        }
        _ => {}
    }
    Ok(())
}
