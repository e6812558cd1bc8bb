//! The end of a process.

use super::error::StreamError;
use crate::codec::json::from_slice;
use crate::meta_v1::Status;

/// The end of a process, as the server reported it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Exit {
    /// The process ended with this code. 0 is success.
    Code(i32),
    /// The process could not be started, or the server lost it.
    Failed(Box<Status>),
    /// The server ended the session without a report. This is no success.
    Unknown,
}

impl Exit {
    /// Whether the process ended with the code 0.
    #[must_use]
    pub fn is_success(&self) -> bool {
        *self == Exit::Code(0)
    }

    /// The code of the process. `None` if it is not known to have ended.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        match self {
            Exit::Code(code) => Some(*code),
            Exit::Failed(_) | Exit::Unknown => None,
        }
    }

    /// Decodes the message of the channel of the status.
    pub(super) fn from_message(json: &[u8]) -> Result<Self, StreamError> {
        let status: Status = from_slice(json).map_err(StreamError::Status)?;
        if status.status.as_deref() == Some("Success") {
            return Ok(Exit::Code(0));
        }
        let code = status.details.iter().flat_map(|details| details.causes.iter().flatten());
        let mut code = code.filter(|cause| cause.reason.as_deref() == Some("ExitCode"));
        let code = code.next().and_then(|cause| cause.message.as_deref()?.parse().ok());
        Ok(match code {
            Some(code) if status.reason.as_deref() == Some("NonZeroExitCode") => Exit::Code(code),
            _ => Exit::Failed(Box::new(status)),
        })
    }
}
