//! Work queues that tasks share, and the handler that works on them.

use crate::alarm::Alarm;
use crate::metrics;
use kapigen_runtime::queue::{Counts, Handled, Priority, Queue, Work};
use std::fmt;
use std::future::{Future, poll_fn};
use std::hash::Hash;
use std::mem;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;
use tokio::time::Instant;
use tracing::Span;

/// The number of keys that are begun without giving other tasks a turn.
const TURN: usize = 32;

/// A [`Queue`] with the clock of tokio. A clone is another handle of the same queue, for other
/// tasks and threads.
///
/// ```
/// use kapigen_client::WorkQueue;
/// use kapigen_runtime::queue::{Handled, Queue};
/// use std::time::Duration;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
/// # runtime.block_on(async {
/// let queue = WorkQueue::new(Queue::new().concurrency(4));
/// queue.add("default/web");
/// queue.drain(); // as at the end of a program; before it `run` waits for more keys
/// queue.run(async |key| {
///     println!("reconciling {key}");
///     Ok::<_, String>(Handled::Again(Duration::from_secs(600)))
/// }).await;
/// # });
/// ```
#[doc(alias("controller", "reconciler"))]
pub struct WorkQueue<K> {
    shared: Arc<Shared<K>>,
}

struct Shared<K> {
    /// For metrics.
    name: &'static str,
    start: Instant,
    state: Mutex<State<K>>,
}

struct State<K> {
    queue: Queue<K>,
    /// The wakers of the tasks that wait for work.
    wakers: Vec<Waker>,
}

impl<K: Clone + Eq + Hash> WorkQueue<K> {
    /// Shares a queue.
    #[must_use]
    pub fn new(queue: Queue<K>) -> Self {
        Self::named("", queue)
    }

    /// Shares a queue, which has a name in metrics.
    #[must_use]
    pub fn named(name: &'static str, queue: Queue<K>) -> Self {
        let state = Mutex::new(State { queue, wakers: Vec::new() });
        Self { shared: Arc::new(Shared { name, start: Instant::now(), state }) }
    }

    /// Adds a key, to be handled as soon as possible, with the usual priority.
    pub fn add(&self, key: K) {
        self.change(|queue, now| queue.add(key, now));
    }

    /// Adds a key with a priority: see [`Queue::add_with`].
    pub fn add_with(&self, key: K, priority: Priority) {
        self.change(|queue, now| queue.add_with(key, priority, now));
    }

    /// Adds a key, to be handled after a delay: see [`Queue::add_after`].
    pub fn add_after(&self, key: K, delay: Duration) {
        self.change(|queue, now| queue.add_after(key, delay, now));
    }

    /// Adds a key, to be handled after its pause, as after a failure: see [`Queue::add_limited`].
    pub fn add_limited(&self, key: K) {
        self.change(|queue, now| queue.add_limited(key, now));
    }

    /// Clears the pauses and delays of a key, for example once its object was deleted.
    pub fn forget(&self, key: &K) {
        self.change(|queue, _| queue.forget(key));
    }

    /// Ends the queue: [`run`](Self::run) returns when the keys that are ready are handled.
    pub fn drain(&self) {
        self.change(|queue, _| queue.drain());
    }

    /// The numbers of keys in each state.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.state().queue.counts()
    }

    /// Handles keys, several at once if the queue allows it, until the queue is drained. An error
    /// is logged, and its key handled again after its pause.
    ///
    /// All handlers run in the task that awaits this future. When it is dropped, for example on
    /// loss of leadership, running handlers are cancelled, and their keys are ready again, for the
    /// next `run`. The same happens when a handler panics, which ends this future.
    pub async fn run<R, E>(&self, handle: impl FnMut(K) -> R)
    where
        K: fmt::Debug,
        R: Future<Output = Result<Handled, E>>,
        E: fmt::Display,
    {
        let mut workers = Workers {
            queue: self,
            tasks: Vec::new(),
            alarm: Alarm::default(),
            report: Report::default(),
            waker: Arc::default(),
        };
        let mut handle = handle;
        poll_fn(|context| workers.poll(&mut handle, context)).await;
    }

    fn change(&self, change: impl FnOnce(&mut Queue<K>, Duration)) {
        let mut state = self.state();
        change(&mut state.queue, self.shared.start.elapsed());
        let wakers = mem::take(&mut state.wakers);
        drop(state);
        wakers.into_iter().for_each(Waker::wake);
    }

    fn state(&self) -> MutexGuard<'_, State<K>> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The handlers of one [`WorkQueue::run`].
struct Workers<'a, K: Clone + Eq + Hash, R> {
    queue: &'a WorkQueue<K>,
    tasks: Vec<Task<'a, K, R>>,
    alarm: Alarm,
    report: Report,
    waker: Arc<Mutex<Option<Waker>>>,
}

/// The next report of the numbers of keys, which comes also if no handler ends.
#[derive(Default)]
struct Report {
    /// Whether keys were handed out since the last one.
    is_due: bool,
    until: Option<Duration>,
    alarm: Alarm,
}

/// A handler at work. It is polled only if something woke it, so that many are no burden.
struct Task<'a, K: Clone + Eq + Hash, R> {
    /// Before the key: that is handed out again as soon as it is given back.
    future: Pin<Box<R>>,
    key: InWork<'a, K>,
    signal: Arc<Signal>,
    /// `None` if no subscriber was interested in metrics then.
    start: Option<Instant>,
    span: Span,
}

