//! The managers of an object, and what each of them owns: `metadata.managedFields`.

use kapigen_runtime::change::{ChangeError, FieldSet};
use kapigen_runtime::meta_v1::Time;
use serde_json::{Map, Value, json};

/// The manager on whose behalf a server writes an object.
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
    pub(super) fn manager(&self, operation: &str, fields: FieldSet) -> Manager {
        Manager {
            name: self.name.to_owned(),
            operation: operation.to_owned(),
            subresource: self.subresource.to_owned(),
            api_version: self.api_version.to_owned(),
            time: self.time.filter(|_| operation == "Update"),
            fields,
        }
    }
}

/// A manager of fields, with the fields that it owns: an entry of `managedFields`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manager {
    pub(super) name: String,
    /// `Apply` or `Update`.
    pub(super) operation: String,
    pub(super) subresource: String,
    pub(super) api_version: String,
    pub(super) time: Option<Time>,
    pub(super) fields: FieldSet,
}

/// The fields of an entry.
fn fields(index: usize, entry: &Value) -> Result<FieldSet, ChangeError> {
    let path = format!("metadata.managedFields[{index}].fieldsV1");
    match entry.get("fieldsV1") {
        Some(fields) => FieldSet::from_fields_v1(fields).map_err(|error| error.below(&path)),
        None => Ok(FieldSet::default()),
    }
}

/// The managers of an object.
pub(super) fn of_object(object: &Value) -> Result<Vec<Manager>, ChangeError> {
    of_record(&object["metadata"]["managedFields"])
}

/// The managers that a record lists.
pub(super) fn of_record(record: &Value) -> Result<Vec<Manager>, ChangeError> {
    let entries = record.as_array().into_iter().flatten();
    let entries = entries.enumerate().filter(|(_, entry)| entry.as_object().is_some_and(|entry| !entry.is_empty()));
    let entries = entries.map(|(index, entry)| {
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        Ok(Manager {
            name: text("manager"),
            operation: text("operation"),
            subresource: text("subresource"),
            api_version: text("apiVersion"),
            time: entry["time"].as_str().and_then(|time| time.parse().ok()),
            fields: fields(index, entry)?,
        })
    });
    entries.collect()
}

impl Manager {
    /// The entry of `managedFields`.
    fn to_entry(&self) -> Value {
        let mut entry = Map::new();
        let mut add = |key: &str, value: Value| _ = entry.insert(key.to_owned(), value);
        add("manager", self.name.as_str().into());
        add("operation", self.operation.as_str().into());
        add("apiVersion", self.api_version.as_str().into());
        if let Some(time) = self.time {
            add("time", time.to_string().into());
        }
        add("fieldsType", "FieldsV1".into());
        add("fieldsV1", self.fields.to_fields_v1());
        if !self.subresource.is_empty() {
            add("subresource", self.subresource.as_str().into());
        }
        Value::Object(entry)
    }

    /// Whether both are entries of one manager. One that applies has one entry for all versions.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let applies = self.operation == "Apply";
        (&self.name, &self.operation, &self.subresource) == (&other.name, &other.operation, &other.subresource)
            && (applies || self.api_version == other.api_version)
    }
}

/// Writes the managers into an object, in the order in which servers list them.
pub(super) fn write(object: &mut Value, mut managers: Vec<Manager>) {
    managers.retain(|manager| !manager.fields.is_empty());
    managers.sort_by(|one, other| {
        let order = |manager: &Manager| (manager.operation.clone(), manager.time, manager.name.clone());
        order(one).cmp(&order(other)).then_with(|| one.api_version.cmp(&other.api_version))
    });
    let Some(object) = object.as_object_mut() else { return };
    let metadata = object.entry("metadata").or_insert_with(|| json!({}));
    let Some(metadata) = metadata.as_object_mut() else { return };
    if managers.is_empty() {
        metadata.remove("managedFields");
    } else {
        let entries = managers.iter().map(Manager::to_entry).collect();
        metadata.insert("managedFields".to_owned(), entries);
    }
}
