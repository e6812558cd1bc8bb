//! The context of lowering: the documents, the selection, and their errors and notes, with the
//! first user of each schema.

use super::kinds::Served;
use super::modules::{ModuleAssignment, Packages};
use crate::error::{Error, Errors, Location};
use crate::input::Selection;
use crate::input::index::{ExternCrate, IndexedType};
use crate::input::selection::rename_key;
use crate::model::{Type, TypeId, WellKnown};
use crate::names;
use crate::note::Note;
use crate::openapi::resolve::{Documents, ReferenceError};
use crate::openapi::schema::{SchemaId, SchemaRef};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The number of further errors that suggest a similar name. Each suggestion is a comparison with
/// all names, and the first suggestions are enough.
const MOST_SUGGESTIONS: usize = 20;

/// The error of a function that reported it to the context.
pub(super) struct Reported;

/// A value, unless an error was reported.
pub(super) type Result<T, E = Reported> = std::result::Result<T, E>;

/// The input of lowering, and its errors and notes.
#[derive(Clone)]
pub(super) struct Context<'a> {
    pub(super) documents: &'a Documents,
    pub(super) selection: &'a Selection,
    pub(super) packages: &'a Packages,
    /// The module of each document, for schemas in packages without one.
    pub(super) document_modules: &'a [ModuleAssignment],
    pub(super) served: &'a Served,
    pub(super) externs: &'a Externs<'a>,
    /// The nested schemas that become listed types.
    pub(super) listed: &'a BTreeMap<String, String>,
    pub(super) errors: Errors,
    pub(super) notes: Vec<Note>,
    /// Schemas with notes. Each note of a schema is made once.
    noted: BTreeSet<(SchemaId, String)>,
    pub(super) renames_used: BTreeSet<String>,
    /// Labels of the nested objects that were lowered; of all nested schemas, if the selection has
    /// an entry for any.
    pub(super) nested_seen: BTreeSet<String>,
    /// For each schema with a type, the first that needed it.
    needed_by: BTreeMap<SchemaId, NeededBy>,
    /// The number of suggestions that are left.
    suggestions: usize,
    /// The documents that references name, but that were not given.
    missing_documents: BTreeSet<String>,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        documents: &'a Documents,
        selection: &'a Selection,
        packages: &'a Packages,
        document_modules: &'a [ModuleAssignment],
        served: &'a Served,
        externs: &'a Externs<'a>,
        listed: &'a BTreeMap<String, String>,
    ) -> Self {
        Self {
            documents,
            selection,
            packages,
            document_modules,
            served,
            externs,
            listed,
            errors: Errors::default(),
            notes: Vec::new(),
            noted: BTreeSet::new(),
            renames_used: BTreeSet::new(),
            nested_seen: BTreeSet::new(),
            needed_by: BTreeMap::new(),
            suggestions: MOST_SUGGESTIONS,
            missing_documents: BTreeSet::new(),
        }
    }

    /// The module of the type of a schema.
    pub(super) fn module_of(&self, id: SchemaId) -> ModuleAssignment {
        let of_document = &self.document_modules[self.documents.document(id)];
        self.packages.module_of(self.documents.pointer(id), of_document)
    }

    /// The name that the selection gives to a type or a field. Reports one that Rust does not
    /// allow.
    pub(super) fn rename(&mut self, schema: &str, property: Option<&str>) -> Option<String> {
        self.renames_used.insert(rename_key(schema, property));
        self.errors.ok(self.selection.renamed(schema, property)).flatten().map(str::to_owned)
    }

    /// The schema that is used in a keyword of another. Reports a reference that does not resolve
    /// at the location.
    pub(super) fn target(
        &mut self,
        id: SchemaId,
        used: &SchemaRef,
        location: impl FnOnce(&Documents) -> Location,
        origin: &Origin,
    ) -> Result<SchemaId> {
        if let Some(target) = used.target {
            return Ok(target);
        }
        let resolved = self.documents.resolve(self.documents.document(id), &used.reference);
        self.resolved(resolved, location(self.documents), origin)
    }

    /// The result of resolving a reference. Reports one that does not resolve, with the name that
    /// was probably meant. Of several references to a document that was not given, only the first
    /// is reported.
    pub(super) fn resolved<T>(
        &mut self,
        result: Result<T, ReferenceError>,
        location: Location,
        origin: &Origin,
    ) -> Result<T> {
        let error = match result {
            Ok(target) => return Ok(target),
            Err(error) => error,
        };
        // Every operation may refer to a document that is not given.
        if error
            .missing_document
            .as_ref()
            .is_some_and(|document| !self.missing_documents.insert(document.clone()))
        {
            return Err(Reported);
        }
        let near = self.suggest(|context| context.documents.nearest(&error));
        Err(self.report(error.at(location, near), origin))
    }

    /// The similar name that a comparison finds, unless there were too many.
    fn suggest(&mut self, compare: impl FnOnce(&Self) -> Option<&'a str>) -> Option<&'a str> {
        self.suggestions = self.suggestions.checked_sub(1)?;
        compare(self)
    }

    /// The schema name that was probably meant, in this run or in a crate that it uses.
    pub(super) fn nearest_schema(&mut self, name: &str) -> Option<&'a str> {
        let documents = self.documents;
        let externs = self.externs;
        self.suggest(|_| names::nearest(name, documents.names().chain(externs.names())))
    }

    /// Remembers that a schema became a type, and the first that needed it.
    pub(super) fn needs(&mut self, id: SchemaId, origin: &Origin) {
        let needed_by = NeededBy::new(origin, &self.needed_by);
        self.needed_by.insert(id, needed_by);
    }

    /// Reports an error with its origins: the nearest, and the operation where the chain starts.
    fn report(&mut self, error: Error, origin: &Origin) -> Reported {
        let error = origin.explain(error, &self.needed_by);
        self.errors.push(error);
        Reported
    }

    /// Reports an error of a schema.
    pub(super) fn fail(
        &mut self,
        id: SchemaId,
        message: &str,
        help: &str,
        origin: &Origin,
    ) -> Reported {
        self.fail_at(self.documents.location(id), message, help, origin)
    }

    /// Keeps the values of a schema as JSON, since no type would hold all of them, and notes why.
    pub(super) fn keep_json(&mut self, id: SchemaId, why: &str, help: &str) -> Type {
        self.note_schema(id, format!("its values are kept as JSON: {why}"), help);
        Type::WellKnown(WellKnown::RawJson)
    }

    /// Notes a decision about a schema, once.
    pub(super) fn note_schema(&mut self, id: SchemaId, message: String, help: &str) {
        if self.noted.insert((id, message.clone())) {
            let location = self.documents.location(id);
            self.notes.push(Note { location, message, help: Some(help.to_owned()) });
        }
    }

    /// Reports an error at a location.
    pub(super) fn fail_at(
        &mut self,
        location: Location,
        message: impl Into<String>,
        help: &str,
        origin: &Origin,
    ) -> Reported {
        self.report(Error::at(location, message).help(help), origin)
    }
}

