//! The Cargo workspace around the folder of a crate.

use super::Tree;
use crate::input::file;
use glob::{MatchOptions, Pattern};
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Value};

const MANIFEST: &str = "Cargo.toml";

/// A workspace that has a crate in its folder but not among its members, so that cargo refuses to
/// build the crate there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosing {
    /// The manifest of the workspace.
    pub manifest: PathBuf,
    /// The crate and the copies of others in its folder: paths that the `members` lack.
    pub missing: Vec<String>,
}

impl Enclosing {
    /// The workspace around a folder, if the crate that was written there is not one of its
    /// members and names no other workspace. A manifest that cannot be read is left to cargo.
    #[must_use]
    pub fn find(folder: &Path, written: &Tree) -> Option<Self> {
        let folder = dunce::canonicalize(folder).ok()?;
        if names_workspace(&folder) {
            return None;
        }
        let (root, workspace) =
            folder.ancestors().skip(1).find_map(|root| Some((root, workspace(root)?)))?;
        if covers(&workspace, &slashes(folder.strip_prefix(root).ok()?)) {
            return None;
        }
        let crates = written.iter().filter_map(|(path, _)| path.strip_suffix(MANIFEST));
        let missing =
            crates.filter_map(|inner| Some(slashes(folder.join(inner).strip_prefix(root).ok()?)));
        let missing: Vec<String> = missing.collect();
        (!missing.is_empty()).then(|| Self { manifest: root.join(MANIFEST), missing })
    }
}

/// The part of a manifest that makes it one of a workspace.
fn workspace(root: &Path) -> Option<Item> {
    manifest(root)?.remove("workspace").filter(Item::is_table_like)
}

/// Whether the manifest in a folder says which workspace its package is in.
fn names_workspace(folder: &Path) -> bool {
    manifest(folder).is_some_and(|manifest| {
        manifest.get("package").is_some_and(|package| package.get("workspace").is_some())
    })
}

fn manifest(folder: &Path) -> Option<DocumentMut> {
    file::found(&folder.join(MANIFEST)).ok()?.parse().ok()
}

/// Whether a folder is a member or excluded.
fn covers(workspace: &Item, path: &str) -> bool {
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::default() };
    let is_member = folders(workspace, "members")
        .any(|glob| Pattern::new(glob).is_ok_and(|pattern| pattern.matches_with(path, options)));
    is_member || folders(workspace, "exclude").any(|folder| Path::new(path).starts_with(folder))
}

fn folders<'a>(workspace: &'a Item, key: &str) -> impl Iterator<Item = &'a str> {
    let list = workspace.get(key).and_then(Item::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(|folder| folder.trim_matches('/'))
}

fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}
