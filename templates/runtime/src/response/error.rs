//! Errors of building a request and of decoding its response, without those of the transport.

use super::{ApiError, Head, HeaderNames, Warning, warning};
use crate::codec::json::DecodeError;
use crate::invalid::InvalidRequest;
use crate::visible::Visible;
use http::{HeaderMap, StatusCode};
use std::fmt::{self, Write};
use std::time::Duration;

/// An error of building a request, or of decoding its response.
///
/// These may quote what was sent or received:
/// * [`InvalidRequest`] quotes an argument or parameter, up to 100 characters of each.
/// * [`ApiError`] quotes the message of the server, up to 500 characters; servers quote the object that they reject.
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
        /// Warnings and headers of the response. Empty for an event of a watch and an item of a list: those of the
        /// stream are in its [`Response`](super::Response).
        received: Box<Received>,
    },
    /// A stream ended within an event. Watch again from the last resource version.
    Truncated {
        /// The beginning of the event.
        rest: Vec<u8>,
    },
}

/// Warnings and headers of a response whose body cannot be decoded.
///
/// `Debug` shows the names of headers without their values.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Received {
    /// Warnings, such as that of a deprecated version.
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

    /// Warnings of the response: also a refusal can have some.
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
        let received = Received { warnings: warning::all(head.headers), headers: head.headers.clone() };
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        match self {
            Error::Invalid(invalid) => write!(f, "the request cannot be made: {invalid}"),
            Error::Api(error) => write!(f, "{error}"),
            Error::Decode { status, error, .. } => write!(f, "the response ({status}) cannot be decoded: {error}"),
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

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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
    }
}

/// Without a source: `Display` shows the cause, which would be printed twice.
impl std::error::Error for Error {}
