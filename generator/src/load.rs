//! Text to data. The only place that knows YAML.

mod depth;
mod value;

use crate::error::{Error, Location, Place};
use depth::{DEEPEST, Depth};
use serde::de::{DeserializeOwned, DeserializeSeed};
use serde_json::Value;
use std::marker::PhantomData;
use value::Budget;

/// A named text that was given to a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its path relative to the folder of the documents, with `/`. Relative references are resolved against it.
    pub name: String,
    /// Its text, YAML or JSON.
    pub text: String,
}

impl Source {
    /// A named text.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// A document as plain data, before anything is known of its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    /// The name of its source.
    pub name: String,
    /// Its content.
    pub value: Value,
}

/// No API server publishes a document near this size; the largest of Kubernetes has 2 MB.
pub(crate) const LARGEST: usize = 64 << 20;

/// To how many bytes a short document may unfold.
const MOST_UNFOLDED: usize = 1_000_000;

/// Without aliases there are fewer values than bytes, and an escape such as `\L` stands for three bytes at most.
const UNFOLDED_TO_LENGTH: usize = 3;

/// Reads an OpenAPI document.
///
/// # Errors
/// When the text is not YAML or JSON, or is not an OpenAPI 3.0 document.
pub fn document(source: &Source) -> Result<Raw, Error> {
    let length = source.text.len();
    if length > LARGEST {
        let message = format!("the document has {length} bytes, more than the limit of {LARGEST}");
        return Err(Error::at(Location::document(&source.name), message));
    }
    let value = read(source, &mut Budget::new((UNFOLDED_TO_LENGTH * length).max(MOST_UNFOLDED)))?;
    check_version(&source.name, &value)?;
    Ok(Raw { name: source.name.clone(), value })
}

/// Reads a file of our own, such as `groups.yaml`, into its type.
///
/// # Errors
/// When the text is not YAML or JSON, or does not have the shape of the type.
pub fn parse<T: DeserializeOwned>(source: &Source) -> Result<T, Error> {
    read(source, PhantomData)
}

fn read<T>(source: &Source, seed: impl for<'de> DeserializeSeed<'de, Value = T>) -> Result<T, Error> {
    // The byte order mark that some editors write is not part of the text.
    let text = source.text.strip_prefix('\u{feff}').unwrap_or(&source.text);
    let at = |place, message| Error::at(Location { document: source.name.clone(), place }, message);
    if text.trim_start().starts_with('{') {
        let mut json = serde_json::Deserializer::from_str(text);
        let value = seed.deserialize(&mut json).and_then(|value| json.end().map(|()| value));
        return value.map_err(|error| at(Place::Position(error.line(), error.column()), plain(&error)));
    }
    let yaml = |text| {
        seed.deserialize(serde_yaml::Deserializer::from_str(text)).map_err(|error| {
            let place = error.location().map_or(Place::Document, |l| Place::Position(l.line(), l.column()));
            at(place, plain(&error))
        })
    };
    match depth::depth(text) {
        Depth::Fits => yaml(text),
        Depth::Exceeded(line, column) => Err(at(Place::Position(line, column), too_deep())),
        // The reader says it in its own words, if it finds the same: it must not see more than was looked at.
        Depth::Unknown(error) => yaml(start(text, error.marker().index() + MARGIN)).and_then(|_| {
            let place = Place::Position(error.marker().line(), error.marker().col() + 1);
            Err(at(place, format!("this is not YAML: {}", error.info())))
        }),
    }
}

/// How many characters behind an error the reader may see, to find the same one.
const MARGIN: usize = 1000;

fn start(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

fn too_deep() -> String {
    format!("the document is nested deeper than {DEEPEST} levels")
}

/// The message without the position, which stands in the location.
fn plain(error: &impl ToString) -> String {
    let text = error.to_string();
    let end = text.find(" at line ").unwrap_or(text.len());
    match text[..end].trim_start_matches('.') {
        "recursion limit exceeded" => too_deep(),
        "repetition limit exceeded" => "the aliases of the document unfold to too much".to_owned(),
        plain => plain.to_owned(),
    }
}

fn check_version(name: &str, value: &Value) -> Result<(), Error> {
    let help = "give the OpenAPI 3.0 document, as `kubectl get --raw /openapi/v3/apis/<group>/<version>` prints it";
    let refuse = |place: &str, found: String, help: &str| {
        let at = if place.is_empty() { Location::document(name) } else { Location::pointer(name, place) };
        Err(Error::at(at, format!("not an OpenAPI 3.0 document: {found}")).help(help))
    };
    match (value.get("openapi"), value.get("swagger")) {
        (Some(Value::String(version)), _) if version == "3.0" || version.starts_with("3.0.") => Ok(()),
        (Some(Value::Number(version)), _) => {
            refuse("/openapi", format!("`openapi` is the number {version}"), "write it as a text, such as `\"3.0.3\"`")
        }
        (Some(version), _) => refuse("/openapi", format!("`openapi` is {version}"), help),
        (None, Some(version)) => refuse("/swagger", format!("`swagger` is {version}"), help),
        (None, None) => refuse("", "it has no `openapi` version".to_owned(), help),
    }
}
