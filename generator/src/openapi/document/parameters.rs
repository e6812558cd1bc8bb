//! Checks parameters before `openapiv3` reads them, which would report errors with the names of its own types.

use serde_json::Value;

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
        Some(place) if !PLACES.contains(&place) => Some(format!("OpenAPI 3.0 has no parameters in `{place}`")),
        Some(_) if parameter.get("schema").or(parameter.get("content")).is_none() => {
            Some(format!("the parameter `{name}` has no `schema`"))
        }
        Some(_) => None,
    }
}
