//! The rules of a schema that servers check.

use super::facets::Facets;
use super::limits::limits;
use crate::model::{Rule, Type, Words};
use crate::openapi::resolve::{Library, SchemaId};
use openapiv3::{AdditionalProperties, ReferenceOr, Schema, SchemaData};
use serde_json::Value;

/// The rules of a type.
pub(super) fn of_type(data: &SchemaData) -> Vec<Rule> {
    checked(data).collect()
}

/// The rules of a field, with those of what its lists and maps hold: those have no other place.
pub(super) fn of_field(library: &Library, id: &SchemaId, ty: &Type) -> Vec<Rule> {
    let Some(schema) = library.schema(id) else { return Vec::new() };
    checked(&schema.schema_data).chain(held(library, id, ty, "")).collect()
}

/// The rules of what a list or a map holds, and of what is in that. A schema with a name
/// documents its rules itself; the type of a nested one may stand for others, which have other rules.
fn held(library: &Library, id: &SchemaId, ty: &Type, of: &str) -> Vec<Rule> {
    let Some(schema) = library.schema(id) else { return Vec::new() };
    let facets = Facets::of(schema);
    let (inner, word, item) = match (ty, facets.items, facets.additional) {
        (Type::List(inner), Some(items), _) => (inner, "element", items.clone().unbox()),
        (Type::Map(inner), _, Some(AdditionalProperties::Schema(values))) => (inner, "value", (**values).clone()),
        _ => return Vec::new(),
    };
    let is_named = |id: &SchemaId| matches!(**inner, Type::Named(_)) && id.name().is_some();
    let Some((id, schema)) = target(library, id, &item).filter(|(id, _)| !is_named(id)) else {
        return Vec::new();
    };
    let of = format!("each {word}{of}");
    let who = Words::Prose(format!("E{}: ", &of[1..]));
    let rules = checked(&schema.schema_data).map(|rule| std::iter::once(who.clone()).chain(rule).collect());
    rules.chain(held(library, &id, inner, &format!(" of {of}"))).collect()
}

/// The schema that is meant. One that leads nowhere was told when its type was looked for.
fn target<'a>(library: &'a Library, id: &SchemaId, item: &ReferenceOr<Schema>) -> Option<(SchemaId, &'a Schema)> {
    let ReferenceOr::Reference { reference } = item else { return None };
    let id = library.resolve(id.document, reference).ok()?;
    let schema = library.schema(&id)?;
    Some((id, schema))
}

/// What a server checks.
fn checked(data: &SchemaData) -> impl Iterator<Item = Rule> {
    limits(data).into_iter().chain(validations(data))
}

/// `x-kubernetes-validations`.
fn validations(data: &SchemaData) -> impl Iterator<Item = Rule> {
    let validations = data.extensions.get("x-kubernetes-validations").and_then(Value::as_array);
    validations.into_iter().flatten().filter_map(validation)
}

/// An expression, and what a server says where it does not hold.
fn validation(validation: &Value) -> Option<Rule> {
    let line = |key| {
        let words: Vec<&str> = validation.get(key).and_then(Value::as_str)?.split_whitespace().collect();
        Some(words.join(" "))
    };
    let rule = [Words::Prose("Rule ".to_owned()), Words::Code(line("rule")?)];
    let message = line("message").map(|message| Words::Prose(format!(": {message}")));
    Some(rule.into_iter().chain(message).collect())
}
