//! Defaults that do not fit the types of their schemas.

use super::context::Context;
use super::types::{kubernetes_type, scalar};
use crate::model::{Type, WellKnown};
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{Additional, Schema, SchemaId, SchemaType};
use crate::visible::cut;
use serde_json::{Map, Value};

impl Context<'_> {
    /// Notes a default that the type of its schema cannot hold.
    pub(super) fn check_default(&mut self, id: SchemaId) {
        let Some(Misfit { value, expected }) = misfit(self.documents, id) else { return };
        let message = format!(
            "its default does not fit its type: expected {expected}, found `{}`",
            cut(value.to_string())
        );
        let help = "an object in which a server sets it cannot be decoded: correct the default or \
                    the type";
        self.note_schema(id, message, help);
    }
}

/// Whether the default of a schema does not fit its type.
pub(super) fn is_misfit(documents: &Documents, id: SchemaId) -> bool {
    misfit(documents, id).is_some()
}

/// A part of a default that does not fit.
struct Misfit<'v> {
    value: &'v Value,
    expected: &'static str,
}

fn misfit(documents: &Documents, id: SchemaId) -> Option<Misfit<'_>> {
    let schema = documents.schema(id);
    let default = schema.default.as_ref()?;
    // Servers written in Go publish an empty one for references to any target.
    let is_implied = !schema.all_of.is_empty() && default.as_object().is_some_and(Map::is_empty);
    if is_implied { None } else { within(documents, id, default) }
}

fn within<'v>(documents: &Documents, id: SchemaId, value: &'v Value) -> Option<Misfit<'v>> {
    let schema = documents.schema(id);
    if let (None, [only]) = (&schema.typ, schema.all_of.as_slice()) {
        return within(documents, only.target?, value);
    }
    let well_known = documents.name(id).and_then(WellKnown::by_schema).map(Type::WellKnown);
    let ty = well_known.or_else(|| kubernetes_type(schema)).or_else(|| scalar(schema));
    if let Some(expected) = unfulfilled(ty.as_ref(), schema, value) {
        return Some(Misfit { value, expected });
    }
    match value {
        Value::Array(elements) if ty.is_none() => {
            let items = schema.items.as_ref()?.target?;
            elements.iter().find_map(|element| within(documents, items, element))
        }
        Value::Object(members) if ty.is_none() => {
            let additional = match &schema.additional {
                Some(Additional::Schema(values)) => Some(values),
                _ => None,
            };
            members.iter().find_map(|(name, value)| {
                let member = schema.properties.get(name).or(additional)?;
                within(documents, member.target?, value)
            })
        }
        _ => None,
    }
}

/// The expected values, if this is not one of them.
fn unfulfilled(ty: Option<&Type>, schema: &Schema, value: &Value) -> Option<&'static str> {
    let integer = integer(value);
    let is_int32 = integer.is_some_and(|number| i32::try_from(number).is_ok());
    let (expected, fits) = match (ty, &schema.typ) {
        (Some(Type::Bool), _) => ("a boolean", value.is_boolean()),
        (Some(Type::Int32), _) => ("an integer of 32 bits", is_int32),
        (Some(Type::Int64), _) => ("an integer of 64 bits", integer.is_some()),
        (Some(Type::Double), _) => ("a number", value.is_number()),
        (Some(Type::WellKnown(WellKnown::IntOrString)), _) => {
            ("an integer of 32 bits or a string", value.is_string() || is_int32)
        }
        (Some(Type::WellKnown(WellKnown::Int64OrString)), _) => {
            ("an integer of 64 bits or a string", value.is_string() || integer.is_some())
        }
        (Some(Type::WellKnown(WellKnown::Quantity)), _) => {
            ("a quantity", value.is_string() || value.is_number())
        }
        (Some(Type::WellKnown(ty)), _) if ty.json_types() == Some(&["string"]) => {
            ("a string", value.is_string())
        }
        (Some(Type::String), _) => ("a string", value.is_string()),
        (None, Some(SchemaType::Array)) => ("an array", value.is_array()),
        (None, Some(SchemaType::Object)) => ("an object", value.is_object()),
        _ => return None,
    };
    (!fits && !value.is_null()).then_some(expected)
}

/// An integer, as servers read it: a float without a fraction is one.
fn integer(value: &Value) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    let float = value.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < EXACT);
    #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
    value.as_i64().or(float.map(|float| float as i64))
}
