//! Reads the files that a user names, up to a size limit and never from endless sources.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{MAIN_SEPARATOR, Path};

/// The most bytes of a file: as many as the YAML reader accepts.
const MOST: u64 = 64 << 20;

/// A path as messages have it, with `/` on every system: users name folders so, and the files in
/// them have the separator of the system.
pub(crate) fn shown(path: &Path) -> String {
    path.to_string_lossy().replace(MAIN_SEPARATOR, "/")
}

/// The text of a regular file or, if the user named it, of a pipe, such as `<(command)` of a shell.
///
/// # Errors
/// When it is neither, cannot be read, or is too large.
pub(crate) fn read(path: &Path, is_named: bool) -> Result<String, String> {
    let found = fs::metadata(path).map_err(|error| cannot_read(path, &error))?;
    let is_pipe = is_named && is_pipe(&found);
    if !is_pipe && !found.is_file() {
        return Err(format!("`{}` is no regular file\n  help: name a file or a pipe", shown(path)));
    }
    let opened = if is_pipe { open_pipe(path) } else { File::open(path) };
    let mut bytes = Vec::new();
    opened
        .and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes))
        .map_err(|error| cannot_read(path, &error))?;
    if bytes.len() as u64 > MOST {
        return Err(format!("`{}` has more than {} MiB", shown(path), MOST >> 20));
    }
    if is_pipe && bytes.is_empty() {
        return Err(format!("nothing writes to the pipe `{}`", shown(path)));
    }
    String::from_utf8(bytes).map_err(|error| cannot_read(path, &error.utf8_error()))
}

pub(crate) fn cannot_read(path: &Path, error: &dyn Error) -> String {
    format!("cannot read `{}`: {error}", shown(path))
}

#[cfg(unix)]
fn is_pipe(found: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

/// Opens a pipe, which `File` would do only when something writes to it.
#[cfg(unix)]
fn open_pipe(path: &Path) -> io::Result<File> {
    use tokio::net::unix::pipe::OpenOptions;

    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let _entered = runtime.enter();
    Ok(OpenOptions::new().open_receiver(path)?.into_blocking_fd()?.into())
}

#[cfg(not(unix))]
fn open_pipe(path: &Path) -> io::Result<File> {
    File::open(path)
}
