//! Files of a run, as text. At most a limit is read, and entries of a folder are read only if they
//! are regular files: devices and pipes have no size and may be endless.

use super::LARGEST;
use crate::error::Error;
use crate::visible::shown;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The path that means standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// The content of a file that a user named, which may be a pipe, or of standard input. These can be
/// read only once. `again` returns the same content a second time, for the lines of errors.
pub(super) fn named(path: &Path, again: bool) -> io::Result<String> {
    static ONCE: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());
    let is_input = path == Path::new(STANDARD_INPUT);
    if !is_input && fs::metadata(path)?.is_file() {
        return limited(File::open(path)?);
    }
    if again || is_input {
        match ONCE.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            Some(text) => return Ok(text.clone()),
            None if again => return Err(io::ErrorKind::NotFound.into()),
            None => {}
        }
    }
    let text = if is_input { limited(io::stdin())? } else { limited(File::open(path)?)? };
    ONCE.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), text.clone());
    Ok(text)
}

/// The content of a file that kapigen looks for, or a link to one.
pub(crate) fn found(path: &Path) -> io::Result<String> {
    let kind = fs::metadata(path)?.file_type();
    if !kind.is_file() {
        let message = format!("it is {}, and no regular file", what(kind));
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    limited(File::open(path)?)
}

pub(super) fn unreadable(path: &Path, error: &dyn Display) -> Error {
    Error::new(format!("cannot read {}: {error}", shown(path)))
}

/// The kind of a file, in words.
pub(crate) fn what(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let special = [
            (kind.is_fifo(), "a named pipe"),
            (kind.is_socket(), "a socket"),
            (kind.is_char_device() || kind.is_block_device(), "a device"),
        ];
        if let Some((_, name)) = special.into_iter().find(|(is, _)| *is) {
            return name;
        }
    }
    match kind {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_symlink() => "a link",
        kind if kind.is_file() => "a file",
        _ => "no file or folder",
    }
}

fn limited(source: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    source.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > LARGEST {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {LARGEST} bytes"),
        ));
    }
    String::from_utf8(bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, not_utf8(error.as_bytes())))
}

/// The message for a file in another encoding. Windows PowerShell redirects output as UTF-16.
fn not_utf8(bytes: &[u8]) -> String {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return "it is encoded as UTF-16; save it as UTF-8".to_owned();
    }
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let line = 1 + valid.matches('\n').count();
    format!("line {line} is not UTF-8; save it as UTF-8")
}
