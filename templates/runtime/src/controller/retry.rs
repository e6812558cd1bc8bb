//! Retries of single requests: whether and when a request is repeated after a failure.
//!
//! A [`Retry`] does no I/O: the client feeds it failures. `Client::send` of kapigen-client uses one
//! for each request, and `Client::open` until the response begins. Of machines, updates and
//! discovery use one for each request, without a budget; the others have waits of their own.
//!
//! A request that fails without a response **may have arrived**: the server may have acted on it,
//! and only the response was lost. So [`Repeat`] depends on the operation and on its body:
//!
//! | verb | repeated after a failure |
//! |---|---|
//! | `get`, `list`, `watch` | always |
//! | `create` | only when refused with 429 |
//! | `update` | always |
//! | `patch` as apply, merge or strategic merge | always |
//! | `patch` as JSON patch | if it tests or sets `/metadata/resourceVersion`, as `Patch::json_between` does, else only when refused with 429 |
//! | `delete` | with the precondition `uid` or `resourceVersion`, else only when refused with 429: it could delete a new object of the same name |
//! | `deletecollection` | only when refused with 429 |
//! | `exec`, `attach`, `portforward` and `proxy`, whatever the method | never |
//! | any of the others as a dry run | always |
//!
//! The rules are the same for requests of `Request::raw`: the path states the resource. A request
//! with a path of no resource is repeated if it is a GET, otherwise only when refused with 429.
//!
//! An `update` or a `patch` without a `resourceVersion` declares a state: the second changes
//! nothing, unless somebody else wrote the object between the two. Then it declares the state
//! again, as it would have if it had been sent later. State a version where that matters: the
//! server refuses outdated writes.
//!
//! A request is repeated after a broken connection, after the status codes 429, 502, 503 and 504,
//! and after 500 if the server states `Retry-After`. An eviction that is refused with 429 is
//! repeated only if the server states `Retry-After`: it can mean that a disruption budget allows no
//! eviction now. A timeout is not retried, because it has already used up its time.
//!
//! After a repeat, a 404, 409 or 422 for a write is [`Next::Uncertain`]: the earlier attempt may
//! have caused it. 422 is the refusal of a JSON patch with a failed `test`.

use crate::codec::query::pairs;
use crate::controller::machine::{FailureKind, Jitter};
use crate::operation::Verb;
use crate::patch_type::PatchType;
use crate::request::Request;
use crate::response::ApiError;
#[cfg(feature = "dynamic")]
use http::Method;
use http::StatusCode;
use serde_json::Value;
use std::time::Duration;

/// How often and when requests are repeated.
///
/// The default is up to four repeats, after pauses of 100 ms, 200 ms and so on, up to 10 s, each
/// longer by a random part of up to its length. A server may ask for up to 30 s; if it asks for
/// more, its refusal is the result.
#[doc(alias = "backoff")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    attempts: u32,
    first: Duration,
    longest: Duration,
    patience: Duration,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            attempts: 5,
            first: Duration::from_millis(100),
            longest: Duration::from_secs(10),
            patience: Duration::from_secs(30),
        }
    }
}

impl Policy {
    /// No request is repeated.
    #[must_use]
    pub fn none() -> Self {
        Self::default().attempts(1)
    }

    /// Sets the maximum number of attempts. Zero counts as one.
    #[must_use]
    pub fn attempts(self, attempts: u32) -> Self {
        Self { attempts: attempts.max(1), ..self }
    }

    /// Sets the first and the longest pause.
    #[must_use]
    pub fn pauses(self, first: Duration, longest: Duration) -> Self {
        Self { first, longest: longest.max(first), ..self }
    }

    /// Sets the longest `Retry-After` of a server that is waited for.
    #[must_use]
    pub fn longest_retry_after(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Whether any request may be repeated.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.attempts == 1
    }
}

/// The effect of sending a request a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// The request changes nothing.
    Safe,
    /// The second one changes nothing, or is refused.
    Idempotent,
    /// The second one could act, too.
    Twice,
    /// Only what the request is passed on to could know, and a refusal may be its own.
    Unknown,
}

