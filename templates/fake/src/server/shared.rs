//! The state that all clones and streams of a server share.

use super::faults::Fault;
use super::paths::Paths;
use super::request_log::RequestLog;
use super::upgrade::Upgrades;
use crate::discovery::Documents;
use crate::state::State;
use crate::{garbage, names};
use kapigen_runtime::jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Duration;

/// The state that all clones and streams of a server share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    inner: Mutex<Inner>,
    changed: Condvar,
    pub(crate) wakers: Wakers,
}

/// Counts of all that streams may report.
pub(crate) type Moment = [u64; 5];

#[derive(Debug, Default)]
pub(crate) struct Inner {
    pub(crate) state: State,
    pub(crate) faults: Vec<Fault>,
    pub(crate) requests: RequestLog,
    pub(crate) upgrades: Upgrades,
    pub(crate) paths: Paths,
    pub(crate) documents: Documents,
    /// The number of times that all streams were cut.
    pub(crate) cuts: u64,
    /// The time at which a test stopped the clock.
    pub(crate) clock: Option<Timestamp>,
    /// The number of times that a test set the clock.
    ticks: u64,
    /// Whether garbage is collected after each write.
    pub(crate) collects_garbage: bool,
    /// The bearer token that requests need.
    pub(crate) token: Option<String>,
    /// The number of threads that wait for a change.
    waiting: usize,
}

impl Shared {
    /// Locks the state, and ignores poisoning: the state after a test's panic is as good as any.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks until the server has changed since a moment, at most for this long.
    pub(crate) fn wait(&self, before: Moment, at_most: Duration) {
        let mut inner = self.lock();
        inner.waiting += 1;
        let waited =
            self.changed.wait_timeout_while(inner, at_most, |inner| inner.moment() == before);
        waited.unwrap_or_else(PoisonError::into_inner).0.waiting -= 1;
    }

    /// Changes the server, and wakes streams if there is something for them.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let mut inner = self.lock();
        let before = inner.moment();
        let result = change(&mut inner);
        let is_changed = inner.moment() != before;
        let is_awaited = inner.waiting > 0;
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
    /// Changes the objects, and then collects the garbage if this is enabled.
    pub(crate) fn write<T>(&mut self, now: Timestamp, write: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.state.store.version();
        let result = write(self);
        if self.collects_garbage && self.state.store.version() > before {
            garbage::collect_after(&mut self.state, before, &names::time(now));
        }
        result
    }

    /// Changes whenever there may be something for a stream.
    pub(crate) fn moment(&self) -> Moment {
        [
            self.state.store.version(),
            self.state.store.compacted(),
            self.state.logs.version(),
            self.cuts,
            self.ticks,
        ]
    }

    /// The time of the server.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.unwrap_or_else(Timestamp::now)
    }

    /// Stops the clock at this time.
    pub(crate) fn set_clock(&mut self, now: Timestamp) {
        self.clock = Some(now);
        self.ticks += 1;
    }
}

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
