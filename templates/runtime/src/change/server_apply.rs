//! Server-side apply, and the managers of other writes: what a server does, for servers in tests.

use super::fields::{FieldSet, Part};
use super::managers::{self, Manager};
use super::{ChangeError, FieldWriter};
use crate::codec::schema::{ListRule, Node, Schema};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The manager to which a server ascribes what was there before managers were tracked.
const BEFORE: &str = "before-first-apply";

/// Members of every object that nobody owns.
const UNOWNED: &[&[&str]] = &[
    &["apiVersion"],
    &["kind"],
    &["metadata"],
    &["metadata", "clusterName"],
    &["metadata", "creationTimestamp"],
    &["metadata", "generation"],
    &["metadata", "managedFields"],
    &["metadata", "name"],
    &["metadata", "namespace"],
    &["metadata", "resourceVersion"],
    &["metadata", "selfLink"],
    &["metadata", "uid"],
];

/// Why a configuration cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApplyError {
    /// Other managers own fields that the configuration sets to another value.
    Conflicts(Vec<Conflict>),
    /// The object or the configuration is not what it should be.
    Invalid(ChangeError),
}

/// A field that another manager owns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// The path of the field, such as `.spec.replicas`.
    pub path: String,
    /// Its manager in the words of a server: `"hpa" with subresource "scale"`.
    pub manager: String,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "conflict with {}: {}", self.manager, self.path)
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplyError::Conflicts(conflicts) => {
                write!(f, "{} fields have other managers", conflicts.len())?;
                conflicts.iter().try_for_each(|conflict| write!(f, "; {conflict}"))
            }
            ApplyError::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ApplyError {}

impl From<ChangeError> for ApplyError {
    fn from(error: ChangeError) -> Self {
        ApplyError::Invalid(error)
    }
}

/// Applies a configuration to an object, as a server does: merges it, removes what this manager applied before and does
/// not any more, and writes the owners of fields into `metadata.managedFields`.
///
/// The object may be `null`, which is none. With `force` the manager takes fields that others own.
///
/// # Errors
/// When other managers own fields of the configuration, and their values would change. When the configuration has
/// `managedFields`, elements of lists without their keys or with the same ones, or `managedFields` of the object cannot
/// be read.
pub fn apply_configuration(
    live: &Value,
    configuration: &Value,
    schema: &Schema,
    writer: &FieldWriter<'_>,
    force: bool,
) -> Result<Value, ApplyError> {
    let node = schema.root();
    if !configuration["metadata"]["managedFields"].is_null() {
        let message = "must be absent: the server keeps it";
        return Err(ChangeError::at("metadata.managedFields".to_owned(), message).into());
    }
    check_keys(configuration, node, &mut String::new())?;
    let mut managers = managers::of_tree(live)?;
    let before = without_managers(live);
    if managers.is_empty() && !live.is_null() {
        let first = FieldWriter { name: BEFORE, ..*writer };
        managers.push(first.manager("Update", owned(&before, node)));
    }
    let all = FieldSet::of(configuration, node);
    let mut own = writer.manager("Apply", all.difference(&unowned()));
    let former = managers.iter().position(|manager| manager.is_same(&own)).map(|at| managers.remove(at));
    let mut after = merged(&before, configuration, node);
    if let Some(former) = &former {
        own.time = former.time;
        let others = managers.iter().fold(FieldSet::default(), |all, manager| all.union(&manager.fields));
        prune(&mut after, node, [&former.fields, &all, &others]);
    }
    let changes = Changes::between(&before, &after, node);
    let conflicts = take_over(&mut managers, &changes);
    if !force && !conflicts.is_empty() {
        return Err(ApplyError::Conflicts(conflicts));
    }
    if before != after {
        own.time = writer.time;
    }
    managers.push(own);
    managers::write(&mut after, managers);
    Ok(after)
}

/// Writes the owners of fields into an object that was created, replaced or patched: the manager owns what it has
/// changed.
///
/// The old object may be `null`, which is none. If the new one has no `managedFields` those of the old one count; an
/// empty list, or one with an empty entry, forgets all managers.
///
/// # Errors
/// When `managedFields` cannot be read.
pub fn track_update(
    old: &Value,
    new: &mut Value,
    schema: &Schema,
    writer: &FieldWriter<'_>,
) -> Result<(), ChangeError> {
    let node = schema.root();
    let (source, is_reset) = match new["metadata"].get("managedFields") {
        None | Some(Value::Null) => (old, false),
        Some(Value::Array(entries)) if entries.iter().all(|entry| entry.as_object().is_some_and(Map::is_empty)) => {
            (&Value::Null, true)
        }
        Some(_) => (&*new, false),
    };
    let mut managers = managers::of_tree(source)?;
    let mut after = without_managers(new);
    let changes = Changes::between(&without_managers(old), &after, node);
    take_over(&mut managers, &changes);
    let taken = changes.set.difference(&unowned());
    if !taken.is_empty() && !is_reset {
        let mut own = writer.manager("Update", taken);
        if let Some(at) = managers.iter().position(|manager| manager.is_same(&own)) {
            own.fields = own.fields.union(&managers.remove(at).fields);
        }
        managers.push(own);
    }
    managers::write(&mut after, managers);
    *new = after;
    Ok(())
}

