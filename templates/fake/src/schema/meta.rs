//! The schema of metadata, which all kinds share.

use serde_json::{Map, Value, json};

/// The name of the schema of metadata.
const METADATA: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// The schema of metadata, by its name.
pub(super) fn components() -> Map<String, Value> {
    Map::from_iter([(METADATA.to_owned(), schema())])
}

/// The schema of a definition with the members that all kinds have, as servers publish it.
pub(super) fn with_metadata(definition: &Value) -> Value {
    let mut definition = definition.clone();
    let is_open = definition["x-kubernetes-preserve-unknown-fields"] == true && definition.get("properties").is_none();
    if definition["type"] == "object" && !is_open {
        if !definition["properties"].is_object() {
            definition["properties"] = json!({});
        }
        definition["properties"]["metadata"] = json!({"$ref": format!("#/components/schemas/{METADATA}")});
        for name in ["apiVersion", "kind"] {
            definition["properties"][name] = json!({"type": "string"});
        }
    }
    definition
}

fn schema() -> Value {
    let strings = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let owner = json!({
        "type": "object",
        "x-kubernetes-map-type": "atomic",
        "properties": {
            "apiVersion": text, "kind": text, "name": text, "uid": text,
            "controller": {"type": "boolean"}, "blockOwnerDeletion": {"type": "boolean"},
        },
    });
    json!({
        "type": "object",
        "properties": {
            "annotations": strings, "labels": strings,
            "creationTimestamp": text, "deletionTimestamp": text, "deletionGracePeriodSeconds": number,
            "generateName": text, "generation": number, "name": text, "namespace": text, "resourceVersion": text,
            "selfLink": text, "uid": text,
            "finalizers": {
                "type": "array", "items": text, "x-kubernetes-list-type": "set",
                "x-kubernetes-patch-strategy": "merge",
            },
            "managedFields": {"type": "array", "items": {}, "x-kubernetes-list-type": "atomic"},
            "ownerReferences": {
                "type": "array", "items": owner, "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["uid"],
                "x-kubernetes-patch-merge-key": "uid", "x-kubernetes-patch-strategy": "merge",
            },
        },
    })
}
