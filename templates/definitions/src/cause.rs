//! Causes for which a server refuses a definition.

use crate::path::Path;
use serde_json::Value;
use std::fmt;

/// One cause for which a server refuses an object: an element of `details.causes` of its `Status`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The path of the field as servers write it, such as `spec.versions[0].name`. Servers convert definitions before
    /// they check them, so that the schema of a definition whose versions have the same schema stands at
    /// `spec.validation.openAPIV3Schema`.
    pub field: String,
    /// The reason, such as `FieldValueInvalid`.
    pub reason: &'static str,
    /// The message, such as `Required value: must be object`.
    pub message: String,
    /// The JSON pointer in the manifest.
    pub pointer: String,
}

impl Cause {
    pub(crate) fn required(path: &Path<'_>, why: &str) -> Self {
        let message = if why.is_empty() { "Required value".to_owned() } else { format!("Required value: {why}") };
        Self::new(path, "FieldValueRequired", message)
    }

    pub(crate) fn forbidden(path: &Path<'_>, why: &str) -> Self {
        Self::new(path, "FieldValueForbidden", format!("Forbidden: {why}"))
    }

    pub(crate) fn invalid(path: &Path<'_>, value: &Value, why: &str) -> Self {
        Self::new(path, "FieldValueInvalid", format!("Invalid value: {}: {why}", in_go(value)))
    }

    /// A value of a type that no server decodes.
    pub(crate) fn mistyped(path: &Path<'_>, value: &Value, wanted: &str) -> Self {
        let found = type_name(value);
        Self::new(path, "FieldValueTypeInvalid", format!("Invalid value: \"{found}\": must be {wanted}"))
    }

    pub(crate) fn unsupported(path: &Path<'_>, value: &Value, supported: &[&str]) -> Self {
        let supported: Vec<_> = supported.iter().map(|value| format!("{value:?}")).collect();
        let message = format!("Unsupported value: {}: supported values: {}", in_go(value), supported.join(", "));
        Self::new(path, "FieldValueNotSupported", message)
    }

    fn new(path: &Path<'_>, reason: &'static str, message: String) -> Self {
        Self { field: path.to_string(), reason, message, pointer: path.pointer() }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// A value as servers print it: JSON, in which Go escapes the characters of markup.
fn in_go(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        value => value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"),
    }
}

/// The JSON type of a value, as OpenAPI names it.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
