//! Faults of the parts of a document, in the words of OpenAPI.

use serde_json::Value;

/// An error of serde in the words of OpenAPI, without the names of Rust's types.
pub(super) fn in_words(error: &str) -> String {
    let Some((found, expected)) = error.rsplit_once(", expected ") else { return error.to_owned() };
    let expected = match expected {
        "a sequence" => "a list",
        other if other == "a map" || other.starts_with("struct ") => "an object",
        other => other,
    };
    let found = match found {
        "invalid type: sequence" => "invalid type: list",
        "invalid type: map" => "invalid type: object",
        other => other,
    };
    format!("{found}, expected {expected}")
}

/// The error of an incomplete parameter; `openapiv3` would report it with names of its own types.
pub(super) fn fault_of_parameter(parameter: &Value) -> Option<String> {
    const PLACES: [&str; 4] = ["path", "query", "header", "cookie"];
    if parameter.get("$ref").is_some() {
        return None;
    }
    let text = |key| parameter.get(key).and_then(Value::as_str);
    let Some(name) = text("name") else { return Some("a parameter without `name`".to_owned()) };
    match text("in") {
        None => Some(format!("the parameter `{name}` has no `in`")),
        Some(place) if !PLACES.contains(&place) => Some(format!("OpenAPI 3.0 has no parameters in `{place}`")),
        Some(_) if parameter.get("schema").or(parameter.get("content")).is_none() => {
            Some(format!("the parameter `{name}` has no `schema`"))
        }
        Some(_) => None,
    }
}
