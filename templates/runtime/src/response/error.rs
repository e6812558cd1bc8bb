//! What can go wrong between building a request and reading its answer, but for the transport.

use super::Head;
use crate::codec::json::{self, DecodeError};
use crate::codec::path::{KEY, shortened};
use crate::invalid::InvalidRequest;
use crate::meta_v1::Status;
use http::StatusCode;
use http::header::RETRY_AFTER;
use std::fmt;
use std::time::Duration;

/// The longest time that a server can ask to wait: a day. Any time can be added to an `Instant`.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Why a request was not made, or its response is not what was asked for.
///
/// These may quote what was sent or received:
/// * [`InvalidRequest`] quotes an argument or parameter, up to 100 characters of each.
/// * [`ApiError`] quotes the message of the server, up to 500 characters; servers quote the object that they reject.
/// * [`DecodeError`] quotes up to 60 characters of a value, but never one that should be bytes.
/// * `Truncated` quotes nothing, neither in `Display` nor in `Debug`.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The request cannot be made.
    Invalid(InvalidRequest),
    /// The server refused.
    Api(Box<ApiError>),
    /// The server answered success, but with something else than what was asked for.
    Decode {
        /// The status code.
        status: StatusCode,
        /// What is wrong with the body.
        error: DecodeError,
    },
    /// A stream ended within an event. Watch again from the last resource version.
    Truncated {
        /// The beginning of the event.
        rest: Vec<u8>,
    },
}

/// A refusal.
///
/// `Debug` and `Display` show up to 500 characters of a body that is no `Status`.
#[derive(Clone, PartialEq)]
pub struct ApiError {
    /// The status code of the answer. In a watch, and wherever a server says only in the body that it failed, the code
    /// of the status.
    pub code: StatusCode,
    /// The body, if it is a `Status`. What stands between a client and an API server may answer with anything.
    pub status: Option<Box<Status>>,
    /// The body as text, if it is not. What is not UTF-8 is replaced.
    pub text: String,
    /// How long to wait before trying again: the header `Retry-After` in seconds, or else what the status says, but at
    /// most a day, so that it can be added to any time. `None` if the server says nothing, or gives a date.
    pub retry_after: Option<Duration>,
}

impl Error {
    /// The refusal, if the server refused.
    #[must_use]
    pub fn api(&self) -> Option<&ApiError> {
        match self {
            Error::Api(error) => Some(error),
            _ => None,
        }
    }

    /// When to try again, if the server said so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.api()?.retry_after
    }

    /// Whether the server said that there is no such object (or no such resource).
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.is(StatusCode::NOT_FOUND)
    }

    /// Whether the object was changed in the meantime, or exists already.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.is(StatusCode::CONFLICT)
    }

    /// Whether the server has forgotten the version or the place in a list that was asked for.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.is(StatusCode::GONE)
    }

    fn is(&self, code: StatusCode) -> bool {
        self.api().is_some_and(|error| error.code == code)
    }
}

impl ApiError {
    pub(super) fn new(head: &Head<'_>, body: &[u8]) -> Self {
        let refusal = match status(body) {
            Some(status) => Self::of_status(*status),
            None => Self {
                code: head.status,
                status: None,
                text: String::from_utf8_lossy(body).into_owned(),
                retry_after: None,
            },
        };
        // Servers set the header from the status. What stands before them has nothing but the header; a date in it
        // would need a clock.
        let header = head.headers.get(RETRY_AFTER).and_then(|value| seconds(value.to_str().ok()?.trim()));
        Self { code: head.status, retry_after: header.map(wait).or(refusal.retry_after), ..refusal }
    }

    /// A refusal that does not come with a status code of its own.
    pub(crate) fn of_status(status: Status) -> Self {
        let code = status.code.and_then(|code| StatusCode::from_u16(u16::try_from(code).ok()?).ok());
        let seconds = status.details.as_ref().and_then(|details| u64::try_from(details.retry_after_seconds?).ok());
        Self {
            code: code.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            status: Some(Box::new(status)),
            text: String::new(),
            // Zero is what servers mean by nothing.
            retry_after: seconds.filter(|seconds| *seconds > 0).map(wait),
        }
    }

    /// Why, in a word for programs, such as `NotFound`. Empty if the server did not say.
    #[must_use]
    pub fn reason(&self) -> &str {
        self.status.as_deref().and_then(|status| status.reason.as_deref()).unwrap_or_default()
    }

    /// Why, in a sentence for people.
    #[must_use]
    pub fn message(&self) -> &str {
        self.status.as_deref().and_then(|status| status.message.as_deref()).unwrap_or(&self.text)
    }
}

/// A number of seconds, or the largest one for a number that is larger.
fn seconds(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

fn wait(seconds: u64) -> Duration {
    Duration::from_secs(seconds).min(LONGEST_WAIT)
}

/// The body, if it is a `Status`. Nearly everything reads as one if it does not say that it is something else.
pub(super) fn status(body: &[u8]) -> Option<Box<Status>> {
    let status = json::from_slice::<Status>(body).ok()?;
    (status.kind.as_deref() == Some("Status")).then(|| Box::new(status))
}

impl From<InvalidRequest> for Error {
    fn from(invalid: InvalidRequest) -> Self {
        Error::Invalid(invalid)
    }
}

impl From<Box<ApiError>> for Error {
    fn from(error: Box<ApiError>) -> Self {
        Error::Api(error)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server answered {}", self.code)?;
        if !self.reason().is_empty() {
            write!(f, " ({})", shortened(self.reason(), KEY))?;
        }
        // A page of HTML is no message.
        let message = self.message().trim();
        let short: String = message.chars().take(500).collect();
        if short.is_empty() { Ok(()) } else { write!(f, ": {short}") }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(invalid) => write!(f, "the request cannot be made: {invalid}"),
            Error::Api(error) => error.fmt(f),
            Error::Decode { status, error } => write!(f, "the answer ({status}) cannot be read: {error}"),
            Error::Truncated { rest } => {
                write!(f, "the stream ended within an event, after {} bytes of it", rest.len())
            }
        }
    }
}

impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiError")
            .field("code", &self.code)
            .field("status", &self.status)
            .field("text", &shortened(&self.text, 500))
            .field("retry_after", &self.retry_after)
            .finish()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(invalid) => f.debug_tuple("Invalid").field(invalid).finish(),
            Error::Api(error) => f.debug_tuple("Api").field(error).finish(),
            Error::Decode { status, error } => {
                f.debug_struct("Decode").field("status", status).field("error", error).finish()
            }
            Error::Truncated { rest } => write!(f, "Truncated({} bytes)", rest.len()),
        }
    }
}

impl std::error::Error for ApiError {}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Invalid(invalid) => Some(invalid),
            Error::Decode { error, .. } => Some(error),
            Error::Api(_) | Error::Truncated { .. } => None,
        }
    }
}
