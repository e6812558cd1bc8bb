//! The objects of one moment.

use super::shared::Shared;
use super::state::{State, of_type};
use super::{IndexValue, Lookup};
use crate::controller::informer::Key;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// The objects of a store at one moment. It does not change.
pub struct Snapshot<T> {
    pub(super) state: State,
    pub(super) shared: Arc<Shared>,
    pub(super) object: PhantomData<fn() -> T>,
}

impl<T: Send + Sync + 'static> Snapshot<T> {
    /// The number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.len()
    }

    /// Whether there are no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The object with this key.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<Arc<T>> {
        self.state.get(key.as_str()).and_then(of_type)
    }

    /// All objects, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, Arc<T>)> {
        self.state.objects().filter_map(|(key, object)| Some((key, of_type(object)?)))
    }

    /// The objects that have a value in an index, by their keys. There are none in an index that
    /// the store does not have.
    #[must_use]
    pub fn get_all<V: IndexValue>(&self, index: &Lookup<T, V>, value: &V) -> Vec<Arc<T>> {
        self.find(index.name, &value.index_text())
    }

    /// The objects that have a value in the index with this name, by their keys. Every store has
    /// the index `namespace`. There are none in an index that the store does not have.
    #[must_use]
    pub fn find(&self, index: &str, value: &str) -> Vec<Arc<T>> {
        let Some(index) = self.shared.names.iter().position(|name| *name == index) else {
            return Vec::new();
        };
        self.state
            .find(index, value)
            .into_iter()
            .filter_map(|(_, object)| of_type(object))
            .collect()
    }
}

impl<T> Clone for Snapshot<T> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), shared: Arc::clone(&self.shared), object: PhantomData }
    }
}

impl<T> fmt::Debug for Snapshot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("objects", &self.state.len()).finish_non_exhaustive()
    }
}
