//! The state machine of an informer. It handles keys, versions and bytes, and not the type of the
//! objects, so that it is compiled once.

use super::Way;
use super::change;
use super::change::{Effect, Known, order};
use super::key::Key;
use crate::codec::json::DecodeError;
use crate::codec::{Table, Target};
use crate::controller::machine::{
    Backoff, Exchange, Failure, FailureKind, Format, Holder, Jitter, Page, Part, Step,
};
use crate::request::{InvalidRequest, Template, with_drop, without_drop};
use crate::response::ApiError;
use http::HeaderValue;
use http::StatusCode;
use std::collections::VecDeque;
use std::time::Duration;

/// The time for which a server that refused a watch that begins with all objects is not sent
/// another one.
const REFUSED: Duration = Duration::from_secs(3600);
/// The number of consecutive such watches that may break off before all objects are listed.
const MOST_CUTS: u32 = 3;

/// An event without its object, which is in the holder.
#[derive(Debug)]
pub(super) enum Raw {
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
    pub(super) response_timeout: Duration,
    known: Known,
    pub(super) stage: Stage,
    /// The version at which the next request begins.
    from: Start,
    /// The version of the current list, which its first page states.
    list_version: String,
    pub(super) ways: Ways,
    is_initializing: bool,
    /// The time at which the last relist was complete.
    initialized: Option<Duration>,
    /// The last time at which all reported objects were known to be up to date.
    pub(super) current: Option<Duration>,
    /// The number of failures since there was anything new.
    failures: u32,
    events: VecDeque<Raw>,
    /// The objects that vanished during the gap before a relist. The last one is reported first.
    vanished: Vec<Key>,
    /// Whether the relist is complete as soon as the above is reported.
    ends_init: bool,
}

/// The observed capabilities of the server.
#[derive(Debug)]
pub(super) struct Ways {
    /// The time from which on a watch may begin with all objects. `None` if it never may.
    pub(super) stream_from: Option<Duration>,
    /// The number of consecutive such watches that broke off before the last object.
    cut_streams: u32,
    /// Whether the last such watch ended with an error of the server, before anything was
    /// delivered.
    has_stream_error: bool,
    /// Whether the next list has no pages.
    is_whole: bool,
    /// The number of times that versions went back.
    jumps: u32,
    /// The way of the last relist that was complete.
    pub(super) taken: Option<Way>,
}

#[derive(Debug)]
pub(super) enum Stage {
    Waiting {
        until: Duration,
        next: Next,
    },
    Open(Box<Open>),
    /// After a failure that no other attempt would fix.
    Done,
}

/// The step after a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Relist.
    Init,
    Ask(Purpose),
}

