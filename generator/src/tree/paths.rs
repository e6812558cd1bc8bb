//! The paths that kapigen writes to.

use crate::emit::cargo::{ATTRIBUTES, vendored_folders};
use crate::input::index;
use crate::model::documents::DOCUMENTS;

/// The files of a crate beside its modules.
const BESIDE_MODULES: [&str; 6] = ["Cargo.toml", "LICENSE", "README.md", "rustfmt.toml", index::PATH, ATTRIBUTES];

/// Whether kapigen may have written a file there: a Rust module below `src`, the document of one, or a file that makes a
/// crate of the modules, of the crate itself or of a vendored one.
pub(super) fn is_ours(path: &str) -> bool {
    let vendored = vendored_folders().find_map(|folder| path.strip_prefix(folder)?.strip_prefix('/'));
    let path = vendored.unwrap_or(path);
    let module = path.strip_prefix("src/").and_then(|path| path.strip_suffix(".rs"));
    let document = path.strip_prefix(DOCUMENTS).and_then(|path| path.strip_suffix(".json"));
    let is_name = |part: &str| !part.is_empty() && part.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    BESIDE_MODULES.contains(&path)
        || document.is_some_and(is_name)
        || module.is_some_and(|module| module.split('/').all(is_name))
}
