//! Failures of the requests of machines.

use crate::codec::json::DecodeError;
use crate::request::InvalidRequest;
use crate::response::ApiError;
use crate::visible::Visible;
use std::fmt::{self, Write};
use std::time::Duration;

/// A failure of a request of a machine.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The server refused the request or ended a watch.
    Api(Box<ApiError>),
    /// The response is neither a list nor a watch: that of a proxy, for example.
    Decode(DecodeError),
    /// There was no connection, or it broke, for the cause that the caller reported. It may be empty; one of more than
    /// 500 characters is cut in the middle.
    Disconnected(String),
    /// There was no byte for this long.
    Silent(Duration),
    /// A response ended within an event.
    Truncated,
    /// A watch ended as soon as it began.
    Ended,
    /// The versions of a watch went back.
    JumpedBack,
    /// The request cannot be made, such as with a token of the server that is too long.
    Invalid(InvalidRequest),
    /// The request cannot be sent, now or later, for the cause that the caller reported, such as a URL without a host.
    /// Every machine ends with it. The cause is cut as that of a broken connection is.
    Unsendable(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        match self {
            Failure::Api(error) => write!(f, "{error}"),
            Failure::Decode(error) => write!(f, "the response cannot be decoded: {error}"),
            Failure::Disconnected(cause) if cause.is_empty() => f.write_str("the connection broke"),
            Failure::Disconnected(cause) => write!(f, "the connection broke: {cause}"),
            Failure::Silent(time) => write!(f, "the server was silent for {} s", time.as_secs()),
            Failure::Truncated => f.write_str("the response ended within an event"),
            Failure::Ended => f.write_str("the watch ended as soon as it began"),
            Failure::JumpedBack => f.write_str("the versions of the watch went back"),
            Failure::Invalid(error) => write!(f, "the request cannot be made: {error}"),
            Failure::Unsendable(cause) if cause.is_empty() => f.write_str("the request cannot be sent"),
            Failure::Unsendable(cause) => write!(f, "the request cannot be sent: {cause}"),
        }
    }
}

impl std::error::Error for Failure {}
