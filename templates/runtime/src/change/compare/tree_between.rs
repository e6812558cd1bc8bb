//! Merge patches (RFC 7386 and strategic) that turn one JSON tree into another.

use super::pairs;
use super::pairs::{Pair, Pairs};
use super::path::Path;
use crate::change::ChangeError;
use crate::codec::View;
use crate::codec::change::schema::{Node, Schema, Shape};
use crate::codec::table::PatchStrategy;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The patch that turns the old object into the new one, as JSON.
pub(crate) fn merge_between(
    old: View<'_>,
    new: View<'_>,
    schema: &Schema,
) -> Result<Vec<u8>, ChangeError> {
    let version = pairs::version(old);
    let [old, new] = differing(old, new, schema.root())?;
    let mut replaces_list = false;
    let mut change = merged_members(&Path::ROOT, &old, &new, &mut replaces_list)?;
    // Somebody else may have changed another element of the list: with its version, the server
    // notices.
    if let Some(version) = version.filter(|_| replaces_list) {
        let metadata = change.entry("metadata").or_insert_with(|| json!({}));
        if let Value::Object(metadata) = metadata {
            metadata.insert("resourceVersion".to_owned(), version.into());
        }
    }
    Ok(Value::Object(change).to_string().into_bytes())
}

fn merged_members(
    path: &Path<'_>,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    replaces_list: &mut bool,
) -> Result<Map<String, Value>, ChangeError> {
    let mut change = Map::new();
    let gone = old
        .keys()
        .filter(|key| !new.contains_key(*key) && !path.key(key).is_metadata("resourceVersion"));
    change.extend(gone.map(|key| (key.clone(), Value::Null)));
    for (key, new) in new {
        let path = path.key(key);
        if path.is_metadata("resourceVersion") {
            continue;
        }
        let changed = match (old.get(key), new) {
            (Some(old), new) if !new.is_object() && old == new => continue,
            (Some(Value::Object(old)), Value::Object(new)) => {
                let inner = merged_members(&path, old, new, replaces_list)?;
                if inner.is_empty() {
                    continue;
                }
                Value::Object(inner)
            }
            (old, new) => {
                if new.is_null() || has_null_member(new) {
                    return Err(ChangeError::new(
                        path,
                        "a merge patch cannot set `null`: use a JSON patch",
                    ));
                }
                *replaces_list |= matches!(old, Some(Value::Array(_)));
                new.clone()
            }
        };
        change.insert(key.clone(), changed);
    }
    Ok(change)
}

type Members = Map<String, Value>;
type Result<T, E = ChangeError> = std::result::Result<T, E>;

/// The patch that turns the old object into the new one, as JSON.
pub(crate) fn strategic_between(old: View<'_>, new: View<'_>, schema: &Schema) -> Result<Vec<u8>> {
    let [old, new] = differing(old, new, schema.root())?;
    let change = members(&Path::ROOT, schema.root(), &old, &new)?;
    Ok(Value::Object(change).to_string().into_bytes())
}

/// The changes of an object's members. `None` if there are no changes.
fn members(path: &Path<'_>, node: Node<'_>, old: &Members, new: &Members) -> Result<Members> {
    let mut change = Map::new();
    let gone = old
        .keys()
        .filter(|key| !new.contains_key(*key) && !path.key(key).is_metadata("resourceVersion"));
    change.extend(gone.map(|key| (key.clone(), Value::Null)));
    for (key, new) in new {
        let path = path.key(key);
        if !path.is_metadata("resourceVersion") {
            let is_known = !matches!(node.shape, Shape::Any)
                && (node.object().is_none_or(|object| object.members.contains_key(&**key)));
            member(
                &Member { path, node: node.member(key), key, is_known },
                old.get(key),
                new,
                &mut change,
            )?;
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
    /// Whether the type has the member. Otherwise the server may know it, and merge it in a way of
    /// its own.
    is_known: bool,
}

fn member(at: &Member<'_>, old: Option<&Value>, new: &Value, change: &mut Members) -> Result<()> {
    if old == Some(new) {
        return Ok(());
    }
    let changed = match (old, new) {
        (Some(Value::Object(old)), Value::Object(new))
            if at.node.merge.patch != PatchStrategy::Replace =>
        {
            if at.is_known && matches!(at.node.shape, Shape::Any) {
                let mut whole = new.clone();
                whole.insert("$patch".to_owned(), "replace".into());
                Value::Object(whole)
            } else {
                Value::Object(members(&at.path, at.node, old, new)?)
            }
        }
        (Some(Value::Array(old)), Value::Array(new)) => return list(at, old, new, change),
        (_, new) if new.is_null() || loses_null(new) => return Err(no_null(at.path)),
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
            let message = "a strategic merge patch cannot change a list of which it is not known \
                           how it is merged: use a JSON patch";
            Err(ChangeError::new(at.path, message))
        }
        _ if new.iter().any(loses_null) => Err(no_null(at.path)),
        _ => {
            change.insert(at.key.to_owned(), new.into());
            Ok(())
        }
    }
}

fn no_null(path: Path<'_>) -> ChangeError {
    ChangeError::new(path, "a strategic merge patch cannot set `null`: use a JSON patch")
}

/// The elements of a list by the text of their merge key.
fn by_key<'a>(
    at: &Member<'_>,
    key: &str,
    list: &'a [Value],
) -> Result<BTreeMap<String, &'a Members>> {
    let mut found = BTreeMap::new();
    for (index, element) in list.iter().enumerate() {
        let Some((element, value)) =
            element.as_object().and_then(|element| Some((element, element.get(key)?)))
        else {
            let message = format!(
                "has no `{key}`, by which a strategic merge patch finds it: use a JSON patch"
            );
            return Err(ChangeError::new(at.path.index(index), message));
        };
        if found.insert(value.to_string(), element).is_some() {
            let message = format!(
                "several elements have the `{key}` {value}, and a strategic merge patch changes \
                 the first of them: use a JSON patch"
            );
            return Err(ChangeError::new(at.path, message));
        }
    }
    Ok(found)
}

