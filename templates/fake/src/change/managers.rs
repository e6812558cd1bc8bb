//! The managers of fields, and the record of them in `metadata.managedFields`.

use super::fields::Changes;
use crate::object::Tree;
use crate::schema::Schema;
use kapigen_definitions::quoted;
use kapigen_runtime::change::{ChangeError, FieldSet};
use kapigen_runtime::meta_v1::Time;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// Writes the owners of fields into an object that was created, replaced or patched: the manager
/// owns what it has changed.
///
/// The old object is `null` if there is none. If the new object has no readable `managedFields`, or
/// a subresource is written, the `managedFields` of the old object count; an empty list, or one
/// with a single empty entry, forgets all managers. A stored object without managers is not tracked
/// until the next apply.
pub fn track_update(old: &Value, new: &mut Value, schema: &Schema, writer: &FieldWriter<'_>) {
    let node = schema.root();
    let stated = take_record(new);
    let is_main = writer.subresource.is_empty();
    if is_main && is_reset(&stated) {
        return;
    }
    let mut managers = stated_managers(&stated, writer).filter(|_| is_main).unwrap_or_else(|| {
        // An unreadable record counts as none.
        managers_of(old).unwrap_or_default()
    });
    if managers.is_empty() && old["metadata"]["uid"].as_str().is_some_and(|uid| !uid.is_empty()) {
        return;
    }
    let changes = Changes::of_update(old, new, node);
    take_over(&mut managers, &changes);
    if !changes.set.is_empty() {
        let mut own = writer.manager(Operation::Update, changes.set);
        if let Some(at) = managers.iter().position(|manager| manager.is_same(&own)) {
            own.fields = own.fields.union(&managers.remove(at).fields);
        }
        managers.push(own);
        unite_oldest(&mut managers);
    }
    write_managers(new, managers);
}

/// The managers in the record of a request: none if it cannot be read or is empty. Managers of
/// other groups are forgotten.
fn stated_managers(record: &Value, writer: &FieldWriter<'_>) -> Option<Vec<Manager>> {
    let entries = record.as_array()?;
    let mut managers =
        managers_of_record(record).ok().filter(|_| entries.iter().all(is_readable))?;
    if managers.is_empty() {
        return None;
    }
    let own = group(writer.api_version);
    managers.retain(|manager| group(&manager.api_version) == own);
    Some(managers)
}

fn group(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// Whether an entry of a record has all required members.
fn is_readable(entry: &Value) -> bool {
    Operation::parse(entry.text("operation")).is_some()
        && !entry.text("apiVersion").is_empty()
        && entry.text("fieldsType") == "FieldsV1"
}

/// The maximum number of updating managers of an object, beside the manager of a version that
/// represents all earlier ones.
const MOST_UPDATERS: usize = 10;
/// The manager that a server records for the fields of the oldest managers.
const ANCIENT: &str = "ancient-changes";

/// Merges the oldest updating managers, version by version, until few enough are left.
fn unite_oldest(managers: &mut Vec<Manager>) {
    let mut updaters: Vec<_> =
        managers.extract_if(.., |manager| manager.operation == Operation::Update).collect();
    let mut excess = updaters.len().saturating_sub(MOST_UPDATERS);
    updaters.sort_by_cached_key(|manager| {
        (manager.time.map(|time| time.to_string()), manager.name.clone())
    });
    let mut kept: Vec<Manager> = Vec::new();
    let mut firsts: BTreeMap<String, usize> = BTreeMap::new();
    for manager in updaters {
        let version = manager.api_version.clone();
        match firsts.get(&version) {
            Some(first) if excess > 0 => {
                let bucket = &mut kept[*first];
                ANCIENT.clone_into(&mut bucket.name);
                bucket.subresource.clear();
                bucket.fields = bucket.fields.union(&manager.fields);
                bucket.time = manager.time;
                excess -= 1;
            }
            _ => {
                firsts.entry(version).or_insert(kept.len());
                kept.push(manager);
            }
        }
    }
    managers.append(&mut kept);
}

/// Whether a record forgets all managers.
fn is_reset(record: &Value) -> bool {
    match record.as_array().map(Vec::as_slice) {
        Some([]) => true,
        Some([entry]) => entry.as_object().is_some_and(Map::is_empty),
        _ => false,
    }
}

/// Takes the record of managers out of an object. `null` if it has none.
fn take_record(object: &mut Value) -> Value {
    let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
    metadata.and_then(|metadata| metadata.shift_remove("managedFields")).unwrap_or_default()
}

pub(super) fn without_managers(object: &Value) -> Value {
    let mut object = object.clone();
    take_record(&mut object);
    object
}

/// A field that another manager owns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldConflict {
    /// The path of the field, such as `.spec.replicas`.
    pub path: String,
    /// Its manager in the words of a server: `"hpa" with subresource "scale"`.
    pub manager: String,
}

impl fmt::Display for FieldConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "conflict with {}: {}", self.manager, self.path)
    }
}

/// Takes the changed fields away from all managers. Returns the fields that were taken.
pub(super) fn take_over(managers: &mut [Manager], changes: &Changes) -> Vec<FieldConflict> {
    let mut conflicts = Vec::new();
    for manager in managers {
        let taken = manager.fields.intersection(&changes.set);
        if !taken.is_empty() {
            let shown = shown(manager);
            conflicts.extend(
                taken
                    .paths()
                    .into_iter()
                    .map(|path| FieldConflict { path, manager: shown.clone() }),
            );
            manager.fields.subtract(&taken);
        }
        manager.fields.subtract(&changes.removed);
    }
    conflicts
}

