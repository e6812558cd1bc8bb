//! The manifests of definitions in files of all kinds.

use crate::error::{Error, Location, Position};
use crate::input::Source;
use crate::note::Note;
use kapigen_definitions::is_definition;
use kapigen_yaml::{Disputed, Reader};
use serde_json::Value;

/// Words without which a source is not looked into.
const KIND: &str = "CustomResourceDefinition";

/// A manifest, and its place.
#[derive(Debug)]
pub(super) struct Manifest {
    /// The index of the source.
    pub(super) source: usize,
    /// The number of the document in the source, from 1.
    pub(super) number: usize,
    /// The JSON pointer in the document: not empty in a list.
    pub(super) pointer: String,
    pub(super) value: Value,
}

/// The documents of a source that has definitions.
pub(super) struct Objects {
    /// The index of the source.
    source: usize,
    pub(super) manifests: Vec<Manifest>,
    pub(super) others: usize,
    /// Keys that are in one object twice.
    pub(super) errors: Vec<Error>,
    pub(super) disputed: Vec<Disputed>,
}

/// A source beside definitions that is neither of them nor an OpenAPI document.
pub(crate) struct Skipped {
    /// The number of its objects.
    pub(crate) objects: usize,
    /// The reason, if it cannot be read.
    pub(crate) note: Option<Note>,
}

/// The objects in a source with only objects of other kinds or files of other tools. `None` for any
/// other source.
pub(crate) fn skipped(source: &Source) -> Option<Skipped> {
    let is_page = source.text.trim_start().starts_with('<');
    if is_page || states_document(&source.text) {
        return None;
    }
    let documents: Result<Vec<_>, _> = reader().documents(source.text.as_bytes()).collect();
    let documents = match documents {
        Ok(documents) => documents,
        Err(error) => {
            let Error { message, location, .. } = unreadable(source, &error);
            let location = location.unwrap_or_else(|| Location::document(&source.name));
            let message = format!("the file is skipped, since it cannot be read: {message}");
            return Some(Skipped {
                objects: 1,
                note: Some(Note { message, location, help: None }),
            });
        }
    };
    let values =
        documents.into_iter().map(|document| document.value).filter(|value| !value.is_null());
    let are_others: Vec<bool> = values.map(|value| is_other(&value)).collect();
    are_others
        .iter()
        .all(|is_other| *is_other)
        .then_some(Skipped { objects: are_others.len(), note: None })
}

