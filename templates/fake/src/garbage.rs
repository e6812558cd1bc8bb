//! Garbage: dependents whose owners are gone, and the contents of namespaces that end.

use crate::call::State;
use crate::object::{Tree, finalizers, is_terminating};
use crate::store::Key;
use serde_json::{Value, json};
use std::sync::Arc;

impl State {
    /// Does what a garbage collector would do by now, until nothing is left to do.
    pub(crate) fn collect(&mut self, time: &str) {
        while let Some((key, object)) = self.next_garbage() {
            self.settle(&key, &object, time);
        }
    }

    fn next_garbage(&self) -> Option<(Key, Arc<Value>)> {
        let needs_work =
            |(key, object): &(&Key, &Arc<Value>)| self.is_abandoned(object) || self.is_held_back(key, object);
        self.store.all().find(needs_work).map(|(key, object)| (key.clone(), object.clone()))
    }

    /// Whether all owners of an object are gone.
    fn is_abandoned(&self, object: &Value) -> bool {
        let owners = uids_of_owners(object);
        !owners.is_empty() && !is_terminating(object) && owners.iter().all(|uid| !self.is_alive(uid))
    }

    fn is_alive(&self, uid: &str) -> bool {
        self.store
            .all()
            .any(|(_, object)| object.text("uid") == uid && !finalizers(object).contains(&"foregroundDeletion"))
    }

    /// Whether an object waits for the collector.
    fn is_held_back(&self, key: &Key, object: &Value) -> bool {
        let held = finalizers(object);
        let is_namespace = &*key.resource == "namespaces.";
        let has_dependents = || self.dependents(object.text("uid")).next().is_some();
        let can_go = held.contains(&"orphan") || held.contains(&"foregroundDeletion") && !has_dependents();
        is_terminating(object) && (can_go || is_namespace)
    }

    fn dependents<'a>(&'a self, uid: &'a str) -> impl Iterator<Item = (&'a Key, &'a Arc<Value>)> {
        self.store.all().filter(move |(_, object)| uids_of_owners(object).contains(&uid))
    }

    fn settle(&mut self, key: &Key, object: &Value, time: &str) {
        if self.is_abandoned(object) {
            self.end(key, object, time);
            return;
        }
        if finalizers(object).contains(&"orphan") {
            self.disown_dependents(object.text("uid"));
        }
        if &*key.resource == "namespaces." {
            let contents = self.store.in_namespace(&key.path);
            if !contents.is_empty() {
                for key in contents {
                    if let Some(object) = self.store.get(&key).cloned() {
                        self.end(&key, &object, time);
                    }
                }
                // Objects that finalizers keep also keep the namespace.
                if !self.store.in_namespace(&key.path).is_empty() {
                    return;
                }
            }
            self.store.remove(key);
            return;
        }
        let kept: Vec<_> =
            finalizers(object).into_iter().filter(|name| !matches!(*name, "orphan" | "foregroundDeletion")).collect();
        if kept.is_empty() {
            self.store.remove(key);
        } else {
            let mut object = object.clone();
            object.set_metadata("finalizers", json!(kept));
            self.store.put(key.clone(), object);
        }
    }

    /// Removes an object, or marks it where finalizers hold it.
    fn end(&mut self, key: &Key, object: &Value, time: &str) {
        if finalizers(object).is_empty() {
            self.store.remove(key);
        } else if !is_terminating(object) {
            let mut object = object.clone();
            object.set_metadata("deletionTimestamp", json!(time));
            object.set_metadata("deletionGracePeriodSeconds", json!(0));
            self.store.put(key.clone(), object);
        }
    }

    fn disown_dependents(&mut self, uid: &str) {
        let dependents: Vec<_> = self.dependents(uid).map(|(key, object)| (key.clone(), object.clone())).collect();
        for (key, object) in dependents {
            let mut object = (*object).clone();
            let owners = object.metadata("ownerReferences").and_then(Value::as_array).cloned().unwrap_or_default();
            let kept: Vec<_> = owners.into_iter().filter(|owner| owner["uid"] != uid).collect();
            if kept.is_empty() {
                object.remove_metadata("ownerReferences");
            } else {
                object.set_metadata("ownerReferences", Value::Array(kept));
            }
            self.store.put(key, object);
        }
    }
}

fn uids_of_owners(object: &Value) -> Vec<&str> {
    let owners = object.metadata("ownerReferences").and_then(Value::as_array);
    owners.into_iter().flatten().filter_map(|owner| owner.get("uid")?.as_str()).collect()
}
