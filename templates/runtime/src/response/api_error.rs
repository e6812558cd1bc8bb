//! Refusals of servers.

use super::{Head, HeaderNames, Warning, warning};
use crate::codec::json;
use crate::codec::path::{KEY, shortened};
use crate::meta_v1::Status;
use crate::visible::Visible;
use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};
use std::fmt::{self, Write};
use std::time::Duration;

/// The longest time that a server can ask to wait: a day. Any time can be added to an `Instant`.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The refusal of a request by a server. [`Error::Api`](super::Error::Api) has it, and an error has predicates for the
/// usual reasons.
///
/// ```
/// use kapigen_runtime::{Error, Response, Text, http};
///
/// let status = r#"{"kind":"Status","code":422,"reason":"Invalid","message":"Pod \"a\" is invalid",
///     "details":{"causes":[{"field":"spec.containers","message":"Required value"}]}}"#;
/// let response = http::Response::builder().status(422).body(status).unwrap();
/// let Err(Error::Api(refusal)) = Response::<Text>::decode(&response) else { unreachable!() };
/// assert_eq!((refusal.reason(), refusal.message()), ("Invalid", r#"Pod "a" is invalid"#));
/// assert_eq!(refusal.causes()[0].field.as_deref(), Some("spec.containers"));
/// ```
///
/// `Debug` and `Display` show up to 500 characters of a body that is no `Status`, and `Debug` shows the names of
/// headers without their values.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct ApiError {
    /// The status code of the response. In a watch, and where a server reports a failure only in the body, the code of
    /// the `Status`.
    pub code: StatusCode,
    /// The body, if it is a `Status`. A proxy between a client and an API server may respond with any other.
    pub status: Option<Box<Status>>,
    /// The body as a string, if it is not. Bytes that are not UTF-8 are replaced.
    pub text: String,
    /// The time to wait before trying again: the header `Retry-After` in seconds, or else `retryAfterSeconds` of the
    /// status, but at most a day, so that it can be added to any time. `None` if both are absent, or for a date.
    pub retry_after: Option<Duration>,
    /// Warnings of the response, such as that of a deprecated version. Empty for an event of a watch.
    pub warnings: Vec<Warning>,
    /// Headers of the response, such as the `Location` of a redirection. Empty for an event of a watch: the headers of
    /// a watch are in its [`Response`](super::Response).
    pub headers: HeaderMap,
}

impl ApiError {
    pub(crate) fn new(head: &Head<'_>, body: &[u8]) -> Self {
        let refusal = match status(body) {
            Some(status) => Self::of_status(*status),
            None => Self {
                code: head.status,
                status: None,
                text: String::from_utf8_lossy(body).into_owned(),
                retry_after: None,
                warnings: Vec::new(),
                headers: HeaderMap::new(),
            },
        };
        // Servers set the header from the status. Proxies before them set nothing but the header; a date in it would
        // need a clock.
        let header = head.headers.get(RETRY_AFTER).and_then(|value| seconds(value.to_str().ok()?.trim()));
        let retry_after = header.map(wait).or(refusal.retry_after);
        Self { code: head.status, retry_after, ..refusal }.with_headers(head)
    }

    pub(super) fn with_headers(self, head: &Head<'_>) -> Self {
        Self { warnings: warning::all(head.headers), headers: head.headers.clone(), ..self }
    }

    /// A refusal that does not come with a status code of its own.
    pub(crate) fn of_status(status: Status) -> Self {
        let code = status.code.and_then(|code| StatusCode::from_u16(u16::try_from(code).ok()?).ok());
        let seconds = status.details.as_ref().and_then(|details| u64::try_from(details.retry_after_seconds?).ok());
        Self {
            code: code.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            status: Some(Box::new(status)),
            text: String::new(),
            // Servers encode an absent value as zero.
            retry_after: seconds.filter(|seconds| *seconds > 0).map(wait),
            warnings: Vec::new(),
            headers: HeaderMap::new(),
        }
    }

    /// The reason, a word for programs, such as `NotFound`. Empty if the server stated none.
    #[must_use]
    pub fn reason(&self) -> &str {
        self.status.as_deref().and_then(|status| status.reason.as_deref()).unwrap_or_default()
    }

    /// The message, a sentence for people.
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

/// The body, if it is a `Status`. Nearly any object without another `kind` can be decoded as one.
pub(super) fn status(body: &[u8]) -> Option<Box<Status>> {
    let status = json::from_slice::<Status>(body).ok()?;
    (status.kind.as_deref() == Some("Status")).then(|| Box::new(status))
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        write!(f, "the server responded with {}", self.code)?;
        if !self.reason().is_empty() {
            write!(f, " ({})", shortened(self.reason(), KEY))?;
        }
        // A page of HTML is no message.
        let message = self.message().trim();
        let short: String = message.chars().take(500).collect();
        if short.is_empty() { Ok(()) } else { write!(f, ": {short}") }
    }
}

impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiError")
            .field("code", &self.code)
            .field("status", &self.status)
            .field("text", &shortened(&self.text, 500))
            .field("retry_after", &self.retry_after)
            .field("warnings", &self.warnings)
            .field("headers", &HeaderNames(&self.headers))
            .finish()
    }
}

impl std::error::Error for ApiError {}
