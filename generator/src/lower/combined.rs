//! Schemas that consist of others: `allOf`, `oneOf` and `anyOf`.

use super::origin::Usage;
use super::types::{Types, kubernetes_type};
use crate::model::{Type, WellKnown};
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{Schema, SchemaId};

impl Types<'_> {
    /// The type of a schema that has only branches.
    pub(super) fn combined(
        &mut self,
        id: SchemaId,
        schema: &Schema,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        match (schema.all_of.as_slice(), schema.one_of.as_slice(), schema.any_of.as_slice()) {
            _ if only_constrains(self.context.documents, schema) => Some(Type::WellKnown(WellKnown::RawJson)),
            ([only], [], []) => {
                let target = self.target(id, only, usage.origin)?;
                self.ty(target, usage, chain)
            }
            ([], _, _) => self.context.out_of_scope(id, "a choice between schemas (`oneOf`, `anyOf`)", usage.origin),
            _ => self.context.out_of_scope(id, "`allOf` with more than one schema", usage.origin),
        }
    }

    /// Whether an object has all of its properties in `properties`. Beside them, branches of `allOf`, `oneOf` and
    /// `anyOf` may only constrain the same properties, as validation rules of custom resources do.
    pub(super) fn is_complete(&mut self, id: SchemaId, schema: &Schema, usage: &Usage<'_>) -> bool {
        for branch in schema.branches() {
            let Some(branch) = self.target(id, branch, usage.origin) else { return false };
            let mut properties = self.context.documents.schema(branch).properties.keys();
            let is_nested = self.context.documents.name(branch).is_none();
            if !is_nested || !properties.all(|property| schema.properties.contains_key(property)) {
                self.context.out_of_scope(id, "an object with members beside those in `properties`", usage.origin);
                return false;
            }
        }
        true
    }
}

/// Whether no branch of a schema has a type: `anyOf: [{required: [a]}, {required: [b]}]` only constrains.
pub(super) fn only_constrains(documents: &Documents, schema: &Schema) -> bool {
    schema.branches().all(|branch| {
        let branch = branch.target.filter(|branch| documents.name(*branch).is_none());
        branch.is_some_and(|branch| is_unconstrained(documents.schema(branch)))
    })
}

/// Whether a schema leaves the type of its values open.
fn is_unconstrained(schema: &Schema) -> bool {
    let has_type = schema.typ.is_some() || kubernetes_type(schema).is_some();
    let has_parts = !schema.properties.is_empty() || schema.additional.is_some() || schema.items.is_some();
    !has_type && !has_parts && schema.branches().next().is_none()
}
