//! Generating from a build script or a test.

use crate::error::{Error, Errors, Location};
use crate::hold;
use crate::input::crates::{Crates, RuntimeChoice, existing_manifest, needs_folder};
use crate::input::origin::Origin;
use crate::input::package::{Extern, Package, Runtime, Sibling};
use crate::input::{Existing, FIXUPS, GROUPS, Holding, Input, LastRun, Sources, index};
use crate::model::Api;
use crate::model::documents::DOCUMENTS;
use crate::note::Note;
use crate::package::manifest::FILE;
use crate::package::{copies, manifest};
use crate::pipeline::{Output, generate_observed};
use crate::tree::{self, Difference, FileChange, MANIFEST, MOST_LISTED, refused};
use crate::visible::{shown, visible};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process;

/// A committed crate, and the input that it is generated from: for `build.rs` and for tests.
///
/// Relative paths are resolved against the folder of the package that is being built or tested.
///
/// A build script that keeps its own package up to date. Cargo runs it only if there is a
/// `src/lib.rs`, which may be empty before the first run:
///
/// ```no_run
/// // build.rs
/// kapigen::Build::new("spec", ".").generate_or_exit();
/// ```
///
/// A test that fails when a crate does not match its documents:
///
/// ```no_run
/// kapigen::Build::new("spec", "my-api").check().unwrap_or_else(|errors| panic!("{errors}"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    pub(crate) input: Input,
    pub(crate) out: PathBuf,
    pub(crate) crate_name: Option<String>,
    pub(crate) crate_version: Option<String>,
    pub(crate) license: Option<String>,
    pub(crate) sources_only: bool,
    pub(crate) runtime: Option<RuntimeChoice>,
    pub(crate) externs: Vec<PathBuf>,
    pub(crate) vendor: BTreeSet<Sibling>,
    pub(crate) strict: bool,
    pub(crate) without_definitions: bool,
    /// The crate with the interface to keep.
    pub(crate) interface: Option<PathBuf>,
    pub(crate) holding: Holding,
    /// The source of the runtime of a new crate.
    pub(crate) origin: Origin,
}

impl Build {
    /// A crate in the folder `out`, from an OpenAPI document, a manifest of definitions, or a
    /// folder of them. A `groups.yaml` or `fixups.yaml` in that folder selects and corrects.
    #[must_use]
    pub fn new(spec: impl Into<PathBuf>, out: impl Into<PathBuf>) -> Self {
        let input = Input::folder(spec);
        let out = out.into();
        Self {
            input,
            out,
            crate_name: None,
            crate_version: None,
            license: None,
            sources_only: false,
            runtime: None,
            externs: Vec::new(),
            vendor: BTreeSet::new(),
            strict: false,
            without_definitions: false,
            interface: None,
            holding: Holding::default(),
            origin: Origin::of_this_build(),
        }
    }

    /// Adds a document, or a folder of them.
    #[must_use]
    pub fn spec(mut self, spec: impl Into<PathBuf>) -> Self {
        self.input.spec.push(spec.into());
        self
    }

    /// Sets the file that selects groups and resources.
    #[must_use]
    pub fn groups(mut self, file: impl Into<PathBuf>) -> Self {
        self.input.groups = Some(file.into());
        self
    }

    /// Sets the file that corrects documents.
    #[must_use]
    pub fn fixups(mut self, file: impl Into<PathBuf>) -> Self {
        self.input.fixups = Some(file.into());
        self
    }

    /// Sets the name of a crate that is written for the first time. The default is the name of its
    /// folder.
    #[must_use]
    pub fn crate_name(mut self, name: impl Into<String>) -> Self {
        self.crate_name = Some(name.into());
        self
    }

    /// Sets the version of a crate that is written for the first time, which is 0.1.0 by default.
    #[must_use]
    pub fn crate_version(mut self, version: impl Into<String>) -> Self {
        self.crate_version = Some(version.into());
        self
    }

    /// Sets the license of a crate that is written for the first time: an SPDX expression. By
    /// default it states none.
    #[must_use]
    pub fn license(mut self, license: impl Into<String>) -> Self {
        self.license = Some(license.into());
        self
    }

    /// Writes only the files below `src`, for a package with a hand-written `Cargo.toml`.
    #[must_use]
    pub fn sources_only(mut self) -> Self {
        self.sources_only = true;
        self
    }

