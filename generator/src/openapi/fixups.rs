//! `fixups.yaml` is a list of corrections, for documents that differ from what their servers do.
//! kapigen reads it from the folder of the documents, or from the path in `--fixups`. Corrections
//! of known mistakes in the documents of Kubernetes are part of kapigen, in `generator/fixups/`. An
//! entry in your file that changes nothing is an error.
//!
//! ```yaml
//! - id: binding-returns-status
//!   operations:
//!     action: post
//!     path-ends: ["/pods/{name}/binding"]
//!   response: io.k8s.apimachinery.pkg.apis.meta.v1.Status
//!   reason: Documented to return the Binding that was sent; servers return a Status.
//!   source: kubernetes/kubernetes issue 80663
//! - id: secret-may-be-null
//!   schema: io.k8s.api.core.v1.ScaleIOVolumeSource
//!   optional: [secretRef]
//!   reason: Documented as required; servers write null.
//!   source: the Go type, whose SecretRef is a pointer without omitempty
//! - id: exec-command-is-repeated
//!   parameter: command
//!   repeated: true
//!   reason: Documented as one string; servers read a list.
//!   source: the Go type PodExecOptions
//! ```

use crate::error::{Error, Errors, Location};
use crate::input::{Source, parse};
use crate::openapi::load::RawDocument;
use crate::parallel;
use crate::pointer::{escape, unescape};
use kapigen_definitions::schema_keywords::{ACTION, KINDS};
use serde::Deserialize;
use serde_json::{Value, json};

/// An entry names one target (`schema`, `operations` or `parameter`) and one correction of it:
/// `optional` of a schema; `add-parameter`, `add-body`, `response` or `kind` of operations;
/// `repeated` of a parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    /// The name of the correction in reports.
    id: String,
    /// The mistake in the document.
    reason: String,
    /// The evidence.
    source: String,
    /// The target: the name of a schema.
    schema: Option<String>,
    /// The target: all operations that match.
    operations: Option<Operations>,
    /// The target: all query parameters with this name.
    parameter: Option<String>,
    /// Properties of the schema that are in fact optional.
    optional: Option<Vec<String>>,
    /// A parameter that the document lacks, as OpenAPI describes one.
    add_parameter: Option<Value>,
    /// The name of the schema of a request body that the document lacks.
    add_body: Option<String>,
    /// The name of the schema of the body of a successful response.
    response: Option<String>,
    /// `true`: the parameter is a list, and each element is one query parameter.
    repeated: Option<bool>,
    /// The kind of the objects of the operations.
    kind: Option<String>,
}

/// The correction of an entry.
enum Fixup {
    Optional { schema: String, members: Vec<String> },
    Operations { which: Operations, change: Change },
    Repeated { parameter: String },
}

/// The corrections that are part of kapigen: for documents that API servers publish, and for our
/// own documents.
const SHIPPED: [(&str, &str); 2] = [
    ("fixups/other.yaml of kapigen", include_str!("../../fixups/other.yaml")),
    ("fixups/spec.yaml of kapigen", include_str!("../../fixups/spec.yaml")),
];

/// A correction and the number of places that it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Its name.
    pub id: String,
    /// The mistake in the document.
    pub reason: String,
    /// The evidence.
    pub source: String,
    /// Number of changed places.
    pub places: usize,
}

/// Applies the corrections of a file. A correction that changes nothing is an error: the document
/// was fixed, or the correction was never right.
///
/// # Errors
/// When the file cannot be read.
pub fn apply(
    source: &Source,
    raws: &mut [RawDocument],
    errors: &mut Errors,
) -> Result<Vec<Applied>, Error> {
    let applied = apply_all(source, raws, errors)?;
    for (index, fixup) in applied.iter().filter(|(_, fixup)| fixup.places == 0) {
        let at = Location::pointer(&source.name, format!("/{index}"));
        let help = "the documents do not need it any more, or do not have what it names: correct \
                    it or remove it";
        errors.push(Error::at(at, format!("fixup `{}` changes nothing", fixup.id)).help(help));
    }
    Ok(applied.into_iter().map(|(_, fixup)| fixup).collect())
}

