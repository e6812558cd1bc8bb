//! Plain data to `openapiv3`, one node at a time.
//!
//! Every schema of a document, however deep it stands, becomes a node of its own with its JSON pointer as its name;
//! in its parent a reference takes its place. So each node has a place for errors, a nested schema costs no more than
//! a named one, and `$ref` with siblings (as Kubernetes wrote until 1.23) becomes what it means: `allOf` with one
//! reference.

mod keywords;

use crate::error::{Error, Errors, Location};
use crate::load::Raw;
use keywords::kind;
use openapiv3::{Operation, Parameter, PathItem, ReferenceOr, RequestBody, Response, Schema};
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
    let components = split.section(&mut root, "", "components");
    split.components(components, known);
    let paths = split.section(&mut root, "", "paths");
    split.paths(paths);
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

/// What an operation says that matters. The rest must not fail a run.
const OPERATION: [&str; 8] =
    ["callbacks", "deprecated", "description", "operationId", "parameters", "requestBody", "responses", "summary"];

struct Split<'a> {
    document: Document,
    errors: &'a mut Errors,
}

impl Split<'_> {
    /// A map of named things. None at all is as good as an empty one.
    fn section(&mut self, owner: &mut Map<String, Value>, pointer: &str, key: &str) -> Map<String, Value> {
        match owner.remove(key) {
            Some(Value::Object(map)) => map,
            None | Some(Value::Null) => Map::new(),
            Some(other) => {
                self.fail(&format!("{pointer}/{key}"), format!("`{key}` is {}, not an object", kind(&other)));
                Map::new()
            }
        }
    }

    fn components(&mut self, mut components: Map<String, Value>, known: &BTreeSet<String>) {
        for (name, schema) in self.section(&mut components, "/components", "schemas") {
            if !known.contains(&name) {
                self.schema(schema, format!("/components/schemas/{}", escape(&name)));
            }
            self.document.schema_names.insert(name);
        }
        for (name, mut value) in self.section(&mut components, "/components", "parameters") {
            let pointer = format!("/components/parameters/{}", escape(&name));
            self.parameter(&mut value, &pointer);
            let item = self.read(value, &pointer);
            self.document.parameters.extend(item.map(|item| (name, item)));
        }
        for (name, mut value) in self.section(&mut components, "/components", "requestBodies") {
            let pointer = format!("/components/requestBodies/{}", escape(&name));
            self.content(&mut value, &pointer);
            let item = self.read(value, &pointer);
            self.document.request_bodies.extend(item.map(|item| (name, item)));
        }
        for (name, mut value) in self.section(&mut components, "/components", "responses") {
            let pointer = format!("/components/responses/{}", escape(&name));
            self.content(&mut value, &pointer);
            let item = self.read(value, &pointer);
            self.document.responses.extend(item.map(|item| (name, item)));
        }
    }

    fn paths(&mut self, paths: Map<String, Value>) {
        for (path, item) in paths.into_iter().filter(|(path, _)| !path.starts_with("x-")) {
            let pointer = format!("/paths/{}", escape(&path));
            match item {
                _ if !path.starts_with('/') => {
                    self.fail(&pointer, format!("the path `{path}` does not begin with `/`"));
                }
                Value::Object(item) if item.contains_key("$ref") => {
                    self.fail(&pointer, "a path that is kept elsewhere (`$ref`) is out of scope");
                }
                Value::Object(item) => {
                    let item = self.path(item, &pointer);
                    self.document.paths.extend(item.map(|item| (path, item)));
                }
                other => self.fail(&pointer, format!("the path is {}, not an object", kind(&other))),
            }
        }
    }

    fn path(&mut self, item: Map<String, Value>, pointer: &str) -> Option<PathItem> {
        let mut item = Value::Object(item);
        self.parameters(&mut item, pointer);
        let mut kept = Map::new();
        kept.extend(item.get_mut("parameters").map(|parameters| ("parameters".to_owned(), parameters.take())));
        for method in METHODS {
            let Some(mut operation) = item.get_mut(method).map(Value::take) else { continue };
            let pointer = format!("{pointer}/{method}");
            self.operation(&mut operation, &pointer);
            // Read alone, what is wrong with it has its own place.
            if self.read::<Operation>(operation.clone(), &pointer).is_some() {
                kept.insert(method.to_owned(), operation);
            }
        }
        self.read(Value::Object(kept), pointer)
    }

    fn operation(&mut self, operation: &mut Value, pointer: &str) {
        if let Value::Object(operation) = &mut *operation {
            operation.retain(|key, _| key.starts_with("x-") || OPERATION.contains(&key.as_str()));
        }
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
            // Examples and encodings must not fail a run.
            let Value::Object(media) = content else { continue };
            media.retain(|key, _| key == "schema");
            if let Some(schema) = media.get_mut("schema") {
                *schema = self.child(schema.take(), format!("{pointer}/content/{}/schema", escape(media_type)));
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
        let mut schema = match schema {
            Value::Object(schema) => schema,
            other => return self.fail(&pointer, format!("a schema is an object, and this is {}", kind(&other))),
        };
        for wrong in keywords::check(&mut schema) {
            let at = Location::pointer(&self.document.name, format!("{pointer}/{}", escape(&wrong.keyword)));
            self.errors.push(Error::at(at, wrong.message).help(wrong.help));
        }
        for (name, property) in object_members(&mut schema, "properties") {
            *property = self.child(property.take(), format!("{pointer}/properties/{}", escape(name)));
        }
        for key in ["items", "additionalProperties"] {
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
                self.fail(pointer, format!("not what OpenAPI 3.0 has here: {error}"));
                None
            }
        }
    }

    fn fail(&mut self, pointer: &str, message: impl Into<String>) {
        self.errors.push(Error::at(Location::pointer(&self.document.name, pointer), message));
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
