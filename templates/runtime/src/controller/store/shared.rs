//! The contents that all handles of a store share: the current objects, and the ones of a relist.

use super::retired::Retired;
use super::state::{Object, State, Values, of_type};
use super::subscription::Subscribers;
use super::waiting::{Waiter, Waiters};
use crate::controller::informer::Key;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::task::Waker;

/// The contents of a store, for objects of any type.
pub(super) struct Shared {
    state: RwLock<State>,
    retired: Retired,
    pub(super) names: Vec<&'static str>,
    indexes: Vec<Values>,
    progress: Mutex<Progress>,
    waiters: Mutex<Waiters>,
    pub(super) subscribers: Subscribers,
}

#[derive(Default)]
pub(super) struct Progress {
    pub(super) is_ready: bool,
    relist: Option<Relist>,
    /// The wakers of the tasks that wait until the store is ready.
    pub(super) wakers: Vec<Waker>,
}

/// A relist that is not complete. Its objects are in their place from the start, so that the end of
/// a relist only exchanges two pointers while readers wait.
struct Relist {
    state: State,
    /// The keys of objects that changed.
    keys: BTreeSet<Key>,
    /// The objects that readers still have.
    replaced: Vec<Object>,
}

impl Shared {
    /// Empty contents with these indexes.
    pub(super) fn new(names: Vec<&'static str>, indexes: Vec<Values>) -> Self {
        Self {
            state: RwLock::new(State::new(indexes.len())),
            retired: Retired::default(),
            names,
            indexes,
            progress: Mutex::default(),
            waiters: Mutex::default(),
            subscribers: Subscribers::default(),
        }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get<T: Send + Sync + 'static>(&self, key: &Key) -> Option<Arc<T>> {
        self.read().get(key.as_str()).and_then(of_type)
    }

    pub(super) fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(&self) {
        let relist =
            || Relist { state: self.read().clone(), keys: BTreeSet::new(), replaced: Vec::new() };
        self.progress().relist.get_or_insert_with(relist);
    }

    pub(super) fn set(&self, key: &Key, object: Option<Object>) {
        let mut progress = self.progress();
        if let Some(relist) = &mut progress.relist {
            let mut replaced = relist.state.set(key.clone(), object, &self.indexes);
            let length = relist.state.len();
            // Only the first change replaces an object that readers have.
            if relist.keys.insert(key.clone()) {
                relist.replaced.extend(replaced.take());
            }
            drop(progress);
            self.retired.add(replaced, length);
            return;
        }
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        drop(progress); // Not before: a relist may begin in between, without this change.
        let replaced = state.set(key.clone(), object, &self.indexes);
        let length = state.len();
        drop(state);
        self.report(std::slice::from_ref(key));
        self.retired.add(replaced, length);
    }

    pub(super) fn finish(&self) {
        let mut progress = self.progress();
        let relist = progress.relist.take().map(|mut relist| {
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::swap(&mut *state, &mut relist.state);
            relist
        });
        drop(progress); // Not before: a change in between would be lost.
        let replaced = relist.map(|relist| {
            drop(relist.state); // All objects of it that are gone were replaced.
            let keys: Vec<Key> = relist.keys.into_iter().collect();
            self.report(&keys);
            relist.replaced
        });
        let mut progress = self.progress();
        progress.is_ready = true;
        let wakers = std::mem::take(&mut progress.wakers);
        drop(progress);
        wakers.into_iter().for_each(Waker::wake);
        // Dropping an object may panic.
        if let Some(replaced) = replaced {
            let length = self.read().len();
            self.retired.add(replaced, length);
        }
    }

    /// Reports changes of objects to all subscribers.
    fn report(&self, keys: &[Key]) {
        self.subscribers.push(keys);
        self.wake(keys);
    }

    /// Wakes the tasks that wait for a change of one of these objects.
    fn wake(&self, keys: &[Key]) {
        let mut waiters = self.waiters();
        if waiters.wakers.is_empty() {
            return;
        }
        let woken: Vec<_> = keys.iter().filter_map(|key| waiters.wakers.remove(key)).collect();
        drop(waiters);
        woken.into_iter().flatten().for_each(|(_, waker)| waker.wake());
    }

    pub(super) fn waiters(&self) -> MutexGuard<'_, Waiters> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A future that is going to wait for changes of an object.
    pub(super) fn waiter<'a>(&'a self, key: &'a Key) -> Waiter<'a> {
        let mut waiters = self.waiters();
        waiters.last += 1;
        Waiter { shared: self, key, id: waiters.last }
    }
}
