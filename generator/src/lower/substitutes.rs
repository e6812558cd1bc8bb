//! Types that replace the types of schemas: types of other crates, and types that the selection
//! declares to be the same as nested schemas.

use super::context::{Context, Origin, Result, Usage};
use super::types::Types;
use crate::error::Location;
use crate::input::index::IndexedType;
use crate::model::json_type::JsonType;
use crate::model::wellknown::META_PACKAGE;
use crate::model::{ExternType, Type, TypeId};
use crate::note::Note;
use crate::openapi::schema::{SchemaId, SchemaType};
use std::collections::BTreeMap;

/// JSON types of properties, by their names.
pub(super) type Properties = BTreeMap<String, JsonType>;

/// The external type that replaces a schema.
struct Counterpart<'a> {
    pub(super) type_id: &'a TypeId,
    /// Its properties, if it is a struct.
    pub(super) properties: Option<&'a Properties>,
    /// The way to resolve a contradiction.
    pub(super) help: &'a str,
}

impl Types<'_> {
    /// The type of a schema, if another crate has it.
    pub(super) fn extern_type(&mut self, id: SchemaId, origin: &Origin) -> Option<Type> {
        const HELP: &str =
            "the document must agree with the crate whose type is used: correct it with a fixup";
        let (type_id, indexed) = self.context.externs.get(self.context.documents.name(id)?)?;
        if self.use_extern(&type_id, indexed) {
            let properties = indexed.properties.as_ref();
            self.compare(id, &Counterpart { type_id: &type_id, properties, help: HELP }, origin);
        }
        Some(Type::Named(type_id))
    }

    /// The type of the metadata of objects, which a document without such members need not define.
    pub(super) fn object_meta(&mut self, origin: &Origin) -> Option<Type> {
        let name = format!("{META_PACKAGE}.ObjectMeta");
        if let Some(id) = self.context.documents.named(&name) {
            return self.type_of(id, &Usage::new(None, origin)).ok();
        }
        let (type_id, indexed) = self.context.externs.get(&name)?;
        self.use_extern(&type_id, indexed);
        Some(Type::Named(type_id))
    }

    /// Marks a type of another crate as used. Returns whether it was not marked before.
    fn use_extern(&mut self, type_id: &TypeId, indexed: &IndexedType) -> bool {
        let item = indexed
            .items
            .as_deref()
            .and_then(|items| self.context.externs.get(items))
            .map(|(item, _)| item);
        let ty = ExternType {
            is_struct: indexed.properties.is_some(),
            is_kind: indexed.kind,
            item,
            feature: indexed.feature.clone(),
        };
        self.extern_types.insert(type_id.clone(), ty).is_none()
    }

    /// Compares a schema with the type that is used for it: a property that the type lacks is
    /// noted, a contradiction is an error.
    fn compare(&mut self, id: SchemaId, counterpart: &Counterpart<'_>, origin: &Origin) {
        let Counterpart { type_id, properties, help } = counterpart;
        let Some(known) = properties else { return };
        for (wire, found) in self.properties(id, origin).unwrap_or_default() {
            let location = self.context.documents.property_location(id, &wire);
            let Some(known) = known.get(&wire) else {
                let message = format!("`{type_id}` has no field for `{wire}`");
                self.context.notes.push(Note { message, location, help: None });
                continue;
            };
            if !known.holds(&found) {
                let label = self.context.documents.label(id);
                let message =
                    format!("`{wire}` of `{label}` is {found}, and {known} in `{type_id}`");
                self.context.fail_at(location, message, help, origin);
            }
        }
    }

    /// The properties of a schema, if it is an object that names some.
    pub(super) fn properties(&mut self, id: SchemaId, origin: &Origin) -> Option<Properties> {
        let properties = &self.context.documents.schema(id).properties;
        let found = properties.iter().filter_map(|(wire, used)| {
            let target = self.property_schema(id, wire, used, origin).ok()?;
            Some((wire.clone(), self.json_type(target, origin).ok()?))
        });
        (!properties.is_empty()).then(|| found.collect())
    }

    /// The JSON type of a schema. Gives no name to any.
    fn json_type(&mut self, id: SchemaId, origin: &Origin) -> Result<JsonType> {
        self.type_of(id, &Usage::in_url(origin)).map(|ty| JsonType::for_type(&ty))
    }

    /// The schema that a nested one is the same as.
    pub(super) fn same_as(&mut self, id: SchemaId, usage: &Usage<'_>) -> Option<String> {
        let Context { documents, selection, listed, .. } = &self.context;
        let has_members = !documents.schema(id).properties.is_empty();
        if usage.in_url
            || documents.name(id).is_some()
            || !has_members && selection.same().is_empty()
        {
            return None;
        }
        let label = documents.label(id);
        let listed = listed.get(label).map(String::as_str);
        let target = selection.same_as(label).or(listed).map(str::to_owned);
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
    ) -> Result<Type> {
        let Substitution { ty, is_struct, properties } =
            self.substitution(id, target, usage.origin, chain)?;
        let Type::Named(type_id) = &ty else {
            let message = format!("`{target}` is neither a struct nor an enum");
            let help = "name a schema that has a type of its own, or remove the entry";
            let location = self.same_as_location(id);
            return Err(self.context.fail_at(location, message, help, usage.origin));
        };
        self.compare_shapes(id, type_id, is_struct, usage.origin);
        let counterpart = Counterpart { type_id, properties: properties.as_ref(), help: HELP };
        self.compare(id, &counterpart, usage.origin);
        Ok(ty)
    }

    /// The type that replaces a nested schema.
    fn substitution(
        &mut self,
        id: SchemaId,
        target: &str,
        origin: &Origin,
        chain: &mut Vec<SchemaId>,
    ) -> Result<Substitution> {
        if let Some((type_id, indexed)) = self.context.externs.get(target) {
            self.use_extern(&type_id, indexed);
            let properties = indexed.properties.clone();
            return Ok(Substitution {
                ty: Type::Named(type_id),
                is_struct: properties.is_some(),
                properties,
            });
        }
        if let Some(named) = self.context.documents.named(target) {
            let ty = self.type_in_chain(named, &Usage::new(None, origin), chain)?;
            let is_struct = !self.context.documents.schema(named).is_enum();
            return Ok(Substitution { ty, is_struct, properties: self.properties(named, origin) });
        }
        let near =
            self.context.nearest_schema(target).map(|near| format!("did you mean `{near}`?"));
        let help =
            near.unwrap_or_else(|| "give the full name, as under `components/schemas`".to_owned());
        let message =
            format!("neither a document nor a crate that is used has the schema `{target}`");
        Err(self.context.fail_at(self.same_as_location(id), message, &help, origin))
    }

    fn same_as_location(&self, id: SchemaId) -> Location {
        self.context.selection.same_as_location(self.context.documents.label(id))
    }

    fn compare_shapes(&mut self, id: SchemaId, type_id: &TypeId, is_struct: bool, origin: &Origin) {
        let Ok(found) = self.json_type(id, origin) else { return };
        let schema = self.context.documents.schema(id);
        let is_object = schema.typ == Some(SchemaType::Object) || !schema.properties.is_empty();
        let fits = if is_struct { found.is_free_object() } else { found.is_string() && !is_object };
        if !fits {
            let found = if is_object { "an object".to_owned() } else { found.to_string() };
            let known = if is_struct { "an object" } else { "a string" };
            let message = format!(
                "`{}` is {found}, and `{type_id}` is {known}",
                self.context.documents.label(id)
            );
            self.context.fail(id, &message, HELP, origin);
        }
    }
}

const HELP: &str =
    "the two must agree: correct the document with a fixup, or remove the entry of `same-as`";

/// The type that replaces a nested schema.
struct Substitution {
    ty: Type,
    is_struct: bool,
    /// Its properties, as far as they are known.
    properties: Option<Properties>,
}
