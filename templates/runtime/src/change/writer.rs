//! The author of a write to an object.

use super::fields::FieldSet;
use super::managers::Manager;
use crate::meta_v1::Time;

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
