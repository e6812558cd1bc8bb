//! Replies to requests.

use super::stream::Events;
use bytes::Bytes;
use std::time::Duration;

/// The reply to a request.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reply {
    /// Status and headers, and the body.
    pub response: http::Response<Body>,
    /// The time that the carrier should wait before it sends them: zero, but for an injected latency.
    pub delay: Duration,
}

/// The body of a response.
#[derive(Debug)]
pub enum Body {
    /// All of it.
    Whole(Bytes),
    /// Events, as they happen.
    Stream(Box<Events>),
}

impl Body {
    /// The bytes of a whole body. `None` for a stream.
    #[must_use]
    pub fn into_whole(self) -> Option<Bytes> {
        match self {
            Self::Whole(bytes) => Some(bytes),
            Self::Stream(_) => None,
        }
    }
}
