//! A lock, so that one run at a time writes to a folder.

use super::at;
use fs4::{FileExt, TryLockError};
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
        fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
        let file = open(folder).map_err(|error| at(folder, &error))?;
        match FileExt::try_lock(&file) {
            Err(TryLockError::WouldBlock) => {
                let message =
                    format!("another run of kapigen writes to {}: run again when it is done", folder.display());
                Err(io::Error::new(io::ErrorKind::WouldBlock, message))
            }
            // Some file systems have no locks; there runs do not exclude each other.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { folder: folder.to_owned(), made, _file: file }),
        }
    }
}

/// The folder itself, so that no file is left. Where folders cannot be opened, a file in it.
fn open(folder: &Path) -> io::Result<File> {
    if cfg!(unix) {
        File::open(folder)
    } else {
        File::options().create(true).truncate(false).write(true).open(folder.join(".kapigen.lock"))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.made {
            // Fails where something was written, and that is right.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}
