//! Decoders of the responses to requests.

use super::{ErrorHead, FromResponse, FromStream, Head, Response, StreamDecoder, object};
use crate::codec::json::DecodeError;
use crate::codec::{Object, Value};
use crate::mask::form::{Form, HERE};
use crate::mask::{Masked, ResponseMask};
use crate::response::Error;
use http::{HeaderMap, StatusCode};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// The decoder of the response to a request, which outlives it:
/// [`Request::decoder`](crate::Request::decoder).
pub struct Decoder<T> {
    mask: Option<Arc<ResponseMask>>,
    response: PhantomData<fn() -> T>,
}

/// A response that a request decodes as a whole: every [`FromResponse`], and [`Masked`] objects and
/// lists. Nothing else implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a whole response",
    note = "a watch and `Items` are streams: begin with `Request::open`, and push bytes as they \
            come",
    note = "an `Upgrade` is a connection: `exec`, `attach`, `forward` and `upgrade` of a client \
            open it"
)]
pub trait Requested: Sized {
    /// Decodes the body of a response with a successful status code.
    #[doc(hidden)]
    fn of_response(
        mask: Option<&ResponseMask>,
        head: &Head<'_>,
        body: &[u8],
    ) -> Result<Self, DecodeError>;
}

/// A stream that a request decodes: every [`FromStream`], and streams of [`Masked`] objects.
/// Nothing else implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a stream",
    note = "`Request::decode` decodes a whole response; watches and `Items` are streams"
)]
pub trait RequestedStream: StreamDecoder {
    /// Begins to decode.
    #[doc(hidden)]
    fn begin(mask: Option<Arc<ResponseMask>>, head: &Head<'_>) -> Self;
}

impl<T> Decoder<T> {
    pub(crate) fn new(mask: Option<Arc<ResponseMask>>) -> Self {
        Self { mask, response: PhantomData }
    }
}

impl<T: Requested> Decoder<T> {
    /// Decodes the response.
    ///
    /// # Errors
    /// [`Error::Api`] when the server refused, [`Error::Decode`] when the body is no `T`.
    pub fn decode<B: AsRef<[u8]>>(
        &self,
        response: &http::Response<B>,
    ) -> Result<Response<T>, Error> {
        self.decode_parts(response.status(), response.headers(), response.body().as_ref())
    }

    /// Decodes a response that is not in one piece.
    ///
    /// # Errors
    /// As [`Decoder::decode`].
    pub fn decode_parts(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Response<T>, Error> {
        let head = Head { status, headers };
        let decode = || T::of_response(self.mask.as_deref(), &head, body);
        Response::of_whole(&head, body, decode)
    }
}

impl<T: RequestedStream> Decoder<T> {
    /// Begins to decode a stream, when status and headers have arrived.
    ///
    /// # Errors
    /// An [`ErrorHead`] in place of the stream, when the status code is not a success.
    pub fn open(&self, status: StatusCode, headers: &HeaderMap) -> Result<Response<T>, ErrorHead> {
        let head = Head { status, headers };
        Response::of_stream(&head, || T::begin(self.mask.clone(), &head))
    }
}

impl<T> Clone for Decoder<T> {
    fn clone(&self) -> Self {
        Self::new(self.mask.clone())
    }
}

impl<T> fmt::Debug for Decoder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("is_masked", &self.mask.is_some()).finish_non_exhaustive()
    }
}

impl<T: FromResponse> Requested for T {
    #[inline]
    fn of_response(
        _: Option<&ResponseMask>,
        head: &Head<'_>,
        body: &[u8],
    ) -> Result<Self, DecodeError> {
        T::from_response(head, body)
    }
}

impl<T: Object + Value> Requested for Masked<T> {
    fn of_response(
        mask: Option<&ResponseMask>,
        _: &Head<'_>,
        body: &[u8],
    ) -> Result<Self, DecodeError> {
        let mut value = Self::begin(HERE);
        object(value.decoding(HERE), body, mask.map(|mask| &mask.whole))?;
        Ok(value)
    }
}

impl<T: FromStream> RequestedStream for T {
    #[inline]
    fn begin(_: Option<Arc<ResponseMask>>, head: &Head<'_>) -> Self {
        T::from_stream(head)
    }
}
