//! Files on a disk.

use super::error::{Error, Errors, Origin};
use super::manifests::Manifests;
use super::parse::parse;
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
    let files = if path.is_dir() { manifests_in(path) } else { Ok(vec![path.to_owned()]) };
    let mut errors = Errors::default();
    let mut all = Manifests::default();
    for file in files.map_err(|error| unreadable(path, &error))? {
        let read = match content(&file) {
            Ok(content) => parse(&file.to_string_lossy(), &content),
            Err(error) => Err(unreadable(&file, &error)),
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
fn manifests_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().unwrap_or_default();
        if ENDINGS.iter().any(|known| ending == *known) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        let message = format!("the folder has no file that ends in .{}", ENDINGS.join(", ."));
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    Ok(files)
}

/// The content of a file, up to the limit: devices and pipes have no size and need not end.
fn content(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(file)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        let message = format!("it has more than {LARGEST} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

fn unreadable(path: &Path, error: &io::Error) -> Errors {
    let origin = Origin::whole_file(&path.to_string_lossy().into());
    let mut errors = Errors::default();
    errors.push(Error { origin, message: error.to_string() });
    errors
}
