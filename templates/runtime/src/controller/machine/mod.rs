//! State machines: tasks of several requests, without I/O and without a clock.
//!
//! A [`Machine`] decides which request comes next, how long to wait, and what a response means. Its
//! caller has the connection and the clock. One loop drives all of them, whatever the client is:
//!
//! ```
//! use kapigen_runtime::http::{HeaderMap, Request, StatusCode};
//! use kapigen_runtime::{Input, Machine, Step};
//! use std::time::{Duration, Instant};
//!
//! /// A part of a response.
//! enum Part {
//!     Head(StatusCode, HeaderMap),
//!     Bytes(Vec<u8>),
//!     End,
//!     Broken(String),
//!     Unsendable(String),
//!     TimedOut,
//! }
//!
//! /// A connection, and a clock.
//! trait Client {
//!     fn send(&mut self, request: Request<Vec<u8>>);
//!     fn receive(&mut self, time: Duration) -> Part;
//!     fn drop_response(&mut self);
//! }
//!
//! /// Prints the events of a machine, until it ends.
//! fn run<M: Machine<Event: std::fmt::Debug>>(mut machine: M, client: &mut impl Client) {
//!     let start = Instant::now();
//!     loop {
//!         match machine.poll(start.elapsed()) {
//!             Step::Event(event) => println!("{event:?}"),
//!             Step::Send(request) => client.send(*request), // drops the response before it
//!             Step::Receive { until } => {
//!                 let part = client.receive(until.saturating_sub(start.elapsed()));
//!                 let input = match &part {
//!                     Part::Head(status, headers) => Input::Head(*status, headers),
//!                     Part::Bytes(bytes) => Input::Bytes(bytes),
//!                     Part::End => Input::End,
//!                     Part::Broken(cause) => Input::Disconnected(cause),
//!                     Part::Unsendable(cause) => Input::Unsendable(cause),
//!                     Part::TimedOut => continue,
//!                 };
//!                 machine.feed(input, start.elapsed());
//!             }
//!             Step::Wait { until } => {
//!                 client.drop_response();
//!                 std::thread::sleep(until.saturating_sub(start.elapsed()));
//!             }
//!             Step::Done => break,
//!         }
//!     }
//! }
//! ```
//!
//! Times are durations since a fixed moment of a monotonic clock, such as the start of the program.

mod backoff;
mod driver;
mod exchange;
mod reference;

pub(crate) use backoff::{Backoff, Jitter};
pub(crate) use driver::{Decide, Driver, End, Open, Sending, poll};
pub(crate) use exchange::{Exchange, Format, Holder, Page};
pub(crate) use reference::Reference;

use crate::codec::json::DecodeError;
use crate::request::{InvalidRequest, RequestLine};
use crate::response::ApiError;
use crate::visible::Visible;
use http::{HeaderMap, StatusCode, Uri};
use jiff::Timestamp;
use std::fmt::{self, Write};
use std::time::Duration;

/// A task of several requests that leaves I/O and time to its caller.
pub trait Machine {
    /// A result, of which there may be any number.
    type Event;

    /// The next step. Call it until it is [`Step::Receive`], [`Step::Wait`] or [`Step::Done`], and
    /// again after each call of another method, and when the time of the step is reached.
    fn poll(&mut self, now: Duration) -> Step<Self::Event>;

