//! The objects, and the history of their changes.

mod objects;

use crate::object::{Tree, encode, is_terminating};
use crate::tree;
use bytes::Bytes;
use objects::Objects;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The version before the first write.
const FIRST: u64 = 100;
/// The most changes that are remembered. Older ones are forgotten, so that a server that runs for days does not grow.
const MOST_CHANGES: usize = 100_000;

/// Where an object is: its resource, and its namespace and name with a slash between them. Lists are in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    /// Group and plural name: all versions of a group share their objects.
    pub(crate) resource: Arc<str>,
    pub(crate) path: Arc<str>,
}

impl Key {
    pub(crate) fn new(group: &str, plural: &str, namespace: Option<&str>, name: &str) -> Self {
        Self::of(format!("{plural}.{group}").into(), namespace, name)
    }

    /// The key of an object of this resource.
    pub(crate) fn of(resource: Arc<str>, namespace: Option<&str>, name: &str) -> Self {
        let path = namespace.map_or_else(|| name.into(), |namespace| [namespace, "/", name].concat().into());
        Self { resource, path }
    }

    /// The namespace. `None` for an object of the cluster.
    pub(crate) fn namespace(&self) -> Option<&str> {
        self.path.split_once('/').map(|(namespace, _)| namespace)
    }
}

/// An object as JSON, which takes a fraction of the memory of a tree.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    json: Bytes,
    is_terminating: bool,
}

impl Stored {
    fn new(object: &Value) -> Self {
        Self { json: encode(object).into_boxed_slice().into(), is_terminating: is_terminating(object) }
    }

    #[cfg(test)]
    pub(crate) fn from_json(json: Bytes) -> Self {
        Self { json, is_terminating: false }
    }

    pub(crate) fn json(&self) -> &Bytes {
        &self.json
    }

    /// Whether it waits for its end.
    pub(crate) fn is_terminating(&self) -> bool {
        self.is_terminating
    }

    /// The object as a tree. It is never deeper than what can be parsed, see [`is_too_deep`](crate::object::is_too_deep).
    pub(crate) fn tree(&self) -> Value {
        tree::from_json(&self.json).unwrap_or_default().tree
    }
}

/// A write: the object before and after it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) version: u64,
    pub(crate) key: Key,
    pub(crate) old: Option<Arc<Stored>>,
    pub(crate) new: Option<Arc<Stored>>,
}

/// The objects as of now, and all changes since the last compaction.
#[derive(Debug)]
pub(crate) struct Store {
    version: u64,
    /// Versions up to this one are forgotten.
    compacted: u64,
    objects: Objects,
    changes: VecDeque<Change>,
}

impl Default for Store {
    fn default() -> Self {
        Self { version: FIRST, compacted: FIRST, objects: Objects::default(), changes: VecDeque::new() }
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
        let stored = Arc::new(Stored::new(&object));
        let old = self.objects.insert(&key, stored.clone());
        self.record(key, old, Some(stored));
        object
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

    /// The objects of a resource, in order, of one namespace or all.
    pub(crate) fn list(&self, resource: &Arc<str>, namespace: Option<&str>) -> Vec<(Arc<str>, Arc<Stored>)> {
        self.objects.list(resource, namespace).map(|(path, object)| (path.clone(), object.clone())).collect()
    }

    /// Whether there is an object of a resource.
    pub(crate) fn has_any(&self, resource: &Arc<str>) -> bool {
        self.objects.list(resource, None).next().is_some()
    }

    /// The objects of a resource as they were at a version that is not forgotten.
    pub(crate) fn list_at(
        &self,
        resource: &Arc<str>,
        namespace: Option<&str>,
        version: u64,
    ) -> Vec<(Arc<str>, Arc<Stored>)> {
        let now = self.list(resource, namespace);
        if version >= self.version {
            return now;
        }
        let mut then: BTreeMap<Arc<str>, Arc<Stored>> = now.into_iter().collect();
        let prefix = namespace.map_or_else(String::new, |namespace| format!("{namespace}/"));
        let later = self.changes.iter().rev().take_while(|change| change.version > version);
        for change in later.filter(|change| change.key.resource == *resource && change.key.path.starts_with(&prefix)) {
            match &change.old {
                Some(old) => _ = then.insert(change.key.path.clone(), old.clone()),
                None => _ = then.remove(&change.key.path),
            }
        }
        then.into_iter().collect()
    }

    /// The changes behind a version.
    pub(crate) fn changes_after(&self, version: u64) -> impl Iterator<Item = &Change> {
        let start = self.changes.partition_point(|change| change.version <= version);
        self.changes.range(start..)
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
    use super::{Key, MOST_CHANGES, Store};
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
        let paths = |version| {
            let list = store.list_at(&key("a").resource, Some("default"), version);
            list.iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(paths(then), ["default/a", "default/b"]);
        assert_eq!(paths(store.version()), ["default/a", "default/c"]);
        let earlier = store.list_at(&key("a").resource, Some("default"), then);
        assert!(earlier[0].1.tree().get("data").is_none());
        assert!(store.list(&key("a").resource, Some("defaul")).is_empty());
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
