//! Strategic merge patches that turn one value into another.

use super::path::Path;
use super::{ChangeError, tree};
use crate::codec::View;
use crate::codec::merge::PatchStrategy;
use crate::codec::schema::{Node, Schema, Shape};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

type Members = Map<String, Value>;
type Result<T> = std::result::Result<T, ChangeError>;

/// The patch that turns the old object into the new one, as JSON.
pub(crate) fn between(old: View<'_>, new: View<'_>, schema: &Schema) -> Result<Vec<u8>> {
    let [old, new] = tree::differing(old, new, schema.root())?;
    let change = members(&Path::ROOT, schema.root(), &old, &new)?;
    Ok(Value::Object(change).to_string().into_bytes())
}

/// The changes of an object's members. None if there are no changes.
fn members(path: &Path<'_>, node: Node<'_>, old: &Members, new: &Members) -> Result<Members> {
    let mut change = Map::new();
    let gone = old.keys().filter(|key| !new.contains_key(*key) && !path.key(key).is_metadata("resourceVersion"));
    change.extend(gone.map(|key| (key.clone(), Value::Null)));
    for (key, new) in new {
        let path = path.key(key);
        if !path.is_metadata("resourceVersion") {
            let is_known = !matches!(node.shape, Shape::Any)
                && (node.object().is_none_or(|object| object.members.contains_key(&**key)));
            member(&Member { path, node: node.member(key), key, is_known }, old.get(key), new, &mut change)?;
        }
    }
    if node.merge.retains_keys && !change.is_empty() {
        change.insert("$retainKeys".to_owned(), new.keys().cloned().collect());
    }
    Ok(change)
}

struct Member<'a> {
    path: Path<'a>,
    node: Node<'a>,
    key: &'a str,
    /// Whether the type has it. Otherwise the server may know it, and merge it in a way of its own.
    is_known: bool,
}

fn member(at: &Member<'_>, old: Option<&Value>, new: &Value, change: &mut Members) -> Result<()> {
    if old == Some(new) {
        return Ok(());
    }
    let changed = match (old, new) {
        (Some(Value::Object(old)), Value::Object(new)) if at.node.merge.patch != PatchStrategy::Replace => {
            if at.is_known && matches!(at.node.shape, Shape::Any) {
                let mut whole = new.clone();
                whole.insert("$patch".to_owned(), "replace".into());
                Value::Object(whole)
            } else {
                Value::Object(members(&at.path, at.node, old, new)?)
            }
        }
        (Some(Value::Array(old)), Value::Array(new)) => return list(at, old, new, change),
        (_, new) if new.is_null() || tree::has_null_member(new) => {
            return Err(ChangeError::new(at.path, "a strategic merge patch cannot set `null`: use a JSON patch"));
        }
        (_, new) => new.clone(),
    };
    change.insert(at.key.to_owned(), changed);
    Ok(())
}

fn list(at: &Member<'_>, old: &[Value], new: &[Value], change: &mut Members) -> Result<()> {
    match at.node.merge.patch {
        PatchStrategy::Merge("") => scalars(at, old, new, change),
        PatchStrategy::Merge(key) => keyed(at, key, old, new, change),
        _ if !at.is_known => {
            let message = "a strategic merge patch cannot change a list of which it is not known how it is merged: \
                use a JSON patch";
            Err(ChangeError::new(at.path, message))
        }
        _ => {
            change.insert(at.key.to_owned(), new.into());
            Ok(())
        }
    }
}

/// The elements of a list by the text of their merge key.
fn by_key<'a>(at: &Member<'_>, key: &str, list: &'a [Value]) -> Result<BTreeMap<String, &'a Members>> {
    let mut found = BTreeMap::new();
    for (index, element) in list.iter().enumerate() {
        let Some((element, value)) = element.as_object().and_then(|element| Some((element, element.get(key)?))) else {
            let message = format!("has no `{key}`, by which a strategic merge patch finds it: use a JSON patch");
            return Err(ChangeError::new(at.path.index(index), message));
        };
        if found.insert(value.to_string(), element).is_some() {
            let message = format!(
                "several elements have the `{key}` {value}, and a strategic merge patch changes the first of them: use \
                 a JSON patch"
            );
            return Err(ChangeError::new(at.path, message));
        }
    }
    Ok(found)
}

fn keyed(at: &Member<'_>, key: &str, old: &[Value], new: &[Value], change: &mut Members) -> Result<()> {
    let olds = by_key(at, key, old)?;
    let news = by_key(at, key, new)?;
    let order = |list: &[Value]| -> Vec<Value> { list.iter().map(|element| json!({ key: element[key] })).collect() };
    let mut changes = Vec::new();
    for (index, element) in new.iter().enumerate() {
        let text = element[key].to_string();
        let element = &news[&text];
        let Some(old) = olds.get(&text) else {
            changes.push(Value::Object((*element).clone()));
            continue;
        };
        let mut change = members(&at.path.index(index), at.node.ruled_element(), old, element)?;
        if !change.is_empty() {
            change.insert(key.to_owned(), element[key].clone());
            changes.push(Value::Object(change));
        }
    }
    let gone = old.iter().filter(|element| !news.contains_key(&element[key].to_string()));
    changes.extend(gone.map(|element| json!({ "$patch": "delete", key: element[key] })));
    if !changes.is_empty() {
        change.insert(at.key.to_owned(), changes.into());
    }
    let from = order(old);
    let to = order(new);
    if from != to && !to.is_empty() {
        change.insert(format!("$setElementOrder/{}", at.key), to.into());
    }
    Ok(())
}

fn scalars(at: &Member<'_>, old: &[Value], new: &[Value], change: &mut Members) -> Result<()> {
    let set = |list: &[Value]| -> BTreeSet<String> { list.iter().map(Value::to_string).collect() };
    let olds = set(old);
    let news = set(new);
    if olds.len() < old.len() || news.len() < new.len() {
        let message = "has an element twice, which a strategic merge patch cannot keep: use a JSON patch";
        return Err(ChangeError::new(at.path, message));
    }
    let missing = |list: &[Value], other: &BTreeSet<String>| -> Vec<Value> {
        list.iter().filter(|element| !other.contains(&element.to_string())).cloned().collect()
    };
    let mut add = |prefix: &str, list: Vec<Value>| {
        if !list.is_empty() {
            change.insert(format!("{prefix}{}", at.key), list.into());
        }
    };
    add("", missing(new, &olds));
    add("$deleteFromPrimitiveList/", missing(old, &news));
    add("$setElementOrder/", new.to_vec());
    Ok(())
}