    /// Sets where the crate gets its runtime: by default the one that it has, the one of the crates
    /// that it uses, or else the one of this kapigen: by revision if Cargo fetched it, by path if
    /// it is in the repository or workspace of the crate, or else as a copy in its folder.
    #[must_use]
    pub fn runtime(mut self, runtime: RuntimeChoice) -> Self {
        self.runtime = Some(runtime);
        self
    }

    /// Adds the folder of another generated crate, and uses its types instead of generating them
    /// again. Crates that the manifest in `out` names are used without this.
    #[must_use]
    pub fn extern_crate(mut self, folder: impl Into<PathBuf>) -> Self {
        self.externs.push(folder.into());
        self
    }

    /// Copies a hand-written crate and its dependencies into the folder of the crate, with the same
    /// runtime. By default existing copies stay.
    #[must_use]
    pub fn vendor(mut self, sibling: Sibling) -> Self {
        self.vendor.insert(sibling);
        self
    }

    /// Leaves out the parts that only definitions of custom resources provide: the feature with
    /// their text, and deprecations. The crate is then the same as one generated from the documents
    /// that a server publishes for them.
    #[must_use]
    pub fn without_definitions(mut self) -> Self {
        self.without_definitions = true;
        self
    }

    /// Keeps the interface of a crate that was generated before: its folder, usually `out`. Without
    /// this, the interface follows the documents. What cannot be kept is an error.
    #[must_use]
    pub fn interface(mut self, folder: impl Into<PathBuf>) -> Self {
        self.interface = Some(folder.into());
        self
    }

    /// Accepts the new form of a type, a field or a function of the interface that is kept, such as
    /// `core_v1::Pod.spec`.
    #[must_use]
    pub fn accept(mut self, name: impl Into<String>) -> Self {
        self.holding.accept.insert(name.into());
        self
    }

    /// Accepts the new form of everything that cannot be kept.
    #[must_use]
    pub fn accept_all(mut self) -> Self {
        self.holding.accept_all = true;
        self
    }

    /// Treats notes as errors: choices that the input leaves to kapigen, and values that it keeps
    /// as free JSON.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Writes the files that differ, and returns the differences.
    ///
    /// # Errors
    /// Every error in the input, a folder of the crate among the documents, and files that kapigen
    /// did not write or that were changed since: then nothing has changed. When the disk fails: see
    /// [`Tree::write`](crate::tree::Tree::write).
    pub fn generate(&self) -> Result<Vec<Difference>, Errors> {
        let (_, output) = self.output(&mut |_| {})?;
        output.tree.write(&self.out).map_err(|error| refused(&error))
    }

    /// Checks that the folder is as [`generate`](Self::generate) would write it. Writes nothing.
    ///
    /// # Errors
    /// Every error in the input, and the files that differ.
    pub fn check(&self) -> Result<(), Errors> {
        let (_, output) = self.output(&mut |_| {})?;
        let differences = output.tree.compare(&self.out).map_err(|error| refused(&error))?;
        if differences.is_empty() {
            Ok(())
        } else {
            Err(self.not_as_generated(&differences).into())
        }
    }

    /// [`generate`](Self::generate) in a build script: reports to cargo when to run the script
    /// again, and errors. After an error the process ends.
    ///
    /// A changed `Cargo.toml` is an error, too: Cargo has already read it, and must start again.
    pub fn generate_or_exit(&self) {
        let result = self.generate().and_then(|written| {
            if !written.iter().any(|file| file.path == FILE) {
                return Ok(());
            }
            let manifest = shown(&self.out.join(FILE));
            let message = format!("{manifest} was written, which cargo has read before");
            Err(Error::new(message).help("build again").into())
        });
        self.finish(result.as_ref().err());
    }

    /// [`check`](Self::check) in a build script: reports to cargo when to run the script again, and
    /// errors. After an error the process ends.
    pub fn check_or_exit(&self) {
        self.finish(self.check().as_ref().err());
    }

    fn finish(&self, errors: Option<&Errors>) {
        for directive in
            self.rerun_directives().into_iter().chain(errors.into_iter().flat_map(error_directives))
        {
            println!("{directive}");
        }
        if errors.is_some() {
            process::exit(1);
        }
    }

