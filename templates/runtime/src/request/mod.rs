//! Requests: what is sent to an API server, as data.
//!
//! Nothing here does I/O. A [`Request`] turns into an [`http::Request`] for whatever client is at hand, and knows how
//! to read the answer.

mod builder;
mod delete;
mod patch;
mod path;
mod payload;
mod template;

pub use crate::invalid::InvalidRequest;
pub use builder::Builder;
pub use patch::{AsJson, Patch};
pub(crate) use template::Template;

use crate::codec::query::Query;
use crate::kind::ResourceList;
use crate::operation::{Operation, Verb};
use crate::response::{Answer, Error, Response};
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use std::fmt;
use std::marker::PhantomData;

/// A request whose answer is read as `T`.
///
/// The functions in the modules of the resources make it, such as `core_v1::pods::list`.
pub struct Request<T> {
    parts: Box<Parts>,
    answer: PhantomData<fn() -> T>,
}

/// A request, whatever its answer is.
#[derive(Clone)]
struct Parts {
    operation: &'static Operation,
    path: String,
    query: Query,
    uri: Uri,
    accept: &'static str,
    content_type: Option<HeaderValue>,
    body: Vec<u8>,
}

impl<T> Request<T> {
    /// What is asked for.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.parts.operation
    }

    /// Path and query. Scheme and host are the client's business.
    #[must_use]
    pub fn uri(&self) -> &Uri {
        &self.parts.uri
    }

    /// What is sent. Empty when nothing is.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.parts.body
    }

    /// The request for a client. Its URI has path and query only: put scheme, host and the path of the server in front.
    #[must_use]
    pub fn to_http(&self) -> http::Request<Vec<u8>> {
        self.parts.to_http(self.parts.body.clone())
    }

    /// The request for a client, as [`to_http`](Self::to_http), without a copy of the body.
    ///
    /// [`Response::decode`] reads the response then.
    #[must_use]
    pub fn into_http(mut self) -> http::Request<Vec<u8>> {
        let body = std::mem::take(&mut self.parts.body);
        self.parts.to_http(body)
    }

    /// Asks for something else with the same request: what comes back is read as `U`.
    ///
    /// For answers that a document does not tell, such as a `Table`.
    #[must_use]
    pub fn answer_as<U>(self) -> Request<U> {
        Request { parts: self.parts, answer: PhantomData }
    }
}

impl<T: Answer> Request<T> {
    /// Reads the answer.
    ///
    /// # Errors
    /// [`Error::Api`] when the server refused, [`Error::Decode`] when what it sent cannot be read.
    pub fn decode<B: AsRef<[u8]>>(&self, response: &http::Response<B>) -> Result<Response<T>, Error> {
        Response::decode(response)
    }

    /// Reads an answer that is not in one piece. For a watch the body may be empty; its bytes are pushed as they come.
    ///
    /// # Errors
    /// As [`Request::decode`].
    pub fn decode_parts(&self, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Result<Response<T>, Error> {
        Response::decode_parts(status, headers, body)
    }
}

impl<L: ResourceList> Request<L> {
    /// The request for the next page of a list, or `None` if this was the last one.
    ///
    /// A page is what `limit` allows; all pages together are one consistent list. A server forgets where a list goes
    /// on after some minutes; it answers 410 then, see [`Request::resume`].
    ///
    /// # Errors
    /// When path and query are too long for a URL, with the token of the server.
    pub fn next_page(&self, page: &L) -> Result<Option<Self>, Error> {
        self.page(page.metadata().continue_.as_deref())
    }

    /// The request that goes on after a server answered 410 to one for a next page: from the place where the list
    /// stopped, but with objects as they are by now. `None` if the server does not offer that, or the error is another
    /// one; then, or to have a consistent list, start again without `continue`.
    ///
    /// # Errors
    /// As [`Request::next_page`].
    pub fn resume(&self, error: &Error) -> Result<Option<Self>, Error> {
        let expired = error.api().filter(|error| error.code == StatusCode::GONE);
        let status = expired.and_then(|error| error.status.as_deref());
        self.page(status.and_then(|status| status.metadata.continue_.as_deref()))
    }

    fn page(&self, token: Option<&str>) -> Result<Option<Self>, Error> {
        let Some(token) = token.filter(|token| !token.is_empty()) else { return Ok(None) };
        let mut parts = self.parts.clone();
        // The token says which version is listed; servers refuse to hear it twice.
        parts.query.take("resourceVersion");
        parts.query.take("resourceVersionMatch");
        parts.query.add("continue", &token.to_owned());
        parts.uri = uri(&parts.path, &parts.query)?;
        Ok(Some(Self { parts, answer: PhantomData }))
    }
}

impl Parts {
    fn to_http(&self, body: Vec<u8>) -> http::Request<Vec<u8>> {
        let mut request = http::Request::new(body);
        *request.method_mut() = Method::from_bytes(self.operation.method.as_bytes()).unwrap_or_default();
        *request.uri_mut() = self.uri.clone();
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static(self.accept));
        if let Some(content_type) = &self.content_type {
            request.headers_mut().insert(CONTENT_TYPE, content_type.clone());
        }
        if self.is_stream() {
            // Whoever compresses a stream holds back what comes until a block is full.
            request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        }
        request
    }

    /// Whether the response goes on as long as something happens: a watch, or a log that is followed.
    fn is_stream(&self) -> bool {
        let is_set = |name| self.query.get(name) == Some("true");
        self.operation.verb == Verb::Watch || is_set("watch") || is_set("follow")
    }
}

fn uri(path: &str, query: &Query) -> Result<Uri, InvalidRequest> {
    let mut text = path.to_owned();
    query.write(&mut text);
    // Everything that a URI may not hold is encoded, so length is all that can be wrong.
    Uri::try_from(&text).map_err(|_| InvalidRequest::TooLong { length: text.len() })
}

impl<T> From<Request<T>> for http::Request<Vec<u8>> {
    fn from(request: Request<T>) -> Self {
        request.into_http()
    }
}

impl<T> Clone for Request<T> {
    fn clone(&self) -> Self {
        Self { parts: self.parts.clone(), answer: PhantomData }
    }
}

impl<T> fmt::Debug for Request<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.fmt(f)
    }
}

#[allow(clippy::missing_fields_in_debug)] // only the length of the body, which may be a secret
impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.operation.method)
            .field("uri", &self.uri)
            .field("content_type", &self.content_type)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}
