//! Errors of a client.

use http::uri::{InvalidUri, InvalidUriParts};
use kapigen_runtime::__private::Visible;
#[cfg(feature = "dynamic")]
use kapigen_runtime::discovery::UnknownResource;
use kapigen_runtime::machine::{Failure, FailureKind};
use kapigen_runtime::request::RequestLine;
use std::fmt::{self, Write};
use std::iter;
use std::time::Duration;

/// An error of a transport, of any type.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Why a request failed: it was not sent, the server rejected it, or its response was not what was
/// requested. `Display` names the request.
///
/// ```
/// use kapigen_client::{Error, ErrorKind};
///
/// /// Whether the server took too long.
/// fn is_slow(error: &Error) -> bool {
///     matches!(error.kind, ErrorKind::TimedOut(_) | ErrorKind::Deadline(_))
/// }
/// ```
#[non_exhaustive]
pub struct Error {
    /// The reason.
    pub kind: ErrorKind,
    request: Option<Box<RequestLine>>,
    not_repeated: Option<NotRepeated>,
    /// The remedy, which follows the message.
    remedy: Option<&'static str>,
}

/// The reason why a request that could be [repeated](kapigen_runtime::retry) was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotRepeated {
    /// The [budget](kapigen_runtime::retry::Budget) of all clones of the client is used up.
    Budget,
    /// The [deadline](crate::Client::deadline) would have passed before.
    Deadline,
}

/// The reason of an [`Error`].
#[non_exhaustive]
pub enum ErrorKind {
    /// The request is invalid, the server refused, or the response cannot be decoded.
    Response(kapigen_runtime::Error),
    /// The request cannot be sent, now or later: its URL has no host, for example. Machines end
    /// with it.
    Unsendable(String),
    /// The service failed, or the connection broke during the response.
    Transport(BoxError),
    /// There was no response, or no further part of it, for this long.
    TimedOut(Duration),
    /// The response was not complete after this long: see
    /// [`Client::deadline`](crate::Client::deadline).
    Deadline(Duration),
    /// The response, or one item of it, has more bytes than this.
    TooLarge(usize),
    /// A task of several requests has ended.
    Failed(FailureKind),
    /// A repeated write was refused with 404, 409 or 422: the earlier attempt may have had its
    /// effect, and only its response was lost. Or the object has changed after a write of
    /// [`update`](crate::Client::update) without a response, and would be changed once more. Read
    /// the object to find out.
    Uncertain {
        /// The number of times that the write was sent.
        attempts: u32,
        /// The refusal, or the failure of the write. Predicates are delegated to it.
        last: Box<Error>,
    },
    /// There is no cluster configuration, or it cannot be used.
    #[cfg(all(feature = "connect", not(target_arch = "wasm32")))] // not vendored
    Configuration(kapigen_connect::Error), // not vendored
    /// The server has no resource of this name.
    #[cfg(feature = "dynamic")]
    Unknown(Box<UnknownResource>),
}

/// Errors of services that no other attempt would fix, by a part of their message, with a remedy.
/// Their types are private, or from crates that this one does not depend on.
const UNSENDABLE: [(&str, &str); 3] = [
    // hyper-util
    ("client error (UserAbsoluteUriRequired)", "it has no host: see `Client::base`"),
    ("invalid URL, scheme is not http", "the service has no TLS"),
    // reqwest
    ("relative URL without a base", "it has no host: see `Client::base`"),
];

impl ErrorKind {
    /// The error of a service.
    pub(crate) fn transport(error: impl Into<BoxError>) -> Self {
        let error = error.into();
        if causes(&*error).any(is_of_url) {
            return ErrorKind::Unsendable(chain(&*error));
        }
        let text = chain(&*error);
        match UNSENDABLE.iter().find(|(part, _)| text.contains(part)) {
            Some((_, remedy)) => ErrorKind::Unsendable(format!("{text}: {remedy}")),
            None => ErrorKind::Transport(error),
        }
    }

    /// A word in place of a status code, for metrics.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            ErrorKind::TimedOut(_) | ErrorKind::Deadline(_) => "timeout",
            ErrorKind::Unsendable(_) => "unsendable",
            _ => "disconnected",
        }
    }

    /// The reason of a failure, for machines: without words about the connection or the request,
    /// which they add.
    pub(crate) fn cause(&self) -> String {
        match self {
            ErrorKind::Transport(error) => chain(&**error),
            ErrorKind::Unsendable(cause) => cause.clone(),
            other => other.to_string(),
        }
    }
}

