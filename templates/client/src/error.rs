//! Errors of a client.

use crate::BoxError;
use std::fmt;

/// The reason that a request was not sent, or that its response is not the requested one.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The server refused, or the response cannot be decoded.
    Response(kapigen_runtime::Error),
    /// The service failed, or the connection broke while the response arrived.
    Transport(BoxError),
}

impl Error {
    pub(crate) fn transport(error: impl Into<BoxError>) -> Self {
        Error::Transport(error.into())
    }

    /// The error of the response, if there was one: its predicates report why a server refused.
    #[must_use]
    pub fn response(&self) -> Option<&kapigen_runtime::Error> {
        match self {
            Error::Response(error) => Some(error),
            Error::Transport(_) => None,
        }
    }
}

impl From<kapigen_runtime::Error> for Error {
    fn from(error: kapigen_runtime::Error) -> Self {
        Error::Response(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Response(error) => error.fmt(f),
            Error::Transport(error) => write!(f, "the transport failed: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Response(error) => Some(error),
            Error::Transport(error) => Some(&**error),
        }
    }
}
