//! Garbage collection: dependents without living owners, and the contents of terminating
//! namespaces.

use crate::key::Key;
use crate::lifecycle;
use crate::object::{Tree, finalizers, is_terminating, mark_deleted, owners};
use crate::state::{DEFINITIONS, NAMESPACES, State};
use crate::store::{Change, Store, Stored};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The finalizer of an object that waits for its dependents.
const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of an object that orphans its dependents.
const ORPHAN: &str = "orphan";
/// The finalizer of a namespace that waits for its contents.
const CONTENTS: &str = "kubernetes";

/// Collects all garbage, as a garbage collector would have by then.
pub(crate) fn collect(state: &mut State, time: &str) {
    let due = all_due(&state.store);
    let position = state.store.version();
    Collector { state, time, position, due, views: BTreeMap::new() }.run();
}

/// As [`collect`], limited to the changes after a version. The cost depends only on these changes
/// and on the objects that are collected.
pub(crate) fn collect_after(state: &mut State, version: u64, time: &str) {
    Collector { state, time, position: version, due: BTreeSet::new(), views: BTreeMap::new() }
        .run();
}

/// All objects that may be garbage or wait for it.
fn all_due(store: &Store) -> BTreeSet<Key> {
    let objects = store.all().filter(|(_, object)| object.is_terminating() || object.has_owners());
    objects.map(|(key, _)| key).collect()
}

/// Visits objects one by one, and again when something that they wait for has changed: the cost of
/// a chain of owners is linear in its length. The collector reads its own changes from the history,
/// like the changes of requests.
struct Collector<'a> {
    state: &'a mut State,
    time: &'a str,
    /// The version up to which changes were read.
    position: u64,
    /// The objects to visit.
    due: BTreeSet<Key>,
    /// The objects that visits of others have read.
    views: BTreeMap<Key, View>,
}

/// An object as its owners and dependents see it.
struct View {
    stored: Arc<Stored>,
    uid: String,
    /// Whether it waits for its dependents.
    waits: bool,
}

/// The owners of an object, by their state.
#[derive(Default)]
struct Owners {
    /// The IDs of owners that are gone.
    gone: Vec<String>,
    /// The IDs of owners that wait for their dependents.
    waiting: Vec<String>,
    /// Whether another owner exists.
    has_other: bool,
}

