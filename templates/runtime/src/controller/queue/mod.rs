//! Work queues: which key a program handles next, and when.
//!
//! Programs that reconcile objects queue keys and not events: a handler acts on the current state.
//! A [`Queue`] does no I/O: it has no clock and starts nothing. `WorkQueue` of kapigen-client
//! shares one between tasks, and runs a handler.
//!
//! ```
//! use kapigen_runtime::queue::{Handled, Queue, Work};
//! use std::time::Duration;
//!
//! let now = Duration::from_secs;
//! let mut queue = Queue::new().concurrency(2);
//! queue.add("default/web", now(0));
//! queue.add("default/web", now(0)); // equal keys are one
//! assert!(matches!(queue.poll(now(0)), Work::Key { key: "default/web", .. }));
//! // A key that is in work is not handed out again before it is done.
//! queue.add("default/web", now(1));
//! assert_eq!(queue.poll(now(1)), Work::Idle);
//! queue.done(&"default/web", Handled::Done, now(2));
//! assert!(matches!(queue.poll(now(2)), Work::Key { .. }));
//! // After a failure there is a pause, which doubles each time.
//! queue.done(&"default/web", Handled::Failed, now(3));
//! assert!(matches!(queue.poll(now(3)), Work::Wait { .. }));
//! ```
//!
//! * **Nothing is lost**: a key that is added is handed out again, even if a handler was working on
//!   it at that moment. So is a key that a handler gives back.
//! * **Pauses** grow only with failures. A key that is added during its pause is handed out at
//!   once; if it fails before the pause is over, the pause does not grow. Success ends the pause.
//! * **Priorities** order the keys that are ready. No key starves: each has its turn after at most
//!   ten others.
//! * **Memory**: a key takes memory while it is ready, delayed, in work or in a pause, and none
//!   after that.

mod ready;
mod timers;

use crate::controller::machine::Jitter;
use ready::Ready;
use std::collections::{HashMap, hash_map};
use std::fmt;
use std::hash::Hash;
use std::time::Duration;
use timers::Timers;

/// The first pause after a failure, without jitter.
const FIRST: Duration = Duration::from_millis(5);
/// The longest pause, without jitter.
const LONGEST: Duration = Duration::from_secs(1000);
/// The number of entries that are kept for other keys.
const SMALL: usize = 64;
/// No entry, or no position.
const NONE: u32 = u32::MAX;
/// The time of an event that is not planned.
const NEVER: u64 = u64::MAX;

/// A queue of keys to handle. See the [module](self).
#[doc(alias = "workqueue")]
pub struct Queue<K> {
    /// Entries by their keys.
    ids: HashMap<K, u32>,
    entries: Vec<Entry<K>>,
    /// Entries without a key.
    free: Vec<u32>,
    ready: Ready,
    timers: Timers,
    jitter: Jitter,
    pauses: (Duration, Duration),
    concurrency: usize,
    in_work: usize,
    is_draining: bool,
}

/// The state of a key.
struct Entry<K> {
    /// `None` if the entry is free.
    key: Option<K>,
    stage: Stage,
    /// The priority of the next turn, or of the last one.
    priority: Priority,
    /// The number of pauses since the last success.
    failures: u32,
    /// The end of the pause.
    retry: u64,
    /// The end of the delay.
    delay: u64,
    /// The time since which it is ready.
    since: u64,
}

impl<K> Entry<K> {
    fn is_working(&self) -> bool {
        matches!(self.stage, Stage::Working | Stage::WorkingAgain)
    }

    /// Whether there is nothing to remember of the key.
    fn is_idle(&self) -> bool {
        self.stage == Stage::Resting && self.retry == NEVER && self.delay == NEVER
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Neither ready nor in work.
    Resting,
    Ready,
    Working,
    /// In work, and was added meanwhile.
    WorkingAgain,
}

/// The priority of a key among the ready ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// After all others, such as for the objects of a first list or of a resync.
    Low,
    /// The usual one.
    #[default]
    Normal,
    /// Before all others, for example for objects that a user waits for.
    High,
}

impl Priority {
    /// In the order of their indexes.
    const ALL: [Self; 3] = [Priority::Low, Priority::Normal, Priority::High];
}

