//! The schema of metadata, which all kinds share.

use super::{Reader, Schema, SchemaId, Schemas, Shape};
use serde_json::{Map, Value, json};

/// Puts the schema of metadata, `apiVersion` and `kind` into that of a kind.
pub(crate) fn with_metadata(schemas: &mut Schemas, kind: SchemaId) -> SchemaId {
    let metadata = schema(schemas);
    let text = Reader::new(schemas, &Map::new()).read(&json!({"type": "string"}));
    let mut schema = schemas.get(kind).clone();
    let shape = match schemas.shape(kind) {
        Shape::Struct { fields, open } => {
            let fields = fields.with(&[("metadata", metadata), ("apiVersion", text), ("kind", text)]);
            Shape::Struct { fields, open: *open }
        }
        other => other.clone(),
    };
    schema.shape = shape;
    schemas.add(Schema { default: None, ..schema })
}

fn schema(schemas: &mut Schemas) -> SchemaId {
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
    let metadata: Value = json!({
        "type": "object",
        "properties": {
            "annotations": strings, "labels": strings,
            "creationTimestamp": text, "deletionTimestamp": text, "deletionGracePeriodSeconds": number,
            "generateName": text, "generation": number, "name": text, "namespace": text, "resourceVersion": text,
            "selfLink": text, "uid": text,
            "finalizers": {
                "type": "array", "items": text, "x-kubernetes-list-type": "set",
            },
            "managedFields": {"type": "array", "items": {}, "x-kubernetes-list-type": "atomic"},
            "ownerReferences": {
                "type": "array", "items": owner, "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["uid"],
                "x-kubernetes-patch-merge-key": "uid",
            },
        },
    });
    let id = Reader::new(schemas, &Map::new()).read(&metadata);
    let schema = schemas.get(id).clone();
    schemas.set(id, Schema { name: "ObjectMeta".to_owned(), ..schema });
    id
}
