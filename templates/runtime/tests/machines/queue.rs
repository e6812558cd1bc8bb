//! Queues of work, against a naive model.

use kapigen_runtime::queue::{Handled, Priority, Queue, Work};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const MS: fn(u64) -> Duration = Duration::from_millis;

/// Something that a program does.
#[derive(Clone, Copy, Debug)]
enum Act {
    Add(u8, Priority),
    After(u8, u64),
    Limited(u8),
    Forget(u8),
    /// Ends the work on one of the keys in work.
    Done(usize, Handled),
    /// Gives one of the keys in work back.
    GiveBack(usize),
    /// Time passes, in milliseconds.
    Pass(u64),
    Drain,
}

fn act() -> impl Strategy<Value = Act> {
    let key = || 0..8_u8;
    let priority = prop::sample::select(vec![Priority::Low, Priority::Normal, Priority::High]);
    let outcome = prop_oneof![
        3 => Just(Handled::Done),
        3 => Just(Handled::Failed),
        1 => (0..40_u64).prop_map(|time| Handled::Again(MS(time))),
    ];
    prop_oneof![
        8 => (key(), priority).prop_map(|(key, priority)| Act::Add(key, priority)),
        2 => (key(), 0..40_u64).prop_map(|(key, time)| Act::After(key, time)),
        2 => key().prop_map(Act::Limited),
        1 => key().prop_map(Act::Forget),
        8 => (any::<usize>(), outcome).prop_map(|(index, outcome)| Act::Done(index, outcome)),
        2 => any::<usize>().prop_map(Act::GiveBack),
        4 => (0..60_u64).prop_map(Act::Pass),
    ]
}

/// The state of a key.
#[derive(Clone, Debug, Default)]
struct Known {
    priority: Priority,
    /// Since when it is ready, and when it came to its priority.
    ready: Option<(Duration, Duration)>,
    in_work: bool,
    /// When it was added while it was in work.
    again: Option<Duration>,
    delay: Option<Duration>,
    retry: Option<Duration>,
    failures: u32,
}

/// A naive queue: it looks through all keys each time.
#[derive(Default)]
struct Model {
    keys: BTreeMap<u8, Known>,
    passed: BTreeMap<Priority, u32>,
    is_draining: bool,
}

impl Model {
    fn add(&mut self, key: u8, priority: Priority, since: Duration, now: Duration) {
        let known = self.keys.entry(key).or_default();
        if known.in_work {
            known.priority =
                if known.again.is_some() { known.priority.max(priority) } else { priority };
            known.again.get_or_insert(since);
        } else if known.ready.is_none() || priority > known.priority {
            known.priority = priority;
            known.ready = Some((known.ready.map_or(since, |(since, _)| since), now));
        }
    }

    fn fire(&mut self, now: Duration) {
        loop {
            let due = self.keys.iter().flat_map(|(key, known)| {
                let retry = known.retry.filter(|_| !known.in_work);
                [known.delay, retry].into_iter().flatten().map(|time| (time, *key))
            });
            let Some((time, key)) = due.filter(|(time, _)| *time <= now).min() else { return };
            let known = self.keys.get_mut(&key).unwrap();
            known.delay = known.delay.filter(|delay| *delay > time);
            known.retry = known.retry.filter(|retry| *retry > time || known.in_work);
            let priority = known.priority;
            self.add(key, priority, time, time);
        }
    }

    /// The keys of which any may be next.
    fn next(&mut self) -> BTreeSet<u8> {
        let waiting = |priority| {
            let ready = self
                .keys
                .iter()
                .filter(move |(_, known)| known.ready.is_some() && known.priority == priority);
            ready.map(|(key, known)| (known.ready.unwrap().1, *key)).collect::<Vec<_>>()
        };
        let levels = [Priority::Low, Priority::Normal, Priority::High]
            .map(|priority| (priority, waiting(priority)));
        let mut levels =
            levels.into_iter().filter(|(_, keys)| !keys.is_empty()).collect::<BTreeMap<_, _>>();
        let overdue = levels
            .keys()
            .find(|level| self.passed.get(level).is_some_and(|passed| *passed >= 8))
            .copied();
        let Some(chosen) = overdue.or(levels.keys().next_back().copied()) else {
            return BTreeSet::new();
        };
        self.passed.retain(|level, _| levels.contains_key(level) && *level != chosen);
        for level in levels.keys().filter(|level| **level != chosen) {
            *self.passed.entry(*level).or_default() += 1;
        }
        let keys = levels.remove(&chosen).unwrap();
        let first = keys.iter().min().unwrap().0;
        keys.into_iter().filter(|(time, _)| *time == first).map(|(_, key)| key).collect()
    }

