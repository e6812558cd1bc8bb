//! Operations of OpenAPI documents.

use super::tables::to;
use serde_json::{Map, Value, json};

/// Query parameters that are no strings, and their types.
const TYPES: [(&str, &[&str]); 2] = [
    ("integer", &["gracePeriodSeconds", "limit", "limitBytes", "ports", "sinceSeconds", "tailLines", "timeoutSeconds"]),
    (
        "boolean",
        &[
            "allowWatchBookmarks",
            "follow",
            "force",
            "ignoreStoreReadErrorWithClusterBreakingPotential",
            "insecureSkipTLSVerifyBackend",
            "orphanDependents",
            "previous",
            "sendInitialEvents",
            "stderr",
            "stdin",
            "stdout",
            "timestamps",
            "tty",
            "watch",
        ],
    ),
];

/// The types of the bodies of patches, but for those that only some kinds take.
pub(super) const PATCHES: &[&str] =
    &["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"];

/// An operation of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Described<'a> {
    pub(super) id: String,
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    /// The verb, as documents spell it.
    pub(super) action: &'static str,
    /// Group, version and kind.
    pub(super) kind: [&'a str; 3],
    pub(super) is_deprecated: bool,
    pub(super) parameters: Vec<&'a str>,
    /// The media types of the request body, and the name of its schema.
    pub(super) body: Option<(&'a [&'a str], String)>,
    /// The name of the schema of the response. `None` for text.
    pub(super) response: Option<String>,
}

/// Adds an operation to the paths of a document.
pub(super) fn add(paths: &mut Map<String, Value>, operation: &Described<'_>) {
    let entry = paths.entry(operation.path).or_insert_with(|| json!({"parameters": path_parameters(operation.path)}));
    entry[operation.method.to_lowercase()] = json(operation);
}

fn path_parameters(path: &str) -> Vec<Value> {
    let names = path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let parameter = |name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    names.map(parameter).collect()
}

fn json(operation: &Described<'_>) -> Value {
    let [group, version, kind] = operation.kind;
    let parameters: Vec<_> = operation.parameters.iter().map(|name| query_parameter(name)).collect();
    let mut json = json!({
        "operationId": operation.id,
        "x-kubernetes-action": operation.action,
        "x-kubernetes-group-version-kind": {"group": group, "version": version, "kind": kind},
        "parameters": parameters,
        "responses": responses(operation),
    });
    if operation.is_deprecated {
        json["deprecated"] = json!(true);
    }
    if let Some((media_types, schema)) = &operation.body {
        let content: Map<_, _> =
            media_types.iter().map(|media_type| ((*media_type).to_owned(), json!({"schema": to(schema)}))).collect();
        json["requestBody"] = json!({"content": content});
        if operation.method != "DELETE" {
            json["requestBody"]["required"] = json!(true);
        }
    }
    json
}

fn query_parameter(name: &str) -> Value {
    let found = TYPES.iter().find(|(_, names)| names.contains(&name));
    json!({"name": name, "in": "query", "schema": {"type": found.map_or("string", |(found, _)| *found)}})
}

fn responses(operation: &Described<'_>) -> Value {
    let content: Value = match &operation.response {
        Some(name) => json!({"application/json": {"schema": to(name)}, "application/yaml": {"schema": to(name)}}),
        None if operation.action == "connect" => json!({"*/*": {"schema": {"type": "string"}}}),
        None => json!({"text/plain": {"schema": {"type": "string"}}}),
    };
    let mut responses = json!({"401": {"description": "Unauthorized"}});
    let codes: &[(&str, &str)] = match operation.action {
        "post" => &[("200", "OK"), ("201", "Created"), ("202", "Accepted")],
        "put" | "patch" => &[("200", "OK"), ("201", "Created")],
        "delete" => &[("200", "OK"), ("202", "Accepted")],
        _ => &[("200", "OK")],
    };
    for (code, description) in codes {
        responses[code] = json!({"description": description, "content": content});
    }
    responses
}