/// Applies the corrections that are part of kapigen. They are keyed by mistake and not by release,
/// so most runs need only some of them.
///
/// # Errors
/// When one of the files cannot be read, which is a bug of kapigen.
pub fn apply_shipped(raws: &mut [RawDocument], errors: &mut Errors) -> Result<Vec<Applied>, Error> {
    let mut applied = Vec::new();
    for (name, text) in SHIPPED {
        applied.extend(
            apply_all(&Source::new(name, text), raws, errors)?.into_iter().map(|(_, fixup)| fixup),
        );
    }
    Ok(applied)
}

/// The corrections of a file, each with its index.
fn apply_all(
    source: &Source,
    raws: &mut [RawDocument],
    errors: &mut Errors,
) -> Result<Vec<(usize, Applied)>, Error> {
    let entries: Vec<Entry> = parse::file(source)?;
    let mut applied = Vec::new();
    for (index, entry) in entries.into_iter().enumerate() {
        let id = entry.id.clone();
        let reason = entry.reason.clone();
        let known_from = entry.source.clone();
        let Some(fixup) = entry.fixup() else {
            let at = Location::pointer(&source.name, format!("/{index}"));
            let help = "give one of: `schema` and `optional`, `operations` and `add-parameter`, \
                        `operations` and `add-body`, `operations` and `response`, `operations` \
                        and `kind`, `parameter` and `repeated: true`";
            errors.push(Error::at(at, format!("fixup `{id}` has no correction")).help(help));
            continue;
        };
        applied
            .push((index, Applied { id, reason, source: known_from, places: fixup.apply(raws) }));
    }
    Ok(applied)
}

impl Entry {
    /// The correction. None: the entry names no target, no change, or more than one of them.
    fn fixup(self) -> Option<Fixup> {
        let Self {
            schema,
            operations,
            parameter,
            optional,
            add_parameter,
            add_body,
            response,
            repeated,
            kind,
            ..
        } = self;
        let additions = [add_parameter.map(Change::AddParameter), add_body.map(Change::AddBody)];
        let corrections = [response.map(Change::Response), kind.map(Change::Kind)];
        let mut changes = additions.into_iter().chain(corrections).flatten();
        match (schema, operations, parameter, optional, repeated, (changes.next(), changes.next()))
        {
            (Some(schema), None, None, Some(members), None, (None, _)) => {
                Some(Fixup::Optional { schema, members })
            }
            (None, Some(which), None, None, None, (Some(change), None)) => {
                Some(Fixup::Operations { which, change })
            }
            (None, None, Some(parameter), None, Some(true), (None, _)) => {
                Some(Fixup::Repeated { parameter })
            }
            _ => None,
        }
    }
}

impl Fixup {
    /// Corrects the documents, and returns the number of changed places.
    fn apply(&self, raws: &mut [RawDocument]) -> usize {
        match self {
            Fixup::Optional { schema, members } => optional(schema, members, raws),
            Fixup::Operations { which, change } => which.apply(change, raws),
            Fixup::Repeated { parameter } => {
                parallel::map(raws.iter_mut().collect(), |raw| repeat_in(raw, parameter))
                    .into_iter()
                    .sum()
            }
        }
    }
}

/// Members of a schema are not required.
fn optional(schema: &str, members: &[String], raws: &mut [RawDocument]) -> usize {
    let pointer = format!("/components/schemas/{}", escape(schema));
    let mut places = 0;
    for raw in raws {
        let required =
            raw.value.pointer_mut(&pointer).and_then(|schema| schema.get_mut("required"));
        let Some(Value::Array(required)) = required else { continue };
        let before = required.len();
        required.retain(|member| !members.iter().any(|name| member == name));
        places += before - required.len();
    }
    places
}

/// Where parameters are defined.
fn repeat_in(raw: &mut RawDocument, name: &str) -> usize {
    let places = ["/paths", "/components/parameters"];
    places.iter().filter_map(|place| Some(repeat(raw.value.pointer_mut(place)?, name))).sum()
}

/// Makes a list of every query parameter with this name, however deep it is defined.
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

