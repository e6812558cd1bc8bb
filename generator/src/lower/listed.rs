//! Nested schemas of definitions that are types of other crates, written out again: the listed types
//! that they fit, by the documents of those crates.

use super::types::{is_int_or_string, is_open};
use crate::error::{Error, Errors};
use crate::input::Selection;
use crate::input::index::ExternCrate;
use crate::model::WellKnown;
use crate::model::listed::{LISTED, Listed};
use crate::openapi::load;
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{Additional, Schema, SchemaId, SchemaRef, SchemaType};
use kapigen_definitions::schema_keywords::{LIST_KEYS, LIST_TYPE, MAP_TYPE};
use std::collections::{BTreeMap, BTreeSet};

/// The nested schemas that fit listed types, by their labels.
#[derive(Default)]
pub(super) struct Fitting<'a> {
    /// The names of the types.
    pub(super) types: BTreeMap<String, String>,
    /// The names of several types, of which nothing decides for one.
    pub(super) undecided: BTreeMap<String, Vec<String>>,
    /// The entries of `own` for schemas that fit none.
    pub(super) useless: BTreeSet<&'a str>,
}

/// A type with fewer members must have all of them in a schema; of others, half are enough.
const FEW: usize = 6;

/// Finds the nested schemas that fit a listed type.
pub(super) fn find<'a>(
    documents: &Documents,
    crates: &[ExternCrate],
    selection: &'a Selection,
    errors: &mut Errors,
) -> Fitting<'a> {
    let useless = selection.own().iter().map(String::as_str).collect();
    let mut fitting = Fitting { useless, ..Fitting::default() };
    let mut nested = documents.nested_objects().peekable();
    let library = match nested.peek() {
        Some(_) => errors.ok(Library::read(crates)).unwrap_or_default(),
        None => Library::default(),
    };
    for id in nested {
        let label = documents.label(id);
        let fits = library.fitting(documents, id);
        let chosen = match fits.as_slice() {
            [] => continue,
            [only] => Some(*only),
            several => by_property(label, several),
        };
        fitting.useless.remove(label);
        if let Some(listed) = chosen {
            fitting.types.insert(label.to_owned(), listed.schema.to_owned());
        } else {
            let names = fits.iter().map(|listed| listed.schema.to_owned());
            fitting.undecided.insert(label.to_owned(), names.collect());
        }
    }
    fitting
}

/// The only one of several types that the name of a schema's property speaks of.
fn by_property<'a>(label: &str, several: &[&'a Listed]) -> Option<&'a Listed> {
    let property = label.rsplit("properties/").next()?.to_lowercase();
    let mut named =
        several.iter().filter(|listed| listed.words.iter().any(|word| property.contains(word)));
    let only = *named.next()?;
    named.next().is_none().then_some(only)
}

/// The listed types that other crates have, with their schemas.
#[derive(Default)]
struct Library {
    documents: Documents,
    types: Vec<(&'static Listed, SchemaId)>,
}

impl Library {
    fn read(crates: &[ExternCrate]) -> Result<Self, Error> {
        let mut errors = Errors::default();
        let mut raws = Vec::new();
        for source in crates.iter().flat_map(|other| &other.documents) {
            raws.push(load::document(source)?);
        }
        let documents = Documents::new(raws, &mut errors);
        if let Some(error) = errors.iter().next() {
            return Err(error.clone());
        }
        let offered = LISTED.iter().filter(|listed| {
            crates.iter().any(|other| other.index.types.contains_key(listed.schema))
        });
        let types =
            offered.filter_map(|listed| Some((listed, documents.named(listed.schema)?))).collect();
        Ok(Self { documents, types })
    }

    /// The types that a schema fits.
    fn fitting(&self, documents: &Documents, id: SchemaId) -> Vec<&'static Listed> {
        let types = self.types.iter().filter(|(_, known)| {
            self.is_enough(documents.schema(id), *known) && self.fits(documents, id, *known)
        });
        types.map(|(listed, _)| *listed).collect()
    }

    /// Whether a schema has so many members of a type that it is no accident.
    fn is_enough(&self, schema: &Schema, known: SchemaId) -> bool {
        let all = self.documents.schema(known).properties.len();
        let found = schema.properties.len();
        if all < FEW { found == all } else { 2 * found >= all }
    }

