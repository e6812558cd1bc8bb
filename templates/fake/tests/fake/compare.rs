//! Compares responses with recorded ones: by relation where values differ from run to run.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The values of this run for recorded ones, such as UIDs and versions.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    known: BTreeMap<String, String>,
    /// Versions of objects: distinct recorded ones are distinct here.
    versions: BTreeMap<String, String>,
}

/// Members with other values in every run.
const VARYING: [&str; 5] = ["uid", "resourceVersion", "continue", "name", "clusterIP"];
/// Members that hold a time, or something else that only has to be present.
const TIMES: [&str; 8] = [
    "creationTimestamp",
    "deletionTimestamp",
    "time",
    "lastTransitionTime",
    "lastProbeTime",
    "expirationTimestamp",
    "hash",
    "serverAddress",
];

impl Relations {
    /// Translates recorded values in a string.
    pub(crate) fn translate(&self, text: &str) -> String {
        if let Some(found) = self.known.get(text) {
            return found.clone();
        }
        let mut result = String::new();
        let mut rest = text;
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        while let Some(start) = rest.find(is_word) {
            let length = rest[start..].find(|c| !is_word(c)).unwrap_or(rest.len() - start);
            let word = &rest[start..start + length];
            // Short numbers mean many things.
            let is_number = word.parse::<u64>().is_ok();
            let found = self.known.get(word).filter(|_| !is_number || word.len() >= 4);
            result.push_str(&rest[..start]);
            result.push_str(found.map_or(word, String::as_str));
            rest = &rest[start + length..];
        }
        result + rest
    }

    pub(crate) fn translate_tree(&self, tree: &Value) -> Value {
        match tree {
            Value::String(text) => json!(self.translate(text)),
            Value::Array(elements) => {
                elements.iter().map(|element| self.translate_tree(element)).collect()
            }
            Value::Object(members) => members
                .iter()
                .map(|(name, value)| (name.clone(), self.translate_tree(value)))
                .collect(),
            other => other.clone(),
        }
    }

    /// Records the values of this run for recorded ones, and returns contradictions.
    pub(crate) fn learn(&mut self, recorded: &Value, found: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        self.learn_at(recorded, found, "", &mut faults);
        faults
    }

    /// Records a name that was generated from a prefix, and that a refusal quotes.
    pub(crate) fn learn_generated(&mut self, prefix: &str, recorded: &Value, found: &Value) {
        let name =
            |status: &Value| status["details"]["name"].as_str().unwrap_or_default().to_owned();
        let recorded = name(recorded);
        let found = name(found);
        if !prefix.is_empty() && recorded.starts_with(prefix) && found.starts_with(prefix) {
            self.known.insert(recorded, found);
        }
    }

    fn learn_at(&mut self, recorded: &Value, found: &Value, path: &str, faults: &mut Vec<String>) {
        match (recorded, found) {
            (Value::Object(recorded), Value::Object(found)) => {
                let is_object = recorded.contains_key("uid") && recorded.contains_key("name");
                for (name, value) in recorded {
                    let Some(other) = found.get(name) else { continue };
                    let path = format!("{path}.{name}");
                    let is_varying = VARYING.contains(&name.as_str())
                        && (name != "name" || recorded.contains_key("generateName"));
                    match (value, other) {
                        (Value::String(value), Value::String(other))
                            if TIMES[..2].contains(&name.as_str()) =>
                        {
                            self.known.insert(value.clone(), other.clone());
                        }
                        (Value::String(value), Value::String(other)) if is_varying => {
                            let is_version = is_object && name == "resourceVersion";
                            self.learn_value(value, other, is_version, &path, faults);
                        }
                        _ => self.learn_at(value, other, &path, faults),
                    }
                }
            }
            (Value::Array(recorded), Value::Array(found)) => {
                for (index, (recorded, found)) in recorded.iter().zip(found).enumerate() {
                    self.learn_at(recorded, found, &format!("{path}[{index}]"), faults);
                }
            }
            _ => {}
        }
    }

    fn learn_value(
        &mut self,
        value: &str,
        other: &str,
        is_version: bool,
        path: &str,
        faults: &mut Vec<String>,
    ) {
        if value.is_empty() || value == other && !is_version {
            return;
        }
        let known = self.known.entry(value.to_owned()).or_insert_with(|| other.to_owned());
        if known != other {
            // Lists were recorded while other scenarios wrote: only versions of objects are
            // compared.
            if is_version || !path.ends_with("resourceVersion") {
                faults.push(format!("{path}: {value} was {known} before, and is {other}"));
            }
            if is_version {
                other.clone_into(known);
            }
        }
        if is_version {
            let recorded =
                self.versions.entry(other.to_owned()).or_insert_with(|| value.to_owned());
            if recorded != value {
                faults.push(format!("{path}: {other} is the version of {recorded} and of {value}"));
            }
        }
    }
}

