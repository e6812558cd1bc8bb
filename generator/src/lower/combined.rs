//! Schemas that consist of others: `allOf`, `oneOf` and `anyOf`.

use super::origin::Usage;
use super::types::{Types, kubernetes_type};
use crate::model::{Type, WellKnown};
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{KIND_EXTENSION, Schema, SchemaId};

/// The way to a type for what is kept as JSON.
pub(super) const CORRECT: &str = "a type needs one schema with all members: correct the document";

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
            ([], _, _) => Some(self.context.keep_json(id, "a choice between schemas (`oneOf`, `anyOf`)", CORRECT)),
            _ => {
                let help = "no API server of the Kubernetes family publishes such a schema; correct the document, or \
                            leave out what needs it";
                let message = "`allOf` with more than one schema is out of scope";
                self.context.fail(id, message, help, usage.origin);
                None
            }
        }
    }

    /// Whether an object has all of its properties in `properties`. Beside them, branches of `allOf`, `oneOf` and
    /// `anyOf` may only constrain the same properties, as validation rules of custom resources do. None: a branch has
    /// an error.
    pub(super) fn is_complete(&mut self, id: SchemaId, schema: &Schema, usage: &Usage<'_>) -> Option<bool> {
        for branch in schema.branches() {
            let branch = self.target(id, branch, usage.origin)?;
            let mut properties = self.context.documents.schema(branch).properties.keys();
            let is_nested = self.context.documents.name(branch).is_none();
            if !is_nested || !properties.all(|property| schema.properties.contains_key(property)) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The type of an object with members that no struct can have: JSON, or for a kind a struct with nothing but what
    /// all kinds have, which keeps the other members as unknown ones.
    pub(super) fn open_object(&mut self, id: SchemaId, schema: &Schema, usage: &Usage<'_>, why: &str) -> Option<Type> {
        let is_kind = self.context.documents.name(id).is_some() && schema.extensions.contains_key(KIND_EXTENSION);
        if !is_kind || !schema.properties.contains_key("metadata") {
            return Some(self.context.keep_json(id, why, CORRECT));
        }
        self.context.note_json(id, "all of it but its metadata is kept as JSON, in `unknown_`", why, CORRECT);
        self.open_kinds.insert(id);
        self.name(id, usage)
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