    fn pause(&mut self, key: u8, queue: &Queue<u8>, now: Duration) -> Option<Duration> {
        let known = self.keys.entry(key).or_default();
        let retry = queue.retry_at(&key);
        if known.retry.is_some_and(|retry| retry > now) {
            assert_eq!(retry, known.retry, "a pause that has not passed stays");
        } else {
            let pause = MS(5 * 2_u64.pow(known.failures)).min(MS(30));
            let range = now + pause..=now + pause * 3 / 2;
            assert!(retry.is_some_and(|retry| range.contains(&retry)), "{retry:?} in {range:?}");
            known.failures += 1;
        }
        known.retry = retry;
        retry
    }

    fn in_work(&self) -> Vec<u8> {
        self.keys.iter().filter(|(_, known)| known.in_work).map(|(key, _)| *key).collect()
    }

    /// The time of the next poll.
    fn until(&self) -> Option<Duration> {
        let times = self
            .keys
            .values()
            .flat_map(|known| [known.delay, known.retry.filter(|_| !known.in_work)]);
        times.flatten().min()
    }

    fn after(&mut self, key: u8, end: Duration, now: Duration) {
        if end == now {
            return self.add(key, Priority::Normal, now, now);
        }
        let delay = &mut self.keys.entry(key).or_default().delay;
        *delay = Some(delay.map_or(end, |delay| delay.min(end)));
    }
}

struct World {
    queue: Queue<u8>,
    model: Model,
    now: Duration,
    most: usize,
    /// For each key: whether it was handed out since it was added.
    is_seen: BTreeMap<u8, bool>,
}

impl World {
    fn act(&mut self, act: Act) {
        let now = self.now;
        match act {
            Act::Pass(time) => self.now += MS(time),
            Act::Done(index, outcome) => self.done(index, outcome),
            Act::GiveBack(index) => self.give_back(index),
            Act::Drain => {
                self.queue.drain();
                self.model.is_draining = true;
                for known in self.model.keys.values_mut() {
                    known.delay = None;
                    known.retry = None;
                }
            }
            Act::Forget(key) => {
                self.queue.forget(&key);
                if let Some(known) = self.model.keys.get_mut(&key) {
                    *known = Known { delay: None, retry: None, failures: 0, ..known.clone() };
                    let is_seen = known.ready.is_none() && known.again.is_none();
                    self.is_seen.insert(key, is_seen);
                }
            }
            _ if self.model.is_draining => match act {
                Act::Add(key, priority) => self.queue.add_with(key, priority, now),
                Act::After(key, time) => self.queue.add_after(key, MS(time), now),
                Act::Limited(key) => self.queue.add_limited(key, now),
                _ => unreachable!(),
            },
            Act::Add(key, priority) => {
                self.queue.add_with(key, priority, now);
                self.model.add(key, priority, now, now);
                self.is_seen.insert(key, false);
            }
            Act::After(key, time) => {
                self.queue.add_after(key, MS(time), now);
                self.model.after(key, now + MS(time), now);
                self.is_seen.insert(key, false);
            }
            Act::Limited(key) => {
                self.queue.add_limited(key, now);
                let retry = self.model.pause(key, &self.queue, now).unwrap();
                if self.model.keys[&key].in_work {
                    self.model.after(key, retry, now);
                }
                self.is_seen.insert(key, false);
            }
        }
        self.poll();
    }

