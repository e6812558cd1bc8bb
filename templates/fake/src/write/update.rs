//! Replacing objects, and the steps that all changes of an object share.

use super::create::{check_depth, immutable};
use super::decode::stated_version;
use super::part::Part;
use super::record;
use crate::call::{Call, Outcome};
use crate::failure::{Cause, Failure};
use crate::object::{Tree, finalizers, is_terminating};
use crate::tree::Body;
use serde_json::{Value, json};

/// The writer of a change, its way of writing, and the part of the object that it writes.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    pub(crate) name: String,
    pub(crate) is_apply: bool,
    pub(crate) api_version: String,
    pub(crate) subresource: String,
    pub(crate) part: Part,
}

impl Writer {
    pub(crate) fn new(call: &Call<'_>, is_apply: bool, part: Part) -> Self {
        Self {
            name: call.request.manager().to_owned(),
            is_apply,
            api_version: call.resource.api_version().to_owned(),
            subresource: call.target.subresource.unwrap_or_default().to_owned(),
            part,
        }
    }
}

impl Call<'_> {
    /// PUT on an object, or on a part of it.
    pub(crate) fn update(&mut self, part: Part) -> Result<Outcome, Failure> {
        let Body { tree: mut object, duplicates } = self.request.parsed()?;
        self.check_options()?;
        self.check_kind(&mut object, &self.own_kind())?;
        self.check_types(&object).map_err(|found| self.mistyped(&found))?;
        self.check_members(&mut object, &duplicates)?;
        self.check_name(&object)?;
        let writer = Writer::new(self, false, part);
        let live = match self.live() {
            Ok(live) => live,
            Err(_) if part == Part::Main && self.resource.facts.creates_on_update => {
                self.check_uid(&object, None)?;
                let object = self.insert(object, &writer)?;
                return Ok(Outcome::Object { code: 201, object });
            }
            Err(failure) => return Err(failure),
        };
        self.check_version(&object, &live)?;
        self.change(&live, object, &writer).map(Outcome::ok)
    }

    /// The name of the body must be that of the path.
    pub(super) fn check_name(&self, object: &Value) -> Result<(), Failure> {
        let (stated, wanted) = (object.text("name"), self.name());
        if stated.is_empty() {
            let message =
                format!("the name of the object ({wanted} based on URL) was undeterminable: name must be provided");
            return Err(Failure::bad_request(message));
        }
        if stated != wanted {
            let message = format!("the name of the object ({stated}) does not match the name on the URL ({wanted})");
            return Err(Failure::bad_request(message));
        }
        self.check_stated_namespace(object)
    }

    /// A namespace that is stated must be that of the path.
    pub(super) fn check_stated_namespace(&self, object: &Value) -> Result<(), Failure> {
        let stated = object.text("namespace");
        if self.namespace().is_some_and(|namespace| !stated.is_empty() && stated != namespace) {
            let message = "the namespace of the provided object does not match the namespace sent on the request";
            return Err(Failure::bad_request(message));
        }
        Ok(())
    }

    /// A uid that is stated must be that of the object.
    pub(super) fn check_uid(&self, object: &Value, live: Option<&Value>) -> Result<(), Failure> {
        let (stated, known) = (object.text("uid"), live.map_or("", |live| live.text("uid")));
        if stated.is_empty() || stated == known {
            return Ok(());
        }
        let (resource, name) = (&self.resource, self.name());
        let group = if resource.custom.is_some() { format!("{}/", resource.group) } else { String::new() };
        let namespace = self.namespace().map(|namespace| format!("{namespace}/")).unwrap_or_default();
        let key = format!("/registry/{group}{}/{namespace}{name}", resource.plural);
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition \
             failed: UID in precondition: {stated}, UID in object meta: {known}"
        );
        Err(Failure::conflict(&resource.group, &resource.plural, name, &why))
    }

    /// A version that is stated must be that of the object.
    pub(super) fn check_version(&self, object: &Value, live: &Value) -> Result<(), Failure> {
        self.check_uid(object, Some(live))?;
        match stated_version(object) {
            Some(stated) if stated.parse::<u64>().is_err() => {
                let why = format!("strconv.ParseUint: parsing \"{stated}\": invalid syntax");
                Err(Failure::internal(format!("resourceVersion: Invalid value: \"{stated}\": {why}")))
            }
            Some(stated) if stated != live.text("resourceVersion") => Err(Failure::stale(&self.resource, self.name())),
            None if !self.resource.facts.allows_blind_update && self.request.method == "PUT" => {
                Err(Failure::unversioned(&self.resource, self.name()))
            }
            _ => Ok(()),
        }
    }

    /// Puts an object in place of another, as far as the writer may, and returns it as stored. What is unchanged keeps
    /// its version. An object without finalizers that waits for its end is removed.
    pub(super) fn change(&mut self, live: &Value, mut object: Value, writer: &Writer) -> Result<Value, Failure> {
        check_depth(&object)?;
        self.check_body_namespace(&mut object)?;
        self.check_containers(&object, live, writer.part)?;
        let cleared = record::keep_record(&mut object, live);
        self.reset_other_parts(&mut object, live, writer.part);
        self.complete(&mut object);
        // Servers record what a request states, and only then restore what it cannot change.
        if !cleared {
            self.record_change(&mut object, live, writer)?;
        }
        self.keep_other_parts(&mut object, live, writer.part);
        self.check_immutable(&object, live)?;
        for name in [
            "uid",
            "creationTimestamp",
            "generation",
            "resourceVersion",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
        ] {
            match live.metadata(name) {
                Some(value) => object.set_metadata(name, value.clone()),
                None => _ = object.remove_metadata(name),
            }
        }
        self.unite_owners(&mut object);
        self.validate(&object, true)?;
        self.check_definition_change(&object, live)?;
        self.check_finalizers(&object, live)?;
        self.raise_generation(&mut object, live);
        Ok(self.store_changed(live, object))
    }

    pub(super) fn store_changed(&mut self, live: &Value, mut object: Value) -> Value {
        self.complete(&mut object);
        if object == *live {
            return object;
        }
        if self.is_dry_run() {
            return object;
        }
        let key = self.key(self.name());
        if is_terminating(&object) && finalizers(&object).is_empty() && self.is_released(&object) {
            self.state.remove(&key);
            return object;
        }
        if self.is_definition() && object.get("spec") != live.get("spec") {
            // The kinds stay as they were if it is no longer complete.
            drop(self.state.registry.add_definition(&object));
        }
        self.state.store.put(key, object)
    }

    /// Whether nothing but finalizers holds a terminating object: no grace, and no finalizers of a namespace.
    pub(super) fn is_released(&self, object: &Value) -> bool {
        let grace = object.metadata("deletionGracePeriodSeconds").and_then(Value::as_i64).unwrap_or_default();
        let held = object.at("spec.finalizers").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
        grace == 0 && !(self.is_namespace() && held)
    }

    fn check_immutable(&self, object: &Value, live: &Value) -> Result<(), Failure> {
        let Some(stated) = object.metadata("deletionTimestamp") else { return Ok(()) };
        if Some(stated) == live.metadata("deletionTimestamp") {
            return Ok(());
        }
        let cause = immutable("metadata.deletionTimestamp", stated);
        Err(Failure::invalid_object(&self.resource, self.name(), &[cause.clone(), cause]))
    }

    /// An object that waits for its end takes no new finalizers.
    fn check_finalizers(&self, object: &Value, live: &Value) -> Result<(), Failure> {
        if !is_terminating(live) {
            return Ok(());
        }
        let known = finalizers(live);
        let added: Vec<_> = finalizers(object)
            .into_iter()
            .filter(|name| !known.contains(name))
            .map(|name| json!(name).to_string())
            .collect();
        if added.is_empty() {
            return Ok(());
        }
        let why = format!(
            "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
            added.join(", ")
        );
        let cause = Cause::forbidden("metadata.finalizers", &why);
        Err(Failure::invalid_object(&self.resource, self.name(), &[cause.clone(), cause]))
    }

    /// The generation counts changes of all but metadata and status.
    fn raise_generation(&self, object: &mut Value, live: &Value) {
        if !self.resource.facts.has_generation {
            return;
        }
        let is_other = |name: &str| !matches!(name, "metadata" | "status");
        let rest = |object: &Value| {
            let members = object.as_object().into_iter().flatten().filter(|(name, _)| is_other(name));
            Value::Object(members.map(|(name, value)| (name.clone(), value.clone())).collect())
        };
        let generation = live.metadata("generation").and_then(Value::as_i64).unwrap_or_default();
        if rest(object) != rest(live) {
            object.set_metadata("generation", json!(generation + 1));
        }
    }
}
