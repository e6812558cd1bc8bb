//! The input of a run, read from disk.

use super::{LARGEST, Source, Sources};
use crate::error::{Error, Errors};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

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
/// The path that means standard input.
const STANDARD_INPUT: &str = "-";
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
        let mut errors = Errors::default();
        let paths = self.spec.iter().filter(|path| *path != Path::new(STANDARD_INPUT));
        let roots: Vec<Root> = paths.filter_map(|path| errors.ok(Root::find(path))).collect();
        let base = base(&roots);
        let files: BTreeSet<&PathBuf> = roots.iter().flat_map(|root| &root.files).collect();
        let mut documents: Vec<Source> =
            files.into_iter().filter_map(|file| errors.ok(source(file, &base))).collect();
        if self.spec.iter().any(|path| path == Path::new(STANDARD_INPUT)) {
            let text =
                standard_input().map_err(|error| unreadable(Path::new(STANDARD_INPUT), error));
            documents.extend(errors.ok(text).map(|text| Source::new("stdin", text.clone())));
        }
        let own = |given: &Option<PathBuf>, name| given.clone().or_else(|| self.beside(name));
        let mut read = |path: Option<PathBuf>| {
            let path = path?;
            errors.ok(source(&path, path.parent().unwrap_or(Path::new(""))))
        };
        let groups = read(own(&self.groups, GROUPS));
        let fixups = read(own(&self.fixups, FIXUPS));
        errors.into_result(Sources { documents, groups, fixups, ..Sources::default() })
    }

    /// Checks that files which are written to a folder are not documents of the next run.
    ///
    /// # Errors
    /// When the folder is among the documents.
    pub(crate) fn check_output(&self, out: &Path) -> Result<(), Error> {
        let Some(out) = future(out) else { return Ok(()) };
        let is_read = |folder: &&PathBuf| {
            let below = canonical(folder)
                .ok()
                .and_then(|folder| Some(out.strip_prefix(folder).ok()?.to_owned()));
            folder.is_dir() && below.is_some_and(|below| !below.iter().any(is_hidden))
        };
        let Some(folder) = self.spec.iter().find(is_read) else { return Ok(()) };
        let message = format!("the crate would be among the documents in {}", folder.display());
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
            [folder] => Some(folder.join(name)).filter(|path| path.is_file()),
            _ => None,
        }
    }
}

/// The documents of one path that was given.
struct Root {
    folder: PathBuf,
    files: Vec<PathBuf>,
}

impl Root {
    fn find(path: &Path) -> Result<Self, Error> {
        if path.is_dir() {
            let folder = canonical(path)?;
            let mut files = Vec::new();
            collect(&folder, &mut files)?;
            files.retain(|file| ![GROUPS, FIXUPS].iter().any(|name| *file == folder.join(name)));
            if files.is_empty() {
                return Err(Error::new(format!("there is no document in {}", path.display()))
                    .help(
                        "documents are files whose names end in .yaml, .yml or .json; links to \
                         folders are not followed",
                    ));
            }
            return Ok(Self { folder, files });
        }
        let parent =
            path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = canonical(parent)?;
        let files = vec![folder.join(path.file_name().unwrap_or_default())];
        Ok(Self { folder, files })
    }
}

/// All documents below a folder. Hidden files are left out. Links to folders are not followed: they
/// may form circles.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let unreadable = |error| unreadable(folder, &error);
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        if is_hidden(&entry.file_name()) {
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if entry.file_type().map_err(unreadable)?.is_dir() {
            collect(&path, files)?;
        } else if matches!(extension, Some("yaml" | "yml" | "json"))
            && (path.is_file() || !path.exists())
        {
            // A link to nothing is an error when it is read.
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
    let of_ancestor = |ancestor: &Path| {
        let mut path = canonical(ancestor).ok()?;
        for part in folder.strip_prefix(ancestor).ok()?.components() {
            match part {
                Component::ParentDir => _ = path.pop(),
                part => path.push(part),
            }
        }
        Some(path)
    };
    folder.ancestors().find_map(of_ancestor)
}

/// The innermost folder that holds all.
fn base(roots: &[Root]) -> PathBuf {
    let mut folders = roots.iter().map(|root| root.folder.as_path());
    let Some(first) = folders.next() else { return PathBuf::new() };
    let common = |one: PathBuf, other: &Path| {
        one.components()
            .zip(other.components())
            .take_while(|(one, other)| one == other)
            .map(|(one, _)| one)
            .collect()
    };
    folders.fold(first.to_owned(), common)
}

fn source(path: &Path, base: &Path) -> Result<Source, Error> {
    let text = text(path).map_err(|error| unreadable(path, &error))?;
    let name = path.strip_prefix(base).unwrap_or(path);
    let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Ok(Source::new(parts.join("/"), text))
}

/// The content of a file. Not more than the limit is ever read: devices and pipes have no size and
/// need not end.
fn text(path: &Path) -> io::Result<String> {
    limited(fs::File::open(path)?)
}

/// Standard input, which can be read only once. Errors show its lines later.
fn standard_input() -> Result<&'static String, &'static io::Error> {
    static TEXT: OnceLock<io::Result<String>> = OnceLock::new();
    TEXT.get_or_init(|| limited(io::stdin())).as_ref()
}

fn limited(source: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    source.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > LARGEST {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {LARGEST} bytes"),
        ));
    }
    String::from_utf8(bytes)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, not_utf8(error.as_bytes())))
}

/// The message for a file in another encoding. Windows PowerShell redirects output as UTF-16.
fn not_utf8(bytes: &[u8]) -> String {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return "it is encoded as UTF-16; save it as UTF-8".to_owned();
    }
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let line = 1 + valid.matches('\n').count();
    format!("line {line} is not UTF-8; save it as UTF-8")
}

fn canonical(path: &Path) -> Result<PathBuf, Error> {
    dunce::canonicalize(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::new(format!("cannot read {}: {error}", path.display()))
}
