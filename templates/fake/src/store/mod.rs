//! The objects, and the history of their changes.

mod objects;
mod stored;

#[cfg(test)]
pub(crate) use stored::PARSED;
pub(crate) use stored::Stored;

use crate::key::Key;
use crate::kinds::events;
use crate::object::Tree;
use crate::registry::Resource;
use crate::select::{Selection, Term};
use objects::Objects;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The version before the first write.
const FIRST: u64 = 100;
/// The maximum number of changes that are remembered. Older ones are forgotten, so that a server
/// that runs for days does not grow.
const MOST_CHANGES: usize = 100_000;

/// A write: the object before and after it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) version: u64,
    pub(crate) key: Key,
    pub(crate) old: Option<Arc<Stored>>,
    pub(crate) new: Option<Arc<Stored>>,
}

/// A query for objects of a resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'a> {
    pub(crate) resource: &'a str,
    /// `None` for all namespaces.
    pub(crate) namespace: Option<&'a str>,
    /// The path with which the list begins. Empty for all.
    pub(crate) start: &'a str,
    pub(crate) selection: &'a Selection,
}

/// The current objects, and all changes since the last compaction.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    version: u64,
    /// Versions up to this one are forgotten.
    compacted: u64,
    objects: Objects,
    changes: VecDeque<Change>,
}

impl Default for Store {
    fn default() -> Self {
        Self {
            version: FIRST,
            compacted: FIRST,
            objects: Objects::default(),
            changes: VecDeque::new(),
        }
    }
}

