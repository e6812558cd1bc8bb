//! References between documents, and why one does not resolve.

use super::{Documents, schema_name};
use crate::error::{Error, Location};
use crate::names::nearest;
use crate::openapi::document::Document;
use crate::openapi::schema::SchemaId;
use crate::pointer::unescape;
use openapiv3::{Parameter, ReferenceOr, RequestBody, Response};
use std::collections::BTreeMap;

impl Documents {
    /// The schema that a reference in a document means.
    ///
    /// # Errors
    /// When the reference does not resolve to a schema.
    pub fn resolve(&self, document: usize, reference: &str) -> Result<SchemaId, ReferenceError> {
        let (document, pointer) = self.target(document, reference)?;
        let found = match schema_name(&pointer) {
            Some(name) if self.all[document].schema_names.contains(&name) => {
                self.named(self.copies.get(&name).unwrap_or(&name))
            }
            Some(name) => {
                let sought = Sought { document, section: "schemas", name };
                return Err(ReferenceError::missing(reference, Some(sought)));
            }
            None => self.ids[document].get(&pointer).copied(),
        };
        found.ok_or_else(|| ReferenceError::missing(reference, None))
    }

    /// Resolves a parameter.
    ///
    /// # Errors
    /// When a reference does not resolve.
    pub fn parameter<'a>(
        &'a self,
        item: Unresolved<'a, Parameter>,
    ) -> Result<Resolved<'a, Parameter>, ReferenceError> {
        self.follow(item, "parameters", |document| &document.parameters)
    }

    /// Resolves a request body.
    ///
    /// # Errors
    /// When a reference does not resolve.
    pub fn request_body<'a>(
        &'a self,
        item: Unresolved<'a, RequestBody>,
    ) -> Result<Resolved<'a, RequestBody>, ReferenceError> {
        self.follow(item, "requestBodies", |document| &document.request_bodies)
    }

    /// Resolves a response.
    ///
    /// # Errors
    /// When a reference does not resolve.
    pub fn response<'a>(
        &'a self,
        item: Unresolved<'a, Response>,
    ) -> Result<Resolved<'a, Response>, ReferenceError> {
        self.follow(item, "responses", |document| &document.responses)
    }

    fn follow<'a, T>(
        &'a self,
        item: Unresolved<'a, T>,
        section: &'static str,
        components: impl Fn(&'a Document) -> &'a BTreeMap<String, ReferenceOr<T>>,
    ) -> Result<Resolved<'a, T>, ReferenceError> {
        let Unresolved { mut document, mut pointer, mut item } = item;
        // A chain of references longer than this is a cycle.
        for _ in 0..16 {
            let reference = match item {
                ReferenceOr::Item(item) => return Ok(Resolved { document, pointer, item }),
                ReferenceOr::Reference { reference } => reference,
            };
            let (target, target_pointer) = self.target(document, reference)?;
            let all = components(&self.all[target]);
            let name = target_pointer
                .strip_prefix(&format!("/components/{section}/"))
                .map(|name| unescape(name).into_owned());
            item = name.as_ref().and_then(|name| all.get(name)).ok_or_else(|| {
                ReferenceError::missing(
                    reference,
                    name.map(|name| Sought { document: target, section, name }),
                )
            })?;
            (document, pointer) = (target, target_pointer);
        }
        let message = "this reference leads back to itself".to_owned();
        Err(ReferenceError { message, help: None, missing_document: None, sought: None })
    }

    /// The name that a reference probably means. Compares with every name that there is.
    #[must_use]
    pub fn nearest(&self, unresolved: &ReferenceError) -> Option<&str> {
        let Sought { document, section, name } = unresolved.sought.as_ref()?;
        let document = &self.all[*document];
        match *section {
            "schemas" => nearest(name, document.schema_names.iter().map(String::as_str)),
            "parameters" => nearest(name, document.parameters.keys().map(String::as_str)),
            "requestBodies" => nearest(name, document.request_bodies.keys().map(String::as_str)),
            _ => nearest(name, document.responses.keys().map(String::as_str)),
        }
    }

    /// The document and the pointer that a reference names.
    pub(super) fn target(
        &self,
        document: usize,
        reference: &str,
    ) -> Result<(usize, String), ReferenceError> {
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        if file.is_empty() {
            return Ok((document, pointer.to_owned()));
        }
        if file.contains("://") {
            return Err(ReferenceError {
                message: format!(
                    "`{reference}` is a URL, and only documents that are given are read"
                ),
                help: Some(
                    "give that document too, and refer to it by its path from this one".to_owned(),
                ),
                missing_document: Some(file.to_owned()),
                sought: None,
            });
        }
        let name = join(&self.all[document].name, file);
        // They are sorted by name.
        let index = self.all.partition_point(|document| document.name < name);
        match self.all.get(index) {
            Some(target) if target.name == name => Ok((index, pointer.to_owned())),
            _ => Err(ReferenceError {
                message: format!(
                    "`{reference}` refers to the document `{name}`, which was not given"
                ),
                help: Some(format!("give `{name}` too")),
                missing_document: Some(name),
                sought: None,
            }),
        }
    }
}

/// A part of an operation that may be a reference, and its location.
#[derive(Debug)]
pub struct Unresolved<'a, T> {
    /// Index of the document.
    pub document: usize,
    /// JSON pointer in it.
    pub pointer: String,
    /// The part, or a reference to it.
    pub item: &'a ReferenceOr<T>,
}

/// A part of an operation that is not a reference, and its location.
#[derive(Debug)]
pub struct Resolved<'a, T> {
    /// Index of the document.
    pub document: usize,
    /// JSON pointer in it.
    pub pointer: String,
    /// The part.
    pub item: &'a T,
}

/// An error of a reference that does not resolve.
#[derive(Debug, PartialEq, Eq)]
pub struct ReferenceError {
    /// The message.
    pub message: String,
    /// The way to correct it.
    pub help: Option<String>,
    /// The document that it refers to, if that was not given.
    pub missing_document: Option<String>,
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

impl ReferenceError {
    fn missing(reference: &str, sought: Option<Sought>) -> Self {
        let elsewhere = !reference.contains("#/components/");
        let help =
            elsewhere.then(|| "a reference must be to something under `#/components/`".to_owned());
        Self {
            message: format!("`{reference}` does not exist"),
            help,
            missing_document: None,
            sought,
        }
    }

    /// The error with its location, and with the name that was probably meant.
    #[must_use]
    pub fn at(self, location: Location, near: Option<&str>) -> Error {
        let error = Error::at(location, self.message);
        match near.map(|near| format!("did you mean `{near}`?")).or(self.help) {
            Some(help) => error.help(help),
            None => error,
        }
    }
}

/// Resolves a path relative to the path of a document.
pub(crate) fn join(document: &str, relative: &str) -> String {
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
