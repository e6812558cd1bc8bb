//! Requests and responses of admission.

use super::{AdmissionRequest, AdmissionResponse, AdmissionReview, ReviewError};
use crate::change::ChangeError;
use crate::change::compare::json_between;
use crate::codec::Value;
use crate::codec::json::{self, DecodeError};
use crate::kind::Kind;
use crate::meta_v1::{RawExtension, RawJson, Status};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The maximum number of characters that a server passes on of one warning.
const WARNING: usize = 256;
/// The maximum number of characters that a server passes on of all warnings.
const WARNINGS: usize = 4096;

/// The members that identify an object, and their parents.
const IDENTITY: [&str; 7] = [
    "",
    "/apiVersion",
    "/kind",
    "/metadata",
    "/metadata/name",
    "/metadata/namespace",
    "/metadata/uid",
];

/// Decodes a review, whatever its content is.
pub(super) fn decode<T: Kind>(body: &[u8]) -> Result<T, ReviewError> {
    json::from_slice(body)
        .map_err(|error| wrong_version::<T>(body).unwrap_or(ReviewError::Decode(error)))
}

/// The error of a body that is not a review of this kind.
fn wrong_version<T: Kind>(body: &[u8]) -> Option<ReviewError> {
    let members: BTreeMap<String, RawJson> = json::from_slice(body).ok()?;
    let [api_version, kind] = ["apiVersion", "kind"].map(|name| text(&members, name));
    check_version::<T>(api_version.as_deref(), kind.as_deref()).err()
}

/// The string of a member.
fn text(members: &BTreeMap<String, RawJson>, name: &str) -> Option<String> {
    members.get(name)?.decode().ok()
}

/// Refuses a review that does not state this kind.
pub(super) fn check_version<T: Kind>(
    api_version: Option<&str>,
    kind: Option<&str>,
) -> Result<(), ReviewError> {
    if api_version == Some(T::API_VERSION) && kind == Some(T::KIND) {
        return Ok(());
    }
    let [api_version, kind] =
        [api_version, kind].map(|stated| stated.unwrap_or_default().to_owned());
    Err(ReviewError::Version {
        expected_kind: T::KIND,
        expected_version: T::API_VERSION,
        kind,
        api_version,
    })
}

impl AdmissionRequest {
    /// Decodes the request body of a webhook: an `AdmissionReview` of `admission.k8s.io/v1`.
    ///
    /// # Errors
    /// When it is no such review, has no request or no `uid`, or has neither an object nor an old
    /// one.
    pub fn decode(body: &[u8]) -> Result<Self, ReviewError> {
        let AdmissionReview { api_version, kind, request, .. } = decode(body)?;
        check_version::<AdmissionReview>(api_version.as_deref(), kind.as_deref())?;
        let request = request.ok_or(ReviewError::Missing { path: "request" })?;
        if request.uid.is_empty() {
            return Err(ReviewError::Missing { path: "request.uid" });
        }
        if request.object.is_none() && request.old_object.is_none() {
            return Err(ReviewError::Missing { path: "request.object" });
        }
        Ok(*request)
    }

    /// Decodes [`object`](Self::object) as a kind, or as [`RawJson`].
    ///
    /// # Errors
    /// When it is absent, as for `DELETE`, or not of this type.
    pub fn object_as<T: Value>(&self) -> Result<T, ReviewError> {
        object_as(self.object.as_ref(), "request.object")
    }

    /// Decodes [`old_object`](Self::old_object) as a kind, or as [`RawJson`].
    ///
    /// # Errors
    /// When it is absent, as for `CREATE`, or not of this type.
    pub fn old_object_as<T: Value>(&self) -> Result<T, ReviewError> {
        object_as(self.old_object.as_ref(), "request.oldObject")
    }

    /// Allows the request.
    #[must_use]
    pub fn allow(&self) -> AdmissionResponse {
        AdmissionResponse { uid: self.uid.clone(), allowed: true, ..AdmissionResponse::default() }
    }

