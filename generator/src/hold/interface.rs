//! The part of a crate's interface that its documents do not give, as a file beside its sources.

use crate::error::Error;
use crate::input::{Source, parse};
use crate::model::documents::DOCUMENTS;
use crate::openapi::load::RawDocument;
use crate::pointer::{escape, unescape};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The path of the file below the folder of a crate.
pub const PATH: &str = "src/interface.json";

/// The names of a crate that its documents do not give, and what it held.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Interface {
    /// The modules of group-versions, by `group/version`.
    pub modules: BTreeMap<String, String>,
    /// Rust names of schemas and of their properties, as in groups.yaml.
    pub rename: BTreeMap<String, String>,
    /// Nested schemas that are named ones written out, as in groups.yaml.
    pub same_as: BTreeMap<String, String>,
    /// Nested schemas that have types of their own although a listed type fits them, as in
    /// groups.yaml.
    pub own: BTreeSet<String>,
    /// Nested schemas that share no type with equal ones, except within their group: each with the
    /// schema that names the group.
    pub apart: BTreeMap<String, String>,
    /// Schemas that are types although no operation needs them any more.
    pub types: BTreeSet<String>,
    /// Paths and components of the crate's documents as its interface has them, by the name of the
    /// document and the pointer there.
    pub held: BTreeMap<String, Value>,
}

impl Interface {
    /// Reads the file.
    ///
    /// # Errors
    /// When it has another shape.
    pub fn read(source: &Source) -> Result<Self, Error> {
        let help = "restore it, or give up the interface of the crate with `--follow`";
        parse::file(source).map_err(|error: Error| error.help(help))
    }

    /// The content of the file: JSON with a line for each entry. `None`: the documents say it all.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        let Ok(Value::Object(members)) = serde_json::to_value(self) else { return None };
        let empty = serde_json::to_value(Self::default()).unwrap_or_default();
        let stated = members.iter().filter(|(name, value)| empty[*name] != **value);
        let members: Vec<String> =
            stated.map(|(name, value)| format!("{}: {}", json(name), lines(value))).collect();
        (!members.is_empty()).then(|| format!("{{\n{}\n}}\n", members.join(",\n")))
    }

    /// Sets what differs between the documents as they describe the interface, and as they are
    /// published. Both have the paths of their files.
    pub fn set_held(&mut self, own: &[(String, String)], published: &[(String, String)]) {
        self.held.clear();
        for ((path, own), (_, published)) in own.iter().zip(published) {
            if own == published {
                continue;
            }
            let name = path.strip_prefix(DOCUMENTS).unwrap_or(path);
            let [own, published] = [own, published]
                .map(|text| entries(&serde_json::from_str(text).unwrap_or_default()));
            let differing = own.into_iter().filter(|(at, value)| published.get(at) != Some(value));
            self.held.extend(differing.map(|(at, value)| (format!("{name}#{at}"), value)));
        }
    }

    /// Changes the published documents of the crate so that they describe its interface.
    pub fn apply(&self, documents: &mut [RawDocument]) {
        for (key, held) in &self.held {
            let Some((name, pointer)) = key.split_once('#') else { continue };
            let Some((parent, last)) = pointer.rsplit_once('/') else { continue };
            let raw =
                documents.iter_mut().find(|raw| raw.name.strip_prefix(DOCUMENTS) == Some(name));
            let Some(raw) = raw else { continue };
            let mut at = &mut raw.value;
            for part in parent.split('/').skip(1) {
                let part = unescape(part).into_owned();
                if !at.is_object() {
                    *at = Map::new().into();
                }
                at = &mut at[part];
            }
            if !at.is_object() {
                *at = Map::new().into();
            }
            at[unescape(last).into_owned()] = held.clone();
        }
    }
}

/// JSON with a line for each entry.
fn lines(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let lines: Vec<String> =
                object.iter().map(|(key, value)| format!("{}: {value}", json(key))).collect();
            format!("{{\n{}\n}}", lines.join(",\n"))
        }
        Value::Array(list) => {
            let lines: Vec<String> = list.iter().map(Value::to_string).collect();
            format!("[\n{}\n]", lines.join(",\n"))
        }
        other => other.to_string(),
    }
}

/// The paths and components of a document, by pointers.
fn entries(document: &Value) -> BTreeMap<String, Value> {
    let mut entries = BTreeMap::new();
    for (path, item) in members(&document["paths"]) {
        entries.insert(format!("/paths/{}", escape(path)), item.clone());
    }
    for (section, all) in members(&document["components"]) {
        for (name, value) in members(all) {
            entries.insert(format!("/components/{section}/{}", escape(name)), value.clone());
        }
    }
    entries
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn json(text: &str) -> String {
    Value::from(text).to_string()
}
