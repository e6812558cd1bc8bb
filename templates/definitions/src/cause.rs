//! Causes for which a server refuses an object.

use crate::path::Path;
use serde_json::Value;
use std::fmt;

/// One cause for which a server refuses an object: an element of `details.causes` of its `Status`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The path of the field as servers write it, such as `spec.versions[0].name`. Servers convert
    /// definitions before they check them: a schema that all versions share is at
    /// `spec.validation.openAPIV3Schema`.
    pub field: String,
    /// The reason, such as `FieldValueInvalid`.
    pub reason: &'static str,
    /// The message, such as `Required value: must be object`.
    pub message: String,
    /// The JSON pointer in the manifest. Empty if the field is a name that leads nowhere in it.
    pub pointer: String,
}

/// Causes as they are found. Each has the whole path of its field, so that their number and the
/// length of paths would multiply: beyond a limit, no more are made.
#[derive(Debug, Default)]
pub(crate) struct Causes {
    list: Vec<Cause>,
    bytes: usize,
}

/// The bytes of texts after which no more causes are made: more than a reader goes through.
pub(crate) const MOST_BYTES: usize = 256 << 10;

impl Causes {
    pub(crate) fn push(&mut self, cause: impl FnOnce() -> Cause) {
        if self.bytes < MOST_BYTES {
            let cause = cause();
            self.bytes += cause.field.len() + cause.message.len() + cause.pointer.len();
            self.list.push(cause);
        }
    }

    pub(crate) fn required(&mut self, path: &Path<'_>, why: &str) {
        self.push(|| Cause::required(path, why));
    }

    pub(crate) fn forbidden(&mut self, path: &Path<'_>, why: &str) {
        self.push(|| Cause::forbidden(path, why));
    }

    pub(crate) fn invalid(&mut self, path: &Path<'_>, value: impl Into<Value>, why: &str) {
        self.push(|| Cause::invalid(path, &value.into(), why));
    }

    pub(crate) fn unsupported(&mut self, path: &Path<'_>, value: &str, supported: &[&str]) {
        self.push(|| Cause::unsupported(path, &value.into(), supported));
    }

    pub(crate) fn extend(&mut self, causes: Vec<Cause>) {
        for cause in causes {
            self.push(|| cause);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn into_list(self) -> Vec<Cause> {
        self.list
    }
}

/// The field that a cause is about: a path, or a name alone.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Field {
    name: String,
    pointer: String,
}

impl From<&Path<'_>> for Field {
    fn from(path: &Path<'_>) -> Self {
        Self { name: path.to_string(), pointer: path.pointer() }
    }
}

impl From<&str> for Field {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

impl From<String> for Field {
    fn from(name: String) -> Self {
        Self { name, pointer: String::new() }
    }
}

/// The reason of a value of another type.
const MISTYPED: &str = "FieldValueTypeInvalid";

impl Cause {
    /// Whether a value has another type than its field, so that no server decodes the object.
    #[must_use]
    pub fn is_mistyped(&self) -> bool {
        self.reason == MISTYPED
    }
}

#[doc(hidden)]
// For kapigen-fake, which refuses objects in the same words. Copies are not checked for this.
#[allow(clippy::multiple_inherent_impl)]
impl Cause {
    #[must_use]
    pub fn new(field: impl Into<Field>, reason: &'static str, message: String) -> Self {
        let Field { name, pointer } = field.into();
        Self { field: name, reason, message, pointer }
    }

    #[must_use]
    pub fn required(field: impl Into<Field>, why: &str) -> Self {
        let message = if why.is_empty() {
            "Required value".to_owned()
        } else {
            format!("Required value: {why}")
        };
        Self::new(field, "FieldValueRequired", message)
    }

    #[must_use]
    pub fn forbidden(field: impl Into<Field>, why: &str) -> Self {
        Self::new(field, "FieldValueForbidden", format!("Forbidden: {why}"))
    }

    #[must_use]
    pub fn invalid(field: impl Into<Field>, value: &Value, why: &str) -> Self {
        let colon = if why.is_empty() { "" } else { ": " };
        let message = format!("Invalid value: {}{colon}{why}", shown(value));
        Self::new(field, "FieldValueInvalid", message)
    }

    /// A field that cannot change.
    #[must_use]
    pub fn immutable(field: impl Into<Field>, value: &Value) -> Self {
        Self::invalid(field, value, "field is immutable")
    }

    /// A value of a type that no server decodes.
    pub(crate) fn mistyped(path: &Path<'_>, value: &Value, wanted: &str) -> Self {
        let found = type_name(value);
        Self::new(path, MISTYPED, format!("Invalid value: \"{found}\": must be {wanted}"))
    }

    /// A list of more elements than are allowed.
    pub(crate) fn too_many(path: &Path<'_>, count: usize, most: usize) -> Self {
        let message = format!("Too many: {count}: must have at most {most} items");
        Self::new(path, "FieldValueTooMany", message)
    }

    /// A value that occurs more than once.
    #[must_use]
    pub fn duplicate(field: impl Into<Field>, value: &Value) -> Self {
        Self::new(field, "FieldValueDuplicate", format!("Duplicate value: {}", shown(value)))
    }

    /// A value of more bytes than are allowed.
    #[must_use]
    pub fn too_long(field: impl Into<Field>, most: usize) -> Self {
        Self::new(
            field,
            "FieldValueTooLong",
            format!("Too long: may not be more than {most} bytes"),
        )
    }

    #[must_use]
    pub fn unsupported(field: impl Into<Field>, value: &Value, supported: &[&str]) -> Self {
        let supported: Vec<_> = supported.iter().map(|value| quoted(value)).collect();
        let message = format!(
            "Unsupported value: {}: supported values: {}",
            shown(value),
            supported.join(", ")
        );
        Self::new(field, "FieldValueNotSupported", message)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// A value as servers print it: a quoted string, or JSON, in which Go escapes the characters of
/// markup.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        value => value
            .to_string()
            .replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('&', "\\u0026"),
    }
}

/// A string as Go quotes it for `%q`.
#[doc(hidden)]
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        let code = u32::from(c);
        let escaped = match c {
            '"' | '\\' => format!("\\{c}"),
            '\u{7}' => "\\a".to_owned(),
            '\u{8}' => "\\b".to_owned(),
            '\u{b}' => "\\v".to_owned(),
            '\u{c}' => "\\f".to_owned(),
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            c if is_printable(c) => {
                quoted.push(c);
                continue;
            }
            c if c.is_ascii() => format!("\\x{code:02x}"),
            _ if code <= 0xffff => format!("\\u{code:04x}"),
            _ => format!("\\U{code:08x}"),
        };
        quoted.push_str(&escaped);
    }
    quoted.push('"');
    quoted
}

/// Whether Go prints a character: letters, marks, numbers, punctuation, symbols and the space, as
/// Rust does. Rust escapes a mark too if it begins a string.
#[doc(hidden)]
#[must_use]
pub fn is_printable(c: char) -> bool {
    match c {
        ' '..='~' => true,
        c if c.is_ascii() => false,
        c => format!("a{c}").escape_debug().nth(1) == Some(c),
    }
}

/// The JSON type of a value, as OpenAPI names it.
#[doc(hidden)]
#[must_use]
pub fn type_name(value: &Value) -> &'static str {
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
