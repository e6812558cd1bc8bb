//! Definitions of custom resources: accepting them, and their end.
//!
//! A server keeps a definition that is deleted, with a finalizer of its own, until no object of its kinds is left.

use super::create::immutable;
use crate::call::{Call, DEFINITIONS, State};
use crate::failure::{Cause, Failure};
use crate::names;
use crate::object::{Tree, finalizers, is_terminating, mark_deleted};
use crate::registry::bad_kinds;
use crate::store::Key;
use serde_json::{Value, json};
use std::sync::Arc;

/// The finalizer that keeps a definition until its objects are gone.
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

impl Call<'_> {
    /// Whether the objects of the resource define custom resources.
    pub(super) fn is_definition(&self) -> bool {
        &**self.resource.key() == DEFINITIONS
    }

    /// Checks the name of a new definition, which is that of the resource in the store. The registry refuses a definition
    /// that lacks a part of it.
    pub(super) fn check_definition_name(&self, object: &Value) -> Result<(), Failure> {
        let [Some(group), Some(plural)] = IDENTITY.map(|path| object.at(path).and_then(Value::as_str)) else {
            return Ok(());
        };
        let name = object.text("name");
        self.check_kinds(object)?;
        if !self.is_definition() || name == format!("{plural}.{group}") {
            return Ok(());
        }
        let cause = Cause::invalid("metadata.name", &json!(name), "must be spec.names.plural+\".\"+spec.group");
        Err(Failure::invalid_object(&self.resource, name, &[cause]))
    }

    /// Checks that a definition stays one of the same resource.
    pub(super) fn check_definition_change(&self, object: &Value, live: &Value) -> Result<(), Failure> {
        if !self.is_definition() {
            return Ok(());
        }
        self.check_kinds(object)?;
        let changed = IDENTITY.into_iter().filter(|path| string(object, path) != string(live, path));
        let causes: Vec<_> = changed.map(|path| immutable(path, &json!(string(object, path)))).collect();
        if causes.is_empty() {
            return Ok(());
        }
        Err(Failure::invalid_object(&self.resource, object.text("name"), &causes))
    }

    /// Checks the kinds that a definition states.
    fn check_kinds(&self, object: &Value) -> Result<(), Failure> {
        let causes = if self.is_definition() { bad_kinds(object) } else { Vec::new() };
        if causes.is_empty() {
            return Ok(());
        }
        Err(Failure::invalid_object(&self.resource, object.text("name"), &causes))
    }

    /// The conditions of a definition whose kinds are served, for which clients wait.
    pub(super) fn accepted(&self) -> Value {
        let condition = |kind: &str, reason: &str| {
            let time = names::time(self.now);
            json!({"type": kind, "status": "True", "lastTransitionTime": time, "reason": reason, "message": ""})
        };
        json!([condition("NamesAccepted", "NoConflicts"), condition("Established", "InitialNamesAccepted")])
    }

    /// Whether the definition of the resource waits for its end. It then takes no new objects.
    fn is_ending(&self) -> bool {
        let definition = definition_key(self.resource.key());
        self.resource.custom.is_some() && self.state.store.get(&definition).is_some_and(|found| found.is_terminating())
    }

    /// Refuses a POST to a resource whose definition waits for its end.
    pub(super) fn check_not_ending(&self) -> Result<(), Failure> {
        if !self.is_ending() {
            return Ok(());
        }
        let resource = &self.resource;
        let details = json!({"group": resource.group, "kind": resource.plural});
        Err(Failure::new(405, "MethodNotAllowed", ENDING.to_owned()).with_details(details))
    }

    /// Refuses an apply that would create an object whose definition waits for its end. This is a matter of admission,
    /// which follows the validation of the object.
    pub(super) fn check_not_ending_for_apply(&self) -> Result<(), Failure> {
        if !self.is_ending() {
            return Ok(());
        }
        let (resource, name) = (&self.resource, self.name());
        let message = format!("{} \"{name}\" is forbidden: {ENDING}", resource.qualified());
        let details = json!({"name": name, "group": resource.group, "kind": resource.plural});
        Err(Failure::new(403, "Forbidden", message).with_details(details))
    }
}

const ENDING: &str = "create not allowed while custom resource definition is terminating";

/// The members that name the resource of a definition.
const IDENTITY: [&str; 2] = ["spec.group", "spec.names.plural"];

/// The string at a path with dots. Empty if it is absent.
fn string<'a>(object: &'a Value, path: &str) -> &'a str {
    object.at(path).and_then(Value::as_str).unwrap_or_default()
}

/// A definition as it is while it waits for its end.
pub(super) fn ending(live: &Value, time: &str) -> Value {
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

impl State {
    /// Deletes a definition: at once, or when the last object of its kinds is gone. Returns it as it waited for that.
    pub(crate) fn end_definition(&mut self, key: &Key, live: &Value, time: &str) -> Value {
        let mut object = ending(live, time);
        if object != *live {
            object = self.store.put(key.clone(), object);
        }
        self.delete_objects_of(&key.path, time);
        self.finish_definition(key);
        object
    }

    /// Deletes the objects of a resource. Those with finalizers wait for their end.
    fn delete_objects_of(&mut self, resource: &Arc<str>, time: &str) {
        for (path, object) in self.store.list(resource, None) {
            let key = Key { resource: resource.clone(), path };
            let mut object = object.tree();
            if finalizers(&object).is_empty() {
                self.store.remove(&key);
            } else if !is_terminating(&object) {
                mark_deleted(&mut object, time, 0);
                self.store.put(key, object);
            }
        }
    }

    /// Ends a definition that is deleted, if no object of its kinds is left and no other finalizer holds it.
    fn finish_definition(&mut self, key: &Key) {
        let is_ending = self.store.get(key).is_some_and(|definition| definition.is_terminating());
        if !is_ending || self.store.has_any(&key.path) {
            return;
        }
        let Some(mut definition) = self.store.tree(key) else { return };
        let held: Vec<_> = finalizers(&definition).into_iter().filter(|name| *name != CLEANUP).collect();
        if held.is_empty() {
            self.remove(key);
            return;
        }
        if held.len() < finalizers(&definition).len() {
            let held = json!(held);
            definition.set_metadata("finalizers", held);
            self.store.put(key.clone(), definition);
        }
    }

    /// Ends the definition of an object that is gone, if it waited for that.
    pub(crate) fn finish_definition_of(&mut self, object: &Key) {
        self.finish_definition(&definition_key(&object.resource));
    }
}

/// The key of the definition of a resource. Its name is that of the resource in the store.
fn definition_key(resource: &Arc<str>) -> Key {
    Key { resource: DEFINITIONS.into(), path: resource.clone() }
}
