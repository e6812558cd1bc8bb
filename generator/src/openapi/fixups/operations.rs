//! Corrections of operations.

use crate::openapi::load::Raw;
use crate::pointer::{escape, unescape};
use serde::Deserialize;
use serde_json::{Value, json};

/// Selects operations: all conditions must hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Operations {
    /// `x-kubernetes-action`, or the action by `operationId` where a document has none.
    action: Option<String>,
    /// Endings of the path, one of which must fit. All paths if absent.
    path_ends: Option<Vec<String>>,
}

/// A change of an operation.
pub(super) enum Change {
    AddParameter(Value),
    AddBody(String),
    Response(String),
    Kind(String),
}

impl Operations {
    /// Corrects the operations that it selects, and returns the number of changed places.
    pub(super) fn apply(&self, change: &Change, raws: &mut [Raw]) -> usize {
        let holders: Vec<String> = match change {
            Change::Response(schema) | Change::AddBody(schema) => holders(schema, raws),
            Change::AddParameter(_) | Change::Kind(_) => Vec::new(),
        };
        let mut places = 0;
        for raw in raws {
            let holder = holders.iter().find(|holder| **holder == raw.name).or(holders.first());
            let shared = raw.value.pointer("/components/responses").cloned().unwrap_or_default();
            let document = Document { name: &raw.name, responses: &shared, holder };
            let paths = raw.value.get_mut("paths").and_then(Value::as_object_mut);
            for (path, item) in paths.into_iter().flatten() {
                if self.path_ends.as_ref().is_none_or(|ends| ends.iter().any(|end| path.ends_with(end))) {
                    places += self.apply_to_path(change, item, &document);
                }
            }
        }
        places
    }

    fn apply_to_path(&self, change: &Change, item: &mut Value, document: &Document<'_>) -> usize {
        let Value::Object(item) = item else { return 0 };
        let shared = item.get("parameters").cloned();
        let methods = item.values_mut().filter(|operation| operation.get("responses").is_some());
        let fitting = methods.filter(|operation| self.fits(operation));
        let places = fitting.map(|operation| match change {
            Change::AddParameter(parameter) => add_parameter(operation, shared.as_ref(), parameter),
            Change::Kind(kind) => set_kind(operation, kind),
            Change::AddBody(schema) => {
                document.reference(schema).map_or(0, |reference| add_body(operation, &reference))
            }
            Change::Response(schema) => document
                .reference(schema)
                .map_or(0, |reference| set_response(operation, document.responses, &reference)),
        });
        places.sum()
    }

    fn fits(&self, operation: &Value) -> bool {
        self.action.is_none() || action(operation) == self.action.as_deref()
    }
}

/// The prefixes of `operationId`, and their actions. Documents until 1.23 have no others.
const ACTIONS: [(&str, &str); 9] = [
    ("connect", "connect"),
    ("create", "post"),
    ("deleteCollection", "deletecollection"),
    ("delete", "delete"),
    ("list", "list"),
    ("patch", "patch"),
    ("read", "get"),
    ("replace", "put"),
    ("watch", "watch"),
];

fn action(operation: &Value) -> Option<&str> {
    let text = |key| operation.get(key).and_then(Value::as_str);
    let by_id = || {
        let id = text("operationId")?;
        ACTIONS.iter().find(|(start, _)| id.starts_with(start)).map(|(_, action)| *action)
    };
    text("x-kubernetes-action").or_else(by_id)
}

/// Whether a parameter, written out or as a reference to a component of the same name, has this name.
fn is_named(parameter: &Value, name: &str) -> bool {
    let reference = parameter.get("$ref").and_then(Value::as_str);
    parameter.get("name").and_then(Value::as_str) == Some(name)
        || reference.and_then(|reference| reference.rsplit('/').next()) == Some(name)
}

fn parameters(owner: &Value) -> impl Iterator<Item = &Value> {
    owner.as_array().into_iter().flatten()
}

fn add_parameter(operation: &mut Value, shared: Option<&Value>, parameter: &Value) -> usize {
    let Some(name) = parameter.get("name").and_then(Value::as_str) else { return 0 };
    let own = operation.get("parameters");
    if own.into_iter().chain(shared).flat_map(parameters).any(|there| is_named(there, name)) {
        return 0;
    }
    match operation.get_mut("parameters") {
        Some(Value::Array(own)) => own.push(parameter.clone()),
        None => operation["parameters"] = json!([parameter]),
        // No list: that is reported when the document is taken apart.
        Some(_) => return 0,
    }
    1
}

fn add_body(operation: &mut Value, reference: &str) -> usize {
    if operation.get("requestBody").is_some() {
        return 0;
    }
    operation["requestBody"] = json!({"content": {"application/json": {"schema": {"$ref": reference}}}});
    1
}

/// Names another kind of the same group and version.
fn set_kind(operation: &mut Value, kind: &str) -> usize {
    match operation.pointer_mut("/x-kubernetes-group-version-kind/kind") {
        Some(named) if named != kind => {
            *named = kind.into();
            1
        }
        _ => 0,
    }
}

/// The parts of a document that a change of an operation needs.
struct Document<'a> {
    name: &'a str,
    /// `components/responses`.
    responses: &'a Value,
    /// The document that has the schema of the true response or the missing body.
    holder: Option<&'a String>,
}

impl Document<'_> {
    fn reference(&self, schema: &str) -> Option<String> {
        self.holder.map(|holder| reference(self.name, holder, schema))
    }
}

/// Puts a reference in place of the schema of every success. A shared response is copied before, so that only this
/// operation changes.
fn set_response(operation: &mut Value, shared: &Value, reference: &str) -> usize {
    let mut places = 0;
    let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
    for (_, response) in responses.into_iter().flatten().filter(|(status, _)| status.starts_with('2')) {
        let name = response.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/components/responses/"));
        if let Some(copy) = name.and_then(|name| shared.get(unescape(name))) {
            *response = copy.clone();
        }
        let content = response.get_mut("content").and_then(Value::as_object_mut);
        for content in
            content.into_iter().flat_map(|content| content.values_mut()).filter(|content| content.is_object())
        {
            let schema = json!({ "$ref": reference });
            if content.get("schema") != Some(&schema) {
                content["schema"] = schema;
                places += 1;
            }
        }
    }
    places
}

/// Names of the documents that have a schema.
fn holders(schema: &str, raws: &[Raw]) -> Vec<String> {
    let pointer = format!("/components/schemas/{}", escape(schema));
    raws.iter().filter(|raw| raw.value.pointer(&pointer).is_some()).map(|raw| raw.name.clone()).collect()
}

/// A reference from one document to a schema of another.
fn reference(from: &str, to: &str, schema: &str) -> String {
    let file = if from == to { String::new() } else { format!("{}{to}", "../".repeat(from.matches('/').count())) };
    format!("{file}#/components/schemas/{}", escape(schema))
}
