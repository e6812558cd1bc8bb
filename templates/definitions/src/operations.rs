//! The operations that a server has for a version of a definition.

use crate::definition::{Definition, Version};
use crate::schema_keywords::{ACTION, KINDS};
use crate::shared::{self, SCALE, group_version_kind, parameter, path_parameter, reference};
use serde_json::{Map, Value, json};

/// The query parameters of lists and watches, and of deletes of a collection.
const LIST: &[&str] = &[
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "shardSelector",
    "timeoutSeconds",
    "watch",
];
const GET: &[&str] = &["resourceVersion"];
const WRITE: &[&str] = &["dryRun", "fieldManager", "fieldValidation"];
const PATCH: &[&str] = &["dryRun", "fieldManager", "fieldValidation", "force"];
const DELETE: &[&str] = &[
    "dryRun",
    "gracePeriodSeconds",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "orphanDependents",
    "propagationPolicy",
];

/// The media types of bodies.
const ANY: &[&str] = &["application/json", "application/yaml"];
/// The media types of patches, as documents list them; the runtime has them too, on which this
/// crate does not depend. There is no strategic merge patch without Go types.
const PATCHES: &[&str] = &[
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
];

/// The part of a resource that a path is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathKind {
    /// The objects of all namespaces.
    All,
    Collection,
    Object,
    Status,
    Scale,
}

impl PathKind {
    /// The name of a subresource, and the words for it in descriptions and operation IDs.
    fn subresource(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Status => Some(("status", "Status")),
            Self::Scale => Some(("scale", "Scale")),
            _ => None,
        }
    }
}

/// A resource, and the names of its schemas.
struct Resource<'a> {
    definition: &'a Definition<'a>,
    version: &'a str,
    object: &'a str,
    list: &'a str,
    /// The group and version in operation IDs, such as `ExampleComV1`.
    prefix: String,
    tag: String,
}

/// The kind of an operation.
struct Verb {
    method: &'static str,
    /// The value of `x-kubernetes-action`.
    action: &'static str,
    /// The first word of the operation ID.
    id: &'static str,
    query: &'static [&'static str],
}

const VERBS: [(&[PathKind], Verb); 7] = [
    (
        &[PathKind::All, PathKind::Collection],
        Verb { method: "get", action: "list", id: "list", query: LIST },
    ),
    (&[PathKind::Collection], Verb { method: "post", action: "post", id: "create", query: WRITE }),
    (
        &[PathKind::Collection],
        Verb { method: "delete", action: "deletecollection", id: "delete", query: LIST },
    ),
    (
        &[PathKind::Object, PathKind::Status, PathKind::Scale],
        Verb { method: "get", action: "get", id: "read", query: GET },
    ),
    (
        &[PathKind::Object, PathKind::Status, PathKind::Scale],
        Verb { method: "put", action: "put", id: "replace", query: WRITE },
    ),
    (&[PathKind::Object], Verb { method: "delete", action: "delete", id: "delete", query: DELETE }),
    (
        &[PathKind::Object, PathKind::Status, PathKind::Scale],
        Verb { method: "patch", action: "patch", id: "patch", query: PATCH },
    ),
];

/// Adds the paths of a version.
pub(crate) fn add(
    paths: &mut Map<String, Value>,
    definition: &Definition<'_>,
    version: &Version<'_>,
    object: &str,
    list: &str,
) {
    let (prefix, tag) = prefix_and_tag(definition.group(), version.name());
    let resource = Resource { definition, version: version.name(), object, list, prefix, tag };
    let is_namespaced = definition.is_namespaced();
    let parts = [
        (PathKind::All, is_namespaced),
        (PathKind::Collection, true),
        (PathKind::Object, true),
        (PathKind::Status, version.has_status()),
        (PathKind::Scale, version.scale().is_some()),
    ];
    for (part, _) in parts.into_iter().filter(|(_, exists)| *exists) {
        paths.insert(resource.path(part), resource.operations(part));
    }
}

