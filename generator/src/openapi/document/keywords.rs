//! The keywords of OpenAPI: the types of their values in schemas, operations, parameters and
//! messages.
//!
//! Objects that `openapiv3` reads are checked before: its errors name its own types, and no member.

use crate::names::nearest;
use crate::openapi::schema::{KIND_EXTENSION, LIMITS};
use serde_json::{Map, Value};

/// The type of a keyword's value, or of a member's.
#[derive(Clone, Copy)]
enum Shape {
    String,
    StringList,
    Boolean,
    Object,
    BooleanOrObject,
    List,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// Kinds, each with its group and version.
    Kinds,
}

/// The keywords that types and their merge rules are made of.
const USED: [(&str, Shape); 23] = [
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
    ("x-kubernetes-embedded-resource", Shape::Boolean),
    ("x-kubernetes-int-or-string", Shape::Boolean),
    ("x-kubernetes-list-map-keys", Shape::StringList),
    ("x-kubernetes-list-type", Shape::OneOf(&["atomic", "map", "set"])),
    ("x-kubernetes-map-type", Shape::OneOf(&["atomic", "granular"])),
    ("x-kubernetes-patch-merge-key", Shape::String),
    ("x-kubernetes-patch-strategy", Shape::String),
    ("x-kubernetes-preserve-unknown-fields", Shape::Boolean),
    (KIND_EXTENSION, Shape::Kinds),
];

/// Keywords without effect on types: they illustrate a value, or matter only to servers.
const UNUSED: [&str; 9] = [
    "discriminator",
    "example",
    "externalDocs",
    "not",
    "readOnly",
    "title",
    "uniqueItems",
    "writeOnly",
    "xml",
];

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
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
    KIND_EXTENSION,
];

/// A keyword that a schema cannot have, or not with this value.
pub(super) struct Mistake {
    pub(super) keyword: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// Leaves the keywords of a schema that are used, each with a value of the right type, and returns
/// the mistakes of the others.
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

/// Drops the keywords that a schema cannot have beside `$ref`, since the target determines the
/// type. All others stay, such as descriptions, defaults and merge rules, which older servers wrote
/// there.
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

/// Keywords with conditions as values, apart from what they state about types.
const CONDITIONS: [&str; 4] = ["allOf", "anyOf", "oneOf", "not"];

/// The maximum number of values in a condition that is put in words, and of their levels.
/// Conditions in each other are copied once for each level.
const LARGEST_CONDITION: usize = 200;
const DEEPEST_CONDITION: usize = 10;

/// Copies of the conditions of a schema, for its documentation. `null` takes the place of one that
/// is too large.
pub(super) fn conditions(schema: &Map<String, Value>) -> Map<String, Value> {
    let present =
        CONDITIONS.into_iter().filter_map(|keyword| Some((keyword, schema.get(keyword)?)));
    let copied = present.map(|(keyword, value)| {
        let mut left = LARGEST_CONDITION;
        let copy =
            if is_small(value, DEEPEST_CONDITION, &mut left) { value.clone() } else { Value::Null };
        (keyword.to_owned(), copy)
    });
    copied.collect()
}

/// Whether a value has no more than this many levels, and than `left` values.
fn is_small(value: &Value, levels: usize, left: &mut usize) -> bool {
    let Some(fewer) = left.checked_sub(1) else { return false };
    *left = fewer;
    let Some(levels) = levels.checked_sub(1) else { return false };
    match value {
        Value::Array(elements) => elements.iter().all(|element| is_small(element, levels, left)),
        Value::Object(members) => members.values().all(|member| is_small(member, levels, left)),
        _ => true,
    }
}

/// Whether a keyword is used. The error has a message and help.
fn judge(keyword: &str, value: &Value) -> Result<bool, (String, Option<String>)> {
    if keyword == "default" {
        return Ok(!value.is_null());
    }
    if UNUSED.contains(&keyword) {
        return Ok(false);
    }
    if keyword == "type" && value.is_array() {
        let help = "write one type, and `nullable: true` where null is allowed";
        return Err((
            "`type` is a list, which OpenAPI 3.0 does not have".to_owned(),
            Some(help.to_owned()),
        ));
    }
    match USED.iter().find(|(used, _)| *used == keyword) {
        Some((_, shape)) => {
            shape.mismatch(keyword, value).map_or(Ok(true), |message| Err((message, None)))
        }
        None if keyword.starts_with("x-") => Ok(true),
        None => Err(unknown(keyword)),
    }
}

/// The error of a keyword that OpenAPI does not have, and help.
fn unknown(keyword: &str) -> (String, Option<String>) {
    let known =
        USED.iter().map(|(keyword, _)| *keyword).chain(UNUSED).chain(LIMITS).chain(["default"]);
    let help = match nearest(keyword, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "remove it, or call it `x-…` if it is an extension".to_owned(),
    };
    (format!("OpenAPI 3.0 has no keyword `{keyword}` for schemas"), Some(help))
}

impl Shape {
    /// The message for a value of another type.
    fn mismatch(self, name: &str, value: &Value) -> Option<String> {
        let found = match (self, value) {
            _ if self.fits(value) => return None,
            (Self::OneOf(_), Value::String(string)) => format!("`{string}`"),
            (Self::StringList | Self::Kinds, Value::Array(_)) => {
                "a list of something else".to_owned()
            }
            _ => kind(value).to_owned(),
        };
        Some(format!("`{name}` must be {}, and is {found}", self.expected()))
    }

