//! Errors of a client.

use crate::BoxError;
use kapigen_runtime::machine::Failure;
use std::fmt;
use std::time::Duration;

/// The reason that a request was not sent, or that its response is not the requested one.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The request is invalid, the server refused, or the response cannot be decoded.
    Response(kapigen_runtime::Error),
    /// The service failed, or the connection broke while the response arrived.
    Transport(BoxError),
    /// There was no response, or no more of it, for this long.
    TimedOut(Duration),
    /// The response, or one item of it, has more bytes than this.
    TooLarge(usize),
    /// A task of several requests came to its end.
    Failed(Failure),
}

impl Error {
    pub(crate) fn transport(error: impl Into<BoxError>) -> Self {
        Error::Transport(error.into())
    }

    /// The error of the response, if there was one: its predicates report why a server refused.
    ///
    /// ```
    /// use kapigen_client::Error;
    ///
    /// /// Whether there is no such object, so that it is to be created.
    /// fn is_missing(error: &Error) -> bool {
    ///     error.response().is_some_and(kapigen_runtime::Error::is_not_found)
    /// }
    /// # assert!(!is_missing(&Error::TooLarge(1)));
    /// ```
    #[must_use]
    pub fn response(&self) -> Option<&kapigen_runtime::Error> {
        match self {
            Error::Response(error) => Some(error),
            Error::Transport(_) | Error::TimedOut(_) | Error::TooLarge(_) | Error::Failed(_) => None,
        }
    }
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
            other => Error::Failed(other),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Response(error) => error.fmt(f),
            Error::Transport(error) => write!(f, "the transport failed: {error}"),
            Error::TimedOut(time) => write!(f, "the server was silent for {time:?}: see `Client::timeout`"),
            Error::TooLarge(size) => write!(f, "more than {size} bytes: see `Client::largest_response`"),
            Error::Failed(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Response(error) => Some(error),
            Error::Transport(error) => Some(&**error),
            Error::Failed(failure) => Some(failure),
            Error::TimedOut(_) | Error::TooLarge(_) => None,
        }
    }
}