/// A key in work. It is returned to the queue if it is dropped before it is done.
struct InWork<'a, K: Clone + Eq + Hash> {
    queue: &'a WorkQueue<K>,
    key: K,
    is_done: bool,
}

impl<K: Clone + Eq + Hash> InWork<'_, K> {
    fn done(mut self, result: Handled) {
        self.is_done = true;
        self.queue.change(|queue, now| _ = queue.done(&self.key, result, now));
    }
}

impl<K: Clone + Eq + Hash> Drop for InWork<'_, K> {
    fn drop(&mut self) {
        if !self.is_done {
            self.queue.change(|queue, now| _ = queue.give_back(&self.key, now));
        }
    }
}

struct Signal {
    is_woken: AtomicBool,
    /// The waker of the task that awaits all handlers.
    waker: Arc<Mutex<Option<Waker>>>,
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.is_woken.store(true, Ordering::Release);
        let waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner).clone();
        waker.into_iter().for_each(Waker::wake);
    }
}

impl<'a, K, R, E> Workers<'a, K, R>
where
    K: Clone + Eq + Hash + fmt::Debug,
    R: Future<Output = Result<Handled, E>>,
    E: fmt::Display,
{
    fn poll(&mut self, handle: &mut impl FnMut(K) -> R, context: &mut Context<'_>) -> Poll<()> {
        self.waker
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(&Some(context.waker().clone()));
        self.poll_report(context);
        let poll = self.poll_turn(handle, context);
        // Once for all keys that were handed out, as it looks at all handlers.
        if mem::take(&mut self.report.is_due) {
            self.report();
        }
        poll
    }

    /// Hands out keys and polls their handlers, until all wait or others have to get a turn.
    fn poll_turn(
        &mut self,
        handle: &mut impl FnMut(K) -> R,
        context: &mut Context<'_>,
    ) -> Poll<()> {
        for _ in 0..TURN {
            self.poll_tasks();
            let work = {
                let mut state = self.queue.state();
                let work = state.queue.poll(self.queue.shared.start.elapsed());
                let is_waiting = state.wakers.iter().any(|waker| waker.will_wake(context.waker()));
                if matches!(work, Work::Wait { .. } | Work::Idle) && !is_waiting {
                    state.wakers.push(context.waker().clone());
                }
                work
            };
            match work {
                Work::Key { key, waited } => {
                    let key = InWork { queue: self.queue, key, is_done: false };
                    let task = self.begin(key, handle);
                    self.tasks.push(task);
                    if metrics::are_wanted() {
                        metrics::handed_out(self.queue.shared.name, waited);
                        self.report.is_due = true;
                    }
                }
                Work::Wait { until } => {
                    if self.alarm.poll(self.queue.shared.start, until, context).is_pending() {
                        return Poll::Pending;
                    }
                }
                Work::Idle => return Poll::Pending,
                Work::Done => return Poll::Ready(()),
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Begins the work on a key.
    fn begin(&self, key: InWork<'a, K>, handle: &mut impl FnMut(K) -> R) -> Task<'a, K, R> {
        let span = metrics::reconcile(self.queue.shared.name, &key.key);
        let signal =
            Arc::new(Signal { is_woken: AtomicBool::new(true), waker: Arc::clone(&self.waker) });
        let future = Box::pin(span.in_scope(|| handle(key.key.clone())));
        Task { future, key, signal, start: metrics::are_wanted().then(Instant::now), span }
    }

    fn poll_tasks(&mut self) {
        let mut index = 0;
        while let Some(task) = self.tasks.get_mut(index) {
            let mut result = Poll::Pending;
            if task.signal.is_woken.swap(false, Ordering::AcqRel) {
                let waker = Waker::from(Arc::clone(&task.signal));
                let future = task.future.as_mut();
                result = task.span.in_scope(|| future.poll(&mut Context::from_waker(&waker)));
            }
            let Poll::Ready(result) = result else {
                index += 1;
                continue;
            };
            let Task { key, start, .. } = self.tasks.swap_remove(index);
            let result = result.unwrap_or_else(|error| {
                tracing::warn!(key = ?key.key, %error, "failed, will be handled again");
                Handled::Failed
            });
            let word = match result {
                Handled::Done => "done",
                Handled::Again(_) => "again",
                Handled::Failed => "failed",
            };
            if let Some(start) = start {
                metrics::handled(self.queue.shared.name, word, start.elapsed());
            }
            key.done(result);
        }
    }

    /// Reports the numbers of keys when it is time.
    fn poll_report(&mut self, context: &mut Context<'_>) {
        while metrics::are_wanted() {
            let start = self.queue.shared.start;
            let until = *self.report.until.get_or_insert_with(|| start.elapsed() + metrics::EVERY);
            if self.report.alarm.poll(start, until, context).is_pending() {
                return;
            }
            self.report.until = None;
            self.report();
        }
    }

    fn report(&self) {
        let oldest = self.tasks.iter().filter_map(|task| task.start).min();
        let longest = oldest.map(|start| start.elapsed());
        metrics::counts(self.queue.shared.name, self.queue.counts(), longest.unwrap_or_default());
    }
}

impl<K> Clone for WorkQueue<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K> fmt::Debug for WorkQueue<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_tuple("WorkQueue").field(&state.queue).finish()
    }
}