impl Repeat {
    /// The effect of sending this request a second time.
    ///
    /// ```
    /// use kapigen_runtime::params::{CreateParams, GetParams};
    /// use kapigen_runtime::retry::Repeat;
    /// use kapigen_runtime::verbs::{Creatable, Gettable};
    /// use kapigen_runtime::{Error, Resource};
    ///
    /// fn effects<T: Gettable + Creatable>(object: &T) -> Result<(), Error> {
    ///     let get = T::get(object.scope(), object.name(), &GetParams::default())?;
    ///     assert_eq!(Repeat::of(&get), Repeat::Safe);
    ///     let create = T::create(object.scope(), object, &CreateParams::default())?;
    ///     assert_eq!(Repeat::of(&create), Repeat::Twice);
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub fn of<T>(request: &Request<T>) -> Self {
        let target = Target::of(request);
        if target.is_connection {
            return Repeat::Unknown;
        }
        let query = request.uri().query().unwrap_or_default();
        if target.is_resource && pairs(query).any(|pair| pair == ("dryRun".into(), "All".into())) {
            return Repeat::Safe;
        }
        let body = || serde_json::from_slice::<Value>(request.body()).ok();
        let is_idempotent = match request.operation().verb {
            Verb::Get | Verb::List | Verb::Watch => return Repeat::Safe,
            Verb::Create | Verb::DeleteCollection | Verb::Connect => false,
            Verb::Replace => target.is_resource,
            Verb::Patch if !target.is_resource => false,
            Verb::Patch => match request.content_type().and_then(PatchType::from_header) {
                Some(PatchType::Json) => body().is_some_and(|body| tests_version(&body)),
                // They declare a state, so that the second one changes nothing.
                Some(PatchType::Merge | PatchType::Strategic | PatchType::Apply) => true,
                None => false,
            },
            Verb::Delete => match body() {
                Some(options) if options["dryRun"][0] == "All" => return Repeat::Safe,
                Some(options) => ["uid", "resourceVersion"]
                    .iter()
                    .any(|name| is_stated(&options["preconditions"][name])),
                None => false,
            },
        };
        if is_idempotent { Repeat::Idempotent } else { Repeat::Twice }
    }
}

/// The subject of a request. For a raw request, the path states it.
struct Target {
    is_resource: bool,
    is_eviction: bool,
    /// Whether the server passes the request on to something else.
    is_connection: bool,
}

impl Target {
    fn of<T>(request: &Request<T>) -> Self {
        #[cfg(feature = "dynamic")]
        if request.is_raw() {
            return Self::of_path(request.operation().method, request.uri());
        }
        let operation = request.operation();
        Self {
            is_resource: true,
            is_eviction: operation.subresource == Some("eviction"),
            is_connection: operation.verb == Verb::Connect,
        }
    }

    #[cfg(feature = "dynamic")]
    fn of_path(method: &str, uri: &http::Uri) -> Self {
        const CONNECTIONS: [&str; 4] = ["attach", "exec", "portforward", "proxy"];
        let method = Method::from_bytes(method.as_bytes()).unwrap_or_default();
        // For OPTIONS there is no verb.
        let method = if method == Method::OPTIONS { Method::GET } else { method };
        let access = crate::controller::rbac::Access::of_line(&method, uri);
        let resource = access.as_ref().map(|access| access.resource.as_str()).unwrap_or_default();
        let (plural, subresource) = resource.split_once('/').unwrap_or((resource, ""));
        Self {
            is_resource: access.is_some(),
            is_eviction: subresource == "eviction",
            // Old servers have proxies at `/api/v1/proxy`, too.
            is_connection: CONNECTIONS.contains(&subresource) || plural == "proxy",
        }
    }
}

/// Where an object has its version.
const VERSION: &str = "/metadata/resourceVersion";

