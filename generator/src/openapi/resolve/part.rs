//! Self-contained parts of the documents: some operations and schemas, with all that these refer
//! to, corrected and united, without descriptions.

use super::{Documents, SCHEMAS};
use crate::openapi::document::METHODS;
use crate::openapi::load::RawDocument;
use crate::pointer::{escape, unescape};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Operations: the names of documents and paths in them, with methods in capitals.
pub type Operations<'a> = BTreeMap<(&'a str, &'a str), BTreeSet<&'a str>>;

/// Some operations and schemas, with everything that they refer to, as a document of its own.
#[derive(Debug)]
pub struct PartialDocument {
    /// The document.
    pub value: Value,
    /// The names of its schemas.
    pub schemas: BTreeSet<String>,
}

/// The members of an operation that are neither documentation nor of other use than to its server.
const OPERATION: [&str; 5] =
    ["deprecated", "operationId", "parameters", "requestBody", "responses"];

/// The keywords of a schema that document it.
const PROSE: [&str; 5] = ["description", "example", "externalDocs", "title", "xml"];

/// The sections of `components` that operations refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Parameters,
    RequestBodies,
    Responses,
}

impl Section {
    const ALL: [Self; 3] = [Self::Parameters, Self::RequestBodies, Self::Responses];

    fn name(self) -> &'static str {
        match self {
            Self::Parameters => "parameters",
            Self::RequestBodies => "requestBodies",
            Self::Responses => "responses",
        }
    }
}

impl Documents {
    /// The part with these operations and named schemas. Shared parameters, request bodies,
    /// responses and schemas of other documents become its own. It takes its title from the first
    /// document with one of the operations.
    ///
    /// The documents must have been kept: see [`keeping`](Self::keeping).
    #[must_use]
    pub fn part(&self, operations: &Operations<'_>, schemas: &BTreeSet<&str>) -> PartialDocument {
        let mut builder = Builder::new(self);
        let mut paths = Map::new();
        let mut info = None;
        for (index, raw) in self.raws.iter().enumerate() {
            for (path, item) in
                raw.value.get("paths").and_then(Value::as_object).into_iter().flatten()
            {
                let Some(methods) = operations.get(&(raw.name.as_str(), path.as_str())) else {
                    continue;
                };
                info.get_or_insert(index);
                let item = builder.path(index, item, methods);
                // Two documents may have methods of one path.
                match (paths.get_mut(path), item) {
                    (Some(Value::Object(there)), Value::Object(item)) => there.extend(item),
                    (_, item) => drop(paths.insert(path.clone(), item)),
                }
            }
        }
        builder.open_schemas.extend(schemas.iter().map(|name| (*name).to_owned()));
        builder.close();
        builder.into_part(info.map(|index| &self.raws[index]), paths)
    }
}

/// A shared parameter, request body or response: its section, its document and its pointer there.
type SharedKey = (Section, usize, String);

/// A part that grows: references are followed from lists, since chains of them may be long.
struct Builder<'a> {
    documents: &'a Documents,
    schemas: BTreeMap<String, Value>,
    /// Names of schemas that are still to be copied.
    open_schemas: Vec<String>,
    /// Shared parameters, request bodies and responses by their name in the part.
    shared: BTreeMap<(Section, String), Value>,
    /// Their names.
    names: BTreeMap<SharedKey, String>,
    /// The items that are still to be copied.
    open_shared: Vec<SharedKey>,
}

impl<'a> Builder<'a> {
    fn new(documents: &'a Documents) -> Self {
        Self {
            documents,
            schemas: BTreeMap::new(),
            open_schemas: Vec::new(),
            shared: BTreeMap::new(),
            names: BTreeMap::new(),
            open_shared: Vec::new(),
        }
    }

