//! The dependencies of an emitted crate, read from disk: the runtime, and crates that it takes
//! types from.

use crate::error::{Error, Errors, Location};
use crate::input::Source;
use crate::input::file::{self, unreadable, what};
use crate::input::index::{self, ExternCrate, Index};
use crate::input::package::{Dependency, Extern, Runtime};
use crate::model::documents::DOCUMENTS;
use crate::model::listed::LISTED;
use crate::model::wellknown::RUNTIME;
use crate::names;
use crate::visible::{shown, visible};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use toml_edit::{DocumentMut, Item, TomlError};

/// The runtime that a user chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuntimeChoice {
    /// A copy beside the emitted crate.
    Vendored,
    /// A release, as in a `Cargo.toml`.
    Version(String),
    /// A crate on disk.
    Folder(PathBuf),
    /// A crate in a repository.
    Git {
        /// Where it is.
        url: String,
        /// The commit. `None`: as the `Cargo.toml` of the crate has it.
        revision: Option<String>,
    },
}

impl FromStr for RuntimeChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "vendored" => Self::Vendored,
            _ if text.starts_with(|c: char| c.is_ascii_digit() || "^=~".contains(c)) => {
                Self::Version(text.to_owned())
            }
            _ => Self::Folder(text.into()),
        })
    }
}

/// The crates that an emitted one depends on.
#[derive(Clone, Debug)]
pub struct Crates {
    /// The index of the runtime, unless it is the one that is part of kapigen.
    pub index: Option<Index>,
    /// The emitted crate's dependency on the runtime.
    pub runtime: Runtime,
    /// The crates that it takes types from.
    pub externs: Vec<(ExternCrate, Extern)>,
}

impl Crates {
    /// Reads the dependencies of a crate in the folder `out`. Without a choice, the crate uses the
    /// runtime of the other crates, or a copy if there are none.
    ///
    /// # Errors
    /// All files that cannot be read, and crates that depend on different runtimes.
    pub fn read(
        out: &Path,
        choice: Option<&RuntimeChoice>,
        folders: &[PathBuf],
    ) -> Result<Self, Errors> {
        let mut errors = Errors::default();
        let found: Vec<_> =
            folders.iter().filter_map(|folder| errors.ok(FoundCrate::read(folder))).collect();
        let mut crates = Self { index: None, runtime: Runtime::Vendored, externs: Vec::new() };
        match choice {
            Some(RuntimeChoice::Vendored) => {}
            Some(RuntimeChoice::Version(version)) if !is_requirement(version) => {
                errors.push(
                    Error::new(format!("`{version}` cannot be the version of the runtime"))
                        .help("give a version such as `0.1`, as in a `Cargo.toml`"),
                );
            }
            Some(RuntimeChoice::Version(version)) => {
                let version = Some(version.clone());
                crates.runtime = Runtime::Depend(Dependency { version, ..Dependency::default() });
            }
            Some(RuntimeChoice::Folder(folder)) => drop(errors.ok(crates.use_folder(folder, out))),
            Some(RuntimeChoice::Git { url, revision }) => {
                let (git, rev) = (Some(url.clone()), revision.clone());
                crates.runtime = Runtime::Depend(Dependency { git, rev, ..Dependency::default() });
            }
            None => drop(errors.ok(crates.use_runtime_of(&found, out))),
        }
        let mut known = BTreeMap::from([(names::package_ident(RUNTIME), PathBuf::new())]);
        for found in found {
            let path = errors.ok(relative(out, &found.folder)).unwrap_or_default();
            let package = found.extern_crate.package.clone();
            let ident = names::package_ident(&package);
            let folder = resolved(&found.folder);
            if *known.entry(ident).or_insert_with(|| folder.clone()) != folder {
                let message = format!("two crates that are used are called `{package}`");
                errors.push(Error::new(message).help("name each crate once, by `--extern`"));
            }
            crates.externs.push((found.extern_crate, Extern { package, path }));
        }
        errors.into_result(crates)
    }

    fn use_folder(&mut self, folder: &Path, out: &Path) -> Result<(), Error> {
        let manifest = manifest(folder)?;
        let package = name(folder, &manifest)?;
        let path = Some(relative(out, folder)?);
        let package = (package != RUNTIME).then_some(package);
        self.runtime = Runtime::Depend(Dependency { package, path, ..Dependency::default() });
        self.index = Some(read_index(folder)?);
        Ok(())
    }

