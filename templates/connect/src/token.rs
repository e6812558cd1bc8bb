//! Tokens in files.

use crate::read;
use crate::secret::Secret;
use std::path::Path;

/// The token of a file.
///
/// # Errors
/// When it cannot be read, or is empty.
pub(crate) fn read(path: &Path) -> Result<Secret, String> {
    let bytes = read::file(path).map_err(|error| {
        error.problems().first().map_or_else(String::new, |problem| problem.message.clone())
    })?;
    match String::from_utf8_lossy(&bytes).trim() {
        "" => Err("it has no token".to_owned()),
        token => Ok(Secret::from(token)),
    }
}
