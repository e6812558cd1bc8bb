//! Plain data to `openapiv3`, one node at a time.
//!
//! Every schema of a document, however deep it stands, becomes a node of its own with its JSON pointer as its name;
//! in its parent a reference takes its place. So each node has a place for errors, a nested schema costs no more than
//! a named one, and `$ref` with siblings (as Kubernetes wrote until 1.23) becomes what it means: `allOf` with one
//! reference.

use crate::error::{Error, Errors, Location};
use crate::load::Raw;
use openapiv3::{Parameter, PathItem, ReferenceOr, RequestBody, Response, Schema};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A document, taken apart.
#[derive(Debug, Default)]
pub struct Document {
    /// The name of its source.
    pub name: String,
    /// Every schema by its JSON pointer, but for those that another document has too.
    pub schemas: BTreeMap<String, Schema>,
    /// Names under `components/schemas`, those that another document has too among them.
    pub schema_names: BTreeSet<String>,
    /// Path templates, in the order of the document.
    pub paths: Vec<(String, PathItem)>,
    /// `components/parameters`.
    pub parameters: BTreeMap<String, ReferenceOr<Parameter>>,
    /// `components/requestBodies`.
    pub request_bodies: BTreeMap<String, ReferenceOr<RequestBody>>,
    /// `components/responses`.
    pub responses: BTreeMap<String, ReferenceOr<Response>>,
}

/// Takes a document apart. Schemas in `known` are only noted by name: an equal one is in another document.
pub fn split(raw: Raw, known: &BTreeSet<String>, errors: &mut Errors) -> Document {
    let mut split = Split { document: Document { name: raw.name, ..Document::default() }, errors };
    let Value::Object(mut root) = raw.value else { return split.document };
    if let Some(Value::Object(components)) = root.remove("components") {
        split.components(components, known);
    }
    if let Some(Value::Object(paths)) = root.remove("paths") {
        split.paths(paths);
    }
    split.document
}

/// Puts a name into a JSON pointer.
#[must_use]
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Takes a name out of a JSON pointer.
#[must_use]
pub fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

struct Split<'a> {
    document: Document,
    errors: &'a mut Errors,
}

