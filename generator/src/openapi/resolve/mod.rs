//! All documents of a run together: which schema is meant by a reference.

mod copies;
mod differences;
pub mod part;
mod reference;
mod stale;

use super::document::{Document, split};
use super::load::RawDocument;
use super::schema::{Schema, SchemaId};
use crate::error::{Errors, Location};
use crate::note::Note;
use crate::parallel;
use crate::pointer::{escape, unescape};
use openapiv3::{Parameter, PathItem};
pub(crate) use reference::join;
pub use reference::{ReferenceError, Resolved, Unresolved};
use std::collections::{BTreeMap, BTreeSet};

/// All documents of a run. Every reference of a schema is resolved.
#[derive(Debug, Default)]
pub struct Documents {
    /// The documents, by name.
    all: Vec<Document>,
    /// The schemas of all documents, by document and pointer.
    schemas: Vec<LocatedSchema>,
    /// The schemas of each document, by pointer.
    ids: Vec<BTreeMap<String, SchemaId>>,
    /// The document that holds each named schema. A schema in several documents has one entry.
    owners: BTreeMap<String, usize>,
    /// The schema that each numbered copy is a copy of.
    copies: BTreeMap<String, String>,
    /// The documents as plain data, with united copies in the first document that has them, if they
    /// were kept.
    raws: Vec<RawDocument>,
    /// The united copies.
    pub notes: Vec<Note>,
}

/// A schema and its location.
#[derive(Debug)]
struct LocatedSchema {
    document: usize,
    pointer: String,
    /// Its name under `components/schemas`.
    name: Option<String>,
    schema: Schema,
}

const SCHEMAS: &str = "/components/schemas/";

impl Documents {
    /// Splits all documents into their parts. Reports documents that describe the same operations,
    /// or else schemas with copies that contradict each other. The order of the documents does not
    /// matter.
    pub fn new(raws: Vec<RawDocument>, errors: &mut Errors) -> Self {
        Self::read(raws, false, errors)
    }

    /// As [`new`](Self::new), and keeps the documents for [`part`](Self::part).
    pub fn keeping(raws: Vec<RawDocument>, errors: &mut Errors) -> Self {
        Self::read(raws, true, errors)
    }

    fn read(mut raws: Vec<RawDocument>, keep: bool, errors: &mut Errors) -> Self {
        raws.sort_by(|a, b| a.name.cmp(&b.name));
        stale::check(&raws, errors);
        if !errors.is_empty() {
            return Self::default();
        }
        let mut documents = Self { copies: copies::originals(&raws), ..Self::default() };
        let known = copies::unite(&mut raws, &documents.copies, &mut documents.notes, errors);
        if keep {
            documents.raws.clone_from(&raws);
        }
        let apart =
            parallel::map(raws.into_iter().zip(&known).collect(), |(raw, known)| split(raw, known));
        for ((document, mistakes), known) in apart.into_iter().zip(&known) {
            errors.append(mistakes);
            documents.add(document, known);
        }
        documents.link();
        documents
    }

    fn add(&mut self, mut document: Document, known: &BTreeSet<String>) {
        let index = self.all.len();
        self.notes.append(&mut document.notes);
        for name in document.schema_names.difference(known) {
            self.owners.insert(name.clone(), index);
        }
        let mut ids = BTreeMap::new();
        for (pointer, schema) in std::mem::take(&mut document.schemas) {
            ids.insert(pointer.clone(), SchemaId(self.schemas.len()));
            self.schemas.push(LocatedSchema {
                document: index,
                name: schema_name(&pointer),
                pointer,
                schema,
            });
        }
        self.ids.push(ids);
        self.all.push(document);
    }

    /// Resolves the references of all schemas. An unresolved reference is an error where it is
    /// used.
    fn link(&mut self) {
        let mut schemas = std::mem::take(&mut self.schemas);
        for node in &mut schemas {
            for used in node.schema.references_mut() {
                used.target = self.resolve(node.document, &used.reference).ok();
            }
        }
        self.schemas = schemas;
    }