    /// Feeds the next part of the response to the last [`Step::Send`], or the reason that there is
    /// none.
    fn feed(&mut self, input: Input<'_>, now: Duration);

    /// Reports the time of day, for machines that write it into objects, or that notice by it that
    /// the computer was suspended. Call it before each [`Machine::poll`]; without it such a machine
    /// counts from the time of day that it began with, and an election does not lead again after a
    /// suspension.
    fn on_wall_time(&mut self, wall: Timestamp, now: Duration) {
        let _ = (wall, now);
    }
}

/// A part of the response to a request of a [`Machine`], or the reason that there is none.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// The URL to which the request is sent, with scheme and host. It is optional; with it,
    /// failures name the host.
    SentTo(&'a Uri),
    /// The status code and the headers.
    Head(StatusCode, &'a HeaderMap),
    /// The next bytes of the response body, in chunks of any size.
    Bytes(&'a [u8]),
    /// The end of the response body.
    End,
    /// The request could not be sent, or the response broke off. The cause, such as "connection
    /// refused", is in the [`Failure`]; it may be empty. The machine may try again.
    Disconnected(&'a str),
    /// The request can never be sent, for example because its URL has no host. The machine reports
    /// a [`FailureKind::Unsendable`], and ends. Report causes that may go away as
    /// [`Disconnected`](Self::Disconnected).
    Unsendable(&'a str),
}

/// The next action for the caller of a [`Machine`].
#[derive(Debug)]
pub enum Step<E> {
    /// Handle this result.
    Event(E),
    /// Send this request, and drop a response that is still open. All that is fed from now on
    /// belongs to this request.
    Send(Box<http::Request<Vec<u8>>>),
    /// Feed the next part of the response. Call [`Machine::poll`] again at this time if there is
    /// none until then.
    Receive {
        /// The time by which the next part must have arrived.
        until: Duration,
    },
    /// Drop a response that is still open, and call [`Machine::poll`] again at this time.
    Wait {
        /// The time at which the machine continues.
        until: Duration,
    },
    /// Stop: the task is complete.
    Done,
}

impl<E> Step<E> {
    /// The same step, with another event.
    #[must_use]
    pub fn map<F>(self, map: impl FnOnce(E) -> F) -> Step<F> {
        match self {
            Step::Event(event) => Step::Event(map(event)),
            Step::Send(request) => Step::Send(request),
            Step::Receive { until } => Step::Receive { until },
            Step::Wait { until } => Step::Wait { until },
            Step::Done => Step::Done,
        }
    }
}

/// A failure of a request of a machine. `Display` names the request.
#[non_exhaustive]
pub struct Failure {
    /// The reason.
    pub kind: FailureKind,
    request: Option<Box<RequestLine>>,
}

impl Failure {
    /// A failure of this request.
    pub(crate) fn new(kind: FailureKind, request: &RequestLine) -> Self {
        Self { kind, request: Some(Box::new(request.clone())) }
    }

    /// The request that failed. `None` if it could not be made, or is unknown.
    #[must_use]
    pub fn request(&self) -> Option<&RequestLine> {
        self.request.as_deref()
    }
}

impl From<FailureKind> for Failure {
    fn from(kind: FailureKind) -> Self {
        Self { kind, request: None }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.request {
            Some(request) => write!(f, "{request}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

__error!(Failure { kind, request });

/// The reason of a [`Failure`].
#[non_exhaustive]
pub enum FailureKind {
    /// The server refused the request or ended a watch.
    Api(Box<ApiError>),
    /// The response is neither a list nor a watch, but comes from a proxy, for example.
    Decode(DecodeError),
    /// There was no connection, or it broke, for the cause that the caller reported. It may be
    /// empty; one of more than 500 characters is cut in the middle.
    Disconnected(String),
    /// There was no byte for this long.
    Silent(Duration),
    /// The response has another object than the requested one, or one without a name or, where it
    /// is to be written, without a version: the difference.
    Mismatched(String),
    /// A write that [`update`](crate::update) had sent failed, and may have had its effect.
    Uncertain {
        /// The number of times that a write was sent.
        attempts: u32,
        /// The refusal of a later request, or the failure of the write if the object has changed
        /// since.
        last: Box<Failure>,
    },
    /// A response ended within an event.
    Truncated,
    /// A watch ended as soon as it began.
    Ended,
    /// The versions of a watch went back.
    JumpedBack,
    /// The request cannot be built, for example because the continue token makes the URL too long.
    Invalid(InvalidRequest),
    /// The request cannot be sent, now or later, for the cause that the caller reported, such as a
    /// URL without a host. Every machine ends with it. The cause is cut like the cause of a broken
    /// connection.
    Unsendable(String),
}

impl FailureKind {
    /// How long the server asks to wait.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            FailureKind::Api(error) => error.retry_after,
            _ => None,
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        match self {
            FailureKind::Api(error) => write!(f, "{error}"),
            FailureKind::Decode(error) => write!(f, "the response cannot be decoded: {error}"),
            FailureKind::Disconnected(cause) if cause.is_empty() => {
                f.write_str("the connection broke")
            }
            FailureKind::Disconnected(cause) => write!(f, "the connection broke: {cause}"),
            FailureKind::Silent(time) => {
                write!(f, "the server was silent for {} s", time.as_secs())
            }
            FailureKind::Mismatched(difference) => {
                write!(f, "the response is not the requested object: {difference}")
            }
            FailureKind::Uncertain { last, .. } => {
                write!(f, "a write without a response may have had its effect: {last}")
            }
            FailureKind::Truncated => f.write_str("the response ended within an event"),
            FailureKind::Ended => f.write_str("the watch ended as soon as it began"),
            FailureKind::JumpedBack => f.write_str("the versions of the watch went back"),
            FailureKind::Invalid(error) => write!(f, "the request cannot be made: {error}"),
            FailureKind::Unsendable(cause) if cause.is_empty() => {
                f.write_str("the request cannot be sent")
            }
            FailureKind::Unsendable(cause) => write!(f, "the request cannot be sent: {cause}"),
        }
    }
}

__error!(
    FailureKind: Api(error), Decode(error), Disconnected(cause), Silent(time),
    Mismatched(difference), Uncertain { attempts, last }, Truncated, Ended, JumpedBack,
    Invalid(error), Unsendable(cause)
);
