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
//! An [`Update`] is a [`Machine`] that ends with one event. The request that it writes with carries
//! the resource version of the object that was read: a replacement does so anyway, a patch if it
//! contains it.
//!
//! Reads and writes that fail are repeated by the rules of [`retry`](crate::retry), a write after
//! the object is read again. After a write that may have had its effect, as its response was lost,
//! the object is in one of three states:
//!
//! - In the same version: the write is repeated. If the first one arrives late, one of them is
//!   refused as a conflict.
//! - In another version, and there is nothing to change: the write had its effect, or another one
//!   with the same result. The outcome is [`Outcome::Updated`].
//! - In another version, and there is something to change: it is not known whether this would be
//!   the second time, for example for a counter that is increased, and the outcome is
//!   [`FailureKind::Uncertain`].
//!
//! A response with another object than the requested one is refused, and so is one without a
//! version where there is something to change.

#[cfg(feature = "dynamic")]
use crate::codec::Identified;
use crate::codec::json;
use crate::codec::path::{KEY, shortened};
use crate::codec::{Object, Target, Value};
use crate::controller::machine::{
    Exchange, Failure, FailureKind, Format, Input, Jitter, Machine, Part, Reference, Step,
};
use crate::controller::retry::{Failed, Next, Policy, Retry};
#[cfg(feature = "dynamic")]
use crate::operation::Operation;
use crate::request::{InvalidRequest, Request, RequestLine, Template};
use crate::resource_path::ResourcePath;
use crate::response::{ApiError, Error};
use http::StatusCode;
use std::fmt;
use std::time::Duration;

/// The number of conflicts after which an update gives up.
const CONFLICTS: u32 = 10;
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
    conflicts: u32,
    timeout: Duration,
    jitter: Jitter,
    seed: u64,
    /// The time of the first request.
    begun: Option<Duration>,
    deadline: Duration,
    policy: Policy,
    /// The attempts of the read that is open or comes next.
    read: Retry,
    /// The attempts of all writes, except the ones that end in conflicts.
    write: Retry,
    /// The number of writes that were sent.
    writes: u32,
    /// The version that was read last.
    version: String,
    lost: Option<Lost>,
}

/// A write that failed, and may have had its effect.
#[derive(Debug)]
struct Lost {
    /// The version that was read before it.
    version: String,
    failure: Failure,
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
    /// Reads with the first request. `change` returns the request that writes, or `None` if nothing
    /// is to change; it is called again with the re-read object after each conflict.
    pub fn new(
        get: Request<T>,
        change: impl FnMut(&T) -> Result<Option<Request<T>>, Error> + Send + 'static,
    ) -> Self {
        let core = Core {
            stage: Stage::Waiting(Duration::ZERO),
            conflicts: 0,
            timeout: Duration::from_secs(60),
            jitter: Jitter::new(0),
            seed: 0,
            begun: None,
            deadline: Duration::MAX,
            policy: Policy::default(),
            read: Retry::of_read(Policy::default(), 0),
            write: Retry::of_write(Policy::default(), 0),
            writes: 0,
            version: String::new(),
            lost: None,
        };
        Self { get: get.into_template(), change: Box::new(change), core }
    }

