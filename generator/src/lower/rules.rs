//! The rules that servers check of the values of a schema.

use super::limits::limits;
use crate::model::{Rule, Type, Words};
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{Additional, Schema, SchemaId};
use serde_json::Value;

/// The rules of a type.
pub(super) fn of_type(schema: &Schema) -> Vec<Rule> {
    checked(schema).collect()
}

/// The rules of a field, with those of the elements and values in it: those have no other place.
pub(super) fn of_field(documents: &Documents, id: SchemaId, ty: &Type) -> Vec<Rule> {
    checked(documents.schema(id)).chain(inner(documents, id, ty, "")).collect()
}

/// The rules of the elements of a list or the values of a map, and of those in them. A schema with a name documents its
/// rules itself; the type of a nested one may be shared with others, which have other rules.
fn inner(documents: &Documents, id: SchemaId, ty: &Type, of: &str) -> Vec<Rule> {
    let schema = documents.schema(id);
    let (inner_type, word, used) = match (ty, &schema.items, &schema.additional) {
        (Type::List(inner), Some(items), _) => (inner, "element", items),
        (Type::Map(inner), _, Some(Additional::Schema(values))) => (inner, "value", values),
        _ => return Vec::new(),
    };
    let is_named = |id: &SchemaId| matches!(**inner_type, Type::Named(_)) && documents.name(*id).is_some();
    // A reference that does not resolve was reported with the type.
    let Some(target) = used.target.filter(|id| !is_named(id)) else { return Vec::new() };
    let of = format!("each {word}{of}");
    let subject = Words::Prose(format!("E{}: ", &of[1..]));
    let rules = checked(documents.schema(target)).map(|rule| std::iter::once(subject.clone()).chain(rule).collect());
    rules.chain(inner(documents, target, inner_type, &format!(" of {of}"))).collect()
}

fn checked(schema: &Schema) -> impl Iterator<Item = Rule> {
    limits(&schema.limits).into_iter().chain(validations(schema))
}

/// `x-kubernetes-validations`.
fn validations(schema: &Schema) -> impl Iterator<Item = Rule> {
    let validations = schema.extensions.get("x-kubernetes-validations").and_then(Value::as_array);
    validations.into_iter().flatten().filter_map(validation)
}

/// An expression, and the message of the error where it does not hold.
fn validation(validation: &Value) -> Option<Rule> {
    let line = |key| {
        let words: Vec<&str> = validation.get(key).and_then(Value::as_str)?.split_whitespace().collect();
        Some(words.join(" "))
    };
    let rule = [Words::Prose("Rule ".to_owned()), Words::Code(line("rule")?)];
    let message = line("message").map(|message| Words::Prose(format!(": {message}")));
    Some(rule.into_iter().chain(message).collect())
}
