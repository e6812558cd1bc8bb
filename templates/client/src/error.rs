//! Errors of a client.

use crate::BoxError;
use http::uri::{InvalidUri, InvalidUriParts};
use http::{Method, Uri};
use kapigen_runtime::__private::Visible;
#[cfg(feature = "dynamic")]
use kapigen_runtime::discovery::UnknownResource;
use kapigen_runtime::machine::Failure;
use std::fmt::{self, Write};
use std::iter;
use std::time::Duration;

/// The reason that a request was not sent, or that its response is not the requested one.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The request is invalid, the server refused, or the response cannot be decoded.
    Response(kapigen_runtime::Error),
    /// The request cannot be sent, now or later: its URL has no host, for example. Machines end with it.
    Unsendable(String),
    /// The service failed, or the connection broke while the response arrived.
    Transport(BoxError),
    /// There was no response, or no more of it, for this long.
    TimedOut(Duration),
    /// The response was not complete after this long: see [`Client::deadline`](crate::Client::deadline).
    Deadline(Duration),
    /// The response, or one item of it, has more bytes than this.
    TooLarge(usize),
    /// A task of several requests came to its end.
    Failed(Failure),
    /// A write was refused with 404, 409 or 422 after it had been sent before, without a response: that may be the result of
    /// the earlier attempt, which had its effect. Read the object to know.
    Uncertain {
        /// The number of times that the request was sent.
        attempts: u32,
        /// The refusal. The predicates are those of it.
        last: Box<Error>,
    },
    /// The server has no resource of this name.
    #[cfg(feature = "dynamic")]
    Unknown(Box<UnknownResource>),
}

/// Method and URL of a request, for messages. Without credentials and query, which may have secrets.
#[derive(Clone, Debug)]
pub(crate) struct RequestLine {
    method: Method,
    uri: Uri,
}

impl RequestLine {
    pub(crate) fn of<B>(request: &http::Request<B>) -> Self {
        Self { method: request.method().clone(), uri: request.uri().clone() }
    }
}

impl fmt::Display for RequestLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.method)?;
        if let (Some(scheme), Some(host)) = (self.uri.scheme_str(), self.uri.host()) {
            write!(f, "{scheme}://{host}")?;
        }
        if let Some(port) = self.uri.port_u16() {
            write!(f, ":{port}")?;
        }
        f.write_str(self.uri.path())
    }
}

/// The error of a service, and the request that it failed to send.
#[derive(Debug)]
struct FailedRequest {
    request: RequestLine,
    cause: BoxError,
}

impl fmt::Display for FailedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.request.fmt(f)
    }
}

impl std::error::Error for FailedRequest {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.cause)
    }
}

/// Errors of services that no other attempt would mend, by a part of their message, with a remedy. Their types are
/// private, or those of crates that this one does not depend on.
const UNSENDABLE: [(&str, &str); 3] = [
    // hyper-util
    ("client error (UserAbsoluteUriRequired)", "it has no host: see `Client::base`"),
    ("invalid URL, scheme is not http", "the service has no TLS"),
    // reqwest
    ("relative URL without a base", "it has no host: see `Client::base`"),
];

impl Error {
    /// The error of a service.
    pub(crate) fn transport(error: impl Into<BoxError>) -> Self {
        let error = error.into();
        if causes(&*error).any(is_of_url) {
            return Error::Unsendable(chain(&*error));
        }
        let text = chain(&*error);
        match UNSENDABLE.iter().find(|(part, _)| text.contains(part)) {
            Some((_, remedy)) => Error::Unsendable(format!("{text}: {remedy}")),
            None => Error::Transport(error),
        }
    }

    /// A word in place of a status code, for metrics.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Error::TimedOut(_) | Error::Deadline(_) => "timeout",
            Error::Unsendable(_) => "unsendable",
            _ => "disconnected",
        }
    }

    /// The same error, which names the request if the service failed.
    pub(crate) fn of(self, request: &RequestLine) -> Self {
        match self {
            Error::Transport(cause) => Error::Transport(Box::new(FailedRequest { request: request.clone(), cause })),
            other => other,
        }
    }

    /// The reason of a failure of the connection, for machines: without words about the connection, which they add.
    pub(crate) fn cause(&self) -> String {
        match self {
            Error::Transport(error) => chain(&**error),
            other => other.to_string(),
        }
    }

    /// The error of the response, if there was one: it has a predicate for each reason of a refusal, of which the most
    /// frequent ones are here, too.
    ///
    /// ```
    /// use kapigen_client::Error;
    ///
    /// /// Whether the server is overloaded.
    /// fn is_overloaded(error: &Error) -> bool {
    ///     error.response().is_some_and(|error| error.is_too_many_requests() || error.is_service_unavailable())
    /// }
    /// # assert!(!is_overloaded(&Error::TooLarge(1)));
    /// ```
    #[must_use]
    pub fn response(&self) -> Option<&kapigen_runtime::Error> {
        match self {
            Error::Response(error) => Some(error),
            Error::Uncertain { last, .. } => last.response(),
            Error::Unsendable(_)
            | Error::Transport(_)
            | Error::TimedOut(_)
            | Error::Deadline(_)
            | Error::TooLarge(_)
            | Error::Failed(_) => None,
            #[cfg(feature = "dynamic")]
            Error::Unknown(_) => None,
        }
    }
}

