//! Parses YAML and JSON. No other module depends on a YAML library.

use super::{LARGEST, Source};
use crate::error::{Error, Location, Position};
use kapigen_yaml::{ErrorKind, Format, Reader, Rules};
use serde::de::{DeserializeOwned, DeserializeSeed};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

/// The content of a file, which is one document.
///
/// # Errors
/// When the file is not YAML or JSON, exceeds a bound, or has a key twice in one object.
pub(crate) fn value(source: &Source) -> Result<Value, Error> {
    let document = match reader().document(source.text.as_bytes()) {
        Ok(document) => document,
        Err(error) if error.kind() == ErrorKind::Empty => return Ok(Value::Null),
        Err(error) => {
            let position = error.position().map_or(Position::Document, line_column);
            return Err(error_at(source, position, message(&error)));
        }
    };
    match document.repeated.first() {
        None => Ok(document.value),
        Some(repeated) => {
            let position = line_column(repeated.place.start());
            Err(error_at(source, position, repeated.to_string()))
        }
    }
}

fn error_at(source: &Source, position: Position, message: impl Into<String>) -> Error {
    Error::at(Location { document: source.name.clone(), position }, message)
}

/// Reads a file of kapigen, such as `groups.yaml`, into its type.
///
/// # Errors
/// When the file is not YAML or JSON, or does not have the shape of the type.
pub fn file<T: DeserializeOwned>(source: &Source) -> Result<T, Error> {
    // Checked like any document, so that directives are the only hostile input left for serde_yaml.
    value(source)?;
    let text = source.text.trim_start_matches('\u{feff}');
    if Format::detect(text) == Format::Json {
        let decoded = read(source, PhantomData);
        return decoded
            .map_err(|error: Error| Error { message: in_words(&error.message), ..error });
    }
    if let Some(line) = text.lines().position(|line| line.starts_with('%')) {
        let message = "a directive of YAML means nothing here; remove the line";
        return Err(error_at(source, Position::LineColumn(line + 1, 1), message));
    }
    // It names the field that has another type, and its line.
    T::deserialize(serde_yaml::Deserializer::from_str(text)).map_err(|error| {
        let position = error
            .location()
            .map_or(Position::Document, |l| Position::LineColumn(l.line(), l.column()));
        error_at(source, position, in_words(without_position(&error.to_string())))
    })
}

/// Reads JSON with a seed, where a tree would take too much memory.
///
/// # Errors
/// When the file is not JSON, or the seed does not accept it.
pub(crate) fn read<T>(
    source: &Source,
    seed: impl for<'de> DeserializeSeed<'de, Value = T>,
) -> Result<T, Error> {
    let mut json = serde_json::Deserializer::from_str(source.text.trim_start_matches('\u{feff}'));
    let value = seed.deserialize(&mut json).and_then(|value| json.end().map(|()| value));
    value.map_err(|error| {
        let text = error.to_string();
        let message = match without_position(&text) {
            "recursion limit exceeded" => {
                format!("the document is nested deeper than {DEEPEST} levels")
            }
            plain if error.is_syntax() || error.is_eof() => format!("{NOT_JSON}{plain}"),
            plain => plain.to_owned(),
        };
        let position = Position::LineColumn(error.line(), error.column());
        error_at(source, position, message)
    })
}

const NOT_JSON: &str = "this is not JSON: ";

/// The limit of `serde_json`, and of documents.
const DEEPEST: usize = 128;

/// Finds the line and column of each pointer that the document has: the position of the value's
/// key, or of the element. If the document cannot be parsed, only the pointers before the error are
/// found.
#[must_use]
pub fn positions(text: &str, pointers: &BTreeSet<&str>) -> BTreeMap<String, (usize, usize)> {
    let found = reader().positions(text.as_bytes(), 1, pointers);
    found
        .into_iter()
        .map(|(pointer, place)| (pointer, (place.start().line, place.start().column)))
        .collect()
}

/// OpenAPI has the scalars of YAML 1.2, and so do the files of kapigen.
fn reader() -> Reader {
    Reader::new().rules(Rules::Core).size(LARGEST).depth(DEEPEST)
}

fn line_column(position: kapigen_yaml::Position) -> Position {
    Position::LineColumn(position.line, position.column)
}

fn message(error: &kapigen_yaml::Error) -> String {
    let message = error.message();
    match error.kind() {
        ErrorKind::Json | ErrorKind::JsonEnd => format!("{NOT_JSON}{message}"),
        ErrorKind::Yaml => format!("this is not YAML: {message}"),
        ErrorKind::Several => {
            "the file has several documents; put each into a file of its own".to_owned()
        }
        _ => message.to_owned(),
    }
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

/// A message of serde without the position, which is in the location.
fn without_position(message: &str) -> &str {
    message.split(" at line ").next().unwrap_or_default().trim_start_matches('.')
}

#[cfg(test)]
mod tests {
    use super::{file, value};
    use crate::input::Source;
    use serde_json::{Value, json};

    #[test]
    fn documents_have_the_scalars_of_yaml_1_2() {
        let source = Source::new("a.yaml", "{y: on, 1.0: 1.0, n: [~, 0x10, 1e3]}");
        assert_eq!(value(&source).unwrap(), json!({"y": "on", "1.0": 1.0, "n": [null, 16, 1e3]}));
    }

    #[test]
    fn files_of_kapigen_have_no_directives() {
        let source = Source::new("a.yaml", "%YAML 1.2\n---\na: 1\n");
        let error = file::<Value>(&source).unwrap_err();
        assert_eq!(error.message, "a directive of YAML means nothing here; remove the line");
    }
}
