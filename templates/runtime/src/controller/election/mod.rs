//! Leader election: at most one of several processes leads.
//!
//! Candidates share a Lease, in which the leader writes its name again and again. An [`Election`]
//! is a [`Machine`] with two clocks of its caller: a monotonic one, by which it decides, and the
//! time of day, which it writes into the record, and by which it notices that the computer was
//! suspended. The clocks of the candidates need not agree, as long as they run at the same speed.
//!
//! ```
//! use kapigen_runtime::{Election, Error, jiff::Timestamp};
//! use std::time::Instant;
//!
//! /// A candidate for the lead of the controllers of a name, at the start of a program.
//! fn candidate(identity: &str, start: Instant) -> Result<Election, Error> {
//!     Election::new("default", "my-controller", identity, Timestamp::now(), start.elapsed())
//! }
//!
//! /// Does what only the leader may do.
//! fn act(election: &Election, start: Instant) {
//!     if election.is_leader(Timestamp::now(), start.elapsed()) {
//!         println!("leading");
//!     }
//! }
//! ```
//!
//! * A candidate takes over when the record has not changed for the lease duration that its holder
//!   stated. It measures that on its own clock; the times in the record do not matter.
//! * Leadership lasts until a deadline after the leader *sent* its last successful renewal,
//!   whatever happens to later ones. If the time of day runs ahead of the other clock, the computer
//!   was suspended, and that time counts, however short. So call
//!   [`on_wall_time`](Machine::on_wall_time) before each `poll`, with a clock that shows more than
//!   whole seconds.
//! * Each write has the resource version of the record that it replaces, so that a late write is
//!   refused.
//! * [`Election::release`] empties the record, so that another candidate need not wait.
//!
//! RBAC: `get`, `create` and `update` on `leases` of the group `coordination.k8s.io`.

mod lease;

use crate::controller::machine::{
    self, Decide, Driver, End, Exchange, Failure, FailureKind, Format, Input, Jitter, Machine,
    Open, Sending, Step,
};
use crate::request::{InvalidRequest, RequestLine};
use crate::response::Error;
use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use lease::{Claim, Record};
use std::time::Duration;

/// The maximum size of a Lease in bytes. API servers take no request that is larger.
const LARGEST: usize = 3 << 20;
/// The longest lease, in seconds: Leases have them as numbers of 32 bits.
const LONGEST: u64 = i32::MAX as u64;

/// A candidate in a leader election. See the [module](self).
#[doc(alias("leader election", "lease"))]
#[derive(Debug)]
pub struct Election {
    namespace: String,
    name: String,
    identity: String,
    timing: Timing,
    jitter: Jitter,
    /// A time of day, and the same moment by the other clock.
    wall: (Timestamp, Duration),
    driver: Driver<Purpose, ElectionEvent>,
    observed: Option<Observed>,
    /// The time at which leadership ends, while it lasts.
    leads_until: Option<Duration>,
    /// The time at which it ends if the claim that is under way succeeds.
    would_lead_until: Duration,
    /// The leader that was reported last.
    leader: String,
    is_released: bool,
}

#[derive(Clone, Copy, Debug)]
struct Timing {
    lease: Duration,
    deadline: Duration,
    retry: Duration,
}

/// The record, and the time at which it was seen to change.
#[derive(Debug)]
struct Observed {
    record: Record,
    changed: Duration,
}

/// A request to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Read the record.
    Read,
    /// Create it.
    Create,
    /// Write this candidate into the record that was read last, or no holder if it was released.
    Claim,
}

/// An event of an election.
#[derive(Debug)]
#[non_exhaustive]
pub enum ElectionEvent {
    /// This candidate leads now.
    Leading,
    /// This candidate has lost leadership.
    Lost,
    /// Another candidate leads, with this identity.
    Leader(String),
    /// A request failed. The election retries by itself, unless the failure is
    /// [`FailureKind::Unsendable`]: then it ends. Log it.
    Failed(Failure),
}

