//! Types of other crates: those of the runtime, and of the extern crates of a run.

use super::origin::{Origin, Usage};
use super::types::Types;
use crate::input::index::{ExternCrate, IndexedType};
use crate::model::json_type::{is_compatible, json_type};
use crate::model::{ExternType, Type, TypeId};
use crate::note::Note;
use crate::openapi::schema::SchemaId;
use std::collections::BTreeMap;

/// The types of other crates by schema name.
#[derive(Debug, Default)]
pub(super) struct Externs<'a>(BTreeMap<&'a str, (&'a str, &'a IndexedType)>);

/// JSON types of properties, by their names.
pub(super) type Properties = BTreeMap<String, String>;

/// The external type that replaces a schema.
pub(super) struct Counterpart<'a> {
    pub(super) type_id: &'a TypeId,
    /// Its properties, if it is a struct.
    pub(super) properties: Option<&'a Properties>,
    /// The way to resolve a contradiction.
    pub(super) help: &'a str,
}

impl<'a> Externs<'a> {
    /// The types of all of these crates. Of a schema that several have, the first one counts.
    pub(super) fn new(crates: &'a [ExternCrate]) -> Self {
        let mut types = BTreeMap::new();
        for ExternCrate { package, index } in crates {
            for (schema, ty) in &index.types {
                types.entry(schema.as_str()).or_insert((package.as_str(), ty));
            }
        }
        Self(types)
    }

    pub(super) fn get(&self, schema: &str) -> Option<(TypeId, &'a IndexedType)> {
        let (package, ty) = self.0.get(schema)?;
        let (module, name) = (ty.module.clone(), ty.name.clone());
        Some((TypeId { package: Some((*package).to_owned()), module, name }, ty))
    }

    /// The names of all schemas.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> + Clone {
        self.0.keys().copied()
    }
}

impl Types<'_> {
    /// The type of a schema, if another crate has it.
    pub(super) fn extern_type(&mut self, id: SchemaId, origin: &Origin) -> Option<Type> {
        const HELP: &str = "the document must agree with the crate whose type is used: correct it with a fixup";
        let (type_id, indexed) = self.context.externs.get(self.context.documents.name(id)?)?;
        if self.use_extern(&type_id, indexed) {
            let properties = indexed.properties.as_ref();
            self.compare(id, &Counterpart { type_id: &type_id, properties, help: HELP }, origin);
        }
        Some(Type::Named(type_id))
    }

    /// Adds a type of another crate to those that are used. Returns whether it was not among them yet.
    pub(super) fn use_extern(&mut self, type_id: &TypeId, indexed: &IndexedType) -> bool {
        let item = indexed.items.as_deref().and_then(|items| self.context.externs.get(items)).map(|(item, _)| item);
        let ty = ExternType { is_struct: indexed.properties.is_some(), is_kind: indexed.kind, item };
        self.extern_types.insert(type_id.clone(), ty).is_none()
    }

    /// Compares a schema with the type that stands for it: a property that the type lacks is noted, a contradiction is
    /// an error.
    pub(super) fn compare(&mut self, id: SchemaId, counterpart: &Counterpart<'_>, origin: &Origin) {
        let Counterpart { type_id, properties, help } = counterpart;
        let Some(known) = properties else { return };
        for (wire, found) in self.properties(id, origin).unwrap_or_default() {
            let location = self.context.documents.property_location(id, &wire);
            let Some(known) = known.get(&wire) else {
                let message = format!("`{type_id}` has no field for `{wire}`");
                self.context.notes.push(Note { message, location, help: None });
                continue;
            };
            if !is_compatible(&found, known) {
                let label = self.context.documents.label(id);
                let message = format!("`{wire}` of `{label}` is {found}, and {known} in `{type_id}`");
                self.context.fail_at(location, message, help, origin);
            }
        }
    }

    /// The properties of a schema, if it is an object that names some.
    pub(super) fn properties(&mut self, id: SchemaId, origin: &Origin) -> Option<Properties> {
        let properties = &self.context.documents.schema(id).properties;
        let found = properties.iter().filter_map(|(wire, used)| {
            let target = self.property(id, wire, used, origin)?;
            Some((wire.clone(), self.json_type(target, origin)?))
        });
        (!properties.is_empty()).then(|| found.collect())
    }

    /// The JSON type of a schema. Gives no name to any.
    pub(super) fn json_type(&mut self, id: SchemaId, origin: &Origin) -> Option<String> {
        self.of(id, &Usage::in_url(origin)).map(|ty| json_type(&ty))
    }
}