impl Collector<'_> {
    fn run(&mut self) {
        loop {
            self.notice();
            let Some(key) = self.due.pop_first() else { return };
            let Some(object) = self.state.store.tree(&key) else { continue };
            if is_terminating(&object) {
                self.settle(&key, object);
            } else {
                self.visit(&key, object);
            }
        }
    }

    /// Reads the changes since the last time. If some are forgotten, anything may have changed.
    fn notice(&mut self) {
        let store = &self.state.store;
        if self.position < store.compacted() {
            self.due = all_due(store);
        } else {
            for change in store.changes_after(self.position) {
                note(self.state, change, &mut self.due);
            }
        }
        self.position = store.version();
    }

    /// The state of the owners of an object.
    fn owners(&mut self, key: &Key, object: &Value) -> Owners {
        let mut found = Owners::default();
        for owner in owners(object) {
            let uid = owner.text("uid");
            // It may be anywhere.
            let Some(expected) = key_of(self.state, key, owner) else {
                found.has_other = true;
                continue;
            };
            match self.view(&expected).filter(|known| known.uid == uid) {
                None => found.gone.push(uid.to_owned()),
                Some(known) if known.waits => found.waiting.push(uid.to_owned()),
                Some(_) => found.has_other = true,
            }
        }
        found
    }

    /// Deletes an object if all of its owners are gone or wait for it. If another owner is left,
    /// removes the references to these instead.
    fn visit(&mut self, key: &Key, object: Value) {
        let Owners { gone, waiting, has_other } = self.owners(key, &object);
        let lost = [&gone[..], &waiting].concat();
        if lost.is_empty() {
            return;
        }
        if has_other {
            self.disown(key, &lost);
        } else {
            let dependents = self.state.store.dependents(object.metadata_text("uid"));
            let waits = !waiting.is_empty() && !dependents.is_empty();
            let is_circle = waits
                && dependents.iter().any(|key| self.view(key).is_some_and(|known| known.waits));
            let object = if is_circle { self.unblock(key, object) } else { object };
            self.end(key, object, waits);
        }
    }

    /// The object at a key, as others see it. Each version is parsed once, however many dependents
    /// it has.
    fn view(&mut self, key: &Key) -> Option<&View> {
        let stored = self.state.store.get(key)?;
        let is_known = self.views.get(key).is_some_and(|view| Arc::ptr_eq(&view.stored, stored));
        if !is_known {
            let object = stored.tree();
            let waits = is_terminating(&object) && finalizers(&object).contains(&FOREGROUND);
            let view =
                View { stored: stored.clone(), uid: object.metadata_text("uid").to_owned(), waits };
            self.views.insert(key.clone(), view);
        }
        self.views.get(key)
    }

    /// Lets the owners of an object be deleted before it. Called if a dependent of the object
    /// waits, too: servers assume a cycle then, in which each would wait for the next.
    fn unblock(&mut self, key: &Key, mut object: Value) -> Value {
        let references =
            object.pointer_mut("/metadata/ownerReferences").and_then(Value::as_array_mut);
        let mut is_changed = false;
        for owner in references.into_iter().flatten() {
            if owner["blockOwnerDeletion"] == true {
                owner["blockOwnerDeletion"] = json!(false);
                is_changed = true;
            }
        }
        if is_changed { self.state.store.put(key.clone(), object) } else { object }
    }

    /// Continues the deletion of a terminating object.
    fn settle(&mut self, key: &Key, mut object: Value) {
        let uid = object.metadata_text("uid").to_owned();
        let held = finalizers(&object);
        if is_namespace(key) {
            return self.settle_namespace(key, object);
        }
        let is_orphaning = held.contains(&ORPHAN);
        let is_done = held.contains(&FOREGROUND) && !self.state.store.is_blocked(&uid);
        if is_orphaning {
            for dependent in self.state.store.dependents(&uid) {
                self.disown(&dependent, std::slice::from_ref(&uid));
            }
        }
        if !is_orphaning && !is_done {
            return;
        }
        let kept = json!(
            held.iter().filter(|name| !matches!(**name, ORPHAN | FOREGROUND)).collect::<Vec<_>>()
        );
        if kept == json!([]) {
            lifecycle::remove(self.state, key);
        } else {
            object.set_metadata("finalizers", kept);
            self.state.store.put(key.clone(), object);
        }
    }

    /// Deletes the contents of a namespace. Objects with finalizers keep the namespace, too.
    fn settle_namespace(&mut self, key: &Key, mut object: Value) {
        for content in self.state.store.contents(&key.path).collect::<Vec<_>>() {
            if let Some(object) = self.state.store.tree(&content) {
                self.end(&content, object, false);
            }
        }
        if self.state.store.contents(&key.path).next().is_some() {
            return;
        }
        let stated = object.list("spec.finalizers");
        let others: Vec<_> = stated.iter().filter(|name| **name != CONTENTS).cloned().collect();
        if others.is_empty() && finalizers(&object).is_empty() {
            lifecycle::remove(self.state, key);
        } else if others.len() < stated.len() {
            object.put("spec.finalizers", Value::Array(others));
            self.state.store.put(key.clone(), object);
        }
    }

    /// Removes an object, or marks it as deleted if it has finalizers or waits for its own
    /// dependents.
    fn end(&mut self, key: &Key, mut object: Value, waits: bool) {
        if &*key.resource == DEFINITIONS {
            lifecycle::end_definition(self.state, key, &object, self.time);
        } else if finalizers(&object).is_empty() && !waits {
            lifecycle::remove(self.state, key);
        } else if !is_terminating(&object) {
            let mut held: Vec<_> = finalizers(&object).into_iter().map(str::to_owned).collect();
            if waits && !held.iter().any(|name| name == FOREGROUND) {
                held.push(FOREGROUND.to_owned());
                object.set_metadata("finalizers", json!(held));
            }
            mark_deleted(&mut object, self.time, 0);
            self.state.store.put(key.clone(), object);
        }
    }

    /// Removes owners from an object.
    fn disown(&mut self, key: &Key, uids: &[String]) {
        let Some(mut object) = self.state.store.tree(key) else { return };
        let uids: BTreeSet<_> = uids.iter().map(String::as_str).collect();
        let kept = owners(&object)
            .filter(|owner| !owner["uid"].as_str().is_some_and(|uid| uids.contains(uid)));
        let kept: Vec<_> = kept.cloned().collect();
        if kept.is_empty() {
            object.remove_metadata("ownerReferences");
        } else {
            object.set_metadata("ownerReferences", Value::Array(kept));
        }
        self.state.store.put(key.clone(), object);
    }
}