    fn done(&mut self, index: usize, outcome: Handled) {
        let now = self.now;
        let keys = self.model.in_work();
        let Some(key) = keys.get(index % keys.len().max(1)).copied() else { return };
        assert!(self.queue.done(&key, outcome, now) && !self.queue.done(&key, outcome, now));
        let known = self.model.keys.get_mut(&key).unwrap();
        known.in_work = false;
        if outcome != Handled::Failed {
            known.failures = 0;
            known.retry = None;
        }
        let again = known.again.take();
        let priority = known.priority;
        match outcome {
            _ if self.model.is_draining => {}
            Handled::Done => {}
            Handled::Again(time) => {
                let delay = &mut known.delay;
                *delay = Some(delay.map_or(now + time, |delay| delay.min(now + time)));
            }
            Handled::Failed => _ = self.model.pause(key, &self.queue, now),
        }
        if let Some(since) = again {
            self.model.add(key, priority, since, now);
        }
    }

    fn give_back(&mut self, index: usize) {
        let keys = self.model.in_work();
        let Some(key) = keys.get(index % keys.len().max(1)).copied() else { return };
        assert!(self.queue.give_back(&key, self.now) && !self.queue.give_back(&key, self.now));
        let known = self.model.keys.get_mut(&key).unwrap();
        known.in_work = false;
        known.again = None;
        let priority = known.priority;
        self.model.add(key, priority, self.now, self.now);
        self.is_seen.insert(key, false);
    }

    fn poll(&mut self) {
        // Nothing is remembered of a key without a future.
        let is_known = |known: &Known| {
            let times = [known.ready.map(|(since, _)| since), known.delay, known.retry];
            known.in_work || times.iter().any(Option::is_some)
        };
        self.model.keys.retain(|_, known| is_known(known));
        self.model.fire(self.now);
        let work = self.queue.poll(self.now);
        let in_work = self.model.in_work();
        let has_room = in_work.len() < self.most;
        let next = if has_room { self.model.next() } else { BTreeSet::new() };
        match work {
            Work::Key { key, waited } => {
                assert!(next.contains(&key), "{key} of {next:?}");
                let known = self.model.keys.get_mut(&key).unwrap();
                assert!(!known.in_work, "a key in work is not handed out");
                assert_eq!(known.ready.take().unwrap().0 + waited, self.now);
                known.in_work = true;
                self.is_seen.insert(key, true);
            }
            other => {
                assert!(next.is_empty(), "{other:?} instead of {next:?}");
                let expected = match self.model.until() {
                    _ if self.model.is_draining && in_work.is_empty() => Work::Done,
                    Some(until) if has_room => Work::Wait { until },
                    _ => Work::Idle,
                };
                assert_eq!(other, expected);
            }
        }
        let counts = self.queue.counts();
        let keys = self.model.keys.values();
        assert_eq!(counts.in_work, keys.clone().filter(|known| known.in_work).count());
        assert_eq!(counts.ready, keys.clone().filter(|known| known.ready.is_some()).count());
        let is_delayed =
            |known: &&Known| known.delay.is_some() || known.retry.is_some_and(|_| !known.in_work);
        assert_eq!(counts.delayed, keys.filter(is_delayed).count());
    }
}

fn world(most: usize, seed: u64) -> World {
    let queue = Queue::new().concurrency(most).pauses(MS(5), MS(30)).seed(seed);
    World { queue, model: Model::default(), now: Duration::ZERO, most, is_seen: BTreeMap::new() }
}

proptest! {

    #[test]
    fn a_queue_does_what_a_naive_one_does(
        acts in prop::collection::vec(act(), 1..120), most in 1..4_usize, seed: u64, drains in any::<bool>(),
    ) {
        let mut world = world(most, seed);
        for act in &acts {
            world.act(*act);
        }
        if drains {
            world.act(Act::Drain);
            for act in acts.iter().take(8) {
                world.act(*act);
            }
        }
        // All ends well, and nothing is lost.
        for _ in 0..100 {
            world.act(Act::Pass(7));
            world.act(Act::Done(0, Handled::Done));
        }
        let end = if drains { Work::Done } else { Work::Idle };
        prop_assert_eq!(world.queue.poll(world.now), end);
        prop_assert!(drains || world.is_seen.values().all(|is_seen| *is_seen), "{:?}", world.is_seen);
    }
}