impl Error {
    /// The same error, which names the request, unless it names one already.
    pub(crate) fn for_request(self, request: impl FnOnce() -> RequestLine) -> Self {
        let request = self.request.unwrap_or_else(|| Box::new(request()));
        Self { request: Some(request), ..self }
    }

    /// The same error, of a request that is not repeated for this reason.
    pub(crate) fn not_repeated_for(self, reason: NotRepeated) -> Self {
        Self { not_repeated: Some(reason), ..self }
    }

    /// The same error, with something that the user can do.
    #[cfg(feature = "streams")]
    pub(crate) fn with_remedy(self, remedy: &'static str) -> Self {
        Self { remedy: Some(remedy), ..self }
    }

    /// The reason why the request was not repeated after this failure, unless that is the failure
    /// itself, or the number of attempts.
    #[must_use]
    pub fn not_repeated(&self) -> Option<NotRepeated> {
        self.not_repeated
    }

    /// The request that failed. `None` if it could not be made.
    #[must_use]
    pub fn request(&self) -> Option<&RequestLine> {
        self.request.as_deref()
    }

    /// The error response of the server, if there was one. It has a predicate for each reason; the
    /// most common ones are here, too.
    ///
    /// ```
    /// use kapigen_client::Error;
    ///
    /// /// Whether the server is overloaded.
    /// fn is_overloaded(error: &Error) -> bool {
    ///     error.response().is_some_and(|error| error.is_too_many_requests() || error.is_service_unavailable())
    /// }
    /// # assert!(!is_overloaded(&kapigen_client::ErrorKind::TooLarge(1).into()));
    /// ```
    #[must_use]
    pub fn response(&self) -> Option<&kapigen_runtime::Error> {
        match &self.kind {
            ErrorKind::Response(error) => Some(error),
            ErrorKind::Uncertain { last, .. } => last.response(),
            ErrorKind::Unsendable(_)
            | ErrorKind::Transport(_)
            | ErrorKind::TimedOut(_)
            | ErrorKind::Deadline(_)
            | ErrorKind::TooLarge(_)
            | ErrorKind::Failed(_) => None,
            #[cfg(all(feature = "connect", not(target_arch = "wasm32")))] // not vendored
            ErrorKind::Configuration(_) => None, // not vendored
            #[cfg(feature = "dynamic")]
            ErrorKind::Unknown(_) => None,
        }
    }
}

/// Defines predicates that are delegated to the response.
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
    /// Whether the object or the resource does not exist.
    is_not_found;
    /// Whether an object of this name exists already.
    is_already_exists;
    /// Whether the object was changed in the meantime, or other managers own fields of an apply.
    is_conflict;
    /// Whether the object is invalid.
    is_invalid;
    /// Whether the user may not do this.
    is_forbidden;
}

/// An error and its causes. For clients, the real cause is often only the last one, such as
/// "connection refused".
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

/// Whether an error is about a URL.
fn is_of_url(error: &(dyn std::error::Error + 'static)) -> bool {
    let of_http = error.downcast_ref::<http::Error>();
    error.is::<InvalidUri>()
        || error.is::<InvalidUriParts>()
        || of_http.is_some_and(|error| error.is::<InvalidUri>() || error.is::<InvalidUriParts>())
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self { kind, request: None, not_repeated: None, remedy: None }
    }
}

impl From<kapigen_runtime::Error> for Error {
    fn from(error: kapigen_runtime::Error) -> Self {
        ErrorKind::Response(error).into()
    }
}

