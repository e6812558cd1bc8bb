//! The stages of a run, in their order.

use crate::emit;
use crate::emit::tree::Tree;
use crate::error::{Error, Errors};
use crate::functions;
use crate::input::index::{self, ExternCrate, Index};
use crate::input::package::Package;
use crate::input::{Selection, Source, Sources};
use crate::lower::{self, Offered, OtherPaths};
use crate::model::wellknown::{META, META_PACKAGE, RUNTIME};
use crate::model::{Api, StandardParams, boxing, inlining, rustc};
use crate::names;
use crate::note::Note;
use crate::openapi::fixups::{self, Applied};
use crate::openapi::load;
use crate::openapi::resolve::Documents;
use crate::package::{self, copies};
use crate::parallel;
use std::collections::BTreeMap;

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Output {
    /// The files of the crate, without its `Cargo.toml`.
    pub tree: Tree,
    /// The Cargo features of its modules, and the features that each needs.
    pub features: BTreeMap<String, Vec<String>>,
    /// The fixups that were applied.
    pub fixups: Vec<Applied>,
    /// Decisions that the input did not make.
    pub notes: Vec<Note>,
    /// Paths of the documents of which no functions are made.
    pub other_paths: OtherPaths,
    /// The model that the files were made of.
    pub api: Api,
}

/// The model of the selection, and the decisions on the way to it.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The model.
    pub api: Api,
    /// The fixups that were applied.
    pub fixups: Vec<Applied>,
    /// Decisions that the input did not make.
    pub notes: Vec<Note>,
    /// Paths of the documents of which no functions are made.
    pub other_paths: OtherPaths,
}

/// Generates a crate.
///
/// # Errors
/// All errors of the input, at once.
pub fn generate(sources: &Sources) -> Result<Output, Errors> {
    generate_observed(sources, &mut |_| {})
}