    /// The schema with this name, in whichever document it is.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<SchemaId> {
        let document = *self.owners.get(name)?;
        self.ids[document].get(&format!("{SCHEMAS}{}", escape(name))).copied()
    }

    /// Names of all schemas.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.owners.keys().map(String::as_str)
    }

    /// A schema by its id.
    #[must_use]
    pub fn schema(&self, id: SchemaId) -> &Schema {
        &self.schemas[id.0].schema
    }

    /// The name of a schema under `components/schemas`. None: it is nested.
    #[must_use]
    pub fn name(&self, id: SchemaId) -> Option<&str> {
        self.schemas[id.0].name.as_deref()
    }

    /// The nested objects with members in documents that were made of definitions.
    pub fn nested_objects(&self) -> impl Iterator<Item = SchemaId> {
        let ids = (0..self.schemas.len()).map(SchemaId);
        ids.filter(|id| {
            let LocatedSchema { name, schema, .. } = &self.schemas[id.0];
            name.is_none() && !schema.properties.is_empty() && self.is_of_definitions(*id)
        })
    }

    /// The name of a schema, or for a nested one its pointer below `components/schemas`.
    #[must_use]
    pub fn label(&self, id: SchemaId) -> &str {
        let LocatedSchema { name, pointer, .. } = &self.schemas[id.0];
        name.as_deref().unwrap_or_else(|| pointer.strip_prefix(SCHEMAS).unwrap_or(pointer))
    }

    /// The JSON pointer of a schema in its document.
    #[must_use]
    pub fn pointer(&self, id: SchemaId) -> &str {
        &self.schemas[id.0].pointer
    }

    /// The index of the document of a schema.
    #[must_use]
    pub fn document(&self, id: SchemaId) -> usize {
        self.schemas[id.0].document
    }

    /// Whether a schema is in a document that was made of definitions of custom resources, by a
    /// server or not.
    #[must_use]
    pub fn is_of_definitions(&self, id: SchemaId) -> bool {
        self.all[self.document(id)].is_of_definitions
    }

    /// The names of the documents, by index.
    pub fn document_names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|document| document.name.as_str())
    }

    /// Where a schema is.
    #[must_use]
    pub fn location(&self, id: SchemaId) -> Location {
        let LocatedSchema { document, pointer, .. } = &self.schemas[id.0];
        self.location_in(*document, pointer)
    }

    /// Where a property of a schema is.
    #[must_use]
    pub fn property_location(&self, id: SchemaId, property: &str) -> Location {
        let LocatedSchema { document, pointer, .. } = &self.schemas[id.0];
        self.location_in(*document, &format!("{pointer}/properties/{}", escape(property)))
    }

    /// A location in a document, by the index of the document.
    #[must_use]
    pub fn location_in(&self, document: usize, pointer: &str) -> Location {
        Location::pointer(&self.all[document].name, pointer)
    }

    /// The shared parameters of all documents, with the index of the document and the pointer in
    /// it.
    pub fn shared_parameters(&self) -> impl Iterator<Item = (usize, String, &Parameter)> {
        let documents = self.all.iter().enumerate();
        let all = documents.flat_map(|(index, document)| {
            document.parameters.iter().map(move |item| (index, item))
        });
        all.filter_map(|(index, (name, item))| {
            Some((index, format!("/components/parameters/{}", escape(name)), item.as_item()?))
        })
    }

    /// The paths of all documents in their order, each with the index of its document.
    pub fn paths(&self) -> impl Iterator<Item = (usize, &str, &PathItem)> {
        let documents = self.all.iter().enumerate();
        documents.flat_map(|(index, document)| {
            document.paths.iter().map(move |(path, item)| (index, path.as_str(), item))
        })
    }
}

/// The name under `components/schemas` that a pointer has.
fn schema_name(pointer: &str) -> Option<String> {
    let name = pointer.strip_prefix(SCHEMAS)?;
    (!name.contains('/')).then(|| unescape(name).into_owned())
}