impl Election {
    /// Creates a candidate with a unique identity, for the Lease of this name.
    ///
    /// # Errors
    /// When namespace or name is not valid in a path, or the identity is empty.
    pub fn new(
        namespace: &str,
        name: &str,
        identity: &str,
        wall: Timestamp,
        now: Duration,
    ) -> Result<Self, Error> {
        if identity.is_empty() {
            return Err(InvalidRequest::Parameters(
                "the identity of a candidate is empty".to_owned(),
            )
            .into());
        }
        lease::read(namespace, name).map_err(Error::from)?;
        let [lease, deadline, retry] = [15, 10, 2].map(Duration::from_secs);
        Ok(Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            identity: identity.to_owned(),
            timing: Timing { lease, deadline, retry },
            jitter: Jitter::new(lease::seed(identity)),
            wall: (wall, now),
            driver: Driver::new(Purpose::Read, ElectionEvent::Failed),
            observed: None,
            leads_until: None,
            would_lead_until: Duration::ZERO,
            leader: String::new(),
            is_released: false,
        })
    }

    /// Sets the times: others wait for `lease` (15 s if this is not called) after a renewal that
    /// they saw, in whole seconds; leadership ends `deadline` (10 s) after a renewal; renewals and
    /// attempts happen every `retry` (2 s).
    ///
    /// # Errors
    /// When the lease is not a second longer than the deadline, or longer than 2,147,483,647
    /// seconds, which a Lease cannot have, or the deadline is not longer than two retries.
    pub fn timing(
        mut self,
        lease: Duration,
        deadline: Duration,
        retry: Duration,
    ) -> Result<Self, InvalidRequest> {
        let lease = Duration::from_secs(lease.as_secs());
        if lease.as_secs() > LONGEST {
            return Err(InvalidRequest::Parameters(format!(
                "a lease can have at most {LONGEST} seconds"
            )));
        }
        let shortest = deadline.saturating_add(Duration::from_secs(1));
        if lease < shortest || deadline <= retry.saturating_mul(2) || retry.is_zero() {
            let order = "a lease must be longer than the deadline by a second, and that longer \
                         than two retries";
            return Err(InvalidRequest::Parameters(order.to_owned()));
        }
        self.timing = Timing { lease, deadline, retry };
        Ok(self)
    }

    /// Whether this candidate leads at this time, by both clocks. Ask right before each act that
    /// only a leader may do.
    #[must_use]
    pub fn is_leader(&self, wall: Timestamp, now: Duration) -> bool {
        self.leads_until.is_some_and(|until| now < until.saturating_sub(self.suspended(wall, now)))
    }

    /// The time that passed by the time of day alone since that was set. A time of day that falls
    /// behind takes nothing back: it may have been corrected between two suspensions.
    fn suspended(&self, wall: Timestamp, now: Duration) -> Duration {
        let passed = SignedDuration::try_from(now.saturating_sub(self.wall.1)).unwrap_or_default();
        Duration::try_from(wall.duration_since(self.wall.0).saturating_sub(passed))
            .unwrap_or_default()
    }

    /// Stops: leadership ends at once, and then the record is emptied.
    pub fn release(&mut self, now: Duration) {
        if self.is_released || self.driver.is_done() {
            return;
        }
        self.is_released = true;
        let is_leader = self.leads_until.is_some();
        self.lose();
        // A write that is under way may have its effect or not.
        if self.driver.open().is_some_and(|open| open.query != Purpose::Read) {
            self.driver.wait(now, Purpose::Read);
        } else if is_leader {
            self.driver.wait(now, Purpose::Claim);
        } else {
            self.driver.end();
        }
    }

    fn lose(&mut self) {
        if self.leads_until.take().is_some() {
            self.driver.report(ElectionEvent::Lost);
        }
    }

    /// The claim to write now.
    fn claim(&self, now: Duration) -> Claim<'_> {
        let passed = SignedDuration::try_from(now.saturating_sub(self.wall.1)).unwrap_or_default();
        let wall = self.wall.0.checked_add(passed).unwrap_or(self.wall.0);
        if self.is_released {
            return Claim { holder: "", seconds: 1, now: wall };
        }
        let seconds = i64::try_from(self.timing.lease.as_secs()).unwrap_or(i64::MAX);
        Claim { holder: &self.identity, seconds, now: wall }
    }

    /// Takes the record that the server has: as it was read, or as it was written.
    fn on_record(&mut self, purpose: Purpose, record: Record, sent: Duration, now: Duration) {
        let holder = record.holder().to_owned();
        let last = self.observed.take().filter(|last| record.is_unchanged_since(&last.record));
        let changed = last.map_or(now, |last| last.changed);
        let lease = record.seconds().map_or(self.timing.lease, Duration::from_secs);
        let is_own = holder == self.identity;
        let is_over = now >= changed.saturating_add(lease);
        self.observed = Some(Observed { record, changed });
        if self.is_released {
            if purpose == Purpose::Read && is_own {
                self.driver.wait(now, Purpose::Claim);
            }
            return;
        }
        if holder != self.leader {
            self.leader.clone_from(&holder);
            if !holder.is_empty() && !is_own {
                self.driver.report(ElectionEvent::Leader(holder.clone()));
            }
        }
        if purpose != Purpose::Read {
            self.on_claimed(is_own, sent, now);
        } else if is_own || is_over || holder.is_empty() {
            self.driver.wait(now, Purpose::Claim);
        } else {
            self.lose();
            self.wait(now);
        }
    }

    /// Takes the response to a claim. Leadership counts from when the claim was sent.
    fn on_claimed(&mut self, is_own: bool, sent: Duration, now: Duration) {
        let until = self.would_lead_until;
        if !is_own || now >= until {
            return self.wait(now);
        }
        if self.leads_until.replace(until).is_none() {
            self.driver.report(ElectionEvent::Leading);
        }
        self.driver.wait((sent + self.timing.retry).max(now), Purpose::Claim);
    }

    /// Takes a request without a usable response: it may have had its effect or not.
    fn on_failure(&mut self, exchange: Option<&Exchange>, failure: FailureKind, now: Duration) {
        let is_final = matches!(failure, FailureKind::Unsendable(_));
        let retry_after = failure.retry_after().unwrap_or_default();
        self.driver.fail(exchange, failure);
        if is_final {
            self.lose();
        } else if !self.is_released {
            self.wait(now + retry_after.saturating_sub(self.timing.retry));
        }
    }

    /// Reads the record again after a while.
    fn wait(&mut self, now: Duration) {
        let retry = self.timing.retry;
        self.driver.wait(now + self.jitter.between(retry, retry + retry / 5), Purpose::Read);
    }
}

