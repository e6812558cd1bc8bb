//! Events, which the core group and `events.k8s.io` share. They are stored as those of the core
//! group, and some of their members have other names in the other one.

use crate::schema::{Node, conform};
use serde_json::{Map, Value, json};

/// Members by their names in the core group and in `events.k8s.io`.
const RENAMED: [(&str, &str); 7] = [
    ("count", "deprecatedCount"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("involvedObject", "regarding"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("message", "note"),
    ("reportingComponent", "reportingController"),
    ("source", "deprecatedSource"),
];

/// Members that the core group always has.
const OMITTED: [&str; 2] = ["reportingController", "reportingInstance"];

/// The group with the other names.
const GROUP: &str = "events.k8s.io";

/// Whether objects of a resource are stored as events of the core group.
pub(crate) fn are_of_core(group: &str, plural: &str) -> bool {
    (group, plural) == (GROUP, "events")
}

/// Converts an event to the core group, if its schema is known.
pub(crate) fn to_core(object: &mut Value, schema: Option<Node<'_>>) {
    rename(object, |name| RENAMED.iter().find(|(_, own)| *own == name).map(|(core, _)| *core));
    object["apiVersion"] = json!("v1");
    if let Some(schema) = schema {
        conform::complete(schema, object);
    }
}

/// Converts an event of the core group to this version, with its schema.
pub(crate) fn from_core(object: &mut Value, api_version: &str, schema: Node<'_>) {
    rename(object, |name| RENAMED.iter().find(|(core, _)| *core == name).map(|(_, own)| *own));
    object["apiVersion"] = json!(api_version);
    if let Value::Object(members) = object {
        members.retain(|name, value| !(OMITTED.contains(&name.as_str()) && value == ""));
    }
    conform::complete(schema, object);
}

fn rename(object: &mut Value, other: impl Fn(&str) -> Option<&'static str>) {
    let Value::Object(members) = object else { return };
    let renamed: Map<_, _> = std::mem::take(members)
        .into_iter()
        .map(|(name, value)| match other(&name) {
            Some(other) => (other.to_owned(), value),
            None => (name, value),
        })
        .collect();
    *members = renamed;
}

/// The path of a member in the core group.
pub(crate) fn core_path(path: &str) -> String {
    let (name, rest) = path.find('.').map_or((path, ""), |dot| path.split_at(dot));
    let core = RENAMED.iter().find(|(_, own)| *own == name);
    core.map_or_else(|| path.to_owned(), |(core, _)| format!("{core}{rest}"))
}
