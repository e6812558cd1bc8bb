//! Ends of objects, and what goes with them: a definition takes its kinds along, and all their objects.
//!
//! A server keeps a definition that is deleted, with a finalizer of its own, until no object of its kinds is left.

use crate::key::Key;
use crate::object::{Tree, finalizers, is_terminating, mark_deleted};
use crate::state::{DEFINITIONS, State};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The finalizer that keeps a definition until its objects are gone.
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// Removes an object. With a definition go its kinds, and all their objects; with the last object of a definition that is
/// deleted goes that.
pub(crate) fn remove(state: &mut State, key: &Key) {
    state.store.remove(key);
    if &*key.resource == DEFINITIONS {
        remove_kinds(state, &key.path);
    } else {
        finish_definition(state, &definition_key(&key.resource));
    }
}

/// Serves the kinds of a definition, in place of those that it had.
pub(crate) fn define(state: &mut State, definition: &Value) -> Result<(), String> {
    state.registry.add_definition(definition)?;
    let identity = ["spec.names.plural", "spec.group"].map(|path| definition.at(path).and_then(Value::as_str));
    let [plural, group] = identity.map(Option::unwrap_or_default);
    let resource: Arc<str> = format!("{plural}.{group}").into();
    let versions = state.registry.versions_of(&resource);
    let customs = versions.filter_map(|version| version.custom.as_deref());
    // All versions share their objects.
    let selectable: BTreeSet<_> = customs.flat_map(|custom| custom.selectable.iter().cloned()).collect();
    state.store.select_by(&resource, &Vec::from_iter(selectable));
    Ok(())
}

/// Removes the kinds of a definition, which has the name of their resource, and all their objects.
fn remove_kinds(state: &mut State, resource: &Arc<str>) {
    state.registry.remove_definition(resource);
    for (path, _) in state.store.list(resource, None) {
        state.store.remove(&Key { resource: resource.clone(), path });
    }
}

/// A definition as it is while it waits for its end.
pub(crate) fn ending(live: &Value, time: &str) -> Value {
    let mut object = live.clone();
    if is_terminating(live) {
        return object;
    }
    let mut held: Vec<_> = finalizers(live).into_iter().filter(|name| *name != CLEANUP).collect();
    held.push(CLEANUP);
    object.set_metadata("finalizers", json!(held));
    object.set_metadata("deletionTimestamp", json!(time));
    let condition = json!({
        "type": "Terminating", "status": "True", "lastTransitionTime": time,
        "reason": "InstanceDeletionInProgress", "message": "CustomResource deletion is in progress",
    });
    let known = live.at("status.conditions").and_then(Value::as_array);
    let others = known.into_iter().flatten().filter(|known| known["type"] != "Terminating");
    object.put("status.conditions", others.cloned().chain([condition]).collect());
    object
}

/// Deletes a definition: at once, or when the last object of its kinds is gone. Returns it as it waited for that.
pub(crate) fn end_definition(state: &mut State, key: &Key, live: &Value, time: &str) -> Value {
    let mut object = ending(live, time);
    if object != *live {
        object = state.store.put(key.clone(), object);
    }
    delete_objects_of(state, &key.path, time);
    finish_definition(state, key);
    object
}

/// Deletes the objects of a resource. Those with finalizers wait for their end.
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

/// Ends a definition that is deleted, if no object of its kinds is left and no other finalizer holds it.
fn finish_definition(state: &mut State, key: &Key) {
    let is_ending = state.store.get(key).is_some_and(|definition| definition.is_terminating());
    if !is_ending || state.store.has_any(&key.path) {
        return;
    }
    let Some(mut definition) = state.store.tree(key) else { return };
    let held: Vec<_> = finalizers(&definition).into_iter().filter(|name| *name != CLEANUP).collect();
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

/// The key of the definition of a resource. Its name is that of the resource in the store.
pub(crate) fn definition_key(resource: &Arc<str>) -> Key {
    Key { resource: DEFINITIONS.into(), path: resource.clone() }
}
