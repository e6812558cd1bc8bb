//! Reasons of refusals, as predicates, and their causes.

use super::warning::quoted;
use super::{ApiError, Error};
use crate::meta_v1::StatusCause;
use http::StatusCode;

/// Reasons that say more than the status code. With any other reason, or none, the status code decides.
const KNOWN: [&str; 18] = [
    "AlreadyExists",
    "BadRequest",
    "Conflict",
    "Expired",
    "Forbidden",
    "Gone",
    "InternalError",
    "Invalid",
    "MethodNotAllowed",
    "NotAcceptable",
    "NotFound",
    "RequestEntityTooLarge",
    "ServerTimeout",
    "ServiceUnavailable",
    "Timeout",
    "TooManyRequests",
    "Unauthorized",
    "UnsupportedMediaType",
];

/// A field that an apply would change, and that another field manager owns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict<'a> {
    /// Path of the field, such as `.spec.replicas`.
    pub field: &'a str,
    /// Name of the owner. Empty if the server did not name it.
    pub manager: String,
    /// The explanation of the server, which also has the version and the subresource.
    pub message: &'a str,
}

impl ApiError {
    /// Whether the reason is one of these or, if the reason is not a known one, the status code is this.
    #[inline(never)] // each predicate would compile the search
    fn has_reason(&self, reasons: &[&str], code: Option<StatusCode>) -> bool {
        let reason = self.reason();
        if KNOWN.contains(&reason) { reasons.contains(&reason) } else { code == Some(self.code) }
    }

    /// The single errors that make up a refusal, such as one for each invalid field of a 422.
    #[must_use]
    #[inline]
    pub fn causes(&self) -> &[StatusCause] {
        let details = self.status.as_deref().and_then(|status| status.details.as_deref());
        details.and_then(|details| details.causes.as_deref()).unwrap_or_default()
    }

    /// The conflicts of an apply that was refused with 409: fields that other managers own.
    #[inline]
    pub fn conflicts(&self) -> impl Iterator<Item = Conflict<'_>> {
        self.causes().iter().filter(|cause| cause.reason.as_deref() == Some("FieldManagerConflict")).map(conflict)
    }
}

impl Error {
    /// [`ApiError::causes`], or none if this is no refusal.
    #[must_use]
    #[inline]
    pub fn causes(&self) -> &[StatusCause] {
        self.api().map(ApiError::causes).unwrap_or_default()
    }

    /// [`ApiError::conflicts`], or none if this is no refusal.
    #[inline]
    pub fn conflicts(&self) -> impl Iterator<Item = Conflict<'_>> {
        self.api().into_iter().flat_map(ApiError::conflicts)
    }
}

/// The message names the manager: `conflict with "kubectl" using v1`.
#[inline]
fn conflict(cause: &StatusCause) -> Conflict<'_> {
    let message = cause.message.as_deref().unwrap_or_default();
    let manager = message.find('"').and_then(|start| quoted(&message[start..]));
    Conflict {
        field: cause.field.as_deref().unwrap_or_default(),
        manager: manager.map(|(manager, _)| manager).unwrap_or_default(),
        message,
    }
}

/// Defines the same predicates for both errors: reasons, and the status code that means them without a reason.
macro_rules! predicates {
    ($($(#[$doc:meta])+ $name:ident: $reasons:expr, $code:expr;)+) => {
        impl ApiError {
            $($(#[$doc])+ #[must_use] #[inline] pub fn $name(&self) -> bool {
                self.has_reason(&$reasons, $code)
            })+
        }

        impl Error {
            $($(#[$doc])+ #[must_use] #[inline] pub fn $name(&self) -> bool {
                self.api().is_some_and(ApiError::$name)
            })+
        }
    };
}

predicates! {
    /// Whether the user is not authenticated.
    is_unauthorized: ["Unauthorized"], Some(StatusCode::UNAUTHORIZED);
    /// Whether the user may not do this.
    is_forbidden: ["Forbidden"], Some(StatusCode::FORBIDDEN);
    /// Whether there is no such object, or no such resource.
    is_not_found: ["NotFound"], Some(StatusCode::NOT_FOUND);
    /// Whether an object of this name exists already.
    is_already_exists: ["AlreadyExists"], None;
    /// Whether the object was changed in the meantime, or other managers own fields of an apply. An object that exists
    /// already is no conflict.
    is_conflict: ["Conflict"], Some(StatusCode::CONFLICT);
    /// Whether the server has forgotten the resource version or the continue token, for either reason, `Gone` and
    /// `Expired`: list again.
    is_gone: ["Gone", "Expired"], Some(StatusCode::GONE);
    /// Whether the reason is `Expired`, the one of [`is_gone`](Self::is_gone) that servers of today give.
    is_expired: ["Expired"], None;
    /// Whether the object is invalid; the causes say which fields are.
    is_invalid: ["Invalid"], Some(StatusCode::UNPROCESSABLE_ENTITY);
    /// Whether the request is malformed.
    is_bad_request: ["BadRequest"], Some(StatusCode::BAD_REQUEST);
    /// Whether this client, or all together, sent too many requests, or an eviction would leave too few pods. Try
    /// again later.
    is_too_many_requests: ["TooManyRequests"], Some(StatusCode::TOO_MANY_REQUESTS);
    /// Whether the request was not completed in time. It may have had its effect.
    is_timeout: ["Timeout"], Some(StatusCode::GATEWAY_TIMEOUT);
    /// Whether the server could not begin in time: try again.
    is_server_timeout: ["ServerTimeout"], None;
    /// Whether the server, or one that it needs, is unavailable.
    is_service_unavailable: ["ServiceUnavailable"], Some(StatusCode::SERVICE_UNAVAILABLE);
    /// Whether the server failed.
    is_internal_error: ["InternalError"], Some(StatusCode::INTERNAL_SERVER_ERROR);
}
