//! Nested schemas that the selection declares to be the same as a named type.

use super::externs::{Counterpart, Properties};
use super::origin::{Origin, Usage};
use super::types::Types;
use crate::error::Location;
use crate::model::json_type::{is_free_object, is_string};
use crate::model::{Type, TypeId};
use crate::openapi::schema::SchemaId;

const HELP: &str = "the two must agree: correct the document with a fixup, or remove the entry of `same-as`";

/// The type that replaces a nested schema.
struct Substitution {
    ty: Type,
    is_struct: bool,
    /// Its properties, as far as they are known.
    properties: Option<Properties>,
}

impl Types<'_> {
    /// The schema that a nested one is the same as.
    pub(super) fn same_as(&mut self, id: SchemaId, usage: &Usage<'_>) -> Option<String> {
        if usage.in_url || !self.context.selection.has_same_as() || self.context.documents.name(id).is_some() {
            return None;
        }
        let label = self.context.documents.label(id);
        let target = self.context.selection.same_as(label).map(str::to_owned);
        self.context.nested_seen.insert(label.to_owned());
        target
    }

    /// The type of a nested schema that is the same as another one.
    pub(super) fn substitute(
        &mut self,
        id: SchemaId,
        target: &str,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        let Substitution { ty, is_struct, properties } = self.substitution(id, target, usage.origin, chain)?;
        let Type::Named(type_id) = &ty else {
            let message = format!("`{target}` is no struct and no enum");
            let help = "name a schema that has a type of its own, or remove the entry";
            self.context.fail_at(self.same_as_location(id), message, help, usage.origin);
            return None;
        };
        self.compare_shapes(id, type_id, is_struct, usage.origin);
        let counterpart = Counterpart { type_id, properties: properties.as_ref(), help: HELP };
        self.compare(id, &counterpart, usage.origin);
        Some(ty)
    }

    /// The type that replaces a nested schema.
    fn substitution(
        &mut self,
        id: SchemaId,
        target: &str,
        origin: &Origin,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Substitution> {
        if let Some((type_id, indexed)) = self.context.externs.get(target) {
            self.use_extern(&type_id, indexed);
            let properties = indexed.properties.clone();
            return Some(Substitution { ty: Type::Named(type_id), is_struct: properties.is_some(), properties });
        }
        if let Some(named) = self.context.documents.named(target) {
            let ty = self.ty(named, &Usage::new(None, origin), chain)?;
            let is_struct = !self.context.documents.schema(named).is_enum();
            return Some(Substitution { ty, is_struct, properties: self.properties(named, origin) });
        }
        let near = self.context.nearest_schema(target).map(|near| format!("did you mean `{near}`?"));
        let help = near.unwrap_or_else(|| "give the full name, as under `components/schemas`".to_owned());
        let message = format!("neither a document nor a crate that is used has the schema `{target}`");
        self.context.fail_at(self.same_as_location(id), message, &help, origin);
        None
    }

    fn same_as_location(&self, id: SchemaId) -> Location {
        self.context.selection.same_as_location(self.context.documents.label(id))
    }

    fn compare_shapes(&mut self, id: SchemaId, type_id: &TypeId, is_struct: bool, origin: &Origin) {
        let Some(found) = self.json_type(id, origin) else { return };
        let schema = self.context.documents.schema(id);
        let is_object = schema.typ.as_deref() == Some("object") || !schema.properties.is_empty();
        let fits = if is_struct { is_free_object(&found) } else { is_string(&found) && !is_object };
        if !fits {
            let found = if is_object { "an object" } else { &found };
            let known = if is_struct { "an object" } else { "a string" };
            let message = format!("`{}` is {found}, and `{type_id}` is {known}", self.context.documents.label(id));
            self.context.fail(id, &message, HELP, origin);
        }
    }
}
