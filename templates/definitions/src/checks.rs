//! The checks of definitions that need what this crate lacks.

use crate::cause::Cause;
use crate::path::Path;
use serde_json::Value;

/// Checks of the patterns and defaults in schemas.
#[doc(hidden)] // For kapigen-fake, which matches patterns and validates objects.
pub trait Checks {
    /// The reason for which a pattern is none, in the words of Go.
    fn pattern(&self, _pattern: &str) -> Option<String> {
        None
    }

    /// The causes for which defaults are refused in a structural schema at a path.
    fn defaults(&self, _schema: &Value, _path: &Path<'_>) -> Vec<Cause> {
        Vec::new()
    }
}

/// No checks.
pub(crate) struct Unchecked;

impl Checks for Unchecked {}
