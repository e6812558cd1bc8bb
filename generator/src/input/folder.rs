//! The input of a run, read from disk.

use super::file::{self, STANDARD_INPUT, unreadable};
use super::{Source, Sources};
use crate::error::{Error, Errors};
use crate::visible::shown;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The paths of the input of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// OpenAPI documents and manifests of definitions, or folders of them. `-` is standard input.
    pub spec: Vec<PathBuf>,
    /// The selection. None: [`GROUPS`] in the folder, if `spec` is one folder and has it.
    pub groups: Option<PathBuf>,
    /// Corrections. None: [`FIXUPS`] in the folder, if `spec` is one folder and has it.
    pub fixups: Option<PathBuf>,
}

/// The name of the file that selects.
pub const GROUPS: &str = "groups.yaml";
/// The name of the file that corrects.
pub const FIXUPS: &str = "fixups.yaml";

impl Input {
    /// The input in one folder.
    #[must_use]
    pub fn folder(folder: impl Into<PathBuf>) -> Self {
        Self { spec: vec![folder.into()], ..Self::default() }
    }

    /// Reads it. Documents are named by their path below the innermost folder that holds all of
    /// them, so that their names are the same on every machine and relative references between them
    /// lead where they do on disk.
    ///
    /// # Errors
    /// All files that cannot be read.
    pub fn read(&self) -> Result<Sources, Errors> {
        self.read_files(false)
    }

    /// Reads it again, after an error that shows a line of it.
    #[cfg(feature = "cli")]
    pub(crate) fn read_again(&self) -> Result<Sources, Errors> {
        self.read_files(true)
    }

    fn read_files(&self, again: bool) -> Result<Sources, Errors> {
        let mut errors = Errors::default();
        let paths = self.spec.iter().filter(|path| *path != Path::new(STANDARD_INPUT));
        let roots: Vec<Root> = paths.filter_map(|path| errors.ok(Root::find(path))).collect();
        let base = base(&roots);
        let files: BTreeMap<&PathBuf, bool> = roots
            .iter()
            .flat_map(|root| root.files.iter().map(|file| (file, root.is_named)))
            .collect();
        let mut documents = Vec::new();
        for (path, is_named) in files {
            let text = if is_named { file::named(path, again) } else { file::found(path) };
            documents.extend(errors.ok(source(path, &base, text)));
        }
        let input = Path::new(STANDARD_INPUT);
        if self.spec.iter().any(|path| path == input) {
            let text = file::named(input, again).map_err(|error| unreadable(input, &error));
            documents.extend(errors.ok(text).map(|text| Source::new("stdin", text)));
        }
        let groups = errors.ok(self.list(self.groups.as_deref(), GROUPS, again)).flatten();
        let fixups = errors.ok(self.list(self.fixups.as_deref(), FIXUPS, again)).flatten();
        errors.into_result(Sources { documents, groups, fixups, ..Sources::default() })
    }

    /// The file that selects or corrects: the given one, or the one beside the documents.
    fn list(&self, given: Option<&Path>, name: &str, again: bool) -> Result<Option<Source>, Error> {
        if let Some(path) = given {
            let list = source(path, parent(path), file::named(path, again));
            return list.map(Some).map_err(|error| not_a_list(error, path, name));
        }
        let Some(path) = self.beside(name) else { return Ok(None) };
        source(&path, parent(&path), file::found(&path)).map(Some)
    }

    /// Checks that files which are written to a folder are not documents of the next run.
    ///
    /// # Errors
    /// When the folder is among the documents.
    pub(crate) fn check_output(&self, out: &Path) -> Result<(), Error> {
        let Some(out) = future(out) else { return Ok(()) };
        let around = self.spec.iter().find(|folder| {
            let below = canonical(folder)
                .ok()
                .and_then(|folder| Some(out.strip_prefix(folder).ok()?.to_owned()));
            folder.is_dir() && below.is_some_and(|below| !below.iter().any(is_hidden))
        });
        let Some(folder) = around else { return Ok(()) };
        let message = format!("the crate would be among the documents in {}", shown(folder));
        Err(Error::new(message)
            .help("write it to another folder: the next run would read its files as documents"))
    }

