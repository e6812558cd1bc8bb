//! Requests for paths that no document has.

use super::{InvalidRequest, RAW_PATH, Request, content_type_of};
use crate::codec::path::{KEY, shortened};
use crate::operation::{Operation, Verb};
use crate::request::Builder;
use crate::response::{Error, Text};
use http::{Method, Uri};

impl Request<Text> {
    /// A request for any path of the server, with its query, such as `/version` or
    /// `/apis/apps/v1?limit=5`. The response is undecoded; [`decode_as`](Request::decode_as)
    /// decodes it. [`with_body`](Self::with_body) adds a body.
    ///
    /// ```
    /// use kapigen_runtime::Request;
    /// use kapigen_runtime::http::Method;
    /// use kapigen_runtime::response::Json;
    ///
    /// let version = Request::raw(&Method::GET, "/version")?.decode_as::<Json<serde_json::Value>>();
    /// assert_eq!(version.uri(), "/version");
    /// # Ok::<(), kapigen_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the path does not begin with a slash, has a fragment, or is not valid in a URL, and for
    /// a method that API servers do not have.
    pub fn raw(method: &Method, path: &str) -> Result<Self, Error> {
        let operation = RAW.iter().find(|operation| operation.method == method.as_str());
        let why = match operation {
            None => "API servers have no such method",
            Some(_) if !path.starts_with('/') => "its path begins with no slash",
            Some(_) if path.contains('#') => "its path has a fragment, which is never sent",
            Some(_) if Uri::try_from(path).is_err() => "its path is none of a URL",
            Some(operation) => return Builder::raw(operation, path).accept_any().finish(),
        };
        let request = format!("{method} {}", shortened(path, KEY).escape_debug());
        Err(InvalidRequest::Parameters(format!("`{request}` cannot be requested: {why}")).into())
    }

    /// Sets the request body of a POST, PUT or PATCH that [`raw`](Self::raw) has made: bytes of a
    /// media type such as `application/json`.
    ///
    /// # Errors
    /// When the request is another one, or the media type cannot be a header.
    pub fn with_body(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Result<Self, Error> {
        let operation = self.parts.operation.constant();
        if operation.path != RAW_PATH || !["POST", "PUT", "PATCH"].contains(&operation.method) {
            let method = operation.method;
            let message = format!(
                "this {method} takes no body: only POST, PUT and PATCH of `Request::raw` do"
            );
            return Err(InvalidRequest::Parameters(message).into());
        }
        self.parts.content_type = Some(content_type_of(media_type)?);
        self.parts.body = body.into();
        Ok(self)
    }
}

static RAW: [Operation; 7] = [
    Operation::new(Verb::Get, "raw", "GET", RAW_PATH),
    Operation::new(Verb::Get, "raw", "HEAD", RAW_PATH),
    Operation::new(Verb::Get, "raw", "OPTIONS", RAW_PATH),
    Operation::new(Verb::Create, "raw", "POST", RAW_PATH),
    Operation::new(Verb::Replace, "raw", "PUT", RAW_PATH),
    Operation::new(Verb::Patch, "raw", "PATCH", RAW_PATH),
    Operation::new(Verb::Delete, "raw", "DELETE", RAW_PATH),
];
