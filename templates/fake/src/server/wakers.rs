//! Tasks that wait for a change of the server.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

/// The wakers of streams. Each stream has one at most, and takes it along when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Wakers(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    last: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl Wakers {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ID of a new stream.
    pub(crate) fn register(&self) -> u64 {
        let mut waiting = self.lock();
        waiting.last += 1;
        waiting.last
    }

    /// Wakes a stream at the next change.
    pub(crate) fn set(&self, stream: u64, waker: &Waker) {
        // Dropped outside of the lock: it may be the last reference to a task that has a stream.
        let former = self.lock().wakers.insert(stream, waker.clone());
        drop(former);
    }

    pub(crate) fn remove(&self, stream: u64) {
        let former = self.lock().wakers.remove(&stream);
        drop(former);
    }

    pub(crate) fn wake_all(&self) {
        // Outside of the lock: a task that wakes may ask for the next event at once.
        let wakers = std::mem::take(&mut self.lock().wakers);
        wakers.into_values().for_each(Waker::wake);
    }

    /// The number of streams that wait.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.lock().wakers.len()
    }
}