/// Whether the steps of a JSON patch are refused if the object was changed: they test the version
/// that is stored, or leave one that they set, which the server compares as in a replace.
fn tests_version(steps: &Value) -> bool {
    let mut is_stored = true;
    let mut is_set = false;
    for step in steps.as_array().into_iter().flatten() {
        let op = step["op"].as_str().unwrap_or_default();
        let path = step["path"].as_str().unwrap_or_default();
        match op {
            "test" if path == VERSION && is_stored && is_stated(&step["value"]) => return true,
            "test" => {}
            "add" | "replace" if path == VERSION => {
                is_stored = false;
                is_set = is_stated(&step["value"]);
            }
            // The version is removed, or comes with another member.
            _ if [path, step["from"].as_str().unwrap_or(path)]
                .iter()
                .any(|path| VERSION.starts_with(path)) =>
            {
                is_stored = false;
                is_set = false;
            }
            _ => {}
        }
    }
    is_set
}

fn is_stated(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

/// A failure of an attempt.
#[derive(Clone, Copy, Debug)]
pub enum Failed<'a> {
    /// There was no connection, or it broke before the whole response had arrived.
    Disconnected,
    /// The server refused.
    Refused(&'a ApiError),
    /// Another failure, which another attempt would not fix.
    Final,
}

impl<'a> From<&'a FailureKind> for Failed<'a> {
    fn from(kind: &'a FailureKind) -> Self {
        match kind {
            FailureKind::Api(error) => Failed::Refused(error),
            FailureKind::Disconnected(_) => Failed::Disconnected,
            _ => Failed::Final,
        }
    }
}

/// The next action after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Send the request again, after this time.
    After(Duration),
    /// The failure is the result.
    Stop,
    /// The failure may be the result of an earlier attempt that had its effect.
    Uncertain,
}

/// The attempts of one request.
#[derive(Clone, Debug)]
pub struct Retry {
    policy: Policy,
    repeat: Repeat,
    is_eviction: bool,
    jitter: Jitter,
    attempts: u32,
    may_have_arrived: bool,
}

impl Retry {
    /// The attempts of this request, after the first one was sent. The seed is for the random parts
    /// of pauses.
    #[must_use]
    pub fn new<T>(policy: Policy, request: &Request<T>, seed: u64) -> Self {
        Self {
            policy,
            repeat: Repeat::of(request),
            is_eviction: Target::of(request).is_eviction,
            jitter: Jitter::new(seed),
            attempts: 1,
            may_have_arrived: false,
        }
    }

    /// The attempts of a request that changes nothing.
    pub(crate) fn of_read(policy: Policy, seed: u64) -> Self {
        Self::of_effect(policy, Repeat::Safe, seed)
    }

    /// The attempts of a request that could act twice.
    pub(crate) fn of_write(policy: Policy, seed: u64) -> Self {
        Self::of_effect(policy, Repeat::Twice, seed)
    }

    fn of_effect(policy: Policy, repeat: Repeat, seed: u64) -> Self {
        let jitter = Jitter::new(seed);
        Self { policy, repeat, is_eviction: false, jitter, attempts: 1, may_have_arrived: false }
    }

    /// Goes on with another request, after the attempts of those before.
    pub(crate) fn follow_with<T>(&mut self, request: &Request<T>) {
        self.repeat = Repeat::of(request);
        self.is_eviction = Target::of(request).is_eviction;
    }

    /// Whether an attempt that failed may have had its effect.
    pub(crate) fn may_have_arrived(&self) -> bool {
        self.may_have_arrived
    }

