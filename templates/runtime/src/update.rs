//! Updates: an object is read, changed and written, and again if it was changed in between.
//!
//! ```
//! use kapigen_runtime::params::{GetParams, ReplaceParams};
//! use kapigen_runtime::scope::DynamicScope;
//! use kapigen_runtime::verbs::{Gettable, Replaceable};
//! use kapigen_runtime::{Error, Update};
//!
//! /// Labels an object of any kind, unless it has the label.
//! fn label<T: Gettable + Replaceable>(scope: DynamicScope<'static>, name: &'static str) -> Result<Update<T>, Error> {
//!     let get = T::get(scope, name, &GetParams::default())?;
//!     Ok(Update::new(get, move |object: &T| {
//!         let mut object = object.clone();
//!         let labels = object.metadata_mut().labels.get_or_insert_default();
//!         if labels.insert("seen".to_owned(), "yes".to_owned()).is_some() {
//!             return Ok(None);
//!         }
//!         T::replace(scope, name, &object, &ReplaceParams::default()).map(Some)
//!     }))
//! }
//! ```
//!
//! An [`Update`] is a [`Machine`] that ends with one event. The request that it writes with carries the resource
//! version of the object that was read: a replacement does so anyway, a patch if it contains it. Reads that fail are
//! repeated by the rules of [`retry`](crate::retry). A write that fails without a response is the outcome: it may have had
//! its effect, which another one could have twice.

use crate::codec::json;
use crate::codec::{Object, Target, Value};
use crate::machine::{Exchange, Failure, FailureKind, Format, Input, Jitter, Machine, Part, Step};
use crate::request::{InvalidRequest, Request, RequestLine, Template};
use crate::response::{ApiError, Error};
use crate::retry::{Failed, Next, Policy, Retry};
use std::fmt;
use std::time::Duration;

/// The number of times that an object is read before an update gives up.
const ATTEMPTS: u32 = 10;
/// The longest wait before the second attempt. It doubles.
const FIRST_WAIT: Duration = Duration::from_millis(20);

/// The change of an object as a request.
type Change<T> = Box<dyn FnMut(&T) -> Result<Option<Request<T>>, Error> + Send>;

/// Reads an object, changes it, and writes it, again after each conflict. See the [module](self).
pub struct Update<T> {
    get: Template,
    change: Change<T>,
    core: Core,
}

/// The outcome of an [`Update`]. Nothing follows it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome<T> {
    /// The object was written; this is its new state.
    Updated(Box<T>),
    /// There was nothing to change; this is the state that was read.
    Unchanged(Box<T>),
    /// It failed. After a conflict this is the last of several.
    Failed(Failure),
}

/// The state of an update, for objects of any type.
#[derive(Debug)]
struct Core {
    stage: Stage,
    attempts: u32,
    timeout: Duration,
    jitter: Jitter,
    seed: u64,
    /// The time of the first request.
    begun: Option<Duration>,
    deadline: Duration,
    policy: Policy,
    /// The attempts of the read that is open or comes next.
    read: Retry,
}

#[derive(Debug)]
enum Stage {
    /// Reads the object at this time.
    Waiting(Duration),
    Open {
        is_write: bool,
        exchange: Box<Exchange>,
    },
    Done,
}

impl<T: Object + Value> Update<T> {
    /// Reads with the first request. `change` returns the request that writes, or `None` if nothing is to change; it is
    /// called again, with the state of then, after each conflict.
    pub fn new(get: Request<T>, change: impl FnMut(&T) -> Result<Option<Request<T>>, Error> + Send + 'static) -> Self {
        let core = Core {
            stage: Stage::Waiting(Duration::ZERO),
            attempts: 0,
            timeout: Duration::from_secs(60),
            jitter: Jitter::new(0),
            seed: 0,
            begun: None,
            deadline: Duration::MAX,
            policy: Policy::default(),
            read: Retry::of_read(Policy::default(), 0),
        };
        Self { get: get.into_template(), change: Box::new(change), core }
    }

    /// Sets the seed of the random parts of waiting times.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.core.jitter = Jitter::new(seed);
        self.core.seed = seed;
        self.core.begin_read();
        self
    }

    /// Sets the time since the first request after which none is repeated any more. There is no such limit by default.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.core.deadline = deadline;
        self
    }

    /// Sets how often and when a read that fails is repeated.
    #[must_use]
    pub fn retry(mut self, policy: Policy) -> Self {
        self.core.policy = policy;
        self.core.begin_read();
        self
    }

    /// Sets how long to wait for each response, and before another attempt if the server asks for one: where it asks for
    /// more, its refusal is the outcome. The default is one minute.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.core.timeout = timeout;
        self
    }

    /// Takes an object that was read or written.
    fn take(&mut self, is_write: bool, now: Duration) -> Step<Outcome<T>> {
        let mut object = Box::new(T::empty());
        if let Err(failure) = self.core.decode(&mut *object) {
            return self.core.fail(failure);
        }
        if is_write {
            return self.core.end(Outcome::Updated(object));
        }
        self.core.begin_read();
        match (self.change)(&object) {
            Ok(Some(request)) => {
                let template = request.into_template();
                self.core.send(true, template.line(), template.to_http(), now)
            }
            Ok(None) => self.core.end(Outcome::Unchanged(object)),
            Err(error) => self.core.end(Outcome::Failed(failure_of(error).into())),
        }
    }
}

