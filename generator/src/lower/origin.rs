//! Who asks for a schema, and errors that tell it.

use super::types::Types;
use crate::error::{Error, Location};
use crate::model::Type;
use crate::openapi::resolve::{SchemaId, Unresolved};
use std::rc::Rc;

/// Who asks for a schema.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// An operation, a selection: something with a name.
    Named(String),
    /// Another schema, whose type has this name.
    Type(SchemaId, String),
}

/// Who asked for a type.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    origin: Origin,
    /// Where the chain of those who ask starts.
    first: Rc<str>,
}

/// How many of those who ask an error names, beside the first.
const NEAREST: usize = 3;

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
    /// The origin of the types that the type will ask for.
    pub(super) fn asked(&self, origin: &Origin) -> Asked {
        let first = match origin {
            Origin::Named(name) => Rc::from(name.as_str()),
            Origin::Type(id, name) => {
                self.origins.get(id).map_or_else(|| Rc::from(name.as_str()), |by| by.first.clone())
            }
        };
        Asked { origin: origin.clone(), first }
    }

    /// Reports an error with those who need what is wrong: the nearest, and the operation where it starts.
    pub(super) fn report(&mut self, mut error: Error, origin: &Origin) {
        let mut next = Some(origin);
        for _ in 0..NEAREST {
            let Some(origin) = next else { break };
            let (Origin::Named(name) | Origin::Type(_, name)) = origin;
            error = error.needed_by(name);
            next = match origin {
                Origin::Named(_) => None,
                Origin::Type(id, _) => self.origins.get(id).map(|asked| &asked.origin),
            };
        }
        if let Some(further) = next {
            error = error.needed_by(&*self.asked(further).first);
        }
        self.errors.push(error);
    }

    /// Reports a reference that leads nowhere, with the name that was probably meant.
    pub(super) fn unresolved(&mut self, unresolved: Unresolved, at: Location, origin: &Origin) {
        let near = self.suggestions.checked_sub(1).and_then(|left| {
            self.suggestions = left;
            self.library.nearest(&unresolved)
        });
        self.report(unresolved.at(at, near), origin);
    }

    /// Reports what is wrong with a schema.
    pub(super) fn fail(&mut self, id: &SchemaId, message: &str, help: &str, origin: &Origin) {
        self.fail_at(self.library.location(id), message, help, origin);
    }

    /// Reports a schema that means something to others, but not here.
    pub(super) fn out_of_scope(&mut self, id: &SchemaId, what: &str, origin: &Origin) -> Option<Type> {
        let help = "no API server of the Kubernetes family publishes such a schema; correct the document, or leave \
                    out what needs it";
        self.fail(id, &format!("{what} is out of scope"), help, origin);
        None
    }

    /// Reports an error at a place of a document.
    pub(super) fn fail_at(&mut self, location: Location, message: impl Into<String>, help: &str, origin: &Origin) {
        self.report(Error::at(location, message).help(help), origin);
    }
}
