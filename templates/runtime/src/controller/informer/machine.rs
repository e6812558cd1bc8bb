//! The state machine of an informer. It handles keys, versions and bytes, and not the type of the
//! objects, so that it is compiled once.

use super::SyncMethod;
use super::change;
use super::change::{Effect, Known, order};
use super::key::Key;
use crate::codec::json::DecodeError;
use crate::codec::{Table, Target};
use crate::controller::machine::{
    self, Backoff, Decide, Driver, End, Exchange, Failure, FailureKind, Format, Holder, Jitter,
    Open, Page, Sending, Step,
};
use crate::request::{InvalidRequest, Template, with_drop, without_drop};
use crate::response::ApiError;
use http::HeaderValue;
use http::StatusCode;
use std::time::Duration;

/// The time after which a server that refused a watch that begins with all objects is asked for one
/// again.
const STREAM_PAUSE: Duration = Duration::from_secs(3600);
/// The number of consecutive such watches that may break off before all objects are listed.
const MOST_CUTS: u32 = 3;
/// The number of times that versions may go back; then they count as unordered.
const MOST_JUMPS: u32 = 3;

/// An event without its object, which is in the holder.
#[derive(Debug)]
pub(super) enum RawEvent {
    Init,
    Applied(Key),
    Deleted { key: Key, is_decoded: bool },
    InitDone,
    Undecodable { key: Option<Key>, error: DecodeError },
    Failed(Failure),
}

#[derive(Debug)]
pub(super) struct Core {
    pub(super) requests: Requests,
    /// The type of the lists.
    list: &'static Table,
    pub(super) backoff: Backoff,
    pub(super) jitter: Jitter,
    /// The shortest time limit of a watch. The longest one is twice as long.
    pub(super) watch_timeout: Duration,
    known: Known,
    pub(super) driver: Driver<Query, RawEvent>,
    /// The version at which the next request begins.
    from: Start,
    /// The version of the current list, which its first page states.
    list_version: String,
    pub(super) traits: ServerTraits,
    is_initializing: bool,
    /// The time at which the last relist was complete.
    initialized_at: Option<Duration>,
    /// The last time at which all reported objects were known to be up to date.
    pub(super) current_at: Option<Duration>,
    /// The number of failures since there was anything new.
    failures: u32,
}

/// The observed capabilities of the server.
#[derive(Debug, Default)]
pub(super) struct ServerTraits {
    /// The time from which on a watch may begin with all objects. `None` if it never may.
    pub(super) stream_from: Option<Duration>,
    /// The number of consecutive such watches that broke off before the last object.
    cut_streams: u32,
    /// Whether the last such watch ended with an error of the server, before anything was
    /// delivered.
    has_stream_error: bool,
    /// Whether the next list has no pages.
    is_unpaged: bool,
    /// The number of times that versions went back.
    jumps: u32,
    /// The method of the last relist that was complete.
    pub(super) synced_by: Option<SyncMethod>,
}

/// A request, and the progress of its response.
#[derive(Debug, Default)]
pub(super) struct Query {
    purpose: Purpose,
    /// The longest silence while nothing changes.
    longest_silence: Duration,
    /// Whether it brought anything new.
    has_progress: bool,
    page: Page,
    /// The number of objects of the relist before this page.
    seen: usize,
    /// Whether it is a stream that follows one which ended with an error of the server.
    follows_error: bool,
}

impl Core {
    pub(super) fn new(requests: Requests, list: &'static Table) -> Self {
        let stream_from = requests.can_stream().then_some(Duration::ZERO);
        Self {
            requests,
            list,
            backoff: Backoff::new(0),
            jitter: Jitter::new(0),
            watch_timeout: Duration::from_secs(300),
            known: Known::default(),
            driver: Driver::new(Query::default(), RawEvent::Failed),
            from: Start::default(),
            list_version: String::new(),
            traits: ServerTraits { stream_from, ..ServerTraits::default() },
            is_initializing: false,
            initialized_at: None,
            current_at: None,
            failures: 0,
        }
    }