/// Adds the objects that a change affects: the object itself, its dependents if it is deleted, and
/// its owners if they waited for it alone.
fn note(state: &State, change: &Change, due: &mut BTreeSet<Key>) {
    let Change { key, old, new, .. } = change;
    let is_ending = new.as_ref().is_none_or(|new| new.is_terminating());
    if let Some(new) = new
        && (is_ending || new.has_owners())
    {
        due.insert(key.clone());
    }
    if let Some(last) = new.as_ref().or(old.as_ref()).filter(|_| is_ending) {
        due.extend(state.store.dependents(last.tree().metadata_text("uid")));
    }
    if let Some(old) = old.as_ref().filter(|old| old.has_owners()) {
        let is_same = new.as_ref().is_some_and(|new| new.terms() == old.terms());
        let object = if is_same { Value::Null } else { old.tree() };
        due.extend(owners(&object).filter_map(|owner| freed(state, key, owner)));
    }
    let Some(namespace) = key.namespace().filter(|_| new.is_none()) else { return };
    let holder = Key::for_resource(NAMESPACES.into(), None, namespace);
    let is_ending = state.store.get(&holder).is_some_and(|found| found.is_terminating());
    if is_ending && state.store.contents(namespace).next().is_none() {
        due.insert(holder);
    }
}

/// The key of an owner of a changed object, if the owner is terminating and no object blocks that
/// any more.
fn freed(state: &State, key: &Key, owner: &Value) -> Option<Key> {
    let found = key_of(state, key, owner)?;
    let is_ending = state.store.get(&found).is_some_and(|known| known.is_terminating());
    (is_ending && !state.store.is_blocked(owner.text("uid"))).then_some(found)
}

/// The key of an owner of the object at a key. `None` if the server does not have its kind, and for
/// a namespaced owner of a cluster-scoped object.
fn key_of(state: &State, key: &Key, owner: &Value) -> Option<Key> {
    let resource = state.registry.of_kind(owner.text("apiVersion"), owner.text("kind"))?;
    if resource.namespaced && key.namespace().is_none() {
        return None;
    }
    let namespace = key.namespace().filter(|_| resource.namespaced);
    Some(Key::for_resource(resource.key().clone(), namespace, owner.text("name")))
}

fn is_namespace(key: &Key) -> bool {
    &*key.resource == NAMESPACES
}

#[cfg(test)]
mod tests {
    use super::collect;
    use crate::key::Key;
    use crate::lifecycle;
    use crate::state::State;
    use crate::store::PARSED;
    use serde_json::json;

    /// An owner may be large, and own many objects.
    #[test]
    fn owners_are_not_parsed_for_each_dependent() {
        let mut state = State::default();
        let names = json!({"plural": "widgets", "kind": "Widget"});
        let versions = json!([{"name": "v1", "served": true, "schema": {}}]);
        let spec =
            json!({"group": "a.io", "scope": "Cluster", "names": names, "versions": versions});
        lifecycle::define(&mut state, &json!({"spec": spec})).expect("a definition");
        let time = "2023-11-14T22:13:20Z";
        let mut put = |name: &str, more: serde_json::Value| {
            let mut object = json!({"apiVersion": "a.io/v1", "kind": "Widget", "metadata": more});
            object["metadata"]["name"] = json!(name);
            object["metadata"]["uid"] = json!(name);
            state.store.put(Key::new("a.io", "widgets", None, name), object);
        };
        put("owner", json!({"deletionTimestamp": time, "finalizers": ["foregroundDeletion"]}));
        let reference = json!({"apiVersion": "a.io/v1", "kind": "Widget", "name": "owner", "uid": "owner", "blockOwnerDeletion": true});
        for index in 0..100 {
            put(&format!("p{index}"), json!({"ownerReferences": [reference]}));
        }
        PARSED.set(0);
        collect(&mut state, time);
        assert!(!state.store.has_any("widgets.a.io", None));
        // Each dependent once to look at it, once for its ID, and once for its owners.
        assert!(PARSED.get() < 3 * 100 + 10, "{}", PARSED.get());
    }
}
