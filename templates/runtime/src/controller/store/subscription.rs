//! Changes of a store, for one subscriber.

use super::shared::Shared;
use crate::controller::informer::Key;
use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

/// Follows the changes of a [`Store`](super::Store).
///
/// It begins with all objects. Pending changes of one object are merged into one, so that a slow
/// subscriber takes no more memory than a key for each object, and receives only the latest state.
///
/// ```
/// use kapigen_runtime::Store;
/// use kapigen_runtime::informer::{Event, Key};
/// use kapigen_runtime::meta_v1::PartialObjectMetadata;
/// use std::sync::Arc;
///
/// let store = Store::<PartialObjectMetadata>::new();
/// let mut changes = store.subscribe();
/// let key = Key::new("default", "web");
/// // Two changes of one object are one change.
/// for _ in 0..2 {
///     store.apply(&Event::Applied { key: key.clone(), object: Arc::default() });
/// }
/// assert_eq!(changes.try_next().unwrap().key, key);
/// assert!(changes.try_next().is_none());
/// ```
pub struct Subscription<T> {
    store: Arc<Shared>,
    queue: Arc<Queue>,
    object: PhantomData<fn() -> T>,
}

/// An object that is new, has changed, or is gone.
#[derive(Debug)]
#[non_exhaustive]
pub struct Change<T> {
    /// Namespace and name.
    pub key: Key,
    /// The current object. `None` if it was deleted.
    pub object: Option<Arc<T>>,
}

/// The keys of the objects that changed.
#[derive(Default)]
pub(super) struct Queue(Mutex<Pending>);

#[derive(Default)]
struct Pending {
    keys: VecDeque<Key>,
    /// The same keys.
    queued: HashSet<Key>,
    waker: Option<Waker>,
}

impl Queue {
    /// Adds changes, and wakes the subscriber.
    pub(super) fn push<'a>(&self, keys: impl Iterator<Item = &'a Key>) {
        let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            if pending.queued.insert(key.clone()) {
                pending.keys.push_back(key.clone());
            }
        }
        let waker = pending.waker.take();
        drop(pending);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// The next change. If there is none, the waker is kept.
    fn pop(&self, waker: Option<&Waker>) -> Option<Key> {
        let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(key) = pending.keys.pop_front() else {
            pending.waker = waker.cloned();
            return None;
        };
        pending.queued.remove(&key);
        Some(key)
    }
}

/// The subscribers that still exist.
#[derive(Default)]
pub(super) struct Subscribers(Mutex<Vec<Weak<Queue>>>);

impl Subscribers {
    pub(super) fn add(&self, queue: &Arc<Queue>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(queue));
    }

    pub(super) fn push(&self, keys: &[Key]) {
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|queue| queue.upgrade().map(|queue| queue.push(keys.iter())).is_some());
    }
}

impl<T: Send + Sync + 'static> Subscription<T> {
    pub(super) fn new(store: Arc<Shared>, queue: Arc<Queue>) -> Self {
        Self { store, queue, object: PhantomData }
    }

    /// The next change, if there is one by now.
    pub fn try_next(&mut self) -> Option<Change<T>> {
        self.queue.pop(None).map(|key| self.change(key))
    }

    /// Waits for the next change. It can be cancelled without losing one.
    pub async fn next(&mut self) -> Change<T> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// The same for an implementation of a future or a stream.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Change<T>> {
        match self.queue.pop(Some(context.waker())) {
            Some(key) => Poll::Ready(self.change(key)),
            None => Poll::Pending,
        }
    }

    fn change(&self, key: Key) -> Change<T> {
        let object = self.store.get(&key);
        Change { key, object }
    }
}

impl<T> fmt::Debug for Subscription<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").finish_non_exhaustive()
    }
}
