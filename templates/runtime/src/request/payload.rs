//! Request bodies that a proxy passes on.

use super::{InvalidRequest, Request};
use crate::codec::path::{KEY, shortened};
use crate::operation::{Operation, Verb};
use crate::response::{Error, Text};
use http::HeaderValue;

impl Request<Text> {
    /// Sets the request body of a POST, PUT or PATCH to a proxy, which passes it on: bytes of a media type such as
    /// `application/octet-stream`.
    ///
    /// # Errors
    /// When the operation is another one, or the media type cannot be a header.
    pub fn payload(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Result<Self, Error> {
        self.parts.content_type = Some(content_type(self.parts.operation, media_type)?);
        self.parts.body = body.into();
        Ok(self)
    }
}

#[inline]
fn content_type(operation: &Operation, media_type: &str) -> Result<HeaderValue, InvalidRequest> {
    let is_proxy = operation.verb == Verb::Connect && operation.subresource == Some("proxy");
    if !is_proxy || !["POST", "PUT", "PATCH"].contains(&operation.method) {
        return Err(InvalidRequest::Parameters(format!(
            "`{}` takes no payload, only POST, PUT and PATCH of proxies",
            operation.id
        )));
    }
    let value = HeaderValue::from_str(media_type).ok().filter(|value| !value.is_empty());
    value.ok_or_else(|| {
        InvalidRequest::Parameters(format!("`{}` is no media type", shortened(media_type, KEY).escape_debug()))
    })
}
