//! Errors of copies.

use crate::error::Error;
use kapigen_runtime::__private::Visible;
use std::fmt::{self, Write};
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a copy is not complete.
#[non_exhaustive]
pub enum CopyError {
    /// The server refused the process, or the connection broke.
    Session(Error),
    /// A local file cannot be read or written, or changes while it is copied.
    Local {
        /// The local path.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The copy has something that is not copied: a path or a link out of its folder, a device.
    Refused {
        /// The path within the copy.
        path: PathBuf,
        /// The reason.
        reason: &'static str,
    },
    /// The container sends no archive of tar.
    Malformed(&'static str),
    /// The archive has no end.
    Cut,
    /// The container has no `tar`.
    NoTar,
    /// The process in the container failed.
    Failed {
        /// Its exit code, if it is known.
        code: Option<i32>,
        /// The end of its error output.
        messages: String,
    },
    /// The copy has more bytes than [`CopyOptions::largest`](super::CopyOptions::largest).
    TooLarge(u64),
}

impl CopyError {
    /// An error of a local path.
    pub(super) fn local(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Local { path: path.to_owned(), error }
    }

    pub(super) fn refused(path: &Path, reason: &'static str) -> Self {
        Self::Refused { path: path.to_owned(), reason }
    }
}

impl From<Error> for CopyError {
    fn from(error: Error) -> Self {
        Self::Session(error)
    }
}

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        match self {
            Self::Session(error) => write!(f.0, "{error}"),
            Self::Local { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Refused { path, reason } => {
                write!(f, "`{}` is not copied: {reason}", path.display())
            }
            Self::Malformed(reason) => write!(f, "the container sends no archive: {reason}"),
            Self::Cut => f.write_str("the archive of the container was cut: nothing is copied"),
            Self::NoTar => f.write_str(
                "the container has no `tar`, by which files are copied: name another container of \
                 the pod that has the volume, such as an ephemeral one",
            ),
            Self::Failed { code, messages } => {
                f.write_str("the process in the container failed")?;
                if let Some(code) = code {
                    write!(f, " with the exit code {code}")?;
                }
                let messages = messages.trim();
                if messages.is_empty() { Ok(()) } else { write!(f, ": {messages}") }
            }
            Self::TooLarge(size) => {
                write!(f, "the copy has more than {size} bytes: see `CopyOptions::largest`")
            }
        }
    }
}

kapigen_runtime::__error!(
    CopyError: Session(error), Local { path, error }, Refused { path, reason }, Malformed(reason),
    Cut, NoTar, Failed { code, messages }, TooLarge(size)
);
