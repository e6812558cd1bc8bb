//! Options of copies, and what was copied.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

type Report = dyn Fn(Progress<'_>) + Send + Sync;

/// Options of a copy. The default copies links that stay in the folder, refuses others, and has no
/// limit.
#[derive(Clone, Default)]
pub struct CopyOptions {
    report: Option<Arc<Report>>,
    pub(super) largest: Option<u64>,
    pub(super) skips_links: bool,
}

/// The progress of a copy.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The current file, folder or link, within the copy.
    pub path: &'a Path,
    /// The files and bytes so far.
    pub copied: Copied,
    /// The bytes of all files. `None` for a copy from a container, which does not state them.
    pub total: Option<u64>,
}

/// The files and bytes of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copied {
    /// The number of files. Another name of the same file counts as one.
    pub files: u64,
    /// The number of folders.
    pub folders: u64,
    /// The number of links.
    pub links: u64,
    /// The number of links that were left out: see [`CopyOptions::skip_links`].
    pub skipped: u64,
    /// The bytes of the files.
    pub bytes: u64,
}

impl CopyOptions {
    /// Calls a function for each file, folder and link, and after each chunk of a file. It runs in
    /// the thread that reads or writes files, which waits for it.
    #[must_use]
    pub fn progress(self, report: impl Fn(Progress<'_>) + Send + Sync + 'static) -> Self {
        Self { report: Some(Arc::new(report)), ..self }
    }

    /// Sets the most bytes that a container may send, with some hundred for each file, folder and
    /// link. Without it there is no limit.
    #[must_use]
    pub fn largest(self, bytes: u64) -> Self {
        Self { largest: Some(bytes), ..self }
    }

    /// Leaves out links that a copy from a container refuses, since they lead out of its folder.
    /// They are counted.
    #[must_use]
    pub fn skip_links(self) -> Self {
        Self { skips_links: true, ..self }
    }
}

impl fmt::Debug for CopyOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyOptions").field("largest", &self.largest).finish_non_exhaustive()
    }
}

/// Counts a copy.
pub(super) struct Counter {
    pub(super) options: CopyOptions,
    pub(super) copied: Copied,
    pub(super) total: Option<u64>,
}

impl Counter {
    pub(super) fn new(options: &CopyOptions) -> Self {
        Self { options: options.clone(), copied: Copied::default(), total: None }
    }

    /// Counts bytes of a file.
    pub(super) fn bytes(&mut self, path: &Path, count: usize) {
        self.copied.bytes += count as u64;
        self.report(path);
    }

    pub(super) fn report(&self, path: &Path) {
        if let Some(report) = &self.options.report {
            report(Progress { path, copied: self.copied, total: self.total });
        }
    }
}