    /// The next step. After [`RawEvent::Applied`], and [`RawEvent::Deleted`] if it is marked so, the holder
    /// has the object.
    pub(super) fn poll(&mut self, now: Duration, holder: &mut dyn Holder) -> Step<RawEvent> {
        machine::poll(self, now, |core| core.take_event(holder, now))
    }

    /// Takes an event or an item, and reports its change.
    fn take_event(&mut self, holder: &mut dyn Holder, now: Duration) -> Option<End> {
        let Open { query: Query { purpose, page, .. }, exchange } = self.driver.open()?;
        let mask = self.requests.template.mask();
        let change = if let Some(line) = exchange.line() {
            let is_ordered = *purpose == Purpose::Watch && self.traits.jumps < MOST_JUMPS;
            let least = if is_ordered { self.from.order() } else { 0 };
            change::of_event(line, holder, &mut self.known, least, mask)
        } else {
            exchange.item(page)?.and_then(|item| {
                page.check(self.list)?;
                let change = change::of_item(&item, page, holder, &mut self.known, mask)?;
                Ok((change, String::new()))
            })
        };
        Some(match change {
            Ok((change, version)) => self.on_change(change, version, now),
            Err(error) => Err(FailureKind::Decode(error)),
        })
    }

    fn wait(&mut self, until: Duration, purpose: Purpose) {
        self.driver.wait(until, Query { purpose, ..Query::default() });
    }

    /// Takes a change, and reports it.
    fn on_change(&mut self, change: Effect, version: String, now: Duration) -> End {
        match change {
            Effect::Error(error) => return Err(FailureKind::Api(error)),
            Effect::JumpedBack => return Err(FailureKind::JumpedBack),
            _ => {}
        }
        let Some(Open { query, .. }) = self.driver.open() else { return Ok(()) };
        self.backoff.on_success(now);
        if query.purpose == Purpose::Stream {
            query.has_progress = true;
            self.backoff.reset();
        }
        let is_end = matches!(change, Effect::InitialEnd);
        match query.purpose {
            Purpose::Stream if is_end => {
                query.purpose = Purpose::Watch;
                self.continue_from(version);
                self.finish_init(SyncMethod::Stream, now);
            }
            // A server that does not support streams sends all objects, too, and never their end.
            Purpose::Stream if matches!(change, Effect::Bookmark) => {
                self.traits.refuse_streams(now);
                self.wait(now, Purpose::Init);
            }
            Purpose::Watch => {
                self.continue_from(version);
                self.current_at = self.current_at.map(|_| now);
            }
            Purpose::Init | Purpose::Stream | Purpose::List { .. } => {}
        }
        self.driver.report(match change {
            Effect::Applied(key) => RawEvent::Applied(key),
            Effect::Deleted { key, is_decoded } => RawEvent::Deleted { key, is_decoded },
            Effect::Undecodable { key, error } => RawEvent::Undecodable { key, error },
            _ => return Ok(()),
        });
        Ok(())
    }

    /// Continues from this version.
    fn continue_from(&mut self, version: String) {
        let Some(open) = self.driver.open() else { return };
        let from = Start::Version(version);
        if from != Start::Version(String::new()) && from != self.from {
            open.query.has_progress = true;
            self.failures = 0;
            self.from = from;
        }
    }

    /// Handles the end of a page, and continues with the next one, or with a watch.
    fn finish_page(&mut self, open: &mut Open<Query>, now: Duration) -> Result<(), DecodeError> {
        let Open { query: Query { purpose, page, seen, .. }, exchange } = open;
        exchange.take_list().finish(Target::Object(&mut *page))?;
        page.check_end(self.list)?;
        let version = page.metadata.resource_version.take().unwrap_or_default();
        let token = page.metadata.continue_.take().unwrap_or_default();
        if version.is_empty() {
            let absent = "metadata.resourceVersion: a list without it cannot be watched";
            return Err(DecodeError::new(absent));
        }
        let has_new = self.known.seen() > *seen;
        let next = if token.is_empty() { Purpose::Watch } else { Purpose::List { token } };
        if next == *purpose {
            return Err(Page::repeated_token());
        }
        if next != Purpose::Watch && !has_new {
            let empty = "metadata.continue: a page that goes on without having a new item";
            return Err(DecodeError::new(empty));
        }
        // Pages of another version than the first one may lack what changed in between, and a watch
        // from the first version brings it.
        if self.list_version.is_empty() {
            self.list_version = version;
        }
        self.backoff.on_success(now);
        if next == Purpose::Watch {
            self.from = Start::Version(std::mem::take(&mut self.list_version));
            self.finish_init(SyncMethod::List, now);
        }
        self.wait(now, next);
        Ok(())
    }

