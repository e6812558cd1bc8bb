//! A lock, so that one run at a time writes to a folder.

use super::cannot;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The right to write to a folder, until it is dropped or the process ends.
pub(super) struct Lock {
    folder: PathBuf,
    /// Whether the folder was not there before.
    made: bool,
    _file: File,
}

impl Lock {
    /// Locks a folder, and makes it if it is not there.
    ///
    /// # Errors
    /// When another run has the lock, or the folder can be neither opened nor made.
    pub(super) fn take(folder: &Path) -> io::Result<Self> {
        let made = !folder.exists();
        fs::create_dir_all(folder).map_err(|error| cannot("make", folder, &error))?;
        match lock(folder) {
            Ok(file) => Ok(Self { folder: folder.to_owned(), made, _file: file }),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let message =
                    format!("another run of kapigen writes to {}: run again when it is done", folder.display());
                Err(io::Error::new(error.kind(), message))
            }
            Err(error) => Err(cannot("lock", folder, &error)),
        }
    }
}

/// Locks the folder itself, so that no file is left. Some file systems have no locks; there runs do not exclude each
/// other.
#[cfg(not(windows))]
fn lock(folder: &Path) -> io::Result<File> {
    let file = File::open(folder)?;
    match fs4::FileExt::try_lock(&file) {
        Err(fs4::TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        Ok(()) | Err(fs4::TryLockError::Error(_)) => Ok(file),
    }
}

/// Opens a file in the folder that nobody else can open, and that is removed when it is closed. Folders have no locks
/// there.
#[cfg(windows)]
fn lock(folder: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    /// `FILE_FLAG_DELETE_ON_CLOSE`.
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    /// `ERROR_ACCESS_DENIED`, for a file that is about to be removed, and `ERROR_SHARING_VIOLATION`.
    const IN_USE: [i32; 2] = [5, 32];
    let path = folder.join(".kapigen.lock");
    let mut options = File::options();
    options.create(true).truncate(false).write(true).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    options.open(&path).map_err(|error| match error.raw_os_error() {
        Some(code) if IN_USE.contains(&code) && path.exists() => io::ErrorKind::WouldBlock.into(),
        _ => error,
    })
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.made {
            // Fails where something was written, and that is right.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}
