//! Keywords of schemas, and what may stand behind them.

use crate::names::nearest;
use serde_json::{Map, Value};

/// What may stand behind a keyword.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    Texts,
    Flag,
    Object,
    FlagOrObject,
    List,
}

/// The keywords that say what a value looks like.
const USED: [(&str, Shape); 14] = [
    ("$ref", Shape::Text),
    ("additionalProperties", Shape::FlagOrObject),
    ("allOf", Shape::List),
    ("anyOf", Shape::List),
    ("deprecated", Shape::Flag),
    ("description", Shape::Text),
    ("enum", Shape::List),
    ("format", Shape::Text),
    ("items", Shape::Object),
    ("nullable", Shape::Flag),
    ("oneOf", Shape::List),
    ("properties", Shape::Object),
    ("required", Shape::Texts),
    ("type", Shape::Text),
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

/// How extensions begin that are kapigen's own: no document may have them.
const OWN: &str = "x-kapigen-";

/// The extension under which a schema keeps them.
pub(crate) const LIMITS_EXTENSION: &str = "x-kapigen-limits";

/// Keywords that nobody looks at: they illustrate a value, or matter to servers alone.
const UNUSED: [&str; 9] =
    ["discriminator", "example", "externalDocs", "not", "readOnly", "title", "uniqueItems", "writeOnly", "xml"];

/// Something wrong with a keyword.
pub(super) struct Wrong {
    pub(super) keyword: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// Leaves the keywords of a schema that are used, each with the right thing behind it, and tells what else there was.
pub(super) fn check(schema: &mut Map<String, Value>) -> Vec<Wrong> {
    let limits = take_limits(schema);
    let mut wrong = Vec::new();
    schema.retain(|keyword, value| match judge(keyword, value) {
        Ok(keep) => keep,
        Err((message, help)) => {
            wrong.push(Wrong { keyword: keyword.clone(), message, help });
            false
        }
    });
    if !limits.is_empty() {
        schema.insert(LIMITS_EXTENSION.to_owned(), limits.into());
    }
    wrong
}

fn take_limits(schema: &mut Map<String, Value>) -> Map<String, Value> {
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

/// Whether a keyword is to be kept; or what is wrong with it, and what to do about it.
fn judge(keyword: &str, value: &Value) -> Result<bool, (String, Option<String>)> {
    if keyword.starts_with(OWN) {
        let help = "remove it, or begin it with another name";
        return Err((format!("`{keyword}` is a keyword that kapigen keeps for itself"), Some(help.to_owned())));
    }
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
        Shape::Text => (value.is_string(), "a string"),
        Shape::Texts => (value.as_array().is_some_and(|list| list.iter().all(Value::is_string)), "a list of strings"),
        Shape::Flag => (value.is_boolean(), "true or false"),
        Shape::Object => (value.is_object(), "an object"),
        Shape::FlagOrObject => (value.is_boolean() || value.is_object(), "true, false or a schema"),
        Shape::List => (value.is_array(), "a list"),
    };
    if fits { Ok(true) } else { Err((format!("`{keyword}` must be {expected}, and is {}", kind(value)), None)) }
}

/// What a value is, in a sentence.
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
