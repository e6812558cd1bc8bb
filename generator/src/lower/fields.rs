//! What a named type has: the fields of an object, the values of an enum.

use super::facets::Facets;
use super::kinds::{self, Home};
use super::merging::is_atomic;
use super::origin::{Origin, Use};
use super::rules;
use super::types::{Named, Types};
use crate::input::selection;
use crate::model::{Field, Presence, Shape, Type, TypeDef, Variant};
use crate::names;
use crate::note::Note;
use crate::openapi::resolve::SchemaId;
use crate::pointer::escape;
use openapiv3::{ReferenceOr, Schema};
use std::collections::{BTreeMap, BTreeSet};

/// The object whose fields are looked into.
struct Owner<'a> {
    id: &'a SchemaId,
    /// The beginning of the names of nested types.
    base: &'a str,
    origin: Origin,
}

/// Names of fields, by the names of their properties.
type FieldNames<'a> = BTreeMap<&'a str, String>;

impl Types<'_> {
    /// A type with everything in it.
    pub(super) fn define(&mut self, named: &Named, schema: &Schema, home: &Home) -> Option<TypeDef> {
        let Named { id, type_id, base } = named;
        let facets = Facets::of(schema);
        let mut kind = None;
        let shape = if facets.is_enum() {
            Shape::Enum(variants(facets.values))
        } else {
            let owner = Owner { id, base, origin: Origin::Type(id.clone(), type_id.to_string()) };
            let mut fields = self.fields(&owner, &facets)?;
            kind = kinds::kind_of(schema, &fields, home, self.context.served);
            if kind.is_some() {
                fields.iter_mut().for_each(place_in_kind);
            }
            Shape::Struct(fields)
        };
        Some(TypeDef {
            schema: id.label(),
            copies: 0,
            description: schema.schema_data.description.clone(),
            // Those of a nested schema stand at the fields: its type may stand for others, which have other rules.
            rules: id.name().map(|_| rules::of_type(&schema.schema_data)).unwrap_or_default(),
            deprecated: schema.schema_data.deprecated,
            shape,
            kind,
            is_atomic: id.name().is_some() && is_atomic(&schema.schema_data.extensions),
            location: self.library.location(id),
        })
    }

    /// The fields, or none if one of them is wrong.
    fn fields(&mut self, owner: &Owner<'_>, facets: &Facets<'_>) -> Option<Vec<Field>> {
        let wires = facets.properties.into_iter().flatten().map(|(wire, _)| wire.as_str());
        let names = self.field_names(owner, wires);
        let mut fields: Vec<Field> = Vec::new();
        let mut complete = true;
        let required: BTreeSet<&String> = facets.required.iter().collect();
        for (wire, item) in facets.properties.into_iter().flatten() {
            let required = required.contains(wire);
            match self.field(owner, wire, &item.clone().unbox(), required, names.get(wire.as_str())) {
                Some(field) => fields.push(field),
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
        name: Option<&String>,
    ) -> Option<Field> {
        let at = place(owner, wire);
        let target = self.target(&at, item, &owner.origin)?;
        let nested = |member: &str| names::nested_type_name(owner.base, member);
        let nested = nested(wire).or_else(|| nested(name?));
        // Where no name can be made of the member, that was told.
        nested.as_ref()?;
        let ty = self.of(&target, &Use::new(nested, &owner.origin))?;
        let data = &self.library.schema(&target)?.schema_data;
        Some(Field {
            wire: wire.to_owned(),
            name: name?.clone(),
            description: data.description.clone(),
            rules: rules::of_field(self.library, &target, &ty),
            deprecated: data.deprecated,
            ty,
            presence: if required && !data.nullable { Presence::Required } else { Presence::Optional },
            merge: self.merge(&target),
        })
    }

    /// The name of each field that can have one. Of properties that would be the same field, the one in camelCase keeps
    /// the name, or else the first by name; the others get a number. What groups.yaml says comes before all that.
    fn field_names<'a>(&mut self, owner: &Owner<'_>, wires: impl Iterator<Item = &'a str>) -> FieldNames<'a> {
        let schema = owner.id.label();
        let mut chosen: BTreeMap<String, &str> = BTreeMap::new();
        let mut natural: BTreeMap<String, BTreeSet<(bool, &str)>> = BTreeMap::new();
        for wire in wires {
            if let Some(name) = self.rename(&schema, Some(wire)) {
                self.choose(owner, &mut chosen, name, wire);
            } else if let Some(name) = names::field(wire) {
                natural.entry(name).or_default().insert((!names::is_exact_camel(wire), wire));
            } else {
                let help = selection::advice(&schema, Some(wire));
                let message = format!("no Rust name can be made of `{wire}`");
                self.fail(&place(owner, wire), &message, &help, &owner.origin);
            }
        }
        let distinct = names::distinct(&natural, &chosen.keys().cloned().collect(), "_");
        for (usual, wires) in &natural {
            let keeper = chosen.get(usual).copied().or(wires.first().map(|(_, wire)| *wire)).unwrap_or_default();
            let numbered =
                wires.iter().filter_map(|key| Some((key.1, distinct.get(key).filter(|name| *name != usual)?)));
            for (wire, name) in numbered {
                let message = format!("the field is `{name}`, as `{keeper}` is `{usual}`");
                self.note(owner, wire, message);
            }
        }
        let chosen = chosen.into_iter().map(|(name, wire)| (wire, name));
        distinct.into_iter().map(|((_, wire), name)| (wire, name)).chain(chosen).collect()
    }

    fn choose<'a>(&mut self, owner: &Owner<'_>, chosen: &mut BTreeMap<String, &'a str>, name: String, wire: &'a str) {
        if let Some(other) = chosen.get(&name) {
            let message = format!("`{other}` and `{wire}` are both renamed to the field `{name}`");
            self.fail(&place(owner, wire), &message, "choose another name for one of them", &owner.origin);
            return;
        }
        chosen.insert(name, wire);
    }

    fn note(&mut self, owner: &Owner<'_>, wire: &str, message: String) {
        self.notes.push(Note {
            location: self.library.location(&place(owner, wire)),
            message,
            help: Some(selection::advice(&owner.id.label(), Some(wire))),
        });
    }
}

fn place(owner: &Owner<'_>, wire: &str) -> SchemaId {
    owner.id.below(&format!("properties/{}", escape(wire)))
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
