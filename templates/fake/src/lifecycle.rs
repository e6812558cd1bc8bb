//! Removal of objects and of everything that goes with them: a definition is removed with its kinds
//! and all of their objects.
//!
//! Servers keep a deleted definition, with a finalizer, until no object of its kinds is left.

use crate::change::{FieldWriter, track_update};
use crate::key::Key;
use crate::object::{Tree, finalizers, is_terminating, mark_deleted};
use crate::state::{DEFINITIONS, State};
use crate::taken_names::TakenNames;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The finalizer that keeps a definition until its objects are gone.
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// Removes an object. A definition takes its kinds and all of their objects along, and the last
/// object of a deleted definition takes the definition along.
pub(crate) fn remove(state: &mut State, key: &Key) {
    state.store.remove(key);
    if &*key.resource == DEFINITIONS {
        state.taken_names.remove(&key.path);
        remove_kinds(state, &key.path);
        accept_others(state, &key.path);
    } else {
        finish_definition(state, &definition_key(&key.resource));
    }
}

/// Accepts the names of definitions that waited for the removal of another one of their group, with
/// their creation time as the time of the change.
fn accept_others(state: &mut State, resource: &str) {
    let group = resource.split_once('.').map_or("", |(_, group)| group);
    for path in state.taken_names.waiting(group) {
        let key = Key { resource: DEFINITIONS.into(), path };
        let Some(other) = state.store.tree(&key).filter(|other| !is_terminating(other)) else {
            continue;
        };
        let time = other.metadata_text("creationTimestamp").to_owned();
        drop(accept(state, &key, &other, &time));
    }
}

/// Serves the kinds of a definition, in place of its former ones.
pub(crate) fn define(state: &mut State, definition: &Value) -> Result<(), String> {
    state.registry.add_definition(definition)?;
    let identity =
        ["spec.names.plural", "spec.group"].map(|path| definition.at(path).and_then(Value::as_str));
    let [plural, group] = identity.map(Option::unwrap_or_default);
    let resource: Arc<str> = format!("{plural}.{group}").into();
    let versions = state.registry.versions_of(&resource);
    let customs = versions.filter_map(|version| version.custom.as_deref());
    // All versions share their objects.
    let selectable: BTreeSet<_> =
        customs.flat_map(|custom| custom.selectable.iter().cloned()).collect();
    state.store.set_selectable(&resource, &Vec::from_iter(selectable));
    Ok(())
}

/// Accepts the names of a definition and serves its kinds, as the controllers of a server do once
/// it is stored. A definition is not served if others of its group have its names. Returns the
/// definition as stored afterwards.
pub(crate) fn accept(
    state: &mut State,
    key: &Key,
    live: &Value,
    time: &str,
) -> Result<Value, String> {
    let names = Names::new(&state.taken_names, key, live);
    let mut object = live.clone();
    object.put("status.acceptedNames", names.accepted.clone());
    let mut conditions = object.list("status.conditions").to_vec();
    let was_established =
        conditions.iter().any(|known| known["type"] == "Established" && known["status"] == "True");
    let [accepted, established] = match &names.conflict {
        None => [
            ("True", "NoConflicts", "no conflicts found".to_owned()),
            ("True", "InitialNamesAccepted", "the initial names have been accepted".to_owned()),
        ],
        Some((reason, why)) => [
            ("False", *reason, why.clone()),
            ("False", "NotAccepted", "not all names are accepted".to_owned()),
        ],
    };
    set_condition(&mut conditions, "NamesAccepted", accepted, time);
    // Once served, a kind stays served.
    if !was_established {
        set_condition(&mut conditions, "Established", established, time);
    }
    object.put("status.conditions", Value::Array(conditions));
    if names.conflict.is_none() || was_established {
        define(state, &object)?;
    }
    let group = object.at("spec.group").and_then(Value::as_str).unwrap_or_default();
    state.taken_names.set(&key.path, group, &names.accepted, names.conflict.is_some());
    Ok(write_status(state, key, live, object, time))
}