/// A request that was sent, and its response.
#[derive(Debug)]
pub(super) struct Open {
    purpose: Purpose,
    pub(super) exchange: Exchange,
    /// The longest silence while nothing changes.
    patience: Duration,
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
            response_timeout: Duration::from_secs(60),
            known: Known::default(),
            stage: Stage::Waiting { until: Duration::ZERO, next: Next::Init },
            from: Start::default(),
            list_version: String::new(),
            ways: Ways {
                stream_from,
                cut_streams: 0,
                has_stream_error: false,
                is_whole: false,
                jumps: 0,
                taken: None,
            },
            is_initializing: false,
            initialized: None,
            current: None,
            failures: 0,
            events: VecDeque::new(),
            vanished: Vec::new(),
            ends_init: false,
        }
    }

    /// The next step. After [`Raw::Applied`], and [`Raw::Deleted`] if it is marked so, the holder
    /// has the object.
    pub(super) fn poll(&mut self, now: Duration, holder: &mut dyn Holder) -> Step<Raw> {
        loop {
            if let Some(event) = self.next_event() {
                return Step::Event(event);
            }
            match &self.stage {
                Stage::Waiting { until, .. } if now < *until => {
                    return Step::Wait { until: *until };
                }
                // Events are reported before the next request is sent.
                Stage::Waiting { next: Next::Init, .. } if !self.is_initializing => {
                    self.is_initializing = true;
                    self.report(Raw::Init);
                }
                Stage::Waiting { next, .. } => {
                    let next = next.clone();
                    if let Some(request) = self.open(next, now) {
                        return Step::Send(request);
                    }
                }
                Stage::Open(_) => {
                    if let Some(until) = self.advance(now, holder) {
                        return Step::Receive { until };
                    }
                }
                Stage::Done => return Step::Done,
            }
        }
    }

    fn report(&mut self, event: Raw) {
        self.events.push_back(event);
    }

    fn next_event(&mut self) -> Option<Raw> {
        if let Some(event) = self.events.pop_front() {
            return Some(event);
        }
        if let Some(key) = self.vanished.pop() {
            return Some(Raw::Deleted { key, is_decoded: false });
        }
        std::mem::take(&mut self.ends_init).then_some(Raw::InitDone)
    }

    /// Builds the next request.
    fn open(&mut self, next: Next, now: Duration) -> Option<Box<http::Request<Vec<u8>>>> {
        let purpose = match next {
            Next::Ask(purpose) => purpose,
            Next::Init => {
                self.known.begin();
                self.list_version.clear();
                if self.ways.can_stream(now) {
                    Purpose::Stream
                } else {
                    Purpose::List { token: String::new() }
                }
            }
        };
        let timeout = self.jitter.between(self.watch_timeout, self.watch_timeout * 2);
        match self.requests.build(&purpose, &self.from, self.ways.is_whole, timeout) {
            Ok(request) => {
                let format = if matches!(purpose, Purpose::List { .. }) {
                    Format::Items
                } else {
                    Format::Events
                };
                // Servers end a watch themselves at its time limit; bookmarks and events may arrive
                // as late as that.
                let patience = self.response_timeout.max(timeout + Duration::from_secs(10));
                let exchange = Exchange::new(self.requests.template.line(), format, now);
                let page = Page::default();
                let seen = self.known.seen();
                let follows_error = std::mem::take(&mut self.ways.has_stream_error);
                let open = Open {
                    purpose,
                    exchange,
                    patience,
                    has_progress: false,
                    page,
                    seen,
                    follows_error,
                };
                self.stage = Stage::Open(Box::new(open));
                Some(request)
            }
            Err(error) => {
                self.on_invalid(error, &purpose, now);
                None
            }
        }
    }

    /// Handles one part of the response. If there is none, returns the deadline for the next one.
    fn advance(&mut self, now: Duration, holder: &mut dyn Holder) -> Option<Duration> {
        let Stage::Open(open) = &mut self.stage else { return None };
        let mask = self.requests.template.mask();
        if let Some(line) = open.exchange.line() {
            let is_ordered = open.purpose == Purpose::Watch && self.ways.jumps < 3;
            let least = if is_ordered { self.from.order() } else { 0 };
            match change::of_event(line, holder, &mut self.known, least, mask) {
                Ok((change, version)) => self.on_change(change, version, now),
                Err(error) => self.retry(FailureKind::Decode(error), None, now),
            }
            return None;
        }
        if let Some(item) = open.exchange.item(&mut open.page) {
            let change = item.and_then(|item| {
                open.page.check(self.list)?;
                change::of_item(&item, &open.page, holder, &mut self.known, mask)
            });
            match change {
                Ok(change) => self.on_change(change, String::new(), now),
                Err(error) => self.retry(FailureKind::Decode(error), None, now),
            }
            return None;
        }
        match open.exchange.part() {
            Part::Pending => {
                let is_quiet = open.purpose == Purpose::Watch && open.exchange.has_head();
                let patience = if is_quiet { open.patience } else { self.response_timeout };
                let until = open.exchange.heard.saturating_add(patience);
                if now < until {
                    return Some(until);
                }
                self.on_silence(now);
            }
            Part::Refusal(error) => self.on_refusal(error, now),
            Part::Fault(error) => self.retry(FailureKind::Decode(error), None, now),
            Part::Complete if matches!(open.purpose, Purpose::List { .. }) => self.finish_page(now),
            Part::Complete => self.on_end(None, now),
            Part::Broken(cause) => self.on_end(Some(cause), now),
            Part::Unsendable(cause) => self.give_up(FailureKind::Unsendable(cause)),
        }
        None
    }

    fn wait(&mut self, until: Duration, next: Next) {
        self.stage = Stage::Waiting { until, next };
    }
}

impl Ways {
    fn can_stream(&self, now: Duration) -> bool {
        self.stream_from.is_some_and(|time| time <= now) && self.cut_streams < MOST_CUTS
    }