    /// Allows the request with a changed object. `old` is the object of the request, as
    /// [`object_as`](Self::object_as) decodes it.
    ///
    /// The response has a JSON patch of the differences, without a test of the version: the server
    /// applies it to this very object. If nothing differs, it has none.
    ///
    /// # Errors
    /// When the change is one that servers refuse: of the `apiVersion` or kind, of the name,
    /// namespace or UID that the object has, or of a request without an object, such as `DELETE`.
    /// When a mask left members out of either object, or serde does not encode one of its members.
    pub fn allow_with<T: Value>(&self, old: &T, new: &T) -> Result<AdmissionResponse, ReviewError> {
        for object in [old, new] {
            ChangeError::check_value(&object.view()).map_err(ReviewError::Change)?;
        }
        let patch = json_between::of_same(old.view(), new.view());
        check_identity(&patch).map_err(ReviewError::Change)?;
        let mut response = self.allow();
        if patch != b"[]" {
            if self.object.is_none() {
                let message =
                    format!("the request of a {} has no object to change", self.operation.as_str());
                return Err(ReviewError::Change(ChangeError::new("", message)));
            }
            response.patch = Some(patch.into());
            response.patch_type = Some("JSONPatch".to_owned());
        }
        Ok(response)
    }

    /// Denies the request, with status 403 and the reason `Forbidden`. Clients see the message
    /// after the name of the webhook.
    #[must_use]
    pub fn deny(&self, message: impl Into<String>) -> AdmissionResponse {
        self.deny_with(Status {
            message: Some(message.into()),
            reason: Some("Forbidden".to_owned()),
            code: Some(403),
            ..Status::default()
        })
    }

    /// Denies the request with the code, reason, message and details of a status. Servers make a
    /// code below 400 one of 400.
    #[must_use]
    pub fn deny_with(&self, status: Status) -> AdmissionResponse {
        let status = Status { status: Some("Failure".to_owned()), ..status };
        let uid = self.uid.clone();
        AdmissionResponse {
            uid,
            allowed: false,
            status: Some(Box::new(status)),
            ..AdmissionResponse::default()
        }
    }
}

/// Refuses a patch that makes it another object: servers would.
fn check_identity(patch: &[u8]) -> Result<(), ChangeError> {
    let operations: Vec<BTreeMap<String, RawJson>> = json::from_slice(patch).unwrap_or_default();
    for operation in operations {
        let [op, pointer] = ["op", "path"].map(|name| text(&operation, name).unwrap_or_default());
        if op != "add" && IDENTITY.contains(&pointer.as_str()) {
            return Err(ChangeError::new(
                pointer,
                "a webhook cannot change what identifies the object",
            ));
        }
    }
    Ok(())
}

fn object_as<T: Value>(
    object: Option<&RawExtension>,
    path: &'static str,
) -> Result<T, ReviewError> {
    let object = object.ok_or(ReviewError::Missing { path })?;
    json::from_str(object.as_str())
        .map_err(|error: DecodeError| ReviewError::Object { path, error })
}

impl AdmissionResponse {
    /// Adds a warning for the client, within the limits of servers: control characters are escaped,
    /// text beyond 256 characters is cut, which `…` shows, and a warning with which all together
    /// would have more than 4,096 characters is left out.
    #[must_use]
    pub fn warn(mut self, text: impl fmt::Display) -> Self {
        let mut warning = Shown(&text).to_string();
        if let Some((cut, _)) = warning.char_indices().nth(WARNING) {
            let last = warning[..cut].char_indices().next_back().map_or(0, |(at, _)| at);
            warning.truncate(last);
            warning.push('…');
        }
        let all: usize = self.warnings.iter().flatten().map(|text| text.chars().count()).sum();
        if all + warning.chars().count() <= WARNINGS {
            self.warnings.get_or_insert_default().push(warning);
        }
        self
    }

    /// Adds an annotation to the event in the audit log. The server puts the name of the webhook
    /// and a slash before the key.
    ///
    /// # Errors
    /// When the key is not the name part of a qualified name. Servers would leave out the
    /// annotation.
    pub fn audit(mut self, key: &str, value: impl Into<String>) -> Result<Self, ReviewError> {
        const INNER: [char; 3] = ['-', '_', '.'];
        let is_name = key.chars().all(|c| c.is_ascii_alphanumeric() || INNER.contains(&c))
            && !key.starts_with(INNER)
            && !key.ends_with(INNER)
            && (1..=63).contains(&key.len());
        if !is_name {
            return Err(ReviewError::AuditKey(key.to_owned()));
        }
        self.audit_annotations.get_or_insert_default().insert(key.to_owned(), value.into());
        Ok(self)
    }

    /// The response body of the webhook: an `AdmissionReview` with this response. Its content type
    /// is `application/json`, and the status code 200 for a denial, too.
    #[must_use]
    pub fn encode(self) -> Vec<u8> {
        json::to_vec(&AdmissionReview {
            response: Some(Box::new(self)),
            ..AdmissionReview::default()
        })
    }
}

/// A text without characters that control a reader.
struct Shown<'a, T>(&'a T);

impl<T: fmt::Display> fmt::Display for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(crate::visible::Visible(f), "{}", self.0)
    }
}
