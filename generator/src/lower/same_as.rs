//! Nested schemas that are types with names, because the selection says so.

use super::externs::{Counterpart, Properties};
use super::facets::Facets;
use super::origin::{Origin, Use};
use super::types::Types;
use crate::error::Error;
use crate::model::json_type::{is_free_object, is_string};
use crate::model::{Type, TypeId};
use crate::names;
use crate::openapi::resolve::SchemaId;

const HELP: &str = "the two must agree: correct the document with a fixup, or remove the entry of `same-as`";

/// What stands in the place of a nested schema.
struct Substitution {
    ty: Type,
    is_struct: bool,
    /// Its properties, as far as they are known.
    properties: Option<Properties>,
}

impl Types<'_> {
    /// The schema that a nested one is the same as.
    pub(super) fn same_as(&mut self, id: &SchemaId, how: &Use<'_>) -> Option<String> {
        if how.in_url || !self.context.selection.has_same_as() || id.name().is_some() {
            return None;
        }
        let label = id.label();
        let target = self.context.selection.same_as(&label).map(str::to_owned);
        self.nested_seen.insert(label);
        target
    }

    /// The type of a nested schema that is the same as another one.
    pub(super) fn substitute(
        &mut self,
        id: &SchemaId,
        target: &str,
        how: &Use<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        let Substitution { ty, is_struct, properties } = self.substitution(id, target, how.origin, chain)?;
        let Type::Named(type_id) = &ty else {
            let message = format!("`{target}` is no struct and no enum");
            let help = "name a schema that has a type of its own, or remove the entry";
            self.report(
                Error::at(self.context.selection.same_as_location(&id.label()), message).help(help),
                how.origin,
            );
            return None;
        };
        self.compare_shapes(id, type_id, is_struct, how.origin);
        let counterpart = Counterpart { type_id, properties: properties.as_ref(), help: HELP };
        self.compare(id, &counterpart, how.origin);
        Some(ty)
    }

    /// The type in the place of a nested schema.
    fn substitution(
        &mut self,
        id: &SchemaId,
        target: &str,
        origin: &Origin,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Substitution> {
        if let Some((type_id, indexed)) = self.context.externs.get(target) {
            self.use_extern(&type_id, indexed);
            let properties = indexed.properties.clone();
            return Some(Substitution { ty: Type::Named(type_id), is_struct: properties.is_some(), properties });
        }
        if let Some(named) = self.library.named(target) {
            let ty = self.ty(&named, &Use::new(None, origin), chain)?;
            let is_struct = self.library.schema(&named).is_some_and(|schema| !Facets::of(schema).is_enum());
            return Some(Substitution { ty, is_struct, properties: self.properties(&named, origin) });
        }
        let near = self.suggestions.checked_sub(1).and_then(|left| {
            self.suggestions = left;
            let all = self.library.names().chain(self.context.externs.names());
            names::nearest(target, all).map(|near| format!("did you mean `{near}`?"))
        });
        let help = near.unwrap_or_else(|| "say the whole name, as under `components/schemas`".to_owned());
        let message = format!("neither a document nor a crate that is used has the schema `{target}`");
        self.report(Error::at(self.context.selection.same_as_location(&id.label()), message).help(help), origin);
        None
    }

    fn compare_shapes(&mut self, id: &SchemaId, type_id: &TypeId, is_struct: bool, origin: &Origin) {
        let Some(found) = self.json_type(id, origin) else { return };
        let facets = self.library.schema(id).map(Facets::of).unwrap_or_default();
        let is_object = facets.typ == Some("object") || facets.properties.is_some();
        let fits = if is_struct { is_free_object(&found) } else { is_string(&found) && !is_object };
        if !fits {
            let found = if is_object { "an object" } else { &found };
            let known = if is_struct { "an object" } else { "a string" };
            let message = format!("`{}` is {found}, and `{type_id}` is {known}", id.label());
            self.fail(id, &message, HELP, origin);
        }
    }
}