/// An operation matches if it meets all of these conditions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Operations {
    /// `x-kubernetes-action`, such as `post`, or the action by `operationId` where a document has
    /// none.
    action: Option<String>,
    /// Endings of the path, one of which must match. Default: all paths.
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
    pub(super) fn apply(&self, change: &Change, raws: &mut [RawDocument]) -> usize {
        let holders: Vec<String> = match change {
            Change::Response(schema) | Change::AddBody(schema) => holders(schema, raws),
            Change::AddParameter(_) | Change::Kind(_) => Vec::new(),
        };
        let mut places = 0;
        for raw in raws {
            let holder = holders.iter().find(|holder| **holder == raw.name).or(holders.first());
            let shared = raw.value.pointer("/components/responses").cloned().unwrap_or_default();
            let document = OperationContext { name: &raw.name, responses: &shared, holder };
            let paths = raw.value.get_mut("paths").and_then(Value::as_object_mut);
            for (path, item) in paths.into_iter().flatten() {
                if self
                    .path_ends
                    .as_ref()
                    .is_none_or(|ends| ends.iter().any(|end| path.ends_with(end)))
                {
                    places += self.apply_to_path(change, item, &document);
                }
            }
        }
        places
    }

    fn apply_to_path(
        &self,
        change: &Change,
        item: &mut Value,
        document: &OperationContext<'_>,
    ) -> usize {
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
    operation[ACTION].as_str().or_else(|| {
        let id = operation["operationId"].as_str()?;
        ACTIONS.iter().find(|(start, _)| id.starts_with(start)).map(|(_, action)| *action)
    })
}

/// Whether a parameter, written out or as a reference to a component of the same name, has this
/// name.
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
        // No list: that is reported when the document is split.
        Some(_) => return 0,
    }
    1
}

fn add_body(operation: &mut Value, reference: &str) -> usize {
    if operation.get("requestBody").is_some() {
        return 0;
    }
    operation["requestBody"] =
        json!({"content": {"application/json": {"schema": {"$ref": reference}}}});
    1
}

/// Names another kind of the same group and version.
fn set_kind(operation: &mut Value, kind: &str) -> usize {
    match operation.get_mut(KINDS).and_then(|named| named.get_mut("kind")) {
        Some(named) if named != kind => {
            *named = kind.into();
            1
        }
        _ => 0,
    }
}

/// The parts of a document that a change of an operation needs.
struct OperationContext<'a> {
    name: &'a str,
    /// `components/responses`.
    responses: &'a Value,
    /// The document that has the schema of the true response or the missing body.
    holder: Option<&'a String>,
}

impl OperationContext<'_> {
    fn reference(&self, schema: &str) -> Option<String> {
        self.holder.map(|holder| reference(self.name, holder, schema))
    }
}

/// Puts a reference in place of the schema of every success. A shared response is copied before, so
/// that only this operation changes.
fn set_response(operation: &mut Value, shared: &Value, reference: &str) -> usize {
    let mut places = 0;
    let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
    for (_, response) in
        responses.into_iter().flatten().filter(|(status, _)| status.starts_with('2'))
    {
        let name = response
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|r| r.strip_prefix("#/components/responses/"));
        if let Some(copy) = name.and_then(|name| shared.get(&*unescape(name))) {
            *response = copy.clone();
        }
        let content = response.get_mut("content").and_then(Value::as_object_mut);
        for content in content
            .into_iter()
            .flat_map(|content| content.values_mut())
            .filter(|content| content.is_object())
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
fn holders(schema: &str, raws: &[RawDocument]) -> Vec<String> {
    let pointer = format!("/components/schemas/{}", escape(schema));
    raws.iter()
        .filter(|raw| raw.value.pointer(&pointer).is_some())
        .map(|raw| raw.name.clone())
        .collect()
}

/// A reference from one document to a schema of another.
fn reference(from: &str, to: &str, schema: &str) -> String {
    let file = if from == to {
        String::new()
    } else {
        format!("{}{to}", "../".repeat(from.matches('/').count()))
    };
    format!("{file}#/components/schemas/{}", escape(schema))
}
