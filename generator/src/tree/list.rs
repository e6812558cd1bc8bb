//! The list of the files that were written, in the folder itself. Listed files may be changed and removed, as long as
//! only kapigen has changed them.

use super::digest::digest;
use super::plan::STOP;
use super::{Tree, in_the_way, paths, read};
use crate::visible::visible;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// The path of the list below the folder.
pub const MANIFEST: &str = "src/.kapigen";

/// The first line of the list, by which it is known.
const MARK: &str = "# The files in this folder that kapigen wrote. It removes those that it would not write again.";

/// The beginnings of lines that git adds to a file that it cannot merge.
const CONFLICT: [&str; 4] = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "];

/// Files and the digests of their contents. A file has several while one content replaces another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct List {
    files: BTreeMap<String, BTreeSet<String>>,
}

impl List {
    /// The list of a tree. A file that is partly the user's is not on it.
    pub(super) fn of(tree: &Tree) -> Self {
        let own = tree.files.iter().filter(|(path, _)| !tree.merged.contains_key(*path));
        Self { files: own.map(|(path, text)| (path.clone(), BTreeSet::from([digest(text.as_bytes())]))).collect() }
    }

    /// Reads the list of a folder. One that does not exist is empty.
    ///
    /// # Errors
    /// When it cannot be read, or has an entry that is never written.
    pub(super) fn read(folder: &Path) -> io::Result<Self> {
        let Some(bytes) = read(folder, MANIFEST)? else { return Ok(Self::default()) };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        if lines.next() != Some(MARK) {
            return Err(in_the_way(&folder.join(MANIFEST), "kapigen keeps the list of its files there"));
        }
        if text.lines().any(|line| CONFLICT.iter().any(|mark| line.starts_with(mark))) {
            let why = "git could not merge it. Keep the lines of both sides, and run `kapigen generate --overwrite`";
            return Err(in_the_way(&folder.join(MANIFEST), why));
        }
        let mut list = Self::default();
        // Files in the list may be removed. It may have been edited, merged, or forged.
        for line in lines.filter(|line| !line.starts_with('#')) {
            let mut words = line.split(' ');
            let path = words.next().unwrap_or_default();
            let digests: BTreeSet<String> = words.map(str::to_owned).collect();
            if !paths::is_ours(path) || !digests.iter().all(|digest| is_digest(digest)) {
                let why = format!("it lists `{}`, which kapigen never writes. Take that line out", visible(line));
                return Err(in_the_way(&folder.join(MANIFEST), &why));
            }
            if digests.is_empty() {
                let why = format!("it lists `{path}` without a digest of what kapigen wrote. Take that line out");
                return Err(in_the_way(&folder.join(MANIFEST), &why));
            }
            list.files.entry(path.to_owned()).or_default().extend(digests);
        }
        Ok(list)
    }

    /// The content of the list.
    pub(super) fn text(&self) -> String {
        let line = |(path, digests): (&String, &BTreeSet<String>)| {
            let words: Vec<&str> = [path.as_str()].into_iter().chain(digests.iter().map(String::as_str)).collect();
            words.join(" ") + "\n"
        };
        [format!("{MARK}\n")].into_iter().chain(self.files.iter().map(line)).collect()
    }

    /// The files of both, with all of their digests.
    pub(super) fn and(mut self, other: Self) -> Self {
        for (path, digests) in other.files {
            self.files.entry(path).or_default().extend(digests);
        }
        self
    }

    /// The files for which this holds.
    pub(super) fn filter(mut self, is_kept: impl Fn(&str) -> bool) -> Self {
        self.files.retain(|path, _| is_kept(path));
        self
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Whether a listed file is as it was written.
    pub(super) fn is_unchanged(&self, path: &str, bytes: &[u8]) -> bool {
        let is_known = |digests: &BTreeSet<String>| digests.contains(&digest(bytes));
        bytes == STOP.as_bytes() || self.files.get(path).is_some_and(is_known)
    }
}

fn is_digest(word: &str) -> bool {
    word.len() == 16 && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
