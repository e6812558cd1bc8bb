//! Applying configurations.

use super::part::Part;
use super::patch::unmarshal;
use super::record;
use super::typed;
use super::update::Writer;
use crate::call::{Call, Outcome};
use crate::failure::{Cause, Failure};
use crate::object::Tree;
use crate::registry::Resource;
use crate::repeated::repeated_keys;
use crate::tree::{Body, from_json, from_yaml};
use kapigen_runtime::change::{ApplyError, Conflict, apply_configuration};
use serde_json::{Value, json};

impl Call<'_> {
    /// PATCH with a configuration.
    pub(super) fn apply(&mut self, part: Part) -> Result<Outcome, Failure> {
        let mut config = self.config()?;
        self.check_config(&config)?;
        self.drop_other_parts(&mut config, part);
        let by = Writer::new(self, true, part);
        match self.state.store.tree(&self.key(self.name())) {
            Some(live) => self.apply_to(&live, config, &by).map(Outcome::ok),
            None if part == Part::Main => {
                let object = self.apply_new(&config, &by)?;
                Ok(Outcome::Object { code: 201, object })
            }
            None => Err(Failure::missing(&self.resource, self.name())),
        }
    }

    /// The body of an apply, which is YAML.
    pub(super) fn config(&mut self) -> Result<Value, Failure> {
        if self.request.get("fieldManager").is_empty() {
            let cause = Cause::required("fieldManager", "is required for apply patch");
            return Err(Failure::invalid_options("PatchOptions", cause));
        }
        let refuse = |what: String| Failure::bad_request(format!("error decoding YAML: {what}"));
        let parsed = from_json(self.request.body).or_else(|_| from_yaml(self.request.body));
        let Body { tree, duplicates } = parsed.map_err(|error| {
            let error = error.to_string();
            let what = error.split(" at line").next().unwrap_or_default();
            refuse(format!("error converting YAML to JSON: yaml: {what}"))
        })?;
        if !duplicates.is_empty() {
            self.report_repeated()?;
        }
        match tree {
            Value::Object(_) => Ok(tree),
            Value::Null => Ok(json!({})),
            other => {
                let what = unmarshal(&other, "map[string]interface {}");
                Err(refuse(format!("error unmarshaling JSON: while decoding JSON: {what}")))
            }
        }
    }

    /// Reports keys that the configuration has twice.
    fn report_repeated(&mut self) -> Result<(), Failure> {
        let lines = repeated_keys(self.request.body).into_iter();
        let lines: Vec<_> =
            lines.map(|(line, key)| format!("line {line}: key {} already set in map", json!(key))).collect();
        match self.request.get("fieldValidation") {
            "Ignore" => {}
            "Strict" => {
                let what = format!("yaml: unmarshal errors:\n  {}", lines.join("\n  "));
                return Err(Failure::bad_request(format!("error strict decoding YAML: {what}")));
            }
            _ => lines.into_iter().for_each(|line| self.warn(line)),
        }
        Ok(())
    }

    /// Names the configuration of an object that exists, which need not state its name: the result has it.
    fn complete_name(&self, config: &mut Value) {
        if config.get("metadata").is_none_or(Value::is_null) {
            config["metadata"] = json!({});
        }
        if config["metadata"].get("name").is_none_or(|name| name.is_null() || name == "") {
            config.set_metadata("name", json!(self.name()));
        }
    }

    fn check_config(&self, config: &Value) -> Result<(), Failure> {
        let text = |key: &str| config.get(key).and_then(Value::as_str).unwrap_or_default();
        let (version, kind) = (text("apiVersion"), text("kind"));
        if (version, kind) != (self.resource.api_version(), self.resource.kind.as_str()) {
            let shown = if version.contains('/') { version.to_owned() } else { format!("/{version}") };
            return Err(Failure::bad_request(format!("invalid object type: {shown}, Kind={kind}")));
        }
        if config
            .get("metadata")
            .and_then(|metadata| metadata.get("managedFields"))
            .is_some_and(|record| !record.is_null())
        {
            return Err(Failure::bad_request("metadata.managedFields must be nil"));
        }
        typed::check(self.typed(), config).map_err(|found| {
            let (group, version) = (&self.resource.group, &self.resource.version);
            let (name, kind) = (config.text("name"), &self.resource.kind);
            let namespace = config.text("namespace");
            let what = format!("({namespace}/{name}; {group}/{version}, Kind={kind})");
            Failure::internal(format!("failed to create typed patch object {what}: {found}"))
        })
    }

    fn apply_new(&mut self, config: &Value, by: &Writer) -> Result<Value, Failure> {
        let object = self.apply_within(&Value::Null, config, by)?;
        let uid = object.text("uid");
        if !uid.is_empty() {
            let why =
                format!("uid mismatch: the provided object specified uid {uid}, and no existing object was found");
            return Err(Failure::conflict(&self.resource.group, &self.resource.plural, self.name(), &why));
        }
        self.check_name(&object)?;
        self.insert(object, by)
    }

    fn apply_to(&mut self, live: &Value, mut config: Value, by: &Writer) -> Result<Value, Failure> {
        self.complete_name(&mut config);
        let object = self.apply_within(live, &config, by)?;
        self.check_name(&object)?;
        if let Some(stated) = super::decode::stated_version(&config)
            && stated != live.text("resourceVersion")
        {
            return Err(Failure::stale(&self.resource, self.name()));
        }
        check_applied_uid(&self.resource, live, &config)?;
        self.change(live, object, by)
    }

    /// Merges a configuration into an object, or into nothing. An empty record represents all managers that gave up.
    pub(super) fn apply_within(&self, live: &Value, config: &Value, by: &Writer) -> Result<Value, Failure> {
        let schema = self.resource.merging.schema();
        let force = self.request.is_set("force");
        match apply_configuration(live, config, schema, &by.field_writer(self), force) {
            Ok(mut object) => {
                record::drop_identities(&mut object, by);
                if object.metadata("managedFields").is_none() {
                    object.set_metadata("managedFields", json!([]));
                }
                Ok(object)
            }
            Err(ApplyError::Conflicts(conflicts)) => Err(refusal(&conflicts)),
            Err(error) => Err(Failure::internal(error.to_string())),
        }
    }
}

