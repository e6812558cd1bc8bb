//! Definitions in all forms: how they are read, published, and traced back to the manifest.

mod fields; // Unknown fields.
mod manifests; // Manifests to be installed.
mod mutated; // No JSON makes the crate panic.
mod paths; // Paths as servers write them.
mod refused; // Definitions that servers refuse.
mod sources; // Pointers of a document resolve to pointers of a manifest.

use serde_json::{Value, json};

/// A definition with one version.
fn definition(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "schema": {"openAPIV3Schema": schema},
                "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}},
                "additionalPrinterColumns": [{"name": "N", "type": "integer", "jsonPath": ".spec.n"}],
                "selectableFields": [{"jsonPath": ".spec.color"}],
            }],
        },
    })
}

/// A schema with one of each construct.
fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["spec"],
        "properties": {
            "spec": {
                "type": "object",
                "properties": {
                    "n": {"type": "integer", "minimum": 1.0, "default": 3},
                    "color": {"type": "string", "enum": ["red", "blue"]},
                    "port": {"x-kubernetes-int-or-string": true},
                    "limit": {
                        "x-kubernetes-int-or-string": true,
                        "anyOf": [{"pattern": "^a"}, {"pattern": "^b"}],
                        "allOf": [{"pattern": "c$"}],
                    },
                    "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                    "parts": {
                        "type": "array",
                        "items": {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}}},
                        "x-kubernetes-list-type": "map",
                        "x-kubernetes-list-map-keys": ["k"],
                    },
                    "a/b~c": {"type": "boolean", "nullable": true},
                    "template": {
                        "type": "object",
                        "x-kubernetes-embedded-resource": true,
                        "x-kubernetes-preserve-unknown-fields": true,
                    },
                },
                "oneOf": [{"required": ["n"]}, {"required": ["color"]}],
                "not": {"properties": {"n": {"minimum": 9}}},
                "x-kubernetes-validations": [{"rule": "self.n > 0", "message": "none"}],
            },
            "status": {"type": "object", "properties": {"n": {"type": "integer"}}},
        },
    })
}
