//! Corrections of documents, as data: `fixups.yaml`.

mod operations;

use crate::error::{Error, Errors, Location};
use crate::input::{Source, parse};
use crate::openapi::load::Raw;
use crate::parallel;
use crate::pointer::escape;
use operations::{Change, Operations};
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
    /// The schema of a request body that the document misses.
    add_body: Option<String>,
    /// The schema of what a success really answers.
    answer: Option<String>,
    /// The parameter may be given several times, as the server reads a list.
    repeated: Option<bool>,
    /// The kind that the operations are about.
    kind: Option<String>,
}

/// What an entry does.
enum Fixup {
    Optional { schema: String, members: Vec<String> },
    Operations { which: Operations, change: Change },
    Repeated { parameter: String },
}

/// What kapigen brings along: corrections of documents that API servers publish. Those of our own documents are among
/// them.
const SHIPPED: [(&str, &str); 2] = [
    ("fixups/other.yaml of kapigen", include_str!("../../../fixups/other.yaml")),
    ("fixups/spec.yaml of kapigen", include_str!("../../../fixups/spec.yaml")),
];

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

/// Applies the corrections of a file. One that changes nothing is an error: the document has been mended, or the
/// correction was never right.
///
/// # Errors
/// When the file cannot be read.
pub fn apply(source: &Source, raws: &mut [Raw], errors: &mut Errors) -> Result<Vec<Applied>, Error> {
    let applied = apply_all(source, raws, errors)?;
    for (index, fixup) in applied.iter().filter(|(_, fixup)| fixup.places == 0) {
        let at = Location::pointer(&source.name, format!("/{index}"));
        let help = "the documents do not need it any more, or do not have what it names: correct it or remove it";
        errors.push(Error::at(at, format!("fixup `{}` changes nothing", fixup.id)).help(help));
    }
    Ok(applied.into_iter().map(|(_, fixup)| fixup).collect())
}

/// Applies the corrections that kapigen brings along. They are keyed by what is wrong and not by release, so most runs
/// have no use for some of them.
///
/// # Errors
/// When one of the files cannot be read, which is a fault of kapigen.
pub fn apply_shipped(raws: &mut [Raw], errors: &mut Errors) -> Result<Vec<Applied>, Error> {
    let mut applied = Vec::new();
    for (name, text) in SHIPPED {
        applied.extend(apply_all(&Source::new(name, text), raws, errors)?.into_iter().map(|(_, fixup)| fixup));
    }
    Ok(applied)
}

/// What was applied, each with its place in the file.
fn apply_all(source: &Source, raws: &mut [Raw], errors: &mut Errors) -> Result<Vec<(usize, Applied)>, Error> {
    let entries: Vec<Entry> = parse::file(source)?;
    let mut applied = Vec::new();
    for (index, entry) in entries.into_iter().enumerate() {
        let (id, reason, known_from) = (entry.id.clone(), entry.reason.clone(), entry.source.clone());
        let Some(fixup) = entry.fixup() else {
            let at = Location::pointer(&source.name, format!("/{index}"));
            let help = "say one of: `schema` and `optional`, `operations` and `add-parameter`, `operations` and \
                        `add-body`, `operations` and `answer`, `operations` and `kind`, `parameter` and `repeated: true`";
            errors.push(Error::at(at, format!("fixup `{id}` does not say what to correct")).help(help));
            continue;
        };
        applied.push((index, Applied { id, reason, source: known_from, places: fixup.apply(raws) }));
    }
    Ok(applied)
}

impl Entry {
    /// What it does. None: it names no target, no change, or more than one of them.
    fn fixup(self) -> Option<Fixup> {
        let Self { schema, operations, parameter, optional, add_parameter, add_body, answer, repeated, kind, .. } =
            self;
        let additions = [add_parameter.map(Change::AddParameter), add_body.map(Change::AddBody)];
        let corrections = [answer.map(Change::Answer), kind.map(Change::Kind)];
        let mut changes = additions.into_iter().chain(corrections).flatten();
        match (schema, operations, parameter, optional, repeated, (changes.next(), changes.next())) {
            (Some(schema), None, None, Some(members), None, (None, _)) => Some(Fixup::Optional { schema, members }),
            (None, Some(which), None, None, None, (Some(change), None)) => Some(Fixup::Operations { which, change }),
            (None, None, Some(parameter), None, Some(true), (None, _)) => Some(Fixup::Repeated { parameter }),
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
            Fixup::Repeated { parameter } => {
                parallel::map(raws.iter_mut().collect(), |raw| repeat_in(raw, parameter)).into_iter().sum()
            }
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

/// Where parameters are defined.
fn repeat_in(raw: &mut Raw, name: &str) -> usize {
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
