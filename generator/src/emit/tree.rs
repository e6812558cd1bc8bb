//! The files of a crate, before anything is written.

use std::collections::BTreeMap;

/// Files by their path, which is relative and has `/` on every system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    pub(crate) files: BTreeMap<String, String>,
    /// Files that are partly the user's, as they were before: they are changed, and never removed.
    pub(crate) merged: BTreeMap<String, Option<String>>,
    /// Whether there are only sources, and all other files stay as they are.
    pub(crate) sources_only: bool,
}

impl Tree {
    /// Adds a file. Its path must stay inside the folder.
    ///
    /// # Panics
    /// When the path does not: names come from [`crate::names`], which makes no such path.
    pub fn insert(&mut self, path: impl Into<String>, text: String) {
        let path = path.into();
        assert!(is_inside(&path), "{path} leads out of the folder");
        self.files.insert(path, text);
    }

    /// Adds a file that is partly the user's, made from its earlier content.
    ///
    /// # Panics
    /// As [`insert`](Self::insert).
    pub fn insert_merged(&mut self, path: impl Into<String>, before: Option<String>, text: String) {
        let path = path.into();
        self.merged.insert(path.clone(), before);
        self.insert(path, text);
    }

    /// Leaves all files but the sources as they are.
    pub fn leave_package(&mut self) {
        self.sources_only = true;
    }

    /// The files by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }
}

/// Whether a path stays inside of its folder, on every system.
fn is_inside(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && !path.contains(['\\', ':', '\0'])
}
