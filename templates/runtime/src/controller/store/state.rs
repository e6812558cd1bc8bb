//! Objects and indexes, of which a copy is cheap.

use crate::controller::informer::Key;
use std::any::Any;
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// An object of any type.
pub(super) type Object = Arc<dyn Any + Send + Sync>;

/// Computes the values of an object in an index.
pub(super) type Compute = Box<dyn Fn(&dyn Any) -> Vec<String> + Send + Sync>;

/// The values of objects in an index.
pub(super) enum Values {
    /// The namespace, which an object keeps.
    Namespace,
    /// Values that are computed from the object.
    Computed(Compute),
}

/// The number of parts that are copied one by one.
const SHARDS: usize = 64;

/// Objects and indexes. A clone is cheap, and changes of one do not show in the other: a change
/// copies the part that it concerns, if a clone still has it.
#[derive(Clone)]
pub(super) struct State {
    shards: Arc<Vec<Arc<Shard>>>,
    hasher: RandomState,
    length: usize,
}

#[derive(Clone, Default)]
struct Shard {
    objects: HashMap<Key, Object>,
    /// For each index: the objects that have a value.
    indexes: Vec<HashMap<String, BTreeSet<Key>>>,
}

impl State {
    pub(super) fn new(indexes: usize) -> Self {
        // All parts are one at first.
        let shard =
            Arc::new(Shard { objects: HashMap::new(), indexes: vec![HashMap::new(); indexes] });
        Self { shards: Arc::new(vec![shard; SHARDS]), hasher: RandomState::new(), length: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn get(&self, key: &str) -> Option<&Object> {
        self.shards[self.shard(key)].objects.get(key)
    }

    pub(super) fn objects(&self) -> impl Iterator<Item = (&Key, &Object)> {
        self.shards.iter().flat_map(|shard| &shard.objects)
    }

    /// The objects that have a value in an index, by their keys.
    pub(super) fn find(&self, index: usize, value: &str) -> Vec<(&Key, &Object)> {
        let mut found = Vec::new();
        for shard in self.shards.iter() {
            let keys = shard.indexes[index].get(value).into_iter().flatten();
            found.extend(keys.filter_map(|key| shard.objects.get_key_value(key)));
        }
        found.sort_unstable_by_key(|(key, _)| *key);
        found
    }

    /// Replaces the object with this key, or removes it. Returns the former one.
    pub(super) fn set(
        &mut self,
        key: Key,
        object: Option<Object>,
        indexes: &[Values],
    ) -> Option<Object> {
        let index = self.shard(key.as_str());
        let shard = Arc::make_mut(&mut Arc::make_mut(&mut self.shards)[index]);
        let last = shard.objects.get(&key);
        for (values, index) in indexes.iter().zip(&mut shard.indexes) {
            if matches!(values, Values::Namespace) && last.is_some() == object.is_some() {
                continue;
            }
            replace(
                index,
                &values.compute(&key, last),
                values.compute(&key, object.as_ref()),
                &key,
            );
        }
        let last = match object {
            Some(object) => {
                self.length += 1;
                shard.objects.insert(key, object)
            }
            None => shard.objects.remove(&key),
        };
        self.length -= usize::from(last.is_some());
        last
    }

    #[expect(clippy::cast_possible_truncation, reason = "any bits will do")]
    fn shard(&self, key: &str) -> usize {
        self.hasher.hash_one(key) as usize % SHARDS
    }
}

impl Values {
    /// The values of an object. An absent one has none.
    fn compute(&self, key: &Key, object: Option<&Object>) -> Vec<String> {
        match (self, object) {
            (_, None) => Vec::new(),
            (Values::Namespace, Some(_)) => vec![key.namespace().to_owned()],
            (Values::Computed(compute), Some(object)) => compute(&**object),
        }
    }
}

/// Moves an object from its former values to the current ones. Most changes of an object leave them
/// as they are.
fn replace(
    index: &mut HashMap<String, BTreeSet<Key>>,
    before: &[String],
    now: Vec<String>,
    key: &Key,
) {
    if before == now {
        return;
    }
    for value in before {
        if let Some(keys) = index.get_mut(value) {
            keys.remove(key);
            if keys.is_empty() {
                index.remove(value);
            }
        }
    }
    for value in now {
        index.entry(value).or_default().insert(key.clone());
    }
}

/// An object, if it has this type.
pub(super) fn of_type<T: Send + Sync + 'static>(object: &Object) -> Option<Arc<T>> {
    Arc::clone(object).downcast().ok()
}
