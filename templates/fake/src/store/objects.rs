//! The current objects, in the order of lists, and an index of their labels, selectable fields and
//! owners.

use super::stored::{Order, Stored};
use crate::key::Key;
use crate::select::{Selection, Term, Terms};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

/// All objects, by resource.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects(BTreeMap<Arc<str>, Collection>);

/// The objects of a resource.
#[derive(Clone, Debug, Default)]
struct Collection {
    /// By path. The objects of a namespace are adjacent, because names have no slash.
    objects: BTreeMap<Arc<str>, Arc<Stored>>,
    /// The paths of the objects that have a term.
    paths: BTreeMap<Arc<Term>, BTreeSet<Arc<str>>>,
    /// The fields by which objects can be selected.
    selectable: Vec<String>,
    /// The order of the members of objects.
    order: Order,
}

/// An object and its path.
pub(super) type Entry<'a> = (&'a Arc<str>, &'a Arc<Stored>);

impl Objects {
    pub(super) fn get(&self, key: &Key) -> Option<&Arc<Stored>> {
        self.0.get(&key.resource)?.objects.get(&key.path)
    }

    /// Replaces the object with this key, and returns the old and the new one. `stored` makes the
    /// new one.
    pub(super) fn put(
        &mut self,
        key: &Key,
        object: &Value,
        stored: impl FnOnce(&Value, Terms, Order) -> Stored,
    ) -> (Option<Arc<Stored>>, Arc<Stored>) {
        let collection = self.0.entry(key.resource.clone()).or_default();
        let new = Arc::new(stored(object, collection.terms(object), collection.order));
        (collection.insert(&key.path, &new), new)
    }

    pub(super) fn remove(&mut self, key: &Key) -> Option<Arc<Stored>> {
        self.0.get_mut(&key.resource)?.remove(&key.path)
    }

    /// Sets the fields by which the objects of a resource can be selected, and indexes them.
    pub(super) fn set_selectable<S: AsRef<str>>(&mut self, resource: &Arc<str>, selectable: &[S]) {
        let known = self.0.get(resource).map_or(&[][..], |collection| &collection.selectable);
        if known.iter().map(String::as_str).eq(selectable.iter().map(AsRef::as_ref)) {
            return;
        }
        let collection = self.0.entry(resource.clone()).or_default();
        collection.selectable = selectable.iter().map(|path| path.as_ref().to_owned()).collect();
        for (path, stored) in std::mem::take(&mut collection.objects) {
            collection.remove_terms(&path, &stored);
            let object = stored.tree();
            let terms = collection.terms(&object);
            let order = collection.order;
            collection.insert(&path, &Arc::new(Stored::new(&object, terms, order)));
        }
    }

    /// Sorts the members of the objects of a resource from now on.
    pub(super) fn sort(&mut self, resource: &Arc<str>) {
        if self.0.get(resource).is_none_or(|collection| collection.order != Order::Sorted) {
            self.0.entry(resource.clone()).or_default().order = Order::Sorted;
        }
    }

    /// The objects of all resources that have a term, in order.
    pub(super) fn with_term(&self, term: &Term) -> Vec<Key> {
        let found = self
            .0
            .iter()
            .filter_map(|(resource, collection)| Some((resource, collection.paths.get(term)?)));
        let keys = found.flat_map(|(resource, paths)| {
            paths.iter().map(|path| Key { resource: resource.clone(), path: path.clone() })
        });
        keys.collect()
    }

    /// Whether an object of any resource has a term.
    pub(super) fn has_term(&self, term: &Term) -> bool {
        self.0.values().any(|collection| collection.paths.contains_key(term))
    }

    /// The objects of all resources in a namespace, in order.
    pub(super) fn in_namespace<'a>(
        &'a self,
        namespace: &'a str,
    ) -> impl Iterator<Item = Key> + use<'a> {
        let prefix = format!("{namespace}/");
        self.0.iter().flat_map(move |(resource, collection)| {
            let first = Bound::Included(&*prefix);
            let paths =
                collection.objects.range::<str, _>((first, Bound::Unbounded)).map(|(path, _)| path);
            let prefix = prefix.clone();
            let paths = paths.take_while(move |path| path.starts_with(&prefix));
            paths.map(|path| Key { resource: resource.clone(), path: path.clone() })
        })
    }

    /// The objects of a resource from a path on, in order, in one namespace or all, that a
    /// selection may select: the ones that match its narrowest condition.
    pub(super) fn list<'a>(
        &'a self,
        resource: &str,
        namespace: Option<&str>,
        start: &str,
        selection: &Selection,
    ) -> Box<dyn Iterator<Item = Entry<'a>> + 'a> {
        let Some(collection) = self.0.get(resource) else { return Box::new(std::iter::empty()) };
        let prefix = namespace.map_or_else(String::new, |namespace| format!("{namespace}/"));
        let first = Bound::Included(start.max(&prefix));
        let found: Box<dyn Iterator<Item = Entry<'a>> + 'a> = match collection.narrowest(selection)
        {
            None => Box::new(collection.objects.range::<str, _>((first, Bound::Unbounded))),
            Some(Paths::Shared(paths)) => {
                let paths = paths.range::<str, _>((first, Bound::Unbounded));
                Box::new(paths.filter_map(|path| collection.objects.get_key_value(path)))
            }
            Some(Paths::United(paths)) => {
                let start = start.max(&prefix).to_owned();
                let paths = paths.into_iter().filter(move |path| ***path >= *start);
                Box::new(paths.filter_map(|path| collection.objects.get_key_value(path)))
            }
        };
        Box::new(found.take_while(move |(path, _)| path.starts_with(&prefix)))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Key, &Arc<Stored>)> {
        self.0.iter().flat_map(|(resource, collection)| {
            let objects = collection.objects.iter();
            objects.map(|(path, object)| {
                (Key { resource: resource.clone(), path: path.clone() }, object)
            })
        })
    }
}

