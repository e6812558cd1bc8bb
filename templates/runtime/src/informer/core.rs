//! The state machine of an informer. It handles keys, versions and bytes, and not the type of the objects, so that it
//! is compiled once.

use super::change;
use super::key::{Key, Known, order};
use super::requests::{Purpose, Requests, Start};
use crate::codec::Table;
use crate::codec::json::DecodeError;
use crate::machine::{Backoff, Exchange, Failure, Format, Holder, Jitter, Page, Part, Step};
use std::collections::VecDeque;
use std::time::Duration;

/// The time for which a server that refused a watch that begins with all objects is not asked for one.
const REFUSED: Duration = Duration::from_secs(3600);
/// The number of such watches that may break off, one after another, before all objects are listed.
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
    pub(super) list: &'static Table,
    pub(super) backoff: Backoff,
    pub(super) jitter: Jitter,
    /// The shortest time limit of a watch. The longest one is twice as long.
    pub(super) watch_timeout: Duration,
    pub(super) response_timeout: Duration,
    pub(super) known: Known,
    pub(super) stage: Stage,
    /// The version at which the next request begins.
    pub(super) from: Start,
    /// The version of the list whose pages are being taken: that of its first page.
    pub(super) list_version: String,
    pub(super) ways: Ways,
    pub(super) is_initializing: bool,
    /// The time at which the last relist was complete.
    pub(super) initialized: Option<Duration>,
    /// The number of failures since there was anything new.
    pub(super) failures: u32,
    events: VecDeque<Raw>,
    /// The objects that vanished during the gap before a relist. The last one is reported first.
    pub(super) vanished: Vec<Key>,
    /// Whether the relist is complete as soon as the above is reported.
    pub(super) ends_init: bool,
}

/// The capabilities of the server, as far as they were observed.
#[derive(Debug)]
pub(super) struct Ways {
    /// The time from which on a watch may begin with all objects. `None` if it never may.
    pub(super) stream_from: Option<Duration>,
    /// The number of such watches that broke off before the last object, one after another.
    pub(super) cut_streams: u32,
    /// Whether the last such watch ended with an error of the server, before anything was delivered.
    pub(super) has_stream_error: bool,
    /// Whether the next list has no pages.
    pub(super) is_whole: bool,
    /// The number of times that versions went back.
    pub(super) jumps: u32,
}

#[derive(Debug)]
pub(super) enum Stage {
    Waiting {
        until: Duration,
        next: Next,
    },
    Open(Box<Open>),
    /// After a failure that no other attempt would mend.
    Done,
}

/// The step after a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Take all objects anew.
    Init,
    Ask(Purpose),
}

/// A request that was sent, and its response.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) purpose: Purpose,
    pub(super) exchange: Exchange,
    /// The longest silence while nothing changes.
    patience: Duration,
    /// Whether it brought anything new.
    pub(super) has_progress: bool,
    pub(super) page: Page,
    /// The number of objects of the relist before this page.
    pub(super) seen: usize,
    /// Whether it is a stream that follows one which ended with an error of the server.
    pub(super) follows_error: bool,
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
            ways: Ways { stream_from, cut_streams: 0, has_stream_error: false, is_whole: false, jumps: 0 },
            is_initializing: false,
            initialized: None,
            failures: 0,
            events: VecDeque::new(),
            vanished: Vec::new(),
            ends_init: false,
        }
    }

    /// The next step. After [`Raw::Applied`], and [`Raw::Deleted`] if it is marked so, the holder has the object.
    pub(super) fn poll(&mut self, now: Duration, holder: &mut dyn Holder) -> Step<Raw> {
        loop {
            if let Some(event) = self.next_event() {
                return Step::Event(event);
            }
            match &self.stage {
                Stage::Waiting { until, .. } if now < *until => return Step::Wait { until: *until },
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

    pub(super) fn report(&mut self, event: Raw) {
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
                if self.ways.can_stream(now) { Purpose::Stream } else { Purpose::List { token: String::new() } }
            }
        };
        let timeout = self.jitter.between(self.watch_timeout, self.watch_timeout * 2);
        match self.requests.build(&purpose, &self.from, self.ways.is_whole, timeout) {
            Ok(request) => {
                let format = if matches!(purpose, Purpose::List { .. }) { Format::Items } else { Format::Events };
                // Servers end a watch themselves at its time limit; bookmarks and events may arrive as late as that.
                let patience = self.response_timeout.max(timeout + Duration::from_secs(10));
                let exchange = Exchange::new(format, now);
                let (page, seen) = (Page::default(), self.known.seen());
                let follows_error = std::mem::take(&mut self.ways.has_stream_error);
                let open = Open { purpose, exchange, patience, has_progress: false, page, seen, follows_error };
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
        if let Some(line) = open.exchange.line() {
            let is_ordered = open.purpose == Purpose::Watch && self.ways.jumps < 3;
            let least = if is_ordered { self.from.order() } else { 0 };
            match change::of_event(line, holder, &mut self.known, least) {
                Ok((change, version)) => self.on_change(change, version, now),
                Err(error) => self.retry(Failure::Decode(error), None, now),
            }
            return None;
        }
        if let Some(item) = open.exchange.item(&mut open.page) {
            let change = item.and_then(|item| {
                open.page.check(self.list)?;
                change::of_item(&item, holder, &mut self.known)
            });
            match change {
                Ok(change) => self.on_change(change, String::new(), now),
                Err(error) => self.retry(Failure::Decode(error), None, now),
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
            Part::Fault(error) => self.retry(Failure::Decode(error), None, now),
            Part::Complete if matches!(open.purpose, Purpose::List { .. }) => self.finish_page(now),
            Part::Complete => self.on_end(None, now),
            Part::Broken(cause) => self.on_end(Some(cause), now),
            Part::Unsendable(cause) => self.give_up(Failure::Unsendable(cause)),
        }
        None
    }

    pub(super) fn wait(&mut self, until: Duration, next: Next) {
        self.stage = Stage::Waiting { until, next };
    }
}

impl Ways {
    fn can_stream(&self, now: Duration) -> bool {
        self.stream_from.is_some_and(|time| time <= now) && self.cut_streams < MOST_CUTS
    }

    /// Takes lists in place of watches that begin with all objects, for an hour.
    pub(super) fn refuse_streams(&mut self, now: Duration) {
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
