//! Folders to write to.

use crate::places::relative;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of a test's own, empty at first.
#[derive(Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// Makes it. `temporary` is the test's `CARGO_TARGET_TMPDIR`, and the name is its own in there.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    pub fn new(temporary: &str, name: &str) -> Self {
        let folder = Path::new(temporary).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Writes a file.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn put(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file.
    ///
    /// # Panics
    /// When it cannot be read.
    #[must_use]
    pub fn text(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap()
    }

    /// All files, sorted.
    ///
    /// # Panics
    /// When the folder cannot be read.
    #[must_use]
    pub fn all(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let (inner, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
            folders.extend(inner);
            found.extend(files.iter().map(|path| relative(path, &self.0)));
        }
        found.sort();
        found
    }
}
