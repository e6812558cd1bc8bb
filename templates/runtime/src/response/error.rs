//! Errors of building a request and of decoding its response; the transport has its own.

use super::reason;
use super::warning::{self, quoted};
use super::{Head, HeaderNames, Warning};
use crate::codec::json;
use crate::codec::json::DecodeError;
use crate::codec::path::{KEY, shortened};
use crate::invalid::InvalidRequest;
use crate::mask::MaskError;
use crate::meta_v1::{Status, StatusCause};
use crate::visible::Visible;
use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};
use std::fmt::{self, Write};
use std::time::Duration;

/// An error of building a request, or of decoding its response.
///
/// These may quote data that was sent or received:
/// * [`InvalidRequest`] quotes an argument or parameter, up to 100 characters of each.
/// * [`ApiError`] quotes the message of the server, up to 500 characters; servers quote the object
///   that they reject.
/// * [`DecodeError`] quotes up to 60 characters of a value, but never one that should be bytes.
/// * `Truncated` quotes nothing, neither in `Display` nor in `Debug`.
///
/// ```
/// use kapigen_runtime::meta_v1::PartialObjectMetadata;
/// use kapigen_runtime::{Response, http};
///
/// let body = r#"{"kind":"Status","reason":"NotFound","code":404,"message":"pods \"web\" not found"}"#;
/// let response = http::Response::builder().status(404).body(body)?;
/// let error = Response::<PartialObjectMetadata>::decode(&response).unwrap_err();
/// assert!(error.is_not_found());
/// assert_eq!(
///     error.to_string(),
///     r#"the server responded with 404 Not Found (NotFound): pods "web" not found"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The request cannot be made.
    Invalid(InvalidRequest),
    /// The server responded with an error.
    Api(Box<ApiError>),
    /// The response has a status code of success, but a body that is not of the requested type.
    Decode {
        /// The status code.
        status: StatusCode,
        /// The cause.
        error: DecodeError,
        /// Warnings and headers of the response. Empty for an event of a watch and an item of a
        /// list: the [`Response`](super::Response) of the stream has them.
        received: Box<Received>,
    },
    /// A stream ended within an event. Watch again from the last resource version.
    Truncated {
        /// The beginning of the event.
        rest: Vec<u8>,
    },
}

/// Warnings and headers of a response with a body that cannot be decoded.
///
/// `Debug` shows the names of headers without their values.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Received {
    /// Warnings, such as of a deprecated version.
    pub warnings: Vec<Warning>,
    /// Headers.
    pub headers: HeaderMap,
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

    /// Warnings of the response; a refusal can have them, too.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        match self {
            Error::Api(error) => &error.warnings,
            Error::Decode { received, .. } => &received.warnings,
            Error::Invalid(_) | Error::Truncated { .. } => &[],
        }
    }

    /// Headers of the response, if there was one.
    #[must_use]
    pub fn headers(&self) -> Option<&HeaderMap> {
        match self {
            Error::Api(error) => Some(&error.headers),
            Error::Decode { received, .. } => Some(&received.headers),
            Error::Invalid(_) | Error::Truncated { .. } => None,
        }
    }

    /// The body of a response cannot be decoded.
    pub(super) fn decode(head: &Head<'_>, error: DecodeError) -> Self {
        let received =
            Received { warnings: warning::all(head.headers), headers: head.headers.clone() };
        Error::Decode { status: head.status, error, received: Box::new(received) }
    }

    /// A part of a stream cannot be decoded: an event of a watch or an item of a list.
    pub(crate) fn decode_part(status: StatusCode, error: DecodeError) -> Self {
        Error::Decode { status, error, received: Box::default() }
    }

    /// The time to wait before trying again, if the server stated one.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.api()?.retry_after
    }

    /// [`ApiError::causes`], or none if this is not a refusal.
    #[must_use]
    #[inline]
    pub fn causes(&self) -> &[StatusCause] {
        self.api().map(ApiError::causes).unwrap_or_default()
    }

    /// Whether the reason is `Expired`, the one of [`is_gone`](Self::is_gone) that servers of today
    /// give.
    #[must_use]
    #[inline]
    pub fn is_expired(&self) -> bool {
        self.api().is_some_and(ApiError::is_expired)
    }

    /// [`ApiError::conflicts`], or none if this is no refusal.
    #[inline]
    pub fn conflicts(&self) -> impl Iterator<Item = Conflict<'_>> {
        self.api().into_iter().flat_map(ApiError::conflicts)
    }
}