/// Generates a crate, and calls `done` with the name of each stage when it ends.
///
/// # Errors
/// All errors of the input, at once.
pub fn generate_observed(sources: &Sources, done: &mut dyn FnMut(&'static str)) -> Result<Output, Errors> {
    let (model, documents) = observed_model(sources, Documents::keeping, done)?;
    let Model { api, fixups, mut notes, other_paths } = model;
    let endpoints = functions::plan(&api);
    notes.extend(functions::notes(&api));
    let mut tree = emit::formatted(&emit::files(&api, &endpoints, sources.crate_name.as_deref()))?;
    tree.insert(index::PATH, Index::of(&api).text());
    tree.insert(package::ATTRIBUTES, package::ATTRIBUTES_TEXT.to_owned());
    for (path, text) in package::documents::files(&api, &documents)? {
        tree.insert(path, text);
    }
    let features = emit::features(&api);
    done("emit and format");
    Ok(Output { tree, features, fixups, notes, other_paths, api })
}

impl Output {
    /// Makes the files a package: adds `Cargo.toml`, a README, and the runtime if it is vendored.
    ///
    /// # Errors
    /// When Cargo would not take the name.
    pub fn add_package(&mut self, package: &Package) -> Result<(), Error> {
        self.notes.extend(package::add(package, &self.api, &self.features, &mut self.tree)?);
        Ok(())
    }

    /// The `[features]` of the crate's manifest: those of its modules, `default`, and those of the runtime.
    #[must_use]
    pub fn manifest_features(&self) -> BTreeMap<String, Vec<String>> {
        package::manifest::features(&self.features)
    }
}

/// Lowers the selection of the documents to the model.
///
/// # Errors
/// All errors of the input, at once.
pub fn model(sources: &Sources) -> Result<Model, Errors> {
    observed_model(sources, Documents::new, &mut |_| {}).map(|(model, _)| model)
}

/// The resources of all documents, selected or not: for `kapigen init`.
///
/// # Errors
/// All errors of the documents.
pub fn offered(sources: &Sources) -> Result<Offered, Errors> {
    let mut errors = Errors::default();
    let raws = read(sources, &mut errors);
    let documents = Documents::new(raws, &mut errors);
    errors.into_result(lower::offered(&documents))
}

/// The documents that can be read.
fn read(sources: &Sources, errors: &mut Errors) -> Vec<load::Raw> {
    let raws = parallel::map(sources.documents.iter().collect(), load::document);
    raws.into_iter().filter_map(|raw| errors.ok(raw)).collect()
}

/// The crates whose types a run uses, the runtime first.
fn externs(sources: &Sources) -> Result<Vec<ExternCrate>, Error> {
    let embedded = || Index::parse(&Source::new("index.json of the runtime", copies::INDEX));
    let index = sources.runtime.clone().map_or_else(embedded, Ok)?;
    let runtime = ExternCrate { package: RUNTIME.to_owned(), index };
    Ok([runtime].into_iter().chain(sources.externs.iter().cloned()).collect())
}

fn observed_model(
    sources: &Sources,
    documents: fn(Vec<load::Raw>, &mut Errors) -> Documents,
    done: &mut dyn FnMut(&'static str),
) -> Result<(Model, Documents), Errors> {
    let mut errors = Errors::default();
    let externs = externs(sources)?;
    let groups = sources.groups.as_ref().map(Selection::read).transpose();
    let mut selection = errors.ok(groups).flatten().unwrap_or_default();
    let mut raws = read(sources, &mut errors);
    done("load");
    // Without one of the documents, the target of a correction may be missing too.
    let source = sources.fixups.as_ref().filter(|_| raws.len() == sources.documents.len());
    let applied = source.map(|source| fixups::apply(source, &mut raws, &mut errors)).transpose();
    let mut fixups = errors.ok(applied).flatten().unwrap_or_default();
    if sources.shipped_fixups {
        let shipped = fixups::apply_shipped(&mut raws, &mut errors);
        fixups.extend(errors.ok(shipped).into_iter().flatten());
    }
    done("fixups");
    // A document with an error would be reported again as missing.
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut documents = documents(raws, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    done("take apart");
    let is_whole = |name: &&str| sources.packages.iter().any(|package| package == names::split_schema(name).0);
    selection.types.extend(documents.names().filter(is_whole).map(str::to_owned));
    let other_paths = OtherPaths::of(&documents);
    let (mut api, named) = lower::lower(&documents, &selection, &externs, &mut errors);
    let notes = std::mem::take(&mut documents.notes).into_iter().chain(named).collect();
    boxing::apply(&mut api);
    rustc::check(&api, &mut errors);
    done("lower");
    errors.into_result((Model { api, fixups, notes, other_paths }, documents))
}

/// Generates the part of the runtime that is made from documents: the shared types, the standard parameter structs, and
/// the index of both. Paths are below the folder of its package.
///
/// # Errors
/// All errors of the input, at once.
pub fn generate_runtime(sources: &Sources) -> Result<Tree, Errors> {
    // Without an index, the shared types are types like all others.
    let packages = vec![META_PACKAGE.to_owned()];
    let sources = Sources { runtime: Some(Index::default()), packages, ..sources.clone() };
    let Model { api, .. } = model(&sources)?;
    let standard = functions::standard(&api);
    let modules = api.modules.iter().filter(|(name, _)| *name == META);
    let mut modules: BTreeMap<_, _> = modules.map(|(name, module)| (name.clone(), module.clone())).collect();
    modules.values_mut().try_for_each(inlining::apply)?;
    let shared = Api { modules, ..Api::default() };
    let mut tree = emit::formatted(&emit::runtime_files(&shared, &standard))?;
    let params = standard.iter().map(|(name, def)| ((*name).to_owned(), StandardParams::of(def)));
    tree.insert(index::PATH, Index { params: params.collect(), ..Index::of(&shared) }.text());
    Ok(tree)
}