/// Refusals become errors of responses, so that there is one place to look for them.
impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let request = failure.request().cloned().map(Box::new);
        let kind = match failure.kind {
            FailureKind::Api(error) => ErrorKind::Response(kapigen_runtime::Error::Api(error)),
            FailureKind::Invalid(error) => ErrorKind::Response(error.into()),
            FailureKind::Silent(time) => ErrorKind::TimedOut(time),
            FailureKind::Unsendable(cause) => ErrorKind::Unsendable(cause),
            kind @ FailureKind::Disconnected(_) => ErrorKind::Transport(kind.into()),
            FailureKind::Uncertain { attempts, last } => {
                ErrorKind::Uncertain { attempts, last: Box::new((*last).into()) }
            }
            other => ErrorKind::Failed(other),
        };
        Self { kind, request, not_repeated: None, remedy: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.request {
            Some(request) => write!(f, "{request}: {}", self.kind)?,
            None => self.kind.fmt(f)?,
        }
        f.write_str(self.remedy.unwrap_or_default())?;
        match self.not_repeated {
            None => Ok(()),
            Some(NotRepeated::Budget) => f.write_str(
                " (not repeated: the budget of repeats, a tenth of what succeeds, is used up)",
            ),
            Some(NotRepeated::Deadline) => {
                f.write_str(" (not repeated: the deadline would have passed)")
            }
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        match self {
            ErrorKind::Response(error) => write!(f, "{error}"),
            ErrorKind::Unsendable(cause) => write!(f, "the request cannot be sent: {cause}"),
            ErrorKind::Transport(error) => write!(f, "the transport failed: {}", chain(&**error)),
            ErrorKind::TimedOut(time) => {
                write!(f, "the server was silent for {time:?}: see `Client::timeout`")
            }
            ErrorKind::Deadline(time) => {
                write!(f, "the response was not complete after {time:?}: see `Client::deadline`")
            }
            ErrorKind::TooLarge(size) => {
                write!(f, "more than {size} bytes: see `Client::largest_response`")
            }
            ErrorKind::Failed(failure) => write!(f, "{failure}"),
            ErrorKind::Uncertain { attempts: 1, last } => {
                write!(f, "the write may have had its effect: {last}")
            }
            ErrorKind::Uncertain { attempts, last } => {
                write!(f, "an earlier one of {attempts} attempts may have had its effect: {last}")
            }
            #[cfg(all(feature = "connect", not(target_arch = "wasm32")))] // not vendored
            ErrorKind::Configuration(error) => write!(f.0, "{error}"), // not vendored
            #[cfg(feature = "dynamic")]
            ErrorKind::Unknown(unknown) => write!(f, "{unknown}"),
        }
    }
}

kapigen_runtime::__error!(Error { kind, request, not_repeated, remedy });
kapigen_runtime::__error!(
    ErrorKind: Response(error), Unsendable(cause), Transport(error), TimedOut(time), Deadline(time),
    TooLarge(size), Failed(failure), Uncertain { attempts, last },
    #[cfg(all(feature = "connect", not(target_arch = "wasm32")))] // not vendored
    Configuration(error), // not vendored
    #[cfg(feature = "dynamic")] Unknown(unknown)
);

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
        let error = ErrorKind::transport(Layer("client error", Some(Box::new(connect))));
        assert_eq!(
            error.to_string(),
            "the transport failed: client error: connect: connection refused"
        );
        let hostile =
            ErrorKind::transport(Layer("a\u{1b}[2J\n", Some(Box::new(Layer("b\u{202e}", None)))));
        assert_eq!(hostile.to_string(), r"the transport failed: a\u{1b}[2J\n: b\u{202e}");
        assert_eq!(error.cause(), "client error: connect: connection refused");
    }

    #[test]
    fn debug_is_the_message_and_in_its_long_form_the_tree() {
        let request = http::Request::get("https://10.0.0.1:6443/api/v1/pods").body(()).unwrap();
        let refused = ErrorKind::transport(Layer("connection refused", None));
        let error = Error::from(refused).for_request(|| RequestLine::of(&request));
        assert_eq!(
            format!("{error:?}"),
            "GET https://10.0.0.1:6443/api/v1/pods: the transport failed: connection refused"
        );
        let tree = format!("{error:#?}");
        assert!(tree.starts_with("Error {\n    kind: Transport(\n        Layer("), "{tree}");
    }

    #[test]
    fn errors_name_the_request_and_no_secrets() {
        let request = http::Request::get("https://user:pw@10.0.0.1:6443/api/v1/pods?token=secret")
            .body(())
            .unwrap();
        let error = |kind: ErrorKind| {
            Error::from(kind).for_request(|| RequestLine::of(&request)).to_string()
        };
        let line = "GET https://10.0.0.1:6443/api/v1/pods: ";
        let refused = Layer("connection refused", None);
        assert_eq!(
            error(ErrorKind::transport(refused)),
            format!("{line}the transport failed: connection refused")
        );
        assert_eq!(
            error(ErrorKind::TooLarge(7)),
            format!("{line}more than 7 bytes: see `Client::largest_response`")
        );
        let named = Error::from(ErrorKind::TooLarge(7)).for_request(|| RequestLine::of(&request));
        let other = http::Request::delete("/").body(()).unwrap();
        assert!(
            named.for_request(|| RequestLine::of(&other)).to_string().starts_with("GET "),
            "the first request failed"
        );
    }
}
