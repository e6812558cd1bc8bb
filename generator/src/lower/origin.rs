//! Who asks for a schema, and errors that tell it.

use super::types::Types;
use crate::error::{Error, Location};
use crate::library::SchemaId;

/// Who asks for a schema.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// An operation, a selection: something with a name.
    Named(String),
    /// Another schema, whose type has this name.
    Type(SchemaId, String),
}

/// How a schema is used.
#[derive(Clone, Debug)]
pub(super) struct Use<'a> {
    /// What its type is called if the schema has no name of its own. None: no name can be made of where it stands.
    pub(super) name: Option<String>,
    /// Whether it must fit a URL. There an enum is just a text, and no type has a name.
    pub(super) in_url: bool,
    pub(super) origin: &'a Origin,
}

impl<'a> Use<'a> {
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

impl Types<'_> {
    /// Reports an error with everybody who needs what is wrong, up to an operation.
    pub(super) fn report(&mut self, mut error: Error, origin: &Origin) {
        let mut origin = Some(origin);
        while let Some(next) = origin {
            let (Origin::Named(name) | Origin::Type(_, name)) = next;
            error.needed_by.push(name.clone());
            origin = match next {
                Origin::Named(_) => None,
                Origin::Type(id, _) => self.origins.get(id),
            };
        }
        self.errors.push(error);
    }

    /// Reports what is wrong with a schema.
    pub(super) fn fail(&mut self, id: &SchemaId, message: &str, help: &str, origin: &Origin) {
        self.fail_at(self.library.location(id), message, help, origin);
    }

    /// Reports an error at a place of a document.
    pub(super) fn fail_at(&mut self, location: Location, message: impl Into<String>, help: &str, origin: &Origin) {
        self.report(Error::at(location, message).help(help), origin);
    }
}
