//! The record of field managers that writes leave behind.

use super::parts::ObjectPart;
use crate::change::{FieldWriter, Operation, track_update};
use crate::names;
use crate::object::Tree;
use crate::registry::Resource;
use crate::request::Request;
use serde_json::Value;

/// The writer of a change, its operation, and the part of the object that it writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writer<'a> {
    pub(super) name: &'a str,
    pub(super) is_apply: bool,
    /// Whether its fields are recorded. Otherwise they have no owner.
    pub(super) is_recorded: bool,
    pub(super) subresource: &'a str,
    pub(super) part: ObjectPart,
}

impl<'a> Writer<'a> {
    /// The writer of a request.
    pub(super) fn new(request: &'a Request<'_>, is_apply: bool, part: ObjectPart) -> Self {
        Self {
            name: request.incoming.manager(),
            is_apply,
            is_recorded: true,
            subresource: request.subresource,
            part,
        }
    }
}

/// The writer as the record names it. The entry of a scale has no time.
pub(super) fn field_writer<'a>(request: &'a Request<'_>, writer: &Writer<'a>) -> FieldWriter<'a> {
    let is_timed = writer.subresource != "scale";
    FieldWriter {
        name: writer.name,
        subresource: writer.subresource,
        api_version: request.resource.api_version(),
        time: is_timed.then(|| names::whole_second(request.now).into()),
    }
}

/// Records the fields of a new object.
pub(super) fn record_creation(request: &Request<'_>, object: &mut Value, writer: &Writer<'_>) {
    if !writer.is_apply {
        track(request, request.resource.blank(), object, writer);
    }
}

/// Records the fields that an update changes. The record is the one that the request states, if it
/// can be read.
pub(super) fn record_change(
    request: &Request<'_>,
    object: &mut Value,
    (live, record): (&Value, Value),
    writer: &Writer<'_>,
) {
    if !writer.is_apply {
        object.set_metadata("managedFields", record);
        track(request, live, object, writer);
    }
}

fn track(request: &Request<'_>, old: &Value, new: &mut Value, writer: &Writer<'_>) {
    record_fields(&request.resource, old, new, &field_writer(request, writer));
    if !writer.is_recorded {
        retain_entries(new, |entry| !is_own(entry, writer, Operation::Update));
    }
}

/// Whether an entry of a record belongs to the writer.
fn is_own(entry: &Value, writer: &Writer<'_>, operation: Operation) -> bool {
    let own = [
        ("manager", writer.name),
        ("operation", operation.as_str()),
        ("subresource", writer.subresource),
    ];
    own.iter().all(|(key, value)| entry[*key].as_str().unwrap_or_default() == *value)
}

/// Retains some entries of the record of an object.
fn retain_entries(object: &mut Value, mut is_retained: impl FnMut(&mut Value) -> bool) {
    let entries = object.get_mut("metadata").and_then(|metadata| metadata.get_mut("managedFields"));
    if let Some(Value::Array(entries)) = entries {
        entries.retain_mut(|entry| is_retained(entry));
    }
}

/// Records the fields in which an object differs from what it was.
pub(super) fn record_fields(
    resource: &Resource,
    old: &Value,
    new: &mut Value,
    writer: &FieldWriter<'_>,
) {
    track_update(old, new, &resource.schema, writer);
    if new.metadata("managedFields").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        new.remove_metadata("managedFields");
    }
}

/// Removes the fields that identify containers, such as their names, from the record of an apply:
/// the manager owns nothing outside of the part.
pub(super) fn drop_identities(object: &mut Value, writer: &Writer<'_>) {
    let steps: &[&[&str]] = match writer.part {
        ObjectPart::EphemeralContainers => &[&["f:spec"], &["f:ephemeralContainers"]],
        ObjectPart::Resize => &[
            &["f:spec"],
            &["f:containers", "f:initContainers"],
            &[],
            &["f:resources", "f:resizePolicy"],
        ],
        ObjectPart::Main | ObjectPart::Status | ObjectPart::Finalize | ObjectPart::All => return,
    };
    retain_entries(object, |entry| {
        if !is_own(entry, writer, Operation::Apply) {
            return true;
        }
        retain_paths(&mut entry["fieldsV1"], steps);
        entry["fieldsV1"].as_object().is_some_and(|fields| !fields.is_empty())
    });
}

/// Retains the fields at the end of some paths, and all below them. A step of a path is one of
/// these names; without names it is any.
fn retain_paths(fields: &mut Value, steps: &[&[&str]]) {
    let ([names, rest @ ..], Value::Object(members)) = (steps, fields) else { return };
    members.retain(|name, below| {
        retain_paths(below, rest);
        let is_named = names.is_empty() || names.contains(&name.as_str());
        is_named && (rest.is_empty() || below.as_object().is_some_and(|below| !below.is_empty()))
    });
}
