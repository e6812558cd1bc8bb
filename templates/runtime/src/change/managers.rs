//! The managers of an object, and what each of them owns.

use super::ChangeError;
use super::fields::FieldSet;
use crate::kind::Resource;
use crate::meta_v1::{ObjectMeta, RawJson, Time};
use serde_json::{Value, json};

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
        Err(error) => Err(ChangeError::new(path, error.to_string())),
    }
}
