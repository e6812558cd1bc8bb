//! The part of a document that describes the resource of a definition.

use super::names::{SCALE, custom_package};
use super::operations::{self, Described, PATCHES};
use super::tables::{Components, to};
use crate::registry::{Custom, Resource};
use kapigen_runtime::{Api, meta_v1};
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
    apis: &[Api],
    (resource, definition): (&Resource, &Custom),
) {
    let scale = resource.subresources.contains_key("scale").then(|| add_scale(components, apis));
    let schemas = Schemas::add(components, (resource, definition), scale.unwrap_or_default());
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
    fn add(components: &mut Components<'_>, (resource, definition): (&Resource, &Custom), scale: String) -> Self {
        let package = custom_package(&resource.group, &resource.version);
        let object = components.unused(&format!("{package}.{}", resource.kind));
        let metadata = components.add(&mut meta_v1::ObjectMeta::default());
        let mut schema = if definition.schema.is_object() { definition.schema.clone() } else { json!({}) };
        schema["type"] = json!("object");
        schema["x-kubernetes-group-version-kind"] = json!([identity(resource, &resource.kind)]);
        add_header(&mut schema, &metadata);
        components.found.insert(object.clone(), schema);
        let list = components.unused(&format!("{package}.{}", definition.list_kind));
        let metadata = components.add(&mut meta_v1::ListMeta::default());
        let mut schema = json!({
            "type": "object",
            "required": ["items"],
            "properties": {"items": {"type": "array", "items": to(&object)}},
            "x-kubernetes-group-version-kind": [identity(resource, &definition.list_kind)],
        });
        add_header(&mut schema, &metadata);
        components.found.insert(list.clone(), schema);
        let status = components.add(&mut meta_v1::Status::default());
        let options = components.add(&mut meta_v1::DeleteOptions::default());
        Self { object, list, scale, status, options, patch: components.patch() }
    }
}

/// Adds the members that all kinds have.
fn add_header(schema: &mut Value, metadata: &str) {
    // The schema of a definition may have anything there.
    if !schema["properties"].is_object() {
        schema["properties"] = json!({});
    }
    schema["properties"]["apiVersion"] = json!({"type": "string"});
    schema["properties"]["kind"] = json!({"type": "string"});
    schema["properties"]["metadata"] = to(metadata);
}

fn identity(resource: &Resource, kind: &str) -> Value {
    json!({"group": resource.group, "version": resource.version, "kind": kind})
}

/// Adds the schema of scales: that of a generated crate if one has it, so that all documents have the same.
fn add_scale(components: &mut Components<'_>, apis: &[Api]) -> String {
    if let Some(kind) = apis.iter().find_map(|api| api.kind("autoscaling", "v1", "Scale")) {
        return components.add((kind.empty)().as_mut());
    }
    let metadata = components.add(&mut meta_v1::ObjectMeta::default());
    let replicas = json!({"type": "integer", "format": "int32", "default": 0});
    let name = SCALE;
    let spec = json!({"type": "object", "properties": {"replicas": replicas}});
    let members = json!({"replicas": replicas, "selector": {"type": "string"}});
    let status = json!({"type": "object", "required": ["replicas"], "properties": members});
    let mut part =
        |part: &str, schema| json!({"allOf": [components.known(&format!("{name}{part}"), schema)], "default": {}});
    let (spec, status) = (part("Spec", spec), part("Status", status));
    let mut schema = json!({
        "type": "object",
        "properties": {"spec": spec, "status": status},
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
