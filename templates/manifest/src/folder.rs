//! Files on a disk.

use crate::error::{Error, Errors, Origin};
use crate::manifests::Manifests;
use crate::parse::parse;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The endings of the files of a folder that are manifests.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

/// Reads a file, or the files of a folder whose names end in `.yaml`, `.yml` or `.json`, in the
/// order of their names. Folders within it are left out, as kubectl does without `--recursive`.
///
/// # Errors
/// All errors of all files at once. Files and folders that cannot be read, and a folder without
/// such files.
pub fn read(path: impl AsRef<Path>) -> Result<Manifests, Errors> {
    let path = path.as_ref();
    let mut errors = Errors::default();
    let mut all = Manifests::default();
    let files = if path.is_dir() { files(path) } else { Ok(vec![path.to_owned()]) };
    let files = files.unwrap_or_else(|error| {
        errors.push(of_disk(path, &error.to_string()));
        Vec::new()
    });
    for file in files {
        let read = match fs::read(&file) {
            Ok(bytes) => parse(&file.to_string_lossy(), &bytes),
            Err(error) => {
                errors.push(of_disk(&file, &error.to_string()));
                continue;
            }
        };
        match read {
            Ok(manifests) => {
                all.objects.extend(manifests.objects);
                all.empty += manifests.empty;
            }
            Err(others) => errors.append(others),
        }
    }
    errors.into_result(all)
}

/// The manifests of a folder. To find none is most often the wrong folder.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let is_manifest = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
            && path.is_file()
    };
    let mut files: Vec<PathBuf> = entries.into_iter().filter(is_manifest).collect();
    files.sort();
    if files.is_empty() {
        let message = format!("the folder has no file that ends in .{}", ENDINGS.join(", ."));
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    Ok(files)
}

fn of_disk(path: &Path, message: &str) -> Error {
    Error { origin: Origin::file(&path.to_string_lossy().into()), message: message.to_owned() }
}