    /// Reports the objects that vanished, and then that all objects were reported.
    fn finish_init(&mut self, method: SyncMethod, now: Duration) {
        for key in self.known.finish().into_iter().rev() {
            self.driver.report(RawEvent::Deleted { key, is_decoded: false });
        }
        self.driver.report(RawEvent::InitDone);
        self.is_initializing = false;
        self.initialized_at = Some(now);
        self.current_at = Some(now);
        self.traits.synced_by = Some(method);
        self.failures = 0;
        self.traits.is_unpaged = false;
        self.traits.cut_streams = 0;
    }

    /// Retries after a backoff: the same request, or a relist where that has failed too often.
    fn retry(&mut self, open: &Open<Query>, failure: FailureKind, now: Duration) {
        self.failures += 1;
        let gives_up = self.failures >= MOST_FAILURES;
        let next = match &open.query.purpose {
            Purpose::Watch if !gives_up => Purpose::Watch,
            // Without a token it is another list: what the first one had may be gone by now.
            Purpose::List { token } if !gives_up && !token.is_empty() => {
                Purpose::List { token: token.clone() }
            }
            Purpose::Stream => {
                self.traits.cut_streams += u32::from(!is_unauthorized(&open.exchange));
                Purpose::Init
            }
            _ => Purpose::Init,
        };
        if next == Purpose::Init && gives_up {
            self.failures = 0;
            self.from = Start::Latest;
        }
        self.wait_after(Some(&open.exchange), failure, next, now);
    }

    fn wait_after(
        &mut self,
        exchange: Option<&Exchange>,
        failure: FailureKind,
        next: Purpose,
        now: Duration,
    ) {
        let until = now + self.backoff.on_failure(now, failure.retry_after());
        self.driver.fail(exchange, failure);
        self.wait(until, next);
    }

    /// Goes on after the end of a watch, which is complete or broke off.
    fn on_cut(&mut self, open: &Open<Query>, failure: FailureKind, now: Duration) {
        let Open { query, exchange } = open;
        let lived = now.saturating_sub(exchange.sent);
        let is_cut = matches!(failure, FailureKind::Disconnected(_));
        let least = if is_cut { HEALTHY } else { PAUSE };
        let is_healthy = exchange.has_head() && (query.has_progress || lived >= least);
        if query.purpose != Purpose::Watch || !is_healthy {
            return self.retry(open, failure, now);
        }
        // Every watch ends some day: that is not a failure.
        if !matches!(failure, FailureKind::Ended) {
            self.driver.fail(Some(exchange), failure);
        }
        self.wait((exchange.sent + PAUSE).max(now), Purpose::Watch);
    }

    /// Goes on after a silence that is too long.
    fn on_silence(&mut self, open: &Open<Query>, failure: FailureKind, now: Duration) {
        let has_head = open.exchange.has_head();
        match open.query.purpose {
            Purpose::Watch if has_head => {
                self.driver.fail(Some(&open.exchange), failure);
                self.wait(now, Purpose::Watch);
            }
            // A server that does not support streams sends nothing before the first change.
            Purpose::Stream if has_head => {
                self.traits.refuse_streams(now);
                self.wait_after(Some(&open.exchange), failure, Purpose::Init, now);
            }
            _ => self.retry(open, failure, now),
        }
    }

