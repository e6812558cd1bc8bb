//! Creating objects.

use super::part::Part;
use super::structural;
use super::update::Writer;
use crate::call::{Call, Outcome};
use crate::failure::{Cause, Failure};
use crate::names;
use crate::object::{Tree, is_too_deep};
use crate::store::Key;
use crate::tree::Body;
use crate::validate;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};

impl Call<'_> {
    /// POST on a collection.
    pub(crate) fn create(&mut self) -> Result<Outcome, Failure> {
        self.check_not_ending()?;
        let Body { tree: mut object, duplicates } = self.request.parsed()?;
        self.check_options()?;
        self.check_kind(&mut object, &self.own_kind())?;
        self.check_types(&object).map_err(|found| self.mistyped(&found))?;
        self.check_members(&mut object, &duplicates)?;
        if !self.resource.object.contains("GET") {
            let object = self.review(object)?;
            return Ok(Outcome::Object { code: 201, object });
        }
        let object = self.insert(object, &self.writer(false))?;
        Ok(Outcome::Object { code: 201, object })
    }

    /// The refusal of a body with a value of a mismatched type.
    pub(super) fn mistyped(&self, found: &str) -> Failure {
        let (kind, version) = (&self.resource.kind, &self.resource.version);
        Failure::bad_request(format!("{kind} in version \"{version}\" cannot be handled as a {kind}: {found}"))
    }

    /// Stores a new object, and returns it as stored.
    pub(super) fn insert(&mut self, mut object: Value, writer: &Writer) -> Result<Value, Failure> {
        check_depth(&object)?;
        self.begin(&mut object)?;
        let has_status = self.resource.has_status();
        if let Value::Object(members) = &mut object
            && has_status
        {
            members.shift_remove("status");
        }
        self.label(&mut object);
        self.complete(&mut object);
        self.unite_owners(&mut object);
        self.validate(&object, false)?;
        self.check_definition_name(&object)?;
        // A POST is refused before its body is read.
        if writer.is_apply {
            self.check_not_ending_for_apply()?;
        }
        self.record_creation(&mut object, writer)?;
        self.seed(&mut object);
        self.store_new(object)
    }

    /// Gives the metadata of a new object all that comes from the server.
    pub(super) fn begin(&mut self, object: &mut Value) -> Result<(), Failure> {
        self.check_body_namespace(object)?;
        self.check_namespace()?;
        if self.request.method == "POST" && !object.text("resourceVersion").is_empty() {
            return Err(Failure::internal("resourceVersion should not be set on objects to be created"));
        }
        for name in ["resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "generation"] {
            object.remove_metadata(name);
        }
        let is_generated = object.text("name").is_empty() && !object.text("generateName").is_empty();
        if is_generated {
            let name = self.state.names.generate(object.text("generateName"));
            object.set_metadata("name", json!(name));
        }
        object.set_metadata("uid", json!(self.state.names.uid()));
        object.set_metadata("creationTimestamp", json!(names::time(self.now)));
        if self.resource.facts.has_generation {
            object.set_metadata("generation", json!(1));
        }
        Ok(())
    }

    pub(super) fn is_resource(&self, group: &str, plural: &str) -> bool {
        (self.resource.group.as_str(), self.resource.plural.as_str()) == (group, plural)
    }

    pub(super) fn is_namespace(&self) -> bool {
        self.is_resource("", "namespaces")
    }

    /// A namespace has its name as a label.
    fn label(&self, object: &mut Value) {
        if self.is_namespace() {
            let mut labels = object.metadata("labels").cloned().unwrap_or_else(|| json!({}));
            labels["kubernetes.io/metadata.name"] = json!(object.text("name"));
            object.set_metadata("labels", labels);
        }
    }

    /// Sets fields that a server writes into new objects of some kinds, and no manager owns.
    fn seed(&self, object: &mut Value) {
        if self.is_namespace() {
            object.put("spec.finalizers", json!(["kubernetes"]));
            object.put("status.phase", json!("Active"));
        }
        if self.is_definition() {
            object.put("status.conditions", self.accepted());
        }
    }

    /// The key of a new object, whose name may be generated from a prefix. Refuses one that is there already.
    pub(super) fn unused_key(&self, name: &str, has_prefix: bool) -> Result<Key, Failure> {
        let key = self.key(name);
        let Some(found) = self.state.store.get(&key) else { return Ok(key) };
        let failure = Failure::exists(&self.resource, name, found.is_terminating());
        Err(if has_prefix { not_unique(failure) } else { failure })
    }

    fn store_new(&mut self, object: Value) -> Result<Value, Failure> {
        let key = self.unused_key(object.text("name"), !object.text("generateName").is_empty())?;
        if self.is_dry_run() {
            return Ok(object);
        }
        if self.is_definition() {
            self.state.registry.add_definition(&object).map_err(Failure::bad_request)?;
        }
        Ok(self.state.store.put(key, object))
    }

    /// The namespace of the body must be that of the path; absent, it is taken from there.
    pub(super) fn check_body_namespace(&self, object: &mut Value) -> Result<(), Failure> {
        let stated = object.text("namespace").to_owned();
        let Some(namespace) = self.namespace() else {
            object.remove_metadata("namespace");
            return Ok(());
        };
        if !stated.is_empty() && stated != namespace {
            let message = "the namespace of the provided object does not match the namespace sent on the request";
            return Err(Failure::bad_request(message));
        }
        object.set_metadata("namespace", json!(namespace));
        Ok(())
    }

    /// Checks metadata and, for custom resources, the schema.
    ///
    /// An update checks metadata in four places, each of which reports an error.
    pub(super) fn validate(&self, object: &Value, is_update: bool) -> Result<(), Failure> {
        let mut causes = Vec::new();
        if let Some(custom) = &self.resource.custom {
            causes.extend(structural::validate(self.typed(), object, custom.scale.as_ref()));
        }
        let mut all = validate::metadata(object, self.resource.facts.name_rule);
        if is_update {
            all = vec![all; 4].concat();
        }
        all.append(&mut causes);
        if all.is_empty() {
            return Ok(());
        }
        Err(Failure::invalid_object(&self.resource, object.text("name"), &all))
    }

    /// Drops repeated owners, with a warning.
    pub(super) fn unite_owners(&mut self, object: &mut Value) {
        let Some(owners) = object.metadata("ownerReferences").and_then(Value::as_array) else { return };
        if owners.len() < 2 {
            return;
        }
        let owners = owners.clone();
        self.warn_of_owners(object);
        let mut known = HashSet::new();
        let united = owners.into_iter().filter(|owner| known.insert(owner.clone()));
        object.set_metadata("ownerReferences", united.collect());
    }

    fn warn_of_owners(&mut self, object: &Value) {
        let owners = object.metadata("ownerReferences").and_then(Value::as_array);
        let mut uids = owners.into_iter().flatten().filter_map(|owner| owner.get("uid")?.as_str());
        let mut known = BTreeSet::new();
        if let Some(uid) = uids.find(|uid| !known.insert(*uid)) {
            self.warn(format!(
                ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and \
                 may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {uid}"
            ));
        }
    }

    /// The writer of this request.
    pub(super) fn writer(&self, is_apply: bool) -> Writer {
        Writer::new(self, is_apply, Part::Main)
    }
}

fn not_unique(mut failure: Failure) -> Failure {
    let message = failure.status["message"].as_str().unwrap_or_default();
    let message = format!("{message}, the server was not able to generate a unique name for the object");
    failure.status["message"] = json!(message);
    failure.status["details"]["retryAfterSeconds"] = json!(1);
    Failure { retry_after: Some(1), ..failure }
}

/// Refuses an object that is nested too deeply.
pub(super) fn check_depth(object: &Value) -> Result<(), Failure> {
    if is_too_deep(object) { Err(Failure::bad_request("the object is nested too deeply")) } else { Ok(()) }
}

/// A member that cannot change.
pub(super) fn immutable(field: &str, value: &Value) -> Cause {
    Cause::invalid(field, value, "field is immutable")
}
