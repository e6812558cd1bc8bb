//! Reasons of refusals, and the status codes that they come with.

use http::StatusCode;

/// The reasons that servers state, with their status codes. The first one of a code is the usual
/// one.
const REASONS: [(&str, StatusCode); 18] = [
    ("BadRequest", StatusCode::BAD_REQUEST),
    ("Unauthorized", StatusCode::UNAUTHORIZED),
    ("Forbidden", StatusCode::FORBIDDEN),
    ("NotFound", StatusCode::NOT_FOUND),
    ("MethodNotAllowed", StatusCode::METHOD_NOT_ALLOWED),
    ("NotAcceptable", StatusCode::NOT_ACCEPTABLE),
    ("Conflict", StatusCode::CONFLICT),
    ("AlreadyExists", StatusCode::CONFLICT),
    ("Expired", StatusCode::GONE),
    ("Gone", StatusCode::GONE),
    ("RequestEntityTooLarge", StatusCode::PAYLOAD_TOO_LARGE),
    ("UnsupportedMediaType", StatusCode::UNSUPPORTED_MEDIA_TYPE),
    ("Invalid", StatusCode::UNPROCESSABLE_ENTITY),
    ("TooManyRequests", StatusCode::TOO_MANY_REQUESTS),
    ("InternalError", StatusCode::INTERNAL_SERVER_ERROR),
    ("ServerTimeout", StatusCode::INTERNAL_SERVER_ERROR),
    ("ServiceUnavailable", StatusCode::SERVICE_UNAVAILABLE),
    ("Timeout", StatusCode::GATEWAY_TIMEOUT),
];

/// Whether a reason is one that servers state, so that it says more than the status code.
pub(super) fn is_known(reason: &str) -> bool {
    REASONS.iter().any(|(known, _)| *known == reason)
}

/// The reason that servers state with a status code, unless they have another one. Empty for codes
/// that have none.
#[must_use]
pub fn usual_reason(code: StatusCode) -> &'static str {
    REASONS.iter().find(|(_, known)| *known == code).map_or("", |(reason, _)| reason)
}