    fn fits(self, value: &Value) -> bool {
        let all = |fits: &dyn Fn(&Value) -> bool| {
            value.as_array().is_some_and(|list| list.iter().all(fits))
        };
        match self {
            Self::String => value.is_string(),
            Self::StringList => all(&Value::is_string),
            Self::Boolean => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::BooleanOrObject => value.is_boolean() || value.is_object(),
            Self::List => value.is_array(),
            Self::OneOf(strings) => value.as_str().is_some_and(|string| strings.contains(&string)),
            Self::Kinds => all(&is_kind),
        }
    }

    /// The value in a sentence.
    fn expected(self) -> String {
        let expected = match self {
            Self::String => "a string",
            Self::StringList => "a list of strings",
            Self::Boolean => "true or false",
            Self::Object => "an object",
            Self::BooleanOrObject => "true, false or a schema",
            Self::List => "a list",
            Self::Kinds => "a list of objects with the strings `group`, `version` and `kind`",
            Self::OneOf(strings) => return format!("one of `{}`", strings.join("`, `")),
        };
        expected.to_owned()
    }
}

fn is_kind(value: &Value) -> bool {
    ["group", "version", "kind"].iter().all(|key| value.get(key).is_some_and(Value::is_string))
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

/// Members with the same type wherever they are.
const MEMBERS: [(&str, Shape); 10] = [
    ("callbacks", Shape::Object),
    ("content", Shape::Object),
    ("deprecated", Shape::Boolean),
    ("description", Shape::String),
    ("explode", Shape::Boolean),
    ("operationId", Shape::String),
    ("required", Shape::Boolean),
    ("responses", Shape::Object),
    ("style", Shape::String),
    ("summary", Shape::String),
];

/// The members of another type, each with a message. Null is left to `openapiv3`, which accepts it
/// for some.
pub(super) fn mismatches(owner: &Value) -> Vec<(&'static str, String)> {
    let present =
        MEMBERS.iter().filter_map(|(member, shape)| Some((*member, shape, owner.get(member)?)));
    let mismatch = |(member, shape, value): (_, &Shape, &Value)| {
        Some((member, shape.mismatch(member, value)?))
    };
    present.filter(|(.., value)| !value.is_null()).filter_map(mismatch).collect()
}

/// The error of an incomplete parameter.
pub(super) fn incomplete(parameter: &Value) -> Option<String> {
    const PLACES: [&str; 4] = ["path", "query", "header", "cookie"];
    if parameter.get("$ref").is_some() {
        return None;
    }
    let text = |key| parameter.get(key).and_then(Value::as_str);
    let Some(name) = text("name") else { return Some("a parameter without `name`".to_owned()) };
    match text("in") {
        None => Some(format!("the parameter `{name}` has no `in`")),
        Some(place) if !PLACES.contains(&place) => {
            Some(format!("OpenAPI 3.0 has no parameters in `{place}`"))
        }
        Some(_) if parameter.get("schema").or(parameter.get("content")).is_none() => {
            Some(format!("the parameter `{name}` has no `schema`"))
        }
        Some(_) => None,
    }
}