    /// Whether a stream with this code will not succeed soon. A server with an etcd that is too old
    /// responds with 500.
    fn is_stream_refused(&mut self, query: &Query, code: StatusCode) -> bool {
        match code.as_u16() {
            _ if query.purpose != Purpose::Stream => false,
            400 | 404 | 405 | 406 | 415 | 422 => true,
            500 if query.has_progress => false,
            500 if query.follows_error => true,
            500 => {
                self.traits.has_stream_error = true;
                false
            }
            _ => false,
        }
    }

    /// Goes on after a refusal, be it a response or an event.
    fn on_refusal(&mut self, open: &Open<Query>, error: Box<ApiError>, now: Duration) {
        if error.code == StatusCode::NOT_ACCEPTABLE && self.requests.refuse_drop() {
            return self.wait(now, open.query.purpose.clone());
        }
        let is_stale = error.is_gone() || is_too_large(&error);
        let is_rejected =
            matches!(error.code, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY);
        let has_version = matches!(self.from, Start::Version(_));
        let is_paged = !self.traits.is_unpaged;
        let is_stream_refused = self.is_stream_refused(&open.query, error.code);
        match &open.query.purpose {
            Purpose::Stream if is_stream_refused => self.traits.refuse_streams(now),
            // A list of several pages is forgotten after some minutes; one page cannot be.
            Purpose::List { token }
                if !token.is_empty() && (is_stale || is_rejected) && is_paged =>
            {
                self.traits.is_unpaged = true;
                self.from = Start::Latest;
            }
            Purpose::Stream | Purpose::List { .. } if (is_stale || is_rejected) && has_version => {
                self.from = Start::Latest;
            }
            Purpose::Watch if is_stale || is_rejected => {
                // A forgotten version is older than the server's state: any state at least that
                // recent is not a step back, and comes from its cache.
                if !error.is_gone() {
                    self.from = Start::Latest;
                }
                let is_usual =
                    self.initialized_at.is_some_and(|time| now.saturating_sub(time) >= HEALTHY);
                if !is_usual || is_rejected {
                    let failure = FailureKind::Api(error);
                    return self.wait_after(Some(&open.exchange), failure, Purpose::Init, now);
                }
            }
            _ => return self.retry(open, FailureKind::Api(error), now),
        }
        self.wait(now, Purpose::Init);
    }
}

impl Decide<Query, RawEvent> for Core {
    fn driver(&mut self) -> &mut Driver<Query, RawEvent> {
        &mut self.driver
    }

    /// Reports the start of a relist before its request is sent.
    fn on_time(&mut self, now: Duration) -> Duration {
        if !self.is_initializing
            && self.driver.due(now).is_some_and(|query| query.purpose == Purpose::Init)
        {
            self.is_initializing = true;
            self.driver.report(RawEvent::Init);
        }
        Duration::MAX
    }

    fn open(&mut self, query: &mut Query, now: Duration) -> Result<Sending, FailureKind> {
        if query.purpose == Purpose::Init {
            self.known.begin();
            self.list_version.clear();
            query.purpose = if self.traits.can_stream(now) {
                Purpose::Stream
            } else {
                Purpose::List { token: String::new() }
            };
        }
        let timeout = self.jitter.between(self.watch_timeout, self.watch_timeout * 2);
        let request = self
            .requests
            .build(&query.purpose, &self.from, self.traits.is_unpaged, timeout)
            .map_err(FailureKind::Invalid)?;
        // Servers end a watch themselves at its time limit; bookmarks and events may arrive as late
        // as that.
        query.longest_silence = self.driver.timeout.max(timeout + Duration::from_secs(10));
        query.seen = self.known.seen();
        query.follows_error = std::mem::take(&mut self.traits.has_stream_error);
        let is_list = matches!(query.purpose, Purpose::List { .. });
        let format = if is_list { Format::Items } else { Format::Events };
        Ok((request, Exchange::new(self.requests.template.line(), format, now)))
    }

