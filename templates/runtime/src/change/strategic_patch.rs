//! Applies strategic merge patches.

use super::ChangeError;
use super::path::Path;
use crate::codec::schema::{Node, PatchRule, Schema};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

type Members = Map<String, Value>;
type Result<T = ()> = std::result::Result<T, ChangeError>;

const DIRECTIVE: &str = "$patch";
const RETAIN: &str = "$retainKeys";
const DELETE: &str = "$deleteFromPrimitiveList/";
const ORDER: &str = "$setElementOrder/";

/// Applies a strategic merge patch to an object.
///
/// The schema says which lists are merged, and by which member.
///
/// # Errors
/// When the object or the patch is not an object, an element has no merge key, a directive is unknown, or the patch
/// contradicts its own `$setElementOrder` or `$retainKeys`. The object is left as it was.
pub fn apply_strategic(object: &mut Value, patch: &Value, schema: &Schema) -> Result {
    let (Value::Object(target), Value::Object(patch)) = (&*object, patch) else {
        return Err(ChangeError::at(String::new(), "a strategic merge patch is an object, and changes one"));
    };
    let mut target = target.clone();
    members(&Path::ROOT, schema.root(), &mut target, patch)?;
    *object = Value::Object(target);
    Ok(())
}

fn members(path: &Path<'_>, node: Node<'_>, target: &mut Members, patch: &Members) -> Result {
    match patch.get(DIRECTIVE).map(|directive| directive.as_str().unwrap_or_default()) {
        None | Some("merge") => {}
        Some("replace") => {
            target.clear();
            target.extend(
                patch.iter().filter(|(key, _)| *key != DIRECTIVE).map(|(key, value)| (key.clone(), value.clone())),
            );
            return Ok(());
        }
        Some("delete") => {
            target.clear();
            return Ok(());
        }
        Some(_) => return Err(ChangeError::new(&path.key(DIRECTIVE), "expected replace, merge or delete")),
    }
    retain(path, target, patch)?;
    for (key, value) in patch {
        if let Some(list) = key.strip_prefix(DELETE) {
            delete_scalars(&path.key(key), target.get_mut(list), value)?;
        } else if key.starts_with('$') && (key == RETAIN || key == DIRECTIVE || key.starts_with(ORDER)) {
            continue;
        } else {
            member(&path.key(key), node.member(key), target, (key, value))?;
        }
    }
    for (key, order) in patch.iter().filter_map(|(key, order)| Some((key.strip_prefix(ORDER)?, order))) {
        set_order(&path.key(key), &node.member(key).merge.patch, target.get_mut(key), patch.get(key), order)?;
    }
    Ok(())
}

/// Removes all members that `$retainKeys` does not name.
fn retain(path: &Path<'_>, target: &mut Members, patch: &Members) -> Result {
    let Some(retained) = patch.get(RETAIN) else { return Ok(()) };
    let Some(retained) = retained.as_array() else {
        return Err(ChangeError::new(&path.key(RETAIN), "expected a list of names"));
    };
    let is_retained = |key: &str| retained.iter().any(|retained| retained == key);
    let set = patch.iter().filter(|(key, value)| !value.is_null() && !key.starts_with('$'));
    if let Some((key, _)) = set.into_iter().find(|(key, _)| !is_retained(key)) {
        return Err(ChangeError::new(&path.key(key), "set, but not in `$retainKeys`"));
    }
    target.retain(|key, _| is_retained(key));
    Ok(())
}

fn member(path: &Path<'_>, node: Node<'_>, target: &mut Members, (key, value): (&String, &Value)) -> Result {
    if value.is_null() {
        target.remove(key);
        return Ok(());
    }
    let rule = &node.merge.patch;
    match (target.get_mut(key), value) {
        (Some(Value::Object(target)), Value::Object(patch)) if *rule != PatchRule::Replace => {
            members(path, node, target, patch)
        }
        (Some(Value::Array(list)), Value::Array(patch)) => match rule {
            PatchRule::MergeBy(merge_key) => merge_elements(path, node, merge_key, list, patch),
            PatchRule::MergeScalars => {
                merge_scalars(list, patch);
                Ok(())
            }
            _ => {
                patch.clone_into(list);
                Ok(())
            }
        },
        _ => {
            target.insert(key.clone(), without_directives(value));
            Ok(())
        }
    }
}

