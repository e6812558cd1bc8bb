//! The record of field managers that writes leave behind.

use super::update::Writer;
use crate::call::Call;
use crate::failure::Failure;
use crate::names;
use crate::object::Tree;
use kapigen_runtime::change::{FieldWriter, track_update};
use serde_json::Value;

impl Writer {
    /// The writer as the record names it. That of a scale has no times.
    pub(super) fn field_writer(&self, call: &Call<'_>) -> FieldWriter<'_> {
        let is_timed = self.subresource != "scale";
        FieldWriter {
            name: &self.name,
            subresource: &self.subresource,
            api_version: &self.api_version,
            time: is_timed.then(|| names::whole_second(call.now).into()),
        }
    }
}

impl Call<'_> {
    pub(super) fn record_creation(&self, object: &mut Value, writer: &Writer) -> Result<(), Failure> {
        if writer.is_apply {
            return Ok(());
        }
        object.remove_metadata("managedFields");
        let blank = self.resource.blank(&self.state.registry.schemas);
        self.track(blank, object, writer)
    }

    pub(super) fn record_change(&self, object: &mut Value, live: &Value, writer: &Writer) -> Result<(), Failure> {
        let record = object.metadata("managedFields").and_then(Value::as_array);
        // Objects whose record was cleared are not tracked until the next apply.
        if writer.is_apply || record.is_none_or(Vec::is_empty) {
            return Ok(());
        }
        self.track(live, object, writer)
    }

    fn track(&self, old: &Value, new: &mut Value, writer: &Writer) -> Result<(), Failure> {
        let schema = self.resource.merging.schema();
        track_update(old, new, schema, &writer.field_writer(self))
            .map_err(|error| Failure::internal(error.to_string()))?;
        if new.metadata("managedFields").and_then(Value::as_array).is_some_and(Vec::is_empty) {
            new.remove_metadata("managedFields");
        }
        Ok(())
    }
}

/// Keeps the record of managers where a body has none. Returns whether the body clears it.
pub(super) fn keep_record(object: &mut Value, live: &Value) -> bool {
    match object.metadata("managedFields").and_then(Value::as_array).map(Vec::as_slice) {
        None => {
            if let Some(record) = live.metadata("managedFields") {
                object.set_metadata("managedFields", record.clone());
            }
            false
        }
        Some([]) => {
            object.remove_metadata("managedFields");
            true
        }
        Some([only]) if only.as_object().is_some_and(serde_json::Map::is_empty) => {
            object.remove_metadata("managedFields");
            true
        }
        Some(_) => false,
    }
}
