//! Creating built-in objects from bodies that need no change.
//!
//! Most bodies are stored as they came: nothing in them is unknown, repeated, or of a mismatched type, and `null` or an
//! empty list is only where it means absent. They are checked, copied, and listed as fields of their manager in one pass
//! over their bytes, without a tree. Any other body is declined and created through a tree, as
//! [`Call::create`](crate::call::Call::create) does it; the result is the same to the byte, which a test holds.

mod cursor;
mod elements;
mod fields;
mod members;
mod metadata;
mod root;
mod scan;
#[cfg(test)]
mod tests;

use crate::call::Call;
use crate::failure::Failure;
use crate::store::Stored;
use bytes::Bytes;
use metadata::Stamp;
use root::Plain;
use serde_json::json;
use std::io::Write;
use std::sync::Arc;

/// The most memory that is kept for the next object.
const MOST_SCRATCH: usize = 1 << 16;

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
            && self.check_options().is_ok()
            && self.check_namespace().is_ok();
        if !is_usual {
            return None;
        }
        let plain = Plain::parse(self.request.body, resource, &self.state.registry.schemas)?;
        let rule = resource.facts.name_rule;
        plain.metadata.is_plain(&plain.json, rule, self.namespace()).then_some(plain)
    }

    /// Stores a new object, as [`Self::insert`] does.
    pub(super) fn insert_plain(&mut self, plain: &Plain) -> Result<Arc<Stored>, Failure> {
        let Plain { json, metadata, metadata_range, fields } = plain;
        let text = |name| metadata.string(json, name).unwrap_or_default();
        let time = self.state.names.time(self.now).to_owned();
        let (stated, prefix) = (text("name"), text("generateName"));
        let generated = stated.is_empty().then(|| self.state.names.generate(prefix));
        let stamps = self.stamps(generated.as_deref(), &time);
        let key = self.unused_key(generated.as_deref().unwrap_or(stated), !prefix.is_empty())?;
        let version = self.state.store.version() + 1;
        let mut object = std::mem::take(&mut self.state.scratch);
        object.clear();
        object.extend_from_slice(self.resource.head().as_bytes());
        object.extend_from_slice(&json[1..metadata_range.start]);
        let mut dropped = vec!["resourceVersion", "selfLink", "generation"];
        if self.namespace().is_none() {
            dropped.push("namespace");
        }
        metadata.write(json, &stamps, &dropped, &mut object);
        if !fields.is_empty() {
            self.write_record(fields, &time, &mut object);
        }
        // Writing into memory cannot fail.
        drop(write!(object, "\"resourceVersion\":\"{version}\"}}"));
        object.extend_from_slice(&json[metadata_range.end..]);
        // As large as it is, and no larger.
        let stored = Stored::from_json(Bytes::copy_from_slice(&object));
        if object.capacity() <= MOST_SCRATCH {
            self.state.scratch = object;
        }
        Ok(self.state.store.insert(key, stored))
    }

    /// The members of metadata that come from the server.
    fn stamps(&mut self, generated: Option<&str>, time: &str) -> Vec<Stamp> {
        let stamp = |name, json| Stamp { name, json };
        let namespace = self.namespace().map(|namespace| stamp("namespace", json!(namespace).to_string()));
        let name = generated.map(|name| stamp("name", json!(name).to_string()));
        let uid = stamp("uid", format!("\"{}\"", self.state.names.uid()));
        let creation = stamp("creationTimestamp", format!("\"{time}\""));
        let generation = self.resource.facts.has_generation.then(|| stamp("generation", "1".to_owned()));
        [namespace, name, Some(uid), Some(creation), generation].into_iter().flatten().collect()
    }

    /// Writes the record of the only manager, as a member of metadata.
    fn write_record(&self, fields: &[u8], time: &str, object: &mut Vec<u8>) {
        let (manager, version) = (json!(self.request.manager()), json!(self.resource.api_version()));
        // Writing into memory cannot fail.
        drop(write!(
            object,
            "\"managedFields\":[{{\"manager\":{manager},\"operation\":\"Update\",\"apiVersion\":{version},\
             \"time\":\"{time}\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":"
        ));
        object.extend_from_slice(fields);
        object.extend_from_slice(b"}],");
    }
}