    /// Sets the seed of the random parts of waiting times.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.core.jitter = Jitter::new(seed);
        self.core.seed = seed;
        self.core.begin();
        self
    }

    /// Sets the time since the first request after which requests are no longer repeated. There is
    /// no such limit by default.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.core.deadline = deadline;
        self
    }

    /// Sets how often and when a read that fails is repeated, and a write where that can do no harm.
    /// Conflicts are not counted: they lead to up to nine more attempts.
    #[must_use]
    pub fn retry(mut self, policy: Policy) -> Self {
        self.core.policy = policy;
        self.core.begin();
        self
    }

    /// Sets how long to wait for each part of a response. The default is one minute.
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
        if let Err(difference) = check_object(&self.get, object.unboxed()) {
            return self.core.fail(FailureKind::Mismatched(difference));
        }
        self.core.begin_read();
        Reference::of(object.unboxed()).version.clone_into(&mut self.core.version);
        let lost = self.core.lost.take_if(|lost| lost.version != self.core.version);
        match ((self.change)(&object), lost) {
            (Ok(Some(_)), Some(Lost { failure, .. })) => self.core.fail_uncertain(failure),
            (Ok(Some(_)), None) if self.core.version.is_empty() => {
                let absent = "metadata.resourceVersion: it is absent";
                self.core.fail(FailureKind::Mismatched(absent.to_owned()))
            }
            (Ok(Some(request)), None) => {
                self.core.write.follow_with(&request);
                self.core.writes += 1;
                let template = request.into_template();
                self.core.send(true, template.line(), template.to_http(), now)
            }
            (Ok(None), Some(_)) => self.core.end(Outcome::Updated(object)),
            (Ok(None), None) => self.core.end(Outcome::Unchanged(object)),
            (Err(error), _) => self.core.end(Outcome::Failed(failure_of(error).into())),
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
        let may_follow = matches!(&kind, FailureKind::Api(error) if is_of_state(error.code));
        let failure = self.failure(kind);
        if self.lost.is_some() && may_follow {
            return self.fail_uncertain(failure);
        }
        self.end(Outcome::Failed(failure))
    }

    /// Ends after a write that may have had its effect.
    fn fail_uncertain<E>(&mut self, last: Failure) -> Step<Outcome<E>> {
        let kind = FailureKind::Uncertain { attempts: self.writes, last: Box::new(last) };
        self.end(Outcome::Failed(kind.into()))
    }

    /// A failure of the request that is open.
    fn failure(&self, kind: FailureKind) -> Failure {
        match &self.stage {
            Stage::Open { exchange, .. } => exchange.failed(kind),
            Stage::Waiting(_) | Stage::Done => kind.into(),
        }
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
            Part::Refusal(error) if is_write && error.is_conflict() => self.on_conflict(error, now),
            Part::Refusal(error) => {
                let attempts = if is_write { &mut self.write } else { &mut self.read };
                let next = attempts.failed(Failed::Refused(&error));
                self.again(next, FailureKind::Api(error), now)
            }
            Part::Fault(error) => Advance::Failed(FailureKind::Decode(error)),
            Part::Broken(cause) => {
                let attempts = if is_write { &mut self.write } else { &mut self.read };
                let next = attempts.failed(Failed::Disconnected);
                self.again(next, FailureKind::Disconnected(cause), now)
            }
            Part::Unsendable(cause) => Advance::Failed(FailureKind::Unsendable(cause)),
        }
    }

    /// The attempts of the whole update.
    fn begin(&mut self) {
        self.begin_read();
        self.write = Retry::of_write(self.policy, self.seed);
    }

    /// The attempts of the next read.
    fn begin_read(&mut self) {
        self.read = Retry::of_read(self.policy, self.seed);
    }

    /// Reads again after a pause, or fails where the pause would end after the deadline.
    fn again(&mut self, next: Next, failure: FailureKind, now: Duration) -> Advance {
        let Next::After(pause) = next else { return Advance::Failed(failure) };
        let until = now.saturating_add(pause);
        if until >= self.begun.unwrap_or(now).saturating_add(self.deadline) {
            return Advance::Failed(failure);
        }
        let is_write = matches!(self.stage, Stage::Open { is_write: true, .. });
        if is_write && self.write.may_have_arrived() && self.lost.is_none() {
            let failure = self.failure(failure);
            self.lost = Some(Lost { version: std::mem::take(&mut self.version), failure });
        }
        self.stage = Stage::Waiting(until);
        Advance::Again
    }

    /// Nothing was written: another attempt begins with the object as it is now.
    fn on_conflict(&mut self, error: Box<ApiError>, now: Duration) -> Advance {
        self.conflicts += 1;
        let longest = FIRST_WAIT * 2_u32.pow(self.conflicts.min(6));
        let wait = self.jitter.between(Duration::ZERO, longest);
        let next = if self.conflicts < CONFLICTS { Next::After(wait) } else { Next::Stop };
        self.again(next, FailureKind::Api(error), now)
    }

    fn decode(&self, object: &mut dyn Object) -> Result<(), FailureKind> {
        let Stage::Open { exchange, .. } = &self.stage else { return Ok(()) };
        json::read(Target::Object(object), exchange.whole()).map_err(FailureKind::Decode)
    }
}

/// Refuses an object that states another name or namespace than the request's.
fn check_object(get: &Template, object: &dyn Object) -> Result<(), String> {
    let found = Reference::of(object);
    if found.name.is_empty() {
        return Err("metadata.name: it is absent".to_owned());
    }
    let path = percent_encoding::percent_decode_str(get.path()).decode_utf8_lossy();
    let Some(ResourcePath { namespace, name: Some(name), .. }) = ResourcePath::parse(&path) else {
        return Ok(());
    };
    let namespace = namespace.unwrap_or_default();
    let meant = [("name", found.name, name), ("namespace", found.namespace, namespace)];
    for (member, found, wanted) in meant {
        if found != wanted && !found.is_empty() {
            return Err(format!(
                "metadata.{member}: expected `{}`, found `{}`",
                shortened(wanted, KEY),
                shortened(found, KEY)
            ));
        }
    }
    #[cfg(feature = "dynamic")]
    check_kind(get, object)?;
    Ok(())
}

/// Refuses an object of another kind. Types that have a kind refuse others when they are
/// decoded.
#[cfg(feature = "dynamic")]
fn check_kind(get: &Template, object: &dyn Object) -> Result<(), String> {
    let Operation { group, version, kind, subresource, .. } = get.operation();
    // Others have kinds of their own.
    let is_resource = matches!(subresource, None | Some("status")) && !kind.is_empty();
    if !is_resource || !object.table().identities.is_empty() {
        return Ok(());
    }
    let api_version = if group.is_empty() { version } else { &format!("{group}/{version}") };
    Identified::stating(object, api_version, kind).map(drop)
}

/// Whether a write is refused with this code because of the state of the object.
fn is_of_state(code: StatusCode) -> bool {
    matches!(code, StatusCode::NOT_FOUND | StatusCode::CONFLICT | StatusCode::UNPROCESSABLE_ENTITY)
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