    fn use_runtime_of(&mut self, found: &[FoundCrate], out: &Path) -> Result<(), Error> {
        let Some((first, rest)) = found.split_first() else { return Ok(()) };
        if let Some(other) = rest.iter().find(|other| other.runtime != first.runtime) {
            let first = &first.extern_crate.package;
            let other = &other.extern_crate.package;
            return Err(Error::new(format!(
                "`{first}` and `{other}` depend on different runtimes"
            ))
            .help(
                "generate one of them with the runtime of the other: `--runtime`, or `--extern`",
            ));
        }
        match &first.runtime {
            Dependency { path: Some(folder), .. } => self.use_folder(Path::new(folder), out),
            dependency => {
                self.runtime = Runtime::Depend(dependency.clone());
                Ok(())
            }
        }
    }
}

/// A crate that types are taken from.
struct FoundCrate {
    folder: PathBuf,
    extern_crate: ExternCrate,
    /// Its runtime. A path in it is valid from any folder.
    runtime: Dependency,
}

impl FoundCrate {
    fn read(folder: &Path) -> Result<Self, Error> {
        let manifest = manifest(folder)?;
        let package = name(folder, &manifest)?;
        let runtime =
            manifest.get("dependencies").and_then(|dependencies| dependencies.get(RUNTIME));
        let [version, renamed, path, git, rev] = ["version", "package", "path", "git", "rev"]
            .map(|key| Some(runtime?.get(key)?.as_str()?.to_owned()));
        let version =
            version.or_else(|| runtime.and_then(|version| version.as_str().map(str::to_owned)));
        for (key, text, is_valid) in [
            ("version", &version, is_requirement as fn(&str) -> bool),
            ("package", &renamed, names::is_crate_name),
            ("path", &path, is_visible),
            ("repository", &git, is_visible),
            ("revision", &rev, is_visible),
        ] {
            if let Some(text) = text.as_deref().filter(|text| !is_valid(text)) {
                let why = format!("`{text}` cannot be the {key} of `{RUNTIME}`");
                return Err(invalid(folder, &why));
            }
        }
        let path = path.map(|path| absolute(&folder.join(path))).transpose()?;
        let path = path.map(|path| path.to_string_lossy().into_owned());
        if version.is_none() && path.is_none() && git.is_none() {
            return Err(Error::new(format!(
                "{} has no path, repository or version of `{RUNTIME}`",
                shown(&folder.join("Cargo.toml"))
            ))
            .help(
                "only crates that kapigen generated can be used; name the runtime by `path`, `git` \
                 or `version`",
            ));
        }
        let index = read_index(folder)?;
        let documents = read_documents(folder, &index)?;
        let version = version.filter(|_| path.is_none());
        let [git, rev] = [git, rev].map(|text| text.filter(|_| path.is_none()));
        let runtime =
            Dependency { package: renamed, version, git, rev, path, ..Dependency::default() };
        Ok(Self {
            folder: folder.to_owned(),
            extern_crate: ExternCrate { package, index, documents },
            runtime,
        })
    }
}

/// Checks that a path is a folder, or that one can be made there. `who` begins the reason.
///
/// # Errors
/// When something other than a folder is there or above it.
pub fn needs_folder(out: &Path, who: &str) -> Result<(), Error> {
    let nearest = out.ancestors().find(|path| path.symlink_metadata().is_ok());
    let Some(obstacle) = nearest.filter(|path| !path.is_dir()) else { return Ok(()) };
    let kind = obstacle.symlink_metadata().map_or("no folder", |found| what(found.file_type()));
    let message =
        format!("{} is in the way: it is {kind}, and {who} a folder there", shown(obstacle));
    Err(Error::new(message).help("move it away, or write to another folder"))
}

/// The manifest in the folder of a crate, if there is one.
///
/// # Errors
/// When it cannot be read.
pub fn existing_manifest(folder: &Path) -> Result<Option<String>, Error> {
    let path = folder.join("Cargo.toml");
    match file::found(&path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(&path, &error)),
    }
}

