//! Garbage: dependents whose owners are gone, and the contents of namespaces that end.

use crate::key::Key;
use crate::lifecycle;
use crate::object::{Tree, finalizers, is_terminating, mark_deleted};
use crate::state::{DEFINITIONS, NAMESPACES, State};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The finalizer of an object that waits for its dependents.
const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of an object whose dependents are to lose their owner.
const ORPHAN: &str = "orphan";
/// The finalizer of a namespace that waits for its contents.
const CONTENTS: &str = "kubernetes";

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

/// Whether the changes behind a version may have left garbage. It costs no more than the changes.
pub(crate) fn may_be_left(state: &State, version: u64) -> bool {
    state.store.changes_after(version).any(|change| {
        let Some(new) = &change.new else {
            let namespace = change.key.namespace().map(|name| Key::of(NAMESPACES.into(), None, name));
            let is_ending = namespace.and_then(|key| state.store.get(&key)).is_some_and(|found| found.is_terminating());
            return is_ending || state.store.has_owned();
        };
        let is_waiting = || {
            let object = new.tree();
            is_namespace(&change.key) || finalizers(&object).iter().any(|name| matches!(*name, ORPHAN | FOREGROUND))
        };
        let is_abandoned = || {
            let object = new.tree();
            let mut owners = owners(&object);
            owners.any(|owner| !is_present(state, &change.key, owner))
        };
        new.is_terminating() && is_waiting() || new.has_owners() && is_abandoned()
    })
}

/// Whether the owner of an object is there, and does not wait for its end.
fn is_present(state: &State, key: &Key, owner: &Value) -> bool {
    let text = |name: &str| owner[name].as_str().unwrap_or_default();
    let Some(resource) = state.registry.of_kind(text("apiVersion"), text("kind")) else { return true };
    let namespace = key.namespace().filter(|_| resource.namespaced);
    let found = state.store.get(&Key::of(resource.key().clone(), namespace, text("name")));
    found.is_some_and(|found| !found.is_terminating() && found.tree().text("uid") == text("uid"))
}

/// The owners and namespaces of all objects, kept up to date with each change that it makes itself. An object is visited
/// once, and again when something changed that it waits for: chains of owners cost no more than their length. The
/// objects that go with a definition are noticed in the next round.
struct Collector<'a> {
    state: &'a mut State,
    time: &'a str,
    /// The objects by their IDs.
    keys: BTreeMap<String, Key>,
    /// Those that wait for their dependents.
    waiting: BTreeSet<String>,
    /// The dependents of each owner.
    dependents: BTreeMap<String, BTreeSet<Key>>,
    /// Those of them for which it waits.
    blocking: BTreeMap<String, BTreeSet<Key>>,
    /// The contents of each namespace.
    contents: BTreeMap<String, BTreeSet<Key>>,
    /// The objects to look at.
    due: BTreeSet<Key>,
}

/// The owners of an object, by what is left of them.
#[derive(Default)]
struct Owners {
    /// The IDs of those that are gone.
    gone: Vec<String>,
    /// The IDs of those that wait for their dependents.
    waiting: Vec<String>,
    /// Whether another one is there.
    has_other: bool,
}

impl<'a> Collector<'a> {
    fn new(state: &'a mut State, time: &'a str) -> Self {
        let objects: Vec<_> = state.store.all().map(|(key, object)| (key, object.clone())).collect();
        let mut collector = Self {
            state,
            time,
            keys: BTreeMap::new(),
            waiting: BTreeSet::new(),
            dependents: BTreeMap::new(),
            blocking: BTreeMap::new(),
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
            if is_terminating(&object) {
                self.settle(&key, object);
            } else {
                self.visit(&key, object);
            }
        }
    }

    fn add(&mut self, key: &Key, object: &Value) {
        let uid = object.text("uid").to_owned();
        if is_terminating(object) && finalizers(object).contains(&FOREGROUND) {
            self.waiting.insert(uid.clone());
        }
        for owner in owners(object) {
            let id = owner["uid"].as_str().unwrap_or_default().to_owned();
            if owner["blockOwnerDeletion"] == true {
                self.blocking.entry(id.clone()).or_default().insert(key.clone());
            }
            self.dependents.entry(id).or_default().insert(key.clone());
        }
        if let Some(namespace) = key.namespace() {
            self.contents.entry(namespace.to_owned()).or_default().insert(key.clone());
        }
        self.keys.insert(uid, key.clone());
    }

    /// Forgets an object, and looks again at those that wait for its end.
    fn forget(&mut self, key: &Key, object: &Value) {
        let uid = object.text("uid");
        self.waiting.remove(uid);
        self.keys.remove(uid);
        for owner in owners(object) {
            let id = owner["uid"].as_str().unwrap_or_default();
            for map in [&mut self.blocking, &mut self.dependents] {
                let Some(dependents) = map.get_mut(id) else { continue };
                dependents.remove(key);
                if dependents.is_empty() {
                    map.remove(id);
                    self.due.extend(self.keys.get(id).cloned());
                }
            }
        }
        let Some(namespace) = key.namespace() else { return };
        let Some(contents) = self.contents.get_mut(namespace) else { return };
        contents.remove(key);
        if contents.is_empty() {
            self.due.insert(Key::new("", "namespaces", None, namespace));
        }
    }

    /// Looks again at the dependents of an object.
    fn visit_dependents(&mut self, uid: &str) {
        self.due.extend(self.dependents.get(uid).into_iter().flatten().cloned());
    }

    /// Removes an object for good.
    fn remove(&mut self, key: &Key, object: &Value) {
        lifecycle::remove(self.state, key);
        self.forget(key, object);
        self.visit_dependents(object.text("uid"));
    }

