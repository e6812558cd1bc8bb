//! Errors of folders: files in the way, and failures of the disk.

use super::MANIFEST;
use crate::error::{Error, Errors};
use std::fmt;
use std::io;
use std::path::Path;

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
    errors.incomplete = error.get_ref().and_then(|inner| inner.downcast_ref::<Incomplete>()).is_some();
    errors
}

/// Adds what a failure of the disk may leave.
pub(super) fn incomplete(what: &str, error: &io::Error) -> io::Error {
    let message = format!("{error}. Until the same command succeeds, {what} may be incomplete");
    io::Error::new(error.kind(), Incomplete(message))
}

/// The reason and the way out if kapigen did not write a file.
pub(super) fn foreign(others: usize) -> String {
    format!("kapigen did not write it{}. Move it away, or write to another folder", counted(", nor", others))
}

/// The number of other files, if there are any.
fn counted(before: &str, others: usize) -> String {
    match others {
        0 => String::new(),
        1 => format!("{before} 1 other"),
        more => format!("{before} {more} others"),
    }
}

/// The reason and the way out if another file is where the list of kapigen's files must be.
pub(super) fn foreign_list(folder: &Path) -> String {
    let list = folder.join(MANIFEST);
    let list = list.display();
    format!(
        "kapigen keeps the list of its files there, and this file is not that list. Restore the list, such as by `git restore \
         {list}`, or move the file away"
    )
}

/// The reason and the way out if the list of kapigen's files is not in their folder.
pub(super) fn lost_list(folder: &Path, others: usize) -> String {
    let others = counted(" and", others);
    let list = folder.join(MANIFEST);
    let list = list.display();
    let folder = if folder == Path::new(".") { "this folder".into() } else { folder.to_string_lossy() };
    format!(
        "the list of kapigen's files, {list}, is missing, so that this one{others} may be yours. Restore the list, \
         such as by `git restore {list}`, or move the files in {folder} elsewhere, run again, and put your own back"
    )
}

pub(super) fn in_the_way(path: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, format!("{} is in the way: {why}", path.display()))
}

pub(super) fn cannot(action: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {action} {}: {error}", path.display()))
}