    /// The lines that a build script prints so that cargo runs it again when an input or an output
    /// changes.
    #[must_use]
    pub fn rerun_directives(&self) -> Vec<String> {
        let Input { spec, groups, fixups } = &self.input;
        let mut paths = spec.clone();
        paths.extend(groups.clone().or_else(|| self.input.beside(GROUPS)));
        paths.extend(fixups.clone().or_else(|| self.input.beside(FIXUPS)));
        let last = LastRun::read(&self.out, copies::RUNTIME_FOLDER).unwrap_or_default();
        let externs = last.externs(&self.externs);
        for folder in &externs {
            paths.extend([folder.join("Cargo.toml"), folder.join(index::PATH)]);
        }
        let held = self.interface.iter().filter(|folder| **folder != self.out);
        let interface = held.clone().map(|folder| folder.join(hold::PATH));
        let documents = externs.iter().chain(held).map(|folder| folder.join(DOCUMENTS));
        // A crate need not have them, and Cargo runs the script each time for what is not there.
        paths.extend(interface.chain(documents).filter(|path| path.exists()));
        if let Some(RuntimeChoice::Folder(folder)) = last.runtime(self.runtime.as_ref(), &externs) {
            paths.push(folder.join(index::PATH));
        }
        paths.extend([self.out.join(MANIFEST), self.out.join("src")]);
        paths.iter().map(|path| format!("cargo::rerun-if-changed={}", shown(path))).collect()
    }