/// The result of handling a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    /// The key is handled; pauses begin with the first one again.
    Done,
    /// As `Done`, but handle the key again after this time at the latest.
    Again(Duration),
    /// Handle the key again after a pause, which grows each time.
    Failed,
}

/// The next action for the caller of a [`Queue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work<K> {
    /// Handle this key, call [`Queue::done`] then, and call [`Queue::poll`] again at once for the
    /// next key.
    Key {
        /// The key.
        key: K,
        /// The time for which it was ready.
        waited: Duration,
    },
    /// Call [`Queue::poll`] again at this time, or after another call.
    Wait {
        /// The time at which the next key is ready.
        until: Duration,
    },
    /// Call [`Queue::poll`] again after another call: there is no key, or as many as allowed are in
    /// work.
    Idle,
    /// The queue was drained, and nothing is in work.
    Done,
}

/// The numbers of keys in a [`Queue`], for metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Keys that are ready to be handled.
    pub ready: usize,
    /// Keys with a delay or a pause.
    pub delayed: usize,
    /// Keys that are being handled.
    pub in_work: usize,
}

impl<K: Clone + Eq + Hash> Default for Queue<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Clone + Eq + Hash> Queue<K> {
    /// An empty queue, which has one key in work at a time.
    #[must_use]
    pub fn new() -> Self {
        Self {
            ids: HashMap::new(),
            entries: Vec::new(),
            free: Vec::new(),
            ready: Ready::default(),
            timers: Timers::default(),
            jitter: Jitter::new(0),
            pauses: (FIRST, LONGEST),
            concurrency: 1,
            in_work: 0,
            is_draining: false,
        }
    }

    /// Sets the maximum number of keys in work at once. Zero counts as one.
    #[must_use]
    pub fn concurrency(mut self, most: usize) -> Self {
        self.concurrency = most.max(1);
        self
    }

    /// Sets the first and the longest pause after a failure. The default is 5 ms, doubling up to
    /// 1000 s. Each is longer by a random part of up to one half.
    #[must_use]
    pub fn pauses(mut self, first: Duration, longest: Duration) -> Self {
        self.pauses = (first, longest.max(first));
        self
    }