/// The group and version in operation IDs and in tags.
fn prefix_and_tag(group: &str, version: &str) -> (String, String) {
    let group = group.strip_suffix(".k8s.io").unwrap_or(group);
    let words: Vec<&str> = group.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let prefix: String = words.iter().copied().map(capitalized).collect();
    let mut first = prefix.chars();
    let lower: String =
        first.next().into_iter().flat_map(char::to_lowercase).chain(first).collect();
    (prefix + &capitalized(version), format!("{lower}_{version}"))
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

impl Resource<'_> {
    fn path(&self, part: PathKind) -> String {
        let definition = self.definition;
        let root = format!("/apis/{}/{}", definition.group(), self.version);
        let is_in_namespace = definition.is_namespaced() && part != PathKind::All;
        let namespace = if is_in_namespace { "/namespaces/{namespace}" } else { "" };
        let collection = format!("{root}{namespace}/{}", definition.plural());
        match (part, part.subresource()) {
            (PathKind::All | PathKind::Collection, _) => collection,
            (_, None) => collection + "/{name}",
            (_, Some((name, _))) => format!("{collection}/{{name}}/{name}"),
        }
    }

    fn operations(&self, part: PathKind) -> Value {
        let verbs = VERBS.iter().filter(|(parts, _)| parts.contains(&part)).map(|(_, verb)| verb);
        let mut operations: Map<_, _> =
            verbs.map(|verb| (verb.method.to_owned(), self.operation(part, verb))).collect();
        let kind = self.definition.kind();
        let mut parameters = Vec::new();
        if !matches!(part, PathKind::All | PathKind::Collection) {
            parameters.push(path_parameter("name", &format!("name of the {kind}")));
        }
        if self.definition.is_namespaced() && part != PathKind::All {
            let description = "object name and auth scope, such as for teams and projects";
            parameters.push(path_parameter("namespace", description));
        }
        parameters.push(parameter("pretty"));
        parameters.extend(common(&mut operations));
        parameters.sort_by(|one, other| one["name"].as_str().cmp(&other["name"].as_str()));
        operations.insert("parameters".to_owned(), Value::Array(parameters));
        Value::Object(operations)
    }

    fn operation(&self, part: PathKind, verb: &Verb) -> Value {
        let kind = self.definition.kind();
        let own = if part == PathKind::Scale { SCALE } else { self.object };
        let status = shared::name("Status");
        let (body, response) = match verb.action {
            "list" => (None, self.list),
            "get" => (None, own),
            "deletecollection" => (None, &*status),
            "delete" => (Some((ANY, false, shared::name("DeleteOptions"))), &*status),
            "patch" => (Some((PATCHES, true, shared::name("Patch"))), own),
            _ => (Some((ANY, true, own.to_owned())), own),
        };
        let mut operation = json!({
            "tags": [self.tag],
            "description": describe(verb.action, part, kind),
            "operationId": self.id(part, verb),
            "parameters": verb.query.iter().map(|name| parameter(name)).collect::<Value>(),
        });
        if let Some((media_types, is_required, schema)) = body {
            operation["requestBody"] = json!({"content": content(media_types, &schema)});
            if is_required {
                operation["requestBody"]["required"] = true.into();
            }
        }
        operation["responses"] = responses(verb.action, response);
        operation[ACTION] = verb.action.into();
        operation[KINDS] = group_version_kind(self.definition.group(), self.version, kind);
        operation
    }

    /// The ID of an operation, such as `readExampleComV1NamespacedWidgetStatus`.
    fn id(&self, part: PathKind, verb: &Verb) -> String {
        let collection = if verb.action == "deletecollection" { "Collection" } else { "" };
        let scope = if self.definition.is_namespaced() && part != PathKind::All {
            "Namespaced"
        } else {
            ""
        };
        let kind = self.definition.kind();
        let end = match part {
            PathKind::All => "ForAllNamespaces",
            part => part.subresource().map_or("", |(_, word)| word),
        };
        format!("{}{}{collection}{scope}{kind}{end}", verb.id, self.prefix)
    }
}

/// Takes the parameters that all operations of a path have: they belong to the path.
fn common(operations: &mut Map<String, Value>) -> Vec<Value> {
    let lists: Vec<_> =
        operations.values().map(|operation| operation["parameters"].as_array()).collect();
    let mut common = lists.first().copied().flatten().cloned().unwrap_or_default();
    common.retain(|parameter| {
        lists.iter().all(|list| list.is_some_and(|list| list.contains(parameter)))
    });
    for operation in operations.values_mut().filter(|_| !common.is_empty()) {
        let members = operation.as_object_mut();
        if let Some(Value::Array(list)) = members.and_then(|members| members.get_mut("parameters"))
        {
            list.retain(|parameter| !common.contains(parameter));
        }
        if operation["parameters"] == json!([]) {
            operation.as_object_mut().map(|members| members.shift_remove("parameters"));
        }
    }
    common
}

/// The description of an operation.
fn describe(action: &str, part: PathKind, kind: &str) -> String {
    let of = part.subresource().map_or_else(String::new, |(name, _)| format!("{name} of "));
    match action {
        "list" => format!("list objects of kind {kind}"),
        "post" => format!("create {}{kind}", article(kind)),
        "deletecollection" => format!("delete collection of {kind}"),
        "get" => format!("read {of}the specified {kind}"),
        "put" => format!("replace {of}the specified {kind}"),
        "delete" => format!("delete {}{kind}", article(kind)),
        _ => format!("partially update {of}the specified {kind}"),
    }
}

/// The article before a kind. A kind that looks like a plural has none.
fn article(kind: &str) -> &'static str {
    if kind.ends_with('s') && !kind.ends_with("ss") {
        return "";
    }
    let is_vowel = kind.starts_with(|first: char| "aeiou".contains(first.to_ascii_lowercase()));
    if is_vowel { "an " } else { "a " }
}

fn content(media_types: &[&str], schema: &str) -> Value {
    let content =
        media_types.iter().map(|name| ((*name).to_owned(), json!({"schema": reference(schema)})));
    Value::Object(content.collect())
}

fn responses(action: &str, schema: &str) -> Value {
    let codes: &[(&str, &str)] = match action {
        "post" => &[("200", "OK"), ("201", "Created"), ("202", "Accepted")],
        "put" => &[("200", "OK"), ("201", "Created")],
        "delete" => &[("200", "OK"), ("202", "Accepted")],
        _ => &[("200", "OK")],
    };
    let mut responses = Map::new();
    for (code, description) in codes {
        let response = json!({"description": description, "content": content(ANY, schema)});
        responses.insert((*code).to_owned(), response);
    }
    responses.insert("401".to_owned(), json!({"description": "Unauthorized"}));
    Value::Object(responses)
}
