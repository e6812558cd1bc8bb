//! The way in which servers merge the values of a property.

use crate::model::Merge;
use crate::openapi::resolve::Documents;
use crate::openapi::schema::Schema;
use serde_json::Value;

/// The most schemas that are aliases of others on the way to the properties of an element.
const LONGEST_CHAIN: usize = 8;

/// The merge rule of a property with this schema.
pub(super) fn merge(documents: &Documents, schema: &Schema) -> Merge {
    let string = |key: &str| schema.extensions.get(key).and_then(Value::as_str).map(str::to_owned);
    let keys = schema.extensions.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
    let keys: Vec<_> = keys.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let default = |key: &String| Some((key.clone(), default_in_elements(documents, schema, key)?));
    Merge {
        list_type: string("x-kubernetes-list-type"),
        key_defaults: keys.iter().filter_map(default).collect(),
        list_map_keys: keys,
        map_type: string("x-kubernetes-map-type"),
        patch_strategy: string("x-kubernetes-patch-strategy"),
        patch_merge_key: string("x-kubernetes-patch-merge-key"),
    }
}

/// The default of a property of a list's elements, as JSON. A reference that does not resolve is reported where types
/// are lowered.
fn default_in_elements(documents: &Documents, list: &Schema, key: &str) -> Option<String> {
    let mut element = documents.schema(list.items.as_ref()?.target?);
    for _ in 0..LONGEST_CHAIN {
        if !element.properties.is_empty() {
            let property = documents.schema(element.properties.get(key)?.target?);
            return property.default.as_ref().map(Value::to_string);
        }
        let [only] = element.all_of.as_slice() else { return None };
        element = documents.schema(only.target?);
    }
    None
}

/// Whether server-side apply replaces every value of a schema as a whole.
pub(super) fn is_atomic(schema: &Schema) -> bool {
    schema.extensions.get("x-kubernetes-map-type").is_some_and(|map_type| map_type == "atomic")
}