    fn path(&mut self, document: usize, item: &Value, methods: &BTreeSet<&str>) -> Value {
        let mut path = Map::new();
        if let Some(parameters) = item.get("parameters") {
            path.insert("parameters".to_owned(), self.parameters(document, parameters));
        }
        for method in
            METHODS.into_iter().filter(|method| methods.contains(method.to_uppercase().as_str()))
        {
            let Some(Value::Object(operation)) = item.get(method) else { continue };
            path.insert(method.to_owned(), self.operation(document, operation));
        }
        Value::Object(path)
    }

    fn operation(&mut self, document: usize, operation: &Map<String, Value>) -> Value {
        let mut copy = Map::new();
        for (key, value) in operation
            .iter()
            .filter(|(key, _)| is_extension(key) || OPERATION.contains(&key.as_str()))
        {
            let value = match key.as_str() {
                "parameters" => self.parameters(document, value),
                "requestBody" => match self.message(document, Section::RequestBodies, value) {
                    Some(body) => body,
                    None => continue,
                },
                "responses" => {
                    let responses = value
                        .as_object()
                        .into_iter()
                        .flatten()
                        .filter(|(status, _)| !is_extension(status));
                    let copies = responses.filter_map(|(status, response)| {
                        let copy = self.message(document, Section::Responses, response)?;
                        Some((status.clone(), copy))
                    });
                    Value::Object(copies.collect())
                }
                _ => value.clone(),
            };
            copy.insert(key.clone(), value);
        }
        Value::Object(copy)
    }

    fn parameters(&mut self, document: usize, parameters: &Value) -> Value {
        let all = parameters.as_array().into_iter().flatten();
        all.filter_map(|parameter| self.message(document, Section::Parameters, parameter)).collect()
    }

    /// A parameter, a request body or a response, or a reference to one that is shared. `None`: the
    /// reference does not resolve, which is an error where it matters.
    fn message(&mut self, document: usize, section: Section, message: &Value) -> Option<Value> {
        let Some(reference) = message.get("$ref").and_then(Value::as_str) else {
            return Some(self.content(document, section, message));
        };
        let (target, pointer) = self.documents.target(document, reference).ok()?;
        let wanted = unescape(pointer.strip_prefix(&format!("/components/{}/", section.name()))?)
            .into_owned();
        self.documents.raws[target].value.pointer(&pointer)?;
        let key = (section, target, pointer);
        let name = match self.names.get(&key) {
            Some(name) => name.clone(),
            None => self.open(key, wanted),
        };
        Some(json!({ "$ref": format!("#/components/{}/{}", section.name(), escape(&name)) }))
    }

    /// Names something that is shared and still to be copied: as in its document, or with a number
    /// if another document has something else of that name.
    fn open(&mut self, key: SharedKey, wanted: String) -> String {
        let numbered = (2_usize..).map(|number| format!("{wanted}_{number}"));
        let mut names = [wanted.clone()].into_iter().chain(numbered);
        let name =
            names.find(|name| !self.shared.contains_key(&(key.0, name.clone()))).unwrap_or(wanted);
        self.shared.insert((key.0, name.clone()), Value::Null);
        self.names.insert(key.clone(), name.clone());
        self.open_shared.push(key);
        name
    }

    /// A parameter, a request body or a response that is written out.
    fn content(&mut self, document: usize, section: Section, message: &Value) -> Value {
        let Value::Object(message) = message else { return message.clone() };
        let mut copy = Map::new();
        for (key, value) in message {
            let value = match key.as_str() {
                // OpenAPI requires one.
                "description" if section == Section::Responses => "".into(),
                "description" | "example" | "examples" | "headers" | "links" => continue,
                "schema" => self.schema(document, value),
                "content" => {
                    let all = value.as_object().into_iter().flatten();
                    let copies = all.map(|(name, media)| {
                        let mut copy = Map::new();
                        if let Some(schema) = media.get("schema") {
                            copy.insert("schema".to_owned(), self.schema(document, schema));
                        }
                        (name.clone(), Value::Object(copy))
                    });
                    copies.collect()
                }
                _ => value.clone(),
            };
            copy.insert(key.clone(), value);
        }
        Value::Object(copy)
    }