    /// Uses lists instead of watches that begin with all objects, for an hour.
    fn refuse_streams(&mut self, now: Duration) {
        self.stream_from = self.stream_from.map(|_| now.saturating_add(REFUSED));
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

impl Core {
    /// Takes a change, and reports it.
    fn on_change(&mut self, change: Effect, version: String, now: Duration) {
        let Stage::Open(open) = &mut self.stage else { return };
        if matches!(change, Effect::Error(_) | Effect::JumpedBack) {
            return self.on_setback(change, now);
        }
        self.backoff.on_success(now);
        if open.purpose == Purpose::Stream {
            open.has_progress = true;
            self.backoff.reset();
        }
        let is_end = matches!(change, Effect::InitialEnd);
        match open.purpose {
            Purpose::Stream if is_end => {
                open.purpose = Purpose::Watch;
                self.adopt(version);
                self.finish_init(Way::Stream, now);
            }
            // A server that does not support streams sends all objects, too, and never their end.
            Purpose::Stream if matches!(change, Effect::Bookmark) => {
                self.ways.refuse_streams(now);
                return self.wait(now, Next::Init);
            }
            Purpose::Watch => {
                self.adopt(version);
                self.current = self.current.map(|_| now);
            }
            Purpose::Stream | Purpose::List { .. } => {}
        }
        match change {
            Effect::Applied(key) => self.report(Raw::Applied(key)),
            Effect::Deleted { key, is_decoded } => self.report(Raw::Deleted { key, is_decoded }),
            Effect::Undecodable { key, error } => self.report(Raw::Undecodable { key, error }),
            _ => {}
        }
    }

    /// Continues from this version.
    fn adopt(&mut self, version: String) {
        let Stage::Open(open) = &mut self.stage else { return };
        let from = Start::Version(version);
        if from != Start::Version(String::new()) && from != self.from {
            open.has_progress = true;
            self.failures = 0;
            self.from = from;
        }
    }

    /// Handles the end of a page, and continues with the next one, or with a watch.
    fn finish_page(&mut self, now: Duration) {
        let Stage::Open(open) = &mut self.stage else { return };
        let list = open.exchange.take_list();
        let read = list
            .finish(Target::Object(&mut open.page))
            .and_then(|()| open.page.check_end(self.list));
        let version = open.page.metadata.resource_version.take().unwrap_or_default();
        let token = open.page.metadata.continue_.take().unwrap_or_default();
        let has_new = self.known.seen() > open.seen;
        let is_repeated =
            !token.is_empty() && open.purpose == Purpose::List { token: token.clone() };
        match read {
            Err(error) => return self.retry(FailureKind::Decode(error), None, now),
            Ok(()) if version.is_empty() => {
                let error = DecodeError::new(
                    "metadata.resourceVersion: a list without it cannot be watched",
                );
                return self.retry(FailureKind::Decode(error), None, now);
            }
            Ok(()) if is_repeated => {
                return self.retry(FailureKind::Decode(Page::repeated_token()), None, now);
            }
            Ok(()) if !token.is_empty() && !has_new => {
                let error = DecodeError::new(
                    "metadata.continue: a page that goes on without having a new item",
                );
                return self.retry(FailureKind::Decode(error), None, now);
            }
            Ok(()) => {}
        }
        // Pages of another version than the first one may lack what changed in between, and a watch
        // from the first version brings it.
        if self.list_version.is_empty() {
            self.list_version = version;
        }
        self.backoff.on_success(now);
        if token.is_empty() {
            self.from = Start::Version(std::mem::take(&mut self.list_version));
            self.finish_init(Way::List, now);
            self.wait(now, Next::Ask(Purpose::Watch));
        } else {
            self.wait(now, Next::Ask(Purpose::List { token }));
        }
    }

    /// Reports the objects that vanished, and then that all objects were reported.
    fn finish_init(&mut self, way: Way, now: Duration) {
        self.vanished = self.known.finish();
        self.ends_init = true;
        self.is_initializing = false;
        self.initialized = Some(now);
        self.current = Some(now);
        self.ways.taken = Some(way);
        self.failures = 0;
        self.ways.is_whole = false;
        self.ways.cut_streams = 0;
    }
}

/// The number of failures after which a version or a token is given up.
const PATIENCE: u32 = 5;
/// A watch that was as long as this was no failure, even if nothing happened.
const HEALTHY: Duration = Duration::from_secs(5);
/// The shortest time between two watches.
const PAUSE: Duration = Duration::from_secs(1);

impl Core {
    /// Retries after a backoff: the same request, or a relist where that has failed too often.
    fn retry(&mut self, failure: FailureKind, retry_after: Option<Duration>, now: Duration) {
        self.failures += 1;
        let is_new = self.failures >= PATIENCE;
        let next = match self.purpose() {
            Some(Purpose::Watch) if !is_new => Next::Ask(Purpose::Watch),
            // Without a token it is another list: what the first one had may be gone by now.
            Some(Purpose::List { token }) if !is_new && !token.is_empty() => {
                Next::Ask(Purpose::List { token: token.clone() })
            }
            Some(Purpose::Stream) => {
                self.ways.cut_streams += u32::from(!self.is_unauthorized());
                Next::Init
            }
            _ => Next::Init,
        };
        if next == Next::Init && is_new {
            self.failures = 0;
            self.from = Start::Latest;
        }
        self.wait_after(failure, retry_after, next, now);
    }

    fn wait_after(
        &mut self,
        failure: FailureKind,
        retry_after: Option<Duration>,
        next: Next,
        now: Duration,
    ) {
        let until = now + self.backoff.on_failure(now, retry_after);
        self.fail(failure);
        self.wait(until, next);
    }

    /// Reports a failure of the request that is open, if there is one.
    fn fail(&mut self, kind: FailureKind) {
        let failure = match &self.stage {
            Stage::Open(open) => open.exchange.failed(kind),
            Stage::Waiting { .. } | Stage::Done => kind.into(),
        };
        self.report(Raw::Failed(failure));
    }

    /// Whether the response refuses the user. It does not show that the server cannot stream: it
    /// would have refused a list as well.
    fn is_unauthorized(&self) -> bool {
        let Stage::Open(open) = &self.stage else { return false };
        open.exchange.refusal().is_some_and(|error| matches!(error.code.as_u16(), 401 | 403))
    }

    fn purpose(&self) -> Option<&Purpose> {
        match &self.stage {
            Stage::Open(open) => Some(&open.purpose),
            Stage::Waiting { .. } | Stage::Done => None,
        }
    }

    /// Ends with a failure that no other attempt would fix.
    fn give_up(&mut self, failure: FailureKind) {
        self.fail(failure);
        self.stage = Stage::Done;
    }

    /// Goes on without the token or the version that made a request too long, or ends if it is too
    /// long without them.
    fn on_invalid(&mut self, error: InvalidRequest, purpose: &Purpose, now: Duration) {
        let own = match purpose {
            Purpose::List { .. } => Purpose::List { token: String::new() },
            other => other.clone(),
        };
        if self
            .requests
            .build(&own, &Start::Latest, self.ways.is_whole, self.watch_timeout * 2)
            .is_err()
        {
            return self.give_up(FailureKind::Invalid(error));
        }
        self.from = Start::Latest;
        self.wait_after(FailureKind::Invalid(error), None, Next::Init, now);
    }

    /// Goes on after the end of a response, which is complete or broke off for this cause.
    fn on_end(&mut self, broken: Option<String>, now: Duration) {
        let Stage::Open(open) = &mut self.stage else { return };
        let is_complete = broken.is_none();
        let is_within = is_complete && !open.exchange.rest().is_empty();
        let lived = now.saturating_sub(open.exchange.sent);
        let least = if is_complete { PAUSE } else { HEALTHY };
        let is_healthy = open.exchange.has_head() && (open.has_progress || lived >= least);
        let is_watch = open.purpose == Purpose::Watch;
        let pause = open.exchange.sent + PAUSE;
        let failure = match (broken, is_within) {
            (None, false) => FailureKind::Ended,
            (None, true) => FailureKind::Truncated,
            (Some(cause), _) => FailureKind::Disconnected(cause),
        };
        if !is_watch || !is_healthy {
            return self.retry(failure, None, now);
        }
        // Every watch ends some day: that is not a failure.
        if !matches!(failure, FailureKind::Ended) {
            self.fail(failure);
        }
        self.wait(pause.max(now), Next::Ask(Purpose::Watch));
    }

    /// Goes on after a silence that is too long.
    fn on_silence(&mut self, now: Duration) {
        let Stage::Open(open) = &mut self.stage else { return };
        if let Some(error) = open.exchange.refusal() {
            return self.on_refusal(error, now);
        }
        let has_head = open.exchange.has_head();
        let silent = FailureKind::Silent(now.saturating_sub(open.exchange.heard));
        match open.purpose {
            Purpose::Watch if has_head => {
                self.fail(silent);
                self.wait(now, Next::Ask(Purpose::Watch));
            }
            // A server that does not support streams sends nothing before the first change.
            Purpose::Stream if has_head => {
                self.ways.refuse_streams(now);
                self.wait_after(silent, None, Next::Init, now);
            }
            _ => self.retry(silent, None, now),
        }
    }

    /// Goes on after an event that ends a watch.
    fn on_setback(&mut self, change: Effect, now: Duration) {
        if let Effect::Error(error) = change {
            return self.on_refusal(error, now);
        }
        self.ways.jumps += 1;
        self.from = Start::Latest;
        self.wait_after(FailureKind::JumpedBack, None, Next::Init, now);
    }

    /// Whether a stream with this code will not succeed soon. A server with an etcd that is too old
    /// responds with 500.
    fn is_stream_refused(&mut self, code: StatusCode) -> bool {
        let Stage::Open(open) = &self.stage else { return false };
        match code.as_u16() {
            _ if open.purpose != Purpose::Stream => false,
            400 | 404 | 405 | 406 | 415 | 422 => true,
            500 if open.has_progress => false,
            500 if open.follows_error => true,
            500 => {
                self.ways.has_stream_error = true;
                false
            }
            _ => false,
        }
    }

    /// Goes on after a refusal, be it a response or an event.
    fn on_refusal(&mut self, error: Box<ApiError>, now: Duration) {
        if let Stage::Open(open) = &self.stage
            && error.code == StatusCode::NOT_ACCEPTABLE
            && self.requests.refuse_drop()
        {
            let next = Next::Ask(open.purpose.clone());
            return self.wait(now, next);
        }
        let is_stale = error.is_gone() || is_too_large(&error);
        let is_rejected =
            matches!(error.code, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY);
        let has_version = matches!(self.from, Start::Version(_));
        let is_paged = !self.ways.is_whole;
        let is_stream_refused = self.is_stream_refused(error.code);
        match self.purpose() {
            Some(Purpose::Stream) if is_stream_refused => self.ways.refuse_streams(now),
            // A list of several pages is forgotten after some minutes; one page cannot be.
            Some(Purpose::List { token })
                if !token.is_empty() && (is_stale || is_rejected) && is_paged =>
            {
                self.ways.is_whole = true;
                self.from = Start::Latest;
            }
            Some(Purpose::Stream | Purpose::List { .. })
                if (is_stale || is_rejected) && has_version =>
            {
                self.from = Start::Latest;
            }
            Some(Purpose::Watch) if is_stale || is_rejected => {
                // A forgotten version is older than the server's state: any state at least that
                // recent is not a step back, and comes from its cache.
                if !error.is_gone() {
                    self.from = Start::Latest;
                }
                let is_usual =
                    self.initialized.is_some_and(|time| now.saturating_sub(time) >= HEALTHY);
                if !is_usual || is_rejected {
                    let retry_after = error.retry_after;
                    return self.wait_after(FailureKind::Api(error), retry_after, Next::Init, now);
                }
            }
            _ => {
                let retry_after = error.retry_after;
                return self.retry(FailureKind::Api(error), retry_after, now);
            }
        }
        self.wait(now, Next::Init);
    }
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
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

    /// Builds a request. A list has pages unless `is_whole`; a watch ends after `timeout`.
    ///
    /// # Errors
    /// When path and query are too long for a URL, with a token or a version of the server.
    fn build(
        &self,
        purpose: &Purpose,
        from: &Start,
        is_whole: bool,
        timeout: Duration,
    ) -> Result<Box<http::Request<Vec<u8>>>, InvalidRequest> {
        let mut request = self.template.clone();
        match purpose {
            Purpose::List { token } => {
                if !is_whole {
                    request.set("limit", &self.page_size);
                }
                if token.is_empty() {
                    set_version(&mut request, from, true);
                } else {
                    request.set("continue", token);
                }
            }
            Purpose::Watch | Purpose::Stream => {
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
