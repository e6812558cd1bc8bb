//! Schemas whose Rust is written by hand.

use super::facets::Facets;
use super::origin::Use;
use super::types::Types;
use crate::model::Type;
use crate::model::wellknown;
use crate::openapi::resolve::SchemaId;

impl Types<'_> {
    /// The hand-written type of a schema with its name. The schema must hold what that type reads: one that only has
    /// the name is an error.
    pub(super) fn hand_written(&mut self, rust: &'static str, id: &SchemaId, how: &Use<'_>) -> Option<Type> {
        let ty = Type::WellKnown(rust);
        let (Some(reads), Some(holds)) = (wellknown::reads(rust), self.library.schema(id).and_then(holds)) else {
            return Some(ty);
        };
        if reads.contains(&holds) {
            return Some(ty);
        }
        let reads = reads.join(" or ");
        let message = format!("the type of the schema is {holds}, but `{rust}`, which stands for it, is {reads}");
        let help = "all API servers have this schema: correct the document, or give it another name";
        self.fail(id, &message, help, how.origin);
        None
    }
}

/// The type of JSON values that a schema says, if it says one.
fn holds(schema: &openapiv3::Schema) -> Option<&str> {
    let facets = Facets::of(schema);
    let has_members = facets.properties.is_some() || facets.additional.is_some();
    facets.typ.or(has_members.then_some("object")).or(facets.items.map(|_| "array"))
}