    fn schema(&mut self, document: usize, schema: &Value) -> Value {
        let Value::Object(schema) = schema else { return schema.clone() };
        let mut copy = Map::new();
        for (key, value) in schema.iter().filter(|(key, _)| !PROSE.contains(&key.as_str())) {
            let value = match (key.as_str(), value) {
                ("$ref", Value::String(reference)) => match self.reference(document, reference) {
                    Some(reference) => reference.into(),
                    None => continue,
                },
                ("properties", Value::Object(properties)) => properties
                    .iter()
                    .map(|(name, schema)| (name.clone(), self.schema(document, schema)))
                    .collect(),
                ("items" | "additionalProperties" | "not", value) => self.schema(document, value),
                ("allOf" | "anyOf" | "oneOf", Value::Array(branches)) => {
                    branches.iter().map(|branch| self.schema(document, branch)).collect()
                }
                (_, value) => value.clone(),
            };
            copy.insert(key.clone(), value);
        }
        Value::Object(copy)
    }

    /// The reference to a schema of the part. An unresolved reference is an error where a type is
    /// made of it.
    fn reference(&mut self, document: usize, reference: &str) -> Option<String> {
        let (_, pointer) = self.documents.target(document, reference).ok()?;
        let below = pointer.strip_prefix(SCHEMAS)?;
        let (name, inside) =
            below.split_once('/').map_or((below, ""), |(name, inside)| (name, inside));
        let name = unescape(name).into_owned();
        let name = self.documents.copies.get(&name).unwrap_or(&name);
        self.documents.owners.get(name)?;
        if !self.schemas.contains_key(name) {
            self.open_schemas.push(name.clone());
        }
        let inside = if inside.is_empty() { String::new() } else { format!("/{inside}") };
        Some(format!("#{SCHEMAS}{}{inside}", escape(name)))
    }

    /// Copies the targets of references until all are present.
    fn close(&mut self) {
        while let Some(key) = self.open_shared.pop() {
            let (section, document, pointer) = &key;
            let content = self.documents.raws[*document].value.pointer(pointer);
            let content = content.and_then(|content| self.message(*document, *section, content));
            let name = self.names[&key].clone();
            self.shared.insert((*section, name), content.unwrap_or_default());
        }
        while let Some(name) = self.open_schemas.pop() {
            if self.schemas.contains_key(&name) {
                continue;
            }
            let Some(owner) = self.documents.owners.get(&name) else { continue };
            let schema =
                self.documents.raws[*owner].value.pointer(&format!("{SCHEMAS}{}", escape(&name)));
            let schema = schema.map(|schema| self.schema(*owner, schema));
            self.schemas.insert(name, schema.unwrap_or_default());
        }
    }

    fn into_part(
        self,
        head: Option<&'a RawDocument>,
        paths: Map<String, Value>,
    ) -> PartialDocument {
        let [openapi, title, version] = ["/openapi", "/info/title", "/info/version"]
            .map(|pointer| head?.value.pointer(pointer)?.as_str());
        let mut components = Map::new();
        let names = self.schemas.keys().cloned().collect();
        components.insert("schemas".to_owned(), self.schemas.into_iter().collect());
        for section in Section::ALL {
            let all = self.shared.iter().filter(|((there, _), _)| *there == section);
            let all: Map<String, Value> =
                all.map(|((_, name), value)| (name.clone(), value.clone())).collect();
            if !all.is_empty() {
                components.insert(section.name().to_owned(), Value::Object(all));
            }
        }
        let value = json!({
            "openapi": openapi.unwrap_or("3.0.3"),
            "info": {
                "title": title.unwrap_or_default(),
                "version": version.unwrap_or_default(),
            },
            "paths": Value::Object(paths),
            "components": Value::Object(components),
        });
        PartialDocument { value, schemas: names }
    }
}

fn is_extension(key: &str) -> bool {
    key.starts_with("x-")
}
