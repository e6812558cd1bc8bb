//! All documents of a run together: which schema is meant by a reference.

mod copies;
mod kinds;
mod meaning;
mod numbered;
mod shape;
mod stale;

use super::document::{Document, split};
use crate::error::{Error, Errors, Location};
use crate::names::nearest;
use crate::note::Note;
use crate::openapi::load::Raw;
use crate::parallel;
use crate::pointer::{escape, unescape};
use openapiv3::{Parameter, ReferenceOr, RequestBody, Response, Schema};
use std::collections::{BTreeMap, BTreeSet};

/// All documents of a run.
#[derive(Debug, Default)]
pub struct Library {
    /// The documents, by name.
    pub documents: Vec<Document>,
    /// The document that holds each named schema. One that stands in several documents is one schema.
    owners: BTreeMap<String, usize>,
    /// The schema that each numbered copy is a copy of.
    copies: BTreeMap<String, String>,
    /// The united copies.
    pub notes: Vec<Note>,
}

/// A schema in a library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SchemaId {
    /// Index of the document.
    pub document: usize,
    /// JSON pointer in it.
    pub pointer: String,
}

const SCHEMAS: &str = "/components/schemas/";

impl SchemaId {
    /// The name of a schema under `components/schemas`.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        let name = self.pointer.strip_prefix(SCHEMAS)?;
        (!name.contains('/')).then(|| unescape(name))
    }

    /// How it is called: its own name, or for a nested one the pointer below `components/schemas`.
    #[must_use]
    pub fn label(&self) -> String {
        self.name().unwrap_or_else(|| self.pointer.strip_prefix(SCHEMAS).unwrap_or(&self.pointer).to_owned())
    }

    /// The schema at this path below this one.
    #[must_use]
    pub fn below(&self, path: &str) -> Self {
        Self { document: self.document, pointer: format!("{}/{path}", self.pointer) }
    }
}

impl Library {
    /// Takes all documents apart. Reports documents that describe the same operations, or else schemas whose copies
    /// contradict each other. The order in which the documents were given means nothing.
    pub fn new(mut raws: Vec<Raw>, errors: &mut Errors) -> Self {
        raws.sort_by(|a, b| a.name.cmp(&b.name));
        stale::check(&raws, errors);
        if !errors.is_empty() {
            return Self::default();
        }
        let mut library = Library { copies: numbered::originals(&raws), ..Library::default() };
        let known = copies::unite(&mut raws, &library.copies, &mut library.notes, errors);
        let apart = parallel::map(raws.into_iter().zip(&known).collect(), |(raw, known)| split(raw, known));
        for (document, known) in apart.into_iter().zip(&known) {
            library.add(document, known, errors);
        }
        library
    }

    fn add(&mut self, (document, wrong): (Document, Errors), known: &BTreeSet<String>, errors: &mut Errors) {
        errors.append(wrong);
        for name in document.schema_names.difference(known) {
            self.owners.insert(name.clone(), self.documents.len());
        }
        self.documents.push(document);
    }