    /// Goes on without the token or the version that made a request too long, or ends if it is too
    /// long without them.
    fn on_unbuilt(&mut self, query: Query, failure: FailureKind, now: Duration) {
        let own = match query.purpose {
            Purpose::List { .. } => Purpose::List { token: String::new() },
            other => other,
        };
        let timeout = self.watch_timeout * 2;
        if self.requests.build(&own, &Start::Latest, self.traits.is_unpaged, timeout).is_err() {
            return self.driver.fail(None, failure);
        }
        self.from = Start::Latest;
        self.wait_after(None, failure, Purpose::Init, now);
    }

    fn longest_silence(&mut self, open: &Open<Query>) -> Duration {
        let is_quiet = open.query.purpose == Purpose::Watch && open.exchange.has_head();
        if is_quiet { open.query.longest_silence } else { self.driver.timeout }
    }

    fn on_end(&mut self, mut open: Open<Query>, end: End, now: Duration) {
        let is_list = matches!(open.query.purpose, Purpose::List { .. });
        let failure = match end {
            Ok(()) if is_list => match self.finish_page(&mut open, now) {
                Ok(()) => return,
                Err(error) => FailureKind::Decode(error),
            },
            Ok(()) if open.exchange.rest().is_empty() => FailureKind::Ended,
            Ok(()) => FailureKind::Truncated,
            Err(failure @ FailureKind::Silent(_)) => open.exchange.refusal_or(failure),
            Err(failure) => failure,
        };
        match failure {
            FailureKind::Api(error) => self.on_refusal(&open, error, now),
            FailureKind::Ended | FailureKind::Truncated | FailureKind::Disconnected(_) => {
                self.on_cut(&open, failure, now);
            }
            FailureKind::Silent(_) => self.on_silence(&open, failure, now),
            FailureKind::JumpedBack => {
                self.traits.jumps += 1;
                self.from = Start::Latest;
                self.wait_after(Some(&open.exchange), failure, Purpose::Init, now);
            }
            // No other attempt would help.
            FailureKind::Unsendable(_) => self.driver.fail(Some(&open.exchange), failure),
            failure => self.retry(&open, failure, now),
        }
    }
}

impl ServerTraits {
    fn can_stream(&self, now: Duration) -> bool {
        self.stream_from.is_some_and(|time| time <= now) && self.cut_streams < MOST_CUTS
    }

    /// Uses lists instead of watches that begin with all objects, for an hour.
    fn refuse_streams(&mut self, now: Duration) {
        self.stream_from = self.stream_from.map(|_| now.saturating_add(STREAM_PAUSE));
    }
}

impl Start {
    /// The version as a number, or 0.
    fn order(&self) -> u64 {
        match self {
            Start::Version(version) => order(version).unwrap_or_default(),
            Start::Any | Start::Latest => 0,
        }
    }
}

/// The number of failures after which a version or a token is given up.
const MOST_FAILURES: u32 = 5;
/// A watch that was as long as this was no failure, even if nothing happened.
const HEALTHY: Duration = Duration::from_secs(5);
/// The shortest time between two watches.
const PAUSE: Duration = Duration::from_secs(1);

/// Whether the response refuses the user. It does not show that the server cannot stream: it would
/// have refused a list as well.
fn is_unauthorized(exchange: &Exchange) -> bool {
    exchange.refusal().is_some_and(|error| matches!(error.code.as_u16(), 401 | 403))
}

/// Whether the server does not have the version yet: it is behind another one, or was restored from
/// a backup.
fn is_too_large(error: &ApiError) -> bool {
    let is_cause = |reason: Option<&str>| reason == Some("ResourceVersionTooLarge");
    error.causes().iter().any(|cause| is_cause(cause.reason.as_deref()))
        || error.message().contains("Too large resource version")
}

/// Parameters that an informer sets itself.
const OWN: [&str; 8] = [
    "allowWatchBookmarks",
    "continue",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "timeoutSeconds",
    "watch",
];

/// Accepts data that is at least as new as a version.
const NOT_OLDER_THAN: &str = "NotOlderThan";

/// The version at which to begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Start {
    /// Any state that the server has cached.
    #[default]
    Any,
    /// A state that is at least as new as this version.
    Version(String),
    /// The current state.
    Latest,
}

