//! Garbage: dependents whose owners are gone, and the contents of namespaces that end.

use crate::key::Key;
use crate::lifecycle;
use crate::object::{Tree, finalizers, is_terminating, mark_deleted};
use crate::state::{DEFINITIONS, NAMESPACES, State};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Does what a garbage collector would have done by then, until nothing is left to do.
pub(crate) fn collect(state: &mut State, time: &str) {
    loop {
        let before = state.store.version();
        Collector::new(state, time).run();
        if state.store.version() == before {
            return;
        }
    }
}

/// The owners and namespaces of all objects, kept up to date with each change that it makes itself. An object is visited
/// once, and again when something changed that it waits for: chains of owners cost no more than their length. The
/// objects that go with a definition are noticed in the next round.
struct Collector<'a> {
    state: &'a mut State,
    time: &'a str,
    /// The objects by their IDs.
    keys: BTreeMap<String, Key>,
    /// Those that do not wait for their dependents.
    alive: BTreeSet<String>,
    /// The dependents of each owner.
    dependents: BTreeMap<String, BTreeSet<Key>>,
    /// The contents of each namespace.
    contents: BTreeMap<String, BTreeSet<Key>>,
    /// The objects to look at.
    due: BTreeSet<Key>,
}

impl<'a> Collector<'a> {
    fn new(state: &'a mut State, time: &'a str) -> Self {
        let objects: Vec<_> = state.store.all().map(|(key, object)| (key, object.clone())).collect();
        let mut collector = Self {
            state,
            time,
            keys: BTreeMap::new(),
            alive: BTreeSet::new(),
            dependents: BTreeMap::new(),
            contents: BTreeMap::new(),
            due: BTreeSet::new(),
        };
        for (key, object) in objects {
            collector.add(&key, &object.tree());
            collector.due.insert(key);
        }
        collector
    }

    fn run(&mut self) {
        while let Some(key) = self.due.pop_first() {
            let Some(object) = self.state.store.tree(&key) else { continue };
            if self.is_abandoned(&object) {
                self.end(&key, object);
            } else if self.is_held_back(&key, &object) {
                self.settle(&key, object);
            }
        }
    }

    fn add(&mut self, key: &Key, object: &Value) {
        let uid = object.text("uid").to_owned();
        if !finalizers(object).contains(&"foregroundDeletion") {
            self.alive.insert(uid.clone());
        }
        for owner in uids_of_owners(object) {
            self.dependents.entry(owner.to_owned()).or_default().insert(key.clone());
        }
        if let Some(namespace) = key.namespace() {
            self.contents.entry(namespace.to_owned()).or_default().insert(key.clone());
        }
        self.keys.insert(uid, key.clone());
    }

    /// Forgets an object, and looks again at those that wait for its end.
    fn forget(&mut self, key: &Key, object: &Value) {
        let uid = object.text("uid");
        self.alive.remove(uid);
        self.keys.remove(uid);
        for owner in uids_of_owners(object) {
            let Some(dependents) = self.dependents.get_mut(owner) else { continue };
            dependents.remove(key);
            if dependents.is_empty() {
                self.dependents.remove(owner);
                self.due.extend(self.keys.get(owner).cloned());
            }
        }
        let Some(namespace) = key.namespace() else { return };
        let Some(contents) = self.contents.get_mut(namespace) else { return };
        contents.remove(key);
        if contents.is_empty() {
            self.due.insert(Key::new("", "namespaces", None, namespace));
        }
    }

    /// Removes an object for good.
    fn remove(&mut self, key: &Key, object: &Value) {
        lifecycle::remove(self.state, key);
        self.forget(key, object);
        self.due.extend(self.dependents.get(object.text("uid")).into_iter().flatten().cloned());
    }

    fn put(&mut self, key: &Key, old: &Value, new: Value) {
        self.forget(key, old);
        let new = self.state.store.put(key.clone(), new);
        self.add(key, &new);
        self.due.insert(key.clone());
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

    fn settle(&mut self, key: &Key, mut object: Value) {
        if finalizers(&object).contains(&"orphan") {
            let dependents = self.dependents.get(object.text("uid")).cloned().unwrap_or_default();
            for dependent in &dependents {
                self.disown(dependent, object.text("uid"));
            }
        }
        if is_namespace(key) {
            for content in self.contents.get(&*key.path).cloned().unwrap_or_default() {
                if let Some(object) = self.state.store.tree(&content) {
                    self.end(&content, object);
                }
            }
            // Objects that finalizers keep also keep the namespace.
            if self.contents.get(&*key.path).is_none_or(BTreeSet::is_empty) {
                self.remove(key, &object);
            }
            return;
        }
        let kept: Vec<_> =
            finalizers(&object).into_iter().filter(|name| !matches!(*name, "orphan" | "foregroundDeletion")).collect();
        if kept.is_empty() {
            self.remove(key, &object);
        } else {
            let (kept, old) = (json!(kept), object.clone());
            object.set_metadata("finalizers", kept);
            self.put(key, &old, object);
        }
    }

    /// Removes an object, or marks it where finalizers hold it.
    fn end(&mut self, key: &Key, mut object: Value) {
        if &*key.resource == DEFINITIONS {
            self.end_definition(key, &object);
        } else if finalizers(&object).is_empty() {
            self.remove(key, &object);
        } else if !is_terminating(&object) {
            let old = object.clone();
            mark_deleted(&mut object, self.time, 0);
            self.put(key, &old, object);
        }
    }

    /// Deletes a definition, which may wait for objects of its kinds.
    fn end_definition(&mut self, key: &Key, object: &Value) {
        lifecycle::end_definition(self.state, key, object, self.time);
        self.forget(key, object);
        if let Some(left) = self.state.store.tree(key) {
            self.add(key, &left);
        }
        self.due.extend(self.dependents.get(object.text("uid")).into_iter().flatten().cloned());
    }

    /// Removes an owner from an object.
    fn disown(&mut self, key: &Key, uid: &str) {
        let Some(mut object) = self.state.store.tree(key) else { return };
        let old = object.clone();
        let owners = object.metadata("ownerReferences").and_then(Value::as_array).cloned().unwrap_or_default();
        let kept: Vec<_> = owners.into_iter().filter(|owner| owner["uid"] != uid).collect();
        if kept.is_empty() {
            object.remove_metadata("ownerReferences");
        } else {
            object.set_metadata("ownerReferences", Value::Array(kept));
        }
        self.put(key, &old, object);
    }
}

fn is_namespace(key: &Key) -> bool {
    &*key.resource == NAMESPACES
}

fn uids_of_owners(object: &Value) -> Vec<&str> {
    let owners = object.metadata("ownerReferences").and_then(Value::as_array);
    owners.into_iter().flatten().filter_map(|owner| owner.get("uid")?.as_str()).collect()
}
