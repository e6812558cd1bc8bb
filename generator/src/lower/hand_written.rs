//! Schemas whose Rust is written by hand.

use super::origin::Usage;
use super::types::Types;
use crate::model::{Type, wellknown};
use crate::openapi::schema::{Schema, SchemaId};

impl Types<'_> {
    /// The hand-written type of a schema with its name. The schema must have the JSON type that it decodes: one that
    /// only has the name is an error.
    pub(super) fn hand_written(&mut self, rust: &'static str, id: SchemaId, usage: &Usage<'_>) -> Option<Type> {
        let ty = Type::WellKnown(rust);
        let schema = self.context.documents.schema(id);
        let (Some(reads), Some(holds)) = (wellknown::reads(rust), json_type(schema)) else {
            return Some(ty);
        };
        if reads.contains(&holds) {
            return Some(ty);
        }
        let reads = reads.join(" or ");
        let message = format!("the type of the schema is {holds}, but `{rust}`, which stands for it, is {reads}");
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
