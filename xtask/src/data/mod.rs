//! `cargo xtask data`: the archives of `tests/data`.

mod embed;
mod import;

use crate::{Failure, at};
use clap::Subcommand;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};
use test_data::archive::{self, Files};

/// A chore for the data of tests.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Unpacks sets, and prints their folders.
    Unpack {
        /// Their names; all if none is given.
        sets: Vec<String>,
    },
    /// Lists all sets, the files of one, or prints one file.
    Show {
        /// A set, or a file of it, such as `rules/crd.json`.
        path: Option<String>,
    },
    /// Compresses the documents of Kubernetes that kapigen-fake contains.
    Embed,
    /// Makes the archive of a set from the files of a folder.
    Pack {
        /// The folder, named as the set.
        folder: PathBuf,
    },
    /// Makes archives from a folder of originals, without the parts that are for people: see
    /// tests/data/README.md.
    Import {
        /// The folder of originals.
        folder: PathBuf,
        /// The names of the sets; all that are in the folder if none is given.
        sets: Vec<String>,
    },
}

/// Does one of them.
///
/// # Errors
/// When an archive or an original is absent or damaged, or the disk fails.
pub fn run(action: &Action, out: &mut dyn Write) -> Result<bool, Failure> {
    match action {
        Action::Unpack { sets } => {
            let all = if sets.is_empty() { &test_data::sets()? } else { sets };
            for set in all {
                writeln!(out, "{}", test_data::unpacked(set)?.display())?;
            }
        }
        Action::Embed => embed::run(out)?,
        Action::Show { path } => show(path.as_deref(), out)?,
        Action::Pack { folder } => {
            let set = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let files = archive::files_of_folder(folder).map_err(at(folder))?;
            pack(set, &files, out)?;
        }
        Action::Import { folder, sets } => import::run(folder, sets, out)?,
    }
    Ok(true)
}

/// Prints the names and sizes of sets or of the files of one, or a file.
fn show(path: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(path) = path else {
        for set in test_data::sets()? {
            let archive = test_data::archive_of(&set);
            let length = fs::metadata(&archive).map_err(at(&archive))?.len();
            writeln!(out, "{length:>9} {set}")?;
        }
        return Ok(());
    };
    let (set, file) = path.split_once('/').unwrap_or((path, ""));
    let files = files(set)?;
    if file.is_empty() {
        for (name, bytes) in files {
            writeln!(out, "{:>9} {set}/{name}", bytes.len())?;
        }
        return Ok(());
    }
    let bytes = files.get(file).ok_or_else(|| {
        Failure::Manifest(format!(
            "no file `{path}`\n  help: `cargo xtask data show {set}` lists its files"
        ))
    })?;
    Ok(out.write_all(bytes)?)
}

/// The files of a set.
pub(crate) fn files(set: &str) -> Result<Files, Failure> {
    let path = test_data::archive_of(set);
    archive::files(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::Manifest(format!(
            "no set `{set}`\n  help: `cargo xtask data show` lists the sets"
        )),
        _ => at(&path)(error).into(),
    })
}

/// Writes the archive of a set, and prints its size.
fn pack(set: &str, files: &Files, out: &mut dyn Write) -> Result<(), Failure> {
    let path = test_data::archive_of(set);
    let bytes = archive::pack(files)?;
    write(&path, &bytes)?;
    let count = files.len();
    Ok(writeln!(out, "{}: {count} files, {} bytes", path.display(), bytes.len())?)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Ok(fs::write(path, bytes).map_err(at(path))?)
}
