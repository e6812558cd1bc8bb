//! The record of field managers that writes leave behind.

use super::conform;
use super::update::Writer;
use crate::apply::{self, Managers};
use crate::call::Call;
use crate::names;
use crate::object::Tree;
use serde_json::{Value, json};

impl Call<'_> {
    pub(super) fn record_creation(&self, object: &mut Value, writer: &Writer) {
        if writer.manager.is_apply {
            return;
        }
        object.remove_metadata("managedFields");
        let mut empty = json!({"apiVersion": object["apiVersion"], "kind": object["kind"], "metadata": {}});
        self.complete_empty(&mut empty);
        let mut managers = Managers::default();
        let time = names::time(self.now);
        apply::update(self.typed(), &empty, object, &mut managers, &writer.manager, &time);
        set_record(object, &managers);
    }

    /// An object of a built-in kind without any content still has its plain structs.
    pub(super) fn complete_empty(&self, empty: &mut Value) {
        if self.resource.custom.is_none() {
            self.complete(empty);
            conform::add_empty(&self.state.registry.schemas, self.resource.schema, empty);
        }
    }

    pub(super) fn record_change(&self, object: &mut Value, live: &Value, writer: &Writer) {
        let record = object.metadata("managedFields").cloned();
        let managers = Managers::of(record.as_ref()).or_else(|| Managers::of(live.metadata("managedFields")));
        let mut managers = managers.unwrap_or_default();
        // Objects whose record was cleared are not tracked until somebody applies.
        if managers.is_empty() || writer.manager.is_apply {
            return;
        }
        // The record of a scale has no times.
        let is_scale = writer.manager.subresource == "scale";
        let time = if is_scale { String::new() } else { names::time(self.now) };
        apply::update(self.typed(), live, object, &mut managers, &writer.manager, &time);
        set_record(object, &managers);
    }
}

pub(super) fn set_record(object: &mut Value, managers: &Managers) {
    match managers.to_value() {
        Value::Array(entries) if entries.is_empty() => _ = object.remove_metadata("managedFields"),
        record => object.set_metadata("managedFields", record),
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
