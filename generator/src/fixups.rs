//! Corrections of documents, as data: `fixups.yaml`.

use crate::document::{escape, unescape};
use crate::error::{Error, Errors, Location};
use crate::load::{self, Raw, Source};
use serde::Deserialize;
use serde_json::{Value, json};

/// An entry of the file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    /// Its name in reports.
    id: String,
    /// What is wrong.
    reason: String,
    /// How that is known.
    source: String,
    /// About a named schema.
    schema: Option<String>,
    /// About all operations that this describes.
    operations: Option<Operations>,
    /// About all query parameters with this name.
    parameter: Option<String>,
    /// Members of the schema that are not required.
    optional: Option<Vec<String>>,
    /// A query parameter that the document misses.
    add_parameter: Option<Value>,
    /// The schema of what a success really answers.
    answer: Option<String>,
    /// The parameter may be given several times, as the server reads a list.
    repeated: Option<bool>,
}

/// Describes operations: everything that is said must hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Operations {
    /// `x-kubernetes-action`.
    action: Option<String>,
    /// How the path ends, one of these.
    path_ends: Vec<String>,
}

/// What an entry does.
enum Fixup {
    Optional { schema: String, members: Vec<String> },
    Operations { which: Operations, change: Change },
    Repeated { parameter: String },
}

/// What happens to an operation.
enum Change {
    AddParameter(Value),
    Answer(String),
}

/// A correction and how many places it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Its name.
    pub id: String,
    /// What is wrong.
    pub reason: String,
    /// How that is known.
    pub source: String,
    /// Number of changed places.
    pub places: usize,
}

/// Applies all corrections. One that changes nothing is an error: the document has been mended, or the correction
/// was never right.
///
/// # Errors
/// When the file cannot be read.
pub fn apply(source: &Source, raws: &mut [Raw], errors: &mut Errors) -> Result<Vec<Applied>, Error> {
    let entries: Vec<Entry> = load::parse(source)?;
    let mut applied = Vec::new();
    for (index, entry) in entries.into_iter().enumerate() {
        let (id, reason, known_from) = (entry.id.clone(), entry.reason.clone(), entry.source.clone());
        let at = Location::pointer(&source.name, format!("/{index}"));
        let Some(fixup) = entry.fixup() else {
            let help = "say one of: `schema` and `optional`, `operations` and `add-parameter`, `operations` and \
                        `answer`, `parameter` and `repeated: true`";
            errors.push(Error::at(at, format!("fixup `{id}` does not say what to correct")).help(help));
            continue;
        };
        let places = fixup.apply(raws);
        if places == 0 {
            let help = "the documents do not need it any more, or do not have what it names: correct it or remove it";
            errors.push(Error::at(at, format!("fixup `{id}` changes nothing")).help(help));
        }
        applied.push(Applied { id, reason, source: known_from, places });
    }
    Ok(applied)
}

impl Entry {
    /// What it does. None: it names no target, no change, or more than one of them.
    fn fixup(self) -> Option<Fixup> {
        match (
            self.schema,
            self.operations,
            self.parameter,
            self.optional,
            self.add_parameter,
            self.answer,
            self.repeated,
        ) {
            (Some(schema), None, None, Some(members), None, None, None) => Some(Fixup::Optional { schema, members }),
            (None, Some(which), None, None, Some(parameter), None, None) => {
                Some(Fixup::Operations { which, change: Change::AddParameter(parameter) })
            }
            (None, Some(which), None, None, None, Some(schema), None) => {
                Some(Fixup::Operations { which, change: Change::Answer(schema) })
            }
            (None, None, Some(parameter), None, None, None, Some(true)) => Some(Fixup::Repeated { parameter }),
            _ => None,
        }
    }
}

impl Fixup {
    /// Corrects the documents and tells in how many places.
    fn apply(&self, raws: &mut [Raw]) -> usize {
        match self {
            Fixup::Optional { schema, members } => optional(schema, members, raws),
            Fixup::Operations { which, change } => which.apply(change, raws),
            Fixup::Repeated { parameter } => raws.iter_mut().map(|raw| repeat(&mut raw.value, parameter)).sum(),
        }
    }
}

/// Members of a schema are not required.
fn optional(schema: &str, members: &[String], raws: &mut [Raw]) -> usize {
    let pointer = format!("/components/schemas/{}", escape(schema));
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

impl Operations {
    fn apply(&self, change: &Change, raws: &mut [Raw]) -> usize {
        let holders: Vec<String> = match change {
            Change::Answer(schema) => holders(schema, raws),
            Change::AddParameter(_) => Vec::new(),
        };
        let mut places = 0;
        for raw in raws {
            let holder = holders.iter().find(|holder| **holder == raw.name).or(holders.first());
            let shared = raw.value.pointer("/components/responses").cloned().unwrap_or_default();
            let document = Document { name: &raw.name, responses: &shared, holder };
            let paths = raw.value.get_mut("paths").and_then(Value::as_object_mut);
            for (path, item) in paths.into_iter().flatten() {
                if self.path_ends.iter().any(|end| path.ends_with(end)) {
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
            Change::Answer(schema) => document
                .holder
                .map_or(0, |holder| answer(operation, document.responses, &reference(document.name, holder, schema))),
        });
        places.sum()
    }

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
