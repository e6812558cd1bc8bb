//! Files on a disk.

use crate::error::{Error, Errors, Origin};
use crate::manifests::Manifests;
use crate::parse::parse;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The endings of the files of a folder that are manifests.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

/// The greatest number of bytes of a file.
const LARGEST: u64 = 64 << 20;

/// Reads a file, or the files in a folder with the extension `.yaml`, `.yml` or `.json`, in the
/// order of their names. Subfolders are skipped, as kubectl does without `--recursive`, and so is
/// anything that is not a file, such as a pipe.
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
        let read = match bytes(&file) {
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

/// The manifests of a folder. A folder without any is most often the wrong one.
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

/// The content of a file. Devices and pipes have no size and need not end: of no file, more is read
/// than can be parsed.
fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(file)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        let message = format!("it has more than {LARGEST} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

fn of_disk(path: &Path, message: &str) -> Error {
    Error { origin: Origin::file(&path.to_string_lossy().into()), message: message.to_owned() }
}
