//! A clock that wakes tasks, on one thread for all of them.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread;
use std::time::{Duration, Instant};

/// Wakes tasks at their times. It has a thread while any task waits, and none otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Timer {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    last: u64,
    alarms: BTreeMap<(Instant, u64), Waker>,
    is_running: bool,
}

/// A task that will be woken, unless this value is dropped before.
#[derive(Debug)]
pub(super) struct Alarm {
    shared: Arc<Shared>,
    key: (Instant, u64),
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes tasks until none is left.
    fn run(&self) {
        let mut waiting = self.lock();
        while let Some((at, _)) = waiting.alarms.keys().next().copied() {
            let left = at.saturating_duration_since(Instant::now());
            if left.is_zero() {
                if let Some((_, waker)) = waiting.alarms.pop_first() {
                    // A task may set its next alarm while it is woken.
                    drop(waiting);
                    // If a task panics when it is woken, the others are still woken.
                    drop(catch_unwind(AssertUnwindSafe(|| waker.wake())));
                    waiting = self.lock();
                }
            } else {
                waiting = self
                    .changed
                    .wait_timeout(waiting, left)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
            }
        }
        waiting.is_running = false;
    }
}

impl Timer {
    /// Wakes a task after this time. `None` for a time beyond all clocks.
    pub(super) fn after(&self, time: Duration, waker: &Waker) -> Option<Alarm> {
        self.after_on(time, waker, |shared| {
            thread::Builder::new().spawn(move || shared.run()).map(drop)
        })
    }

    /// As [`after`](Self::after), with the way to start a thread. Where none can be started, the
    /// task is woken at once: it checks the clock and polls again, which is slow but correct.
    fn after_on(
        &self,
        time: Duration,
        waker: &Waker,
        start: impl FnOnce(Arc<Shared>) -> io::Result<()>,
    ) -> Option<Alarm> {
        let at = Instant::now().checked_add(time)?;
        let mut waiting = self.shared.lock();
        waiting.last += 1;
        let key = (at, waiting.last);
        waiting.alarms.insert(key, waker.clone());
        if waiting.is_running {
            self.shared.changed.notify_one();
        } else {
            waiting.is_running = start(self.shared.clone()).is_ok();
            if !waiting.is_running {
                drop(waiting);
                waker.wake_by_ref();
            }
        }
        Some(Alarm { shared: self.shared.clone(), key })
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        // Dropped outside of the lock: it may be the last reference to a task that has an alarm.
        let waker = self.shared.lock().alarms.remove(&self.key);
        drop(waker);
        self.shared.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::Timer;
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};
    use std::thread;
    use std::time::{Duration, Instant};

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn wait_until(is_reached: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_reached() {
            assert!(start.elapsed() < Duration::from_secs(60), "it is never reached");
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn tasks_are_woken_unless_their_alarm_is_dropped() {
        let timer = Timer::default();
        let count = Arc::new(Count::default());
        let waker = Waker::from(count.clone());
        let dropped: Vec<_> =
            (0..5000).map(|_| timer.after(Duration::from_secs(3600), &waker)).collect();
        let kept =
            [1, 2].map(|milliseconds| timer.after(Duration::from_millis(milliseconds), &waker));
        wait_until(|| count.0.load(Ordering::SeqCst) == kept.len());
        drop(dropped);
        assert!(timer.shared.lock().alarms.is_empty());
        wait_until(|| !timer.shared.lock().is_running);
        assert!(timer.after(Duration::MAX, &waker).is_none());
    }

    #[test]
    fn a_task_that_panics_does_not_stop_the_others() {
        struct Panic;
        impl Wake for Panic {
            fn wake(self: Arc<Self>) {
                panic!("as it is meant to");
            }
        }
        let timer = Timer::default();
        let count = Arc::new(Count::default());
        let bad = timer.after(Duration::from_millis(1), &Waker::from(Arc::new(Panic)));
        let good = timer.after(Duration::from_millis(20), &Waker::from(count.clone()));
        wait_until(|| count.0.load(Ordering::SeqCst) == 1);
        drop((bad, good));
    }

    #[test]
    fn without_a_thread_tasks_are_woken_at_once() {
        let timer = Timer::default();
        let count = Arc::new(Count::default());
        let waker = Waker::from(count.clone());
        let hour = Duration::from_secs(3600);
        let refuse = |_| Err(io::Error::other("no threads are left"));
        let alarms = [timer.after_on(hour, &waker, refuse), timer.after_on(hour, &waker, refuse)];
        assert_eq!(count.0.load(Ordering::SeqCst), alarms.len());
        // The next thread is for those that still wait, too.
        assert!(!timer.shared.lock().is_running);
        let soon = timer.after(Duration::from_millis(1), &waker);
        wait_until(|| count.0.load(Ordering::SeqCst) == 3);
        drop((alarms, soon));
    }
}
