//! Resources of OpenAPI documents.

use super::paths::{self, Listed};
use super::{Facts, Resource};
use crate::schema::{Reader, Schema};
use serde_json::{Map, Value};
use std::sync::Arc;

const METHODS: [&str; 7] = ["get", "put", "post", "delete", "patch", "head", "options"];

pub(super) fn resources(document: &Value) -> Vec<Resource> {
    let none = Map::new();
    let paths = document.get("paths").and_then(Value::as_object).unwrap_or(&none);
    let listed = paths.iter().flat_map(|(path, item)| {
        METHODS.iter().filter_map(move |method| {
            let kind = item.get(method)?.get("x-kubernetes-group-version-kind")?;
            Some(Listed { method: method.to_uppercase(), path, kind: identity(kind) })
        })
    });
    let mut resources = paths::resources(listed);
    let components = document.pointer("/components/schemas").and_then(Value::as_object).unwrap_or(&none);
    let mut reader = Reader::new(components);
    let mut roots = Vec::new();
    for resource in &resources {
        let wanted = (resource.group.clone(), resource.version.clone(), resource.kind.clone());
        let name = components.iter().find(|(_, schema)| kinds(schema).any(|kind| identity(kind) == wanted));
        roots.push(name.map(|(name, _)| reader.named(name)));
    }
    let schemas = Arc::new(reader.finish());
    for (resource, root) in resources.iter_mut().zip(roots) {
        if let Some(root) = root {
            resource.schema = Schema::new(&schemas, root);
        }
        resource.singular = resource.kind.to_lowercase();
        resource.facts = Facts::of(resource);
    }
    resources
}

fn identity(kind: &Value) -> (String, String, String) {
    let text = |key: &str| kind.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    (text("group"), text("version"), text("kind"))
}

fn kinds(schema: &Value) -> impl Iterator<Item = &Value> {
    schema.get("x-kubernetes-group-version-kind").and_then(Value::as_array).into_iter().flatten()
}
