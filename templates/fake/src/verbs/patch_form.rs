//! The forms of patches, by the media types of their bodies.

use crate::failure::Failure;
use crate::request::Request;
use kapigen_runtime::__private::PatchType;
use serde_json::json;

/// The form of a patch that changes the stored object. An apply states a configuration instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PatchForm {
    Json,
    Merge,
    Strategic,
}

impl PatchForm {
    /// The form of the patch in a request. `None` for a configuration to apply. Custom resources have
    /// no strategic merge patch.
    pub(super) fn from_request(request: &Request<'_>) -> Result<Option<Self>, Failure> {
        match PatchType::from_media_type(request.incoming.content_type()) {
            Some(PatchType::Json) => Ok(Some(Self::Json)),
            Some(PatchType::Merge) => Ok(Some(Self::Merge)),
            Some(PatchType::Apply) => Ok(None),
            Some(PatchType::Strategic) if request.resource.custom.is_none() => {
                Ok(Some(Self::Strategic))
            }
            Some(PatchType::Strategic) => {
                let accepted = [PatchType::Json, PatchType::Merge, PatchType::Apply]
                    .map(PatchType::media_type)
                    .join(", ");
                let why = format!("accepted media types include: {accepted}");
                Err(Failure::new(
                    415,
                    format!("the body of the request was in an unknown format - {why}"),
                ))
            }
            None => Err(Failure::new(415, "415: Unsupported Media Type").with_details(json!({}))),
        }
    }
}
