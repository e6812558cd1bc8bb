//! Types of other crates: those of the runtime, and of the crates that a run is told to use.

use super::facets::Facets;
use super::origin::{Origin, Use};
use super::types::Types;
use crate::document::escape;
use crate::index::{ExternCrate, IndexedType, is_compatible, json_type};
use crate::library::SchemaId;
use crate::model::{ExternType, Type, TypeId};
use crate::note::Note;
use std::collections::BTreeMap;

/// The types of other crates by schema name.
#[derive(Debug, Default)]
pub(super) struct Externs<'a>(BTreeMap<&'a str, (&'a str, &'a IndexedType)>);

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

    fn get(&self, schema: &str) -> Option<(TypeId, &'a IndexedType)> {
        let (package, ty) = self.0.get(schema)?;
        let (module, name) = (ty.module.clone(), ty.name.clone());
        Some((TypeId { package: Some((*package).to_owned()), module, name }, ty))
    }
}

impl Types<'_> {
    /// The type of a schema, if another crate has it.
    pub(super) fn extern_type(&mut self, id: &SchemaId, origin: &Origin) -> Option<Type> {
        let (type_id, indexed) = self.context.externs.get(&id.name()?)?;
        if !self.extern_types.contains_key(&type_id) {
            let item = indexed.items.as_deref().and_then(|items| self.context.externs.get(items)).map(|(item, _)| item);
            let is_struct = indexed.properties.is_some();
            let ty = ExternType { is_struct, is_kind: indexed.kind, item };
            self.extern_types.insert(type_id.clone(), ty);
            self.compare(id, &type_id, indexed, origin);
        }
        Some(Type::Named(type_id))
    }

    /// Compares a schema with the type that stands for it: what the type lacks is noted, what contradicts it is an
    /// error.
    fn compare(&mut self, id: &SchemaId, type_id: &TypeId, indexed: &IndexedType, origin: &Origin) {
        let (Some(schema), Some(known)) = (self.library.schema(id), &indexed.properties) else { return };
        for (wire, item) in Facets::of(schema).properties.into_iter().flatten() {
            let at = id.below(&format!("properties/{}", escape(wire)));
            let Some(known) = known.get(wire) else {
                let message = format!("`{type_id}` has no field for `{wire}`");
                self.notes.push(Note { message, location: self.library.location(&at), help: None });
                continue;
            };
            let Some(target) = self.target(&at, &item.clone().unbox(), origin) else { continue };
            let Some(found) = self.of(&target, &Use::in_url(origin)).map(|ty| json_type(&ty)) else { continue };
            if !is_compatible(&found, known) {
                let message = format!("`{wire}` of `{}` is {found}, and {known} in `{type_id}`", id.label());
                let help = "the document must agree with the crate whose type is used: correct it with a fixup";
                self.fail(&at, &message, help, origin);
            }
        }
    }
}
