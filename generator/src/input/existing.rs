//! The crate that an earlier run wrote, as far as it states the interface to keep.

use super::Source;
use super::file::{self, unreadable};
use crate::error::Error;
use crate::model::documents::DOCUMENTS;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// The documents of a crate, and what they do not say of its interface.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Existing {
    /// Its documents, by their path below its folder.
    pub documents: Vec<Source>,
    /// The file with what the documents do not say.
    pub interface: Option<Source>,
    /// The decisions of the user.
    pub holding: Holding,
}

/// The changes of a crate's interface that a run may make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holding {
    /// Types, fields and functions that take their new form, by their names in Rust.
    pub accept: BTreeSet<String>,
    /// Whether everything that cannot be held takes its new form.
    pub accept_all: bool,
    /// Groups and versions that stay although no document has them.
    pub keep: BTreeSet<String>,
    /// Groups and versions that go because no document has them.
    pub drop: BTreeSet<String>,
}

impl Existing {
    /// Reads the crate in a folder. `None`: there is none, or one without documents.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn read(folder: &Path, interface: &str, holding: &Holding) -> Result<Option<Self>, Error> {
        let all = folder.join(DOCUMENTS);
        let entries = match fs::read_dir(&all) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(&all, &error)),
        };
        let mut names = BTreeSet::new();
        for entry in entries {
            let name = entry.map_err(|error| unreadable(&all, &error))?.file_name();
            let name = name.to_str().and_then(|name| name.strip_suffix(".json"));
            names.extend(name.map(str::to_owned));
        }
        let paths = names.iter().map(|name| format!("{DOCUMENTS}{name}.json"));
        let documents: Result<Vec<_>, _> = paths.map(|path| source(folder, &path)).collect();
        let documents = documents?;
        let interface = Some(interface).filter(|path| folder.join(path).exists());
        let interface = interface.map(|path| source(folder, path)).transpose()?;
        let existing = Self { documents, interface, holding: holding.clone() };
        Ok((!existing.documents.is_empty()).then_some(existing))
    }
}

fn source(folder: &Path, path: &str) -> Result<Source, Error> {
    let whole = folder.join(path);
    let text = file::found(&whole).map_err(|error| unreadable(&whole, &error))?;
    Ok(Source::new(path, text))
}
