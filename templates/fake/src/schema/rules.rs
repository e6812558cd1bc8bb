//! Validation rules, which servers check for custom resources.

use serde_json::{Map, Value};

/// The facets of a schema that restrict its values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// The name of the type, such as `integer`. Empty if any type will do.
    pub(crate) kind: String,
    pub(crate) required: Vec<String>,
    pub(crate) choices: Vec<Value>,
    pub(crate) minimum: Option<f64>,
    pub(crate) maximum: Option<f64>,
    pub(crate) max_length: Option<usize>,
    pub(crate) min_length: Option<usize>,
    pub(crate) max_items: Option<usize>,
    pub(crate) min_items: Option<usize>,
}

impl Rules {
    pub(super) fn read(schema: &Map<String, Value>) -> Self {
        let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |key: &str| schema.get(key).and_then(Value::as_f64);
        let size = |key: &str| schema.get(key).and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok());
        let list = |key: &str| schema.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let required = list("required");
        Self {
            kind: text("type"),
            required: required.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            choices: list("enum"),
            minimum: number("minimum"),
            maximum: number("maximum"),
            max_length: size("maxLength"),
            min_length: size("minLength"),
            max_items: size("maxItems"),
            min_items: size("minItems"),
        }
    }
}