/// The value of a patch where there is nothing to merge it with.
fn without_directives(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let is_set = |key: &str, value: &Value| {
                let is_directive =
                    [DIRECTIVE, RETAIN].contains(&key) || key.starts_with(DELETE) || key.starts_with(ORDER);
                !is_directive && !value.is_null()
            };
            let set = members.iter().filter(|(key, value)| is_set(key, value));
            Value::Object(set.map(|(key, value)| (key.clone(), without_directives(value))).collect())
        }
        Value::Array(elements) => {
            let set = elements.iter().filter(|element| element.get(DIRECTIVE).is_none());
            Value::Array(set.map(without_directives).collect())
        }
        value => value.clone(),
    }
}

fn merge_scalars(list: &mut Vec<Value>, patch: &[Value]) {
    for value in patch {
        if !list.contains(value) {
            list.push(value.clone());
        }
    }
}

fn delete_scalars(path: &Path<'_>, list: Option<&mut Value>, gone: &Value) -> Result {
    let Some(gone) = gone.as_array() else { return Err(ChangeError::new(path, "expected a list")) };
    if let Some(Value::Array(list)) = list {
        list.retain(|element| !gone.contains(element));
    }
    Ok(())
}

fn merge_elements(path: &Path<'_>, node: Node<'_>, key: &str, list: &mut Vec<Value>, patch: &[Value]) -> Result {
    if patch.iter().any(|element| element[DIRECTIVE] == "replace") {
        let elements = patch.iter().filter(|element| element.get(DIRECTIVE).is_none());
        *list = elements.cloned().collect();
        return Ok(());
    }
    for (index, element) in patch.iter().enumerate() {
        let path = path.index(index);
        let Some((element, value)) = element.as_object().and_then(|element| Some((element, element.get(key)?))) else {
            return Err(ChangeError::new(&path, format!("has no `{key}`, by which elements are merged")));
        };
        if element.get(DIRECTIVE).is_some_and(|directive| directive == "delete") {
            list.retain(|old| old.get(key) != Some(value));
            continue;
        }
        let node = node.element();
        let old = list.iter_mut().find(|old| old.get(key) == Some(value)).and_then(Value::as_object_mut);
        match old {
            Some(old) => members(&path, node, old, element)?,
            None => list.push(without_directives(&patch[index])),
        }
    }
    Ok(())
}

/// Puts the elements into the order that the patch wants. Those that it does not name stay before the first of the named
/// ones that stood behind them.
fn set_order(
    path: &Path<'_>,
    rule: &PatchRule,
    list: Option<&mut Value>,
    patch: Option<&Value>,
    order: &Value,
) -> Result {
    let Some(order) = order.as_array() else { return Err(ChangeError::new(path, "`$setElementOrder` is no list")) };
    let id = |element: &Value| match rule {
        PatchRule::MergeBy(key) => element.get(&**key).unwrap_or(&Value::Null).to_string(),
        _ => element.to_string(),
    };
    let rank: BTreeMap<String, usize> = order.iter().enumerate().map(|(rank, element)| (id(element), rank)).collect();
    let set = patch.and_then(Value::as_array).into_iter().flatten().filter(|element| element.get(DIRECTIVE).is_none());
    let ranks: Vec<Option<usize>> = set.map(|element| rank.get(&id(element)).copied()).collect();
    if ranks.iter().any(Option::is_none) || !ranks.is_sorted() {
        return Err(ChangeError::new(path, "its elements are not in the order of `$setElementOrder`"));
    }
    let Some(Value::Array(list)) = list else { return Ok(()) };
    let old = std::mem::take(list);
    let (mut named, others): (Vec<_>, Vec<_>) =
        old.into_iter().enumerate().partition(|(_, element)| rank.contains_key(&id(element)));
    named.sort_by_key(|(_, element)| rank[&id(element)]);
    let mut others = others.into_iter().peekable();
    for (at, element) in named {
        while let Some((_, other)) = others.next_if(|(other, _)| *other < at) {
            list.push(other);
        }
        list.push(element);
    }
    list.extend(others.map(|(_, other)| other));
    Ok(())
}
