//! The kinds that a schema in a document serves.

use crate::openapi::schema::KIND_EXTENSION;
use serde_json::Value;

/// Properties of a kind whose presence does not depend on its schema.
pub(super) const KINDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The kinds of a schema.
pub(super) fn kinds(schema: &Value) -> impl Iterator<Item = &Value> {
    schema.get(KIND_EXTENSION).and_then(Value::as_array).into_iter().flatten()
}

/// Whether the objects of a schema state their kind.
pub(super) fn states_kind(schema: &Value) -> bool {
    let has = |key: &str| schema.get("properties").is_some_and(|properties| properties.get(key).is_some());
    kinds(schema).next().is_some() && has("apiVersion") && has("kind")
}