impl Split<'_> {
    fn components(&mut self, mut components: Map<String, Value>, known: &BTreeSet<String>) {
        for (name, schema) in take_map(&mut components, "schemas") {
            if !known.contains(&name) {
                self.schema(schema, format!("/components/schemas/{}", escape(&name)));
            }
            self.document.schema_names.insert(name);
        }
        for (name, mut value) in take_map(&mut components, "parameters") {
            let pointer = format!("/components/parameters/{}", escape(&name));
            self.parameter(&mut value, &pointer);
            let item = self.read(value, &pointer);
            self.document.parameters.extend(item.map(|item| (name, item)));
        }
        for (name, mut value) in take_map(&mut components, "requestBodies") {
            let pointer = format!("/components/requestBodies/{}", escape(&name));
            self.content(&mut value, &pointer);
            let item = self.read(value, &pointer);
            self.document.request_bodies.extend(item.map(|item| (name, item)));
        }
        for (name, mut value) in take_map(&mut components, "responses") {
            let pointer = format!("/components/responses/{}", escape(&name));
            self.content(&mut value, &pointer);
            let item = self.read(value, &pointer);
            self.document.responses.extend(item.map(|item| (name, item)));
        }
    }

    fn paths(&mut self, paths: Map<String, Value>) {
        for (path, mut item) in paths.into_iter().filter(|(path, _)| path.starts_with('/')) {
            let pointer = format!("/paths/{}", escape(&path));
            self.parameters(&mut item, &pointer);
            for method in METHODS {
                if let Some(operation) = item.get_mut(method) {
                    self.operation(operation, &format!("{pointer}/{method}"));
                }
            }
            let item = self.read(item, &pointer);
            self.document.paths.extend(item.map(|item| (path, item)));
        }
    }

    fn operation(&mut self, operation: &mut Value, pointer: &str) {
        self.parameters(operation, pointer);
        if let Some(body) = operation.get_mut("requestBody") {
            self.content(body, &format!("{pointer}/requestBody"));
        }
        if let Some(Value::Object(responses)) = operation.get_mut("responses") {
            for (status, response) in responses {
                self.content(response, &format!("{pointer}/responses/{}", escape(status)));
            }
        }
        // That there are callbacks is all that matters of them.
        if let Some(Value::Object(callbacks)) = operation.get_mut("callbacks") {
            callbacks.values_mut().for_each(|callback| *callback = json!({}));
        }
    }

    fn parameters(&mut self, owner: &mut Value, pointer: &str) {
        if let Some(Value::Array(parameters)) = owner.get_mut("parameters") {
            for (index, parameter) in parameters.iter_mut().enumerate() {
                self.parameter(parameter, &format!("{pointer}/parameters/{index}"));
            }
        }
    }

    fn parameter(&mut self, parameter: &mut Value, pointer: &str) {
        if let Some(schema) = parameter.get_mut("schema") {
            *schema = self.child(schema.take(), format!("{pointer}/schema"));
        }
        self.content(parameter, pointer);
    }

    /// The schemas of a request body or a response. Headers and links of answers say nothing that is used.
    fn content(&mut self, owner: &mut Value, pointer: &str) {
        if let Value::Object(owner) = &mut *owner {
            owner.remove("headers");
            owner.remove("links");
        }
        let Some(Value::Object(content)) = owner.get_mut("content") else { return };
        for (media_type, content) in content {
            if let Some(schema) = content.get_mut("schema") {
                let pointer = format!("{pointer}/content/{}/schema", escape(media_type));
                *schema = self.child(schema.take(), pointer);
            }
        }
    }

    /// Takes a schema out of its parent; the answer is what stays there.
    fn child(&mut self, schema: Value, pointer: String) -> Value {
        if let Some(reference) = bare_reference(&schema) {
            return json!({ "$ref": reference });
        }
        let reference = json!({ "$ref": format!("#{pointer}") });
        self.schema(schema, pointer);
        reference
    }

    fn schema(&mut self, schema: Value, pointer: String) {
        let Value::Object(mut schema) = schema else {
            self.fail(&pointer, "expected a schema, which is an object");
            return;
        };
        for (name, property) in object_members(&mut schema, "properties") {
            *property = self.child(property.take(), format!("{pointer}/properties/{}", escape(name)));
        }
        for key in ["items", "additionalProperties", "not"] {
            if let Some(child @ Value::Object(_)) = schema.get_mut(key) {
                *child = self.child(child.take(), format!("{pointer}/{key}"));
            }
        }
        for key in ["allOf", "oneOf", "anyOf"] {
            if let Some(Value::Array(branches)) = schema.get_mut(key) {
                for (index, branch) in branches.iter_mut().enumerate() {
                    *branch = self.child(branch.take(), format!("{pointer}/{key}/{index}"));
                }
            }
        }
        spell_out_reference(&mut schema);
        if let Some(schema) = self.read(Value::Object(schema), &pointer) {
            self.document.schemas.insert(pointer, schema);
        }
    }

    fn read<T: DeserializeOwned>(&mut self, value: Value, pointer: &str) -> Option<T> {
        match T::deserialize(value) {
            Ok(item) => Some(item),
            Err(error) => {
                self.fail(pointer, format!("not what OpenAPI 3.0 allows here: {error}"));
                None
            }
        }
    }

    fn fail(&mut self, pointer: &str, message: impl Into<String>) {
        self.errors.push(Error::at(Location::pointer(&self.document.name, pointer), message));
    }
}

fn take_map(owner: &mut Map<String, Value>, key: &str) -> Map<String, Value> {
    match owner.remove(key) {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

fn object_members<'a>(
    owner: &'a mut Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = (&'a String, &'a mut Value)> {
    owner.get_mut(key).and_then(Value::as_object_mut).into_iter().flatten()
}

fn bare_reference(schema: &Value) -> Option<&str> {
    let schema = schema.as_object().filter(|schema| schema.len() == 1)?;
    schema.get("$ref")?.as_str()
}

/// `$ref` with siblings is `allOf` with one reference and the same siblings.
fn spell_out_reference(schema: &mut Map<String, Value>) {
    if !matches!(schema.get("$ref"), Some(Value::String(_))) {
        return;
    }
    let reference = schema.remove("$ref").map(|target| json!({ "$ref": target }));
    let branches = schema.entry("allOf").or_insert_with(|| json!([]));
    if let Value::Array(branches) = branches {
        branches.splice(0..0, reference);
    }
}
