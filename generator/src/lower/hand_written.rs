//! Schemas whose Rust is written by hand.

use super::origin::Usage;
use super::types::Types;
use crate::model::{Type, WellKnown};
use crate::openapi::schema::{Schema, SchemaId};

impl Types<'_> {
    /// The hand-written type of a schema with its name. The schema must have the JSON type that it decodes: one that
    /// only has the name is an error.
    pub(super) fn hand_written(&mut self, ty: WellKnown, id: SchemaId, usage: &Usage<'_>) -> Option<Type> {
        let schema = self.context.documents.schema(id);
        let (Some(expected), Some(found)) = (ty.json_types(), json_type(schema)) else {
            return Some(Type::WellKnown(ty));
        };
        if expected.contains(&found) {
            return Some(Type::WellKnown(ty));
        }
        let (rust, expected) = (ty.name(), expected.join(" or "));
        let message = format!("the schema is of the type {found}, but its Rust type `{rust}` is of {expected}");
        let help = "all API servers have this schema: correct the document, or give it another name";
        self.context.fail(id, &message, help, usage.origin);
        None
    }
}

/// The JSON type that a schema has, if it has one.
fn json_type(schema: &Schema) -> Option<&str> {
    let has_members = !schema.properties.is_empty() || schema.additional.is_some();
    schema.typ.as_deref().or(has_members.then_some("object")).or(schema.items.as_ref().map(|_| "array"))
}
