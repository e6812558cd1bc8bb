//! Waiting times between attempts.

use crate::random::random;
use std::time::Duration;

/// The first waiting time, without jitter.
const FIRST: Duration = Duration::from_millis(800);
/// The longest waiting time, without jitter.
const LONGEST: Duration = Duration::from_secs(30);
/// Success for this long makes the next waiting time the first one again.
const RESET: Duration = Duration::from_secs(120);

/// Waiting times that double with each failure, up to a limit, and begin again after a time of
/// success.
#[derive(Clone, Debug)]
pub(crate) struct Backoff {
    jitter: Jitter,
    next: Duration,
    /// The time of the first success since the last failure.
    success: Option<Duration>,
}

impl Backoff {
    pub(crate) fn new(seed: u64) -> Self {
        Self { jitter: Jitter::new(seed), next: FIRST, success: None }
    }

    /// Takes a success. It counts from the first one after a failure.
    pub(crate) fn on_success(&mut self, now: Duration) {
        self.success.get_or_insert(now);
    }

    /// Makes the next waiting time the first one again.
    pub(crate) fn reset(&mut self) {
        self.next = FIRST;
    }

    /// Takes a failure, and returns how long to wait: between one and two times the doubled time,
    /// or as long as the server asks for if that is longer.
    pub(crate) fn on_failure(&mut self, now: Duration, retry_after: Option<Duration>) -> Duration {
        if self.success.take().is_some_and(|success| now.saturating_sub(success) >= RESET) {
            self.next = FIRST;
        }
        let base = self.next;
        self.next = (base * 2).min(LONGEST);
        self.jitter.between(base, base * 2).max(retry_after.unwrap_or_default())
    }
}

/// Random durations that are the same for the same seed.
#[derive(Clone, Debug)]
pub(crate) struct Jitter {
    seed: u64,
    /// The number of durations that were drawn.
    drawn: u64,
}

impl Jitter {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// A duration from `low` up to `high`, in milliseconds.
    pub(crate) fn between(&mut self, low: Duration, high: Duration) -> Duration {
        self.drawn += 1;
        let span = u64::try_from(high.saturating_sub(low).as_millis()).unwrap_or(u64::MAX - 1);
        low + Duration::from_millis(random(self.seed, self.drawn) % (span + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::{Backoff, Duration, Jitter};

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn waiting_times_double_up_to_a_limit() {
        let mut backoff = Backoff::new(1);
        for base in [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000] {
            let wait = backoff.on_failure(seconds(0), None).as_millis();
            assert!((base..=2 * base).contains(&wait), "{base}: {wait}");
        }
    }

    #[test]
    fn only_a_time_of_success_resets_the_waiting_time() {
        let mut backoff = Backoff::new(1);
        for _ in 0..10 {
            backoff.on_failure(seconds(0), None);
        }
        backoff.on_success(seconds(10));
        assert!(backoff.on_failure(seconds(129), None) >= seconds(30));
        backoff.on_success(seconds(200));
        backoff.on_success(seconds(319));
        assert!(backoff.on_failure(seconds(320), None) < seconds(2));
    }

    #[test]
    fn servers_can_ask_for_more_but_not_for_less() {
        let mut backoff = Backoff::new(1);
        assert_eq!(backoff.on_failure(seconds(0), Some(seconds(7))), seconds(7));
        assert!(
            backoff.on_failure(seconds(0), Some(Duration::ZERO)) >= Duration::from_millis(1600)
        );
    }

    #[test]
    fn a_seed_determines_the_jitter() {
        let times = |seed| -> Vec<Duration> {
            let mut jitter = Jitter::new(seed);
            (0..8).map(|_| jitter.between(seconds(300), seconds(600))).collect()
        };
        assert_eq!(times(7), times(7));
        assert_ne!(times(7), times(8));
        assert!(times(9).iter().all(|time| (seconds(300)..=seconds(600)).contains(time)));
    }
}
