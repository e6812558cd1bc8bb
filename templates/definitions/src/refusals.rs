//! Why a server refuses a definition.

use crate::cause::Cause;
use crate::definition::{Definition, Version};
use serde_json::Value;

/// The causes for which a server refuses to create a definition.
#[must_use]
pub fn refusals(manifest: &Value) -> Vec<Cause> {
    let Ok(definition) = Definition::read(manifest) else { return Vec::new() };
    definition.versions().iter().flat_map(Version::refusals).collect()
}
