//! Refusals, as an API server states them.

use crate::codec::json;
use crate::meta_v1::{Status, StatusDetails};
use crate::response::usual_reason;
use crate::visible::Visible;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use std::fmt::{self, Write};

/// The refusal of a request: a status code, and a `Status` as the body.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Refusal {
    /// The status code.
    pub code: StatusCode,
    /// The body. Its `code` is the status code, too.
    pub status: Box<Status>,
}

impl Refusal {
    /// Refuses with a reason such as `BadRequest`, and a message for people.
    #[must_use]
    pub fn new(code: StatusCode, reason: &str, message: impl Into<String>) -> Self {
        let status = Status {
            code: Some(i32::from(code.as_u16())),
            message: Some(message.into()),
            reason: Some(reason.to_owned()).filter(|reason| !reason.is_empty()),
            status: Some("Failure".to_owned()),
            ..Status::default()
        };
        Self { code, status: Box::new(status) }
    }

    /// Refuses with the usual reason of a status code.
    fn usual(code: StatusCode, message: impl Into<String>) -> Self {
        Self::new(code, usual_reason(code), message)
    }

    /// 404: there is no such path.
    #[must_use]
    pub fn no_such_path() -> Self {
        let message = "the server could not find the requested resource";
        Self::usual(StatusCode::NOT_FOUND, message).with_details(StatusDetails::default())
    }

    /// 405: the path has no operation with this method.
    #[must_use]
    pub fn method_not_allowed() -> Self {
        let message = "the server does not allow this method on the requested resource";
        Self::usual(StatusCode::METHOD_NOT_ALLOWED, message).with_details(StatusDetails::default())
    }

    /// 406: the client accepts none of these media types.
    #[must_use]
    pub fn not_acceptable(offered: &[&str]) -> Self {
        let message =
            format!("only the following media types are accepted: {}", offered.join(", "));
        Self::usual(StatusCode::NOT_ACCEPTABLE, message)
    }

    /// 415: the operation takes only these media types.
    #[must_use]
    pub fn unsupported_media_type(accepted: &[&str]) -> Self {
        let message = format!(
            "the body of the request was in an unknown format - accepted media types include: {}",
            accepted.join(", ")
        );
        Self::usual(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
    }

    /// 400: body or parameters cannot be decoded.
    #[must_use]
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::usual(StatusCode::BAD_REQUEST, message)
    }

    /// Adds details, such as the object that it is about.
    #[must_use]
    pub fn with_details(mut self, details: StatusDetails) -> Self {
        self.status.details = Some(Box::new(details));
        self
    }

    /// The response to send.
    #[must_use]
    pub fn to_http(&self) -> http::Response<Vec<u8>> {
        let mut response = http::Response::new(json::to_vec(&*self.status));
        *response.status_mut() = self.code;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Visible(f), "{}: {}", self.code, self.status.message.as_deref().unwrap_or_default())
    }
}

__error!(Refusal { code, status });