/// The paths of objects that fulfill a condition.
enum Paths<'a> {
    /// The paths of one term.
    Shared(&'a BTreeSet<Arc<str>>),
    /// The paths of several terms.
    United(BTreeSet<&'a Arc<str>>),
}

const NO_PATHS: &BTreeSet<Arc<str>> = &BTreeSet::new();

impl Collection {
    /// The terms of an object. Their strings are shared with other objects.
    fn terms(&self, object: &Value) -> Terms {
        Terms::new(object, &self.selectable, |term| match self.paths.get_key_value(&term) {
            Some((known, _)) => known.clone(),
            None => term.into(),
        })
    }

    fn insert(&mut self, path: &Arc<str>, object: &Arc<Stored>) -> Option<Arc<Stored>> {
        let old = self.objects.insert(path.clone(), object.clone());
        let kept = old.as_ref().is_some_and(|old| old.terms() == object.terms());
        if kept {
            return old;
        }
        if let Some(old) = &old {
            self.remove_terms(path, old);
        }
        for term in object.terms().iter() {
            self.paths.entry(term.clone()).or_default().insert(path.clone());
        }
        old
    }

    fn remove(&mut self, path: &Arc<str>) -> Option<Arc<Stored>> {
        let removed = self.objects.remove(path)?;
        self.remove_terms(path, &removed);
        Some(removed)
    }

    fn remove_terms(&mut self, path: &Arc<str>, object: &Stored) {
        for term in object.terms().iter() {
            let Some(paths) = self.paths.get_mut(term) else { continue };
            paths.remove(path);
            if paths.is_empty() {
                self.paths.remove(term);
            }
        }
    }

    /// The paths of the condition that the fewest objects fulfill. `None` if the index cannot
    /// evaluate any of them.
    fn narrowest(&self, selection: &Selection) -> Option<Paths<'_>> {
        let all = selection.alternatives().map(|terms| {
            let paths = terms.iter().map(|term| self.paths.get(term).unwrap_or(NO_PATHS));
            paths.collect::<Vec<_>>()
        });
        let sets = all.min_by_key(|sets| sets.iter().map(|paths| paths.len()).sum::<usize>())?;
        Some(match sets[..] {
            [only] => Paths::Shared(only),
            _ => Paths::United(sets.into_iter().flatten().collect()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Objects, Stored};
    use crate::select::Selection;
    use serde_json::json;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn key(resource: &str, path: &str) -> Key {
        Key { resource: resource.into(), path: path.into() }
    }

    /// Short paths, long ones that begin alike, namespaces that begin alike.
    fn keys() -> Vec<Key> {
        let names =
            ["a", "a-b", "a.b", "abcdefgh", "abcdefgh-1", "abcdefgh-10", "abcdefgh-2", "b", "zz"];
        let namespaces = ["a/", "a-b/", "a0/", "default/"];
        let paths = namespaces
            .iter()
            .flat_map(|namespace| names.iter().map(move |name| format!("{namespace}{name}")));
        let mut keys: Vec<_> = names.iter().map(|name| key("nodes.", name)).collect();
        keys.extend(paths.flat_map(|path| {
            ["pods.", "widgets.example.com"].map(|resource| key(resource, &path))
        }));
        keys
    }

    #[test]
    fn objects_are_in_the_order_of_their_keys() {
        let mut objects = Objects::default();
        let mut model: BTreeMap<Key, Arc<Stored>> = BTreeMap::new();
        let all = keys();
        // Not in their order, and each twice.
        let order = (0..all.len()).flat_map(|step| [step * 7 % all.len(), step * 14 % all.len()]);
        for (step, key) in order.map(|at| &all[at]).enumerate() {
            let (old, new) = objects.put(key, &json!({"step": step}), Stored::new);
            assert_eq!(old, model.insert(key.clone(), new));
        }
        for key in all.iter().step_by(3) {
            assert_eq!(objects.remove(key), model.remove(key));
            assert_eq!((objects.remove(key), objects.get(key)), (None, None));
        }
        assert!(objects.iter().eq(model.iter().map(|(key, object)| (key.clone(), object))));
        let everything = Selection::default();
        for key in &all {
            assert_eq!(objects.get(key), model.get(key));
            let namespace = key.path.split_once('/').map(|(namespace, _)| namespace);
            let prefix = namespace.map_or_else(String::new, |namespace| format!("{namespace}/"));
            for start in ["", &*key.path] {
                let list = objects
                    .list(&key.resource, namespace, start, &everything)
                    .map(|(path, _)| path.to_string());
                let is_meant = |other: &&Key| {
                    other.resource == key.resource
                        && other.path.starts_with(&prefix)
                        && &*other.path >= start
                };
                let expected = model.keys().filter(is_meant);
                assert!(
                    list.eq(expected.map(|other| other.path.to_string())),
                    "{key:?} from {start}"
                );
            }
        }
    }

    #[test]
    fn nothing_stays_of_objects_that_are_removed() {
        let mut objects = Objects::default();
        for key in keys() {
            objects.set_selectable(&key.resource, &["a"]);
            objects.put(&key, &json!({"metadata": {"labels": {"a": "b"}}, "a": "c"}), Stored::new);
            objects.put(&key, &json!({"metadata": {"labels": {"b": "b"}}, "a": "d"}), Stored::new);
        }
        for key in keys() {
            objects.remove(&key);
        }
        assert!(
            objects
                .0
                .values()
                .all(|collection| collection.objects.is_empty() && collection.paths.is_empty())
        );
    }
}
