//! The causes of a 422: what is wrong with an object, and where.

use serde_json::{Map, Value, json};

/// One of the errors that make a 422.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cause {
    pub(crate) reason: &'static str,
    pub(crate) field: String,
    pub(crate) message: String,
}

/// A value as errors show it: strings as Go quotes them.
fn shown(value: &Value) -> String {
    let Some(text) = value.as_str().filter(|text| text.contains(|c: char| c.is_control())) else {
        return value.to_string();
    };
    let quoted = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        '\u{7}' => "\\a".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\u{b}' => "\\v".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\0'..' ' | '\u{7f}' => format!("\\x{:02x}", u32::from(c)),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", quoted.collect::<String>())
}

impl Cause {
    pub(crate) fn invalid(field: impl Into<String>, value: &Value, why: &str) -> Self {
        Self {
            reason: "FieldValueInvalid",
            field: field.into(),
            message: format!("Invalid value: {}: {why}", shown(value)),
        }
    }

    /// A member that cannot change.
    pub(crate) fn immutable(field: impl Into<String>, value: &Value) -> Self {
        Self::invalid(field, value, "field is immutable")
    }

    pub(crate) fn required(field: impl Into<String>, why: &str) -> Self {
        let message = if why.is_empty() { "Required value".to_owned() } else { format!("Required value: {why}") };
        Self { reason: "FieldValueRequired", field: field.into(), message }
    }

    pub(crate) fn forbidden(field: impl Into<String>, why: &str) -> Self {
        Self { reason: "FieldValueForbidden", field: field.into(), message: format!("Forbidden: {why}") }
    }

    /// A value of more bytes than are allowed.
    pub(crate) fn too_long(field: impl Into<String>, most: usize) -> Self {
        let message = format!("Too long: may not be more than {most} bytes");
        Self { reason: "FieldValueTooLong", field: field.into(), message }
    }

    pub(crate) fn unsupported(field: impl Into<String>, value: &Value, supported: &[&str]) -> Self {
        let supported: Vec<_> = supported.iter().map(|value| json!(value).to_string()).collect();
        let message = format!("Unsupported value: {value}: supported values: {}", supported.join(", "));
        Self { reason: "FieldValueNotSupported", field: field.into(), message }
    }

    pub(crate) fn to_value(&self) -> Value {
        let mut cause = Map::new();
        for (key, text) in [("reason", self.reason), ("message", &self.message), ("field", &self.field)] {
            if !text.is_empty() {
                cause.insert(key.to_owned(), json!(text));
            }
        }
        Value::Object(cause)
    }
}
