//! The record of field managers that writes leave behind.

use super::parts::Part;
use crate::change::{FieldWriter, track_update};
use crate::failure::Failure;
use crate::names;
use crate::object::Tree;
use crate::registry::Resource;
use crate::request::Request;
use kapigen_runtime::change::FieldSet;
use serde_json::{Map, Value};

/// The writer of a change, its way of writing, and the part of the object that it writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writer<'a> {
    pub(super) name: &'a str,
    pub(super) is_apply: bool,
    /// Whether its fields are recorded. Otherwise nobody owns them.
    pub(super) is_recorded: bool,
    pub(super) subresource: &'a str,
    pub(super) part: Part,
}

impl<'a> Writer<'a> {
    /// The writer of a request.
    pub(super) fn of(request: &'a Request<'_>, is_apply: bool, part: Part) -> Self {
        Self { name: request.incoming.manager(), is_apply, is_recorded: true, subresource: request.subresource, part }
    }
}

/// The writer as the record names it. That of a scale has no times.
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
pub(super) fn record_creation(request: &Request<'_>, object: &mut Value, writer: &Writer<'_>) -> Result<(), Failure> {
    if writer.is_apply {
        return Ok(());
    }
    let blank = request.resource.blank();
    track(request, blank, object, writer)
}

/// Records the fields that an update changes.
pub(super) fn record_change(
    request: &Request<'_>,
    object: &mut Value,
    live: &Value,
    writer: &Writer<'_>,
) -> Result<(), Failure> {
    let record = object.metadata("managedFields").and_then(Value::as_array);
    // Objects whose record was cleared are not tracked until the next apply.
    if writer.is_apply || record.is_none_or(Vec::is_empty) {
        return Ok(());
    }
    track(request, live, object, writer)
}

fn track(request: &Request<'_>, old: &Value, new: &mut Value, writer: &Writer<'_>) -> Result<(), Failure> {
    record_fields(&request.resource, old, new, &field_writer(request, writer))?;
    if !writer.is_recorded {
        retain_entries(new, |entry| !is_own(entry, writer, "Update"));
    }
    Ok(())
}

/// Whether an entry of a record is that of the writer.
fn is_own(entry: &Value, writer: &Writer<'_>, operation: &str) -> bool {
    let own = [("manager", writer.name), ("operation", operation), ("subresource", writer.subresource)];
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
) -> Result<(), Failure> {
    track_update(old, new, &resource.schema, writer).map_err(|error| Failure::internal(error.to_string()))?;
    if new.metadata("managedFields").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        new.remove_metadata("managedFields");
    }
    Ok(())
}

/// Keeps the record of managers where a body has none that can be read, or is that of a subresource. Returns whether the
/// body clears it.
pub(super) fn keep_record(request: &Request<'_>, object: &mut Value, live: &Value) -> bool {
    let stated = object.metadata("managedFields").and_then(Value::as_array).map(Vec::as_slice);
    let is_main = request.subresource.is_empty();
    let is_cleared = match stated {
        Some([]) => true,
        Some([only]) => only.as_object().is_some_and(Map::is_empty),
        _ => false,
    };
    if is_main && is_cleared {
        object.remove_metadata("managedFields");
        return true;
    }
    if is_main && stated.is_some_and(|entries| entries.iter().all(is_readable)) {
        // Managers of versions that a server does not have are forgotten.
        let group = |entry: &Value| {
            let version = entry["apiVersion"].as_str().unwrap_or_default();
            version.split_once('/').map_or("", |(group, _)| group).to_owned()
        };
        retain_entries(object, |entry| group(entry) == request.resource.group);
        return false;
    }
    match live.metadata("managedFields") {
        Some(record) => object.set_metadata("managedFields", record.clone()),
        None => _ = object.remove_metadata("managedFields"),
    }
    false
}

/// Whether an entry of a record is one.
fn is_readable(entry: &Value) -> bool {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
    matches!(text("operation"), "Apply" | "Update")
        && !text("apiVersion").is_empty()
        && text("fieldsType") == "FieldsV1"
        && entry.get("fieldsV1").is_none_or(|fields| FieldSet::from_fields_v1(fields).is_ok())
}

/// Removes from the record of an apply what identifies the containers that it writes, such as their names: the manager
/// owns nothing outside of the part.
pub(super) fn drop_identities(object: &mut Value, writer: &Writer<'_>) {
    let steps: &[&[&str]] = match writer.part {
        Part::EphemeralContainers => &[&["f:spec"], &["f:ephemeralContainers"]],
        Part::Resize => &[&["f:spec"], &["f:containers", "f:initContainers"], &[], &["f:resources", "f:resizePolicy"]],
        Part::Main | Part::Status | Part::Finalize | Part::All => return,
    };
    retain_entries(object, |entry| {
        if !is_own(entry, writer, "Apply") {
            return true;
        }
        retain_paths(&mut entry["fieldsV1"], steps);
        entry["fieldsV1"].as_object().is_some_and(|fields| !fields.is_empty())
    });
}

/// Retains the fields at the end of some paths, and all below them. A step of a path is one of these names; without names
/// it is any.
fn retain_paths(fields: &mut Value, steps: &[&[&str]]) {
    let ([names, rest @ ..], Value::Object(members)) = (steps, fields) else { return };
    members.retain(|name, below| {
        retain_paths(below, rest);
        let is_named = names.is_empty() || names.contains(&name.as_str());
        is_named && (rest.is_empty() || below.as_object().is_some_and(|below| !below.is_empty()))
    });
}
