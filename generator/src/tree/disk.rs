//! The files of a folder: read, replaced in one step, and the errors of that.

use crate::error::{Error, Errors};
use crate::input::file::what;
use crate::visible::shown;
use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

/// The extension of the hidden names of staged files. Nobody else uses it, so such files can be
/// removed.
pub(super) const NEW: &str = "kapigen-new";

/// A hidden name for a staged file.
pub(super) fn beside(path: &str, ending: &str) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let separator = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{separator}.{name}.{ending}")
}

/// Writes a file in one step: half of it is never visible. It is made beside its place and then
/// renamed. A file that has this content already is not touched.
///
/// # Errors
/// When something other than a file is there. When the disk fails. Nothing is changed then.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    if is_there(path)? && fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    let beside =
        path.with_file_name(beside(&path.file_name().unwrap_or_default().to_string_lossy(), NEW));
    stage(&beside, text)
        .and_then(|()| fs::rename(&beside, path).inspect_err(|_| drop(fs::remove_file(&beside))))
        .map_err(|error| cannot("write", path, &error))
}

/// Writes a file that is not there, or is left from a run that was interrupted. Half of it is
/// removed.
pub(super) fn stage(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    if is_there(path)? {
        fs::remove_file(path)?;
    }
    let mut file = fs::File::create_new(path)?;
    // Nothing more can be done if removing fails, too.
    file.write_all(text.as_bytes()).inspect_err(|_| drop(fs::remove_file(path)))
}

const LINK: &str = "it is a link, and kapigen follows none here. Remove it";

/// The content of a file, if there is one. Its place must be the folder's own: a link would lead
/// out of it.
///
/// # Errors
/// When something other than a file or folder is at or above the path. When it cannot be read.
pub fn read(folder: &Path, path: &str) -> io::Result<Option<Vec<u8>>> {
    let file = folder.join(path);
    let parents: Vec<_> = Path::new(path)
        .ancestors()
        .skip(1)
        .filter(|parent| !parent.as_os_str().is_empty())
        .collect();
    for parent in parents.into_iter().rev().map(|parent| folder.join(parent)) {
        match kind(&parent)? {
            None => return Ok(None),
            Some(kind) if kind.is_dir() => {}
            Some(kind) if kind.is_symlink() => return Err(in_the_way(&parent, LINK)),
            Some(kind) => return Err(not(&parent, "a folder", kind)),
        }
    }
    if !is_there(&file)? {
        return Ok(None);
    }
    fs::read(&file).map(Some).map_err(|error| cannot("read", &file, &error))
}

/// Whether a file exists. Anything else is an error: a link points elsewhere, and a device or a
/// pipe is more than its content.
fn is_there(path: &Path) -> io::Result<bool> {
    match kind(path)? {
        None => Ok(false),
        Some(kind) if kind.is_file() => Ok(true),
        Some(kind) if kind.is_symlink() => Err(in_the_way(path, LINK)),
        Some(kind) => Err(not(path, "a file", kind)),
    }
}

/// The error for a path with another kind of file than the required one.
fn not(path: &Path, wanted: &str, found: fs::FileType) -> io::Error {
    let why = format!("it is {}, and {wanted} must be there. Move it away", what(found));
    in_the_way(path, &why)
}

/// The type of the file at a path, without following a link.
fn kind(path: &Path) -> io::Result<Option<fs::FileType>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata.file_type())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot("read", path, &error)),
    }
}

pub(super) fn remove_empty_folders(folder: &Path, path: &str) {
    let parents =
        Path::new(path).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
    for parent in parents {
        // Fails where something else is left, and that is right.
        if fs::remove_dir(folder.join(parent)).is_err() {
            break;
        }
    }
}

/// A failure after some files were replaced and before all were.
#[derive(Debug)]
struct Incomplete(String);

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Incomplete {}

/// Converts an error of reading or writing a folder to the form of input errors.
pub(crate) fn refused(error: &io::Error) -> Errors {
    let mut errors = Errors::from(Error::new(error.to_string()));
    errors.incomplete =
        error.get_ref().and_then(|inner| inner.downcast_ref::<Incomplete>()).is_some();
    errors
}

/// Adds to an error of the disk what may be incomplete because of it.
pub(super) fn incomplete(what: &str, error: &io::Error) -> io::Error {
    let message = format!("{error}. Until the same command succeeds, {what} may be incomplete");
    io::Error::new(error.kind(), Incomplete(message))
}

pub(super) fn in_the_way(path: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, format!("{} is in the way: {why}", shown(path)))
}

pub(super) fn cannot(action: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {action} {}: {error}", shown(path)))
}
