//! A lock, so that one run at a time writes to a folder.

use super::disk::cannot;
use crate::visible::shown;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The right to write to a folder, until it is dropped or the process ends.
pub(super) struct Lock {
    _file: File,
    /// Dropped after the file: a folder must not be in use when it is removed.
    _made: Made,
}

impl Lock {
    /// Locks a folder, and makes it if it is not there.
    ///
    /// # Errors
    /// When another run has the lock, or the folder can be neither opened nor made.
    pub(super) fn take(folder: &Path) -> io::Result<Self> {
        let made = Made::missing(folder);
        fs::create_dir_all(folder).map_err(|error| cannot("make", folder, &error))?;
        match lock(folder) {
            Ok(file) => Ok(Self { _file: file, _made: made }),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                // The other run may not have written anything yet, and needs the folder.
                made.keep();
                let message = format!(
                    "another run of kapigen writes to {}: run again when it is done",
                    shown(folder)
                );
                Err(io::Error::new(error.kind(), message))
            }
            Err(error) => Err(cannot("lock", folder, &error)),
        }
    }
}

/// A folder and its ancestors that did not exist before, innermost first. Empty ones are removed on
/// drop.
struct Made(Vec<PathBuf>);

impl Made {
    fn missing(folder: &Path) -> Self {
        let folders = folder
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        Self(folders.map(Path::to_owned).collect())
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // Fails where something was written, and that is right.
        let _ = self.0.iter().try_for_each(fs::remove_dir);
    }
}

/// Locks the folder itself, so that no file is left. Some file systems have no locks; there runs do
/// not exclude each other.
#[cfg(not(windows))]
fn lock(folder: &Path) -> io::Result<File> {
    let file = File::open(folder)?;
    match fs4::FileExt::try_lock(&file) {
        Err(fs4::TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        Ok(()) | Err(fs4::TryLockError::Error(_)) => Ok(file),
    }
}

/// Opens a file in the folder exclusively; it is removed when it is closed. Windows has no locks on
/// folders. A file of the user's with this name is refused, since it would be removed.
#[cfg(windows)]
fn lock(folder: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    /// `FILE_FLAG_DELETE_ON_CLOSE`.
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    /// `FILE_FLAG_OPEN_REPARSE_POINT`: a link is not followed.
    const OPEN_LINK: u32 = 0x0020_0000;
    /// `ERROR_ACCESS_DENIED`, for a file that is about to be removed, and
    /// `ERROR_SHARING_VIOLATION`.
    const IN_USE: [i32; 2] = [5, 32];
    let path = folder.join(".kapigen.lock");
    if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file() || found.len() > 0) {
        return Err(super::disk::in_the_way(&path, "kapigen has its lock there. Move it away"));
    }
    let mut options = File::options();
    options
        .create(true)
        .truncate(false)
        .write(true)
        .share_mode(0)
        .custom_flags(DELETE_ON_CLOSE | OPEN_LINK);
    options.open(&path).map_err(|error| match error.raw_os_error() {
        Some(code) if IN_USE.contains(&code) && path.exists() => io::ErrorKind::WouldBlock.into(),
        _ => error,
    })
}