    /// Reads the input and makes the files, with the corrections that every document may need.
    /// Calls `done` with the name of each stage when it ends.
    pub(crate) fn output(
        &self,
        done: &mut dyn FnMut(&'static str),
    ) -> Result<(Sources, Output), Errors> {
        self.input.check_output(&self.out)?;
        needs_folder(&self.out, "the crate needs")?;
        let last = LastRun::read(&self.out, copies::RUNTIME_FOLDER)?;
        let folders = last.externs(&self.externs);
        let (choice, copied) = self.choice(&last, &folders);
        let Crates { index, runtime, externs } =
            Crates::read(&self.out, choice.as_ref(), &folders)?;
        let (crates, externs) = externs.into_iter().unzip();
        let package = self.package(runtime, externs)?;
        // The sources of a package are the same whether the rest of it is written or not.
        let has_name = !self.sources_only || package.manifest.is_some();
        let crate_name = has_name.then(|| manifest::name(&package)).transpose();
        let crate_name = crate_name.map_err(|error| error.below(&self.out))?;
        let existing = match &self.interface {
            Some(folder) => Existing::read(folder, hold::PATH, &self.holding)?,
            None => None,
        };
        let sources = Sources {
            existing,
            shipped_fixups: true,
            runtime: index,
            externs: crates,
            crate_name,
            without_definitions: self.without_definitions,
            ..self.input.read()?
        };
        let mut output = generate_observed(&sources, done)?;
        if is_empty(&output.api) {
            return Err(empty_crate(&sources).into());
        }
        if self.sources_only {
            output.tree.leave_package();
        } else {
            output.copied = copied;
            output.add_package(&package).map_err(|error| error.below(&self.out))?;
        }
        if self.strict && !output.notes.is_empty() {
            return Err(refused_notes(&output.notes));
        }
        Ok((sources, output))
    }

    /// The runtime of the crate. `None`: the one of the crates that it uses, or a copy, for the
    /// reason that is also returned.
    fn choice(
        &self,
        last: &LastRun,
        externs: &[PathBuf],
    ) -> (Option<RuntimeChoice>, Option<&'static str>) {
        match last.runtime(self.runtime.as_ref(), externs).cloned() {
            Some(RuntimeChoice::Git { url, revision: Some(last) }) => {
                let newer = self.origin.revision(&url).map(str::to_owned);
                (Some(RuntimeChoice::Git { url, revision: newer.or(Some(last)) }), None)
            }
            None if externs.is_empty() => match self.origin.runtime(&self.out) {
                Ok(choice) => (Some(choice), None),
                Err(why) => (None, Some(why)),
            },
            choice => (choice, None),
        }
    }

    /// The package around the sources.
    fn package(&self, runtime: Runtime, externs: Vec<Extern>) -> Result<Package, Errors> {
        if let Some(sibling) = self.vendor.first().filter(|_| self.sources_only) {
            let message =
                format!("kapigen-{} cannot be copied beside sources alone", sibling.folder());
            return Err(Error::new(message).help("leave out `sources_only`, or `vendor`").into());
        }
        Ok(Package {
            name: self.crate_name.clone(),
            folder: self.folder_name(),
            version: self.crate_version.clone(),
            license: self.license.clone(),
            manifest: existing_manifest(&self.out)?,
            runtime,
            externs,
            vendor: self.copies()?,
        })
    }

    /// The copies beside the crate: the given ones, or those of the last run.
    fn copies(&self) -> Result<BTreeSet<Sibling>, Errors> {
        if !self.vendor.is_empty() {
            return Ok(self.vendor.clone());
        }
        let written = tree::written(&self.out).map_err(|error| refused(&error))?;
        let there = Sibling::ALL.into_iter().filter(|sibling| {
            let file = sibling.mark();
            written.contains(&file) && self.out.join(file).exists()
        });
        Ok(there.collect())
    }

    fn folder_name(&self) -> String {
        let folder = std::path::absolute(&self.out).ok();
        let name = folder.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
        name.unwrap_or_default().to_owned()
    }

    fn not_as_generated(&self, differences: &[Difference]) -> Error {
        let mut listed = Vec::new();
        for difference in differences.iter().take(MOST_LISTED) {
            let what = match difference.change() {
                FileChange::New => "is missing",
                FileChange::Removed => "is left over",
                FileChange::Changed => "differs",
            };
            listed.push(format!("{} {what}", difference.path));
        }
        if differences.len() > MOST_LISTED {
            listed.push(format!("and {} more", differences.len() - MOST_LISTED));
        }
        let folder = shown(&self.out);
        Error::new(format!("{folder} is not as generated: {}", listed.join(", ")))
            .help("generate it again: with `kapigen generate`, or with `Build::generate`")
    }
}

/// Whether the crate has no types or resources of its own.
pub(crate) fn is_empty(api: &Api) -> bool {
    api.modules.values().all(|module| module.resources.is_empty() && module.types.is_empty())
}

/// Notes as errors.
fn refused_notes(notes: &[Note]) -> Errors {
    let mut errors = Errors::default();
    for note in notes {
        let error = Error::at(note.location.clone(), note.message.as_str());
        errors.push(note.help.iter().fold(error, |error, help| error.help(help.as_str())));
    }
    errors
}

/// A crate without content is never intended.
pub(crate) fn empty_crate(sources: &Sources) -> Error {
    match &sources.groups {
        Some(groups) => Error::at(
            Location::document(&groups.name),
            "nothing that is selected becomes a function or a type",
        )
        .help("list groups, as `kapigen init` does, or schemas of objects and enums under `types`"),
        None => Error::new(
            "the documents have no path of a resource, and so no kind to generate a crate from",
        )
        .help(
            "paths of resources begin with `/api/<version>/` or `/apis/<group>/<version>/`; \
             `types` in groups.yaml selects schemas that no path needs",
        ),
    }
}

/// The lines that a build script prints so that cargo shows errors, one for each: a line cannot be
/// broken there.
#[must_use]
pub fn error_directives(errors: &Errors) -> Vec<String> {
    errors.iter().map(error_directive).collect()
}

fn error_directive(error: &Error) -> String {
    let location = error.location.as_ref().map(|location| format!("{}: ", location.inline()));
    let needed_by = error.needed_by.first().map(|who| format!(" (needed by {who})"));
    let help = error.help.as_ref().map(|help| format!("; {help}"));
    let parts = [location, Some(error.message.clone()), needed_by, help];
    let line: String = parts.into_iter().flatten().collect();
    format!("cargo::error={}", visible(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(revision: &str) -> RuntimeChoice {
        RuntimeChoice::Git { url: "https://a".to_owned(), revision: Some(revision.to_owned()) }
    }

    #[test]
    fn a_fetched_kapigen_has_the_runtime_of_its_revision() {
        let origin = Origin::Git { url: "https://a".to_owned(), revision: "new".to_owned() };
        let build = Build { origin, ..Build::new("spec", "out") };
        let choice = |last: Option<RuntimeChoice>| build.choice(&LastRun::of_runtime(last), &[]).0;
        assert_eq!(choice(None), Some(git("new")));
        assert_eq!(choice(Some(git("old"))), Some(git("new")), "the crate is of this kapigen");
        let branch = RuntimeChoice::Git { url: "https://a".to_owned(), revision: None };
        for stays in [branch, RuntimeChoice::Vendored] {
            assert_eq!(choice(Some(stays.clone())), Some(stays), "it was chosen");
        }
        let of_others = build.choice(&LastRun::default(), &["stars".into()]);
        assert_eq!(of_others, (None, None), "the other crate has one");
    }
}
