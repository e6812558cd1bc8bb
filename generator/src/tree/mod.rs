//! The files of a crate: compared with a folder, or written to it.

mod digest;
pub mod documents;
mod lock;
mod paths;
mod plan;
pub mod workspace;

pub use crate::emit::tree::Tree;
use crate::visible::visible;
use lock::Lock;
pub use plan::{Plan, Step};

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

/// A file that is not the same in a tree and in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path of the file.
    pub path: String,
    /// The content in the folder, if it has the file. Bytes that are not UTF-8 are shown as `U+FFFD`.
    pub old: Option<String>,
    /// The content in the tree, if it has the file.
    pub new: Option<String>,
}

/// The list of the files that were written, in the folder itself. Only files in it are changed and removed.
pub const MANIFEST: &str = "src/.kapigen";

/// The first line of the list, by which it is known.
const MANIFEST_MARK: &str =
    "# The files in this folder that kapigen wrote. It removes those that it would not write again.";

impl Tree {
    /// The differences from a folder, by path: files that are missing, other, or left over.
    ///
    /// # Errors
    /// When the folder cannot be read, or has something in the way that is neither file nor folder of its own.
    pub fn compare(&self, folder: &Path) -> io::Result<Vec<Difference>> {
        let manifest = manifest(self.files.keys());
        let files = self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        let files: BTreeMap<_, _> = files.chain([(MANIFEST, manifest.as_str())]).collect();
        let owned = owned(folder)?;
        let mut differences = Vec::new();
        for path in files.keys().copied().chain(owned.iter().map(String::as_str)).collect::<BTreeSet<_>>() {
            let old = read(folder, path)?;
            let new = files.get(path).copied();
            if old.as_deref() != new.map(str::as_bytes) {
                let old = old.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                differences.push(Difference { path: path.to_owned(), old, new: new.map(str::to_owned) });
            }
        }
        Ok(differences)
    }

    /// Makes a folder the same as the tree, and returns the differences. Files that are the same already are not touched.
    ///
    /// An end at any time, even of the machine, leaves the folder as it was, or as it is to be, or as a crate that
    /// fails to compile with an explanation (see [`Plan`]). The next run completes it.
    ///
    /// # Errors
    /// When a file that kapigen did not write is in the way, or the disk is full or may not be written: then nothing
    /// has changed. When another run writes to the folder: then that one goes on.
    pub fn write(&self, folder: &Path) -> io::Result<Vec<Difference>> {
        let _lock = Lock::take(folder)?;
        let differences = self.compare(folder)?;
        self.plan(folder, &differences)?.carry_out(folder)?;
        Ok(differences)
    }

    /// The steps that remove the differences.
    ///
    /// # Errors
    /// When a file that kapigen did not write is in the way.
    pub fn plan(&self, folder: &Path, differences: &[Difference]) -> io::Result<Plan> {
        // Files that an earlier run staged and could not put in their places.
        let written = claimed(folder)?.into_iter().chain([MANIFEST.to_owned()]);
        let left = written.flat_map(|path| plan::ENDINGS.map(|ending| plan::beside(&path, ending)));
        let left = left.filter(|path| matches!(read(folder, path), Ok(Some(_)))).collect();
        if differences.is_empty() {
            return Ok(Plan::only_removing(left));
        }
        let owned = owned(folder)?;
        let ours = |path: &String| path == MANIFEST || owned.contains(path);
        if let Some(foreign) = differences.iter().find(|difference| difference.old.is_some() && !ours(&difference.path))
        {
            let path = folder.join(&foreign.path);
            return Err(in_the_way(&path, "kapigen did not write it. Move it away, or write to another folder"));
        }
        Ok(Plan::new(self, differences, &owned, left))
    }
}

/// Writes a file in one step: half of it is never visible. It is made beside its place and then renamed. A file that
/// has this text already is not touched.
///
/// # Errors
/// When the disk fails. The file is the old one then.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    let beside = path.with_file_name(plan::beside(&path.file_name().unwrap_or_default().to_string_lossy(), "new"));
    let made = stage(&beside, text).and_then(|()| fs::rename(&beside, path));
    made.map_err(|error| {
        // Nothing more can be done if this fails too.
        let _ = fs::remove_file(&beside);
        at(path, &error)
    })
}

/// Writes a file that is not there, or is left from a run that was interrupted. Never through a link.
fn stage(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|error| at(parent, &error))?;
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::File::create_new(path)?.write_all(text.as_bytes())
}

/// The content of the list of files.
fn manifest<'a>(paths: impl Iterator<Item = &'a String>) -> String {
    let paths: BTreeSet<&str> = paths.map(String::as_str).collect();
    let lines = [MANIFEST_MARK].into_iter().chain(paths);
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The files that kapigen wrote before and that are still there.
fn owned(folder: &Path) -> io::Result<BTreeSet<String>> {
    Ok(claimed(folder)?.into_iter().filter(|path| folder.join(path).is_file()).collect())
}

/// The files that kapigen wrote, or was about to write, by its list.
fn claimed(folder: &Path) -> io::Result<BTreeSet<String>> {
    let Some(list) = read(folder, MANIFEST)? else { return Ok(BTreeSet::new()) };
    let list = String::from_utf8_lossy(&list);
    let mut lines = list.lines();
    if lines.next() != Some(MANIFEST_MARK) {
        return Err(in_the_way(&folder.join(MANIFEST), "kapigen keeps the list of its files there"));
    }
    // Files in the list may be removed. It may have been edited, merged, or forged.
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    if let Some(foreign) = lines.iter().find(|line| !paths::is_ours(line)) {
        let why = format!("it lists `{}`, which kapigen never writes. Take that line out", visible(foreign));
        return Err(in_the_way(&folder.join(MANIFEST), &why));
    }
    Ok(lines.into_iter().map(str::to_owned).collect())
}

/// The content of a file, if there is one. Its place must be the folder's own: a link would lead out of it.
fn read(folder: &Path, path: &str) -> io::Result<Option<Vec<u8>>> {
    let file = folder.join(path);
    let parents: Vec<_> = Path::new(path).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty()).collect();
    for parent in parents.into_iter().rev().map(|parent| folder.join(parent)) {
        match kind(&parent)? {
            None => return Ok(None),
            Some(kind) if kind.is_dir() => {}
            Some(kind) if kind.is_symlink() => return Err(in_the_way(&parent, "a link leads out of the folder")),
            Some(_) => return Err(in_the_way(&parent, "a folder must be there")),
        }
    }
    match kind(&file)? {
        None => Ok(None),
        Some(kind) if kind.is_file() => fs::read(&file).map(Some).map_err(|error| at(&file, &error)),
        Some(kind) if kind.is_symlink() => Err(in_the_way(&file, "a link leads out of the folder")),
        Some(_) => Err(in_the_way(&file, "a file must be there")),
    }
}

/// The type of the file at a path, without following a link.
fn kind(path: &Path) -> io::Result<Option<fs::FileType>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata.file_type())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(path, &error)),
    }
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

fn in_the_way(path: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, format!("{} is in the way: {why}", path.display()))
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
