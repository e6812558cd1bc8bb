//! Splits a document into its parts: operations and their parts are read with `openapiv3`, schemas
//! into [`Schema`].
//!
//! Every schema of a document, however deeply nested, becomes a node of its own with its JSON
//! pointer as its name; in its parent a reference takes its place. So each node has a place for
//! errors, a nested schema costs no more than a named one, and `$ref` with siblings (as Kubernetes
//! wrote until 1.23) becomes `allOf` with one reference, without the siblings that OpenAPI 3.0
//! ignores.

use super::load::RawDocument;
use crate::error::{Error, Errors, Location};
use crate::input::parse::in_words;
use crate::note::Note;
use crate::openapi::schema::{Additional, Schema, SchemaRef, SchemaType};
use crate::pointer::escape;
use keywords::kind;
use openapiv3::{Operation, Parameter, PathItem, ReferenceOr, RequestBody, Response};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

mod keywords;

/// A document, split into its parts.
#[derive(Debug, Default)]
pub struct Document {
    /// The name of its source.
    pub name: String,
    /// Whether it was made of definitions of custom resources. Among these are some that no server
    /// would take today, so that the invalid parts of a schema are left out and noted.
    pub is_of_definitions: bool,
    /// Notes on the parts that were left out.
    pub notes: Vec<Note>,
    /// Every schema by its JSON pointer, except for the ones that another document has, too.
    pub schemas: BTreeMap<String, Schema>,
    /// Names under `components/schemas`, including the ones that another document has, too.
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

/// Splits a document into its parts, and returns its errors. For schemas in `known`, only the names
/// are kept: an equal schema is in another document.
#[must_use]
pub fn split(raw: RawDocument, known: &BTreeSet<String>) -> (Document, Errors) {
    let is_of_definitions = raw.value["info"]["title"] == TITLE_OF_DEFINITIONS;
    let document = Document { name: raw.name, is_of_definitions, ..Document::default() };
    let mut split = Split { document, errors: Errors::default() };
    let Value::Object(mut root) = raw.value else { return (split.document, split.errors) };
    let components = split.section(&mut root, "", "components");
    split.components(components, known);
    let paths = split.section(&mut root, "", "paths");
    split.paths(paths);
    (split.document, split.errors)
}

/// The title by which servers mark documents that they make of definitions.
const TITLE_OF_DEFINITIONS: &str = "Kubernetes CRD Swagger";

/// The longest pointer. Errors, notes and types keep pointers, so that long ones cost a multiple of
/// the document. Servers publish none above 400 bytes.
const LONGEST_POINTER: usize = 1000;

fn long_pointer() -> String {
    format!("the JSON pointer of this place is longer than {LONGEST_POINTER} bytes")
}

/// The methods that a path may have.
pub(crate) const METHODS: [&str; 8] =
    ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// The members of an operation that are used. The rest must not fail a run.
const OPERATION: [&str; 8] = [
    "callbacks",
    "deprecated",
    "description",
    "operationId",
    "parameters",
    "requestBody",
    "responses",
    "summary",
];

struct Split {
    document: Document,
    errors: Errors,
}

impl Split {
    /// A map of components or paths. An absent one is empty.
    fn section(
        &mut self,
        owner: &mut Map<String, Value>,
        pointer: &str,
        key: &str,
    ) -> Map<String, Value> {
        match owner.remove(key) {
            Some(Value::Object(map)) => map,
            None | Some(Value::Null) => Map::new(),
            Some(other) => {
                let message = format!("`{key}` must be an object, and is {}", kind(&other));
                self.fail(&format!("{pointer}/{key}"), message);
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
            let Some(pointer) = self.below("/components/parameters", &name) else { continue };
            let item = self.parameter(&mut value, &pointer);
            self.document.parameters.extend(item.map(|item| (name, item)));
        }
        for (name, mut value) in self.section(&mut components, "/components", "requestBodies") {
            let Some(pointer) = self.below("/components/requestBodies", &name) else { continue };
            let item = self.message(&mut value, &pointer);
            self.document.request_bodies.extend(item.map(|item| (name, item)));
        }
        for (name, mut value) in self.section(&mut components, "/components", "responses") {
            let Some(pointer) = self.below("/components/responses", &name) else { continue };
            let item = self.message(&mut value, &pointer);
            self.document.responses.extend(item.map(|item| (name, item)));
        }
    }

    /// The pointer of something with a name, if it is not too long.
    fn below(&mut self, section: &str, name: &str) -> Option<String> {
        let pointer = format!("{section}/{}", escape(name));
        if pointer.len() <= LONGEST_POINTER {
            return Some(pointer);
        }
        self.too_long(&pointer);
        None
    }

    fn too_long(&mut self, pointer: &str) {
        let at = Location::pointer(&self.document.name, pointer);
        let help = "give shorter names to it, or to the schemas and properties around it";
        self.errors.push(Error::at(at, long_pointer()).help(help));
    }

    fn note(&mut self, pointer: &str, message: String, help: Option<String>) {
        let location = Location::pointer(&self.document.name, pointer);
        self.document.notes.push(Note { message, location, help });
    }

    fn paths(&mut self, paths: Map<String, Value>) {
        for (path, item) in paths.into_iter().filter(|(path, _)| !path.starts_with("x-")) {
            let Some(pointer) = self.below("/paths", &path) else { continue };
            match item {
                _ if !path.starts_with('/') => {
                    self.fail(&pointer, format!("the path `{path}` does not begin with `/`"));
                }
                Value::Object(item) if item.contains_key("$ref") => {
                    self.fail(&pointer, "a path that is kept elsewhere (`$ref`) is out of scope");
                }
                item @ Value::Object(_) => {
                    let item = self.path(item, &pointer);
                    self.document.paths.push((path, item));
                }
                other => self.fail(
                    &pointer,
                    format!("a path must be an object, and this is {}", kind(&other)),
                ),
            }
        }
    }

    fn path(&mut self, mut item: Value, pointer: &str) -> PathItem {
        let mut path =
            PathItem { parameters: self.parameters(&mut item, pointer), ..PathItem::default() };
        for method in METHODS {
            let Some(operation) = item.get_mut(method).map(Value::take) else { continue };
            *slot(&mut path, method) = self.operation(operation, &format!("{pointer}/{method}"));
        }
        path
    }

    fn operation(&mut self, mut operation: Value, pointer: &str) -> Option<Operation> {
        if let Value::Object(operation) = &mut operation {
            operation.retain(|key, _| key.starts_with("x-") || OPERATION.contains(&key.as_str()));
        }
        let parameters = self.parameters(&mut operation, pointer);
        let body = operation.get_mut("requestBody").map(Value::take);
        let request_body =
            body.and_then(|mut body| self.message(&mut body, &format!("{pointer}/requestBody")));
        if let Some(Value::Object(responses)) = operation.get_mut("responses") {
            responses.retain(|status, response| {
                let pointer = format!("{pointer}/responses/{}", escape(status));
                self.message::<Response>(response, &pointer).is_some()
            });
        }
        // Their content is not used.
        if let Some(Value::Object(callbacks)) = operation.get_mut("callbacks") {
            callbacks.values_mut().for_each(|callback| *callback = json!({}));
        }
        let operation = self.read(&operation, pointer)?;
        Some(Operation { parameters, request_body, ..operation })
    }

    /// Takes the parameters out of their owner.
    fn parameters(&mut self, owner: &mut Value, pointer: &str) -> Vec<ReferenceOr<Parameter>> {
        let pointer = format!("{pointer}/parameters");
        let list = match owner.get_mut("parameters").map(|list| std::mem::replace(list, json!([])))
        {
            None => return Vec::new(),
            Some(Value::Array(list)) => list,
            Some(other) => {
                let message = format!("`parameters` must be a list, and is {}", kind(&other));
                self.fail(&pointer, message);
                return Vec::new();
            }
        };
        let parameters = list.into_iter().enumerate().filter_map(|(index, mut item)| {
            self.parameter(&mut item, &format!("{pointer}/{index}"))
        });
        parameters.collect()
    }

    fn parameter(
        &mut self,
        parameter: &mut Value,
        pointer: &str,
    ) -> Option<ReferenceOr<Parameter>> {
        if let Some(message) = keywords::incomplete(parameter) {
            self.fail(pointer, message);
            return None;
        }
        if let Some(schema) = parameter.get_mut("schema") {
            *schema = in_place_of(&self.child(schema.take(), format!("{pointer}/schema")));
        }
        self.message(parameter, pointer)
    }

    /// A part of an operation that may have content. Read alone, so that its errors have a location
    /// of their own.
    fn message<T: DeserializeOwned>(
        &mut self,
        message: &mut Value,
        pointer: &str,
    ) -> Option<ReferenceOr<T>> {
        self.content(message, pointer);
        // `openapiv3` would try one after the other, on a copy.
        match message.get("$ref").and_then(Value::as_str) {
            Some(reference) => Some(ReferenceOr::Reference { reference: reference.to_owned() }),
            None => self.read(message, pointer).map(ReferenceOr::Item),
        }
    }

    /// The schemas of a request body or a response. Headers and links of responses are not used.
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
                let child = self.child(
                    schema.take(),
                    format!("{pointer}/content/{}/schema", escape(media_type)),
                );
                *schema = in_place_of(&child);
            }
        }
    }

    fn read<T: DeserializeOwned>(&mut self, value: &Value, pointer: &str) -> Option<T> {
        if !value.is_object() {
            let message = format!("OpenAPI 3.0 has an object here, and this is {}", kind(value));
            self.fail(pointer, message);
            return None;
        }
        let mismatches = keywords::mismatches(value);
        if !mismatches.is_empty() {
            for (member, message) in mismatches {
                self.fail(&format!("{pointer}/{member}"), message);
            }
            return None;
        }
        match T::deserialize(value) {
            Ok(item) => Some(item),
            Err(error) => {
                let words = in_words(&error.to_string());
                let is_clear = words.ends_with(" is missing");
                self.fail(
                    pointer,
                    if is_clear {
                        words
                    } else {
                        format!("not what OpenAPI 3.0 has here: {words}")
                    },
                );
                None
            }
        }
    }

    fn fail(&mut self, pointer: &str, message: impl Into<String>) {
        self.errors.push(Error::at(Location::pointer(&self.document.name, pointer), message));
    }

    /// Makes a nested schema a node of its own, and returns the reference that takes its place.
    fn child(&mut self, schema: Value, pointer: String) -> SchemaRef {
        if let Some(reference) = bare_reference(&schema) {
            return SchemaRef { reference: reference.to_owned(), target: None };
        }
        let reference = format!("#{pointer}");
        self.schema(schema, pointer);
        SchemaRef { reference, target: None }
    }

    pub(super) fn schema(&mut self, schema: Value, pointer: String) {
        if pointer.len() > LONGEST_POINTER {
            if !self.document.is_of_definitions {
                return self.too_long(&pointer);
            }
            // The schemas below are not split off, so that pointers stay short.
            let message = format!("its values are kept as JSON: {}", long_pointer());
            self.note(&pointer, message, None);
            self.document.schemas.insert(pointer, Schema::default());
            return;
        }
        let mut keywords = match schema {
            Value::Object(keywords) => keywords,
            other => {
                let message = format!("a schema must be an object, and this is {}", kind(&other));
                return self.fail(&pointer, message);
            }
        };
        let limits = keywords::take_limits(&mut keywords);
        keywords::drop_beside_reference(&mut keywords);
        let conditions = keywords::conditions(&keywords);
        for mistake in keywords::check(&mut keywords) {
            let at = format!("{pointer}/{}", escape(&mistake.keyword));
            if self.document.is_of_definitions {
                self.note(
                    &at,
                    format!("the keyword is left out: {}", mistake.message),
                    mistake.help,
                );
                continue;
            }
            let at = Location::pointer(&self.document.name, at);
            self.errors.push(Error { help: mistake.help, ..Error::at(at, mistake.message) });
        }
        let schema = Schema { limits, conditions, ..self.read_schema(keywords, &pointer) };
        self.document.schemas.insert(pointer, schema);
    }

    /// Reads keywords that were checked.
    fn read_schema(&mut self, keywords: Map<String, Value>, pointer: &str) -> Schema {
        let mut schema = Schema::default();
        let mut reference = None;
        for (keyword, value) in keywords {
            match (keyword.as_str(), value) {
                ("type", Value::String(typ)) => schema.typ = Some(typ.into()),
                ("format", Value::String(format)) => schema.format = Some(format),
                ("description", Value::String(description)) => {
                    schema.description = Some(description);
                }
                ("deprecated", value) => schema.deprecated = value == true,
                ("default", value) => schema.default = Some(value),
                ("nullable", value) => schema.nullable = value == true,
                ("required", Value::Array(names)) => {
                    schema.required = names.into_iter().filter_map(string).collect();
                }
                ("enum", Value::Array(values)) => schema.values = values,
                ("properties", Value::Object(properties)) => {
                    for (name, property) in properties {
                        let pointer = format!("{pointer}/properties/{}", escape(&name));
                        schema.properties.insert(name, self.child(property, pointer));
                    }
                }
                ("additionalProperties", Value::Bool(any)) => {
                    schema.additional = Some(Additional::Allowed(any));
                }
                ("additionalProperties", values) => {
                    let values = self.child(values, format!("{pointer}/additionalProperties"));
                    schema.additional = Some(Additional::Schema(values));
                }
                ("items", items) => {
                    schema.items = Some(self.child(items, format!("{pointer}/items")));
                }
                ("allOf", Value::Array(branches)) => {
                    schema.all_of = self.branches(branches, pointer, "allOf");
                }
                ("oneOf", Value::Array(branches)) => {
                    schema.one_of = self.branches(branches, pointer, "oneOf");
                }
                ("anyOf", Value::Array(branches)) => {
                    schema.any_of = self.branches(branches, pointer, "anyOf");
                }
                ("$ref", Value::String(target)) => {
                    reference = Some(SchemaRef { reference: target, target: None });
                }
                (_, value) => drop(schema.extensions.insert(keyword, value)),
            }
        }
        // `$ref` with siblings is `allOf` with one branch and the same siblings.
        schema.all_of.extend(reference);
        if schema.typ.is_none()
            && !schema.values.is_empty()
            && schema.values.iter().all(Value::is_string)
        {
            schema.typ = Some(SchemaType::String);
        }
        schema
    }

    fn branches(&mut self, branches: Vec<Value>, pointer: &str, keyword: &str) -> Vec<SchemaRef> {
        let branches = branches.into_iter().enumerate();
        branches
            .map(|(index, branch)| self.child(branch, format!("{pointer}/{keyword}/{index}")))
            .collect()
    }
}

/// A reference, for the parts of a document that `openapiv3` reads.
fn in_place_of(schema: &SchemaRef) -> Value {
    json!({ "$ref": schema.reference })
}

/// Where a path keeps the operation of a method.
fn slot<'a>(path: &'a mut PathItem, method: &str) -> &'a mut Option<Operation> {
    match method {
        "get" => &mut path.get,
        "put" => &mut path.put,
        "post" => &mut path.post,
        "delete" => &mut path.delete,
        "options" => &mut path.options,
        "head" => &mut path.head,
        "patch" => &mut path.patch,
        _ => &mut path.trace,
    }
}

fn bare_reference(schema: &Value) -> Option<&str> {
    let schema = schema.as_object().filter(|schema| schema.len() == 1)?;
    schema.get("$ref")?.as_str()
}

fn string(value: Value) -> Option<String> {
    if let Value::String(string) = value { Some(string) } else { None }
}
