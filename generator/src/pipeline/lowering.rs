//! Documents to the model of a selection.

use crate::error::Errors;
use crate::hold::{self, Interface};
use crate::input::index::ExternCrate;
use crate::input::{Selection, Sources};
use crate::lower::{self, Nested, OtherPaths};
use crate::model::{Api, boxing, rustc};
use crate::names;
use crate::note::Note;
use crate::openapi::fixups::Applied;
use crate::openapi::load::RawDocument;
use crate::openapi::resolve::Documents;
use serde_json::Value;

/// The model of the selection, and the decisions on the way to it.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The model.
    pub api: Api,
    /// The fixups that were applied.
    pub fixups: Vec<Applied>,
    /// Decisions that the input did not make.
    pub notes: Vec<Note>,
    /// Paths of the documents for which no functions are generated.
    pub other_paths: OtherPaths,
    /// The manifests among the documents.
    pub manifests: Manifests,
    /// The definitions of custom resources, selected or not, as they were given.
    pub definitions: Vec<Value>,
    /// The nested schemas, and the listed types among them.
    pub nested: Nested,
    /// The names that documents do not give.
    pub interface: Interface,
    /// The places where the interface of a crate that exists was held.
    pub held: hold::Report,
}

/// The manifests among the documents of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manifests {
    /// The number of definitions of custom resources that documents were made from.
    pub definitions: usize,
    /// The number of objects of other kinds beside them, which were skipped.
    pub others: usize,
}

/// Takes raw documents apart.
pub(super) type ReadDocuments = fn(Vec<RawDocument>, &mut Errors) -> Documents;

/// The documents of a crate.
pub(super) struct OwnDocuments {
    /// As they describe its interface.
    pub(super) own: Documents,
    /// As they were given. `None`: they are the same.
    pub(super) published: Option<Documents>,
}

/// Lowers the selection of documents that were read.
pub(super) fn lower_once(
    sources: &Sources,
    documents: ReadDocuments,
    raws: Vec<RawDocument>,
    mut selection: Selection,
    externs: &[ExternCrate],
    done: &mut dyn FnMut(&'static str),
) -> Result<(Model, Documents), Errors> {
    let mut errors = Errors::default();
    let mut documents = documents(raws, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    done("take apart");
    let whole = documents.names().filter(|name| {
        sources.packages.iter().any(|package| package == names::split_schema(name).0)
    });
    selection.types.extend(whole.map(str::to_owned));
    let other_paths = OtherPaths::collect(&documents);
    let (mut api, nested, named) = lower::lower(&documents, &selection, externs, &mut errors);
    let mut notes: Vec<Note> =
        std::mem::take(&mut documents.notes).into_iter().chain(named).collect();
    boxing::apply(&mut api);
    notes.extend(rustc::cut_layers(&mut api).into_iter().map(|(id, field, location)| Note {
        message: format!(
            "`{field}` of `{id}` is kept as JSON: its types are nested deeper than rustc accepts"
        ),
        location,
        help: None,
    }));
    rustc::check(&api, &mut errors);
    done("lower");
    errors.into_result((Model { api, notes, other_paths, nested, ..Model::default() }, documents))
}