    /// The number of attempts so far.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Takes the failure of the last attempt.
    pub fn failed(&mut self, failed: Failed<'_>) -> Next {
        if let Failed::Refused(error) = failed
            && self.may_have_arrived
            && self.repeat != Repeat::Safe
            && [StatusCode::NOT_FOUND, StatusCode::CONFLICT, StatusCode::UNPROCESSABLE_ENTITY]
                .contains(&error.code)
        {
            return Next::Uncertain;
        }
        let had_no_effect = is_rejected(failed);
        let may_repeat = match self.repeat {
            Repeat::Safe | Repeat::Idempotent => true,
            Repeat::Twice => had_no_effect,
            Repeat::Unknown => false,
        };
        if !may_repeat || !self.is_temporary(failed) || self.attempts >= self.policy.attempts {
            return Next::Stop;
        }
        let pause = self
            .policy
            .first
            .saturating_mul(2_u32.saturating_pow(self.attempts - 1))
            .min(self.policy.longest);
        let mut pause = self.jitter.between(pause, pause.saturating_mul(2));
        if let Failed::Refused(ApiError { retry_after: Some(wait), .. }) = failed {
            if *wait > self.policy.patience {
                return Next::Stop;
            }
            // Otherwise, clients that were refused together would return together.
            pause = pause.saturating_add(*wait);
        }
        self.attempts += 1;
        self.may_have_arrived |= !had_no_effect;
        Next::After(pause)
    }

    /// Whether another attempt may succeed.
    fn is_temporary(&self, failed: Failed<'_>) -> bool {
        match failed {
            Failed::Disconnected => true,
            Failed::Final => false,
            Failed::Refused(error) => match error.code {
                StatusCode::TOO_MANY_REQUESTS => !self.is_eviction || error.retry_after.is_some(),
                StatusCode::BAD_GATEWAY
                | StatusCode::SERVICE_UNAVAILABLE
                | StatusCode::GATEWAY_TIMEOUT => true,
                StatusCode::INTERNAL_SERVER_ERROR => error.retry_after.is_some(),
                _ => false,
            },
        }
    }
}

/// Whether the server refused before it looked at the request.
fn is_rejected(failed: Failed<'_>) -> bool {
    matches!(failed, Failed::Refused(error) if error.code == StatusCode::TOO_MANY_REQUESTS)
}

/// The attempts of the reads of a task, up to its deadline.
#[derive(Debug)]
pub(crate) struct Attempts {
    pub(crate) policy: Policy,
    pub(crate) seed: u64,
    /// The time since the first request after which none is repeated.
    pub(crate) deadline: Duration,
    /// The time of the first request.
    begun: Option<Duration>,
    /// The attempts of the read that is open or comes next.
    read: Retry,
}

impl Attempts {
    pub(crate) fn new() -> Self {
        let policy = Policy::default();
        let read = Retry::of_read(policy, 0);
        Self { policy, seed: 0, deadline: Duration::MAX, begun: None, read }
    }

    /// Begins another read.
    pub(crate) fn begin(&mut self) {
        self.read = Retry::of_read(self.policy, self.seed);
    }

    /// Takes a request that is sent.
    pub(crate) fn on_send(&mut self, now: Duration) {
        self.begun.get_or_insert(now);
    }

    /// The time to repeat a read that failed. `None` if the failure stays.
    pub(crate) fn again(&mut self, failure: &FailureKind, now: Duration) -> Option<Duration> {
        let next = self.read.failed(failure.into());
        self.until(next, now)
    }

    /// The end of a pause. `None` if there is none, or if it would end after the deadline.
    pub(crate) fn until(&self, next: Next, now: Duration) -> Option<Duration> {
        let Next::After(pause) = next else { return None };
        let until = now.saturating_add(pause);
        (until < self.begun.unwrap_or(now).saturating_add(self.deadline)).then_some(until)
    }
}

/// The repeats that all requests of a program may make: a tenth of the requests that succeed, and
/// ten more. So repeats do not multiply the load of a server that fails.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Tenths of a repeat.
    tenths: u32,
}

/// The maximum number of repeats at once.
const RESERVE: u32 = 10;

impl Default for Budget {
    fn default() -> Self {
        Self { tenths: RESERVE * 10 }
    }
}

impl Budget {
    /// Takes a success.
    pub fn on_success(&mut self) {
        self.tenths = (self.tenths + 1).min(RESERVE * 10);
    }

    /// Whether there may be a repeat, which it counts.
    pub fn withdraw(&mut self) -> bool {
        let rest = self.tenths.checked_sub(10);
        self.tenths = rest.unwrap_or(self.tenths);
        rest.is_some()
    }
}
