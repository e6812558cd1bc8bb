//! Bodies in protobuf, of which none is read without the feature.

use crate::tree::Body;

/// Whether bodies of a kind are read.
pub(crate) fn has(_api_version: &str, _kind: &str) -> bool {
    false
}

/// The error for any body.
pub(crate) fn decode(_message: &[u8], [_, kind]: [&str; 2]) -> Result<Body, String> {
    Err(format!("bodies of {kind} in protobuf are not read"))
}
