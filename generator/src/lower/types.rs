//! The types of schemas: a scalar, a list, a map, or a named type. Lowering goes from the schemas
//! that are needed to the ones that they need.

use super::context::{Context, Origin, Usage};
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
    queue: VecDeque<Named>,
}

/// A schema that is a type.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) id: SchemaId,
    pub(super) type_id: TypeId,
    /// The natural name of the type. The names of nested types begin with it.
    pub(super) base: String,
}

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

    /// The type of a schema in a part of an operation.
    pub(super) fn used(
        &mut self,
        document: usize,
        pointer: &str,
        item: &ReferenceOr<openapiv3::Schema>,
        usage: &Usage<'_>,
    ) -> Option<Type> {
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
    pub(super) fn type_of(&mut self, id: SchemaId, usage: &Usage<'_>) -> Option<Type> {
        self.ty(id, usage, &mut Vec::new())
    }

    /// Lowers the definition of every named type, until none is left.
    pub(super) fn finish(&mut self, api: &mut Api) {
        while let Some(named) = self.queue.pop_front() {
            if let Some(def) = self.define(&named) {
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
    pub(super) fn target(
        &mut self,
        id: SchemaId,
        used: &SchemaRef,
        origin: &Origin,
    ) -> Option<SchemaId> {
        self.context.target(id, used, |documents| documents.location(id), origin)
    }

    /// The schema of a property.
    pub(super) fn property(
        &mut self,
        id: SchemaId,
        wire: &str,
        used: &SchemaRef,
        origin: &Origin,
    ) -> Option<SchemaId> {
        self.context.target(id, used, |documents| documents.property_location(id, wire), origin)
    }

    /// The type of a schema. `chain` holds the aliases that led to it, to detect cycles.
    pub(super) fn ty(
        &mut self,
        id: SchemaId,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        if let Some(target) = self.same_as(id, usage) {
            return self.substitute(id, &target, usage, chain);
        }
        self.context.check_default(id);
        let documents = self.context.documents;
        if let Some(ty) = documents.name(id).and_then(WellKnown::by_schema) {
            return self.hand_written(ty, id, usage);
        }
        if chain.contains(&id) {
            let help = "one of the schemas in the circle must be an object with `properties`, \
                        which can hold itself";
            self.context.fail(id, "the schema is defined by itself", help, usage.origin);
            return None;
        }
        if chain.len() == LONGEST_CHAIN {
            let message =
                format!("more than {LONGEST_CHAIN} lists, maps and `allOf` are nested here");
            let help = "no API server publishes such a schema; correct the document";
            return self.no_type(id, &message, help, usage);
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
            return self.no_type(id, &message, help, usage);
        }
        if self.lacks_members(id) {
            return self.name(id, usage);
        }
        if let Some(ty) = kubernetes_type(schema).filter(|_| !is_object_kind) {
            return Some(ty);
        }
        chain.push(id);
        let ty = if is_object_kind {
            // Objects have metadata even if an old definition states otherwise.
            self.object(id, schema, usage, chain)
        } else {
            self.by_type(id, schema, usage, chain)
        };
        chain.pop();
        ty
    }

    /// The type of a schema by its `type`, or by its members or branches.
    fn by_type(
        &mut self,
        id: SchemaId,
        schema: &Schema,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        match &schema.typ {
            Some(SchemaType::String) if schema.is_enum() && !usage.in_url => self.name(id, usage),
            Some(SchemaType::Array) => self.list(id, schema, usage, chain),
            Some(SchemaType::Object) => self.object(id, schema, usage, chain),
            Some(SchemaType::Unknown(other)) => {
                let help =
                    "the types of OpenAPI are string, number, integer, boolean, array and object";
                Some(self.context.keep_json(id, &format!("unknown type `{other}`"), help))
            }
            Some(_) => scalar(schema),
            None if !schema.properties.is_empty() || schema.additional.is_some() => {
                self.object(id, schema, usage, chain)
            }
            None => self.combined(id, schema, usage, chain),
        }
    }

    fn list(
        &mut self,
        id: SchemaId,
        schema: &Schema,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        let Some(items) = &schema.items else {
            let help = "give the schema of its elements; `items: {}` allows any";
            let items = self.no_type(id, "an array without `items`", help, usage)?;
            return Some(Type::List(Box::new(items)));
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
        let items = self.target(id, items, usage.origin)?;
        let usage = self.inside(id, usage, "Item");
        Some(Type::List(Box::new(self.inner(items, &usage, chain)?)))
    }

    /// The type of the elements of a list or the values of a map. A `null` among them is a value,
    /// which free JSON has as any other.
    fn inner(
        &mut self,
        id: SchemaId,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        let ty = self.ty(id, usage, chain)?;
        let documents = self.context.documents;
        let is_option = is_nullable(documents, documents.schema(id)) && !ty.is_free();
        Some(if is_option { Type::Nullable(Box::new(ty)) } else { ty })
    }

    fn object(
        &mut self,
        id: SchemaId,
        schema: &Schema,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        let documents = self.context.documents;
        match (!schema.properties.is_empty(), &schema.additional) {
            (false, None) if !schema.all_of.is_empty() && !only_constrains(documents, schema) => {
                self.combined(id, schema, usage, chain)
            }
            (true, Some(Additional::Schema(_))) => self.open_object(
                id,
                usage,
                "`properties` beside a schema in `additionalProperties`",
            ),
            // With members beyond the named ones, only free JSON, or a kind as a whole, loses none
            // of them.
            (true, Some(Additional::Allowed(true))) if !self.is_object_kind(id) => {
                Some(Type::WellKnown(WellKnown::RawJson))
            }
            (true, _) if self.is_complete(id, schema, usage)? => self.name(id, usage),
            (true, _) => {
                self.open_object(id, usage, "an object with members beside those in `properties`")
            }
            (false, Some(Additional::Schema(values))) => {
                let values = self.target(id, values, usage.origin)?;
                let usage = self.inside(id, usage, "Value");
                Some(Type::Map(Box::new(self.inner(values, &usage, chain)?)))
            }
            (false, Some(Additional::Allowed(true))) => {
                Some(Type::Map(Box::new(Type::WellKnown(WellKnown::RawJson))))
            }
            // A schema of its own without members is an empty struct in all documents of
            // Kubernetes. The members of such an object in another schema are unknown.
            (false, _) if documents.name(id).is_some() => self.name(id, usage),
            (false, _) => Some(Type::WellKnown(WellKnown::RawJson)),
        }
    }

    /// Gives a schema a named type, and queues it.
    pub(super) fn name(&mut self, id: SchemaId, usage: &Usage<'_>) -> Option<Type> {
        if usage.in_url {
            // An object, which does not fit there. The parameter is refused, and no type is made.
            return Some(Type::WellKnown(WellKnown::RawJson));
        }
        if let Some(type_id) = self.names.get(&id) {
            return Some(Type::Named(type_id.clone()));
        }
        if let Some(ty) = self.extern_type(id, usage.origin) {
            return Some(ty);
        }
        let documents = self.context.documents;
        let schema = documents.label(id);
        let made = match documents.name(id) {
            Some(name) => names::type_name(names::split_schema(name).1),
            None => usage.name.clone(),
        };
        let renamed = self.context.rename(schema, None);
        let Some(base) = renamed.clone().or(made) else {
            let help = selection::advice(schema, None);
            let message = format!("cannot derive a Rust name from `{schema}`");
            self.context.fail(id, &message, &help, usage.origin);
            return None;
        };
        // The name of a nested type begins with the names of all types around it.
        let is_long = renamed.is_none() && base.len() > names::LONGEST_TYPE;
        let short = is_long.then(|| names::shortened_type(schema)).flatten();
        let is_short = short.is_some();
        let base = short.unwrap_or(base);
        if base.len() > names::LONGEST_TYPE {
            let help = selection::advice(schema, None);
            self.context.fail(id, &names::too_long_type(&base), &help, usage.origin);
            return None;
        }
        let natural = TypeId::own(self.context.module_of(id).module, base.clone());
        if renamed.is_none() && !is_short {
            self.claims.claim(&natural, id);
        } else if let Some(other) = self.claims.choose(&natural, id) {
            let other = documents.location(other).inline();
            let (what, help) = if is_short {
                ("shortened", format!("the other is {other}; {}", selection::advice(schema, None)))
            } else {
                ("renamed", format!("the other is {other}; choose another name"))
            };
            self.context.fail(
                id,
                &format!("two schemas are {what} to `{natural}`"),
                &help,
                usage.origin,
            );
            return None;
        }
        let type_id = self.decided.get(id).cloned().unwrap_or(natural);
        self.names.insert(id, type_id.clone());
        self.context.needs(id, usage.origin);
        self.queue.push_back(Named { id, type_id: type_id.clone(), base });
        Some(Type::Named(type_id))
    }

    /// The use of the elements or values by a list or a map. Types in a named list are named after
    /// it, wherever the list is used.
    fn inside<'u>(&self, id: SchemaId, usage: &Usage<'u>, role: &str) -> Usage<'u> {
        match self.context.documents.name(id) {
            Some(name) => usage.named(names::nested_type_name(names::split_schema(name).1, role)),
            None => usage.clone(),
        }
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

/// The help for values that are kept as JSON.
const CORRECT: &str = "a type needs one schema with all members: correct the document";

impl Types<'_> {
    /// The type of a schema that has only branches.
    fn combined(
        &mut self,
        id: SchemaId,
        schema: &Schema,
        usage: &Usage<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        match (schema.all_of.as_slice(), schema.one_of.as_slice(), schema.any_of.as_slice()) {
            _ if only_constrains(self.context.documents, schema) => {
                Some(Type::WellKnown(WellKnown::RawJson))
            }
            _ if chooses_int_or_string(self.context.documents, schema) => {
                Some(Type::WellKnown(WellKnown::Int64OrString))
            }
            ([only], [], []) => {
                let target = self.target(id, only, usage.origin)?;
                self.ty(target, usage, chain)
            }
            ([], _, _) => Some(self.context.keep_json(
                id,
                "a choice between schemas (`oneOf`, `anyOf`)",
                CORRECT,
            )),
            _ => {
                let help = "no API server of the Kubernetes family publishes such a schema; \
                            correct the document, or leave out what needs it";
                self.no_type(id, "`allOf` with more than one schema is out of scope", help, usage)
            }
        }
    }

    /// The type of a schema that servers publish for no definition: JSON in the document of
    /// definitions, among which are some that were stored before servers checked them, and an error
    /// anywhere else.
    fn no_type(&mut self, id: SchemaId, why: &str, help: &str, usage: &Usage<'_>) -> Option<Type> {
        if self.context.documents.is_of_definitions(id) {
            return Some(self.context.keep_json(id, why, help));
        }
        self.context.fail(id, why, help, usage.origin);
        None
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
    /// custom resources do. None: a branch has an error.
    fn is_complete(&mut self, id: SchemaId, schema: &Schema, usage: &Usage<'_>) -> Option<bool> {
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

    /// The type of an object with members that no struct can have: JSON, or for a kind a struct
    /// with the members of all kinds, which keeps the others as unknown ones.
    fn open_object(&mut self, id: SchemaId, usage: &Usage<'_>, why: &str) -> Option<Type> {
        if !self.is_object_kind(id) {
            return Some(self.context.keep_json(id, why, CORRECT));
        }
        let message = format!("all of it but its metadata is kept as JSON, in `unknown_`: {why}");
        self.context.note_schema(id, message, CORRECT);
        self.open_kinds.insert(id);
        self.name(id, usage)
    }

    /// The hand-written type of a schema with its name. The schema must have the JSON type that it
    /// decodes: one that only has the name is an error.
    fn hand_written(&mut self, ty: WellKnown, id: SchemaId, usage: &Usage<'_>) -> Option<Type> {
        let schema = self.context.documents.schema(id);
        let (Some(expected), Some(found)) = (ty.json_types(), json_type(schema)) else {
            return Some(Type::WellKnown(ty));
        };
        if expected.contains(&found) {
            return Some(Type::WellKnown(ty));
        }
        let rust = ty.name();
        let expected = expected.join(" or ");
        let message = format!(
            "the schema is of the type {found}, but its Rust type `{rust}` is of {expected}"
        );
        let help =
            "all API servers have this schema: correct the document, or give it another name";
        self.context.fail(id, &message, help, usage.origin);
        None
    }
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
    let json_type = |choice: &SchemaRef| json_type(documents.schema(choice.target?));
    let expected = Some(BTreeSet::from(["integer", "string"]));
    let is_unconstrained = |branch: &SchemaRef| {
        branch.target.is_some_and(|branch| is_unconstrained(documents.schema(branch)))
    };
    match (schema.one_of.as_slice(), schema.any_of.as_slice()) {
        (choices, []) | ([], choices) => {
            choices.iter().map(json_type).collect::<Option<_>>() == expected
                && schema.all_of.iter().all(is_unconstrained)
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
