//! Updates: read an object, change it and write it, and again if it was changed in between.
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
    self, Decide, Driver, End, Exchange, Failure, FailureKind, Format, Input, Jitter, Machine,
    Open, Reference, Sending, Step,
};
use crate::controller::retry::{Attempts, Next, Policy, Retry};
#[cfg(feature = "dynamic")]
use crate::operation::Operation;
use crate::request::{Request, Template};
use crate::resource_path::ResourcePath;
use crate::response::Error;
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
    change: Change<T>,
    driver: Driver<Purpose, Outcome<T>>,
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
    get: Template,
    conflicts: u32,
    jitter: Jitter,
    attempts: Attempts,
    /// The attempts of all writes, except the ones that end in conflicts.
    write: Retry,
    /// The number of writes that were sent.
    writes: u32,
    /// The version that was read last.
    version: String,
    lost: Option<Lost>,
}

/// A request to make.
#[derive(Debug)]
enum Purpose {
    Read,
    Write(Template),
}

/// A write that failed, and may have had its effect.
#[derive(Debug)]
struct Lost {
    /// The version that was read before it.
    version: String,
    failure: Failure,
}

impl<T: Object + Value> Update<T> {
    /// Reads with the first request. `change` returns the request that writes, or `None` if there
    /// is nothing to change; it is called again with the re-read object after each conflict.
    pub fn new(
        get: Request<T>,
        change: impl FnMut(&T) -> Result<Option<Request<T>>, Error> + Send + 'static,
    ) -> Self {
        let core = Core {
            get: get.into_template(),
            conflicts: 0,
            jitter: Jitter::new(0),
            attempts: Attempts::new(),
            write: Retry::of_write(Policy::default(), 0),
            writes: 0,
            version: String::new(),
            lost: None,
        };
        let driver = Driver::new(Purpose::Read, Outcome::Failed);
        Self { change: Box::new(change), driver, core }
    }

    /// Sets the seed of the random parts of waiting times.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.core.jitter = Jitter::new(seed);
        self.core.attempts.seed = seed;
        self.core.begin();
        self
    }

    /// Sets the time since the first request after which requests are no longer repeated. There is
    /// no such limit by default.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.core.attempts.deadline = deadline;
        self
    }

    /// Sets how often and when a read that fails is repeated, and a write where that can do no harm.
    /// Conflicts are not counted: they lead to up to nine more attempts.
    #[must_use]
    pub fn retry(mut self, policy: Policy) -> Self {
        self.core.attempts.policy = policy;
        self.core.begin();
        self
    }

    /// Sets how long to wait for each part of a response. The default is one minute.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.driver.timeout = timeout;
        self
    }

    /// Takes an object that was read or written.
    fn on_object(&mut self, open: &Open<Purpose>, now: Duration) -> End {
        let mut object = Box::new(T::empty());
        json::read(Target::Object(&mut *object), open.exchange.whole())
            .map_err(FailureKind::Decode)?;
        if matches!(open.query, Purpose::Write(_)) {
            self.driver.report(Outcome::Updated(object));
            return Ok(());
        }
        let lost = self.core.on_read(object.unboxed())?;
        let outcome = match ((self.change)(&object), lost) {
            (Ok(Some(_)), Some(lost)) => Outcome::Failed(self.core.uncertain(lost.failure)),
            (Ok(Some(_)), None) if self.core.version.is_empty() => {
                let absent = "metadata.resourceVersion: it is absent";
                return Err(FailureKind::Mismatched(absent.to_owned()));
            }
            (Ok(Some(write)), None) => {
                self.core.write.follow_with(&write);
                self.driver.wait(now, Purpose::Write(write.into_template()));
                return Ok(());
            }
            (Ok(None), Some(_)) => Outcome::Updated(object),
            (Ok(None), None) => Outcome::Unchanged(object),
            (Err(error), _) => Outcome::Failed(failure_of(error).into()),
        };
        self.driver.report(outcome);
        Ok(())
    }
}