    /// Whether every value of a schema is one of a type, and servers merge both the same way.
    fn fits(&self, documents: &Documents, id: SchemaId, known: SchemaId) -> bool {
        let schema = documents.schema(id);
        let Some(known) = self.resolved(known) else { return false };
        let name = self.documents.name(known);
        if let Some(ty) = name.and_then(WellKnown::by_schema) {
            return fits_well_known(schema, ty);
        }
        let known = self.documents.schema(known);
        if is_special(schema) || is_int_or_string(known) {
            return is_int_or_string(schema) && is_int_or_string(known);
        }
        schema.typ == known.typ
            && MERGED.iter().all(|keyword| has_same(keyword, schema, known))
            && match (&schema.typ, &schema.items, &known.items) {
                (Some(SchemaType::Array), Some(one), Some(other)) => {
                    self.target_fits(documents, one, other)
                }
                (Some(SchemaType::Object), ..) => self.members_fit(documents, schema, known),
                (Some(SchemaType::Array) | None, ..) => false,
                (Some(_), ..) => is_narrower(schema, known),
            }
    }

    fn target_fits(&self, documents: &Documents, one: &SchemaRef, known: &SchemaRef) -> bool {
        match (one.target, known.target) {
            (Some(one), Some(known)) => self.fits(documents, one, known),
            _ => false,
        }
    }

    /// Whether an object has members of a type alone, and all that the type requires.
    fn members_fit(&self, documents: &Documents, schema: &Schema, known: &Schema) -> bool {
        match (&schema.additional, &known.additional) {
            (None, None) => {
                known.required.iter().all(|name| schema.properties.contains_key(name))
                    && schema.properties.iter().all(|(name, member)| {
                        let known = known.properties.get(name);
                        known.is_some_and(|known| self.target_fits(documents, member, known))
                    })
            }
            (Some(Additional::Schema(one)), Some(Additional::Schema(other))) => {
                schema.properties.is_empty() && self.target_fits(documents, one, other)
            }
            _ => false,
        }
    }

    /// The schema that another one stands for: a reference with a default or a description beside
    /// it is the only branch of `allOf`.
    fn resolved(&self, mut id: SchemaId) -> Option<SchemaId> {
        for _ in 0..64 {
            let schema = self.documents.schema(id);
            match schema.all_of.as_slice() {
                [only] if schema.properties.is_empty() && schema.typ.is_none() => {
                    id = only.target?;
                }
                _ => return Some(id),
            }
        }
        None
    }
}

/// The keywords by which servers merge.
const MERGED: [&str; 3] = [LIST_KEYS, LIST_TYPE, MAP_TYPE];

/// Whether two schemas have the same value of a keyword. Lists are atomic by default.
fn has_same(keyword: &str, schema: &Schema, known: &Schema) -> bool {
    let [one, other] = [schema, known].map(|schema| {
        let value = schema.extensions.get(keyword);
        value.filter(|value| keyword != LIST_TYPE || **value != "atomic")
    });
    one == other
}

/// Whether a schema allows what no listed type does: `null`, other members, or one of several
/// schemas.
fn is_special(schema: &Schema) -> bool {
    schema.nullable
        || is_open(schema)
        || is_int_or_string(schema)
        || schema.branches().next().is_some()
        || schema.conditions.contains_key("not")
}

/// Whether every value of a schema is one of a type with hand-written Rust.
fn fits_well_known(schema: &Schema, ty: WellKnown) -> bool {
    let is_string = schema.typ == Some(SchemaType::String);
    let format = schema.format.as_deref().filter(|_| is_string);
    !schema.nullable
        && match ty {
            WellKnown::Time | WellKnown::MicroTime => format == Some("date-time"),
            WellKnown::ByteString => format == Some("byte"),
            WellKnown::IntOrString | WellKnown::Int64OrString => is_int_or_string(schema),
            // Definitions give quantities a pattern, and ports none.
            WellKnown::Quantity => {
                is_int_or_string(schema) && schema.limits.contains_key("pattern")
            }
            WellKnown::FieldsV1 | WellKnown::RawExtension | WellKnown::RawJson => false,
        }
}

/// Whether the scalars of a schema are among the scalars of a type. An integer without a format has
/// 64 bits.
fn is_narrower(schema: &Schema, known: &Schema) -> bool {
    let format = schema.format.as_deref();
    match (&schema.typ, known.format.as_deref()) {
        (Some(SchemaType::String), None) => format != Some("byte"),
        (Some(SchemaType::Integer), Some("int64")) | (_, None) => true,
        (_, known) => format == known,
    }
}
