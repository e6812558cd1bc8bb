//! Reviews of admission and conversion: request and response bodies of webhooks.
//!
//! A server sends a webhook a review by POST, and expects status 200 with a review that has the
//! response. Everything here is between the bytes of these two bodies, of content type
//! `application/json`; the HTTP server is yours.
//!
//! ```
//! use kapigen_runtime::admission::{AdmissionRequest, ReviewError};
//! use kapigen_runtime::meta_v1::RawJson;
//! # use kapigen_runtime::serde_json::json;
//!
//! /// Allows only images of one registry. Of a request that is not a review, the error is a response with status 400.
//! fn review(body: &[u8]) -> Result<Vec<u8>, ReviewError> {
//!     let request = AdmissionRequest::decode(body)?;
//!     let pod = request.object_as::<RawJson>()?.to_value().unwrap_or_default();
//!     let image = pod["spec"]["containers"][0]["image"].as_str().unwrap_or_default();
//!     let is_ours = image.starts_with("registry.example.com/");
//!     Ok(if is_ours { request.allow() } else { request.deny("the image is of another registry") }.encode())
//! }
//!
//! let body = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
//!     "uid": "705ab4f5", "operation": "CREATE", "object": {"spec": {"containers": [{"image": "nginx"}]}},
//! }});
//! let response = String::from_utf8(review(body.to_string().as_bytes())?)?;
//! assert!(response.contains(r#""message":"the image is of another registry""#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Admission
//!
//! | operation | `object` | `old_object` |
//! |---|---|---|
//! | `CREATE` | the object that is created | absent |
//! | `UPDATE` | the object as it would be stored | as it is stored |
//! | `DELETE` | absent | as it is stored |
//! | `CONNECT` | the options, such as `PodExecOptions` | absent |
//!
//! [`AdmissionRequest::object_as`] decodes one as a kind, or as
//! [`RawJson`](crate::meta_v1::RawJson) if it can be of any kind. [`AdmissionRequest::allow_with`]
//! computes the patch between that object and a changed one: members that the type does not know
//! are in neither, and stay as they are.
//!
//! A webhook must give the same result if it is called again for its own result, because others may
//! have changed the object in between; it must not rely on the order of webhooks, and must not
//! change anything else if [`dry_run`](AdmissionRequest::dry_run) is true.
//!
//! # Conversion
//!
//! [`ConversionRequest::convert`] converts the objects of a custom resource to another version.

mod convert;
mod error;
mod review;

pub use crate::admission_v1::*;
pub use crate::apiextensions_v1::*;
pub use error::ReviewError;
