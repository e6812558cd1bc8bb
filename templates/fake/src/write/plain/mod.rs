//! Creating built-in objects from bodies that need no change.
//!
//! Most bodies are stored as they came: nothing in them is unknown, `null`, empty, repeated, or of a mismatched type.
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
use crate::object::encode;
use crate::store::Stored;
use root::Plain;
use serde_json::{Value, json};
use std::sync::Arc;

/// Members of metadata whose presence in a body changes or refuses the create: left to the way through a tree.
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
            members.retain(|_, value| !is_absent(value));
        }
        self.unite_owners(&mut object);
        self.validate(&object, false)?;
        let key = self.unused_key(&object)?;
        let metadata = encode(&object["metadata"]);
        // Documents can name kinds as they like.
        let [kind, own_version] = [json!(self.resource.kind), json!(self.resource.api_version())];
        let kind = format!("{{\"kind\":{kind},\"apiVersion\":{own_version},");
        let (before, after) = self.record_around(writer);
        let is_owned = !fields.is_empty();
        let version = format!(",\"resourceVersion\":\"{}\"}}", self.state.store.version() + 1);
        let parts = [
            kind.as_bytes(),
            &json[..around.start],
            metadata.strip_suffix(b"}").unwrap_or(&metadata),
            if is_owned { before.as_bytes() } else { b"" },
            &fields,
            if is_owned { after } else { b"" },
            version.as_bytes(),
            &json[around.end..],
        ];
        Ok(self.state.store.insert(key, Stored::from_json(parts.concat())))
    }

    /// The record of the only manager, as a member of metadata: what comes before its fields, and after them.
    fn record_around(&self, writer: &Writer) -> (String, &'static [u8]) {
        let before = format!(
            ",\"managedFields\":[{{\"manager\":{},\"operation\":\"Update\",\"apiVersion\":{},\"time\":\"{}\",\
             \"fieldsType\":\"FieldsV1\",\"fieldsV1\":",
            json!(writer.name),
            json!(writer.api_version),
            names::time(self.now)
        );
        (before, b"}]")
    }
}

/// Whether a member of metadata means absent.
fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