/// An apply cannot change the uid: servers validate it as an immutable field, and not as a precondition.
fn check_applied_uid(resource: &Resource, live: &Value, config: &Value) -> Result<(), Failure> {
    let Some(stated) = config.metadata("uid").filter(|stated| **stated != live["metadata"]["uid"]) else {
        return Ok(());
    };
    let cause = super::create::immutable("metadata.uid", stated);
    Err(Failure::invalid_object(resource, live.text("name"), &[cause.clone(), cause]))
}

/// 409 with a cause for each field.
fn refusal(conflicts: &[Conflict]) -> Failure {
    let causes: Vec<_> = conflicts
        .iter()
        .map(|Conflict { manager, path, .. }| {
            json!({"reason": "FieldManagerConflict", "message": format!("conflict with {manager}"), "field": path})
        })
        .collect();
    let text = if let [Conflict { manager, path, .. }] = conflicts {
        format!("Apply failed with 1 conflict: conflict with {manager}: {path}")
    } else {
        let mut lines = Vec::new();
        for (index, Conflict { manager, path, .. }) in conflicts.iter().enumerate() {
            if index == 0 || conflicts[index - 1].manager != *manager {
                lines.push(format!("conflicts with {manager}:"));
            }
            lines.push(format!("- {path}"));
        }
        format!("Apply failed with {} conflicts: {}", conflicts.len(), lines.join("\n"))
    };
    Failure::new(409, "Conflict", text).with_details(json!({"causes": causes}))
}
