//! Errors of reviews.

use crate::change::ChangeError;
use crate::codec::json::DecodeError;
use crate::codec::path::{KEY, shortened};
use crate::visible::Visible;
use std::fmt::{self, Write};

/// An error of a review: of its request, or of the response that is made to it.
///
/// A request that cannot be decoded has no `uid` to respond to: return status 400 with the message,
/// which reaches the client of the server. Errors of objects and changes can be responses, too:
/// [`AdmissionRequest::deny`](super::AdmissionRequest::deny).
///
/// Messages quote as much of the request as messages of [`DecodeError`] do.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum ReviewError {
    /// The body is not JSON, or not of the form of a review.
    Decode(DecodeError),
    /// The review is of another version or kind. The configuration of the webhook states the
    /// versions that it takes.
    Version {
        /// The kind that was expected, such as `AdmissionReview`.
        expected_kind: &'static str,
        /// The `apiVersion` that was expected, such as `admission.k8s.io/v1`.
        expected_version: &'static str,
        /// The kind of the review. Empty if it states none.
        kind: String,
        /// The `apiVersion` of the review. Empty if it states none.
        api_version: String,
    },
    /// A member of the review that must be there is absent or empty.
    Missing {
        /// The path of the member, such as `request.uid`.
        path: &'static str,
    },
    /// The object in the review is not of the type that it is decoded as.
    Object {
        /// The path of the object, such as `request.object`.
        path: &'static str,
        /// The cause. Its path and position are within the object.
        error: DecodeError,
    },
    /// The change cannot be made by a webhook. Servers refuse such a response.
    Change(ChangeError),
    /// A key that an annotation of the audit log cannot have.
    AuditKey(String),
}

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        match self {
            ReviewError::Decode(error) => write!(f, "the body is not a review: {error}"),
            ReviewError::Version { expected_kind, expected_version, kind, api_version } => {
                let [kind, api_version] = [kind, api_version].map(|stated| shortened(stated, KEY));
                write!(
                    f,
                    "expected kind `{expected_kind}` of `{expected_version}`, found kind `{kind}` \
                     of `{api_version}`"
                )?;
                let is_old = *expected_kind == kind && !api_version.is_empty();
                let help = "; let the configuration of the webhook list version `v1` of reviews";
                f.write_str(if is_old { help } else { "" })
            }
            ReviewError::Missing { path } => write!(f, "the review has no `{path}`"),
            ReviewError::Object { path, error } => write!(f, "`{path}` of the review: {error}"),
            ReviewError::Change(error) => write!(f, "the object cannot be changed so: {error}"),
            ReviewError::AuditKey(key) => {
                let key = shortened(key, KEY);
                write!(
                    f,
                    "`{key}` is not a key of an audit annotation: it has at most 63 letters, \
                     digits, `-`, `_` and `.`, "
                )?;
                f.write_str(
                    "and begins and ends with a letter or digit; the server puts the webhook's \
                     name before it",
                )
            }
        }
    }
}

__error!(
    ReviewError: Decode(error), Version { expected_kind, expected_version, kind, api_version },
    Missing { path }, Object { path, error }, Change(error), AuditKey(key)
);
