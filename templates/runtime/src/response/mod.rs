//! Responses of API servers.
//!
//! A whole response is decoded by [`FromResponse`], one that is decoded while it arrives by
//! [`FromStream`]. The two are separate traits, so that code which collects a body cannot be given
//! a watch, which never ends.

mod bodies;
mod decoder;
mod error;
mod reason;
mod upgrade;
mod warning;

pub use bodies::{Deleted, DeletedCollection, Json, Text};
pub use decoder::{Decoder, Requested, RequestedStream};
pub use error::{ApiError, Conflict, Error, Received};
#[doc(hidden)] // for servers that refuse requests
pub use reason::usual_reason;
pub use upgrade::{Attach, Exec, PortForward, Upgrade};
pub use warning::Warning;

use crate::codec::json::{self, DecodeError};
use crate::codec::path::{KEY, shortened};
use crate::codec::{Object, Table, Target, Value};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use std::fmt;

/// The response to a request that succeeded.
///
/// `Debug` shows the names of headers without their values.
///
/// ```
/// use kapigen_runtime::meta_v1::PartialObjectMetadata;
/// use kapigen_runtime::{Response, http};
///
/// let response = http::Response::builder()
///     .header("warning", r#"299 - "v1 Endpoints is deprecated in v1.33+""#)
///     .body(r#"{"metadata":{"name":"web"}}"#)?;
/// let response = Response::<PartialObjectMetadata>::decode(&response)?;
/// assert_eq!(response.body.metadata.name.as_deref(), Some("web"));
/// assert_eq!(response.warnings[0].text, "v1 Endpoints is deprecated in v1.33+");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Response<T> {
    /// 200, 201 (created), 202 (accepted, to be done later), or another code of success.
    pub status: StatusCode,
    /// Warnings, such as of a deprecated version or an unknown field.
    pub warnings: Vec<Warning>,
    /// The headers.
    pub headers: HeaderMap,
    /// The decoded body. For a stream it is a decoder, to which the bytes of the body are pushed.
    pub body: T,
}

/// Decodes a whole response.
///
/// Every object implements it, and so do [`Text`], [`Json`] and
/// [`RawJson`](crate::meta_v1::RawJson). Implementations of your own make their errors by
/// [`DecodeError::custom`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a whole response",
    note = "a watch and `Items` are streams: begin with `Request::open`, and push bytes as they \
            come",
    note = "an `Upgrade` is a connection: `exec`, `attach`, `forward` and `upgrade` of a client \
            open it"
)]
pub trait FromResponse: Sized {
    /// The header `Accept` of a request for it.
    #[must_use]
    fn accept() -> HeaderValue {
        JSON
    }

    /// Decodes the body of a response with a successful status code.
    ///
    /// # Errors
    /// When the body is something else.
    fn from_response(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError>;
}

/// Status code and headers of a response.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Head<'a> {
    /// The status code.
    pub status: StatusCode,
    /// The headers.
    pub headers: &'a HeaderMap,
}

impl<T: FromResponse> Response<T> {
    /// Decodes the response to a request that was consumed, as
    /// [`Request::decode`](crate::Request::decode).
    ///
    /// # Errors
    /// [`Error::Api`] when the server refused, [`Error::Decode`] when the body is no `T`.
    pub fn decode<B: AsRef<[u8]>>(response: &http::Response<B>) -> Result<Self, Error> {
        Self::decode_parts(response.status(), response.headers(), response.body().as_ref())
    }

    /// Decodes a response that is not in one piece, as
    /// [`Request::decode_parts`](crate::Request::decode_parts).
    ///
    /// # Errors
    /// As [`Response::decode`].
    pub fn decode_parts(
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Self, Error> {
        let head = Head { status, headers };
        Self::of_whole(&head, body, || T::from_response(&head, body))
    }
}

impl<T> Response<T> {
    /// A whole response, or its error.
    fn of_whole(
        head: &Head<'_>,
        body: &[u8],
        decode: impl FnOnce() -> Result<T, DecodeError>,
    ) -> Result<Self, Error> {
        if !head.status.is_success() {
            return Err(Error::Api(Box::new(ApiError::new(head, body))));
        }
        let body = decode().map_err(|error| failure(head, body, error))?;
        Ok(Self::with_head(head, body))
    }

    /// A connection, or the refusal in its place.
    pub(crate) fn of_upgrade(
        head: &Head<'_>,
        body: &[u8],
        upgrade: Option<T>,
    ) -> Result<Self, Error> {
        match upgrade {
            Some(upgrade) => Ok(Self::with_head(head, upgrade)),
            None => Err(Error::Api(Box::new(ApiError::new(head, body)))),
        }
    }

    /// A stream, or the refusal in its place.
    fn of_stream(head: &Head<'_>, begin: impl FnOnce() -> T) -> Result<Self, ErrorHead> {
        if !head.status.is_success() {
            return Err(ErrorHead { status: head.status, headers: head.headers.clone() });
        }
        Ok(Self::with_head(head, begin()))
    }

