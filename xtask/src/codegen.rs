//! `cargo xtask codegen`: writes all generated files, or shows how they differ.

use crate::{Failure, at, features, lists, protobuf, reference, shared};
use kapigen::cli::report;
use kapigen::input::Input;
use kapigen::input::Source;
use kapigen::input::index::{self, Index};
use kapigen::tree::{self, Difference, Tree};
use kapigen::{Output, Sources};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// The folder of the documents, below the root of the repository.
const SPEC: &str = "spec";
/// The corrections of the documents. kapigen ships them, too.
const FIXUPS: &str = "generator/fixups/spec.yaml";
/// The folder of the crate.
const CRATE: &str = "generated";
/// The folder of the runtime.
const RUNTIME: &str = "templates/runtime";
/// The parts of the runtime's sources that are generated as a whole.
const RUNTIME_TYPES: [&str; 4] =
    ["src/admission_v1", "src/apidiscovery_v2", "src/apiextensions_v1", "src/meta_v1"];
/// The list of the types.
const REGISTRY: &str = "tests/support/src/registry.rs";
/// The list of calls of the functions.
const CALLS: &str = "tests/support/src/calls.rs";

/// The outcome of a run. Its `Display` is the output of the command, in the colors of a terminal.
#[derive(Debug)]
pub struct Report {
    check: bool,
    differences: Vec<Difference>,
    summary: String,
    /// The features to write into the manifest of the crate by hand.
    advice: Option<String>,
}

impl Report {
    /// Whether nothing is left to do: the files are as generated, and so are the features of the
    /// crate.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        !self.is_stale() && self.advice.is_none()
    }

    fn is_stale(&self) -> bool {
        self.check && !self.differences.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.check {
            f.write_str(&report::diffs(&self.differences))?;
        }
        f.write_str(&report::changes(&self.differences))?;
        let number = report::count(self.differences.len(), "file");
        let verb = if self.check { "not as generated" } else { "changed" };
        writeln!(f, "{}; {number} {verb}", self.summary)?;
        if self.is_stale() {
            writeln!(
                f,
                "generated files are stale; to write them again, run: cargo xtask codegen"
            )?;
        }
        f.write_str(self.advice.as_deref().unwrap_or_default())
    }
}

/// Writes all generated files, or with `check` only compares them.
///
/// # Errors
/// When the documents are invalid, or the disk fails.
pub fn run(root: &Path, check: bool) -> Result<Report, Failure> {
    let input = Input { fixups: Some(root.join(FIXUPS)), ..Input::folder(root.join(SPEC)) };
    let sources = input.read()?;
    let runtime = kapigen::generate_runtime(&sources)?;
    let crate_name = Some("openshift-api".to_owned());
    let sources = Sources { runtime: Some(index_of(&runtime)?), crate_name, ..sources };
    let output = kapigen::generate(&sources)?;
    // Before anything is written: the manifest may be invalid.
    let advice = features::advice(&root.join(CRATE), &output.manifest_features())?;
    let lists = self::lists(&sources, &output)?;
    let mut differences = crate_differences(root, check, &output)?;
    differences.extend(single_differences(root, check, &runtime, &lists)?);
    Ok(Report { check, differences, summary: report::summary(&sources, &output), advice })
}

fn index_of(runtime: &Tree) -> Result<Index, Failure> {
    let text = runtime.iter().find(|(path, _)| *path == index::PATH).map(|(_, text)| text);
    Ok(Index::parse(&Source::new(index::PATH, text.unwrap_or_default()))
        .map_err(kapigen::error::Errors::from)?)
}

/// The committed crate, written unless it is only checked.
fn crate_differences(
    root: &Path,
    check: bool,
    output: &Output,
) -> Result<Vec<Difference>, Failure> {
    let folder = root.join(CRATE);
    let mut differences =
        if check { output.tree.compare(&folder)? } else { output.tree.overwrite(&folder)? };
    for difference in &mut differences {
        difference.path.insert_str(0, &format!("{CRATE}/"));
    }
    Ok(differences)
}

/// The lists for the tests, the shared parts of documents of definitions, the reference page, and
/// the fields in protobuf.
fn lists(sources: &Sources, output: &Output) -> Result<[(&'static str, String); 5], Failure> {
    let runtime = sources.runtime.clone().unwrap_or_default();
    let types = lists::types(&output.api, &runtime);
    Ok([
        (REGISTRY, types),
        (CALLS, lists::calls(&output.api)),
        (shared::PATH, shared::shared(&sources.documents)?),
        (reference::PATH, reference::page()),
        (protobuf::PATH, protobuf::table()?),
    ])
}

/// Differences of generated files in folders with other files: files of the runtime, and the lists.
fn single_differences(
    root: &Path,
    check: bool,
    runtime: &Tree,
    lists: &[(&str, String)],
) -> Result<Vec<Difference>, Failure> {
    let mut files: BTreeMap<String, Option<String>> = stale(root, runtime)?;
    files.extend(
        runtime.iter().map(|(path, text)| (format!("{RUNTIME}/{path}"), Some(text.to_owned()))),
    );
    files.extend(lists.iter().map(|(path, text)| ((*path).to_owned(), Some(text.clone()))));
    let mut differences = Vec::new();
    for (path, new) in files {
        let Some(difference) = compare(root, &path, new)? else { continue };
        match &difference.new {
            _ if check => {}
            Some(text) => tree::replace(&root.join(&path), text)?,
            None => {
                let path = root.join(&path);
                fs::remove_file(&path).map_err(at(&path))?;
            }
        }
        differences.push(difference);
    }
    Ok(differences)
}

/// Files of the runtime's types that are no longer made.
fn stale(root: &Path, runtime: &Tree) -> io::Result<BTreeMap<String, Option<String>>> {
    let folder = root.join(RUNTIME);
    let mut files = Vec::new();
    for types in
        RUNTIME_TYPES.map(|types| folder.join(types)).into_iter().filter(|types| types.is_dir())
    {
        collect(&types, &mut files)?;
    }
    let mut stale = BTreeMap::new();
    for path in files {
        let below = path.strip_prefix(&folder).unwrap_or(&path);
        let parts = below.components().map(|part| part.as_os_str().to_string_lossy());
        // With `/` on every system.
        let path = parts.collect::<Vec<_>>().join("/");
        if !runtime.iter().any(|(made, _)| *made == path) {
            stale.insert(format!("{RUNTIME}/{path}"), None);
        }
    }
    Ok(stale)
}

/// All Rust below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The differences of a single file, if it has any.
fn compare(root: &Path, path: &str, new: Option<String>) -> io::Result<Option<Difference>> {
    let old = tree::read(root, path)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let same = old == new;
    Ok((!same).then(|| Difference { path: path.to_owned(), old, new }))
}
