//! Origins: the operations and types that need a schema, for errors.

use crate::error::Error;
use crate::openapi::schema::SchemaId;
use std::collections::BTreeMap;
use std::rc::Rc;

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
pub(super) struct NeededBy {
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
            Origin::Type(id, name) => known.get(id).map_or_else(|| Rc::from(name.as_str()), |by| by.first.clone()),
        };
        Self { origin: origin.clone(), first }
    }
}

impl Origin {
    /// The error with the nearest origins, and the one where the chain starts.
    pub(super) fn explain(&self, mut error: Error, known: &BTreeMap<SchemaId, NeededBy>) -> Error {
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
    /// The name of its type if the schema has no name of its own. None: no name can be made of its place.
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
