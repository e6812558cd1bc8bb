//! The objects, and the history of their changes.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use crate::object::Tree;

/// The version before the first write.
const FIRST: u64 = 100;

/// Where an object is: its resource, and its namespace and name with a slash between them. Lists are in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    /// Group and plural name: all versions of a group share their objects.
    pub(crate) resource: Arc<str>,
    pub(crate) path: String,
}

impl Key {
    pub(crate) fn new(group: &str, plural: &str, namespace: Option<&str>, name: &str) -> Self {
        let path = namespace.map_or_else(|| name.to_owned(), |namespace| format!("{namespace}/{name}"));
        Self { resource: format!("{plural}.{group}").into(), path }
    }
}

/// A write: the object before and after it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) version: u64,
    pub(crate) key: Key,
    pub(crate) old: Option<Arc<Value>>,
    pub(crate) new: Option<Arc<Value>>,
}

/// The objects as of now, and all changes since the last compaction.
#[derive(Debug)]
pub(crate) struct Store {
    version: u64,
    /// Versions up to this one are forgotten.
    compacted: u64,
    objects: BTreeMap<Key, Arc<Value>>,
    changes: Vec<Change>,
}

impl Default for Store {
    fn default() -> Self {
        Self { version: FIRST, compacted: FIRST, objects: BTreeMap::new(), changes: Vec::new() }
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

    pub(crate) fn get(&self, key: &Key) -> Option<&Arc<Value>> {
        self.objects.get(key)
    }

    /// Stores an object, with a new version in its metadata, and returns it.
    pub(crate) fn put(&mut self, key: Key, mut object: Value) -> Arc<Value> {
        self.version += 1;
        object.set_metadata("resourceVersion", json!(self.version.to_string()));
        let object = Arc::new(object);
        let old = self.objects.insert(key.clone(), object.clone());
        self.changes.push(Change { version: self.version, key, old, new: Some(object.clone()) });
        object
    }

    /// Removes an object, and returns it.
    pub(crate) fn remove(&mut self, key: &Key) -> Option<Arc<Value>> {
        let old = self.objects.remove(key)?;
        self.version += 1;
        self.changes.push(Change { version: self.version, key: key.clone(), old: Some(old.clone()), new: None });
        Some(old)
    }

    /// The objects of a resource, in order, of one namespace or all.
    pub(crate) fn list(&self, resource: &Arc<str>, namespace: Option<&str>) -> Vec<(&str, Arc<Value>)> {
        let start = Key { resource: resource.clone(), path: prefix(namespace) };
        let from = self.objects.range((Bound::Included(&start), Bound::Unbounded));
        from.take_while(|(key, _)| key.resource == *resource && key.path.starts_with(&start.path))
            .map(|(key, object)| (key.path.as_str(), object.clone()))
            .collect()
    }

    /// The objects of a resource as they were at a version that is not forgotten.
    pub(crate) fn list_at(
        &self,
        resource: &Arc<str>,
        namespace: Option<&str>,
        version: u64,
    ) -> Vec<(String, Arc<Value>)> {
        let now = self.list(resource, namespace);
        let mut then: BTreeMap<String, Arc<Value>> =
            now.into_iter().map(|(path, object)| (path.to_owned(), object)).collect();
        let prefix = prefix(namespace);
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
    pub(crate) fn changes_after(&self, version: u64) -> &[Change] {
        let start = self.changes.partition_point(|change| change.version <= version);
        &self.changes[start..]
    }

    /// Forgets all changes up to now.
    pub(crate) fn compact(&mut self) {
        self.compacted = self.version;
        self.changes.clear();
    }

    /// Whether a namespace has an object of any resource.
    pub(crate) fn in_namespace(&self, namespace: &str) -> Vec<Key> {
        let prefix = prefix(Some(namespace));
        self.objects.keys().filter(|key| key.path.starts_with(&prefix)).cloned().collect()
    }

    /// All objects.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Key, &Arc<Value>)> {
        self.objects.iter()
    }
}

fn prefix(namespace: Option<&str>) -> String {
    namespace.map_or_else(String::new, |namespace| format!("{namespace}/"))
}

#[cfg(test)]
mod tests {
    use super::{Key, Store};
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
            list.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>()
        };
        assert_eq!(paths(then), ["default/a", "default/b"]);
        assert_eq!(paths(store.version()), ["default/a", "default/c"]);
        assert!(store.list_at(&key("a").resource, Some("default"), then)[0].1.get("data").is_none());
        assert!(store.list(&key("a").resource, Some("defaul")).is_empty());
    }
}