/// An operation or a type that needs a schema.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// An operation or a selection, by name.
    Named(String),
    /// Another schema, and the name of its type.
    Type(SchemaId, String),
}

/// The first origin of a type.
#[derive(Clone, Debug)]
struct NeededBy {
    origin: Origin,
    /// The start of the chain of origins.
    first: Rc<str>,
}

/// The number of origins that an error names, beside the first.
const NEAREST: usize = 3;

impl NeededBy {
    pub(super) fn new(origin: &Origin, known: &BTreeMap<SchemaId, Self>) -> Self {
        let first = match origin {
            Origin::Named(name) => Rc::from(name.as_str()),
            Origin::Type(id, name) => {
                known.get(id).map_or_else(|| Rc::from(name.as_str()), |by| by.first.clone())
            }
        };
        Self { origin: origin.clone(), first }
    }
}

impl Origin {
    /// The error with the nearest origins, and the one where the chain starts.
    fn explain(&self, mut error: Error, known: &BTreeMap<SchemaId, NeededBy>) -> Error {
        let mut next = Some(self);
        for _ in 0..NEAREST {
            let Some(origin) = next else { break };
            let (Origin::Named(name) | Origin::Type(_, name)) = origin;
            error = error.needed_by(name);
            next = match origin {
                Origin::Named(_) => None,
                Origin::Type(id, _) => known.get(id).map(|by| &by.origin),
            };
        }
        match next {
            Some(further) => error.needed_by(&*NeededBy::new(further, known).first),
            None => error,
        }
    }
}

/// The use of a schema.
#[derive(Clone, Debug)]
pub(super) struct Usage<'a> {
    /// The name of its type if the schema has no name of its own. None: no name can be made of its
    /// place.
    pub(super) name: Option<String>,
    /// Whether it must fit a URL. There an enum is a string, and no type has a name.
    pub(super) in_url: bool,
    pub(super) origin: &'a Origin,
}

impl<'a> Usage<'a> {
    pub(super) fn new(name: Option<String>, origin: &'a Origin) -> Self {
        Self { name, in_url: false, origin }
    }

    pub(super) fn in_url(origin: &'a Origin) -> Self {
        Self { name: None, in_url: true, origin }
    }

    /// The same use under another name.
    pub(super) fn named(&self, name: Option<String>) -> Self {
        Self { name, ..self.clone() }
    }
}

/// The types of other crates by schema name.
#[derive(Debug, Default)]
pub(super) struct Externs<'a>(BTreeMap<&'a str, (&'a str, &'a IndexedType)>);

impl<'a> Externs<'a> {
    /// The types of all of these crates. If several crates have a schema, the first one counts.
    pub(super) fn new(crates: &'a [ExternCrate]) -> Self {
        let mut types = BTreeMap::new();
        for ExternCrate { package, index, .. } in crates {
            for (schema, ty) in &index.types {
                types.entry(schema.as_str()).or_insert((package.as_str(), ty));
            }
        }
        Self(types)
    }

    pub(super) fn get(&self, schema: &str) -> Option<(TypeId, &'a IndexedType)> {
        let (package, ty) = self.0.get(schema)?;
        let module = ty.module.clone();
        let name = ty.name.clone();
        Some((TypeId { package: Some((*package).to_owned()), module, name }, ty))
    }

    /// The names of all schemas.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> + Clone {
        self.0.keys().copied()
    }
}