fn without_managers(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
    object
}

fn unowned() -> FieldSet {
    let mut set = FieldSet::default();
    UNOWNED.iter().for_each(|names| set.insert(names));
    set
}

/// The fields of an object that somebody can own.
fn owned(object: &Value, node: Node<'_>) -> FieldSet {
    if object.is_null() { FieldSet::default() } else { FieldSet::of(object, node).difference(&unowned()) }
}

/// The fields that differ between two objects.
struct Changes {
    /// Those that have another value, or none before.
    set: FieldSet,
    /// Those that have no value any more.
    removed: FieldSet,
}

impl Changes {
    fn between(old: &Value, new: &Value, node: Node<'_>) -> Self {
        let (mut set, mut removed) = (FieldSet::default(), FieldSet::default());
        compare(old, new, node, &mut set, true);
        compare(new, old, node, &mut removed, false);
        Self { set: set.difference(&unowned()), removed }
    }
}

/// Finds the fields that only the new object has, and those that have another value in it if they count.
fn compare(old: &Value, new: &Value, node: Node<'_>, found: &mut FieldSet, with_modified: bool) {
    let mut below = |part: Part, old: &Value, new: &Value, node: Node<'_>| {
        let mut inner = FieldSet::default();
        compare(old, new, node, &mut inner, with_modified);
        if !inner.is_empty() {
            found.children.insert(part, inner);
        }
    };
    let is_merged = !node.is_atomic();
    match (old, new) {
        (old, new) if old == new => return,
        (old, Value::Object(members)) if is_merged && (old.is_null() || old.is_object()) => {
            for (key, new) in members {
                below(Part::Field(key.clone()), old.get(key).unwrap_or(&Value::Null), new, node.member(key));
            }
        }
        (old, Value::Array(elements))
            if is_merged && node.merge.list != ListRule::Atomic && (old.is_null() || old.is_array()) =>
        {
            let old = old.as_array().map_or(&[][..], Vec::as_slice);
            let olds: BTreeMap<Part, &Value> = parts(old, node).into_iter().zip(old).collect();
            for (part, new) in parts(elements, node).into_iter().zip(elements) {
                let old = olds.get(&part).copied().unwrap_or(&Value::Null);
                below(part, old, new, node.element());
            }
        }
        (old, new) => {
            found.is_member = old.is_null() || (with_modified && !new.is_null());
            return;
        }
    }
    found.is_member = old.is_null();
}

fn parts(elements: &[Value], node: Node<'_>) -> Vec<Part> {
    elements.iter().enumerate().map(|(index, element)| Part::of(element, index, node)).collect()
}

/// Takes the changed fields from all managers. Returns those that were taken.
fn take_over(managers: &mut [Manager], changes: &Changes) -> Vec<Conflict> {
    let mut conflicts = Vec::new();
    for manager in managers {
        let taken = manager.fields.intersection(&changes.set);
        let shown = shown(manager);
        conflicts.extend(taken.paths().into_iter().map(|path| Conflict { path, manager: shown.clone() }));
        manager.fields = manager.fields.difference(&taken).difference(&changes.removed);
    }
    conflicts
}

fn shown(manager: &Manager) -> String {
    let mut text = format!("{:?}", manager.name);
    if !manager.subresource.is_empty() {
        text.push_str(&format!(" with subresource {:?}", manager.subresource));
    }
    if manager.operation == "Update" {
        text.push_str(&format!(" using {}", manager.api_version));
    }
    text
}

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

/// The elements of both lists: those of the configuration in its order, and before them the others that stand before them
/// in the object.
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
fn prune(value: &mut Value, node: Node<'_>, [former, own, others]: [&FieldSet; 3]) {
    let none = FieldSet::default();
    let stays = |part: &Part| own.child(part).is_some() || others.child(part).is_some();
    let inner = |part: &Part| [former, own, others].map(|set| set.child(part).unwrap_or(&none));
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

/// Refuses lists whose elements cannot be told apart.
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
                path.push_str(&format!("[{index}]"));
                let part = Part::of(element, index, node);
                if matches!((&part, &node.merge.list), (Part::Key(key), ListRule::Map(keys)) if key == "{}" && !keys.is_empty())
                {
                    return Err(ChangeError::at(path.clone(), "has none of the members that tell elements apart"));
                }
                if !seen.insert(part) {
                    return Err(ChangeError::at(path.clone(), "another element has the same key"));
                }
                check_keys(element, node.element(), path)?;
                path.truncate(length);
            }
        }
        _ => {}
    }
    Ok(())
}