/// Defines predicates that are those of the response.
macro_rules! predicates {
    ($($(#[$doc:meta])+ $name:ident;)+) => {
        impl Error {
            $($(#[$doc])+ #[must_use] pub fn $name(&self) -> bool {
                self.response().is_some_and(kapigen_runtime::Error::$name)
            })+
        }
    };
}

predicates! {
    /// Whether the server refused because there is no such object, or no such resource.
    is_not_found;
    /// Whether the server refused because an object of this name exists already.
    is_already_exists;
    /// Whether the server refused because the object was changed in the meantime, or other managers own fields of an
    /// apply.
    is_conflict;
    /// Whether the server refused because the object is invalid.
    is_invalid;
    /// Whether the server refused because the user may not do this.
    is_forbidden;
}

/// An error and its causes. Those of clients are often in the last one only, such as "connection refused".
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    for cause in causes(error).skip(1) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// An error and its causes.
fn causes<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    iter::successors(Some(error), |error| error.source())
}

/// Whether an error is that of a URL.
fn is_of_url(error: &(dyn std::error::Error + 'static)) -> bool {
    let of_http = error.downcast_ref::<http::Error>();
    error.is::<InvalidUri>()
        || error.is::<InvalidUriParts>()
        || of_http.is_some_and(|error| error.is::<InvalidUri>() || error.is::<InvalidUriParts>())
}

impl From<kapigen_runtime::Error> for Error {
    fn from(error: kapigen_runtime::Error) -> Self {
        Error::Response(error)
    }
}

/// Refusals become errors of responses, so that there is one place to look for them.
impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Api(error) => Error::Response(kapigen_runtime::Error::Api(error)),
            Failure::Invalid(error) => Error::Response(error.into()),
            Failure::Silent(time) => Error::TimedOut(time),
            Failure::Unsendable(cause) => Error::Unsendable(cause),
            other => Error::Failed(other),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        match self {
            Error::Response(error) => write!(f, "{error}"),
            Error::Unsendable(cause) => write!(f, "the request cannot be sent: {cause}"),
            Error::Transport(error) => write!(f, "the transport failed: {}", chain(&**error)),
            Error::TimedOut(time) => write!(f, "the server was silent for {time:?}: see `Client::timeout`"),
            Error::Deadline(time) => write!(f, "the response was not complete after {time:?}: see `Client::deadline`"),
            Error::TooLarge(size) => write!(f, "more than {size} bytes: see `Client::largest_response`"),
            Error::Failed(failure) => write!(f, "{failure}"),
            Error::Uncertain { attempts, last } => {
                write!(f, "an earlier one of {attempts} attempts may have had its effect: {last}")
            }
            #[cfg(feature = "dynamic")]
            Error::Unknown(unknown) => write!(f, "{unknown}"),
        }
    }
}

/// Without a source: `Display` shows all causes, which would be printed twice. The variants have them.
impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error of a client: a text, and a cause.
    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Layer>>);

    impl fmt::Display for Layer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl std::error::Error for Layer {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            self.1.as_deref().map(|cause| cause as &dyn std::error::Error)
        }
    }

    #[test]
    fn shows_the_last_cause_and_none_twice() {
        let refused = Layer("connection refused", None);
        let connect = Layer("connect: connection refused", Some(Box::new(refused)));
        let error = Error::transport(Layer("client error", Some(Box::new(connect))));
        assert_eq!(error.to_string(), "the transport failed: client error: connect: connection refused");
        let hostile = Error::transport(Layer("a\u{1b}[2J\n", Some(Box::new(Layer("b\u{202e}", None)))));
        assert_eq!(hostile.to_string(), r"the transport failed: a\u{1b}[2J\n: b\u{202e}");
        assert_eq!(error.cause(), "client error: connect: connection refused");
    }

    #[test]
    fn failures_name_the_request_and_no_secrets() {
        let request = http::Request::get("https://user:pw@10.0.0.1:6443/api/v1/pods?token=secret").body(()).unwrap();
        let refused = || Error::transport(Layer("connection refused", None));
        let error = refused().of(&RequestLine::of(&request));
        let line = "GET https://10.0.0.1:6443/api/v1/pods: connection refused";
        assert_eq!(error.to_string(), format!("the transport failed: {line}"));
        assert_eq!(error.cause(), line);
        let request = http::Request::delete("/api/v1/pods/a?x=y").body(()).unwrap();
        assert_eq!(refused().of(&RequestLine::of(&request)).cause(), "DELETE /api/v1/pods/a: connection refused");
    }
}