    fn with_head(head: &Head<'_>, body: T) -> Self {
        Self {
            status: head.status,
            warnings: warning::all(head.headers),
            headers: head.headers.clone(),
            body,
        }
    }
}

/// The error of a body that cannot be decoded, though the status code is a success. Not generic, so
/// that it is compiled once.
fn failure(head: &Head<'_>, body: &[u8], error: DecodeError) -> Error {
    // A server that began to respond before it failed can only report it in the body.
    if let Some(status) =
        error::status(body).filter(|status| status.status.as_deref() == Some("Failure"))
    {
        return Error::Api(Box::new(ApiError::of_status(*status).with_headers(head)));
    }
    // Proxies between client and server respond with success, too: with pages to log in, for
    // example.
    let content_type = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let error = match content_type.filter(|content_type| !is_json(content_type)) {
        Some(content_type) => {
            let content_type = shortened(content_type, KEY);
            DecodeError::new(format!("{error}, in a body of the type `{content_type}`"))
        }
        None => error,
    };
    Error::decode(head, error)
}

fn is_json(content_type: &str) -> bool {
    content_type.as_bytes().windows(4).any(|word| word == b"json")
}

/// Shows the names of headers without their values, which may be cookies.
struct HeaderNames<'a>(&'a HeaderMap);

impl fmt::Debug for HeaderNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys().map(HeaderName::as_str)).finish()
    }
}

impl<T: fmt::Debug> fmt::Debug for Response<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("warnings", &self.warnings)
            .field("headers", &HeaderNames(&self.headers))
            .field("body", &self.body)
            .finish()
    }
}

/// An object.
impl<T: Object + Value> FromResponse for T {
    fn accept() -> HeaderValue {
        accept_of(T::empty().table())
    }

    fn from_response(_: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        let mut value = T::empty();
        object(&mut value, body, None)?;
        Ok(value)
    }
}

/// Not generic, so that it is compiled once.
fn object(
    object: &mut dyn Object,
    body: &[u8],
    mask: Option<&json::Mask>,
) -> Result<(), DecodeError> {
    if body.is_empty() {
        let wanted = object.table().name;
        return Err(DecodeError::new(format!("the body is empty, expected a {wanted}")));
    }
    json::read_part(Target::Object(object), body, mask)?;
    #[cfg(feature = "dynamic")] // all other types know their kinds
    crate::codec::stated::complete_items(object);
    Ok(())
}

/// JSON, the form of everything that API servers send.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Any media type.
pub(crate) const ANY: HeaderValue = HeaderValue::from_static("*/*");

/// The group and version of kinds that servers make of objects of any other kind, when asked to.
const FORMS: &str = "meta.k8s.io/v1";

/// The media type of an object: plain JSON, or JSON in the form of `Table`, `PartialObjectMetadata`
/// or `PartialObjectMetadataList`.
fn accept_of(table: &Table) -> HeaderValue {
    let form = match table.identities {
        [identity] if identity.api_version == FORMS => identity.kind,
        _ => return JSON,
    };
    HeaderValue::try_from(format!("application/json;as={form};v=v1;g=meta.k8s.io")).unwrap_or(JSON)
}

/// A decoder of a response that arrives in pieces, or never ends: a watch, or the items of a list.
///
/// Push bytes as they arrive, take items until there is none, and finish at the end.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a stream",
    note = "`Request::decode` decodes a whole response; watches and `Items` are streams"
)]
pub trait StreamDecoder: Sized {
    /// An item of the stream.
    type Item;
    /// The rest, when the stream has ended.
    type End;

    /// Adds the next bytes.
    fn push(&mut self, bytes: &[u8]);

    /// The next item, or `None` until more bytes are pushed.
    ///
    /// # Errors
    /// When the item cannot be decoded. Items after it can be decoded all the same.
    fn next_item(&mut self) -> Option<Result<Self::Item, Error>>;

    /// Ends the stream. Call it when there are no more bytes and no more items.
    ///
    /// # Errors
    /// When the stream broke off.
    fn finish(self) -> Result<Self::End, Error>;
}

/// Begins to decode a response that arrives in pieces.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a stream",
    note = "`Request::decode` decodes a whole response; watches and `Items` are streams"
)]
pub trait FromStream: StreamDecoder {
    /// The header `Accept` of a request for it.
    #[must_use]
    fn accept() -> HeaderValue {
        JSON
    }

    /// Begins to decode, when status and headers of a success have arrived.
    fn from_stream(head: &Head<'_>) -> Self;
}

impl<T: FromStream> Response<T> {
    /// Begins to decode a stream, as [`Request::open`](crate::Request::open).
    ///
    /// # Errors
    /// An [`ErrorHead`], when the status code is not a success.
    pub fn open(status: StatusCode, headers: &HeaderMap) -> Result<Self, ErrorHead> {
        let head = Head { status, headers };
        Self::of_stream(&head, || T::from_stream(&head))
    }
}

/// Status code and headers of an error in place of a stream. The body states the reason, and has an
/// end: read it all, and [`decode`](Self::decode) it.
///
/// `Debug` shows the names of headers without their values.
#[derive(Clone, PartialEq)]
#[must_use = "the body states the reason"]
#[non_exhaustive]
pub struct ErrorHead {
    /// The status code.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
}

impl ErrorHead {
    /// The error that the body describes.
    #[must_use]
    #[inline]
    pub fn decode(&self, body: &[u8]) -> Error {
        let head = Head { status: self.status, headers: &self.headers };
        Error::Api(Box::new(ApiError::new(&head, body)))
    }
}

/// The error without the body, so without a reason.
impl From<ErrorHead> for Error {
    #[inline]
    fn from(head: ErrorHead) -> Self {
        head.decode(&[])
    }
}

impl fmt::Display for ErrorHead {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server refused the stream with {}", self.status)
    }
}

__error!(@ ErrorHead, this, f, {
    f.debug_struct("ErrorHead")
        .field("status", &this.status)
        .field("headers", &HeaderNames(&this.headers))
        .finish()
});
