//! Creating built-in objects from bodies that need no change.
//!
//! Most bodies are stored as they came: nothing in them is unknown, `null`, empty, there twice, or of a mismatched type.
//! They are checked, copied, and listed as fields of their manager in one pass over their bytes. Only metadata becomes a
//! tree. Any other body is declined and created through a tree, as [`Call::create`](crate::call::Call::create) does it;
//! the result is the same to the byte, which a test holds.

mod elements;
mod fields;
mod members;
mod root;
mod scan;

use super::update::Writer;
use crate::call::Call;
use crate::failure::Failure;
use crate::names;
use crate::store::Stored;
use root::Plain;
use serde_json::{Value, json};
use std::sync::Arc;

/// Members of metadata that a client may state, and that have no effect or an owner of their own.
const UNUSUAL: [&str; 3] = ["deletionTimestamp", "deletionGracePeriodSeconds", "managedFields"];

impl Call<'_> {
    /// The body of a create, if it needs no change.
    pub(super) fn plain(&self) -> Option<Plain> {
        let resource = &self.resource;
        let is_usual = resource.custom.is_none()
            && resource.object.contains("GET")
            && !self.is_namespace()
            && !self.is_definition()
            && !self.is_dry_run()
            && self.request.content_type() != "application/yaml"
            && matches!(self.request.get("fieldValidation"), "" | "Ignore" | "Warn" | "Strict")
            && self.check_options().is_ok();
        if !is_usual {
            return None;
        }
        let plain = Plain::parse(self.request.body, resource, &self.state.registry.schemas)?;
        UNUSUAL.iter().all(|name| plain.metadata.get(name).is_none()).then_some(plain)
    }

    /// Stores a new object, as [`Self::insert`] does.
    pub(super) fn insert_plain(&mut self, plain: Plain, writer: &Writer) -> Result<Arc<Stored>, Failure> {
        let Plain { json, metadata, around, fields } = plain;
        // Of the object, only metadata is looked at from here on.
        let mut object = json!({"metadata": metadata});
        self.begin(&mut object)?;
        if let Some(members) = object["metadata"].as_object_mut() {
            members.retain(|_, value| !value.is_null());
        }
        self.unite_owners(&mut object);
        self.validate(&object, false)?;
        let key = self.unused_key(&object)?;
        let metadata = object["metadata"].take().to_string();
        let head = self.head();
        let record = self.record_of(&fields, writer);
        let version = format!(",\"resourceVersion\":\"{}\"}}", self.state.store.version() + 1);
        let parts = [
            head.as_bytes(),
            &json[..around.start],
            metadata.strip_suffix('}').unwrap_or(&metadata).as_bytes(),
            record.as_bytes(),
            version.as_bytes(),
            &json[around.end..],
        ];
        Ok(self.state.store.insert(key, Stored::from_json(parts.concat())))
    }

    /// The members with which every object begins.
    fn head(&self) -> String {
        let (kind, version) = (Value::from(self.resource.kind.as_str()), Value::from(self.resource.api_version()));
        format!("{{\"kind\":{kind},\"apiVersion\":{version},")
    }

    /// The record of the only manager, as a member of metadata.
    fn record_of(&self, fields: &[u8], writer: &Writer) -> String {
        if fields.is_empty() {
            return String::new();
        }
        let entry = json!({
            "manager": writer.name, "operation": "Update", "apiVersion": writer.api_version,
            "time": names::time(self.now), "fieldsType": "FieldsV1",
        });
        let entry = entry.to_string();
        let fields = String::from_utf8_lossy(fields);
        format!(",\"managedFields\":[{},\"fieldsV1\":{fields}}}]", entry.strip_suffix('}').unwrap_or(&entry))
    }
}
