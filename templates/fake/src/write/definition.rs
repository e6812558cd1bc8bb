//! Definitions of custom resources: accepting them, and their end.
//!
//! A server keeps a definition that is deleted, with a finalizer of its own, until no object of its kinds is left.

use super::delete::Fate;
use crate::call::{Call, DEFINITIONS, State};
use crate::failure::Failure;
use crate::names;
use crate::object::{Tree, finalizers, is_terminating};
use crate::store::Key;
use serde_json::{Value, json};

/// The finalizer that keeps a definition until its objects are gone.
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

impl Call<'_> {
    /// Whether the objects of the resource define custom resources.
    pub(super) fn is_definition(&self) -> bool {
        DEFINITIONS.split_once('.') == Some((self.resource.plural.as_str(), self.resource.group.as_str()))
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
        self.resource.custom.is_some()
            && self.state.definition_of(self.resource.key()).is_some_and(|definition| is_terminating(&definition))
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

    /// Refuses a patch that would create an object whose definition waits for its end.
    pub(super) fn check_not_ending_for_patch(&self) -> Result<(), Failure> {
        if !self.is_ending() {
            return Ok(());
        }
        let (resource, name) = (&self.resource, self.name());
        let message = format!("{} \"{name}\" is forbidden: {ENDING}", resource.qualified());
        let details = json!({"name": name, "group": resource.group, "kind": resource.plural});
        Err(Failure::new(403, "Forbidden", message).with_details(details))
    }

    /// Deletes a definition: at once, or when the last object of its kinds is gone.
    pub(super) fn delete_definition(&mut self, live: &Value, is_dry_run: bool) -> Fate {
        let mut object = live.clone();
        if !is_terminating(live) {
            let time = names::time(self.now);
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
        }
        if is_dry_run {
            return Fate::Waits(object);
        }
        let key = self.key(live.text("name"));
        if object != *live {
            object = self.state.store.put(key.clone(), object);
        }
        self.state.delete_objects_of(&object, &names::time(self.now));
        self.state.finish_definition(&key);
        Fate::Waits(object)
    }
}

const ENDING: &str = "create not allowed while custom resource definition is terminating";

impl State {
    /// The definition of a resource, if a client created it.
    fn definition_of(&self, resource: &str) -> Option<Value> {
        let found = self.store.get(&definition_key(resource))?;
        Some(found.tree())
    }

    /// Deletes the objects of a definition. Those with finalizers wait for their end.
    fn delete_objects_of(&mut self, definition: &Value, time: &str) {
        let Some(resource) = objects_of(definition) else { return };
        for (path, object) in self.store.list(&resource.resource, None) {
            let key = Key { path, ..resource.clone() };
            let mut object = object.tree();
            if finalizers(&object).is_empty() {
                self.store.remove(&key);
            } else if !is_terminating(&object) {
                object.set_metadata("deletionTimestamp", json!(time));
                object.set_metadata("deletionGracePeriodSeconds", json!(0));
                self.store.put(key, object);
            }
        }
    }

    /// Ends a definition that is deleted, if no object of its kinds is left and no other finalizer holds it.
    fn finish_definition(&mut self, key: &Key) {
        let Some(mut definition) = self.store.tree(key).filter(is_terminating) else { return };
        let Some(resource) = objects_of(&definition) else { return };
        if !self.store.list(&resource.resource, None).is_empty() {
            return;
        }
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
        let key = definition_key(&object.resource);
        if self.store.get(&key).is_some_and(|definition| definition.is_terminating()) {
            self.finish_definition(&key);
        }
    }
}

/// The key of a definition: its name is that of its resource in the store.
fn definition_key(resource: &str) -> Key {
    Key::new("apiextensions.k8s.io", "customresourcedefinitions", None, resource)
}

/// The key of the objects of a definition, without a path.
fn objects_of(definition: &Value) -> Option<Key> {
    let (group, plural) = crate::registry::identity(definition)?;
    Some(Key::new(group, plural, None, ""))
}
