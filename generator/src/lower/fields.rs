//! Named types: the fields of an object, the variants of an enum.

use super::context::{Origin, Reported, Result, Usage};
use super::types::{NamedSchema, Types, is_open};
use super::{defaults, kinds, rules};
use crate::input::selection;
use crate::model::wellknown::WellKnown;
use crate::model::{Field, ListType, MapType, Merge, Presence, Shape, Type, TypeDef, Variant};
use crate::names;
use crate::note::Note;
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{Additional, Schema, SchemaId, SchemaRef, SchemaType};
use kapigen_definitions::schema_keywords::{
    list_keys, list_type, map_type, patch_key, patch_strategies,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The owner of the fields that are lowered.
struct Owner<'a> {
    id: SchemaId,
    /// The beginning of the names of nested types.
    base: &'a str,
    origin: Origin,
}

/// The members that all kinds have.
const OF_ALL_KINDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The name of a field if no Rust name can be derived from its property, such as `*`.
const UNNAMED: &str = "field";

/// Names of fields, by the names of their properties.
type FieldNames<'a> = BTreeMap<&'a str, String>;

impl Types<'_> {
    /// The definition of a named type.
    pub(super) fn define(&mut self, named: &NamedSchema) -> Result<TypeDef> {
        let NamedSchema { id, type_id, base } = named;
        let documents = self.context.documents;
        let schema = documents.schema(*id);
        let mut kind = None;
        let shape = if schema.is_enum() {
            Shape::Enum(variants(&schema.values))
        } else {
            let owner = Owner { id: *id, base, origin: Origin::Type(*id, type_id.to_string()) };
            let mut fields = if self.lacks_members(*id) {
                self.of_all_kinds(&owner)
            } else {
                self.fields(&owner, schema)?
            };
            let group_version = self.context.module_of(*id).group_version;
            kind = kinds::kind_of(schema, &fields, &group_version, self.context.served);
            if kind.is_some() {
                fields.iter_mut().for_each(require_metadata);
            }
            Shape::Struct(fields)
        };
        Ok(TypeDef {
            schema: documents.label(*id).to_owned(),
            copies: 0,
            description: schema.description.clone(),
            // The rules of a nested schema are documented at the fields, since its type may be
            // shared with schemas that have other rules.
            rules: documents.name(*id).map(|_| rules::of_type(schema)).unwrap_or_default(),
            deprecated: schema.deprecated,
            warning: None,
            shape,
            kind,
            is_atomic: documents.name(*id).is_some() && is_atomic(schema),
            is_inline: false,
            location: documents.location(*id),
        })
    }

    /// The fields of a struct. The errors of all of them are reported.
    fn fields(&mut self, owner: &Owner<'_>, schema: &Schema) -> Result<Vec<Field>> {
        let names = self.field_names(owner, schema.properties.keys().map(String::as_str));
        let mut fields = Vec::new();
        let is_open = self.open_kinds.contains(&owner.id);
        for (wire, used) in schema
            .properties
            .iter()
            .filter(|(wire, _)| !is_open || OF_ALL_KINDS.contains(&wire.as_str()))
        {
            let is_required = schema.required.contains(wire);
            fields.push(self.field(owner, wire, used, is_required, names.get(wire.as_str())));
        }
        fields.into_iter().collect()
    }

    /// The fields of a kind with a schema that states none.
    fn of_all_kinds(&mut self, owner: &Owner<'_>) -> Vec<Field> {
        let [api_version, kind, metadata] = OF_ALL_KINDS;
        let fields = [
            (api_version, "Group and version of the object's schema.", Some(Type::String)),
            (kind, "Kind of the object.", Some(Type::String)),
            (metadata, "Standard metadata of the object.", self.object_meta(&owner.origin)),
        ];
        let fields = fields.into_iter().filter_map(|(wire, description, ty)| {
            Some(Field {
                wire: wire.to_owned(),
                name: names::field(wire).unwrap_or_default(),
                description: Some(description.to_owned()),
                rules: Vec::new(),
                deprecated: false,
                ty: ty?,
                presence: Presence::Optional,
                nullable: false,
                merge: Merge::default(),
            })
        });
        fields.collect()
    }

    fn field(
        &mut self,
        owner: &Owner<'_>,
        wire: &str,
        used: &SchemaRef,
        is_required: bool,
        name: Option<&String>,
    ) -> Result<Field> {
        let target = self.property_schema(owner.id, wire, used, &owner.origin)?;
        let nested = names::nested_type_name(owner.base, wire)
            .or_else(|| names::nested_type_name(owner.base, name?));
        // A property without any name was reported with the names of the fields.
        let nested = nested.ok_or(Reported)?;
        let ty = self.type_of(target, &Usage::new(Some(nested), &owner.origin))?;
        let documents = self.context.documents;
        let schema = documents.schema(target);
        let is_nullable = is_nullable(documents, schema);
        let is_required = is_required && !is_nullable;
        // Free JSON of built-in kinds has a named schema; their servers treat `null` as no value.
        let is_named = documents.name(target).is_some()
            || !std::ptr::eq(self::target(documents, schema), schema);
        Ok(Field {
            wire: wire.to_owned(),
            name: name.ok_or(Reported)?.clone(),
            description: schema.description.clone(),
            rules: rules::of_field(documents, target, &ty, is_required),
            deprecated: schema.deprecated,
            merge: merge(documents, schema, &ty),
            nullable: is_nullable || ty.is_free() && !is_named,
            ty,
            presence: if is_required { Presence::Required } else { Presence::Optional },
        })
    }

    /// The name of each field that can have one. Of several properties with the same field name,
    /// the one in camelCase keeps it, or else the first by name; the others get a number. A name in
    /// groups.yaml takes precedence.
    fn field_names<'a>(
        &mut self,
        owner: &Owner<'_>,
        wires: impl Iterator<Item = &'a str>,
    ) -> FieldNames<'a> {
        let schema = self.context.documents.label(owner.id);
        let mut chosen: BTreeMap<String, &str> = BTreeMap::new();
        let mut natural: BTreeMap<String, BTreeSet<(bool, &str)>> = BTreeMap::new();
        let mut unnamed = BTreeSet::new();
        for wire in wires {
            if let Some(name) = self.context.rename(schema, Some(wire)) {
                self.choose(owner, &mut chosen, name, wire);
            } else if let Some(name) = names::field(wire) {
                natural.entry(name).or_default().insert((!names::is_exact_camel(wire), wire));
            } else if self.context.documents.is_of_definitions(owner.id) {
                natural.entry(UNNAMED.to_owned()).or_default().insert((true, wire));
                unnamed.insert(wire);
            } else {
                let help = selection::advice(schema, Some(wire));
                let message = format!("cannot derive a Rust name from `{wire}`");
                self.fail_property(owner, wire, message, &help);
            }
        }
        let distinct = names::distinct(&natural, &chosen.keys().cloned().collect(), "_");
        for (usual, wires) in &natural {
            let keeper = chosen
                .get(usual)
                .copied()
                .or(wires.first().map(|(_, wire)| *wire))
                .unwrap_or_default();
            let numbered = wires
                .iter()
                .filter_map(|key| Some((key.1, distinct.get(key).filter(|name| *name != usual)?)));
            for (wire, name) in numbered.filter(|(wire, _)| !unnamed.contains(wire)) {
                let message = format!("the field is `{name}`, as `{keeper}` is `{usual}`");
                self.note(owner, wire, message);
            }
        }
        for ((_, wire), name) in distinct.iter().filter(|((_, wire), _)| unnamed.contains(wire)) {
            self.note(
                owner,
                wire,
                format!("the field is `{name}`: cannot derive a Rust name from `{wire}`"),
            );
        }
        let chosen = chosen.into_iter().map(|(name, wire)| (wire, name));
        distinct.into_iter().map(|((_, wire), name)| (wire, name)).chain(chosen).collect()
    }

    fn choose<'a>(
        &mut self,
        owner: &Owner<'_>,
        chosen: &mut BTreeMap<String, &'a str>,
        name: String,
        wire: &'a str,
    ) {
        if let Some(other) = chosen.get(&name) {
            let message = format!("`{other}` and `{wire}` are both renamed to the field `{name}`");
            self.fail_property(owner, wire, message, "choose another name for one of them");
            return;
        }
        chosen.insert(name, wire);
    }

    fn note(&mut self, owner: &Owner<'_>, wire: &str, message: String) {
        let documents = self.context.documents;
        self.context.notes.push(Note {
            location: documents.property_location(owner.id, wire),
            message,
            help: Some(selection::advice(documents.label(owner.id), Some(wire))),
        });
    }

    fn fail_property(&mut self, owner: &Owner<'_>, wire: &str, message: String, help: &str) {
        let location = self.context.documents.property_location(owner.id, wire);
        self.context.fail_at(location, message, help, &owner.origin);
    }
}

