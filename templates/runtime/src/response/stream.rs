//! Responses that are decoded while they arrive.

use super::{ApiError, Error, Head, Response, accept, warning};
use http::{HeaderMap, HeaderValue, StatusCode};
use std::fmt;

/// A decoder of a response that arrives in pieces, or never ends: a watch, or the items of a list.
///
/// Push bytes as they arrive, take items until there is none, and finish at the end.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no stream",
    note = "`Request::decode` decodes a whole response; watches and `Items` are streams"
)]
pub trait FromStream: Sized {
    /// An item of the stream.
    type Item;
    /// The rest, when the stream has ended.
    type End;

    /// The header `Accept` of a request for it.
    #[must_use]
    fn accept() -> HeaderValue {
        accept::JSON
    }

    /// Begins to decode, when status and headers of a success have arrived.
    fn from_stream(head: &Head<'_>) -> Self;

    /// Adds the next bytes.
    fn push(&mut self, bytes: &[u8]);

    /// The next item, or `None` until more bytes are pushed.
    ///
    /// # Errors
    /// When the item cannot be decoded. Those after it can be decoded all the same.
    fn next_item(&mut self) -> Option<Result<Self::Item, Error>>;

    /// Ends the stream. Call it when there are no more bytes and no more items.
    ///
    /// # Errors
    /// When the stream broke off.
    fn finish(self) -> Result<Self::End, Error>;
}

impl<T: FromStream> Response<T> {
    /// Begins to decode a stream, as [`Request::open`](crate::Request::open).
    ///
    /// # Errors
    /// A [`Refusal`], when the status code is none of success.
    pub fn open(status: StatusCode, headers: &HeaderMap) -> Result<Self, Refusal> {
        let head = Head { status, headers };
        if !status.is_success() {
            return Err(Refusal { status, headers: headers.clone() });
        }
        let body = T::from_stream(&head);
        Ok(Self { status, warnings: warning::all(headers), headers: headers.clone(), body })
    }
}

/// A refusal in place of a stream. Its body states the reason, and has an end: read it all, and
/// [`decode`](Self::decode) it.
///
/// `Debug` shows the names of headers without their values.
#[derive(Clone, PartialEq)]
#[must_use = "the body of the refusal says why"]
#[non_exhaustive]
pub struct Refusal {
    /// The status code.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
}

impl Refusal {
    /// The error that the body describes.
    #[must_use]
    #[inline]
    pub fn decode(&self, body: &[u8]) -> Error {
        let head = Head { status: self.status, headers: &self.headers };
        Error::Api(Box::new(ApiError::new(&head, body)))
    }
}

/// The error without the body, so without a reason.
impl From<Refusal> for Error {
    #[inline]
    fn from(refusal: Refusal) -> Self {
        refusal.decode(&[])
    }
}

impl fmt::Display for Refusal {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server refused the stream with {}", self.status)
    }
}

impl fmt::Debug for Refusal {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers = super::HeaderNames(&self.headers);
        f.debug_struct("Refusal").field("status", &self.status).field("headers", &headers).finish()
    }
}

impl std::error::Error for Refusal {}
