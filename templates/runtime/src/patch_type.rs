//! Forms of patches, by their media types.

#[cfg(feature = "machines")]
use http::HeaderValue;

/// The form of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchType {
    /// Operations (RFC 6902).
    Json,
    /// Members that replace others (RFC 7386).
    Merge,
    /// The same, where elements of lists are merged by their keys.
    Strategic,
    /// Server-side apply.
    Apply,
}

impl PatchType {
    const ALL: [Self; 4] = [Self::Json, Self::Merge, Self::Strategic, Self::Apply];

    /// The media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json-patch+json",
            Self::Merge => "application/merge-patch+json",
            Self::Strategic => "application/strategic-merge-patch+json",
            // YAML by name only: JSON is YAML.
            Self::Apply => "application/apply-patch+yaml",
        }
    }

    /// The form with this media type, which has no parameters. Servers compare it as it is spelled.
    #[must_use]
    pub fn from_media_type(media_type: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.media_type() == media_type)
    }

    /// The form that a `Content-Type` states, whatever its parameters. An apply may also be CBOR.
    #[cfg(feature = "machines")]
    pub(crate) fn from_header(content_type: &HeaderValue) -> Option<Self> {
        match content_type.to_str().ok()?.split(';').next()?.trim() {
            "application/apply-patch+cbor" => Some(Self::Apply),
            media_type => Self::from_media_type(media_type),
        }
    }
}
