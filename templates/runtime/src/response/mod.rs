//! Answers: what comes back from an API server.

mod deleted;
mod error;
mod text;
mod warning;

pub use deleted::{Deleted, DeletedCollection};
pub use error::{ApiError, Error};
pub use text::{Text, Upgrade};
pub use warning::Warning;

use crate::codec::json::{self, DecodeError};
use crate::codec::path::{KEY, shortened};
use crate::codec::{Object, Target, Value};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};

/// The answer to a request that succeeded.
#[derive(Clone, Debug, PartialEq)]
pub struct Response<T> {
    /// 200, 201 (something was made), 202 (something will be done), or another code of success.
    pub status: StatusCode,
    /// What the server warns of, such as a deprecated version or an unknown field.
    pub warnings: Vec<Warning>,
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
    /// Reads an answer.
    ///
    /// # Errors
    /// [`Error::Api`] when the server refused, [`Error::Decode`] when the body is not what was asked for.
    pub(crate) fn decode(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Result<Self, Error> {
        let head = Head { status, headers };
        let mut value = None;
        let warnings = receive(&head, body, T::is_success(status), &mut |head, body| {
            value = Some(T::decode(head, body)?);
            Ok(())
        })?;
        let body = value.expect("what was received was decoded");
        Ok(Self { status, warnings, body })
    }
}

/// Reads the body of a success.
type Decode<'a> = dyn FnMut(&Head<'_>, &[u8]) -> Result<(), DecodeError> + 'a;

/// Not generic, so that it is compiled once and not for every answer of every crate that uses this one.
fn receive(head: &Head<'_>, body: &[u8], success: bool, decode: &mut Decode<'_>) -> Result<Vec<Warning>, Error> {
    if !success {
        return Err(Error::Api(Box::new(ApiError::new(head, body))));
    }
    decode(head, body).map_err(|error| failure(head, body, error))?;
    Ok(warning::all(head.headers))
}

/// Why the body of a success is not what was asked for.
fn failure(head: &Head<'_>, body: &[u8], error: DecodeError) -> Error {
    // A server that began to answer before it failed can only say so in the body.
    if let Some(status) = error::status(body).filter(|status| status.status.as_deref() == Some("Failure")) {
        return Error::Api(Box::new(ApiError::of_status(*status)));
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
    Error::Decode { status: head.status, error }
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