/// The extent to which two trees have to agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// In everything.
    All,
    /// Every found value must have been recorded; more may have been.
    Found,
}

/// The differences of a tree from a recorded one.
pub(crate) fn differences(recorded: &Value, found: &Value, extent: Extent) -> Vec<String> {
    let mut faults = Vec::new();
    differ(recorded, found, "", extent, &mut faults);
    faults
}

fn differ(recorded: &Value, found: &Value, path: &str, extent: Extent, faults: &mut Vec<String>) {
    match (recorded, found) {
        (Value::Object(recorded), Value::Object(found)) => {
            members(recorded, found, path, extent, faults);
        }
        (Value::Array(recorded), Value::Array(found)) if recorded.len() == found.len() => {
            for (index, (recorded, found)) in recorded.iter().zip(found).enumerate() {
                differ(recorded, found, &format!("{path}[{index}]"), extent, faults);
            }
        }
        (Value::Array(recorded), Value::Array(found))
            if extent == Extent::Found && recorded.len() > found.len() =>
        {
            let is_missing = |element: &&Value| {
                !recorded.iter().any(|recorded| differences(recorded, element, extent).is_empty())
            };
            faults.extend(
                found.iter().filter(is_missing).map(|element| format!("{path}: has {element}")),
            );
        }
        (Value::String(recorded), Value::String(found))
            if recorded == REMOVED && !found.is_empty() => {}
        (Value::String(recorded), Value::String(found)) if is_age(recorded) && is_age(found) => {}
        _ if without_object(recorded) == without_object(found) => {}
        _ => faults.push(format!("{path}: recorded {}, found {}", short(recorded), short(found))),
    }
}

fn members(
    recorded: &Map<String, Value>,
    found: &Map<String, Value>,
    path: &str,
    extent: Extent,
    faults: &mut Vec<String>,
) {
    for (name, value) in recorded {
        let path = format!("{path}.{name}");
        match found.get(name) {
            Some(Value::Array(other)) if name == "managedFields" && value.is_array() => {
                differ(
                    &sorted(value.as_array().expect("an array")),
                    &sorted(other),
                    &path,
                    extent,
                    faults,
                );
            }
            Some(_) if TIMES.contains(&name.as_str()) || VARYING[..3].contains(&name.as_str()) => {}
            Some(other) => differ(value, other, &path, extent, faults),
            None if extent == Extent::All => {
                faults.push(format!("{path}: recorded {}, not found", short(value)));
            }
            None => {}
        }
    }
    for (name, value) in found.iter().filter(|(name, _)| !recorded.contains_key(*name)) {
        faults.push(format!("{path}.{name}: found {}, not recorded", short(value)));
    }
}

/// Managers by name: the real order is by time, too, which differs from run to run.
fn sorted(entries: &[Value]) -> Value {
    let mut entries = entries.to_vec();
    entries.sort_by_key(|entry| {
        ["operation", "manager", "subresource"].map(|key| entry[key].to_string())
    });
    Value::Array(entries)
}

/// The placeholder of tokens, which recordings leave out.
const REMOVED: &str = "<removed>";

/// Whether a text is a time since then in seconds, which depends on how long the recording took.
fn is_age(text: &str) -> bool {
    text.strip_suffix('s')
        .is_some_and(|seconds| !seconds.is_empty() && seconds.bytes().all(|c| c.is_ascii_digit()))
}

/// A message without the object that it quotes, because its members are in no certain order, and
/// without the oldest version that a server knows, which differs in every run.
fn without_object(value: &Value) -> Value {
    let Some(text) = value.as_str() else { return value.clone() };
    if let Some((what, _)) =
        text.split_once(" (").filter(|_| text.starts_with("too old resource version: "))
    {
        return json!(what);
    }
    if let Some((what, _)) = text.split_once(", current: ") {
        return json!(what);
    }
    let Some(start) = text.find("Invalid value: \"{").or_else(|| text.find("is missing in '{"))
    else {
        return value.clone();
    };
    let end = text.rfind("}\": ").or_else(|| text.rfind("}'")).unwrap_or(text.len());
    json!(format!("{}{}", &text[..start], &text[end.max(start)..]))
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.len() > 300 {
        format!("{}…", text.chars().take(300).collect::<String>())
    } else {
        text
    }
}