/// The keys that are handed out one by one, each done with success at once.
fn handed_out(queue: &mut Queue<u32>, now: Duration) -> Vec<u32> {
    let mut keys = Vec::new();
    while let Work::Key { key, .. } = queue.poll(now) {
        keys.push(key);
        queue.done(&key, Handled::Done, now);
    }
    keys
}

#[test]
fn changes_come_before_a_first_list_which_does_not_starve() {
    let mut queue = Queue::new();
    let now = Duration::ZERO;
    (0..100).for_each(|key| queue.add_with(key, Priority::Low, now));
    (100..130).for_each(|key| queue.add(key, now));
    let order = handed_out(&mut queue, now);
    assert_eq!(order[..10], [100, 101, 102, 103, 104, 105, 106, 107, 0, 108]);
    assert_eq!(order.len(), 130);
    // A change of a key of the list brings it forward.
    (0..3).for_each(|key| queue.add_with(key, Priority::Low, now));
    queue.add(2, now);
    assert_eq!(handed_out(&mut queue, now), [2, 0, 1]);
}

#[test]
fn triggers_from_outside_do_not_make_pauses_longer() {
    let mut queue = Queue::new();
    let mut now = MS(1);
    queue.add(1, now);
    queue.poll(now);
    queue.done(&1, Handled::Failed, now);
    let retry = queue.retry_at(&1).unwrap();
    assert!((MS(6)..=MS(8)).contains(&retry));
    for _ in 0..100 {
        queue.add(1, now);
        assert!(matches!(queue.poll(now), Work::Key { .. }), "at once");
        queue.done(&1, Handled::Failed, now);
        assert_eq!(queue.poll(now), Work::Wait { until: retry });
    }
    // Failures of the retries do.
    for base in [10, 20, 40, 80] {
        now = queue.retry_at(&1).unwrap();
        assert!(matches!(queue.poll(now), Work::Key { .. }));
        queue.done(&1, Handled::Failed, now);
        let range = now + MS(base)..=now + MS(base * 3 / 2);
        assert!(range.contains(&queue.retry_at(&1).unwrap()), "{base}");
    }
    // Success forgets them.
    queue.add(1, now);
    queue.poll(now);
    queue.done(&1, Handled::Done, now);
    assert_eq!((queue.retry_at(&1), queue.poll(now)), (None, Work::Idle));
}

#[test]
fn memory_of_a_burst_is_used_again_for_other_keys() {
    let mut queue = Queue::new();
    let now = Duration::ZERO;
    queue.add_after(7, MS(500), now);
    queue.add_after(8, MS(400), now);
    for round in 0..3 {
        (0..1000).for_each(|key| queue.add(1000 * round + 10 + key, now));
        assert_eq!(handed_out(&mut queue, now).len(), 1000);
    }
    // The entries were renumbered meanwhile.
    assert_eq!(queue.poll(now), Work::Wait { until: MS(400) });
    (10..20).for_each(|key| queue.add(key, MS(450)));
    assert_eq!(handed_out(&mut queue, MS(600)), [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 8, 7]);
    assert_eq!(queue.poll(MS(600)), Work::Idle);
}

#[test]
fn keys_that_are_given_back_keep_their_pauses_and_survive_a_drain() {
    let mut queue = Queue::new();
    queue.add(1, MS(0));
    queue.poll(MS(0));
    queue.done(&1, Handled::Failed, MS(0));
    let retry = queue.retry_at(&1);
    queue.add(1, MS(1));
    assert!(matches!(queue.poll(MS(1)), Work::Key { .. }));
    assert!(
        queue.give_back(&1, MS(2)) && !queue.give_back(&1, MS(2)) && !queue.give_back(&2, MS(2))
    );
    assert_eq!(queue.retry_at(&1), retry, "no result, and so no success");
    assert!(matches!(queue.poll(MS(2)), Work::Key { key: 1, waited: Duration::ZERO }));
    queue.drain();
    assert!(queue.give_back(&1, MS(3)));
    assert!(matches!(queue.poll(MS(3)), Work::Key { key: 1, .. }), "it was there before the drain");
    queue.done(&1, Handled::Done, MS(3));
    assert_eq!(queue.poll(MS(3)), Work::Done);
}
