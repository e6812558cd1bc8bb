//! The files of a crate: compared with a folder, or written to it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

/// Files by their path, which is relative and has `/` on every system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    files: BTreeMap<String, String>,
}

/// What differs between a tree and a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path of the file.
    pub path: String,
    /// What the folder has, if it has the file.
    pub old: Option<String>,
    /// What the tree has, if it has the file.
    pub new: Option<String>,
}

/// The list of the files that were written, in the folder itself. What stands in it is ours to change and remove.
const MANIFEST: &str = "src/.kapigen";

impl Tree {
    /// Adds a file. Its path must stay inside the folder.
    ///
    /// # Panics
    /// When the path does not: names come from [`crate::names`], which makes no such path.
    pub fn insert(&mut self, path: impl Into<String>, text: String) {
        let path = path.into();
        let inside = !path.starts_with('/') && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        assert!(inside && !path.contains('\\'), "{path} leads out of the folder");
        self.files.insert(path, text);
    }

    /// The files by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The tree with its manifest.
    #[must_use]
    fn with_manifest(&self) -> BTreeMap<String, String> {
        let mut files = self.files.clone();
        let mut list = String::from("# The files in this folder that kapigen wrote. It removes those that it would not write again.\n");
        for path in self.files.keys() {
            list.push_str(path);
            list.push('\n');
        }
        files.insert(MANIFEST.to_owned(), list);
        files
    }

    /// What differs from a folder, by path: files that are missing, other, or left over.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn compare(&self, folder: &Path) -> io::Result<Vec<Difference>> {
        let files = self.with_manifest();
        let owned = owned(folder)?;
        let mut differences = Vec::new();
        for path in files.keys().chain(&owned).collect::<BTreeSet<_>>() {
            let (old, new) = (read(&folder.join(path))?, files.get(path).cloned());
            if old != new {
                differences.push(Difference { path: path.clone(), old, new });
            }
        }
        Ok(differences)
    }

    /// Makes a folder the same as the tree and tells what changed. Files that are the same already are not touched;
    /// changed ones are replaced in one step each, and those that are no longer made are removed last.
    ///
    /// # Errors
    /// When a file that kapigen did not write is in the way: nothing is written then. When the disk fails: what was
    /// replaced by then is new, everything else old.
    pub fn write(&self, folder: &Path) -> io::Result<Vec<Difference>> {
        let differences = self.compare(folder)?;
        let owned = owned(folder)?;
        let foreign = differences.iter().find(|d| d.path != MANIFEST && d.old.is_some() && !owned.contains(&d.path));
        if let Some(foreign) = foreign {
            let message = format!("{} is in the way: it was not written by kapigen", folder.join(&foreign.path).display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        for (path, text) in differences.iter().filter_map(|d| Some((&d.path, d.new.as_ref()?))) {
            replace(&folder.join(path), text)?;
        }
        for path in differences.iter().filter(|d| d.new.is_none()).map(|d| &d.path) {
            fs::remove_file(folder.join(path))?;
            remove_empty_folders(folder, path);
        }
        Ok(differences)
    }
}

/// The files that kapigen wrote before and that are still there, by the manifest.
fn owned(folder: &Path) -> io::Result<BTreeSet<String>> {
    let list = read(&folder.join(MANIFEST))?.unwrap_or_default();
    let lines = list.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let inside = lines.filter(|line| !line.starts_with('/') && line.split('/').all(|part| part != ".."));
    Ok(inside.filter(|path| folder.join(path).is_file()).map(str::to_owned).collect())
}

fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::read(path) {
        // A file that is not text is just another text.
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes beside the file and renames, so that nobody ever sees half of it.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let beside = path.with_file_name(name);
    fs::write(&beside, text).and_then(|()| fs::rename(&beside, path)).inspect_err(|_| {
        // Nothing more can be done if this fails too.
        let _ = fs::remove_file(&beside);
    })
}

fn remove_empty_folders(folder: &Path, path: &str) {
    let parents = Path::new(path).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
    for parent in parents {
        // Fails where something else is left, and that is right.
        if fs::remove_dir(folder.join(parent)).is_err() {
            break;
        }
    }
}