    fn put(&mut self, key: &Key, old: &Value, new: Value) {
        self.forget(key, old);
        let new = self.state.store.put(key.clone(), new);
        self.add(key, &new);
        self.due.insert(key.clone());
    }

    /// What is left of the owners of an object. One of another namespace, or of another name or kind than the object with
    /// its ID, is gone. One of a kind that the server does not have may be anywhere, as one with a namespace of an object
    /// without.
    fn owners(&self, key: &Key, object: &Value) -> Owners {
        let mut found = Owners::default();
        for owner in owners(object) {
            let text = |name: &str| owner[name].as_str().unwrap_or_default();
            let uid = text("uid").to_owned();
            let resource = self.state.registry.of_kind(text("apiVersion"), text("kind"));
            let known = self.keys.get(&uid);
            let is_there = match (known, resource) {
                (Some(known), Some(resource)) => {
                    let namespace = key.namespace().filter(|_| resource.namespaced);
                    *known == Key::of(resource.key().clone(), namespace, text("name"))
                        || resource.namespaced && key.namespace().is_none()
                }
                (None, Some(resource)) => resource.namespaced && key.namespace().is_none(),
                (_, None) => true,
            };
            match is_there {
                false => found.gone.push(uid),
                true if self.waiting.contains(&uid) => found.waiting.push(uid),
                true => found.has_other = true,
            }
        }
        found
    }

    /// Deletes an object whose owners are gone, or wait for it. With another owner it loses those.
    fn visit(&mut self, key: &Key, object: Value) {
        let Owners { gone, waiting, has_other } = self.owners(key, &object);
        let lost = [&gone[..], &waiting].concat();
        if lost.is_empty() {
            return;
        }
        if has_other {
            self.disown(key, &lost);
        } else {
            let waits = !waiting.is_empty() && self.dependents.contains_key(object.text("uid"));
            self.end(key, object, waits);
        }
    }

    /// Goes on with an object that waits for its end.
    fn settle(&mut self, key: &Key, mut object: Value) {
        let uid = object.text("uid").to_owned();
        let held = finalizers(&object);
        if is_namespace(key) {
            return self.settle_namespace(key, object);
        }
        let is_orphaning = held.contains(&ORPHAN);
        let is_done = held.contains(&FOREGROUND) && !self.blocking.contains_key(&uid);
        if is_orphaning {
            for dependent in self.dependents.get(&uid).cloned().unwrap_or_default() {
                self.disown(&dependent, std::slice::from_ref(&uid));
            }
        }
        if !is_orphaning && !is_done {
            return;
        }
        let old = object.clone();
        let kept = json!(held.iter().filter(|name| !matches!(**name, ORPHAN | FOREGROUND)).collect::<Vec<_>>());
        if kept == json!([]) {
            self.remove(key, &object);
        } else {
            object.set_metadata("finalizers", kept);
            self.put(key, &old, object);
        }
    }

    /// Deletes the contents of a namespace. Those that finalizers keep also keep the namespace.
    fn settle_namespace(&mut self, key: &Key, mut object: Value) {
        for content in self.contents.get(&*key.path).cloned().unwrap_or_default() {
            if let Some(object) = self.state.store.tree(&content) {
                self.end(&content, object, false);
            }
        }
        if self.contents.get(&*key.path).is_some_and(|contents| !contents.is_empty()) {
            return;
        }
        let stated = object.at("spec.finalizers").and_then(Value::as_array).cloned().unwrap_or_default();
        let others: Vec<_> = stated.iter().filter(|name| **name != CONTENTS).cloned().collect();
        if others.is_empty() && finalizers(&object).is_empty() {
            self.remove(key, &object);
        } else if others.len() < stated.len() {
            let old = object.clone();
            object.put("spec.finalizers", Value::Array(others));
            self.put(key, &old, object);
        }
    }

    /// Removes an object, or marks it where finalizers hold it, or where it waits for its own dependents.
    fn end(&mut self, key: &Key, mut object: Value, waits: bool) {
        if &*key.resource == DEFINITIONS {
            self.end_definition(key, &object);
        } else if finalizers(&object).is_empty() && !waits {
            self.remove(key, &object);
        } else if !is_terminating(&object) {
            let old = object.clone();
            let mut held: Vec<_> = finalizers(&old).into_iter().map(str::to_owned).collect();
            if waits && !held.iter().any(|name| name == FOREGROUND) {
                held.push(FOREGROUND.to_owned());
                object.set_metadata("finalizers", json!(held));
            }
            mark_deleted(&mut object, self.time, 0);
            self.put(key, &old, object);
            self.visit_dependents(old.text("uid"));
        }
    }

    /// Deletes a definition, which may wait for objects of its kinds.
    fn end_definition(&mut self, key: &Key, object: &Value) {
        lifecycle::end_definition(self.state, key, object, self.time);
        self.forget(key, object);
        if let Some(left) = self.state.store.tree(key) {
            self.add(key, &left);
        }
        self.visit_dependents(object.text("uid"));
    }

    /// Removes owners from an object.
    fn disown(&mut self, key: &Key, uids: &[String]) {
        let Some(mut object) = self.state.store.tree(key) else { return };
        let old = object.clone();
        let is_lost = |owner: &Value| uids.iter().any(|uid| owner["uid"] == **uid);
        let kept: Vec<_> = owners(&old).filter(|owner| !is_lost(owner)).cloned().collect();
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

fn owners(object: &Value) -> impl Iterator<Item = &Value> {
    object.metadata("ownerReferences").and_then(Value::as_array).into_iter().flatten()
}