/// A kind always has its metadata, as servers encode it. Its `apiVersion` and `kind` may be absent,
/// as in lists.
fn require_metadata(field: &mut Field) {
    match (field.wire.as_str(), &field.ty) {
        ("metadata", Type::Named(_)) => {
            field.presence = Presence::Required;
            field.nullable = false;
        }
        ("apiVersion" | "kind", _) => field.presence = Presence::Optional,
        _ => {}
    }
}

/// The values in the order of the document, each once.
fn variants(values: &[Value]) -> Vec<Variant> {
    let mut seen = BTreeSet::new();
    let values = values.iter().filter_map(Value::as_str).filter(|value| seen.insert(*value));
    let values: Vec<String> = values.map(str::to_owned).collect();
    let names = names::variants(&values);
    values.into_iter().zip(names).map(|(wire, name)| Variant { wire, name }).collect()
}

/// The longest chain of references that is followed.
const LONGEST_CHAIN: usize = 32;

/// The merge rule of a property with this schema. The array itself states the rules of a list, as
/// servers read it; values without a type are atomic.
pub(super) fn merge(documents: &Documents, schema: &Schema, ty: &Type) -> Merge {
    let array = target(documents, schema);
    let values = match (&array.additional, ty) {
        (Some(Additional::Schema(values)), Type::Map(ty)) => {
            values.target.map(|id| (target(documents, documents.schema(id)), &**ty))
        }
        _ => None,
    };
    let of_values = values.filter(|(schema, ty)| is_untyped(schema, ty));
    // Servers publish list types of strings, too, and ignore them.
    let is_array = array.typ == Some(SchemaType::Array);
    let keys = list_keys(&array.extensions).filter(|_| is_array);
    let keys: Vec<_> = keys.map(str::to_owned).collect();
    let key_defaults = keys
        .iter()
        .filter_map(|key| Some((key.clone(), default_in_elements(documents, array, key)?)));
    Merge {
        // One without keys was reported with its type.
        list_type: list_type(&array.extensions).filter(|_| is_array && !lacks_keys(array)),
        key_defaults: key_defaults.collect(),
        list_map_keys: keys,
        map_type: map_type(&schema.extensions).or(is_untyped(array, ty).then_some(MapType::Atomic)),
        map_type_of_values: of_values.map(|_| MapType::Atomic),
        patch_strategies: patch_strategies(&schema.extensions),
        patch_merge_key: patch_key(&schema.extensions).map(str::to_owned),
    }
}