impl Store {
    /// The version of the last write.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn compacted(&self) -> u64 {
        self.compacted
    }

    pub(crate) fn get(&self, key: &Key) -> Option<&Arc<Stored>> {
        self.objects.get(key)
    }

    /// An object as a tree.
    pub(crate) fn tree(&self, key: &Key) -> Option<Value> {
        self.get(key).map(|object| object.tree())
    }

    /// Stores an object, with a new version in its metadata, and returns it.
    pub(crate) fn put(&mut self, key: Key, mut object: Value) -> Value {
        object.set_metadata("resourceVersion", json!((self.version + 1).to_string()));
        let (old, new) = self.objects.put(&key, &object, Stored::new);
        self.record(key, old, Some(new));
        object
    }

    /// Stores an object that is completed when it is first read.
    pub(crate) fn seed(
        &mut self,
        key: Key,
        mut object: Value,
        finish: impl FnOnce(Value) -> Value + Send + 'static,
    ) {
        object.set_metadata("resourceVersion", json!((self.version + 1).to_string()));
        let (old, new) = self.objects.put(&key, &object, |object, terms, order| {
            Stored::unfinished(object, terms, order, finish)
        });
        self.record(key, old, Some(new));
    }

    /// Removes an object.
    pub(crate) fn remove(&mut self, key: &Key) {
        if let Some(old) = self.objects.remove(key) {
            self.record(key.clone(), Some(old), None);
        }
    }

    fn record(&mut self, key: Key, old: Option<Arc<Stored>>, new: Option<Arc<Stored>>) {
        self.version += 1;
        self.changes.push_back(Change { version: self.version, key, old, new });
        if self.changes.len() > MOST_CHANGES
            && let Some(forgotten) = self.changes.pop_front()
        {
            self.compacted = forgotten.version;
        }
    }

    /// Sets how the objects of a resource are kept: by which fields built-in kinds can be selected,
    /// and that custom resources are sorted once, when they are written.
    pub(crate) fn keep_as(&mut self, resource: &Resource) {
        match resource.custom {
            None if resource.is_event_of_core() => {
                let fields = resource.facts.selectable.iter().map(|path| events::core_path(path));
                self.set_selectable(resource.key(), &fields.collect::<Vec<_>>());
            }
            None => self.set_selectable(resource.key(), resource.facts.selectable),
            Some(_) => self.objects.sort(resource.key()),
        }
    }

    /// Sets the fields by which the objects of a resource can be selected.
    pub(crate) fn set_selectable<S: AsRef<str>>(&mut self, resource: &Arc<str>, selectable: &[S]) {
        self.objects.set_selectable(resource, selectable);
    }

    /// The objects of a resource, in order, of one namespace or all.
    pub(crate) fn list(
        &self,
        resource: &str,
        namespace: Option<&str>,
    ) -> Vec<(Arc<str>, Arc<Stored>)> {
        let query = Query { resource, namespace, start: "", selection: &Selection::default() };
        self.query(&query, self.version).collect()
    }

    /// Whether there is an object of a resource in a namespace, or in any.
    pub(crate) fn has_any(&self, resource: &str, namespace: Option<&str>) -> bool {
        self.objects.list(resource, namespace, "", &Selection::default()).next().is_some()
    }

    /// The objects of a query as they were at a version that is not forgotten. They are read one by
    /// one.
    pub(crate) fn query<'a>(
        &'a self,
        query: &Query<'a>,
        version: u64,
    ) -> impl Iterator<Item = (Arc<str>, Arc<Stored>)> + use<'a> {
        let Query { resource, namespace, start, selection } = *query;
        let changed = self.changed_since(query, version);
        let mut then = changed
            .clone()
            .into_iter()
            .filter_map(|(path, object)| Some((path.clone(), object?.clone())));
        let mut now = self
            .objects
            .list(resource, namespace, start, selection)
            .filter(move |(path, _)| !changed.contains_key(path))
            .map(|(path, object)| (path.clone(), object.clone()))
            .peekable();
        let mut next_then = then.next();
        let merged = std::iter::from_fn(move || {
            let is_then =
                next_then.as_ref().is_some_and(|then| now.peek().is_none_or(|now| then.0 < now.0));
            if is_then { std::mem::replace(&mut next_then, then.next()) } else { now.next() }
        });
        merged.filter(move |(path, object)| {
            selection.is_everything() || selection.selects(path, object.terms())
        })
    }

    /// The objects of a query that were changed since a version, as they were then.
    fn changed_since<'a>(
        &'a self,
        query: &Query<'_>,
        version: u64,
    ) -> BTreeMap<&'a Arc<str>, Option<&'a Arc<Stored>>> {
        let prefix = query.namespace.map_or_else(String::new, |namespace| format!("{namespace}/"));
        let later = self.changes.iter().rev().take_while(|change| change.version > version);
        let meant = later.filter(|change| {
            let path = &*change.key.path;
            *change.key.resource == *query.resource
                && path.starts_with(&prefix)
                && path >= query.start
        });
        // The earliest change counts.
        meant.map(|change| (&change.key.path, change.old.as_ref())).collect()
    }

    /// The changes after a version.
    pub(crate) fn changes_after(&self, version: u64) -> impl Iterator<Item = &Change> {
        let start = self.changes.partition_point(|change| change.version <= version);
        self.changes.range(start..)
    }

    /// The objects with an owner of this ID, in order.
    pub(crate) fn dependents(&self, uid: &str) -> Vec<Key> {
        let mut all: Vec<_> = [true, false]
            .iter()
            .flat_map(|is_blocked| self.objects.with_term(&Term::owner(uid, *is_blocked)))
            .collect();
        all.sort();
        all
    }

    /// Whether an object blocks the deletion of an owner with this ID.
    pub(crate) fn is_blocked(&self, uid: &str) -> bool {
        self.objects.has_term(&Term::owner(uid, true))
    }

    /// The objects in a namespace, in order.
    pub(crate) fn contents<'a>(
        &'a self,
        namespace: &'a str,
    ) -> impl Iterator<Item = Key> + use<'a> {
        self.objects.in_namespace(namespace)
    }

    /// Forgets all changes up to now.
    pub(crate) fn compact(&mut self) {
        self.compacted = self.version;
        self.changes.clear();
    }

    /// All objects.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Key, &Arc<Stored>)> {
        self.objects.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, MOST_CHANGES, Query, Store};
    use crate::select::Selection;
    use serde_json::json;

    fn key(name: &str) -> Key {
        Key::new("", "configmaps", Some("default"), name)
    }

    #[test]
    fn earlier_versions_can_be_listed() {
        let mut store = Store::default();
        store.put(key("a"), json!({"metadata": {"name": "a"}}));
        store.put(key("b"), json!({"metadata": {"name": "b"}}));
        let then = store.version();
        store.put(key("a"), json!({"metadata": {"name": "a"}, "data": {}}));
        store.remove(&key("b"));
        store.put(key("c"), json!({"metadata": {"name": "c"}}));
        let everything = Selection::default();
        let list = |namespace, start, version| {
            let query = Query {
                resource: "configmaps.",
                namespace: Some(namespace),
                start,
                selection: &everything,
            };
            store.query(&query, version).collect::<Vec<_>>()
        };
        let paths = |start, version| {
            let list = list("default", start, version);
            list.iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(paths("", then), ["default/a", "default/b"]);
        assert_eq!(paths("default/b", then), ["default/b"]);
        assert_eq!(paths("", store.version()), ["default/a", "default/c"]);
        assert!(list("default", "", then)[0].1.tree().get("data").is_none());
        assert!(list("defaul", "", then).is_empty());
    }

    #[test]
    fn the_history_is_bounded() {
        let mut store = Store::default();
        for _ in 0..MOST_CHANGES + 10 {
            store.put(key("a"), json!({}));
        }
        assert_eq!(store.changes_after(0).count(), MOST_CHANGES);
        let oldest = store.changes_after(0).next().map(|change| change.version);
        assert_eq!(oldest, Some(store.compacted() + 1));
    }
}
