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
mod scratch;
#[cfg(test)]
mod tests;

use crate::call::{Call, State};
use crate::failure::Failure;
use crate::store::Stored;
use bytes::Bytes;
pub(crate) use scratch::Scratch;

use metadata::Stamps;
use root::Plain;
use std::io::Write;
use std::sync::Arc;

impl Call<'_> {
    /// The body of a create, if it needs no change.
    pub(super) fn plain(&mut self) -> Option<Plain> {
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
        let (rule, namespace) = (resource.facts.name_rule, self.namespace());
        let State { scratch, registry, .. } = &mut *self.state;
        let metadata_range = Plain::parse(self.request.body, resource, &registry.schemas, scratch);
        if let Some(metadata_range) = metadata_range
            && scratch.metadata.is_plain(&scratch.json, rule, namespace)
        {
            return Some(Plain { scratch: std::mem::take(&mut self.state.scratch), metadata_range });
        }
        scratch.clear();
        None
    }

    /// Stores a new object, as [`Self::insert`] does.
    pub(super) fn insert_plain(&mut self, mut plain: Plain) -> Result<Arc<Stored>, Failure> {
        let time = self.state.names.time(self.now).to_owned();
        let name = plain.metadata_string("name").to_owned();
        let prefix = plain.metadata_string("generateName");
        let (has_prefix, is_generated) = (!prefix.is_empty(), name.is_empty());
        let name = if is_generated { self.state.names.generate(prefix) } else { name };
        self.stamp(&mut plain.scratch.stamps, is_generated.then_some(&name), &time);
        let created = self.unused_key(&name, has_prefix).map(|key| {
            self.encode_object(&mut plain, &time);
            // As large as it is, and no larger.
            (key, Stored::from_json(Bytes::copy_from_slice(&plain.scratch.object)))
        });
        plain.scratch.clear();
        self.state.scratch = plain.scratch;
        created.map(|(key, stored)| self.state.store.insert(key, stored))
    }

    /// Adds the members of metadata that come from the server.
    fn stamp(&mut self, stamps: &mut Stamps, generated: Option<&String>, time: &str) {
        if let Some(namespace) = self.namespace() {
            stamps.string("namespace", namespace);
        }
        if let Some(name) = generated {
            stamps.string("name", name);
        }
        stamps.string("uid", &self.state.names.uid());
        stamps.string("creationTimestamp", time);
        if self.resource.facts.has_generation {
            stamps.add("generation", |json| json.push(b'1'));
        }
    }

    /// Writes the object as it is stored.
    fn encode_object(&self, plain: &mut Plain, time: &str) {
        let Plain { scratch: Scratch { json, fields, metadata, stamps, object, .. }, metadata_range } = plain;
        object.extend_from_slice(self.resource.head().as_bytes());
        object.extend_from_slice(&json[1..metadata_range.start]);
        let dropped = &["resourceVersion", "selfLink", "generation", "namespace"];
        let dropped = if self.namespace().is_none() { &dropped[..] } else { &dropped[..3] };
        metadata.write(json, stamps, dropped, object);
        if !fields.json.is_empty() {
            self.write_record(&fields.json, time, object);
        }
        let version = self.state.store.version() + 1;
        // Writing into memory cannot fail.
        drop(write!(object, "\"resourceVersion\":\"{version}\"}}"));
        object.extend_from_slice(&json[metadata_range.end..]);
    }

    /// Writes the record of the only manager, as a member of metadata.
    fn write_record(&self, fields: &[u8], time: &str, object: &mut Vec<u8>) {
        object.extend_from_slice(b"\"managedFields\":[{\"manager\":");
        write_string(self.request.manager(), object);
        object.extend_from_slice(b",\"operation\":\"Update\",\"apiVersion\":");
        write_string(self.resource.api_version(), object);
        for piece in [",\"time\":\"", time, "\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":"] {
            object.extend_from_slice(piece.as_bytes());
        }
        object.extend_from_slice(fields);
        object.extend_from_slice(b"}],");
    }
}

/// Writes a string as JSON.
fn write_string(text: &str, json: &mut Vec<u8>) {
    // Writing into memory cannot fail.
    drop(serde_json::to_writer(json, text));
}
