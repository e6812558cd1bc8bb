//! Generates a Rust crate from the OpenAPI 3.0 documents of Kubernetes-style APIs.
//!
//! Texts in, files out: [`generate`] touches neither disk nor network; only [`folder`] reads files and only [`tree`]
//! writes them. Data flows one way, through free functions:
//!
//! [`load`] text → data · [`fixups`] corrects the data · [`library`] takes documents apart and finds references ·
//! [`lower`](mod@lower) documents → [`model`](mod@model) · [`boxing`] places members · [`rustc`] knows what
//! no compiler takes · [`endpoints`] operations →
//! functions · [`emit`](mod@emit) model → tokens, and tables as text · [`format`](mod@format) tokens → text · [`tree`]
//! files. What is done for each document and for each file is done on all cores.
//!
//! What a run says is in [`report`] and [`list`].

pub mod boxing;
pub mod crates;
pub mod document;
pub mod emit;
pub mod endpoints;
pub mod error;
pub mod fixups;
pub mod folder;
pub mod format;
pub mod index;
pub mod init;
pub mod library;
pub mod list;
pub mod load;
pub mod lower;
pub mod manifest;
mod markdown;
pub mod model;
pub mod names;
pub mod note;
mod parallel;
pub mod report;
pub mod runtime;
pub mod rustc;
pub mod selection;
pub mod timings;
pub mod tree;
pub mod visible;
pub mod wellknown;
pub mod workspace;

use error::Errors;
use index::{ExternCrate, Index};
use library::Library;
use load::Source;
use model::Api;
use note::Note;
use selection::Selection;
use std::collections::{BTreeMap, BTreeSet};
use timings::Timings;
use tree::Tree;

/// What a run reads.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// OpenAPI documents.
    pub documents: Vec<Source>,
    /// `groups.yaml`. None: everything that the documents have.
    pub groups: Option<Source>,
    /// `fixups.yaml`, if there is one. Each of its corrections must change something.
    pub fixups: Option<Source>,
    /// Whether the corrections that kapigen brings along are applied too, where they fit.
    pub shipped_fixups: bool,
    /// Packages of schemas that are emitted whole, whether a selected resource reaches them or not.
    pub packages: Vec<String>,
    /// The index of the runtime. None: of the one that kapigen brings along.
    pub runtime: Option<Index>,
    /// Crates whose types are used instead of being emitted again.
    pub externs: Vec<ExternCrate>,
}

/// What a run makes.
#[derive(Clone, Debug)]
pub struct Output {
    /// The files of the crate, without its `Cargo.toml`.
    pub tree: Tree,
    /// Its Cargo features, and the features that each needs.
    pub features: BTreeMap<String, Vec<String>>,
    /// The fixups that were applied.
    pub fixups: Vec<fixups::Applied>,
    /// Decisions that the input did not make.
    pub notes: Vec<Note>,
    /// The model that the files were made of.
    pub api: Api,
    /// How long each stage took.
    pub timings: Timings,
}

/// The model of what is selected, and how it came about.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The model.
    pub api: Api,
    /// The fixups that were applied.
    pub fixups: Vec<fixups::Applied>,
    /// Decisions that the input did not make.
    pub notes: Vec<Note>,
}

/// Generates a crate.
///
/// # Errors
/// Everything that is wrong with the input, at once.
pub fn generate(sources: &Sources) -> Result<Output, Errors> {
    let mut timings = Timings::start();
    let Model { api, fixups, notes } = timed_model(sources, &mut timings)?;
    let endpoints = endpoints::plan(&api);
    let mut tree = formatted(&emit::files(&api, &endpoints))?;
    tree.insert(index::PATH, Index::of(&api).text());
    let features = emit::features(&api);
    timings.lap("emit and format");
    Ok(Output { tree, features, fixups, notes, api, timings })
}

fn formatted(files: &[emit::File<'_>]) -> Result<Tree, Errors> {
    let mut errors = Errors::default();
    let mut tree = Tree::default();
    for (file, text) in files.iter().zip(parallel::map(files.iter().collect(), format::text)) {
        if let Some(text) = errors.keep(text) {
            tree.insert(&file.path, text);
        }
    }
    errors.or(tree)
}

/// Reads the documents into the model of what is selected.
///
/// # Errors
/// Everything that is wrong with the input, at once.
pub fn model(sources: &Sources) -> Result<Model, Errors> {
    timed_model(sources, &mut Timings::start())
}

/// What the documents offer, whatever is selected: for [`init`].
///
/// # Errors
/// Everything that keeps the documents from being read.
pub fn offered(sources: &Sources) -> Result<Offered, Errors> {
    let mut errors = Errors::default();
    let raws = read(sources, &mut errors);
    let library = Library::new(raws, &mut errors);
    errors.or(lower::offered(&library))
}

/// Plural names of the resources of each group-version.
pub type Offered = BTreeMap<model::GroupVersion, BTreeSet<String>>;

/// The documents that can be read.
fn read(sources: &Sources, errors: &mut Errors) -> Vec<load::Raw> {
    let raws = parallel::map(sources.documents.iter().collect(), load::document);
    raws.into_iter().filter_map(|raw| errors.keep(raw)).collect()
}

fn timed_model(sources: &Sources, timings: &mut Timings) -> Result<Model, Errors> {
    let mut errors = Errors::default();
    let externs = runtime::crates(sources)?;
    let groups = sources.groups.as_ref().map(Selection::read).transpose();
    let mut selection = errors.keep(groups).flatten().unwrap_or_default();
    let mut raws = read(sources, &mut errors);
    timings.lap("load");
    // Without one of the documents, what is to be corrected may be missing too.
    let source = sources.fixups.as_ref().filter(|_| raws.len() == sources.documents.len());
    let applied = source.map(|source| fixups::apply(source, &mut raws, &mut errors)).transpose();
    let mut fixups = errors.keep(applied).flatten().unwrap_or_default();
    if sources.shipped_fixups {
        let shipped = fixups::apply_shipped(&mut raws, &mut errors);
        fixups.extend(errors.keep(shipped).into_iter().flatten());
    }
    timings.lap("fixups");
    // What cannot be read would be reported again as missing, and hide what is really wrong.
    if !errors.is_empty() {
        return Err(errors);
    }
    let library = Library::new(raws, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    timings.lap("take apart");
    let is_whole = |name: &&str| sources.packages.iter().any(|package| package == names::split_schema(name).0);
    selection.types.extend(library.names().filter(is_whole).map(str::to_owned));
    let (mut api, named) = lower::lower(&library, &selection, &externs, &mut errors);
    let notes = library.notes.into_iter().chain(named).collect();
    boxing::place(&mut api);
    rustc::check(&api, &mut errors);
    timings.lap("lower");
    errors.or(Model { api, fixups, notes })
}
