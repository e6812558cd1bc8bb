//! The part of a document that describes the resource of a definition.

use super::names::custom_package;
use super::operations::{self, Described, PATCHES};
use super::tables::{Components, to};
use crate::registry::{Custom, Resource};
use kapigen_runtime::meta_v1;
use serde_json::{Map, Value, json};

const LIST: &[&str] = &[
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "timeoutSeconds",
    "watch",
];
const WRITE: &[&str] = &["dryRun", "fieldManager", "fieldValidation"];
const PATCH: &[&str] = &["dryRun", "fieldManager", "fieldValidation", "force"];
const DELETE: &[&str] = &["dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"];
const DELETE_COLLECTION: &[&str] = &[
    "continue",
    "dryRun",
    "fieldSelector",
    "gracePeriodSeconds",
    "labelSelector",
    "limit",
    "orphanDependents",
    "propagationPolicy",
    "resourceVersion",
    "resourceVersionMatch",
    "timeoutSeconds",
];

/// Adds the operations and schemas of a resource.
pub(super) fn add(
    paths: &mut Map<String, Value>,
    components: &mut Components<'_>,
    resource: &Resource,
    definition: &Custom,
) {
    let schemas = Schemas::add(components, resource, definition);
    let root = format!("/apis/{}/{}", resource.group, resource.version);
    let scope = if resource.namespaced { "/namespaces/{namespace}" } else { "" };
    let collection = format!("{root}{scope}/{}", resource.plural);
    let object = format!("{collection}/{{name}}");
    let mut add = |path: &str, method: &str, part: Part<'_>| {
        operations::add(paths, &described(resource, path, method, part, &schemas));
    };
    if resource.namespaced {
        add(&format!("{root}/{}", resource.plural), "GET", Part::All);
    }
    resource.collection.iter().for_each(|method| add(&collection, method, Part::Collection));
    resource.object.iter().for_each(|method| add(&object, method, Part::Object));
    for (name, subresource) in &resource.subresources {
        let path = format!("{object}/{name}");
        subresource.methods.iter().for_each(|method| add(&path, method, Part::Subresource(name)));
    }
}

/// The part of a resource that a path is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'a> {
    /// The objects of all namespaces.
    All,
    Collection,
    Object,
    Subresource(&'a str),
}

/// The names of the schemas that operations refer to.
struct Schemas {
    object: String,
    list: String,
    scale: String,
    status: String,
    options: String,
    patch: String,
}

impl Schemas {
    fn add(components: &mut Components<'_>, resource: &Resource, definition: &Custom) -> Self {
        let package = custom_package(&resource.group, &resource.version);
        let (object, list) = (format!("{package}.{}", resource.kind), format!("{package}.{}", definition.list_kind));
        let metadata = components.add(&mut meta_v1::ObjectMeta::default());
        let mut schema = if definition.schema.is_object() { definition.schema.clone() } else { json!({}) };
        schema["type"] = json!("object");
        schema["x-kubernetes-group-version-kind"] = json!([identity(resource, &resource.kind)]);
        add_header(&mut schema, &metadata);
        components.found.insert(object.clone(), schema);
        let metadata = components.add(&mut meta_v1::ListMeta::default());
        let mut schema = json!({
            "type": "object",
            "required": ["items"],
            "properties": {"items": {"type": "array", "items": to(&object)}},
            "x-kubernetes-group-version-kind": [identity(resource, &definition.list_kind)],
        });
        add_header(&mut schema, &metadata);
        components.found.insert(list.clone(), schema);
        let scale = if resource.subresources.contains_key("scale") { add_scale(components) } else { String::new() };
        let status = components.add(&mut meta_v1::Status::default());
        let options = components.add(&mut meta_v1::DeleteOptions::default());
        Self { object, list, scale, status, options, patch: components.patch() }
    }
}

/// Adds the members that all kinds have.
fn add_header(schema: &mut Value, metadata: &str) {
    schema["properties"]["apiVersion"] = json!({"type": "string"});
    schema["properties"]["kind"] = json!({"type": "string"});
    schema["properties"]["metadata"] = to(metadata);
}

fn identity(resource: &Resource, kind: &str) -> Value {
    json!({"group": resource.group, "version": resource.version, "kind": kind})
}

fn add_scale(components: &mut Components<'_>) -> String {
    let metadata = components.add(&mut meta_v1::ObjectMeta::default());
    let replicas = json!({"type": "integer", "format": "int32"});
    let name = "io.k8s.api.autoscaling.v1.Scale";
    for (part, members) in [
        ("Spec", json!({"replicas": replicas})),
        ("Status", json!({"replicas": replicas, "selector": {"type": "string"}})),
    ] {
        components.known(&format!("{name}{part}"), json!({"type": "object", "properties": members}));
    }
    let mut schema = json!({
        "type": "object",
        "properties": {"spec": to(&format!("{name}Spec")), "status": to(&format!("{name}Status"))},
        "x-kubernetes-group-version-kind": [{"group": "autoscaling", "version": "v1", "kind": "Scale"}],
    });
    add_header(&mut schema, &metadata);
    components.known(name, schema);
    name.to_owned()
}

fn described<'a>(
    resource: &'a Resource,
    path: &'a str,
    method: &'a str,
    part: Part<'_>,
    schemas: &Schemas,
) -> Described<'a> {
    let is_collection = matches!(part, Part::All | Part::Collection);
    let is_scale = part == Part::Subresource("scale");
    let own = if is_scale { &schemas.scale } else { &schemas.object };
    let any: &[&str] = &["*/*"];
    let (action, verb, parameters, body, response) = match method {
        "GET" if is_collection => ("list", "list", LIST, None, &schemas.list),
        "GET" => ("get", "read", &["resourceVersion"][..], None, own),
        "POST" => ("post", "create", WRITE, Some((any, own)), own),
        "PUT" => ("put", "replace", WRITE, Some((any, own)), own),
        "PATCH" => ("patch", "patch", PATCH, Some((PATCHES, &schemas.patch)), own),
        _ if is_collection => {
            ("deletecollection", "delete", DELETE_COLLECTION, Some((any, &schemas.options)), &schemas.status)
        }
        _ => ("delete", "delete", DELETE, Some((any, &schemas.options)), &schemas.status),
    };
    let kind =
        if is_scale { ["autoscaling", "v1", "Scale"] } else { [&*resource.group, &*resource.version, &*resource.kind] };
    Described {
        id: id(resource, verb, action, part),
        method,
        path,
        action,
        kind,
        is_deprecated: false,
        parameters: parameters.to_vec(),
        body: body.map(|(media_types, schema)| (media_types, schema.clone())),
        response: Some(response.clone()),
    }
}

/// The ID of an operation, such as `readExampleComV1NamespacedWidgetStatus`.
fn id(resource: &Resource, verb: &str, action: &str, part: Part<'_>) -> String {
    let words = resource.group.split(['.', '-']).chain([&*resource.version]);
    let words: String = words.map(capitalized).collect();
    let collection = if action == "deletecollection" { "Collection" } else { "" };
    let (scope, end) = match part {
        Part::All => ("", "ForAllNamespaces".to_owned()),
        Part::Subresource(name) if resource.namespaced => ("Namespaced", capitalized(name)),
        Part::Subresource(name) => ("", capitalized(name)),
        _ if resource.namespaced => ("Namespaced", String::new()),
        _ => ("", String::new()),
    };
    format!("{verb}{words}{collection}{scope}{}{end}", resource.kind)
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
