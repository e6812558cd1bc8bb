//! The files of a crate: compared with a folder, or written to it.

mod digest;
mod disk;
pub mod documents;
mod list;
mod lock;
mod plan;
pub mod workspace;

pub use crate::emit::tree::Tree;
use disk::in_the_way;
pub(crate) use disk::refused;
pub use disk::{read, replace};
use list::List;
pub use list::MANIFEST;
use lock::Lock;
pub use plan::{Plan, PlanStep};

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// A file that is not the same in a tree and in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path of the file.
    pub path: String,
    /// The content in the folder, if it has the file. Bytes that are not UTF-8 are shown as
    /// `U+FFFD`.
    pub old: Option<String>,
    /// The content in the tree, if it has the file.
    pub new: Option<String>,
}

/// A change of a file of a folder, which makes it the one of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// Only the tree has it.
    New,
    /// Both have it, with other contents.
    Changed,
    /// Only the folder has it.
    Removed,
}

impl Difference {
    /// The change that makes the file the one of the tree.
    #[must_use]
    pub fn change(&self) -> FileChange {
        match (&self.old, &self.new) {
            (None, _) => FileChange::New,
            (Some(_), Some(_)) => FileChange::Changed,
            (Some(_), None) => FileChange::Removed,
        }
    }
}

/// The largest number of files that a report lists.
pub(crate) const MOST_LISTED: usize = 10;

/// The folder of the sources, of the crate itself or of a vendored one.
const SOURCES: &str = "src";

/// The files that an earlier run wrote to a folder.
///
/// # Errors
/// When its list cannot be read.
pub(crate) fn written(folder: &Path) -> io::Result<BTreeSet<String>> {
    Ok(List::read(folder)?.paths().map(str::to_owned).collect())
}

impl Tree {
    /// The differences from a folder, by path: files that are missing, other, or left over. Line
    /// endings do not count: git may change them.
    ///
    /// # Errors
    /// When the folder cannot be read, or has something in the way that is neither file nor folder
    /// of its own.
    pub fn compare(&self, folder: &Path) -> io::Result<Vec<Difference>> {
        let owned = self.owned(folder)?;
        let list = self.list(folder, &owned)?.text();
        let files = self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        let files: BTreeMap<_, _> = files.chain([(MANIFEST, list.as_str())]).collect();
        let mut differences = Vec::new();
        for path in files.keys().copied().chain(owned.paths()).collect::<BTreeSet<_>>() {
            let old = read(folder, path)?;
            let new = files.get(path).copied();
            let is_same = match (&old, new) {
                (Some(old), Some(new)) => digest::is_same(old, new.as_bytes()),
                (None, None) => true,
                _ => false,
            };
            if !is_same {
                let old = old.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                differences.push(Difference {
                    path: path.to_owned(),
                    old,
                    new: new.map(str::to_owned),
                });
            }
        }
        // People read the sources first.
        differences.sort_by_key(|difference| difference.path == MANIFEST);
        Ok(differences)
    }

    /// Makes a folder the same as the tree, and returns the differences. Files that are the same
    /// already are not touched.
    ///
    /// An end of the process at any time leaves the folder as it was, or as it is to be, or as a
    /// crate that fails to compile with an explanation (see [`Plan`]). The next run completes it.
    ///
    /// # Errors
    /// When a file is in the way that kapigen did not write or that was changed since, or the disk
    /// is full or may not be written: then nothing has changed. When a file cannot be replaced or
    /// removed after that: then the crate fails to compile until a run completes it. When another
    /// run is writing to the folder: that run continues.
    pub fn write(&self, folder: &Path) -> io::Result<Vec<Difference>> {
        self.write_over(folder, false)
    }

    /// Like [`write`](Self::write), but also replaces and removes files of kapigen that were
    /// changed since.
    ///
    /// # Errors
    /// As there.
    pub fn overwrite(&self, folder: &Path) -> io::Result<Vec<Difference>> {
        self.write_over(folder, true)
    }

    fn write_over(&self, folder: &Path, changed: bool) -> io::Result<Vec<Difference>> {
        if self.is_written(folder).unwrap_or(false) {
            return Ok(Vec::new());
        }
        let _lock = Lock::take(folder)?;
        let differences = self.compare(folder)?;
        for Difference { path, old, .. } in &differences {
            if self.merged.get(path).is_some_and(|before| before != old) {
                return Err(in_the_way(
                    &folder.join(path),
                    "it was changed while kapigen ran. Run again",
                ));
            }
        }
        if !changed {
            self.check_unchanged(folder, &differences)?;
        }
        self.plan(folder, &differences)?.carry_out(folder)?;
        Ok(differences)
    }

