//! A folder of documents that were fetched from a server, and the record of the files that were
//! written there.

use super::Difference;
use super::digest::{digest, is_same};
use super::disk::{cannot, in_the_way, incomplete, read, remove_empty_folders, replace};
use super::lock::Lock;
use crate::visible::visible;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

/// The path of the record below the folder. Hidden files are not documents.
pub const RECORD: &str = ".kapigen-pull.json";

/// The documents that were written to a folder, by their paths, and the server that they are from.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The documents.
    pub documents: BTreeMap<String, RecordEntry>,
}

/// A document of a record.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RecordEntry {
    /// The hash that the server states for the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The digest of the file, by which a later change of it is noticed. There are several, with
    /// spaces between them, while one content replaces another.
    pub digest: String,
}

impl RecordEntry {
    /// Whether a file has a content that was written.
    fn is_of(&self, bytes: &[u8]) -> bool {
        let digest = digest(bytes);
        self.digest.split(' ').any(|known| known == digest)
    }

    /// The entry for the time in which a file may have its old content or the new one, for which
    /// there is no hash.
    fn or(&self, new: &Self) -> Self {
        if self.digest == new.digest {
            return new.clone();
        }
        Self { hash: None, digest: format!("{} {}", self.digest, new.digest) }
    }
}

/// A document of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PulledDocument {
    /// The hash that the server states for it.
    pub hash: Option<String>,
    /// Its content. `None` when the file in the folder is current.
    pub text: Option<String>,
}

impl Record {
    /// Reads the record of a folder. One that does not exist is empty.
    ///
    /// # Errors
    /// When it cannot be read, or lists a file that is never written.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let Some(bytes) = read(folder, RECORD)? else { return Ok(Self::default()) };
        let path = folder.join(RECORD);
        let record: Self = serde_json::from_slice(&bytes).map_err(|error| {
            in_the_way(
                &path,
                &format!("it is not a record of pulled documents ({error}). Remove it"),
            )
        })?;
        match record.documents.keys().find(|path| !is_document(path)) {
            Some(foreign) => {
                let foreign = visible(foreign);
                Err(in_the_way(
                    &path,
                    &format!("it lists `{foreign}`, which kapigen never writes. Remove that"),
                ))
            }
            None => Ok(record),
        }
    }

    /// Whether the folder has the document with this hash, as it was written.
    #[must_use]
    pub fn is_current(&self, folder: &Path, path: &str, hash: Option<&str>) -> bool {
        let entry = self
            .documents
            .get(path)
            .filter(|entry| hash.is_some() && entry.hash.as_deref() == hash);
        entry.is_some_and(
            |entry| matches!(read(folder, path), Ok(Some(bytes)) if entry.is_of(&bytes)),
        )
    }

    /// Makes a folder have these documents and no others that were written before, and returns the
    /// differences.
    ///
    /// # Errors
    /// When a file is in the way that was not written before or was changed since, or another run
    /// has changed the record since it was read: then nothing has changed. When the disk fails.
    pub fn replace(
        &self,
        folder: &Path,
        server: Option<String>,
        documents: &BTreeMap<String, PulledDocument>,
    ) -> io::Result<Vec<Difference>> {
        let _lock = Lock::take(folder)?;
        if Self::read(folder)? != *self {
            return Err(in_the_way(
                &folder.join(RECORD),
                "it was changed while kapigen ran. Run again",
            ));
        }
        let mut differences = Vec::new();
        let mut record = Self { server, documents: BTreeMap::new() };
        for path in documents.keys().chain(self.documents.keys()).collect::<BTreeSet<_>>() {
            let old = read(folder, path)?;
            let new = documents.get(path);
            let text = match new {
                Some(PulledDocument { text: Some(text), .. }) => Some(text.as_bytes()),
                Some(PulledDocument { text: None, .. }) => old.as_deref(),
                None => None,
            };
            let is_current = match (old.as_deref(), text) {
                (Some(old), Some(text)) => is_same(old, text),
                (old, text) => old == text,
            };
            if let Some(old) = old.as_deref().filter(|_| !is_current) {
                self.check(folder, path, old)?;
            }
            // A document that the user has put there is the user's, even if it is the same: it must
            // never be removed.
            let is_ours = old.is_none() || self.documents.contains_key(path);
            if let (true, Some(text), Some(new)) = (is_ours, text, new) {
                let entry = RecordEntry { hash: new.hash.clone(), digest: digest(text) };
                record.documents.insert(path.clone(), entry);
            }
            if !is_current {
                let [old, new] = [old.as_deref(), text]
                    .map(|text| text.map(|t| String::from_utf8_lossy(t).into_owned()));
                differences.push(Difference { path: path.clone(), old, new });
            }
        }
        self.and(&record).save(folder)?;
        let written = differences.iter().try_for_each(|difference| carry_out(folder, difference));
        let written = written.and_then(|()| record.save(folder));
        written.map_err(|error| incomplete("the documents", &error))?;
        Ok(differences)
    }

    /// The record while files are replaced. Even after an interruption it lists every file that was
    /// written.
    fn and(&self, new: &Self) -> Self {
        let mut both = self.clone();
        for (path, entry) in &new.documents {
            let entry = self.documents.get(path).map_or_else(|| entry.clone(), |old| old.or(entry));
            both.documents.insert(path.clone(), entry);
        }
        both
    }

    /// Checks that a file is as kapigen wrote it.
    fn check(&self, folder: &Path, path: &str, bytes: &[u8]) -> io::Result<()> {
        let why = match self.documents.get(path) {
            Some(entry) if entry.is_of(bytes) => return Ok(()),
            Some(_) => {
                "it was changed since kapigen wrote it. Put corrections into fixups.yaml, and \
                 remove the file"
            }
            None => "kapigen did not write it. Move it away, or pull into another folder",
        };
        Err(in_the_way(&folder.join(path), why))
    }

    fn save(&self, folder: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(io::Error::from)?;
        replace(&folder.join(RECORD), &(text + "\n"))
    }
}

fn carry_out(folder: &Path, difference: &Difference) -> io::Result<()> {
    let path = folder.join(&difference.path);
    if let Some(text) = &difference.new {
        return replace(&path, text);
    }
    fs::remove_file(&path).map_err(|error| cannot("remove", &path, &error))?;
    remove_empty_folders(folder, &difference.path);
    Ok(())
}

/// Whether a path belongs to a document or a definition: `api/v1.json`, `apis/apps/v1.json`,
/// `definitions/widgets.example.com.yaml`.
#[must_use]
pub fn is_document(path: &str) -> bool {
    if let Some(name) =
        path.strip_prefix("definitions/").and_then(|path| path.strip_suffix(".yaml"))
    {
        return is_name(name);
    }
    let parts: Option<Vec<&str>> = path.strip_suffix(".json").map(|path| path.split('/').collect());
    match parts.as_deref() {
        Some(["api", version]) => is_name(version),
        Some(["apis", group, version]) => is_name(group) && is_name(version),
        _ => false,
    }
}

fn is_name(part: &str) -> bool {
    part.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.'))
        && part.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !part.ends_with('.')
}
