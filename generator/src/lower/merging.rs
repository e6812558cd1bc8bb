//! The way in which servers merge the values of a property.

use crate::model::Merge;
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{Schema, SchemaRef};
use serde_json::Value;

/// The longest chain of references that is followed.
const LONGEST_CHAIN: usize = 32;

/// The merge rule of a property with this schema. What concerns a list is stated by the array itself, as servers read
/// it.
pub(super) fn merge(documents: &Documents, schema: &Schema) -> Merge {
    let string = |schema: &Schema, key: &str| schema.extensions.get(key).and_then(Value::as_str).map(str::to_owned);
    let array = target(documents, schema);
    // Servers publish list types of strings, too, and ignore them.
    let is_array = array.typ.as_deref() == Some("array");
    let keys: Vec<_> = map_keys(array).filter(|_| is_array).map(str::to_owned).collect();
    let default = |key: &String| Some((key.clone(), default_in_elements(documents, array, key)?));
    Merge {
        list_type: string(array, "x-kubernetes-list-type").filter(|_| is_array),
        key_defaults: keys.iter().filter_map(default).collect(),
        list_map_keys: keys,
        map_type: string(schema, "x-kubernetes-map-type"),
        patch_strategy: string(schema, "x-kubernetes-patch-strategy"),
        patch_merge_key: string(schema, "x-kubernetes-patch-merge-key"),
    }
}

/// The properties that distinguish the elements of a list of the list type `map`.
fn map_keys(array: &Schema) -> impl Iterator<Item = &str> {
    let keys = array.extensions.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
    keys.into_iter().flatten().filter_map(Value::as_str)
}

/// Whether an array has the list type `map`, but no properties that distinguish its elements.
pub(super) fn lacks_keys(array: &Schema) -> bool {
    let list_type = array.extensions.get("x-kubernetes-list-type");
    list_type.is_some_and(|list_type| list_type == "map") && map_keys(array).next().is_none()
}

/// The default of a property of a list's elements, as JSON. A reference that does not resolve is reported where types
/// are lowered.
fn default_in_elements(documents: &Documents, array: &Schema, key: &str) -> Option<String> {
    let element = target(documents, documents.schema(array.items.as_ref()?.target?));
    let property = element.properties.get(key)?.target?;
    // The default of a named schema is not that of properties which refer to it.
    let default = documents.schema(property).default.as_ref().filter(|_| documents.name(property).is_none());
    default.map(Value::to_string)
}

/// The schema itself, or the one that it is another name of: the target of `$ref`, or of a `$ref` alone in `allOf`.
fn target<'d>(documents: &'d Documents, mut schema: &'d Schema) -> &'d Schema {
    for _ in 0..LONGEST_CHAIN {
        let [SchemaRef { target: Some(target), .. }] = schema.all_of.as_slice() else { break };
        if documents.name(*target).is_none() {
            break;
        }
        schema = documents.schema(*target);
    }
    schema
}

/// Whether server-side apply replaces every value of a schema as a whole.
pub(super) fn is_atomic(schema: &Schema) -> bool {
    schema.extensions.get("x-kubernetes-map-type").is_some_and(|map_type| map_type == "atomic")
}
