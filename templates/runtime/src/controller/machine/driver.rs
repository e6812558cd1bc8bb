//! What all machines do alike: they wait, send a request, take its response to the end, and report
//! events. What to send, and what a response means, a machine decides.

use super::{Exchange, Failure, FailureKind, Input, Step};
use std::collections::VecDeque;
use std::time::Duration;

/// A request to send, and the response to it.
pub(crate) type Sending = (Box<http::Request<Vec<u8>>>, Exchange);

/// The end of a response, which is complete or failed.
pub(crate) type End = Result<(), FailureKind>;

/// The decisions of a machine whose requests have queries `Q`, and which reports events `E`.
pub(crate) trait Decide<Q, E> {
    fn driver(&mut self) -> &mut Driver<Q, E>;

    /// Builds the next request.
    fn open(&mut self, query: &mut Q, now: Duration) -> Result<Sending, FailureKind>;

    /// Decides what follows a request that cannot be built. By default, nothing does.
    fn on_unbuilt(&mut self, _: Q, failure: FailureKind, _now: Duration) {
        self.driver().fail(None, failure);
    }

    /// The moment from which the silence of a server counts.
    fn silent_since(exchange: &Exchange) -> Duration {
        exchange.heard
    }

    /// The longest silence of the server.
    fn longest_silence(&mut self, _: &Open<Q>) -> Duration {
        self.driver().timeout
    }

    /// Notices the time, before it waits or sends. Returns the next time to notice.
    fn on_time(&mut self, _now: Duration) -> Duration {
        Duration::MAX
    }

    /// Decides what follows a response. Nothing does unless it lets the driver wait.
    fn on_end(&mut self, open: Open<Q>, end: End, now: Duration);
}

/// The stage of a machine, and the events to report.
#[derive(Debug)]
pub(crate) struct Driver<Q, E> {
    stage: Stage<Q>,
    events: VecDeque<E>,
    failed: fn(Failure) -> E,
    /// The longest wait for a part of a response.
    pub(crate) timeout: Duration,
}

#[derive(Debug)]
enum Stage<Q> {
    /// Sends a request at this time.
    Waiting(Duration, Q),
    Open(Box<Open<Q>>),
    Done,
}

/// A request that was sent, and its response.
#[derive(Debug)]
pub(crate) struct Open<Q> {
    pub(crate) query: Q,
    pub(crate) exchange: Exchange,
}

impl<Q, E> Driver<Q, E> {
    /// A driver that sends a request at once, and reports failures as this event.
    pub(crate) fn new(query: Q, failed: fn(Failure) -> E) -> Self {
        let stage = Stage::Waiting(Duration::ZERO, query);
        Self { stage, events: VecDeque::new(), failed, timeout: Duration::from_secs(60) }
    }

    /// Sends a request at this time. A response that is open is dropped.
    pub(crate) fn wait(&mut self, until: Duration, query: Q) {
        self.stage = Stage::Waiting(until, query);
    }

    /// Ends, after the events are reported.
    pub(crate) fn end(&mut self) {
        self.stage = Stage::Done;
    }

    pub(crate) fn report(&mut self, event: E) {
        self.events.push_back(event);
    }

    /// Reports a failure of a request, or that none can be built.
    pub(crate) fn fail(&mut self, exchange: Option<&Exchange>, kind: FailureKind) {
        let failure = match exchange {
            Some(exchange) => exchange.failed(kind),
            None => kind.into(),
        };
        self.report((self.failed)(failure));
    }

    /// The request that is open.
    pub(crate) fn open(&mut self) -> Option<&mut Open<Q>> {
        match &mut self.stage {
            Stage::Open(open) => Some(open),
            Stage::Waiting(..) | Stage::Done => None,
        }
    }

    /// The query of the request that is due.
    pub(crate) fn due(&self, now: Duration) -> Option<&Q> {
        match &self.stage {
            Stage::Waiting(until, query) if now >= *until => Some(query),
            _ => None,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    pub(crate) fn feed(&mut self, input: Input<'_>, now: Duration) {
        if let Some(open) = self.open() {
            open.exchange.feed(input, now);
        }
    }
}

/// The next step of a machine. `take` takes a line or an item of the response; `None` if none is
/// complete, and an error ends the response.
pub(crate) fn poll<Q, E, D: Decide<Q, E>>(
    machine: &mut D,
    now: Duration,
    mut take: impl FnMut(&mut D) -> Option<End>,
) -> Step<E> {
    loop {
        let driver = machine.driver();
        if let Some(event) = driver.events.pop_front() {
            return Step::Event(event);
        }
        let until = match driver.stage {
            Stage::Waiting(until, _) => until,
            Stage::Open(_) => {
                let taken = take(machine);
                match receive(machine, taken, now) {
                    Some(until) => until,
                    None => continue,
                }
            }
            Stage::Done => return Step::Done,
        };
        let next = until.min(machine.on_time(now));
        let driver = machine.driver();
        if !driver.events.is_empty() {
            continue;
        }
        match driver.stage {
            Stage::Open(_) => return Step::Receive { until: next },
            Stage::Waiting(..) if now < until => return Step::Wait { until: next },
            _ => {
                if let Some(request) = send(machine, now) {
                    return Step::Send(request);
                }
            }
        }
    }
}

/// Handles one part of the response, or that there is none to take. Returns the deadline for the
/// next one.
fn receive<Q, E, D: Decide<Q, E>>(
    machine: &mut D,
    taken: Option<End>,
    now: Duration,
) -> Option<Duration> {
    let end = match taken {
        Some(Ok(())) => return None,
        Some(failed) => Some(failed),
        None => machine.driver().open()?.exchange.take_end(),
    };
    let Stage::Open(open) = std::mem::replace(&mut machine.driver().stage, Stage::Done) else {
        return None;
    };
    let since = D::silent_since(&open.exchange);
    let until = since.saturating_add(machine.longest_silence(&open));
    let end = match end {
        Some(end) => end,
        None if now < until => {
            machine.driver().stage = Stage::Open(open);
            return Some(until);
        }
        None => Err(FailureKind::Silent(now.saturating_sub(since))),
    };
    machine.on_end(*open, end, now);
    None
}

/// Builds the request that is due.
fn send<Q, E, D: Decide<Q, E>>(
    machine: &mut D,
    now: Duration,
) -> Option<Box<http::Request<Vec<u8>>>> {
    let Stage::Waiting(_, mut query) = std::mem::replace(&mut machine.driver().stage, Stage::Done)
    else {
        return None;
    };
    match machine.open(&mut query, now) {
        Ok((request, exchange)) => {
            machine.driver().stage = Stage::Open(Box::new(Open { query, exchange }));
            Some(request)
        }
        Err(failure) => {
            machine.on_unbuilt(query, failure, now);
            None
        }
    }
}
