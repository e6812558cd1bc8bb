//! Names of types that would have the same name.
//!
//! A named schema comes before a nested one, and a schema that is spelled like the type before
//! others. Of nested schemas, the less deep one comes first, then the one with a property in
//! camelCase. Ties are broken by name. The first keeps the name, the others get a number: `Pod`,
//! `Pod2`. Types of their nested schemas are named as if they had none.

use crate::input::selection;
use crate::model::TypeId;
use crate::names;
use crate::note::Note;
use crate::openapi::resolve::Documents;
use crate::openapi::schema::SchemaId;
use crate::pointer::unescape;
use std::collections::{BTreeMap, BTreeSet};

/// The types that schemas would be.
#[derive(Debug, Default)]
pub(super) struct Claims {
    natural: BTreeMap<TypeId, BTreeSet<SchemaId>>,
    chosen: BTreeMap<TypeId, SchemaId>,
}

/// Types of schemas that are not called by their natural name, and that name.
#[derive(Debug, Default)]
pub(super) struct TypeNames(BTreeMap<SchemaId, (TypeId, String)>);

/// Orders schemas that would be the same type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    depth: usize,
    inexact: bool,
    label: String,
    document: String,
    id: SchemaId,
}

impl Claims {
    /// A schema is called by a type's natural name.
    pub(super) fn claim(&mut self, type_id: &TypeId, id: SchemaId) {
        self.natural.entry(type_id.clone()).or_default().insert(id);
    }

    /// A schema is given the name of a type. Returns another one that was given it already.
    pub(super) fn choose(&mut self, type_id: &TypeId, id: SchemaId) -> Option<SchemaId> {
        self.chosen.insert(type_id.clone(), id).filter(|other| *other != id)
    }

    /// The types of schemas that cannot have their natural name. None: all can.
    pub(super) fn resolve(&self, documents: &Documents) -> Option<TypeNames> {
        let is_free = self
            .natural
            .iter()
            .all(|(type_id, schemas)| schemas.len() <= 1 && !self.chosen.contains_key(type_id));
        if is_free {
            return None;
        }
        let mut modules: BTreeMap<&str, BTreeMap<String, BTreeSet<Rank>>> = BTreeMap::new();
        for (type_id, schemas) in &self.natural {
            let ranks =
                schemas.iter().map(|id| Rank::new(*id, type_id.name.as_str(), documents)).collect();
            modules.entry(&type_id.module).or_default().insert(type_id.name.clone(), ranks);
        }
        let mut names = BTreeMap::new();
        for (module, natural) in modules {
            let chosen = self.chosen.keys().filter(|chosen| chosen.module == module);
            let distinct =
                names::distinct(&natural, &chosen.map(|chosen| chosen.name.clone()).collect(), "");
            for (usual, ranks) in natural {
                let other = ranks.into_iter().filter_map(|rank| {
                    let name = distinct.get(&rank).filter(|name| **name != usual)?.clone();
                    Some((rank.id, (TypeId::own(module, name), usual.clone())))
                });
                names.extend(other);
            }
        }
        Some(TypeNames(names))
    }
}

impl TypeNames {
    pub(super) fn get(&self, id: SchemaId) -> Option<&TypeId> {
        self.0.get(&id).map(|(type_id, _)| type_id)
    }

    pub(super) fn notes(&self, documents: &Documents) -> Vec<Note> {
        let notes = self.0.iter().map(|(id, (type_id, usual))| Note {
            location: documents.location(*id),
            message: format!("the type is `{type_id}`, as another schema is `{usual}`"),
            help: Some(selection::advice(documents.label(*id), None)),
        });
        notes.collect()
    }
}

impl Rank {
    fn new(id: SchemaId, name: &str, documents: &Documents) -> Self {
        let label = documents.label(id).to_owned();
        let pointer = documents.pointer(id);
        let segments = pointer.split('/').count();
        let (depth, inexact) = match documents.name(id) {
            Some(schema) => (0, names::split_schema(schema).1 != name),
            None => (
                segments,
                !pointer
                    .rsplit('/')
                    .next()
                    .is_some_and(|last| names::is_exact_camel(&unescape(last))),
            ),
        };
        let document = documents.location(id).document;
        Self { depth, inexact, label, document, id }
    }
}
