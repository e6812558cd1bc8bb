//! The types of schemas: a scalar, a list, a map, or a named type. Lowering goes from the schemas
//! that are needed to the ones that they need.

use super::context::{Context, Origin, Result, Usage};
use super::fields::{is_nullable, lacks_keys};
use super::kinds;
use super::type_names::{Claims, TypeNames};
use crate::input::selection;
use crate::model::{Api, ExternType, Type, TypeId, WellKnown};
use crate::names;
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{Additional, Schema, SchemaId, SchemaRef, SchemaType};
use kapigen_definitions::schema_keywords::{
    EMBEDDED, INT_OR_STRING, KINDS, LIST_KEYS, LIST_TYPE, PRESERVE,
};
use openapiv3::ReferenceOr;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The named types so far, with a queue of the ones that are still to be lowered.
pub(super) struct Types<'a> {
    pub(super) context: Context<'a>,
    /// The types of other crates that are used.
    #[expect(clippy::struct_field_names, reason = "these are not of this crate")]
    pub(super) extern_types: BTreeMap<TypeId, ExternType>,
    pub(super) claims: Claims,
    decided: &'a TypeNames,
    /// Kinds with members that no struct can have. Their structs have only the members of all
    /// kinds.
    pub(super) open_kinds: BTreeSet<SchemaId>,
    names: BTreeMap<SchemaId, TypeId>,
    queue: VecDeque<NamedSchema>,
}

/// A schema that is a named type.
#[derive(Debug)]
pub(super) struct NamedSchema {
    pub(super) id: SchemaId,
    pub(super) type_id: TypeId,
    /// The natural name of the type. The names of nested types begin with it.
    pub(super) base: String,
}

/// The origin of the natural name of a type.
#[derive(Clone, Copy)]
enum Naming {
    /// It is derived from the schema's name or place.
    Derived,
    /// The derived name is too long.
    Shortened,
    /// The selection gives it.
    Renamed,
}

/// The help for values that are kept as JSON.
const CORRECT: &str = "a type needs one schema with all members: correct the document";

/// The longest chain of aliases that is followed. Real documents have two or three.
const LONGEST_CHAIN: usize = 64;

impl<'a> Types<'a> {
    pub(super) fn new(context: Context<'a>, decided: &'a TypeNames) -> Self {
        Self {
            context,
            extern_types: BTreeMap::new(),
            claims: Claims::default(),
            decided,
            open_kinds: BTreeSet::new(),
            names: BTreeMap::new(),
            queue: VecDeque::new(),
        }
    }

    /// The type of the schema that a part of an operation refers to.
    pub(super) fn type_at(
        &mut self,
        document: usize,
        pointer: &str,
        item: &ReferenceOr<openapiv3::Schema>,
        usage: &Usage<'_>,
    ) -> Result<Type> {
        let ReferenceOr::Reference { reference } = item else {
            unreachable!("`document` leaves nothing but references to schemas");
        };
        let documents = self.context.documents;
        let location = documents.location_in(document, pointer);
        let id = self.context.resolved(
            documents.resolve(document, reference),
            location,
            usage.origin,
        )?;
        self.type_of(id, usage)
    }

    /// The type of a schema.
    pub(super) fn type_of(&mut self, id: SchemaId, usage: &Usage<'_>) -> Result<Type> {
        self.type_in_chain(id, usage, &mut Vec::new())
    }

    /// Lowers the definition of every named type, until none is left.
    pub(super) fn define_all(&mut self, api: &mut Api) {
        while let Some(named) = self.queue.pop_front() {
            if let Ok(def) = self.define(&named) {
                self.context
                    .module_of(named.id)
                    .module_in(api)
                    .types
                    .insert(named.type_id.name, def);
            }
        }
    }

    /// The schema of each type.
    pub(super) fn schemas(&self) -> BTreeMap<TypeId, SchemaId> {
        self.names.iter().map(|(schema, type_id)| (type_id.clone(), *schema)).collect()
    }

    /// The schema in a keyword of another, other than `properties`.
    fn subschema(&mut self, id: SchemaId, used: &SchemaRef, origin: &Origin) -> Result<SchemaId> {
        self.context.target(id, used, |documents| documents.location(id), origin)
    }

    /// The schema of a property.
    pub(super) fn property_schema(
        &mut self,
        id: SchemaId,
        wire: &str,
        used: &SchemaRef,
        origin: &Origin,
    ) -> Result<SchemaId> {
        self.context.target(id, used, |documents| documents.property_location(id, wire), origin)
    }