    /// The schema with this name, in whichever document it is.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<SchemaId> {
        let document = *self.owners.get(name)?;
        Some(SchemaId { document, pointer: format!("{SCHEMAS}{}", escape(name)) })
    }

    /// Names of all schemas.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.owners.keys().map(String::as_str)
    }

    /// A schema by its id.
    #[must_use]
    pub fn schema(&self, id: &SchemaId) -> Option<&Schema> {
        self.documents[id.document].schemas.get(&id.pointer)
    }

    /// Where a schema is, for errors.
    #[must_use]
    pub fn location(&self, id: &SchemaId) -> Location {
        Location::pointer(&self.documents[id.document].name, &id.pointer)
    }

    /// The schema that a reference in a document means.
    ///
    /// # Errors
    /// Says what is missing.
    pub fn resolve(&self, document: usize, reference: &str) -> Result<SchemaId, Unresolved> {
        let (document, pointer) = self.target(document, reference)?;
        let id = SchemaId { document, pointer };
        match id.name() {
            Some(name) if self.documents[document].schema_names.contains(&name) => {
                self.named(self.copies.get(&name).unwrap_or(&name)).ok_or_else(|| Unresolved::missing(reference, None))
            }
            Some(name) => Err(Unresolved::missing(reference, Some(Sought { document, section: "schemas", name }))),
            None if self.schema(&id).is_some() => Ok(id),
            None => Err(Unresolved::missing(reference, None)),
        }
    }

    /// A parameter, and the document and pointer where it stands.
    ///
    /// # Errors
    /// Says what is missing.
    pub fn parameter<'a>(&'a self, found: Found<'a, Parameter>) -> Result<Place<'a, Parameter>, Unresolved> {
        self.follow(found, "parameters", |document| &document.parameters)
    }

    /// A request body, and the document and pointer where it stands.
    ///
    /// # Errors
    /// Says what is missing.
    pub fn request_body<'a>(&'a self, found: Found<'a, RequestBody>) -> Result<Place<'a, RequestBody>, Unresolved> {
        self.follow(found, "requestBodies", |document| &document.request_bodies)
    }

    /// A response, and the document and pointer where it stands.
    ///
    /// # Errors
    /// Says what is missing.
    pub fn response<'a>(&'a self, found: Found<'a, Response>) -> Result<Place<'a, Response>, Unresolved> {
        self.follow(found, "responses", |document| &document.responses)
    }

    fn follow<'a, T>(
        &'a self,
        found: Found<'a, T>,
        section: &'static str,
        components: impl Fn(&'a Document) -> &'a BTreeMap<String, ReferenceOr<T>>,
    ) -> Result<Place<'a, T>, Unresolved> {
        let Found { mut document, mut pointer, mut item } = found;
        // A chain of references longer than this is a circle.
        for _ in 0..16 {
            let reference = match item {
                ReferenceOr::Item(item) => return Ok(Place { document, pointer, item }),
                ReferenceOr::Reference { reference } => reference,
            };
            let (target, target_pointer) = self.target(document, reference)?;
            let all = components(&self.documents[target]);
            let name = target_pointer.strip_prefix(&format!("/components/{section}/")).map(unescape);
            item = name.as_ref().and_then(|name| all.get(name)).ok_or_else(|| {
                Unresolved::missing(reference, name.map(|name| Sought { document: target, section, name }))
            })?;
            (document, pointer) = (target, target_pointer);
        }
        Err(Unresolved { message: "this reference leads back to itself".to_owned(), help: None, sought: None })
    }

    /// The name that a reference probably means. Compares with every name that there is.
    #[must_use]
    pub fn nearest(&self, unresolved: &Unresolved) -> Option<&str> {
        let Sought { document, section, name } = unresolved.sought.as_ref()?;
        let document = &self.documents[*document];
        match *section {
            "schemas" => nearest(name, document.schema_names.iter().map(String::as_str)),
            "parameters" => nearest(name, document.parameters.keys().map(String::as_str)),
            "requestBodies" => nearest(name, document.request_bodies.keys().map(String::as_str)),
            _ => nearest(name, document.responses.keys().map(String::as_str)),
        }
    }

    /// The document and the pointer that a reference names.
    fn target(&self, document: usize, reference: &str) -> Result<(usize, String), Unresolved> {
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        if file.is_empty() {
            return Ok((document, pointer.to_owned()));
        }
        let name = join(&self.documents[document].name, file);
        match self.documents.iter().position(|document| document.name == name) {
            Some(target) => Ok((target, pointer.to_owned())),
            None => Err(Unresolved {
                message: format!("`{reference}` refers to the document `{name}`, which was not given"),
                help: Some(format!("give `{name}` too")),
                sought: None,
            }),
        }
    }
}

/// Something that may be a reference, and where it stands.
#[derive(Debug)]
pub struct Found<'a, T> {
    /// Index of the document.
    pub document: usize,
    /// JSON pointer in it.
    pub pointer: String,
    /// What was found.
    pub item: &'a ReferenceOr<T>,
}

/// Something that is no reference, and where it stands.
#[derive(Debug)]
pub struct Place<'a, T> {
    /// Index of the document.
    pub document: usize,
    /// JSON pointer in it.
    pub pointer: String,
    /// What was found.
    pub item: &'a T,
}

/// Why a reference leads nowhere.
#[derive(Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    sought: Option<Sought>,
}

/// A component that does not exist.
#[derive(Debug, PartialEq, Eq)]
struct Sought {
    document: usize,
    /// Its section of `components`.
    section: &'static str,
    name: String,
}

impl Unresolved {
    fn missing(reference: &str, sought: Option<Sought>) -> Self {
        let elsewhere = !reference.contains("#/components/");
        let help = elsewhere.then(|| "what can be referred to stands under `#/components/`".to_owned());
        Self { message: format!("`{reference}` does not exist"), help, sought }
    }

    /// The error with its place, and with the name that was probably meant.
    #[must_use]
    pub fn at(self, location: Location, near: Option<&str>) -> Error {
        let error = Error::at(location, self.message);
        match near.map(|near| format!("did you mean `{near}`?")).or(self.help) {
            Some(help) => error.help(help),
            None => error,
        }
    }
}

/// A path relative to that of a document.
fn join(document: &str, relative: &str) -> String {
    let mut segments: Vec<&str> = document.split('/').collect();
    segments.pop();
    for segment in relative.split('/') {
        match segment {
            "." | "" => {}
            ".." if segments.last().is_some_and(|last| *last != "..") => drop(segments.pop()),
            other => segments.push(other),
        }
    }
    segments.join("/")
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn relative_references_are_joined_to_the_folder_of_the_document() {
        assert_eq!(join("core/v1.yaml", "../meta/v1.yaml"), "meta/v1.yaml");
        assert_eq!(join("v1.yaml", "./meta.yaml"), "meta.yaml");
        assert_eq!(join("a/b/c.yaml", "d.yaml"), "a/b/d.yaml");
        assert_eq!(join("v1.yaml", "../up.yaml"), "../up.yaml");
    }
}