impl From<InvalidRequest> for Error {
    fn from(invalid: InvalidRequest) -> Self {
        Error::Invalid(invalid)
    }
}

impl From<MaskError> for Error {
    #[inline]
    fn from(error: MaskError) -> Self {
        InvalidRequest::Mask(error.to_string()).into()
    }
}

impl From<Box<ApiError>> for Error {
    fn from(error: Box<ApiError>) -> Self {
        Error::Api(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        match self {
            Error::Invalid(invalid) => write!(f, "the request cannot be made: {invalid}"),
            Error::Api(error) => write!(f, "{error}"),
            Error::Decode { status, error, .. } => {
                write!(f, "the response ({status}) cannot be decoded: {error}")
            }
            Error::Truncated { rest } => {
                write!(f, "the stream ended within an event, after {} bytes of it", rest.len())
            }
        }
    }
}

impl fmt::Debug for Received {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Received")
            .field("warnings", &self.warnings)
            .field("headers", &HeaderNames(&self.headers))
            .finish()
    }
}

__error!(@ Error, this, f, {
    match this {
        Error::Invalid(invalid) => f.debug_tuple("Invalid").field(invalid).finish(),
        Error::Api(error) => f.debug_tuple("Api").field(error).finish(),
        Error::Decode { status, error, received } => f
            .debug_struct("Decode")
            .field("status", status)
            .field("error", error)
            .field("received", received)
            .finish(),
        Error::Truncated { rest } => write!(f, "Truncated({} bytes)", rest.len()),
    }
});

/// The longest time that a server can ask to wait: a day. Any time can be added to an `Instant`.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The refusal of a request by a server. [`Error::Api`](super::Error::Api) has it, and an error has
/// predicates for the usual reasons.
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
/// `Debug` and `Display` show up to 500 characters of a body that is no `Status`, and `Debug` shows
/// the names of headers without their values.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct ApiError {
    /// The status code of the response. In a watch, and where a server reports a failure only in
    /// the body, the code of the `Status`.
    pub code: StatusCode,
    /// The body, if it is a `Status`. A proxy between a client and an API server may respond with
    /// any other.
    pub status: Option<Box<Status>>,
    /// The body as a string, if it is not. Bytes that are not UTF-8 are replaced.
    pub text: String,
    /// The time to wait before trying again: the header `Retry-After` in seconds, or else
    /// `retryAfterSeconds` of the status, but at most a day, so that it can be added to any time.
    /// `None` if both are absent, or for a date.
    pub retry_after: Option<Duration>,
    /// Warnings of the response, such as of a deprecated version. Empty for an event of a watch.
    pub warnings: Vec<Warning>,
    /// Headers of the response, such as the `Location` of a redirection. Empty for an event of a
    /// watch: the headers of a watch are in its [`Response`](super::Response).
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
        // Servers set the header from the status. Proxies before them set nothing but the header; a
        // date in it would need a clock.
        let header =
            head.headers.get(RETRY_AFTER).and_then(|value| seconds(value.to_str().ok()?.trim()));
        let retry_after = header.map(wait).or(refusal.retry_after);
        Self { code: head.status, retry_after, ..refusal }.with_headers(head)
    }

    pub(super) fn with_headers(self, head: &Head<'_>) -> Self {
        Self { warnings: warning::all(head.headers), headers: head.headers.clone(), ..self }
    }

    /// A refusal that does not come with a status code of its own.
    pub(crate) fn of_status(status: Status) -> Self {
        let code =
            status.code.and_then(|code| StatusCode::from_u16(u16::try_from(code).ok()?).ok());
        let seconds = status
            .details
            .as_ref()
            .and_then(|details| u64::try_from(details.retry_after_seconds?).ok());
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

    /// Whether the reason is one of these or, if the server stated none that is known, the usual
    /// one of the status code is.
    #[inline(never)] // each predicate would compile the search
    fn has_reason(&self, reasons: &[&str]) -> bool {
        let stated = self.reason();
        let reason =
            if reason::is_known(stated) { stated } else { reason::usual_reason(self.code) };
        reasons.contains(&reason)
    }

    /// Whether the reason is `Expired`, the one of [`is_gone`](Self::is_gone) that servers of today
    /// give.
    #[must_use]
    #[inline]
    pub fn is_expired(&self) -> bool {
        self.reason() == "Expired"
    }

    /// The single errors that make up a refusal, such as one for each invalid field of a 422.
    #[must_use]
    #[inline]
    pub fn causes(&self) -> &[StatusCause] {
        let details = self.status.as_deref().and_then(|status| status.details.as_deref());
        details.and_then(|details| details.causes.as_deref()).unwrap_or_default()
    }

    /// The conflicts of an apply that was refused with 409: fields that other managers own.
    #[inline]
    pub fn conflicts(&self) -> impl Iterator<Item = Conflict<'_>> {
        self.causes()
            .iter()
            .filter(|cause| cause.reason.as_deref() == Some("FieldManagerConflict"))
            .map(conflict)
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
        // A page of HTML is not a message.
        let message = self.message().trim();
        let short: String = message.chars().take(500).collect();
        if short.is_empty() { Ok(()) } else { write!(f, ": {short}") }
    }
}