    /// The type of a schema. `chain` holds the aliases that led to it, to detect cycles.
    pub(super) fn type_in_chain(
        &mut self,
        id: SchemaId,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Result<Type> {
        if let Some(target) = self.same_as(id, usage) {
            return self.substitute(id, &target, usage, chain);
        }
        self.context.check_default(id);
        let documents = self.context.documents;
        if let Some(ty) = documents.name(id).and_then(WellKnown::by_schema) {
            return self.hand_written_type(ty, id, usage);
        }
        if chain.contains(&id) {
            let help = "one of the schemas in the circle must be an object with `properties`, \
                        which can hold itself";
            let message = "the schema is defined by itself";
            return Err(self.context.fail(id, message, help, usage.origin));
        }
        if chain.len() == LONGEST_CHAIN {
            let message =
                format!("more than {LONGEST_CHAIN} lists, maps and `allOf` are nested here");
            let help = "no API server publishes such a schema; correct the document";
            return self.json_or_error(id, &message, help, usage);
        }
        let schema = documents.schema(id);
        let is_object_kind = self.is_object_kind(id);
        if let Some(typ @ (SchemaType::Array | SchemaType::Boolean | SchemaType::Object)) =
            &schema.typ
            && is_int_or_string(schema)
            && !is_object_kind
        {
            let message = format!("an integer or a string cannot have the type `{}`", typ.as_str());
            let help = "leave out its type, or what makes it an integer or a string";
            return self.json_or_error(id, &message, help, usage);
        }
        if self.lacks_members(id) {
            return self.named_type(id, usage);
        }
        if let Some(ty) = kubernetes_type(schema).filter(|_| !is_object_kind) {
            return Ok(ty);
        }
        chain.push(id);
        let ty = if is_object_kind {
            // Objects have metadata even if an old definition states otherwise.
            self.object_type(id, schema, usage, chain)
        } else {
            self.type_by_keywords(id, schema, usage, chain)
        };
        chain.pop();
        ty
    }

    /// The type of a schema by its `type`, or by its members or branches.
    fn type_by_keywords(
        &mut self,
        id: SchemaId,
        schema: &Schema,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Result<Type> {
        if schema.is_enum() && !usage.in_url {
            return self.named_type(id, usage);
        }
        if let Some(ty) = scalar(schema) {
            return Ok(ty);
        }
        match &schema.typ {
            Some(SchemaType::Array) => self.list_type(id, schema, usage, chain),
            Some(SchemaType::Unknown(other)) => {
                let help =
                    "the types of OpenAPI are string, number, integer, boolean, array and object";
                Ok(self.context.keep_json(id, &format!("unknown type `{other}`"), help))
            }
            None if schema.properties.is_empty() && schema.additional.is_none() => {
                self.combined_type(id, schema, usage, chain)
            }
            _ => self.object_type(id, schema, usage, chain),
        }
    }

    fn list_type(
        &mut self,
        id: SchemaId,
        schema: &Schema,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Result<Type> {
        let Some(items) = &schema.items else {
            let help = "give the schema of its elements; `items: {}` allows any";
            let items = self.json_or_error(id, "an array without `items`", help, usage)?;
            return Ok(Type::List(Box::new(items)));
        };
        if lacks_keys(schema) {
            let help = format!(
                "name the properties that distinguish its elements in `{LIST_KEYS}`, or let \
                 `{LIST_TYPE}` be `atomic`"
            );
            let message = "a list of the list type `map` without keys";
            if self.context.documents.is_of_definitions(id) {
                self.context.note_schema(id, format!("its list type is ignored: {message}"), &help);
            } else {
                self.context.fail(id, message, &help, usage.origin);
            }
        }
        let items = self.subschema(id, items, usage.origin)?;
        let usage = self.element_usage(id, usage, "Item");
        Ok(Type::List(Box::new(self.element_type(items, &usage, chain)?)))
    }

    /// The type of the elements of a list or the values of a map. A `null` among them is a value,
    /// which free JSON has as any other.
    fn element_type(
        &mut self,
        id: SchemaId,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Result<Type> {
        let ty = self.type_in_chain(id, usage, chain)?;
        let documents = self.context.documents;
        let is_option = is_nullable(documents, documents.schema(id)) && !ty.is_free();
        Ok(if is_option { Type::Nullable(Box::new(ty)) } else { ty })
    }

    fn object_type(
        &mut self,
        id: SchemaId,
        schema: &Schema,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Result<Type> {
        let documents = self.context.documents;
        match (!schema.properties.is_empty(), &schema.additional) {
            (false, None) if !schema.all_of.is_empty() && !only_constrains(documents, schema) => {
                self.combined_type(id, schema, usage, chain)
            }
            (true, Some(Additional::Schema(_))) => self.open_object_type(
                id,
                usage,
                "`properties` beside a schema in `additionalProperties`",
            ),
            // With members beyond the named ones, only free JSON, or a kind as a whole, loses none
            // of them.
            (true, Some(Additional::Allowed(true))) if !self.is_object_kind(id) => {
                Ok(Type::WellKnown(WellKnown::RawJson))
            }
            (true, _) if self.is_complete(id, schema, usage)? => self.named_type(id, usage),
            (true, _) => {
                let why = "an object with members beside those in `properties`";
                self.open_object_type(id, usage, why)
            }
            (false, Some(Additional::Schema(values))) => {
                let values = self.subschema(id, values, usage.origin)?;
                let usage = self.element_usage(id, usage, "Value");
                Ok(Type::Map(Box::new(self.element_type(values, &usage, chain)?)))
            }
            (false, Some(Additional::Allowed(true))) => {
                Ok(Type::Map(Box::new(Type::WellKnown(WellKnown::RawJson))))
            }
            // A schema of its own without members is an empty struct in all documents of
            // Kubernetes. The members of such an object in another schema are unknown.
            (false, _) if documents.name(id).is_some() => self.named_type(id, usage),
            (false, _) => Ok(Type::WellKnown(WellKnown::RawJson)),
        }
    }

    /// Gives a schema a named type, and queues it.
    fn named_type(&mut self, id: SchemaId, usage: &Usage<'_>) -> Result<Type> {
        if usage.in_url {
            // An object, which does not fit there. The parameter is refused, and no type is made.
            return Ok(Type::WellKnown(WellKnown::RawJson));
        }
        if let Some(type_id) = self.names.get(&id) {
            return Ok(Type::Named(type_id.clone()));
        }
        if let Some(ty) = self.extern_type(id, usage.origin) {
            return Ok(ty);
        }
        let (base, naming) = self.natural_name(id, usage)?;
        let natural = TypeId::own(self.context.module_of(id).module, base.clone());
        self.claim(&natural, naming, id, usage.origin)?;
        let type_id = self.decided.get(id).cloned().unwrap_or(natural);
        self.names.insert(id, type_id.clone());
        self.context.needs(id, usage.origin);
        self.queue.push_back(NamedSchema { id, type_id: type_id.clone(), base });
        Ok(Type::Named(type_id))
    }

    /// The name of a schema's type, before it is known whether others have the same.
    fn natural_name(&mut self, id: SchemaId, usage: &Usage<'_>) -> Result<(String, Naming)> {
        let documents = self.context.documents;
        let schema = documents.label(id);
        let help = selection::advice(schema, None);
        let derived = match documents.name(id) {
            Some(name) => names::type_name(names::split_schema(name).1),
            None => usage.name.clone(),
        };
        let (name, naming) = match (self.context.rename(schema, None), derived) {
            (Some(renamed), _) => (renamed, Naming::Renamed),
            // The name of a nested type begins with the names of all types around it.
            (None, Some(derived)) if derived.len() > names::LONGEST_TYPE => {
                match names::shortened_type(schema) {
                    Some(short) => (short, Naming::Shortened),
                    None => (derived, Naming::Derived),
                }
            }
            (None, Some(derived)) => (derived, Naming::Derived),
            (None, None) => {
                let message = format!("cannot derive a Rust name from `{schema}`");
                return Err(self.context.fail(id, &message, &help, usage.origin));
            }
        };
        if name.len() > names::LONGEST_TYPE {
            let message = names::too_long_type(&name);
            return Err(self.context.fail(id, &message, &help, usage.origin));
        }
        Ok((name, naming))
    }

    /// Claims a name for a schema. Of the types with a derived name, all but one get a number;
    /// other names must differ.
    fn claim(
        &mut self,
        natural: &TypeId,
        naming: Naming,
        id: SchemaId,
        origin: &Origin,
    ) -> Result<()> {
        let documents = self.context.documents;
        let (renamed, advice) = match naming {
            Naming::Derived => {
                self.claims.claim(natural, id);
                return Ok(());
            }
            Naming::Shortened => ("shortened", selection::advice(documents.label(id), None)),
            Naming::Renamed => ("renamed", "choose another name".to_owned()),
        };
        let Some(other) = self.claims.choose(natural, id) else { return Ok(()) };
        let other = documents.location(other).inline();
        let message = format!("two schemas are {renamed} to `{natural}`");
        Err(self.context.fail(id, &message, &format!("the other is {other}; {advice}"), origin))
    }

    /// The use of the elements or values by a list or a map. Types in a named list are named after
    /// it, wherever the list is used.
    fn element_usage<'u>(&self, id: SchemaId, usage: &Usage<'u>, role: &str) -> Usage<'u> {
        match self.context.documents.name(id) {
            Some(name) => usage.named(names::nested_type_name(names::split_schema(name).1, role)),
            None => usage.clone(),
        }
    }

    /// The type of a schema that has only branches.
    fn combined_type(
        &mut self,
        id: SchemaId,
        schema: &Schema,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Result<Type> {
        match (schema.all_of.as_slice(), schema.one_of.as_slice(), schema.any_of.as_slice()) {
            _ if only_constrains(self.context.documents, schema) => {
                Ok(Type::WellKnown(WellKnown::RawJson))
            }
            _ if chooses_int_or_string(self.context.documents, schema) => {
                Ok(Type::WellKnown(WellKnown::Int64OrString))
            }
            ([only], [], []) => {
                let target = self.subschema(id, only, usage.origin)?;
                self.type_in_chain(target, usage, chain)
            }
            ([], _, _) => Ok(self.context.keep_json(
                id,
                "a choice between schemas (`oneOf`, `anyOf`)",
                CORRECT,
            )),
            _ => {
                let help = "no API server of the Kubernetes family publishes such a schema; \
                            correct the document, or leave out what needs it";
                let message = "`allOf` with more than one schema is out of scope";
                self.json_or_error(id, message, help, usage)
            }
        }
    }

    /// The type of a schema that servers publish for no definition: JSON in the document of
    /// definitions, among which are some that were stored before servers checked them, and an error
    /// anywhere else.
    fn json_or_error(
        &mut self,
        id: SchemaId,
        why: &str,
        help: &str,
        usage: &Usage<'_>,
    ) -> Result<Type> {
        if self.context.documents.is_of_definitions(id) {
            Ok(self.context.keep_json(id, why, help))
        } else {
            Err(self.context.fail(id, why, help, usage.origin))
        }
    }

    /// Whether a schema describes a kind with metadata. Its struct has the stated properties, and
    /// keeps all other members as unknown ones.
    fn is_object_kind(&self, id: SchemaId) -> bool {
        let schema = self.context.documents.schema(id);
        let is_kind =
            self.context.documents.name(id).is_some() && schema.extensions.contains_key(KINDS);
        is_kind && schema.properties.contains_key("metadata")
    }

    /// Whether a schema describes a resource with a definition that states no members, or none that
    /// servers publish. Its struct has the members of all kinds.
    pub(super) fn lacks_members(&self, id: SchemaId) -> bool {
        let documents = self.context.documents;
        let schema = documents.schema(id);
        let is_object = matches!(schema.typ, None | Some(SchemaType::Object));
        let is_empty = schema.properties.is_empty()
            && schema.additional.is_none()
            && schema.branches().next().is_none();
        documents.name(id).is_some()
            && is_object
            && is_empty
            && kinds::is_served(schema, self.context.served)
    }

    /// Whether an object has all of its properties in `properties`. Beside them, branches of
    /// `allOf`, `oneOf` and `anyOf` may only constrain the same properties, as validation rules of
    /// custom resources do.
    fn is_complete(&mut self, id: SchemaId, schema: &Schema, usage: &Usage<'_>) -> Result<bool> {
        for branch in schema.branches() {
            let branch = self.subschema(id, branch, usage.origin)?;
            let mut properties = self.context.documents.schema(branch).properties.keys();
            let is_nested = self.context.documents.name(branch).is_none();
            if !is_nested || !properties.all(|property| schema.properties.contains_key(property)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The type of an object with members that no struct can have: JSON, or for a kind a struct
    /// with the members of all kinds, which keeps the others as unknown ones.
    fn open_object_type(&mut self, id: SchemaId, usage: &Usage<'_>, why: &str) -> Result<Type> {
        if !self.is_object_kind(id) {
            return Ok(self.context.keep_json(id, why, CORRECT));
        }
        let message = format!("all of it but its metadata is kept as JSON, in `unknown_`: {why}");
        self.context.note_schema(id, message, CORRECT);
        self.open_kinds.insert(id);
        self.named_type(id, usage)
    }

    /// The hand-written type of a schema with its name. The schema must have the JSON type that it
    /// decodes: one that only has the name is an error.
    fn hand_written_type(
        &mut self,
        ty: WellKnown,
        id: SchemaId,
        usage: &Usage<'_>,
    ) -> Result<Type> {
        let schema = self.context.documents.schema(id);
        let (Some(expected), Some(found)) = (ty.json_types(), json_type(schema)) else {
            return Ok(Type::WellKnown(ty));
        };
        if expected.contains(&found) {
            return Ok(Type::WellKnown(ty));
        }
        let rust = ty.name();
        let expected = expected.join(" or ");
        let message = format!(
            "the schema is of the type {found}, but its Rust type `{rust}` is of {expected}"
        );
        let help =
            "all API servers have this schema: correct the document, or give it another name";
        Err(self.context.fail(id, &message, help, usage.origin))
    }
}

pub(super) fn is_int_or_string(schema: &Schema) -> bool {
    schema.has_flag(INT_OR_STRING) || schema.format.as_deref() == Some("int-or-string")
}

/// The type of a string, a boolean or a number.
pub(super) fn scalar(schema: &Schema) -> Option<Type> {
    let format = schema.format.as_deref().unwrap_or_default();
    match (schema.typ.as_ref()?, format) {
        (SchemaType::String, "byte") => Some(Type::WellKnown(WellKnown::ByteString)),
        (SchemaType::String, _) => Some(Type::String),
        (SchemaType::Boolean, _) => Some(Type::Bool),
        (SchemaType::Integer, "int32") => Some(Type::Int32),
        (SchemaType::Integer, _) => Some(Type::Int64),
        (SchemaType::Number, _) => Some(Type::Double),
        _ => None,
    }
}

/// The types that only Kubernetes has, by its keywords.
pub(super) fn kubernetes_type(schema: &Schema) -> Option<Type> {
    if is_int_or_string(schema) {
        // Built-in kinds use the format, and their numbers have 32 bits. Servers ignore it when
        // they check custom resources.
        let is_of_custom_resource =
            schema.has_flag(INT_OR_STRING) || schema.typ == Some(SchemaType::Integer);
        return Some(Type::WellKnown(if is_of_custom_resource {
            WellKnown::Int64OrString
        } else {
            WellKnown::IntOrString
        }));
    }
    // With members beyond the named ones, only free JSON loses none of them.
    let is_free = is_open(schema) && matches!(schema.typ, None | Some(SchemaType::Object));
    is_free.then_some(Type::WellKnown(WellKnown::RawJson))
}

/// Whether the schema of a custom resource allows members beyond the named ones.
pub(super) fn is_open(schema: &Schema) -> bool {
    // If a kind has no members, its definition leaves them out; its objects have some.
    let is_kind = schema.has_flag(EMBEDDED) || schema.extensions.contains_key(KINDS);
    schema.has_flag(PRESERVE) || is_kind && schema.properties.is_empty()
}

/// Whether no branch of a schema has a type: `anyOf: [{required: [a]}, {required: [b]}]` only
/// constrains.
fn only_constrains(documents: &Documents, schema: &Schema) -> bool {
    schema.branches().all(|branch| {
        let branch = branch.target.filter(|branch| documents.name(*branch).is_none());
        branch.is_some_and(|branch| is_unconstrained(documents.schema(branch)))
    })
}

/// Whether the alternatives of a schema are integers and strings.
fn chooses_int_or_string(documents: &Documents, schema: &Schema) -> bool {
    let expected = Some(BTreeSet::from(["integer", "string"]));
    match (schema.one_of.as_slice(), schema.any_of.as_slice()) {
        (choices, []) | ([], choices) => {
            let types = choices.iter().map(|choice| json_type(documents.schema(choice.target?)));
            let mut branches = schema.all_of.iter().map(|branch| branch.target);
            types.collect::<Option<_>>() == expected
                && branches.all(|id| id.is_some_and(|id| is_unconstrained(documents.schema(id))))
        }
        _ => false,
    }
}

/// Whether a schema leaves the type of its values open.
fn is_unconstrained(schema: &Schema) -> bool {
    let has_type = schema.typ.is_some() || kubernetes_type(schema).is_some();
    let has_parts =
        !schema.properties.is_empty() || schema.additional.is_some() || schema.items.is_some();
    !has_type && !has_parts && schema.branches().next().is_none()
}

/// The JSON type that a schema has, if it has one.
fn json_type(schema: &Schema) -> Option<&str> {
    let has_members = !schema.properties.is_empty() || schema.additional.is_some();
    let stated = schema.typ.as_ref().map(SchemaType::as_str);
    stated.or(has_members.then_some("object")).or(schema.items.as_ref().map(|_| "array"))
}
