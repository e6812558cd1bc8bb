//! Keywords of schemas, and the types of their values.

use crate::names::nearest;
use serde_json::{Map, Value};

/// The type of a keyword's value.
#[derive(Clone, Copy)]
enum Shape {
    String,
    StringList,
    Boolean,
    Object,
    BooleanOrObject,
    List,
}

/// The keywords that types are made of.
const USED: [(&str, Shape); 14] = [
    ("$ref", Shape::String),
    ("additionalProperties", Shape::BooleanOrObject),
    ("allOf", Shape::List),
    ("anyOf", Shape::List),
    ("deprecated", Shape::Boolean),
    ("description", Shape::String),
    ("enum", Shape::List),
    ("format", Shape::String),
    ("items", Shape::Object),
    ("nullable", Shape::Boolean),
    ("oneOf", Shape::List),
    ("properties", Shape::Object),
    ("required", Shape::StringList),
    ("type", Shape::String),
];

/// Keywords that limit a value. They are for its documentation alone, so that nothing fails if one is nonsense.
const LIMITS: [&str; 12] = [
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
];

/// Keywords that are ignored: they illustrate a value, or matter to servers alone.
const UNUSED: [&str; 9] =
    ["discriminator", "example", "externalDocs", "not", "readOnly", "title", "uniqueItems", "writeOnly", "xml"];

/// Keywords that make a type. OpenAPI 3.0 ignores them beside `$ref`, and so do servers.
const STRUCTURE: [&str; 15] = [
    "additionalProperties",
    "allOf",
    "anyOf",
    "enum",
    "format",
    "items",
    "nullable",
    "oneOf",
    "properties",
    "required",
    "type",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-group-version-kind",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
];

/// A keyword that a schema cannot have, or not with this value.
pub(super) struct Mistake {
    pub(super) keyword: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// Leaves the keywords of a schema that are used, each with a value of the right type, and returns the mistakes of
/// the others.
pub(super) fn check(schema: &mut Map<String, Value>) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    schema.retain(|keyword, value| match judge(keyword, value) {
        Ok(keep) => keep,
        Err((message, help)) => {
            mistakes.push(Mistake { keyword: keyword.clone(), message, help });
            false
        }
    });
    mistakes
}

/// Drops the keywords that a schema cannot have beside `$ref`: the type is that of the target. All others stay, such as
/// descriptions, defaults and merge rules, which older servers wrote there.
pub(super) fn drop_beside_reference(schema: &mut Map<String, Value>) {
    if schema.contains_key("$ref") {
        schema.retain(|keyword, _| !STRUCTURE.contains(&keyword.as_str()));
    }
}

/// Takes out the keywords that limit a value.
pub(super) fn take_limits(schema: &mut Map<String, Value>) -> Map<String, Value> {
    let mut limits = Map::new();
    schema.retain(|keyword, value| {
        let is_limit = LIMITS.contains(&keyword.as_str());
        if is_limit {
            limits.insert(keyword.clone(), value.take());
        }
        !is_limit
    });
    limits
}

/// Whether a keyword is used. The error has a message and help.
fn judge(keyword: &str, value: &Value) -> Result<bool, (String, Option<String>)> {
    if keyword.starts_with("x-") {
        return Ok(true);
    }
    if keyword == "default" {
        // Of the keys by which elements of lists are merged; those have no parts.
        return Ok(value.is_string() || value.is_number() || value.is_boolean());
    }
    if UNUSED.contains(&keyword) {
        return Ok(false);
    }
    if keyword == "type" && value.is_array() {
        let help = "write one type, and `nullable: true` where null is allowed";
        return Err(("`type` is a list, which OpenAPI 3.0 does not have".to_owned(), Some(help.to_owned())));
    }
    let Some((_, shape)) = USED.iter().find(|(used, _)| *used == keyword) else {
        let known = USED.iter().map(|(keyword, _)| *keyword).chain(UNUSED).chain(LIMITS).chain(["default"]);
        let help = match nearest(keyword, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "remove it, or call it `x-…` if it is an extension".to_owned(),
        };
        return Err((format!("OpenAPI 3.0 has no keyword `{keyword}` for schemas"), Some(help)));
    };
    let (fits, expected) = match shape {
        Shape::String => (value.is_string(), "a string"),
        Shape::StringList => {
            (value.as_array().is_some_and(|list| list.iter().all(Value::is_string)), "a list of strings")
        }
        Shape::Boolean => (value.is_boolean(), "true or false"),
        Shape::Object => (value.is_object(), "an object"),
        Shape::BooleanOrObject => (value.is_boolean() || value.is_object(), "true, false or a schema"),
        Shape::List => (value.is_array(), "a list"),
    };
    if fits { Ok(true) } else { Err((format!("`{keyword}` must be {expected}, and is {}", kind(value)), None)) }
}

/// The type of a value, in a sentence.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
