//! Parts of definitions that a server drops or reads otherwise.

use crate::error::{Location, Position};
use crate::names::nearest;
use crate::note::Note;
use crate::visible::cut;
use kapigen_definitions::{UnknownField, unknown_fields};
use kapigen_yaml::Disputed;
use serde_json::Value;
use std::collections::BTreeMap;

/// A field that servers drop.
pub(super) struct Dropped {
    pub(super) pointer: String,
    pub(super) message: String,
    /// The field that it seems to be.
    pub(super) meant: Option<&'static str>,
}

/// Keywords that exist in other schemas, but not in definitions. They are not taken for misspelled
/// ones.
const OTHERS: [&str; 16] = [
    "$comment",
    "$defs",
    "$id",
    "const",
    "contains",
    "deprecated",
    "discriminator",
    "else",
    "examples",
    "if",
    "prefixItems",
    "propertyNames",
    "readOnly",
    "then",
    "writeOnly",
    "xml",
];

/// The fields of a definition that servers drop. Extensions (`x-…`) are left out, unless they
/// resemble a known field: they are meant for other programs.
pub(super) fn dropped(manifest: &Value) -> Vec<Dropped> {
    let version = manifest["apiVersion"].as_str().unwrap_or_default();
    let mut dropped = Vec::new();
    for UnknownField { pointer, name, count, known } in unknown_fields(manifest) {
        let same = known.iter().find(|known| known.eq_ignore_ascii_case(&name));
        let meant = same.copied().or_else(|| nearest(&name, known.iter().copied()));
        let meant = meant.filter(|_| !OTHERS.contains(&name.as_str()));
        let is_extension = name.starts_with("x-") && !name.starts_with("x-kubernetes-");
        if meant.is_some() || !is_extension {
            let message = cut(format!(
                "servers drop the field `{name}`, which definitions of {version} do not have{}",
                elsewhere(count)
            ));
            dropped.push(Dropped { pointer, message, meant });
        }
    }
    dropped
}

/// Notes on scalars of definitions that a server takes for something else than most readers, one
/// for each text.
pub(super) fn disputed(name: &str, scalars: Vec<Disputed>) -> Vec<Note> {
    let mut counts: BTreeMap<(String, bool), usize> = BTreeMap::new();
    for scalar in &scalars {
        *counts.entry((scalar.text.clone(), scalar.is_key)).or_default() += 1;
    }
    let mut notes = Vec::new();
    for Disputed { text, value, is_key, position } in scalars {
        // The first of each.
        let Some(count) = counts.remove(&(text.clone(), is_key)) else { continue };
        let position = Position::LineColumn(position.line, position.column);
        let key = if is_key { "the key " } else { "" };
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        notes.push(Note {
            message: cut(format!("{key}`{text}` is `{shown}` for a server{}", elsewhere(count))),
            location: Location { document: name.to_owned(), position },
            help: Some(cut(format!("write `{shown}`, or `\"{text}\"` if it is a string"))),
        });
    }
    notes
}

/// The number of the others like one, as the end of a sentence.
fn elsewhere(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        2 => ", here and in another place".to_owned(),
        count => format!(", here and in {} other places", count - 1),
    }
}