    /// Files that select or correct and lie beside the documents, but are not used since there is
    /// not one folder.
    #[must_use]
    pub fn unused(&self) -> Vec<PathBuf> {
        let folders = self
            .spec
            .iter()
            .map(|path| if path.is_dir() { path } else { path.parent().unwrap_or(path) });
        let folders: BTreeSet<&Path> = folders.collect();
        let names = [(GROUPS, &self.groups), (FIXUPS, &self.fixups)];
        let unnamed = names
            .into_iter()
            .filter(|(name, given)| given.is_none() && self.beside(name).is_none());
        let files =
            unnamed.flat_map(|(name, _)| folders.iter().map(move |folder| folder.join(name)));
        files.filter(|file| file.is_file()).collect()
    }

    /// A file of kapigen in the folder of the documents.
    pub(crate) fn beside(&self, name: &str) -> Option<PathBuf> {
        match self.spec.as_slice() {
            [folder] => Some(folder.join(name)).filter(|path| path.symlink_metadata().is_ok()),
            _ => None,
        }
    }
}

/// The documents of one path that was given.
struct Root {
    folder: PathBuf,
    files: Vec<PathBuf>,
    /// Whether the path names the file itself, and not a folder that contains it.
    is_named: bool,
}

impl Root {
    fn find(path: &Path) -> Result<Self, Error> {
        if let Err(error) = fs::metadata(path) {
            return Err(absent(path, &error));
        }
        if path.is_dir() {
            let folder = canonical(path)?;
            let mut files = Vec::new();
            collect(&folder, &mut files)?;
            files.retain(|file| ![GROUPS, FIXUPS].iter().any(|name| *file == folder.join(name)));
            if files.is_empty() {
                return Err(Error::new(format!("there is no document in {}", shown(path))).help(
                    "documents are files whose names end in .yaml, .yml or .json; links to \
                         folders are not followed",
                ));
            }
            return Ok(Self { folder, files, is_named: false });
        }
        let parent =
            path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = canonical(parent)?;
        let files = vec![folder.join(path.file_name().unwrap_or_default())];
        Ok(Self { folder, files, is_named: true })
    }
}

/// All documents below a folder. Hidden files are left out. Links to folders are not followed: they
/// may form cycles.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
        let entry = entry.map_err(|error| unreadable(folder, &error))?;
        let path = entry.path();
        if is_hidden(&entry.file_name()) {
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if entry.file_type().map_err(|error| unreadable(folder, &error))?.is_dir() {
            collect(&path, files)?;
        } else if matches!(extension, Some("yaml" | "yml" | "json")) && !path.is_dir() {
            // Anything but a regular file is an error when it is read.
            files.push(path);
        }
    }
    Ok(())
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// The absolute path of a folder, without links, which need not be there yet.
fn future(folder: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    folder.ancestors().find_map(|ancestor| {
        let mut path = canonical(ancestor).ok()?;
        for part in folder.strip_prefix(ancestor).ok()?.components() {
            match part {
                Component::ParentDir => _ = path.pop(),
                part => path.push(part),
            }
        }
        Some(path)
    })
}

/// The innermost folder that holds all.
fn base(roots: &[Root]) -> PathBuf {
    let mut folders = roots.iter().map(|root| root.folder.as_path());
    let Some(first) = folders.next() else { return PathBuf::new() };
    folders.fold(first.to_owned(), |one, other| {
        let pairs = one.components().zip(other.components());
        pairs.take_while(|(one, other)| one == other).map(|(one, _)| one).collect()
    })
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn source(path: &Path, base: &Path, text: io::Result<String>) -> Result<Source, Error> {
    let text = text.map_err(|error| unreadable(path, &error))?;
    let name = path.strip_prefix(base).unwrap_or(path);
    let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Ok(Source::new(parts.join("/"), text))
}

fn canonical(path: &Path) -> Result<PathBuf, Error> {
    dunce::canonicalize(path).map_err(|error| unreadable(path, &error))
}

/// The error of a path that leads nowhere.
fn absent(path: &Path, error: &io::Error) -> Error {
    let is_url = path.to_str().and_then(|path| path.split_once(":/")).is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let unreadable = unreadable(path, error);
    if !is_url {
        return unreadable;
    }
    unreadable.help(
        "URLs are not fetched: `kapigen pull` gets the documents of a cluster or, with \
         `--kubernetes 1.36`, of a release, and `curl` prints others, for `--spec -`",
    )
}

/// The error of a file that is not there, which may be a list as another command takes it.
fn not_a_list(error: Error, path: &Path, name: &str) -> Error {
    if name != GROUPS || path.exists() || path.extension().is_some_and(|end| end == "yaml") {
        return error;
    }
    error.help(
        "`--groups` is a file here, such as groups.yaml, which `kapigen init` prints; `kapigen \
         pull` alone takes a list of groups",
    )
}