__error!(@ ApiError, this, f, {
    f.debug_struct("ApiError")
        .field("code", &this.code)
        .field("status", &this.status)
        .field("text", &shortened(&this.text, 500))
        .field("retry_after", &this.retry_after)
        .field("warnings", &this.warnings)
        .field("headers", &HeaderNames(&this.headers))
        .finish()
});

/// A field that an apply would change, and that another field manager owns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict<'a> {
    /// Path of the field, such as `.spec.replicas`.
    pub field: &'a str,
    /// Name of the owner. Empty if the server did not name it.
    pub manager: String,
    /// The explanation of the server, which also has the version and the subresource.
    pub message: &'a str,
}

/// The message names the manager: `conflict with "kubectl" using v1`.
#[inline]
fn conflict(cause: &StatusCause) -> Conflict<'_> {
    let message = cause.message.as_deref().unwrap_or_default();
    let manager = message.find('"').and_then(|start| quoted(&message[start..]));
    Conflict {
        field: cause.field.as_deref().unwrap_or_default(),
        manager: manager.map(|(manager, _)| manager).unwrap_or_default(),
        message,
    }
}

/// Defines the same predicates for both errors.
macro_rules! predicates {
    ($($(#[$doc:meta])+ $name:ident: $reasons:expr;)+) => {
        impl ApiError {
            $($(#[$doc])+ #[must_use] #[inline] pub fn $name(&self) -> bool {
                self.has_reason(&$reasons)
            })+
        }

        impl Error {
            $($(#[$doc])+ #[must_use] #[inline] pub fn $name(&self) -> bool {
                self.api().is_some_and(ApiError::$name)
            })+
        }
    };
}

predicates! {
    /// Whether the user is not authenticated.
    is_unauthorized: ["Unauthorized"];
    /// Whether the user may not do this.
    is_forbidden: ["Forbidden"];
    /// Whether there is no such object, or no such resource.
    is_not_found: ["NotFound"];
    /// Whether an object of this name exists already.
    is_already_exists: ["AlreadyExists"];
    /// Whether the object was changed in the meantime, or other managers own fields of an apply. An
    /// object that exists already is no conflict.
    is_conflict: ["Conflict"];
    /// Whether the server has forgotten the resource version or the continue token, for either
    /// reason, `Gone` and `Expired`: list again.
    is_gone: ["Gone", "Expired"];
    /// Whether the object is invalid; the causes say which fields are.
    is_invalid: ["Invalid"];
    /// Whether the request is malformed.
    is_bad_request: ["BadRequest"];
    /// Whether this client, or all together, sent too many requests, or an eviction would leave too
    /// few pods. Try again later.
    is_too_many_requests: ["TooManyRequests"];
    /// Whether the request was not completed in time. It may have had its effect.
    is_timeout: ["Timeout"];
    /// Whether the server could not begin in time: try again.
    is_server_timeout: ["ServerTimeout"];
    /// Whether the server, or one that it needs, is unavailable.
    is_service_unavailable: ["ServiceUnavailable"];
    /// Whether the server failed.
    is_internal_error: ["InternalError"];
}
