//! Server-side apply, and the managers of other writes.

use super::fields::{fields_of, is_free, parts};
use super::managers::{self, FieldWriter, Manager};
use super::merged::{check_keys, merged, prune};
use crate::schema::{ListType, Node, Schema};
use kapigen_runtime::change::{ChangeError, FieldPart, FieldSet};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// The manager to which a server ascribes what was there before managers were tracked.
const BEFORE: &str = "before-first-apply";

/// Members of every object that no manager owns.
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

/// An error of applying a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApplyError {
    /// Other managers own fields that the configuration sets to another value.
    Conflicts(Vec<Conflict>),
    /// The object or the configuration is invalid.
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
/// ```
/// use kapigen_fake::change::{ApplyError, FieldWriter, Schema, apply_configuration};
/// use serde_json::{Value, json};
///
/// let schema = Schema::from_definition(&json!({"type": "object"}));
/// let writer = |name| FieldWriter { name, subresource: "", api_version: "v1", time: None };
/// let labels = |tier| json!({"metadata": {"name": "web", "labels": {"tier": tier}}});
/// let live = apply_configuration(&Value::Null, &labels("front"), &schema, &writer("first"), false)?;
/// let refused = apply_configuration(&live, &labels("back"), &schema, &writer("second"), false);
/// assert!(matches!(refused, Err(ApplyError::Conflicts(conflicts)) if conflicts[0].path == ".metadata.labels.tier"));
/// let live = apply_configuration(&live, &labels("back"), &schema, &writer("second"), true)?;
/// assert_eq!(live["metadata"]["labels"]["tier"], "back");
/// # Ok::<(), ApplyError>(())
/// ```
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
        return Err(ChangeError::new("metadata.managedFields", message).into());
    }
    check_keys(configuration, node, &mut String::new())?;
    let mut managers = managers::of_object(live)?;
    let before = without_managers(live);
    if managers.is_empty() && !live.is_null() {
        let first = FieldWriter { name: BEFORE, ..*writer };
        managers.push(first.manager("Update", owned(&before, node)));
    }
    let all = fields_of(configuration, node);
    let mut own = writer.manager("Apply", all.difference(&UNOWNED_SET));
    let former = managers.iter().position(|manager| manager.is_same(&own)).map(|at| managers.remove(at));
    let mut after = merged(&before, configuration, node);
    if let Some(former) = &former {
        own.time = former.time;
        let others = managers.iter().fold(FieldSet::default(), |others, manager| others.union(&manager.fields));
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
    let stated = take_record(new);
    let is_reset = stated.as_array().is_some_and(|entries| entries.iter().all(is_empty_entry));
    let known = if stated.is_null() { &old["metadata"]["managedFields"] } else { &stated };
    let mut managers = match managers::of_record(known) {
        Ok(managers) => managers,
        Err(error) => {
            if !stated.is_null() {
                new["metadata"]["managedFields"] = stated;
            }
            return Err(error);
        }
    };
    let changes = Changes::between(old, new, node);
    take_over(&mut managers, &changes);
    if !changes.set.is_empty() && !is_reset {
        let mut own = writer.manager("Update", changes.set);
        if let Some(at) = managers.iter().position(|manager| manager.is_same(&own)) {
            own.fields = own.fields.union(&managers.remove(at).fields);
        }
        managers.push(own);
    }
    managers::write(new, managers);
    Ok(())
}

fn is_empty_entry(entry: &Value) -> bool {
    entry.as_object().is_some_and(Map::is_empty)
}

/// Takes the record of managers out of an object. `null` if it has none.
fn take_record(object: &mut Value) -> Value {
    let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
    metadata.and_then(|metadata| metadata.shift_remove("managedFields")).unwrap_or_default()
}

fn without_managers(object: &Value) -> Value {
    let mut object = object.clone();
    take_record(&mut object);
    object
}

/// The members of every object that no manager owns, as a set.
static UNOWNED_SET: LazyLock<FieldSet> = LazyLock::new(|| {
    let mut set = FieldSet::default();
    for names in UNOWNED {
        let field = names
            .iter()
            .fold(&mut set, |set, name| set.children.entry(FieldPart::Field((*name).to_owned())).or_default());
        field.is_member = true;
    }
    set
});

/// The fields of an object that a manager can own.
fn owned(object: &Value, node: Node<'_>) -> FieldSet {
    if object.is_null() { FieldSet::default() } else { fields_of(object, node).difference(&UNOWNED_SET) }
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
        let present = |value: &&Value| !value.is_null();
        compare(Some(old).filter(present), new, node, &mut set, true);
        compare(Some(new).filter(present), old, node, &mut removed, false);
        Self { set: set.difference(&UNOWNED_SET), removed: removed.difference(&UNOWNED_SET) }
    }
}

/// Finds the fields that only the new object has, and those that have another value in it if they count.
fn compare(old: Option<&Value>, new: &Value, node: Node<'_>, found: &mut FieldSet, with_modified: bool) {
    let mut below = |part: FieldPart, old: Option<&Value>, new: &Value, node: Node<'_>| {
        let mut inner = FieldSet::default();
        compare(old, new, node, &mut inner, with_modified);
        if !inner.is_empty() {
            found.children.insert(part, inner);
        }
    };
    let is_merged = !node.is_atomic();
    let is_free = is_free(node);
    let old = old.filter(|old| is_free || !old.is_null());
    match (old, new) {
        (Some(old), new) if old == new => return,
        (_, Value::Null) if !is_free => return,
        (old, Value::Object(members)) if is_merged && old.is_none_or(|old| old.is_null() || old.is_object()) => {
            for (key, new) in members {
                below(FieldPart::Field(key.clone()), old.and_then(|old| old.get(key)), new, node.member(key));
            }
        }
        (old, Value::Array(elements))
            if is_merged
                && *node.list_type() != ListType::Atomic
                && old.is_none_or(|old| old.is_null() || old.is_array()) =>
        {
            let old = old.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let olds: BTreeMap<FieldPart, &Value> = parts(old, node).into_iter().zip(old).collect();
            for (part, new) in parts(elements, node).into_iter().zip(elements) {
                let old = olds.get(&part).copied();
                below(part, old, new, node.element());
            }
        }
        (old, _) => {
            found.is_member = old.is_none() || with_modified;
            return;
        }
    }
    found.is_member = old.is_none();
}

/// Takes the changed fields from all managers. Returns those that were taken.
fn take_over(managers: &mut [Manager], changes: &Changes) -> Vec<Conflict> {
    let mut conflicts = Vec::new();
    for manager in managers {
        let taken = manager.fields.intersection(&changes.set);
        if !taken.is_empty() {
            let shown = shown(manager);
            conflicts.extend(taken.paths().into_iter().map(|path| Conflict { path, manager: shown.clone() }));
            manager.fields = manager.fields.difference(&taken);
        }
        if !changes.removed.is_empty() {
            manager.fields = manager.fields.difference(&changes.removed);
        }
    }
    conflicts
}

fn shown(manager: &Manager) -> String {
    let mut text = format!("{:?}", manager.name);
    if !manager.subresource.is_empty() {
        text.extend([" with subresource ", &format!("{:?}", manager.subresource)]);
    }
    if manager.operation == "Update" {
        text.extend([" using ", &manager.api_version]);
    }
    text
}
