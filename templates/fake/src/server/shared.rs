//! The state that all clones and streams of a server share.

use super::faults::Fault;
use super::seen::Seen;
use super::wakers::Wakers;
use crate::discovery::Documents;
use crate::state::State;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The state that all clones and streams of a server share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    inner: Mutex<Inner>,
    changed: Condvar,
    pub(crate) wakers: Wakers,
}

/// Counts of all that streams may report.
pub(crate) type Moment = [u64; 4];

#[derive(Debug, Default)]
pub(crate) struct Inner {
    pub(crate) state: State,
    pub(crate) faults: Vec<Fault>,
    pub(crate) seen: Seen,
    pub(crate) documents: Documents,
    /// The number of times that all streams were cut.
    pub(crate) cuts: u64,
    /// The number of threads that wait for a change.
    waiting: usize,
}

impl Shared {
    /// Locks the state, and ignores poisoning: the state after a test's panic is as good as any.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks until the server is not as it was at a moment, at most for this long.
    pub(crate) fn wait(&self, before: Moment, at_most: Duration) {
        let mut inner = self.lock();
        inner.waiting += 1;
        let waited = self.changed.wait_timeout_while(inner, at_most, |inner| inner.moment() == before);
        waited.unwrap_or_else(PoisonError::into_inner).0.waiting -= 1;
    }

    /// Changes the server, and wakes streams if there is something for them.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let mut inner = self.lock();
        let before = inner.moment();
        let result = change(&mut inner);
        let (is_changed, is_awaited) = (inner.moment() != before, inner.waiting > 0);
        drop(inner);
        if is_changed {
            // It is a system call, even if nobody waits.
            is_awaited.then(|| self.changed.notify_all());
            self.wakers.wake_all();
        }
        result
    }
}

impl Inner {
    /// Changes whenever there may be something for a stream.
    pub(crate) fn moment(&self) -> Moment {
        [self.state.store.version(), self.state.store.compacted(), self.state.logs.version(), self.cuts]
    }
}