fn keyed(
    at: &Member<'_>,
    key: &str,
    old: &[Value],
    new: &[Value],
    change: &mut Members,
) -> Result<()> {
    let olds = by_key(at, key, old)?;
    let news = by_key(at, key, new)?;
    let mut changes = Vec::new();
    for (index, element) in new.iter().enumerate() {
        let text = element[key].to_string();
        let element = &news[&text];
        let Some(old) = olds.get(&text) else {
            if element.values().any(|value| value.is_null() || loses_null(value)) {
                return Err(no_null(at.path.index(index)));
            }
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
    let [from, to] = [old, new].map(|list| order(list, key));
    if from != to && !to.is_empty() {
        change.insert(format!("$setElementOrder/{}", at.key), to.into());
    }
    Ok(())
}

/// The members by which the elements of a list are found, in their order.
fn order(list: &[Value], key: &str) -> Vec<Value> {
    list.iter().map(|element| json!({ key: element[key] })).collect()
}

fn scalars(at: &Member<'_>, old: &[Value], new: &[Value], change: &mut Members) -> Result<()> {
    let [olds, news] =
        [old, new].map(|list| list.iter().map(Value::to_string).collect::<BTreeSet<_>>());
    if olds.len() < old.len() || news.len() < new.len() {
        let message =
            "has an element twice, which a strategic merge patch cannot keep: use a JSON patch";
        return Err(ChangeError::new(at.path, message));
    }
    let lists = [
        ("", missing_in(&olds, new)),
        ("$deleteFromPrimitiveList/", missing_in(&news, old)),
        ("$setElementOrder/", new.to_vec()),
    ];
    for (prefix, list) in lists {
        if !list.is_empty() {
            change.insert(format!("{prefix}{}", at.key), list.into());
        }
    }
    Ok(())
}

/// The elements of a list that a set of texts lacks.
fn missing_in(texts: &BTreeSet<String>, list: &[Value]) -> Vec<Value> {
    list.iter().filter(|element| !texts.contains(&element.to_string())).cloned().collect()
}

/// The tree of a value, without members that are `null` where that means absent. Free JSON stays as
/// it is.
pub(super) fn tree_of(view: View<'_>, node: Node<'_>) -> Result<Value, ChangeError> {
    let mut tree = serde_json::to_value(view).map_err(|error| {
        ChangeError::new("", format!("the object has free JSON that cannot be compared: {error}"))
    })?;
    drop_nulls(&mut tree, node);
    Ok(tree)
}

fn no_object() -> ChangeError {
    ChangeError::new("", "not an object, which alone has members to change")
}

/// The trees of two objects, without members that are the same in both. Lists and free JSON that
/// differ are whole, and so are objects of which a strategic merge patch names all members.
fn differing<'a>(
    old: View<'a>,
    new: View<'a>,
    node: Node<'_>,
) -> Result<[Map<String, Value>; 2], ChangeError> {
    match differing_values(&mut Pairs::new(), Pair { member: Some(0), key: "", old, new }, node)? {
        [Some(Value::Object(old)), Some(Value::Object(new))] => Ok([old, new]),
        _ => Err(no_object()),
    }
}

/// None: the value is absent.
fn differing_values<'a>(
    pairs: &mut Pairs<'a>,
    pair: Pair<'a>,
    node: Node<'_>,
) -> Result<[Option<Value>; 2], ChangeError> {
    let base = pairs.len();
    // A strategic merge patch has these whole.
    let is_whole = node.merge.retains_keys || node.merge.patch == PatchStrategy::Replace;
    let mut span = match (pair.old, pair.new) {
        (View::Object(old), View::Object(new)) if !is_whole => pairs.members(old, new),
        (View::Map(old), View::Map(new)) if !is_whole => pairs.entries(old, new),
        (View::List(_), View::List(_)) if pairs.same(pair.old, pair.new) => {
            return Ok([None, None]);
        }
        _ => {
            let [old, new] = [pair.old, pair.new]
                .map(|view| (!pair.lacks(view)).then(|| tree_of(view, node)).transpose());
            return Ok([old?, new?]);
        }
    };
    let mut members = [Map::new(), Map::new()];
    while let Some(pair) = pairs.next(&mut span) {
        let values = differing_values(pairs, pair, node.member(pair.key))?;
        if values[0] != values[1] {
            for (members, value) in members.iter_mut().zip(values) {
                members.extend(value.map(|value| (pair.key.to_owned(), value)));
            }
        }
    }
    pairs.truncate(base);
    Ok(members.map(|members| Some(Value::Object(members))))
}

/// Removes known members that are `null`, but for nullable ones.
fn drop_nulls(value: &mut Value, node: Node<'_>) {
    match (node.shape, value) {
        (Shape::Object(_), Value::Object(members)) => {
            members.retain(|key, value| {
                let member = node.object().and_then(|object| object.members.get(key.as_str()));
                !value.is_null() || member.is_none_or(|member| member.is_nullable)
            });
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

/// Whether a server that adds the value by a strategic merge patch removes a member that is `null`
/// from an object in it: it looks into lists, too.
fn loses_null(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.values().any(|value| value.is_null() || loses_null(value))
        }
        Value::Array(elements) => elements.iter().any(loses_null),
        _ => false,
    }
}

/// Whether an object in the value, but not in a list, has a member that is `null`.
fn has_null_member(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.values().any(|value| value.is_null() || has_null_member(value))
        }
        _ => false,
    }
}
