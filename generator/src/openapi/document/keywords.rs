//! The keywords of OpenAPI: the types of their values in schemas, operations, parameters and
//! messages.
//!
//! Objects that `openapiv3` reads are checked before: its errors name its own types, and no member.

use crate::names::nearest;
use kapigen_definitions::schema_keywords::{self, KEYWORDS, Role, Takes};
use serde_json::{Map, Value};

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
        schema.retain(|keyword, _| !has_role(keyword, Role::Type));
    }
}

/// Takes out the keywords that limit a value.
pub(super) fn take_limits(schema: &mut Map<String, Value>) -> Map<String, Value> {
    let mut limits = Map::new();
    schema.retain(|keyword, value| {
        let is_limit = has_role(keyword, Role::Limit);
        if is_limit {
            limits.insert(keyword.clone(), value.take());
        }
        !is_limit
    });
    limits
}

fn has_role(keyword: &str, role: Role) -> bool {
    schema_keywords::find(keyword).is_some_and(|keyword| keyword.role == role)
}

/// The maximum number of values in a condition that is put in words, and of their levels.
/// Conditions in each other are copied once for each level.
const LARGEST_CONDITION: usize = 200;
const DEEPEST_CONDITION: usize = 10;

/// Copies of the conditions of a schema, for its documentation. `null` takes the place of one that
/// is too large.
pub(super) fn conditions(schema: &Map<String, Value>) -> Map<String, Value> {
    let present =
        schema_keywords::conditions().filter_map(|keyword| Some((keyword, schema.get(keyword)?)));
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
    let Some(known) = schema_keywords::find(keyword) else {
        return if keyword.starts_with("x-") { Ok(true) } else { Err(unknown(keyword)) };
    };
    match known.role {
        Role::Unused => Ok(false),
        Role::Kept => Ok(true),
        Role::Type | Role::Read if keyword == "type" && value.is_array() => {
            let help = "write one type, and `nullable: true` where null is allowed";
            let message = "`type` is a list, which OpenAPI 3.0 does not have";
            Err((message.to_owned(), Some(help.to_owned())))
        }
        Role::Type | Role::Read if known.takes == Takes::Any => Ok(!value.is_null()),
        Role::Type | Role::Read => {
            mismatch(known.takes, keyword, value).map_or(Ok(true), |message| Err((message, None)))
        }
        _ => Err(unknown(keyword)),
    }
}

/// The error of a keyword that OpenAPI does not have, and help.
fn unknown(keyword: &str) -> (String, Option<String>) {
    let known = KEYWORDS.iter().filter(|known| known.role != Role::Foreign);
    let help = match nearest(keyword, known.map(|known| known.name)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "remove it, or call it `x-…` if it is an extension".to_owned(),
    };
    (format!("OpenAPI 3.0 has no keyword `{keyword}` for schemas"), Some(help))
}

/// The message for a value of another type than a keyword or a member takes.
fn mismatch(takes: Takes, name: &str, value: &Value) -> Option<String> {
    let found = match (takes, value) {
        _ if takes.fits(value) => return None,
        (Takes::OneOf(_), Value::String(string)) => format!("`{string}`"),
        (Takes::Strings | Takes::Kinds, Value::Array(_)) => "a list of something else".to_owned(),
        _ => kind(value).to_owned(),
    };
    Some(format!("`{name}` must be {}, and is {found}", expected(takes)))
}

/// The value of a keyword in a sentence.
fn expected(takes: Takes) -> String {
    let expected = match takes {
        Takes::String => "a string",
        Takes::Strings => "a list of strings",
        Takes::Flag => "true or false",
        Takes::SchemaOrFlag => "true, false or a schema",
        Takes::List | Takes::Schemas => "a list",
        Takes::Kinds => "a list of objects with the strings `group`, `version` and `kind`",
        Takes::OneOf(strings) => return format!("one of `{}`", strings.join("`, `")),
        Takes::Number | Takes::Count => "a number",
        _ => "an object",
    };
    expected.to_owned()
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
const MEMBERS: [(&str, Takes); 10] = [
    ("callbacks", Takes::Object),
    ("content", Takes::Object),
    ("deprecated", Takes::Flag),
    ("description", Takes::String),
    ("explode", Takes::Flag),
    ("operationId", Takes::String),
    ("required", Takes::Flag),
    ("responses", Takes::Object),
    ("style", Takes::String),
    ("summary", Takes::String),
];

/// The members of another type, each with a message. Null is left to `openapiv3`, which accepts it
/// for some.
pub(super) fn mismatches(owner: &Value) -> Vec<(&'static str, String)> {
    let mismatches = MEMBERS.iter().filter_map(|(member, takes)| {
        let value = owner.get(member).filter(|value| !value.is_null())?;
        Some((*member, mismatch(*takes, member, value)?))
    });
    mismatches.collect()
}

/// The error of an incomplete parameter.
pub(super) fn incomplete(parameter: &Value) -> Option<String> {
    const PLACES: [&str; 4] = ["path", "query", "header", "cookie"];
    if parameter.get("$ref").is_some() {
        return None;
    }
    let Some(name) = parameter["name"].as_str() else {
        return Some("a parameter without `name`".to_owned());
    };
    match parameter["in"].as_str() {
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
