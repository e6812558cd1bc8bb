//! The files of a folder: read, replaced in one step, and the errors of that.

use crate::error::{Error, Errors};
use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

/// The ending of the hidden names of staged files. It is one that nobody else gives, since such
/// files are removed.
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
/// When the disk fails. The file is the old one then.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    let beside =
        path.with_file_name(beside(&path.file_name().unwrap_or_default().to_string_lossy(), NEW));
    let made = stage(&beside, text).and_then(|()| fs::rename(&beside, path));
    made.map_err(|error| {
        // Nothing more can be done if this fails too.
        let _ = fs::remove_file(&beside);
        cannot("write", path, &error)
    })
}

/// Writes a file that is not there, or is left from a run that was interrupted. Never through a
/// link.
pub(super) fn stage(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::File::create_new(path)?.write_all(text.as_bytes())
}

const LINK: &str = "it is a link, and kapigen follows none here. Remove it";

/// The content of a file, if there is one. Its place must be the folder's own: a link would lead
/// out of it.
pub(super) fn read(folder: &Path, path: &str) -> io::Result<Option<Vec<u8>>> {
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
            Some(_) => return Err(in_the_way(&parent, "a folder must be there. Move it away")),
        }
    }
    match kind(&file)? {
        None => Ok(None),
        Some(kind) if kind.is_file() => {
            fs::read(&file).map(Some).map_err(|error| cannot("read", &file, &error))
        }
        Some(kind) if kind.is_symlink() => Err(in_the_way(&file, LINK)),
        Some(_) => Err(in_the_way(&file, "a file must be there. Move it away")),
    }
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

/// An error of reading or writing a folder, in the form of those of the input.
pub(crate) fn refused(error: &io::Error) -> Errors {
    let mut errors = Errors::from(Error::new(error.to_string()));
    errors.incomplete =
        error.get_ref().and_then(|inner| inner.downcast_ref::<Incomplete>()).is_some();
    errors
}

/// Adds what a failure of the disk may leave.
pub(super) fn incomplete(what: &str, error: &io::Error) -> io::Error {
    let message = format!("{error}. Until the same command succeeds, {what} may be incomplete");
    io::Error::new(error.kind(), Incomplete(message))
}

pub(super) fn in_the_way(path: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, format!("{} is in the way: {why}", path.display()))
}

pub(super) fn cannot(action: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {action} {}: {error}", path.display()))
}