impl Decide<Purpose, ElectionEvent> for Election {
    fn driver(&mut self) -> &mut Driver<Purpose, ElectionEvent> {
        &mut self.driver
    }

    fn open(&mut self, purpose: &mut Purpose, now: Duration) -> Result<Sending, FailureKind> {
        let namespace = &self.namespace;
        let name = &self.name;
        let request = match (purpose, &self.observed) {
            (Purpose::Create, _) => {
                lease::create(namespace, &Record::new(namespace, name, self.claim(now)))
            }
            (Purpose::Claim, Some(observed)) => {
                let mut record = observed.record.clone();
                record.claim(self.claim(now));
                lease::replace(namespace, name, &record)
            }
            (Purpose::Read | Purpose::Claim, _) => lease::read(namespace, name),
        };
        let request = request.map_err(FailureKind::Invalid)?;
        self.would_lead_until = now + self.timing.deadline;
        let exchange = Exchange::new(RequestLine::of(&*request), Format::Object, now);
        Ok((request, exchange.at_most(LARGEST)))
    }

    fn on_unbuilt(&mut self, _: Purpose, failure: FailureKind, now: Duration) {
        self.on_failure(None, failure, now);
    }

    /// A response must be complete in time, however it trickles.
    fn silent_since(exchange: &Exchange) -> Duration {
        exchange.sent
    }

    fn longest_silence(&mut self, _: &Open<Purpose>) -> Duration {
        self.timing.deadline / 2
    }

    /// The end of leadership is reported in time, but a response that has arrived already may still
    /// prevent it.
    fn on_time(&mut self, now: Duration) -> Duration {
        if self.leads_until.is_some_and(|until| now >= until) {
            self.lose();
        }
        self.leads_until.unwrap_or(Duration::MAX)
    }

    fn on_end(&mut self, open: Open<Purpose>, end: End, now: Duration) {
        let Open { query: purpose, exchange } = open;
        let record = || Record::decode(exchange.whole()).map_err(FailureKind::Decode);
        match end.and_then(|()| record()) {
            Ok(record) => self.on_record(purpose, record, exchange.sent, now),
            Err(FailureKind::Api(error))
                if purpose == Purpose::Read && error.code == StatusCode::NOT_FOUND =>
            {
                self.observed = None;
                self.lose();
                if !self.is_released {
                    self.driver.wait(now, Purpose::Create);
                }
            }
            // There was a write in the meantime: by another candidate, or by this one, with a
            // response that was lost.
            Err(FailureKind::Api(error))
                if purpose != Purpose::Read && error.code == StatusCode::CONFLICT =>
            {
                self.driver.wait(now + self.timing.retry / 10, Purpose::Read);
            }
            Err(failure) => self.on_failure(Some(&exchange), failure, now),
        }
    }
}

impl Machine for Election {
    type Event = ElectionEvent;

    fn poll(&mut self, now: Duration) -> Step<ElectionEvent> {
        machine::poll(self, now, |_| None)
    }

    fn feed(&mut self, input: Input<'_>, now: Duration) {
        self.driver.feed(input, now);
    }

    /// Sets the time of day. In between it runs with the other clock, unless the computer is
    /// suspended.
    fn on_wall_time(&mut self, wall: Timestamp, now: Duration) {
        let suspended = self.suspended(wall, now);
        self.leads_until = self.leads_until.map(|until| until.saturating_sub(suspended));
        self.would_lead_until = self.would_lead_until.saturating_sub(suspended);
        self.wall = (wall, now);
    }
}