impl<T: Object + Value> Decide<Purpose, Outcome<T>> for Update<T> {
    fn driver(&mut self) -> &mut Driver<Purpose, Outcome<T>> {
        &mut self.driver
    }

    fn open(&mut self, purpose: &mut Purpose, now: Duration) -> Result<Sending, FailureKind> {
        self.core.open(purpose, now)
    }

    fn on_end(&mut self, open: Open<Purpose>, end: End, now: Duration) {
        let end = match end {
            Ok(()) => self.on_object(&open, now),
            Err(failure) => {
                let again = self.core.again(&open, failure, now);
                again.map(|until| self.driver.wait(until, Purpose::Read))
            }
        };
        if let Err(failure) = end {
            let failure = self.core.final_failure(open.exchange.failed(failure));
            self.driver.report(Outcome::Failed(failure));
        }
    }
}

impl<T: Object + Value> Machine for Update<T> {
    type Event = Outcome<T>;

    fn poll(&mut self, now: Duration) -> Step<Outcome<T>> {
        machine::poll(self, now, |_| None)
    }

    fn feed(&mut self, input: Input<'_>, now: Duration) {
        self.driver.feed(input, now);
    }
}

impl Core {
    /// The attempts of the whole update.
    fn begin(&mut self) {
        self.attempts.begin();
        self.write = Retry::of_write(self.attempts.policy, self.attempts.seed);
    }

    fn open(&mut self, purpose: &Purpose, now: Duration) -> Result<Sending, FailureKind> {
        self.attempts.on_send(now);
        let template = match purpose {
            Purpose::Read => &self.get,
            Purpose::Write(template) => {
                self.writes += 1;
                template
            }
        };
        Exchange::send(template, Format::Object, now)
    }

    /// Takes an object that was read, and the write that was lost if it may have changed it.
    fn on_read(&mut self, object: &dyn Object) -> Result<Option<Lost>, FailureKind> {
        check_object(&self.get, object).map_err(FailureKind::Mismatched)?;
        self.attempts.begin();
        Reference::new(object).version.clone_into(&mut self.version);
        Ok(self.lost.take_if(|lost| lost.version != self.version))
    }

    /// The time to read again after a failure, unless the failure stays.
    fn again(
        &mut self,
        open: &Open<Purpose>,
        kind: FailureKind,
        now: Duration,
    ) -> Result<Duration, FailureKind> {
        let next = match &kind {
            _ if matches!(open.query, Purpose::Read) => {
                return self.attempts.again(&kind, now).ok_or(kind);
            }
            FailureKind::Api(error) if error.is_conflict() => self.on_conflict(),
            kind => self.write.failed(kind.into()),
        };
        let Some(until) = self.attempts.until(next, now) else { return Err(kind) };
        if self.write.may_have_arrived() && self.lost.is_none() {
            let failure = open.exchange.failed(kind);
            self.lost = Some(Lost { version: std::mem::take(&mut self.version), failure });
        }
        Ok(until)
    }

    /// Nothing was written: another attempt begins with the object as it is now.
    fn on_conflict(&mut self) -> Next {
        self.conflicts += 1;
        let longest = FIRST_WAIT * 2_u32.pow(self.conflicts.min(6));
        let wait = self.jitter.between(Duration::ZERO, longest);
        if self.conflicts < CONFLICTS { Next::After(wait) } else { Next::Stop }
    }

    /// The failure that stays: of the last request, or after a write that may have had its effect.
    fn final_failure(&self, last: Failure) -> Failure {
        let is_of_state = matches!(&last.kind, FailureKind::Api(error) if is_of_state(error.code));
        if self.lost.is_some() && is_of_state { self.uncertain(last) } else { last }
    }

    /// The failure after a write that may have had its effect.
    fn uncertain(&self, last: Failure) -> Failure {
        FailureKind::Uncertain { attempts: self.writes, last: Box::new(last) }.into()
    }
}

/// Refuses an object that states another name or namespace than the request's.
fn check_object(get: &Template, object: &dyn Object) -> Result<(), String> {
    let found = Reference::new(object);
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
