//! The managers of an object, and what each of them owns.

use super::ChangeError;
use super::fields::FieldSet;
use crate::kind::Resource;
use crate::meta_v1::{ObjectMeta, RawJson, Time};
use serde_json::{Map, Value, json};

/// A manager of fields, with the fields that it owns: an entry of `metadata.managedFields`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manager {
    /// Its name: the `fieldManager` of its requests.
    pub name: String,
    /// `Apply` for server-side apply, `Update` for any other write.
    pub operation: String,
    /// The subresource through which it wrote, such as `status`; empty for the object itself.
    pub subresource: String,
    /// The API version of its request.
    pub api_version: String,
    /// When it last changed the object.
    pub time: Option<Time>,
    /// The fields that it owns.
    pub fields: FieldSet,
}

/// The managers of an object, in the order of `metadata.managedFields`.
///
/// ```
/// use kapigen_runtime::Resource;
/// use kapigen_runtime::change::{ChangeError, managers};
///
/// fn print_managers<T: Resource>(live: &T) -> Result<(), ChangeError> {
///     for manager in managers(live)? {
///         println!("{}: {}", manager.name, manager.fields.paths().join(", "));
///     }
///     Ok(())
/// }
/// ```
///
/// # Errors
/// When the fields of one of them are not in the format `FieldsV1`.
#[inline]
pub fn managers<T: Resource>(live: &T) -> Result<Vec<Manager>, ChangeError> {
    of_metadata(live.metadata())
}

/// Not generic, so that it is compiled once.
pub(super) fn of_metadata(metadata: &ObjectMeta) -> Result<Vec<Manager>, ChangeError> {
    let entries = metadata.managed_fields.iter().flatten();
    let entries = entries.enumerate().map(|(index, entry)| {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Ok(Manager {
            name: text(&entry.manager),
            operation: text(&entry.operation),
            subresource: text(&entry.subresource),
            api_version: text(&entry.api_version),
            time: entry.time,
            fields: fields(index, &entry.fields_v1.as_ref().map_or(Ok(json!({})), RawJson::to_value))?,
        })
    });
    entries.collect()
}

/// The fields of an entry.
fn fields(index: usize, fields: &Result<Value, serde_json::Error>) -> Result<FieldSet, ChangeError> {
    let path = format!("metadata.managedFields[{index}].fieldsV1");
    match fields {
        Ok(fields) => FieldSet::from_fields_v1(fields).map_err(|error| error.below(&path)),
        Err(error) => Err(ChangeError::at(path, error.to_string())),
    }
}

/// The managers of an object that is at hand as a tree.
pub(super) fn of_tree(object: &Value) -> Result<Vec<Manager>, ChangeError> {
    let entries = object["metadata"]["managedFields"].as_array().into_iter().flatten();
    let entries = entries.enumerate().filter(|(_, entry)| entry.as_object().is_some_and(|entry| !entry.is_empty()));
    let entries = entries.map(|(index, entry)| {
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        Ok(Manager {
            name: text("manager"),
            operation: text("operation"),
            subresource: text("subresource"),
            api_version: text("apiVersion"),
            time: entry["time"].as_str().and_then(|time| time.parse().ok()),
            fields: fields(index, &Ok(entry.get("fieldsV1").cloned().unwrap_or_else(|| json!({}))))?,
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
