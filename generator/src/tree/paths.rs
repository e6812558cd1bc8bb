//! The paths that kapigen writes to.

use crate::input::index;
use crate::model::documents::DOCUMENTS;
use crate::package::{ATTRIBUTES, copies};

/// The files of a crate beside its modules.
const BESIDE_MODULES: [&str; 6] = ["Cargo.toml", "LICENSE", "README.md", "rustfmt.toml", index::PATH, ATTRIBUTES];

/// Whether kapigen may have written a file there: a Rust module below `src`, the document of one, or a file that makes a
/// crate of the modules; and the same in a copy of another crate, whose modules may have data beside them.
pub(super) fn is_ours(path: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    let is_file = |path: &str, endings: &[&str]| {
        let split = path.rsplit_once('.').filter(|(_, ending)| endings.contains(ending));
        split.is_some_and(|(name, _)| name.split('/').all(is_name))
    };
    if let Some(copy) = copies::folders().find_map(|folder| path.strip_prefix(folder)?.strip_prefix('/')) {
        return BESIDE_MODULES.contains(&copy)
            || copy.strip_prefix("src/").is_some_and(|path| is_file(path, &["json", "rs", "yaml"]));
    }
    BESIDE_MODULES.contains(&path)
        || path.strip_prefix("src/").is_some_and(|path| is_file(path, &["rs"]))
        || path.strip_prefix(DOCUMENTS).is_some_and(|path| is_file(path, &["json"]))
}