/// A request to make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A relist: a stream or a list, which is decided when it is sent.
    #[default]
    Init,
    /// Changes after a version.
    Watch,
    /// All objects, and then changes, in one watch.
    Stream,
    /// All objects, or the objects from a token on.
    List { token: String },
}

/// Builds requests.
#[derive(Debug)]
pub(super) struct Requests {
    pub(super) template: Template,
    /// The header `Accept` of watches; the header for lists may state that they are lists.
    watch_accept: HeaderValue,
    page_size: i64,
}

impl Requests {
    /// Requests that select what this one does, given the usual headers `Accept` of lists and of
    /// watches.
    ///
    /// # Errors
    /// When the operation cannot watch.
    pub(super) fn new(
        mut template: Template,
        usual: [HeaderValue; 2],
    ) -> Result<Self, InvalidRequest> {
        if !template.has_parameter("watch") || !template.has_parameter("resourceVersion") {
            let id = template.id();
            return Err(InvalidRequest::Parameters(format!(
                "`{id}` cannot watch: it has no parameter `watch`"
            )));
        }
        let page_size = template.get("limit").and_then(|limit| limit.parse().ok()).unwrap_or(500);
        template.remove(&OWN);
        let [of_lists, of_watches] = usual;
        let accept = template.accept();
        // Unless it was set to something else.
        let watch_accept = match without_drop(accept) {
            Some(plain) if plain == of_lists => with_drop(&of_watches).unwrap_or(of_watches),
            None if *accept == of_lists => of_watches,
            _ => accept.clone(),
        };
        Ok(Self { template, watch_accept, page_size })
    }

    /// Whether there was a request that allowed the server to leave members out. From now on, no
    /// request does.
    fn refuse_drop(&mut self) -> bool {
        if let Some(accept) = without_drop(&self.watch_accept) {
            self.watch_accept = accept;
        }
        self.template.refuse_drop()
    }

    /// Whether the operation can send all objects in a watch.
    fn can_stream(&self) -> bool {
        self.template.has_parameter("sendInitialEvents")
            && self.template.has_parameter("allowWatchBookmarks")
    }

    /// Builds a request. A list has pages unless `is_unpaged`; a watch ends after `timeout`.
    ///
    /// # Errors
    /// When path and query are too long for a URL, with a token or a version of the server.
    fn build(
        &self,
        purpose: &Purpose,
        from: &Start,
        is_unpaged: bool,
        timeout: Duration,
    ) -> Result<Box<http::Request<Vec<u8>>>, InvalidRequest> {
        let mut request = self.template.clone();
        match purpose {
            Purpose::List { token } => {
                if !is_unpaged {
                    request.set("limit", &self.page_size);
                }
                if token.is_empty() {
                    set_version(&mut request, from, true);
                } else {
                    request.set("continue", token);
                }
            }
            Purpose::Init | Purpose::Watch | Purpose::Stream => {
                request.set_accept(self.watch_accept.clone());
                request.set("watch", &true);
                request.set("allowWatchBookmarks", &true);
                request
                    .set("timeoutSeconds", &i64::try_from(timeout.as_secs()).unwrap_or(i64::MAX));
                let is_stream = *purpose == Purpose::Stream;
                set_version(&mut request, from, false);
                if is_stream {
                    request.set("sendInitialEvents", &true);
                    request.set("resourceVersionMatch", &NOT_OLDER_THAN.to_owned());
                }
            }
        }
        request.to_http()
    }
}

fn set_version(request: &mut Template, from: &Start, is_list: bool) {
    match from {
        // Only a list needs the parameter. A stream without a version gets the current state.
        Start::Any if is_list => request.set("resourceVersion", &"0".to_owned()),
        Start::Version(version) => {
            request.set("resourceVersion", version);
            if is_list {
                // With a limit and without this, a list would be of exactly this version, which may
                // be forgotten.
                request.set("resourceVersionMatch", &NOT_OLDER_THAN.to_owned());
            }
        }
        Start::Any | Start::Latest => {}
    }
}
