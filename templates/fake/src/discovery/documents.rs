//! OpenAPI documents of the registered resources, as far as clients read them.
//!
//! Clients such as kubectl look for the operations of a kind, for the query parameters that these take, and for the
//! schema of the kind. Descriptions are there for custom resources alone: tables of generated crates have none. Patches
//! do not state their media types, so that clients merge lists by their own knowledge of built-in kinds.

use crate::registry::{Registry, Resource, api_version};
use crate::schema::{Scalar, SchemaId, Schemas, Shape};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The paths below `/openapi/v3/`, one for each group and version.
pub(super) fn paths(registry: &Registry) -> Vec<String> {
    let groups = registry.groups();
    let versions = groups.iter().flat_map(|(group, versions)| versions.iter().map(move |version| path(group, version)));
    versions.collect()
}

fn path(group: &str, version: &str) -> String {
    let root = if group.is_empty() { "api" } else { "apis" };
    format!("{root}/{}", api_version(group, version))
}

/// The document at a path, if the registry has resources of that group and version.
pub(super) fn document(registry: &Registry, wanted: &str) -> Option<Value> {
    let mut components = Components { schemas: &registry.schemas, names: BTreeMap::new(), found: Map::new() };
    let mut paths = Map::new();
    for resource in registry.all().filter(|resource| path(&resource.group, &resource.version) == wanted) {
        add_paths(&mut paths, wanted, resource);
        components.add_kind(resource);
    }
    let info = json!({"title": wanted, "version": "fake"});
    (!paths.is_empty())
        .then(|| json!({"openapi": "3.0.0", "info": info, "paths": paths, "components": {"schemas": components.found}}))
}

/// Adds the paths of a resource, of its objects and of their subresources.
fn add_paths(paths: &mut Map<String, Value>, root: &str, resource: &Resource) {
    let scope = if resource.namespaced { "/namespaces/{namespace}" } else { "" };
    let collection = format!("/{root}{scope}/{}", resource.plural);
    let object = format!("{collection}/{{name}}");
    let kind = identity(&resource.group, &resource.version, &resource.kind);
    let mut add = |path: &str, methods: &mut dyn Iterator<Item = &String>, kind: &Value| {
        let operations: Map<_, _> = methods.map(|method| (method.to_lowercase(), operation(method, kind))).collect();
        if !operations.is_empty() {
            paths.insert(path.to_owned(), Value::Object(operations));
        }
    };
    add(&collection, &mut resource.collection.iter(), &kind);
    add(&object, &mut resource.object.iter(), &kind);
    for (name, subresource) in &resource.subresources {
        let kind = identity(&subresource.group, &subresource.version, &subresource.kind);
        add(&format!("{object}/{name}"), &mut subresource.methods.iter(), &kind);
    }
}

fn identity(group: &str, version: &str, kind: &str) -> Value {
    json!({"group": group, "version": version, "kind": kind})
}

fn operation(method: &str, kind: &Value) -> Value {
    let names: &[&str] = match method {
        "POST" | "PUT" | "PATCH" => &["dryRun", "fieldManager", "fieldValidation"],
        "DELETE" => &["dryRun"],
        _ => &[],
    };
    let parameter = |name: &&str| json!({"name": name, "in": "query", "schema": {"type": "string"}});
    json!({
        "x-kubernetes-group-version-kind": kind,
        "parameters": names.iter().map(parameter).collect::<Vec<_>>(),
        "responses": {"200": {"description": "OK"}},
    })
}

/// Schemas by name, each added when something refers to it.
struct Components<'a> {
    schemas: &'a Schemas,
    names: BTreeMap<SchemaId, String>,
    found: Map<String, Value>,
}

impl Components<'_> {
    /// Adds the schema of a kind.
    fn add_kind(&mut self, resource: &Resource) {
        let mut schema = match &resource.custom {
            Some(custom) => self.of_custom(&custom.schema, resource.schema),
            None => self.schema(resource.schema),
        };
        schema["type"] = json!("object");
        schema["x-kubernetes-group-version-kind"] =
            json!([identity(&resource.group, &resource.version, &resource.kind)]);
        self.found.insert(format!("{}.{}", resource.version, resource.kind), schema);
    }

    /// The schema of a definition, with the members that all kinds have.
    fn of_custom(&mut self, stated: &Value, read: SchemaId) -> Value {
        let mut schema = if stated.is_object() { stated.clone() } else { json!({}) };
        for name in ["apiVersion", "kind", "metadata"] {
            let (member, is_known) = self.schemas.member(read, name);
            if is_known {
                schema["properties"][name] = self.reference(member);
            }
        }
        schema
    }

    /// A schema in its place: a reference to a component if it has a name.
    fn reference(&mut self, id: SchemaId) -> Value {
        // Names come first: references may go in circles, but each circle has a name.
        if self.schemas.get(id).name.is_empty() {
            return self.schema(id);
        }
        let name = self.component(id);
        json!({"$ref": format!("#/components/schemas/{name}")})
    }

    /// The name of a component, which is added at its first use.
    fn component(&mut self, id: SchemaId) -> String {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let plain = &self.schemas.get(id).name;
        let mut name = plain.clone();
        for number in 2.. {
            if !self.names.values().any(|known| *known == name) {
                break;
            }
            name = format!("{plain}{number}");
        }
        self.names.insert(id, name.clone());
        let schema = self.schema(id);
        self.found.insert(name.clone(), schema);
        name
    }

    fn schema(&mut self, id: SchemaId) -> Value {
        let schema = self.schemas.get(id);
        match &schema.shape {
            Shape::Any => json!({"x-kubernetes-preserve-unknown-fields": true}),
            Shape::Same(other) => self.reference(*other),
            Shape::Struct { fields, .. } => {
                let properties: Map<_, _> =
                    fields.iter().map(|(name, id)| (name.clone(), self.reference(*id))).collect();
                let mut object = json!({"type": "object", "properties": properties});
                if !schema.required.is_empty() {
                    object["required"] = json!(schema.required);
                }
                object
            }
            Shape::Map(value) => json!({"type": "object", "additionalProperties": self.reference(*value)}),
            Shape::List(element, _) => json!({"type": "array", "items": self.reference(*element)}),
            Shape::Scalar(scalar) => match scalar {
                Scalar::String => json!({"type": "string"}),
                Scalar::Integer => json!({"type": "integer"}),
                Scalar::Number => json!({"type": "number"}),
                Scalar::Boolean => json!({"type": "boolean"}),
                Scalar::Time | Scalar::MicroTime => json!({"type": "string", "format": "date-time"}),
                Scalar::Either => json!({"x-kubernetes-int-or-string": true}),
            },
        }
    }
}