fn shown(manager: &Manager) -> String {
    let mut text = quoted(&manager.name);
    if !manager.subresource.is_empty() {
        text.extend([" with subresource ", &quoted(&manager.subresource)]);
    }
    if manager.operation == Operation::Update {
        text.extend([" using ", &manager.api_version]);
    }
    text
}

/// The way in which a manager writes fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    /// By server-side apply.
    Apply,
    /// By any other write.
    Update,
}

impl Operation {
    /// The operation of an entry of `managedFields`.
    fn parse(text: &str) -> Option<Self> {
        [Self::Apply, Self::Update].into_iter().find(|operation| operation.as_str() == text)
    }

    /// The operation as an entry of `managedFields` has it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Apply => "Apply",
            Self::Update => "Update",
        }
    }
}

/// The field manager that writes an object.
#[derive(Clone, Copy, Debug)]
pub struct FieldWriter<'a> {
    /// Its name: `fieldManager` of the request.
    pub name: &'a str,
    /// The subresource of the request, or nothing.
    pub subresource: &'a str,
    /// The API version of the request.
    pub api_version: &'a str,
    /// The time of the request.
    pub time: Option<Time>,
}

impl FieldWriter<'_> {
    pub(super) fn manager(&self, operation: Operation, fields: FieldSet) -> Manager {
        Manager {
            name: self.name.to_owned(),
            operation,
            subresource: self.subresource.to_owned(),
            api_version: self.api_version.to_owned(),
            time: self.time.filter(|_| operation == Operation::Update),
            fields,
        }
    }
}

/// A manager of fields, with the fields that it owns: an entry of `managedFields`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manager {
    name: String,
    operation: Operation,
    subresource: String,
    api_version: String,
    pub(super) time: Option<Time>,
    pub(super) fields: FieldSet,
}

/// The fields of an entry.
fn entry_fields(index: usize, entry: &Value) -> Result<FieldSet, ChangeError> {
    let path = format!("metadata.managedFields[{index}].fieldsV1");
    match entry.get("fieldsV1") {
        Some(fields) => FieldSet::from_fields_v1(fields).map_err(|error| error.below(&path)),
        None => Ok(FieldSet::default()),
    }
}

/// The managers of an object.
pub(super) fn managers_of(object: &Value) -> Result<Vec<Manager>, ChangeError> {
    managers_of_record(&object["metadata"]["managedFields"])
}

/// The managers that a record lists.
fn managers_of_record(record: &Value) -> Result<Vec<Manager>, ChangeError> {
    let entries = record.as_array().into_iter().flatten();
    let entries = entries
        .enumerate()
        .filter(|(_, entry)| entry.as_object().is_some_and(|entry| !entry.is_empty()));
    let entries = entries.map(|(index, entry)| {
        Ok(Manager {
            name: entry.text("manager").to_owned(),
            // A server reads any other value as an update.
            operation: Operation::parse(entry.text("operation")).unwrap_or(Operation::Update),
            subresource: entry.text("subresource").to_owned(),
            api_version: entry.text("apiVersion").to_owned(),
            time: entry["time"].as_str().and_then(|time| time.parse().ok()),
            fields: entry_fields(index, entry)?,
        })
    });
    entries.collect()
}

impl Manager {
    /// The entry of `managedFields`.
    fn into_entry(self, fields: Value) -> Value {
        let mut entry = json!({
            "manager": self.name, "operation": self.operation.as_str(),
            "apiVersion": self.api_version,
        });
        if let Some(time) = self.time {
            entry["time"] = json!(time.to_string());
        }
        entry["fieldsType"] = json!("FieldsV1");
        entry["fieldsV1"] = fields;
        if !self.subresource.is_empty() {
            entry["subresource"] = json!(self.subresource);
        }
        entry
    }

    /// Whether both are entries of one manager. A manager that applies has one entry for all
    /// versions.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let applies = self.operation == Operation::Apply;
        (&self.name, &self.operation, &self.subresource)
            == (&other.name, &other.operation, &other.subresource)
            && (applies || self.api_version == other.api_version)
    }
}

/// Writes the managers into an object, in the order in which servers list them.
pub(super) fn write_managers(object: &mut Value, mut managers: Vec<Manager>) {
    managers.retain(|manager| !manager.fields.is_empty());
    managers.sort_by(|one, other| sort_key(one).cmp(&sort_key(other)));
    let entries = managers.into_iter().map(|mut manager| {
        let fields = std::mem::take(&mut manager.fields).into_fields_v1();
        manager.into_entry(fields)
    });
    write_record(object, entries.collect());
}

/// The key by which servers sort managers.
fn sort_key(manager: &Manager) -> impl Ord {
    let Manager { name, operation, subresource, api_version, time, .. } = manager;
    (*operation, *time, name, api_version, subresource)
}

/// Writes the entries of the managers of an object.
fn write_record(object: &mut Value, entries: Vec<Value>) {
    let Some(object) = object.as_object_mut() else { return };
    let metadata = object.entry("metadata").or_insert_with(|| json!({}));
    let Some(metadata) = metadata.as_object_mut() else { return };
    if entries.is_empty() {
        metadata.remove("managedFields");
    } else {
        metadata.insert("managedFields".to_owned(), Value::Array(entries));
    }
}
