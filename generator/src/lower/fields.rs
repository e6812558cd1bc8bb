//! What a named type has: the fields of an object, the values of an enum.

use super::facets::Facets;
use super::kinds::{self, Home};
use super::origin::{Origin, Use};
use super::rules;
use super::types::Types;
use crate::document::escape;
use crate::library::SchemaId;
use crate::model::{Field, Merge, Presence, Shape, Type, TypeDef, TypeId, Variant};
use crate::names;
use indexmap::IndexMap;
use openapiv3::{ReferenceOr, Schema};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The names that fields have already, and the members that have them.
type Taken = BTreeMap<String, String>;

/// The object whose fields are looked into.
struct Owner<'a> {
    id: &'a SchemaId,
    type_id: &'a TypeId,
    origin: Origin,
}

impl Types<'_> {
    /// A type with everything in it.
    pub(super) fn define(&mut self, id: &SchemaId, type_id: &TypeId, schema: &Schema, home: &Home) -> Option<TypeDef> {
        let facets = Facets::of(schema);
        let mut kind = None;
        let shape = if facets.is_enum() {
            Shape::Enum(variants(facets.values))
        } else {
            let owner = Owner { id, type_id, origin: Origin::Type(id.clone(), type_id.to_string()) };
            let mut fields = self.fields(&owner, &facets)?;
            kind = kinds::kind_of(schema, &fields, home, self.served);
            if kind.is_some() {
                fields.iter_mut().for_each(place_in_kind);
            }
            Shape::Struct(fields)
        };
        Some(TypeDef {
            schema: id.label(),
            description: schema.schema_data.description.clone(),
            rules: rules::of_type(&schema.schema_data),
            deprecated: schema.schema_data.deprecated,
            shape,
            kind,
            location: self.library.location(id),
        })
    }

    /// The fields, or none if one of them is wrong.
    fn fields(&mut self, owner: &Owner<'_>, facets: &Facets<'_>) -> Option<Vec<Field>> {
        let mut fields: Vec<Field> = Vec::new();
        let mut taken = Taken::new();
        let mut complete = true;
        let required: BTreeSet<&String> = facets.required.iter().collect();
        for (wire, item) in facets.properties.into_iter().flatten() {
            match self.field(owner, wire, &item.clone().unbox(), required.contains(wire), &taken) {
                Some(field) => {
                    taken.insert(field.name.clone(), field.wire.clone());
                    fields.push(field);
                }
                None => complete = false,
            }
        }
        complete.then_some(fields)
    }

    fn field(
        &mut self,
        owner: &Owner<'_>,
        wire: &str,
        item: &ReferenceOr<Schema>,
        required: bool,
        taken: &Taken,
    ) -> Option<Field> {
        let at = owner.id.below(&format!("properties/{}", escape(wire)));
        let name = self.field_name(owner, &at, wire, taken);
        let target = self.target(&at, item, &owner.origin)?;
        let nested = |member: &str| names::nested_type_name(&owner.type_id.name, member);
        let nested = nested(wire).or_else(|| nested(name.as_deref()?));
        // Where no name can be made of the member, that was told.
        nested.as_ref()?;
        let ty = self.of(&target, &Use::new(nested, &owner.origin))?;
        let data = &self.library.schema(&target)?.schema_data;
        Some(Field {
            wire: wire.to_owned(),
            name: name?,
            description: data.description.clone(),
            rules: rules::of_field(self.library, &target, &ty),
            deprecated: data.deprecated,
            ty,
            presence: if required && !data.nullable { Presence::Required } else { Presence::Optional },
            merge: merge(&data.extensions),
        })
    }

    fn field_name(&mut self, owner: &Owner<'_>, at: &SchemaId, wire: &str, taken: &Taken) -> Option<String> {
        let schema = owner.id.label();
        let help = format!("give it a name in groups.yaml: `rename: {{ \"{schema}.{wire}\": name }}`");
        let Some(name) = self.rename(&schema, Some(wire)).or_else(|| names::field(wire)) else {
            self.fail(at, &format!("no Rust name can be made of `{wire}`"), &help, &owner.origin);
            return None;
        };
        if let Some(other) = taken.get(&name) {
            let message = format!("`{other}` and `{wire}` would both be the field `{name}`");
            self.fail(at, &message, &help, &owner.origin);
            return None;
        }
        Some(name)
    }
}

/// A kind has its metadata always, as servers write it. What it states of itself may be missing, as in lists.
fn place_in_kind(field: &mut Field) {
    match (field.wire.as_str(), &field.ty) {
        ("metadata", Type::Named(_)) => field.presence = Presence::Required,
        ("apiVersion" | "kind", _) => field.presence = Presence::Optional,
        _ => {}
    }
}

/// The values in the order of the document, each once.
fn variants(values: Vec<Option<String>>) -> Vec<Variant> {
    let mut seen = BTreeSet::new();
    let values: Vec<String> = values.into_iter().flatten().filter(|value| seen.insert(value.clone())).collect();
    let names = names::variants(&values);
    values.into_iter().zip(names).map(|(wire, name)| Variant { wire, name }).collect()
}

fn merge(extensions: &IndexMap<String, Value>) -> Merge {
    let text = |key: &str| extensions.get(key).and_then(Value::as_str).map(str::to_owned);
    let keys = extensions.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
    Merge {
        list_type: text("x-kubernetes-list-type"),
        list_map_keys: keys.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect(),
        map_type: text("x-kubernetes-map-type"),
        patch_strategy: text("x-kubernetes-patch-strategy"),
        patch_merge_key: text("x-kubernetes-patch-merge-key"),
    }
}
