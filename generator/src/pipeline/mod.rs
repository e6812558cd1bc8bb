//! The stages of a run, in their order.

mod held;
mod lowering;
mod reading;
mod signatures;

pub use lowering::{Manifests, Model};

use crate::emit;
use crate::emit::tree::Tree;
use crate::error::{Error, Errors};
use crate::functions;
use crate::hold::{self, Interface};
use crate::input::definitions::Definitions;
use crate::input::index::{self, Index};
use crate::input::package::Package;
use crate::input::{Existing, Holding, Selection, Source, Sources};
use crate::lower::{self, Nested, Offered, OtherPaths};
use crate::model::documents::DOCUMENTS;
use crate::model::listed::LISTED;
use crate::model::wellknown::{META, META_PACKAGE, RUNTIME_PACKAGES};
use crate::model::{Api, Module, StandardParams, inlining};
use crate::names;
use crate::note::Note;
use crate::openapi::fixups::Applied;
use crate::openapi::resolve::Documents;
use crate::package;
use lowering::{OwnDocuments, ReadDocuments};
use reading::{Read, corrected, externs, read, relocated};
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
    /// Paths of the documents for which no functions are generated.
    pub other_paths: OtherPaths,
    /// The manifests among the documents.
    pub manifests: Manifests,
    /// The places where the crate holds its interface against the documents.
    pub held: hold::Report,
    /// The nested schemas, and the listed types that they became.
    pub nested: Nested,
    /// The model that the files were made of.
    pub api: Api,
    /// Why a new crate has a copy of the runtime, if nobody chose that.
    pub copied: Option<&'static str>,
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
pub fn generate_observed(
    sources: &Sources,
    done: &mut dyn FnMut(&'static str),
) -> Result<Output, Errors> {
    let Lowered { model, documents, definitions } = lowered(sources, Documents::keeping, done)?;
    let Model {
        mut api,
        fixups,
        mut notes,
        other_paths,
        manifests,
        mut interface,
        held,
        nested,
        ..
    } = model;
    let given = if sources.without_definitions { Vec::new() } else { definitions.manifests() };
    let mut texts = package::definitions::add(&mut api, &given);
    let endpoints = functions::plan(&api);
    let mut more = functions::notes(&api);
    definitions.relocate(&sources.documents, more.iter_mut().map(|note| &mut note.location));
    notes.extend(more);
    let mut tree = emit::formatted(&emit::files(&api, &endpoints, sources.crate_name.as_deref()))?;
    tree.insert(index::PATH, Index::for_api(&api).text());
    tree.insert(package::ATTRIBUTES, package::ATTRIBUTES_TEXT.to_owned());
    texts.extend(published(&api, &documents, &mut interface)?);
    texts.extend(interface.text().map(|text| (hold::PATH.to_owned(), text)));
    for (path, text) in texts {
        tree.insert(path, text);
    }
    let features = emit::features(&api);
    done("emit and format");
    Ok(Output {
        tree,
        features,
        fixups,
        notes,
        other_paths,
        manifests,
        held,
        nested,
        api,
        copied: None,
    })
}

/// The documents of the crate, as servers have them.
fn published(
    api: &Api,
    documents: &OwnDocuments,
    interface: &mut Interface,
) -> Result<Vec<(String, String)>, Error> {
    let own = package::documents::files(api, &documents.own)?;
    let Some(published) = &documents.published else { return Ok(own) };
    let published = package::documents::files(api, published)?;
    interface.set_held(&own, &published);
    Ok(published)
}

impl Output {
    /// Makes the files a package: adds `Cargo.toml`, a README, and the runtime if it is vendored.
    ///
    /// # Errors
    /// When Cargo would not take the name.
    pub fn add_package(&mut self, package: &Package) -> Result<(), Error> {
        package::add(package, &self.api, &self.features, &mut self.tree)
    }

    /// The `[features]` of the crate's manifest: its modules, `default`, and the features of the
    /// runtime.
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
    let Lowered { model, definitions, .. } = lowered(sources, Documents::new, &mut |_| {})?;
    Ok(Model { definitions: definitions.into_manifests(), ..model })
}

/// The model of a crate that is generated from newer sources over one of older ones: it has the
/// interface of the latter, but for what cannot be held. `now` is the model of the newer ones alone.
///
/// # Errors
/// All errors of the input, at once.
pub fn held(old: &Sources, new: &Sources, now: &Api) -> Result<Model, Errors> {
    let Lowered { model, documents, .. } = lowered(old, Documents::keeping, &mut |_| {})?;
    let Model { api, mut interface, .. } = model;
    let documents = published(&api, &documents, &mut interface)?;
    let existing = Existing {
        documents: documents.into_iter().map(|(path, text)| Source::new(path, text)).collect(),
        interface: interface.text().map(|text| Source::new(hold::PATH, text)),
        holding: Holding { accept_all: true, drop: held::lost(&api, now), ..Holding::default() },
    };
    self::model(&Sources { existing: Some(existing), ..new.clone() })
}

/// The resources of all documents, selected or not: for `kapigen init`.
///
/// # Errors
/// All errors of the documents.
pub fn offered(sources: &Sources) -> Result<Offered, Errors> {
    let mut errors = Errors::default();
    let Read { raws, definitions, .. } = read(sources, &mut errors);
    let documents = Documents::new(raws, &mut errors);
    let offered = lower::offered(&documents);
    errors.into_result(offered).map_err(|errors| relocated(&errors, &definitions, sources))
}

/// A model, and the input that it was made from.
struct Lowered {
    model: Model,
    documents: OwnDocuments,
    definitions: Definitions,
}

/// Reads, corrects and lowers the documents, and calls `done` with the name of each stage.
fn lowered(
    sources: &Sources,
    documents: ReadDocuments,
    done: &mut dyn FnMut(&'static str),
) -> Result<Lowered, Errors> {
    let mut errors = Errors::default();
    let externs = externs(sources)?;
    let groups = sources.groups.as_ref().map(Selection::read).transpose();
    let selection = errors.ok(groups).flatten().unwrap_or_default();
    let mut unread = Errors::default();
    let Read { mut raws, definitions, notes } = read(sources, &mut unread);
    // Without one of the documents, the target of a correction may be missing too.
    let fixups = sources.fixups.as_ref().filter(|_| unread.is_empty());
    errors.append(unread);
    done("load");
    let applied = corrected(sources, fixups, &mut raws, &mut errors);
    done("fixups");
    // A document with an error would be reported again as missing.
    let made = errors
        .into_result(())
        .and_then(|()| held::lower(sources, documents, raws, selection, &externs, done));
    let (mut model, documents) =
        made.map_err(|errors| relocated(&errors, &definitions, sources))?;
    if !sources.without_definitions {
        package::definitions::warn(&mut model.api, &definitions.manifests());
    }
    definitions.relocate(&sources.documents, model.notes.iter_mut().map(|note| &mut note.location));
    model.notes.splice(0..0, notes);
    model.fixups = applied;
    model.manifests = Manifests { definitions: definitions.len(), others: definitions.others };
    Ok(Lowered { model, documents, definitions })
}

/// Generates the part of the runtime that is made from documents: the shared types, the types of
/// reviews and discovery, the standard parameter structs, and the index of what crates use. Paths
/// are relative to the folder of its package.
///
/// # Errors
/// All errors of the input, at once.
pub fn generate_runtime(sources: &Sources) -> Result<Tree, Errors> {
    // Without an index, the shared types are types like all others.
    let packages = [META_PACKAGE].into_iter().chain(RUNTIME_PACKAGES).map(str::to_owned).collect();
    let sources = Sources { runtime: Some(Index::default()), packages, ..sources.clone() };
    let Lowered { model, documents, .. } = lowered(&sources, Documents::keeping, &mut |_| {})?;
    let api = model.api;
    let standard = functions::standard(&api);
    let modules =
        api.modules.iter().filter(|(name, module)| *name == META || is_of_runtime(module));
    let mut modules: BTreeMap<_, _> =
        modules.map(|(name, module)| (name.clone(), module.clone())).collect();
    modules.get_mut(META).map(inlining::apply).transpose()?;
    let own = Api { modules, ..Api::default() };
    let mut tree = emit::formatted(&emit::runtime_files(&own, &standard))?;
    let params =
        standard.iter().map(|(name, def)| ((*name).to_owned(), StandardParams::from_def(def)));
    let shared = own.modules.into_iter().filter(|(name, _)| *name == META).collect();
    let shared = Api { modules: shared, ..Api::default() };
    tree.insert(index::PATH, Index { params: params.collect(), ..Index::for_api(&shared) }.text());
    let listed = LISTED.iter().map(|listed| listed.schema);
    let shared = listed.filter(|schema| names::split_schema(schema).0 == META_PACKAGE).collect();
    let document = package::documents::of_schemas(&documents.own, META, &shared);
    tree.insert(format!("{DOCUMENTS}{META}.json"), document);
    Ok(tree)
}

fn is_of_runtime(module: &Module) -> bool {
    let mut packages = module.types.values().map(|def| names::split_schema(&def.schema).0);
    packages.any(|package| RUNTIME_PACKAGES.contains(&package))
}
