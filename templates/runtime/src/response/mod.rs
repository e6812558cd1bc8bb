//! Answers: what comes back from an API server.

mod api_error;
mod deleted;
mod error;
mod reasons;
mod text;
mod warning;

pub use api_error::ApiError;
pub use deleted::{Deleted, DeletedCollection};
pub use error::{Error, Received};
pub use reasons::Conflict;
pub use text::{Text, Upgrade};
pub use warning::Warning;

use crate::codec::json::{self, DecodeError};
use crate::codec::path::{KEY, shortened};
use crate::codec::{Object, Target, Value};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, StatusCode};
use std::fmt;

/// The answer to a request that succeeded.
///
/// `Debug` shows the names of headers without their values.
#[derive(Clone, PartialEq)]
pub struct Response<T> {
    /// 200, 201 (something was made), 202 (something will be done), or another code of success.
    pub status: StatusCode,
    /// What the server warns of, such as a deprecated version or an unknown field.
    pub warnings: Vec<Warning>,
    /// The headers.
    pub headers: HeaderMap,
    /// What was asked for.
    pub body: T,
}

/// Something that an answer can hold.
pub trait Answer: Sized {
    /// Reads the body of an answer whose status tells success.
    ///
    /// # Errors
    /// When it is something else.
    fn decode(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError>;

    /// Whether a status tells success. For most answers, all codes from 200 to 299 do.
    #[must_use]
    fn is_success(status: StatusCode) -> bool {
        status.is_success()
    }
}

/// What stands before the body of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The status code.
    pub status: StatusCode,
    /// The headers.
    pub headers: &'a HeaderMap,
}

impl<T: Answer> Response<T> {
    /// Reads the response to a request that is not at hand any more, as [`Request::decode`](crate::Request::decode).
    ///
    /// # Errors
    /// [`Error::Api`] when the server refused, [`Error::Decode`] when the body is not what was asked for.
    pub fn decode<B: AsRef<[u8]>>(response: &http::Response<B>) -> Result<Self, Error> {
        Self::decode_parts(response.status(), response.headers(), response.body().as_ref())
    }

    /// Reads a response that is not in one piece, as [`Request::decode_parts`](crate::Request::decode_parts).
    ///
    /// # Errors
    /// As [`Response::decode`].
    pub fn decode_parts(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Result<Self, Error> {
        let head = Head { status, headers };
        if !T::is_success(status) {
            return Err(Error::Api(Box::new(ApiError::new(&head, body))));
        }
        let body = T::decode(&head, body).map_err(|error| failure(&head, body, error))?;
        Ok(Self { status, warnings: warning::all(headers), headers: headers.clone(), body })
    }
}

/// Why the body of a success is not what was asked for. Not generic, so that it is compiled once.
fn failure(head: &Head<'_>, body: &[u8], error: DecodeError) -> Error {
    // A server that began to answer before it failed can only say so in the body.
    if let Some(status) = api_error::status(body).filter(|status| status.status.as_deref() == Some("Failure")) {
        return Error::Api(Box::new(ApiError::of_status(*status).with_headers(head)));
    }
    // What stands between client and server answers success, too: pages to log in, for example.
    let content_type = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let error = match content_type.filter(|content_type| !content_type.contains("json")) {
        Some(content_type) => {
            let content_type = shortened(content_type, KEY);
            DecodeError::new(format!("{error}, in a body of the type `{content_type}`"))
        }
        None => error,
    };
    Error::decode(head, error)
}

/// Names of headers without their values, which may be cookies.
fn header_names(headers: &HeaderMap) -> Vec<&str> {
    headers.keys().map(HeaderName::as_str).collect()
}

impl<T: fmt::Debug> fmt::Debug for Response<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("warnings", &self.warnings)
            .field("headers", &header_names(&self.headers))
            .field("body", &self.body)
            .finish()
    }
}

/// An object.
impl<T: Object + Value> Answer for T {
    fn decode(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        let mut value = T::empty();
        object(&mut value, head, body)?;
        Ok(value)
    }
}

/// Not generic, so that it is compiled once.
fn object(object: &mut dyn Object, head: &Head<'_>, body: &[u8]) -> Result<(), DecodeError> {
    if body.is_empty() {
        let wanted = object.table().name;
        return Err(DecodeError::new(format!("the server answered {} with nothing, not a {wanted}", head.status)));
    }
    json::read(Target::Object(object), body)
}
