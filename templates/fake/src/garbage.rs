//! Garbage: dependents whose owners are gone, and the contents of namespaces that end.

use crate::call::State;
use crate::object::{Tree, finalizers, is_terminating};
use crate::store::Key;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The owners of all objects, as of one moment.
#[derive(Debug, Default)]
struct Ownership {
    /// Objects that exist, and do not wait for their dependents.
    alive: BTreeSet<String>,
    /// The dependents of each owner.
    dependents: BTreeMap<String, Vec<Key>>,
}

impl Ownership {
    fn of(objects: &[(Key, Value)]) -> Self {
        let mut ownership = Self::default();
        for (key, object) in objects {
            if !finalizers(object).contains(&"foregroundDeletion") {
                ownership.alive.insert(object.text("uid").to_owned());
            }
            for owner in uids_of_owners(object) {
                ownership.dependents.entry(owner.to_owned()).or_default().push(key.clone());
            }
        }
        ownership
    }

    /// Whether all owners of an object are gone.
    fn is_abandoned(&self, object: &Value) -> bool {
        let owners = uids_of_owners(object);
        !owners.is_empty() && !is_terminating(object) && owners.iter().all(|uid| !self.alive.contains(*uid))
    }

    /// Whether an object waits for the collector.
    fn is_held_back(&self, key: &Key, object: &Value) -> bool {
        let held = finalizers(object);
        let has_dependents = self.dependents.contains_key(object.text("uid"));
        let can_go = held.contains(&"orphan") || held.contains(&"foregroundDeletion") && !has_dependents;
        is_terminating(object) && (can_go || is_namespace(key))
    }
}

impl State {
    /// Does what a garbage collector would have done by then, until nothing is left to do.
    pub(crate) fn collect(&mut self, time: &str) {
        loop {
            let before = self.store.version();
            self.collect_once(time);
            if self.store.version() == before {
                return;
            }
        }
    }

    /// Settles all objects that are garbage as of now. That may make others garbage.
    fn collect_once(&mut self, time: &str) {
        let objects: Vec<_> = self.store.all().map(|(key, object)| (key.clone(), object.tree())).collect();
        let ownership = Ownership::of(&objects);
        for (key, object) in &objects {
            if ownership.is_abandoned(object) {
                self.end(key, time);
            } else if ownership.is_held_back(key, object) {
                self.settle(key, &ownership, time);
            }
        }
    }

    fn settle(&mut self, key: &Key, ownership: &Ownership, time: &str) {
        let Some(mut object) = self.store.tree(key) else { return };
        if finalizers(&object).contains(&"orphan") {
            let uid = object.text("uid").to_owned();
            ownership.dependents.get(&uid).into_iter().flatten().for_each(|key| self.disown(key, &uid));
        }
        if is_namespace(key) {
            self.store.in_namespace(&key.path).iter().for_each(|key| self.end(key, time));
            // Objects that finalizers keep also keep the namespace.
            if self.store.in_namespace(&key.path).is_empty() {
                self.store.remove(key);
            }
            return;
        }
        let kept: Vec<_> =
            finalizers(&object).into_iter().filter(|name| !matches!(*name, "orphan" | "foregroundDeletion")).collect();
        if kept.is_empty() {
            self.store.remove(key);
        } else {
            object.set_metadata("finalizers", json!(kept));
            self.store.put(key.clone(), object);
        }
    }

    /// Removes an object, or marks it where finalizers hold it.
    fn end(&mut self, key: &Key, time: &str) {
        let Some(mut object) = self.store.tree(key) else { return };
        if finalizers(&object).is_empty() {
            self.store.remove(key);
        } else if !is_terminating(&object) {
            object.set_metadata("deletionTimestamp", json!(time));
            object.set_metadata("deletionGracePeriodSeconds", json!(0));
            self.store.put(key.clone(), object);
        }
    }

    /// Removes an owner from an object.
    fn disown(&mut self, key: &Key, uid: &str) {
        let Some(mut object) = self.store.tree(key) else { return };
        let owners = object.metadata("ownerReferences").and_then(Value::as_array).cloned().unwrap_or_default();
        let kept: Vec<_> = owners.into_iter().filter(|owner| owner["uid"] != uid).collect();
        if kept.is_empty() {
            object.remove_metadata("ownerReferences");
        } else {
            object.set_metadata("ownerReferences", Value::Array(kept));
        }
        self.store.put(key.clone(), object);
    }
}

fn is_namespace(key: &Key) -> bool {
    &*key.resource == "namespaces."
}

fn uids_of_owners(object: &Value) -> Vec<&str> {
    let owners = object.metadata("ownerReferences").and_then(Value::as_array);
    owners.into_iter().flatten().filter_map(|owner| owner.get("uid")?.as_str()).collect()
}
