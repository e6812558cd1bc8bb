//! Corrections of documents, as data: `fixups.yaml`.

use crate::error::{Error, Errors, Location};
use crate::load::{self, Raw, Source};
use serde::Deserialize;
use serde_json::{Value, json};

/// One correction.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Fixup {
    /// Its name in reports.
    pub id: String,
    /// What is wrong.
    pub reason: String,
    /// How that is known.
    pub source: String,
    #[serde(flatten)]
    target: Target,
    #[serde(flatten)]
    change: Change,
}

/// What a correction is about.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Target {
    /// A named schema.
    Schema(String),
    /// All operations that this describes.
    Operations(Operations),
    /// All query parameters with this name.
    Parameter(String),
}

/// Describes operations: everything that is said must hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Operations {
    /// `x-kubernetes-action`.
    action: Option<String>,
    /// How the path ends.
    path_ends: String,
}

/// What a correction does.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Change {
    /// Members of the schema that are not required.
    Optional(Vec<String>),
    /// A query parameter that the document misses.
    AddParameter(Value),
    /// The parameter may be given several times, as the server reads a list.
    Repeated(bool),
    /// The schema of what a success really answers.
    Answer(String),
}

/// A correction and how many places it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Its name.
    pub id: String,
    /// Number of changed places.
    pub places: usize,
}

/// Applies all corrections. One that changes nothing is an error: the document has been mended, or the correction
/// was never right.
///
/// # Errors
/// When the file cannot be read.
pub fn apply(source: &Source, raws: &mut [Raw], errors: &mut Errors) -> Result<Vec<Applied>, Error> {
    let fixups: Vec<Fixup> = load::parse(source)?;
    let mut applied = Vec::new();
    for (index, fixup) in fixups.into_iter().enumerate() {
        let places = fixup.apply(raws);
        if places == 0 {
            errors.push(
                Error::at(
                    Location::pointer(&source.name, format!("/{index}")),
                    format!("fixup `{}` changes nothing", fixup.id),
                )
                .help("the documents do not need it any more, or do not have what it names: correct it or remove it"),
            );
        }
        applied.push(Applied { id: fixup.id, places });
    }
    Ok(applied)
}

impl Fixup {
    fn apply(&self, raws: &mut [Raw]) -> usize {
        match &self.target {
            Target::Schema(name) => self.apply_to_schema(name, raws),
            Target::Operations(operations) => self.apply_to_operations(operations, raws),
            Target::Parameter(name) => match self.change {
                Change::Repeated(true) => raws.iter_mut().map(|raw| repeat(&mut raw.value, name)).sum(),
                _ => 0,
            },
        }
    }

    fn apply_to_schema(&self, name: &str, raws: &mut [Raw]) -> usize {
        let Change::Optional(members) = &self.change else { return 0 };
        let pointer = format!("/components/schemas/{}", crate::document::escape(name));
        let mut places = 0;
        for raw in raws {
            let required = raw.value.pointer_mut(&pointer).and_then(|schema| schema.get_mut("required"));
            let Some(Value::Array(required)) = required else { continue };
            let before = required.len();
            required.retain(|member| !members.iter().any(|name| member == name));
            places += before - required.len();
        }
        places
    }

    fn apply_to_operations(&self, operations: &Operations, raws: &mut [Raw]) -> usize {
        let holders: Vec<String> = match &self.change {
            Change::Answer(schema) => holders(schema, raws),
            _ => Vec::new(),
        };
        let mut places = 0;
        for raw in raws {
            let holder = holders.iter().find(|holder| **holder == raw.name).or(holders.first());
            let shared = raw.value.pointer("/components/responses").cloned().unwrap_or_default();
            let document = Document { name: &raw.name, responses: &shared, holder };
            let paths = raw.value.get_mut("paths").and_then(Value::as_object_mut);
            for (path, item) in paths.into_iter().flatten() {
                if path.ends_with(&operations.path_ends) {
                    places += self.apply_to_path(operations, item, &document);
                }
            }
        }
        places
    }

    fn apply_to_path(&self, wanted: &Operations, item: &mut Value, document: &Document<'_>) -> usize {
        let Value::Object(item) = item else { return 0 };
        let mut shared = item.remove("parameters");
        let mut places = 0;
        let methods = item.values_mut().filter(|operation| operation.get("responses").is_some());
        for operation in methods.filter(|operation| wanted.fits(operation)) {
            places += match &self.change {
                Change::AddParameter(parameter) => add_parameter(operation, shared.as_ref(), parameter),
                Change::Answer(schema) => match document.holder {
                    Some(holder) => answer(operation, document.responses, &reference(document.name, holder, schema)),
                    None => 0,
                },
                Change::Optional(_) | Change::Repeated(_) => 0,
            };
        }
        if let Some(shared) = shared.take() {
            item.insert("parameters".to_owned(), shared);
        }
        places
    }
}

impl Operations {
    fn fits(&self, operation: &Value) -> bool {
        self.action.is_none() || operation.get("x-kubernetes-action").and_then(Value::as_str) == self.action.as_deref()
    }
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
        _ => operation["parameters"] = json!([parameter]),
    }
    1
}

/// Makes a list of every query parameter with this name, wherever it is defined.
fn repeat(value: &mut Value, name: &str) -> usize {
    match value {
        Value::Array(list) => list.iter_mut().map(|element| repeat(element, name)).sum(),
        Value::Object(object) => {
            let is_it = object.get("in").is_some_and(|place| place == "query")
                && object.get("name").is_some_and(|there| there == name);
            match object.get_mut("schema").filter(|schema| is_it && schema["type"] != "array") {
                Some(schema) => {
                    *schema = json!({ "type": "array", "items": schema.take() });
                    1
                }
                None => object.values_mut().map(|member| repeat(member, name)).sum(),
            }
        }
        _ => 0,
    }
}

/// What a change of an operation needs to know of its document.
struct Document<'a> {
    name: &'a str,
    /// `components/responses`.
    responses: &'a Value,
    /// The document that has the schema of the true answer.
    holder: Option<&'a String>,
}

/// Puts a reference in place of the schema of every success. A shared response is copied before, so that only this
/// operation changes.
fn answer(operation: &mut Value, shared: &Value, reference: &str) -> usize {
    let mut places = 0;
    let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
    for (_, response) in responses.into_iter().flatten().filter(|(status, _)| status.starts_with('2')) {
        let name = response.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/components/responses/"));
        if let Some(copy) = name.and_then(|name| shared.get(crate::document::unescape(name))) {
            *response = copy.clone();
        }
        let content = response.get_mut("content").and_then(Value::as_object_mut);
        for content in content.into_iter().flat_map(|content| content.values_mut()) {
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
    let pointer = format!("/components/schemas/{}", crate::document::escape(schema));
    raws.iter().filter(|raw| raw.value.pointer(&pointer).is_some()).map(|raw| raw.name.clone()).collect()
}

/// A reference from one document to a schema of another.
fn reference(from: &str, to: &str, schema: &str) -> String {
    let file = if from == to { String::new() } else { format!("{}{to}", "../".repeat(from.matches('/').count())) };
    format!("{file}#/components/schemas/{}", crate::document::escape(schema))
}
