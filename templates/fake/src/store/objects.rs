//! The objects as of now, in the order of lists.

use super::{Key, Stored};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

/// All objects: by resource, then by namespace, then by name.
#[derive(Debug, Default)]
pub(super) struct Objects(BTreeMap<Arc<str>, Namespaces>);

/// The objects of a resource. The key is the beginning of their paths: a namespace and a slash, or nothing for objects
/// of the cluster.
type Namespaces = BTreeMap<Box<str>, BTreeMap<Arc<str>, Arc<Stored>>>;

/// The namespace of a path with its slash. A name has no slash, so that the paths of a namespace are in the order of
/// names.
fn namespace(path: &str) -> &str {
    &path[..path.find('/').map_or(0, |slash| slash + 1)]
}

impl Objects {
    pub(super) fn get(&self, key: &Key) -> Option<&Arc<Stored>> {
        self.0.get(&key.resource)?.get(namespace(&key.path))?.get(&key.path)
    }

    /// Puts an object in the place of one with its key, which it returns.
    pub(super) fn insert(&mut self, key: &Key, object: Arc<Stored>) -> Option<Arc<Stored>> {
        let namespace = namespace(&key.path);
        // `entry` would need a key of its own each time.
        if let Some(names) = self.0.get_mut(&key.resource).and_then(|namespaces| namespaces.get_mut(namespace)) {
            return names.insert(key.path.clone(), object);
        }
        let namespaces = self.0.entry(key.resource.clone()).or_default();
        namespaces.insert(namespace.into(), BTreeMap::from([(key.path.clone(), object)]));
        None
    }

    pub(super) fn remove(&mut self, key: &Key) -> Option<Arc<Stored>> {
        let namespace = namespace(&key.path);
        let namespaces = self.0.get_mut(&key.resource)?;
        let names = namespaces.get_mut(namespace)?;
        let removed = names.remove(&key.path);
        if names.is_empty() {
            namespaces.remove(namespace);
        }
        if namespaces.is_empty() {
            self.0.remove(&key.resource);
        }
        removed
    }

    /// The paths and objects of a resource, in order, of one namespace or all.
    pub(super) fn list(
        &self,
        resource: &Arc<str>,
        namespace: Option<&str>,
    ) -> impl Iterator<Item = (&Arc<str>, &Arc<Stored>)> {
        let prefix = namespace.map(|namespace| format!("{namespace}/"));
        let bounds = match prefix.as_deref() {
            Some(prefix) => (Bound::Included(prefix), Bound::Included(prefix)),
            None => (Bound::Unbounded, Bound::Unbounded),
        };
        let namespaces = self.0.get(resource).map(|namespaces| namespaces.range::<str, _>(bounds));
        namespaces.into_iter().flatten().flat_map(|(_, names)| names)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Key, &Arc<Stored>)> {
        self.0.iter().flat_map(|(resource, namespaces)| {
            let objects = namespaces.values().flatten();
            objects.map(|(path, object)| (Key { resource: resource.clone(), path: path.clone() }, object))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Objects, Stored};
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn key(resource: &str, path: &str) -> Key {
        Key { resource: resource.into(), path: path.into() }
    }

    /// Short paths, long ones that begin alike, namespaces that begin alike.
    fn keys() -> Vec<Key> {
        let names = ["a", "a-b", "a.b", "abcdefgh", "abcdefgh-1", "abcdefgh-10", "abcdefgh-2", "b", "zz"];
        let namespaces = ["a/", "a-b/", "a0/", "default/"];
        let paths = namespaces.iter().flat_map(|namespace| names.iter().map(move |name| format!("{namespace}{name}")));
        let mut keys: Vec<_> = names.iter().map(|name| key("nodes.", name)).collect();
        keys.extend(paths.flat_map(|path| ["pods.", "widgets.example.com"].map(|resource| key(resource, &path))));
        keys
    }

    #[test]
    fn objects_are_in_the_order_of_their_keys() {
        let (mut objects, mut model) = (Objects::default(), BTreeMap::new());
        let all = keys();
        // Not in their order, and each twice.
        let order = (0..all.len()).flat_map(|step| [step * 7 % all.len(), step * 14 % all.len()]);
        for (step, key) in order.map(|at| &all[at]).enumerate() {
            let object = Arc::new(Stored::from_json(step.to_string().into()));
            assert_eq!(objects.insert(key, object.clone()), model.insert(key.clone(), object));
        }
        for key in all.iter().step_by(3) {
            assert_eq!(objects.remove(key), model.remove(key));
            assert_eq!((objects.remove(key), objects.get(key)), (None, None));
        }
        assert!(objects.iter().eq(model.iter().map(|(key, object)| (key.clone(), object))));
        for key in &all {
            assert_eq!(objects.get(key), model.get(key));
            let namespace = key.namespace();
            let list = objects.list(&key.resource, namespace).map(|(path, _)| path.to_string());
            let prefix = namespace.map_or_else(String::new, |namespace| format!("{namespace}/"));
            let expected =
                model.keys().filter(|other| other.resource == key.resource && other.path.starts_with(&prefix));
            assert!(list.eq(expected.map(|other| other.path.to_string())), "{key:?}");
        }
    }

    #[test]
    fn nothing_stays_of_objects_that_are_removed() {
        let mut objects = Objects::default();
        for key in keys() {
            objects.insert(&key, Arc::new(Stored::from_json("".into())));
        }
        for key in keys() {
            objects.remove(&key);
        }
        assert!(objects.0.is_empty());
    }
}
