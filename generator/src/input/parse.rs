//! Parses YAML and JSON. No other module depends on a YAML library.

use super::Source;
use super::depth::{self, DEEPEST, Depth};
use crate::error::{Error, Location, Position};
use serde::Deserialize;
use serde::de::{DeserializeOwned, DeserializeSeed, IgnoredAny};
use std::marker::PhantomData;

/// Reads a file of kapigen, such as `groups.yaml`, into its type.
///
/// # Errors
/// When the file is not YAML or JSON, or does not have the shape of the type.
pub fn file<T: DeserializeOwned>(source: &Source) -> Result<T, Error> {
    read(source, PhantomData).map_err(|error: Error| Error { message: in_words(&error.message), ..error })
}

/// An error of serde in the words of JSON, without the names of Rust's types.
pub(crate) fn in_words(error: &str) -> String {
    if let Some((path, field)) = error.split_once("missing field ") {
        return format!("{path}{field} is missing");
    }
    let Some((found, expected)) = error.rsplit_once(", expected ") else { return error.to_owned() };
    let expected = match expected {
        "a sequence" => "a list",
        other if other == "a map" || other.starts_with("struct ") => "an object",
        other => other,
    };
    let found = found.replace("invalid type: sequence", "invalid type: list");
    format!("{}, expected {expected}", found.replace("invalid type: map", "invalid type: object"))
}

/// Reads a file with a seed.
///
/// # Errors
/// When the file is not YAML or JSON, or the seed does not accept it.
pub(crate) fn read<T>(source: &Source, seed: impl for<'de> DeserializeSeed<'de, Value = T>) -> Result<T, Error> {
    // The byte order mark that some editors write is not part of the content.
    let text = source.text.strip_prefix('\u{feff}').unwrap_or(&source.text);
    let at = |position, message| Error::at(Location { document: source.name.clone(), position }, message);
    if text.trim_start().starts_with('{') {
        let mut json = serde_json::Deserializer::from_str(text);
        let value = seed.deserialize(&mut json).and_then(|value| json.end().map(|()| value));
        return value.map_err(|error| {
            let format = if error.is_syntax() || error.is_eof() { NOT_JSON } else { "" };
            at(Position::LineColumn(error.line(), error.column()), with_format(format, plain(&error)))
        });
    }
    let yaml = |text| {
        seed.deserialize(serde_yaml::Deserializer::from_str(text)).map_err(|error| {
            let position = error.location().map_or(Position::Document, |l| Position::LineColumn(l.line(), l.column()));
            // The error itself does not say whether the syntax is violated, or the type.
            let is_yaml = IgnoredAny::deserialize(serde_yaml::Deserializer::from_str(text)).is_ok();
            at(position, with_format(if is_yaml { "" } else { NOT_YAML }, plain(&error)))
        })
    };
    match depth::depth(text) {
        Depth::Fits => yaml(text),
        Depth::Exceeded(line, column) => Err(at(Position::LineColumn(line, column), too_deep())),
        // The reader reports the error itself, if it finds the same. It must not see more than was checked.
        Depth::Unknown(error) => yaml(start(text, error.marker().index() + MARGIN)).and_then(|_| {
            let position = Position::LineColumn(error.marker().line(), error.marker().col() + 1);
            Err(at(position, with_format(NOT_YAML, error.info().to_owned())))
        }),
    }
}

const NOT_JSON: &str = "this is not JSON: ";
const NOT_YAML: &str = "this is not YAML: ";

/// The message after the name of the format that is violated. A limit of kapigen violates none.
fn with_format(format: &str, message: String) -> String {
    let is_limit = message == too_deep() || [ALIASES, SEVERAL].contains(&message.as_str());
    if is_limit { message } else { format!("{format}{message}") }
}

/// The number of characters behind an error that the reader may see, to find the same one.
const MARGIN: usize = 1000;

fn start(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

const ALIASES: &str = "the aliases of the document unfold to too much";
const SEVERAL: &str = "the file has several YAML documents, each behind `---`; put each into a file of its own";

fn too_deep() -> String {
    format!("the document is nested deeper than {DEEPEST} levels")
}

/// The message without the position, which is in the location.
fn plain(error: &impl ToString) -> String {
    let text = error.to_string();
    let end = text.find(" at line ").unwrap_or(text.len());
    match text[..end].trim_start_matches('.') {
        "recursion limit exceeded" => too_deep(),
        "repetition limit exceeded" => ALIASES.to_owned(),
        "deserializing from YAML containing more than one document is not supported" => SEVERAL.to_owned(),
        plain => plain.to_owned(),
    }
}
