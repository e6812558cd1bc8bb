//! Values of the header `Accept`.

use crate::codec::Table;
use http::HeaderValue;

/// JSON, the form of everything that API servers send.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Any media type.
pub(crate) const ANY: HeaderValue = HeaderValue::from_static("*/*");

/// The group and version of kinds that servers make of objects of any other kind, when asked to.
const FORMS: &str = "meta.k8s.io/v1";

/// The media type of an object: plain JSON, or JSON in the form of `Table`, `PartialObjectMetadata` or
/// `PartialObjectMetadataList`.
pub(super) fn object(table: &Table) -> HeaderValue {
    let form = match table.identities {
        [identity] if identity.api_version == FORMS => identity.kind,
        _ => return JSON,
    };
    HeaderValue::try_from(format!("application/json;as={form};v=v1;g=meta.k8s.io")).unwrap_or(JSON)
}
