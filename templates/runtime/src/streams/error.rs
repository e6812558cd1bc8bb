//! Errors of sessions.

use crate::codec::json::DecodeError;
use crate::visible::Visible;
use std::fmt::{self, Write};
use std::time::Duration;

/// The error that ended a session. All output that came before was reported.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamError {
    /// The peer sent something that the protocol does not allow.
    Protocol(String),
    /// The connection broke, before the peer ended the session.
    Broken,
    /// The peer closed the WebSocket before the end of the session.
    Closed {
        /// The code of the close frame.
        code: u16,
        /// The reason, for people.
        reason: String,
    },
    /// The peer sent nothing for this long, not even the response to a ping.
    Silent(Duration),
    /// The peer did not take what was written for this long.
    Stuck(Duration),
    /// The server could not forward to the port, or not any more.
    Refused(String),
    /// The status at the end of a process cannot be decoded.
    Status(DecodeError),
    /// The input of a process cannot be ended in [`Protocol::V4`](super::Protocol::V4).
    NoEndOfInput,
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        match self {
            StreamError::Protocol(problem) => write!(f, "the peer broke the protocol: {problem}"),
            StreamError::Broken => f.write_str("the connection broke during the session"),
            StreamError::Closed { code, reason } if reason.is_empty() => {
                write!(f, "the peer closed the WebSocket with {code}")
            }
            StreamError::Closed { code, reason } => {
                write!(f, "the peer closed the WebSocket with {code}: {reason}")
            }
            StreamError::Silent(time) => write!(f, "the peer was silent for {time:?}"),
            StreamError::Stuck(time) => {
                write!(f, "the peer took nothing of what was written for {time:?}")
            }
            StreamError::Refused(text) => write!(f, "the server does not forward: {text}"),
            StreamError::Status(error) => write!(f, "the status of the process: {error}"),
            StreamError::NoEndOfInput => f.write_str(
                "the server speaks v4.channel.k8s.io, which cannot end the input of a process",
            ),
        }
    }
}

__error!(
    StreamError: Protocol(problem), Broken, Closed { code, reason }, Silent(time), Stuck(time),
    Refused(text), Status(error), NoEndOfInput
);