    /// Sets the seed of the random parts of pauses.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.jitter = Jitter::new(seed);
        self
    }

    /// Adds a key, to be handled as soon as possible, with the usual priority.
    pub fn add(&mut self, key: K, now: Duration) {
        self.add_with(key, Priority::Normal, now);
    }

    /// Adds a key with a priority. A key that is ready already gets the higher priority of both.
    pub fn add_with(&mut self, key: K, priority: Priority, now: Duration) {
        if let Some(id) = self.entry(key, priority) {
            self.make_ready(id, priority, nanos(now));
        }
    }

    /// Adds a key, to be handled after a delay. If a key has several delays, the earliest end
    /// counts; a key that is handled earlier is handled again then.
    pub fn add_after(&mut self, key: K, delay: Duration, now: Duration) {
        if delay.is_zero() {
            return self.add(key, now);
        }
        if let Some(id) = self.entry(key, Priority::Normal) {
            self.delay(id, nanos(now.saturating_add(delay)));
        }
    }

    /// Adds a key, to be handled after its pause, as after a failure.
    pub fn add_limited(&mut self, key: K, now: Duration) {
        let Some(id) = self.entry(key, Priority::Normal) else { return };
        let end = self.pause(id, now);
        match self.entries[id as usize].stage {
            Stage::Resting | Stage::Ready => self.plan(id),
            // It must be handled once more, even if it is handled with success now.
            Stage::Working | Stage::WorkingAgain => self.delay(id, end),
        }
    }

    /// Clears the pauses and delays of a key, for example once its object was deleted. A ready key
    /// stays ready.
    pub fn forget(&mut self, key: &K) {
        let Some(id) = self.ids.get(key).copied() else { return };
        let entry = &mut self.entries[id as usize];
        entry.failures = 0;
        entry.retry = NEVER;
        entry.delay = NEVER;
        self.plan(id);
        self.release(id);
        self.compact();
    }

    /// The next action.
    pub fn poll(&mut self, now: Duration) -> Work<K> {
        let now = nanos(now);
        while let Some((time, id)) = self.timers.first().filter(|(time, _)| *time <= now) {
            self.on_timer(id, time);
        }
        if self.in_work < self.concurrency
            && let Some(id) = self.ready.pop()
            && let entry = &mut self.entries[id as usize]
            && let Some(key) = entry.key.clone()
        {
            entry.stage = Stage::Working;
            let waited = Duration::from_nanos(now.saturating_sub(entry.since));
            self.in_work += 1;
            // The end of a pause is looked at when the key is done.
            self.plan(id);
            return Work::Key { key, waited };
        }
        if self.is_draining && self.ready.len() == 0 && self.in_work == 0 {
            return Work::Done;
        }
        match self.timers.first() {
            Some((time, _)) if self.in_work < self.concurrency => {
                Work::Wait { until: Duration::from_nanos(time) }
            }
            _ => Work::Idle,
        }
    }

    /// Ends the work on a key that was handed out. Returns whether the key was in work.
    pub fn done(&mut self, key: &K, result: Handled, now: Duration) -> bool {
        // Most keys are forgotten now: it is looked up once.
        let Some((key, id)) = self.ids.remove_entry(key) else { return false };
        if !self.entries[id as usize].is_working() {
            self.ids.insert(key, id);
            return false;
        }
        self.in_work -= 1;
        let entry = &mut self.entries[id as usize];
        let is_again = std::mem::replace(&mut entry.stage, Stage::Resting) == Stage::WorkingAgain;
        if result != Handled::Failed {
            entry.failures = 0;
            entry.retry = NEVER;
        }
        match result {
            _ if self.is_draining => {}
            Handled::Done => {}
            Handled::Again(delay) => self.delay(id, nanos(now.saturating_add(delay))),
            Handled::Failed => _ = self.pause(id, now),
        }
        self.plan(id);
        if is_again {
            // Since it was added.
            let Entry { priority, since, .. } = self.entries[id as usize];
            self.make_ready(id, priority, since);
        }
        if self.entries[id as usize].is_idle() {
            self.entries[id as usize].key = None;
            self.free.push(id);
            self.compact();
        } else {
            self.ids.insert(key, id);
        }
        true
    }

    /// Takes back a key that was handed out, if its result is not known, for example because its
    /// handler was cancelled. It is ready again, also while the queue is drained, and its pauses
    /// stay as they are. Returns whether the key was in work.
    pub fn give_back(&mut self, key: &K, now: Duration) -> bool {
        let Some(id) = self.ids.get(key).copied() else { return false };
        let entry = &mut self.entries[id as usize];
        if !entry.is_working() {
            return false;
        }
        self.in_work -= 1;
        entry.stage = Stage::Resting;
        let priority = entry.priority;
        self.plan(id);
        self.make_ready(id, priority, nanos(now));
        true
    }

    /// Ends the queue: keys that are added from now on are ignored, and so are delays and pauses.
    /// Ready keys are still handed out; then [`Queue::poll`] returns [`Work::Done`].
    pub fn drain(&mut self) {
        self.is_draining = true;
        self.timers.clear();
        for id in 0..self.entries.len() {
            let entry = &mut self.entries[id];
            entry.retry = NEVER;
            entry.delay = NEVER;
            #[expect(clippy::cast_possible_truncation, reason = "IDs have 32 bits")]
            self.release(id as u32);
        }
        self.compact();
    }

    /// The number of keys in each state. A key that is in work and has a delay counts for both.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts { ready: self.ready.len(), delayed: self.timers.len(), in_work: self.in_work }
    }

    /// The end of the pause of a key, if it failed since its last success.
    #[must_use]
    pub fn retry_at(&self, key: &K) -> Option<Duration> {
        let retry = self.entries[*self.ids.get(key)? as usize].retry;
        (retry != NEVER).then(|| Duration::from_nanos(retry))
    }

    /// The entry of a key, unless the queue is drained.
    fn entry(&mut self, key: K, priority: Priority) -> Option<u32> {
        if self.is_draining {
            return None;
        }
        let vacant = match self.ids.entry(key) {
            hash_map::Entry::Occupied(occupied) => return Some(*occupied.get()),
            hash_map::Entry::Vacant(vacant) => vacant,
        };
        let entry = Entry {
            key: Some(vacant.key().clone()),
            stage: Stage::Resting,
            priority,
            failures: 0,
            retry: NEVER,
            delay: NEVER,
            since: 0,
        };
        let id = if let Some(id) = self.free.pop() {
            self.entries[id as usize] = entry;
            id
        } else {
            let id = u32::try_from(self.entries.len()).ok()?;
            self.entries.push(entry);
            id
        };
        vacant.insert(id);
        Some(id)
    }

    /// Frees the entry of a key of which there is nothing to remember.
    fn release(&mut self, id: u32) {
        let entry = &mut self.entries[id as usize];
        if entry.is_idle()
            && let Some(key) = entry.key.take()
        {
            self.ids.remove(&key);
            self.free.push(id);
        }
    }

    /// Releases memory when there were many more keys, for example after the initial list:
    /// renumbers the entries.
    fn compact(&mut self) {
        if self.entries.len() <= SMALL || self.ids.len() > self.entries.len() / 4 {
            return;
        }
        let mut renumbered = vec![NONE; self.entries.len()];
        let used =
            renumbered.iter_mut().zip(&self.entries).filter(|(_, entry)| entry.key.is_some());
        for ((new, _), next) in used.zip(0..) {
            *new = next;
        }
        self.entries.retain(|entry| entry.key.is_some());
        self.entries.shrink_to_fit();
        self.free = Vec::new();
        self.ids.values_mut().for_each(|id| *id = renumbered[*id as usize]);
        self.ids.shrink_to_fit();
        self.ready.renumber(&renumbered, self.entries.len());
        self.timers.renumber(&renumbered, self.entries.len());
    }

    fn make_ready(&mut self, id: u32, priority: Priority, since: u64) {
        let entry = &mut self.entries[id as usize];
        match entry.stage {
            Stage::Ready if priority <= entry.priority => return,
            Stage::Ready => self.ready.remove(id, entry.priority),
            Stage::Resting => entry.since = since,
            Stage::Working => {
                entry.since = since;
                entry.stage = Stage::WorkingAgain;
                entry.priority = priority;
                return;
            }
            Stage::WorkingAgain => {
                entry.priority = entry.priority.max(priority);
                return;
            }
        }
        entry.stage = Stage::Ready;
        entry.priority = priority;
        self.ready.push(id, priority);
    }

    fn delay(&mut self, id: u32, end: u64) {
        let entry = &mut self.entries[id as usize];
        if end < entry.delay {
            entry.delay = end;
            self.plan(id);
        }
    }

    /// The end of the pause of a key. It is longer than the last one, unless that has not passed
    /// yet.
    fn pause(&mut self, id: u32, now: Duration) -> u64 {
        let entry = &mut self.entries[id as usize];
        if entry.retry == NEVER || entry.retry <= nanos(now) {
            let (first, longest) = self.pauses;
            let pause = first.saturating_mul(2_u32.saturating_pow(entry.failures)).min(longest);
            let pause = self.jitter.between(pause, pause.saturating_add(pause / 2));
            entry.failures = entry.failures.saturating_add(1);
            entry.retry = nanos(now.saturating_add(pause));
        }
        entry.retry
    }

    /// Sets the timer of a key.
    fn plan(&mut self, id: u32) {
        let entry = &self.entries[id as usize];
        let retry = if entry.is_working() { NEVER } else { entry.retry };
        match retry.min(entry.delay) {
            NEVER => self.timers.remove(id),
            time => self.timers.set(id, time),
        }
    }

    fn on_timer(&mut self, id: u32, time: u64) {
        let entry = &mut self.entries[id as usize];
        if entry.delay <= time {
            entry.delay = NEVER;
        }
        if !entry.is_working() && entry.retry <= time {
            entry.retry = NEVER;
        }
        let priority = entry.priority;
        self.plan(id);
        self.make_ready(id, priority, time);
    }
}

/// Nanoseconds, of which there are enough for 584 years.
fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(NEVER - 1).min(NEVER - 1)
}

impl<K> fmt::Debug for Queue<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let delayed = self.timers.len();
        f.debug_struct("Queue")
            .field("ready", &self.ready.len())
            .field("delayed", &delayed)
            .field("in_work", &self.in_work)
            .finish_non_exhaustive()
    }
}