/// Whether an array has the list type `map`, but no properties that distinguish its elements.
pub(super) fn lacks_keys(array: &Schema) -> bool {
    list_type(&array.extensions) == Some(ListType::Map)
        && list_keys(&array.extensions).next().is_none()
}

/// The default of a property of a list's elements, as JSON. A reference that does not resolve is
/// reported where types are lowered.
fn default_in_elements(documents: &Documents, array: &Schema, key: &str) -> Option<String> {
    let element = target(documents, documents.schema(array.items.as_ref()?.target?));
    let property = element.properties.get(key)?.target?;
    // The default of a named schema does not apply to properties that refer to it.
    let default =
        documents.schema(property).default.as_ref().filter(|_| documents.name(property).is_none());
    // Keys have no parts.
    default
        .filter(|default| !default.is_array() && !default.is_object())
        .filter(|_| !defaults::is_misfit(documents, property))
        .map(Value::to_string)
}

/// The schema itself, or the one that it is another name of: the target of `$ref`, or of a `$ref`
/// alone in `allOf`.
fn target<'d>(documents: &'d Documents, mut schema: &'d Schema) -> &'d Schema {
    for _ in 0..LONGEST_CHAIN {
        let [SchemaRef { target: Some(target), .. }] = schema.all_of.as_slice() else { break };
        if documents.name(*target).is_none() {
            break;
        }
        schema = documents.schema(*target);
    }
    schema
}

/// Whether `null` is a value of a schema, or of the one that it is another name of.
pub(super) fn is_nullable(documents: &Documents, schema: &Schema) -> bool {
    schema.nullable || target(documents, schema).nullable
}

/// Whether servers own a value as a whole, since its schema has no type for its parts. Free JSON of
/// custom resources is merged, since their schemas declare it.
fn is_untyped(schema: &Schema, ty: &Type) -> bool {
    match ty {
        Type::WellKnown(WellKnown::FieldsV1 | WellKnown::RawExtension) => true,
        Type::WellKnown(WellKnown::RawJson) => !is_open(schema),
        _ => false,
    }
}

/// Whether server-side apply replaces every value of a schema as a whole.
fn is_atomic(schema: &Schema) -> bool {
    map_type(&schema.extensions) == Some(MapType::Atomic)
}
