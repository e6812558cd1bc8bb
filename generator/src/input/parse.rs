//! Text to data. The only place that knows YAML.

use super::Source;
use super::depth::{self, DEEPEST, Depth};
use crate::error::{Error, Location, Place};
use serde::de::{DeserializeOwned, DeserializeSeed};
use std::marker::PhantomData;

/// Reads a file of our own, such as `groups.yaml`, into its type.
///
/// # Errors
/// When the text is not YAML or JSON, or does not have the shape of the type.
pub fn file<T: DeserializeOwned>(source: &Source) -> Result<T, Error> {
    read(source, PhantomData)
}

/// Reads a text with a seed.
///
/// # Errors
/// When the text is not YAML or JSON, or the seed does not take it.
pub(crate) fn read<T>(source: &Source, seed: impl for<'de> DeserializeSeed<'de, Value = T>) -> Result<T, Error> {
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