impl<T: Object + Value> Machine for Update<T> {
    type Event = Outcome<T>;

    fn poll(&mut self, now: Duration) -> Step<Outcome<T>> {
        loop {
            match &self.core.stage {
                Stage::Waiting(until) if now < *until => return Step::Wait { until: *until },
                Stage::Waiting(_) => {
                    self.core.attempts += 1;
                    self.core.begun.get_or_insert(now);
                    return self.core.send(false, self.get.line(), self.get.to_http(), now);
                }
                Stage::Open { is_write, .. } => {
                    let is_write = *is_write;
                    match self.core.advance(is_write, now) {
                        Advance::Receive(until) => return Step::Receive { until },
                        Advance::Failed(failure) => return self.core.fail(failure),
                        Advance::Object => return self.take(is_write, now),
                        Advance::Again => {}
                    }
                }
                Stage::Done => return Step::Done,
            }
        }
    }

    fn feed(&mut self, input: Input<'_>, now: Duration) {
        if let Stage::Open { exchange, .. } = &mut self.core.stage {
            exchange.feed(input, now);
        }
    }
}

/// The next action after a response.
enum Advance {
    Receive(Duration),
    Failed(FailureKind),
    Object,
    Again,
}

impl Core {
    fn send<E>(
        &mut self,
        is_write: bool,
        line: RequestLine,
        request: Result<Box<http::Request<Vec<u8>>>, InvalidRequest>,
        now: Duration,
    ) -> Step<Outcome<E>> {
        match request {
            Ok(request) => {
                let exchange = Box::new(Exchange::new(line, Format::Object, now));
                self.stage = Stage::Open { is_write, exchange };
                Step::Send(request)
            }
            Err(error) => self.end(Outcome::Failed(FailureKind::Invalid(error).into())),
        }
    }

    /// Ends with a failure of the request that is open.
    fn fail<E>(&mut self, kind: FailureKind) -> Step<Outcome<E>> {
        let failure = match &self.stage {
            Stage::Open { exchange, .. } => exchange.failed(kind),
            Stage::Waiting(_) | Stage::Done => kind.into(),
        };
        self.end(Outcome::Failed(failure))
    }

    fn end<E>(&mut self, outcome: Outcome<E>) -> Step<Outcome<E>> {
        self.stage = Stage::Done;
        Step::Event(outcome)
    }

    fn advance(&mut self, is_write: bool, now: Duration) -> Advance {
        let Stage::Open { exchange, .. } = &self.stage else { return Advance::Again };
        match exchange.part() {
            Part::Pending => {
                let until = exchange.heard.saturating_add(self.timeout);
                if now < until {
                    return Advance::Receive(until);
                }
                Advance::Failed(FailureKind::Silent(now.saturating_sub(exchange.heard)))
            }
            Part::Complete => Advance::Object,
            Part::Refusal(error) => self.on_refusal(is_write, error, now),
            Part::Fault(error) => Advance::Failed(FailureKind::Decode(error)),
            Part::Broken(cause) => {
                let next = self.read.failed(Failed::Disconnected);
                self.read_again(is_write, next, FailureKind::Disconnected(cause), now)
            }
            Part::Unsendable(cause) => Advance::Failed(FailureKind::Unsendable(cause)),
        }
    }

    /// The attempts of the next read.
    fn begin_read(&mut self) {
        self.read = Retry::of_read(self.policy, self.seed);
    }

    /// Reads again, or fails.
    fn read_again(&mut self, is_write: bool, next: Next, failure: FailureKind, now: Duration) -> Advance {
        match next {
            Next::After(pause)
                if !is_write && now + pause < self.begun.unwrap_or(now).saturating_add(self.deadline) =>
            {
                self.stage = Stage::Waiting(now + pause);
                Advance::Again
            }
            _ => Advance::Failed(failure),
        }
    }

    /// A conflict leads to another attempt, and so does a server that asks for one. Nothing was written then.
    fn on_refusal(&mut self, is_write: bool, error: Box<ApiError>, now: Duration) -> Advance {
        let is_race = is_write && error.is_conflict();
        let is_busy = error.is_too_many_requests() && error.retry_after.is_some_and(|wait| wait <= self.timeout);
        if !(is_race || is_busy) || self.attempts >= ATTEMPTS {
            let next = self.read.failed(Failed::Refused(&error));
            return self.read_again(is_write, next, FailureKind::Api(error), now);
        }
        let longest = FIRST_WAIT * 2_u32.pow(self.attempts.min(6));
        let wait = self.jitter.between(Duration::ZERO, longest).max(error.retry_after.unwrap_or_default());
        self.stage = Stage::Waiting(now + wait);
        Advance::Again
    }

    fn decode(&self, object: &mut dyn Object) -> Result<(), FailureKind> {
        let Stage::Open { exchange, .. } = &self.stage else { return Ok(()) };
        json::read(Target::Object(object), exchange.whole()).map_err(FailureKind::Decode)
    }
}

fn failure_of(error: Error) -> FailureKind {
    match error {
        Error::Invalid(error) => FailureKind::Invalid(error),
        Error::Api(error) => FailureKind::Api(error),
        Error::Decode { error, .. } => FailureKind::Decode(error),
        Error::Truncated { .. } => FailureKind::Truncated,
    }
}

impl<T> fmt::Debug for Update<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update").field("core", &self.core).finish_non_exhaustive()
    }
}
