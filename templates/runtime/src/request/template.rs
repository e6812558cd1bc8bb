//! Requests that are sent again and again with other parameters.

use super::{InvalidRequest, Parts, Request, RequestLine, uri, without_drop};
use crate::codec::Value;
use crate::mask::ResponseMask;
#[cfg(feature = "dynamic")]
use crate::operation::Operation;
use http::HeaderValue;

/// A request that is sent repeatedly, with different query parameters.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    parts: Box<Parts>,
}

impl<T> Request<T> {
    /// The request without the type of its response.
    pub(crate) fn into_template(self) -> Template {
        Template { parts: self.parts }
    }
}

impl Template {
    /// The ID of the operation, for messages.
    pub(crate) fn id(&self) -> &'static str {
        self.parts.operation.constant().id
    }

    /// The operation.
    #[cfg(feature = "dynamic")]
    pub(crate) fn operation(&self) -> Operation<&str> {
        self.parts.operation.named()
    }

    /// The path, encoded.
    pub(crate) fn path(&self) -> &str {
        &self.parts.path
    }

    /// The request in messages.
    pub(crate) fn line(&self) -> RequestLine {
        self.parts.line()
    }

    /// Whether the operation has a query parameter of this name. A raw request may have any.
    pub(crate) fn has_parameter(&self, name: &str) -> bool {
        let operation = self.parts.operation.constant();
        #[cfg(feature = "dynamic")]
        if operation.path == super::RAW_PATH {
            return true;
        }
        operation.parameters.contains(&name)
    }

    /// The header `Accept`.
    pub(crate) fn accept(&self) -> &HeaderValue {
        &self.parts.accept
    }

    /// Sets the header `Accept`.
    pub(crate) fn set_accept(&mut self, accept: HeaderValue) {
        self.parts.accept = accept;
    }

    /// The mask of the responses.
    pub(crate) fn mask(&self) -> Option<&ResponseMask> {
        self.parts.mask.as_deref()
    }

    /// No longer allows servers to leave members out. Returns whether it did.
    pub(crate) fn refuse_drop(&mut self) -> bool {
        let accept = without_drop(&self.parts.accept);
        let allowed = accept.is_some();
        if let Some(accept) = accept {
            self.parts.accept = accept;
        }
        allowed
    }

    /// The value of a query parameter.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.parts.query.get(name)
    }

    /// Sets a query parameter, if the operation has it.
    pub(crate) fn set(&mut self, name: &'static str, value: &dyn Value) {
        if self.has_parameter(name) {
            self.parts.query.add(name, value);
        }
    }

    /// Removes query parameters.
    pub(crate) fn remove(&mut self, names: &[&str]) {
        for name in names {
            self.parts.query.take(name);
        }
    }

    /// The request as it is now.
    ///
    /// # Errors
    /// When path and query are too long for a URL, with a token of the server.
    pub(crate) fn to_http(&self) -> Result<Box<http::Request<Vec<u8>>>, InvalidRequest> {
        let uri = uri(&self.parts.path, &self.parts.query)?;
        let mut request = self.parts.to_http(self.parts.body.clone());
        *request.uri_mut() = uri;
        Ok(Box::new(request))
    }
}