/// Whether a text states the version of an OpenAPI document, even if the rest cannot be read.
fn states_document(text: &str) -> bool {
    let lines = text.lines().map(|line| line.trim_start_matches(['{', ' ', '"', '\'']));
    let mut versions =
        lines.filter_map(|line| line.strip_prefix("openapi").or(line.strip_prefix("swagger")));
    versions.any(|rest| {
        let version = rest
            .trim_start_matches(['"', '\''])
            .trim_start()
            .strip_prefix(':')
            .map(str::trim_start);
        version.is_some_and(|version| {
            version.trim_start_matches(['"', '\'']).starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// Whether a value means something to other programs: it is an object of a server, or belongs to a
/// tool, such as `kustomization.yaml` or a JSON patch. Others could be a document with an error.
fn is_other(value: &Value) -> bool {
    value["kind"] != "Status"
        && (value.is_object() || value.is_array())
        && ![&value["openapi"], &value["swagger"]]
            .iter()
            .any(|version| version.is_string() || version.is_number())
}

/// As kubectl reads manifests: `on` is true.
pub(super) fn reader() -> Reader {
    Reader::new()
}

/// The definitions of a source with an index, and the number of other objects. `None`: it has no
/// definitions.
pub(super) fn objects((index, source): (usize, &Source)) -> Result<Option<Objects>, Error> {
    if !source.text.contains(KIND) {
        return Ok(None);
    }
    let mut objects = Objects {
        source: index,
        manifests: Vec::new(),
        others: 0,
        errors: Vec::new(),
        disputed: Vec::new(),
    };
    for document in reader().documents(source.text.as_bytes()) {
        let mut document = match document {
            Ok(document) => document,
            Err(error) if !objects.manifests.is_empty() || states_kind(&source.text) => {
                return Err(unreadable(source, &error));
            }
            Err(_) => return Ok(None),
        };
        let count = objects.manifests.len();
        let repeated = std::mem::take(&mut document.repeated);
        let disputed = std::mem::take(&mut document.disputed);
        objects.add(document);
        // Other objects matter to others.
        if objects.manifests.len() == count {
            continue;
        }
        objects.errors.extend(repeated.iter().map(|repeated| {
            let at = repeated.place.start();
            let written = disputed.iter().find(|scalar| scalar.position == at);
            let name = written.map_or(&repeated.name, |scalar| &scalar.text);
            let position = Position::LineColumn(at.line, at.column);
            let location = Location { document: source.name.clone(), position };
            let message = if *name == repeated.name {
                repeated.to_string()
            } else {
                let key = &repeated.name;
                format!("the key `{name}` is `{key}` for a server, and so is another in the object")
            };
            Error::at(location, message).help(if written.is_some() {
                format!("write `\"{name}\"`, also the other, where it is a string")
            } else {
                "remove one of the two".to_owned()
            })
        }));
        objects.disputed.extend(disputed);
    }
    Ok((!objects.manifests.is_empty()).then_some(objects))
}

impl Objects {
    /// Adds the objects of a document. A list of definitions needs no kind.
    fn add(&mut self, mut document: kapigen_yaml::Document) {
        let number = document.number;
        if let Value::Array(elements) = &mut document.value {
            for (index, element) in std::mem::take(elements).into_iter().enumerate() {
                self.take(number, format!("/{index}"), element);
            }
        } else {
            document.each_object(|object| {
                let members = object.members.map_or(Value::Null, Value::Object);
                self.take(number, object.pointer, members);
            });
        }
    }

    fn take(&mut self, number: usize, pointer: String, mut value: Value) {
        if is_definition(&value) {
            make_whole(&mut value);
            self.manifests.push(Manifest { source: self.source, number, pointer, value });
        } else {
            self.others += 1;
        }
    }
}

/// Makes integers of numbers like `1.0`, as YAML has them already: to a server they are the same.
fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0);
            let whole = whole.and_then(|whole| format!("{whole:.0}").parse::<i64>().ok());
            if let Some(whole) = whole {
                *number = whole.into();
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(make_whole),
        Value::Object(members) => members.values_mut().for_each(make_whole),
        _ => {}
    }
}

/// Whether an unreadable source is about definitions.
fn states_kind(text: &str) -> bool {
    let lines = text.lines().map(|line| line.trim_start_matches(['-', '{', ' ', '"']));
    let values = lines
        .filter_map(|line| line.strip_prefix("kind"))
        .map(|rest| rest.trim_start_matches(['"', ':', ' ']));
    let mut values = values
        .chain(text.split("\"kind\":").skip(1).map(|rest| rest.trim_start_matches(['"', ' '])));
    values.any(|value| value.starts_with(KIND))
}

fn unreadable(source: &Source, error: &kapigen_yaml::Error) -> Error {
    let position = error.position().map(|at| Position::LineColumn(at.line, at.column));
    let location = Location {
        document: source.name.clone(),
        position: position.unwrap_or(Position::Document),
    };
    let error = Error::at(location, error.message());
    if is_template(&source.text) {
        return error.help(
            "it looks like a template: render it first, as `helm template` does, and give the \
             result",
        );
    }
    error.help("it may be cut: give the whole manifest, as `kubectl apply` expects it")
}

/// Whether it has actions of a template where YAML has keys or values. Actions in descriptions do
/// not count.
fn is_template(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches([' ', '-']);
        line.starts_with("{{")
            || line.split_once(": ").is_some_and(|(_, value)| value.trim_start().starts_with("{{"))
    })
}