    /// Whether there is nothing to do. Such a run needs no lock, and succeeds while another run
    /// holds it. An error is due to a folder that is being changed, or it occurs again under the
    /// lock.
    fn is_written(&self, folder: &Path) -> io::Result<bool> {
        Ok(self.compare(folder)?.is_empty() && self.plan(folder, &[])?.steps().next().is_none())
    }

    /// The steps that remove the differences.
    ///
    /// # Errors
    /// When a file that kapigen did not write is in the way.
    pub fn plan(&self, folder: &Path, differences: &[Difference]) -> io::Result<Plan> {
        // Files that an earlier run staged and could not put in their places.
        let list = List::read(folder)?;
        let written = list.paths().chain(self.merged.keys().map(String::as_str)).chain([MANIFEST]);
        let left = written.flat_map(|path| plan::ENDINGS.map(|ending| disk::beside(path, ending)));
        let left = left.filter(|path| matches!(read(folder, path), Ok(Some(_)))).collect();
        if differences.is_empty() {
            return Ok(Plan::only_removing(left));
        }
        let owned = self.owned(folder)?;
        let foreign = differences.iter().filter(|difference| {
            let path = difference.path.as_str();
            let is_ours = path == MANIFEST || owned.has(path) || self.merged.contains_key(path);
            // A file without content has nothing to lose, and cargo runs no build script without
            // one.
            let has_content = difference.old.as_ref().is_some_and(|text| !text.trim().is_empty());
            has_content && !is_ours
        });
        let foreign: Vec<&Difference> = foreign.collect();
        if let Some((first, others)) = foreign.split_first() {
            let others = others.len();
            let why = if List::is_lost(folder) {
                list::lost_list(folder, others)
            } else {
                list::foreign(others)
            };
            return Err(in_the_way(&folder.join(&first.path), &why));
        }
        Ok(Plan::new(self, &self.list(folder, &owned)?, differences, &owned, left))
    }

    /// The list after a run. A file that the user has put there is not on it, even if it is the
    /// same, such as a license: a later run must not remove it. Sources are on it, since a user
    /// cannot have written the same.
    fn list(&self, folder: &Path, owned: &List) -> io::Result<List> {
        let mut users = BTreeSet::new();
        for (path, text) in self.files.iter().filter(|(path, _)| !owned.has(path)) {
            let is_source = path.split('/').any(|part| part == SOURCES);
            if !is_source
                && read(folder, path)?.is_some_and(|bytes| digest::is_same(&bytes, text.as_bytes()))
            {
                users.insert(path.as_str());
            }
        }
        let list = List::from_tree(self).filter(|path| !users.contains(path));
        if !self.sources_only {
            return Ok(list);
        }
        Ok(list.and(List::read(folder)?.filter(|path| !Path::new(path).starts_with(SOURCES))))
    }

    /// The files that kapigen wrote before and that are still there. A run that makes only sources
    /// leaves the others to the user.
    fn owned(&self, folder: &Path) -> io::Result<List> {
        Ok(List::read(folder)?.filter(|path| {
            (!self.sources_only || Path::new(path).starts_with(SOURCES))
                && !self.merged.contains_key(path)
                && folder.join(path).is_file()
        }))
    }

    /// The files of kapigen that differ and were changed since it wrote them. Only
    /// [`overwrite`](Self::overwrite) replaces or removes them.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn changed_since<'a>(
        &self,
        folder: &Path,
        differences: &'a [Difference],
    ) -> io::Result<Vec<&'a str>> {
        let owned = self.owned(folder)?;
        let mut changed = Vec::new();
        for path in differences
            .iter()
            .map(|difference| difference.path.as_str())
            .filter(|path| owned.has(path))
        {
            if read(folder, path)?.is_some_and(|bytes| !owned.is_unchanged(path, &bytes)) {
                changed.push(path);
            }
        }
        Ok(changed)
    }

    /// Checks that no file that will be replaced or removed was changed since it was written.
    fn check_unchanged(&self, folder: &Path, differences: &[Difference]) -> io::Result<()> {
        let changed = self.changed_since(folder, differences)?;
        let Some((first, others)) = changed.split_first() else { return Ok(()) };
        let others = match others.len() {
            0 => String::new(),
            more => format!(", as were {more} others"),
        };
        let why = format!(
            "it was changed since kapigen wrote it{others}. Move the change into groups.yaml or \
             fixups.yaml and remove the file, or replace all changed files with `--overwrite`"
        );
        Err(in_the_way(&folder.join(first), &why))
    }
}