fn manifest(folder: &Path) -> Result<DocumentMut, Error> {
    let path = folder.join("Cargo.toml");
    let text = file::found(&path).map_err(|error| {
        unreadable(&path, &error).help(
            "another crate is named by its folder, and a runtime by its folder, by a version such \
             as `0.1`, or as `vendored`",
        )
    })?;
    text.parse().map_err(|error: TomlError| unreadable(&path, &error))
}

fn name(folder: &Path, manifest: &DocumentMut) -> Result<String, Error> {
    let name =
        manifest.get("package").and_then(|package| package.get("name")).and_then(Item::as_str);
    let name = name.ok_or_else(|| unreadable(&folder.join("Cargo.toml"), &"it has no package"))?;
    if names::is_crate_name(name) {
        return Ok(name.to_owned());
    }
    Err(invalid(folder, &format!("`{name}` cannot be the name of a crate")))
}

/// The error of a manifest with a value that Cargo would not take.
fn invalid(folder: &Path, why: &str) -> Error {
    let file = shown(&folder.join("Cargo.toml"));
    Error::at(Location::document(&file), why).help("correct it there, or generate that crate again")
}

fn is_visible(text: &str) -> bool {
    visible(text) == text
}

/// Whether Cargo takes a text as the versions that a dependency may have.
fn is_requirement(text: &str) -> bool {
    text.split(',').map(str::trim).all(is_comparator)
}

fn is_comparator(text: &str) -> bool {
    let version = text.trim_start_matches(['^', '~', '=', '<', '>']);
    let operator = &text[..text.len() - version.len()];
    let (numbers, rest) = version.trim_start().split_once(['-', '+']).unwrap_or((version, "0"));
    let mut numbers = numbers.trim_start().split('.');
    matches!(operator, "" | "^" | "~" | "=" | "<" | "<=" | ">" | ">=")
        && numbers.clone().count() <= 3
        && numbers.all(|part| matches!(part, "*" | "x" | "X") || part.parse::<u64>().is_ok())
        && rest.chars().all(|c| c.is_ascii_alphanumeric() || ".-+".contains(c))
}

fn read_index(folder: &Path) -> Result<Index, Error> {
    let path = folder.join(index::PATH);
    let text = file::found(&path).map_err(|error| {
        unreadable(&path, &error)
            .help("only crates that kapigen generated have an index of their types")
    })?;
    Index::parse(&Source::new(shown(&path), text))
}

/// The documents of the modules that have listed types.
fn read_documents(folder: &Path, index: &Index) -> Result<Vec<Source>, Error> {
    let types = LISTED.iter().filter_map(|listed| index.types.get(listed.schema));
    let modules: BTreeSet<&str> = types.map(|ty| ty.module.as_str()).collect();
    let paths = modules.iter().map(|module| folder.join(format!("{DOCUMENTS}{module}.json")));
    // A module without resources is described in the documents of others.
    let documents = paths.filter(|path| path.exists()).map(|path| {
        let text = file::found(&path).map_err(|error| unreadable(&path, &error))?;
        Ok(Source::new(shown(&path), text))
    });
    documents.collect()
}

/// The path from one folder, which need not exist yet, to another one, with `/` on every system.
fn relative(from: &Path, to: &Path) -> Result<String, Error> {
    let from = absolute(from)?;
    let to = absolute(to)?;
    let path = pathdiff::diff_paths(&to, &from).unwrap_or(to);
    Ok(shown(&path))
}

/// Whether a folder has a generated crate.
pub(super) fn is_generated(folder: &Path) -> bool {
    folder.join(index::PATH).is_file()
}

/// A path by which two names of a folder can be compared.
pub(super) fn resolved(path: &Path) -> PathBuf {
    absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// A path from the root, without links as far as it exists.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, Error> {
    let path = std::path::absolute(path).map_err(|error| unreadable(path, &error))?;
    let resolved = path.ancestors().find_map(|ancestor| {
        let existing = dunce::canonicalize(ancestor).ok()?;
        let below = path.strip_prefix(ancestor).unwrap_or(&path);
        Some(existing.join(below).components().collect())
    });
    Ok(resolved.unwrap_or(path))
}
