//! What a schema says of a value: its description, and the rules that servers check.

use super::facets::Facets;
use super::limits::{code, limits};
use crate::library::{Library, SchemaId};
use crate::model::Type;
use openapiv3::{AdditionalProperties, ReferenceOr, Schema, SchemaData};
use serde_json::Value;

/// The description and the rules of a schema.
pub(super) fn description(data: &SchemaData) -> Option<String> {
    paragraphs(data.description.iter().cloned().chain(checked(data)))
}

/// The same of a field, with the rules of what its lists and maps hold: those have no other place.
pub(super) fn field_description(library: &Library, id: &SchemaId, ty: &Type) -> Option<String> {
    paragraphs(description(&library.schema(id)?.schema_data).into_iter().chain(held(library, id, ty, "")))
}

fn paragraphs(all: impl Iterator<Item = String>) -> Option<String> {
    let paragraphs: Vec<String> = all.collect();
    (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
}

/// The rules of what a list or a map holds, and of what is in that. A type with a name tells its rules itself.
fn held(library: &Library, id: &SchemaId, ty: &Type, of: &str) -> Vec<String> {
    let Some(schema) = library.schema(id) else { return Vec::new() };
    let facets = Facets::of(schema);
    let (inner, word, item) = match (ty, facets.items, facets.additional) {
        (Type::List(inner), Some(items), _) => (inner, "element", items.clone().unbox()),
        (Type::Map(inner), _, Some(AdditionalProperties::Schema(values))) => (inner, "value", (**values).clone()),
        _ => return Vec::new(),
    };
    let Some((id, schema)) = target(library, id, &item).filter(|_| !matches!(**inner, Type::Named(_))) else {
        return Vec::new();
    };
    let of = format!("each {word}{of}");
    let who = format!("E{}", &of[1..]);
    let rules = checked(&schema.schema_data).map(|rule| format!("{who}: {rule}"));
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
fn checked(data: &SchemaData) -> impl Iterator<Item = String> {
    limits(data).into_iter().chain(rules(data))
}

/// `x-kubernetes-validations`.
fn rules(data: &SchemaData) -> impl Iterator<Item = String> {
    let rules = data.extensions.get("x-kubernetes-validations").and_then(Value::as_array);
    rules.into_iter().flatten().filter_map(rule)
}

/// One of `x-kubernetes-validations`: an expression, and what a server says where it does not hold.
fn rule(rule: &Value) -> Option<String> {
    let line = |key| {
        let words: Vec<&str> = rule.get(key).and_then(Value::as_str)?.split_whitespace().collect();
        Some(words.join(" "))
    };
    let expression = line("rule")?;
    let message = line("message").map(|message| format!(": {message}")).unwrap_or_default();
    Some(format!("Rule {}{message}", code(&expression)))
}