/// The names of a definition that no other one of its group has.
struct Names {
    accepted: Value,
    /// The first reason for the refusal of a name, and the message.
    conflict: Option<(&'static str, String)>,
}

impl Names {
    fn new(taken: &TakenNames, key: &Key, definition: &Value) -> Self {
        let group = definition.at("spec.group").and_then(Value::as_str).unwrap_or_default();
        let mut conflict = None;
        let mut accepted = json!({"plural": "", "kind": ""});
        let checks = [
            ("plural", "PluralConflict"),
            ("singular", "SingularConflict"),
            ("shortNames", "ShortNamesConflict"),
            ("kind", "KindConflict"),
            ("listKind", "ListKindConflict"),
            ("categories", ""),
        ];
        for (name, reason) in checks {
            let Some(stated) = definition.at("spec.names").and_then(|names| names.get(name)) else {
                continue;
            };
            let words: Vec<&Value> =
                stated.as_array().map_or_else(|| vec![stated], |list| list.iter().collect());
            match words.into_iter().find(|word| taken.is_by_another(&key.path, group, name, word)) {
                Some(word) => {
                    _ = conflict.get_or_insert((reason, format!("{word} is already in use")));
                }
                None => accepted[name] = stated.clone(),
            }
        }
        Self { accepted, conflict }
    }
}

/// Sets a condition. Its time is when its status last changed.
fn set_condition(
    conditions: &mut Vec<Value>,
    kind: &str,
    (status, reason, message): (&str, &str, String),
    time: &str,
) {
    let known = conditions.iter_mut().find(|known| known["type"] == kind);
    let since = known
        .as_ref()
        .filter(|known| known["status"] == status)
        .map(|known| known["lastTransitionTime"].clone());
    let condition = json!({
        "type": kind, "status": status, "lastTransitionTime": since.unwrap_or_else(|| json!(time)),
        "reason": reason, "message": message,
    });
    match known {
        Some(known) => *known = condition,
        None => conditions.push(condition),
    }
}

/// Stores a definition after the server itself has changed its status, and records that change.
fn write_status(
    state: &mut State,
    key: &Key,
    live: &Value,
    mut object: Value,
    time: &str,
) -> Value {
    if object == *live {
        return object;
    }
    let mut before = live.clone();
    // A list that is `null` is there already, and it has no owner.
    if before.at("status.conditions").is_some_and(Value::is_null) {
        before.put("status.conditions", json!([]));
    }
    if let Some(resource) =
        state.registry.get("apiextensions.k8s.io", "v1", "customresourcedefinitions")
    {
        let time = time.parse().ok();
        let writer = FieldWriter {
            name: "kube-apiserver",
            subresource: "status",
            api_version: resource.api_version(),
            time,
        };
        track_update(&before, &mut object, &resource.schema, &writer);
    }
    state.store.put(key.clone(), object)
}

/// Removes the kinds of a definition, which has the name of their resource, and all their objects.
fn remove_kinds(state: &mut State, resource: &Arc<str>) {
    state.registry.remove_definition(resource);
    for (path, _) in state.store.list(resource, None) {
        state.store.remove(&Key { resource: resource.clone(), path });
    }
}

/// The reason and the message of a definition: before its objects are deleted, and while they are.
const ENDS: [(&str, &str); 2] = [
    (
        "InstanceDeletionPending",
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    ),
    ("InstanceDeletionInProgress", "CustomResource deletion is in progress"),
];

/// A definition in the state in which it waits for its removal.
pub(crate) fn ending(live: &Value, time: &str) -> Value {
    let mut object = live.clone();
    if is_terminating(live) {
        return object;
    }
    let mut held: Vec<_> = finalizers(live).into_iter().filter(|name| *name != CLEANUP).collect();
    held.push(CLEANUP);
    object.set_metadata("finalizers", json!(held));
    object.set_metadata("deletionTimestamp", json!(time));
    set_end(&mut object, 0, time);
    object
}

fn set_end(object: &mut Value, step: usize, time: &str) {
    let mut conditions = object.list("status.conditions").to_vec();
    let (reason, message) = ENDS[step];
    set_condition(&mut conditions, "Terminating", ("True", reason, message.to_owned()), time);
    object.put("status.conditions", Value::Array(conditions));
}

/// Deletes a definition: at once, or when the last object of its kinds is gone. Returns the
/// terminating definition.
pub(crate) fn end_definition(state: &mut State, key: &Key, live: &Value, time: &str) -> Value {
    let mut object = ending(live, time);
    if object != *live {
        object = state.store.put(key.clone(), object);
        let mut begun = object.clone();
        set_end(&mut begun, 1, time);
        write_status(state, key, &object, begun, time);
    }
    delete_objects_of(state, &key.path, time);
    finish_definition(state, key);
    object
}

/// Deletes the objects of a resource. Objects with finalizers are only marked as deleted.
fn delete_objects_of(state: &mut State, resource: &Arc<str>, time: &str) {
    for (path, object) in state.store.list(resource, None) {
        let key = Key { resource: resource.clone(), path };
        let mut object = object.tree();
        if finalizers(&object).is_empty() {
            state.store.remove(&key);
        } else if !is_terminating(&object) {
            mark_deleted(&mut object, time, 0);
            state.store.put(key, object);
        }
    }
}

/// Removes a deleted definition if no object of its kinds is left and it has no other finalizer.
fn finish_definition(state: &mut State, key: &Key) {
    let is_ending = state.store.get(key).is_some_and(|definition| definition.is_terminating());
    if !is_ending || state.store.has_any(&key.path, None) {
        return;
    }
    let Some(mut definition) = state.store.tree(key) else { return };
    let held: Vec<_> =
        finalizers(&definition).into_iter().filter(|name| *name != CLEANUP).collect();
    if held.is_empty() {
        remove(state, key);
        return;
    }
    if held.len() < finalizers(&definition).len() {
        let held = json!(held);
        definition.set_metadata("finalizers", held);
        state.store.put(key.clone(), definition);
    }
}

/// The key of the definition of a resource. The store knows the resource by the same name.
pub(crate) fn definition_key(resource: &Arc<str>) -> Key {
    Key { resource: DEFINITIONS.into(), path: resource.clone() }
}
