//! Applying configurations.

use super::patch::unmarshal;
use super::record::set_record;
use super::update::{Part, Writer};
use crate::apply::{self, Applied, Conflict, Manager, Managers};
use crate::call::{Call, Outcome};
use crate::failure::{Cause, Failure};
use crate::names;
use crate::object::Tree;
use serde_json::{Value, json};
use std::sync::Arc;

impl Call<'_> {
    /// PATCH with a configuration.
    pub(super) fn apply(&mut self, part: Part) -> Result<Outcome, Failure> {
        let config = self.config()?;
        self.check_config(&config)?;
        let by = Writer::new(self, true, part);
        match self.state.store.get(&self.key(self.name())).cloned() {
            Some(live) => self.apply_to(&live, &config, &by).map(Outcome::ok),
            None if part == Part::Main => {
                let object = self.apply_new(config, &by)?;
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
        let parsed: Result<Value, _> = serde_json::from_slice(self.request.body);
        let body = match parsed {
            Ok(body) => body,
            Err(_) => serde_yaml::from_slice(self.request.body).map_err(|error| {
                let error = error.to_string();
                let what = error.split(" at line").next().unwrap_or_default();
                refuse(format!("error converting YAML to JSON: yaml: {what}"))
            })?,
        };
        match body {
            Value::Object(_) => Ok(body),
            Value::Null => Ok(json!({})),
            other => {
                let what = unmarshal(&other, "map[string]interface {}");
                Err(refuse(format!("error unmarshaling JSON: while decoding JSON: {what}")))
            }
        }
    }

    fn check_config(&self, config: &Value) -> Result<(), Failure> {
        let text = |key: &str| config.get(key).and_then(Value::as_str).unwrap_or_default();
        let (version, kind) = (text("apiVersion"), text("kind"));
        if (version, kind) != (self.resource.api_version().as_str(), self.resource.kind.as_str()) {
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
        self.check_name(config)?;
        apply::check(self.typed(), config).map_err(|found| {
            let (group, version) = (&self.resource.group, &self.resource.version);
            let (name, kind) = (config.text("name"), &self.resource.kind);
            let namespace = config.text("namespace");
            let what = format!("({namespace}/{name}; {group}/{version}, Kind={kind})");
            Failure::internal(format!("failed to create typed patch object {what}: {found}"))
        })
    }

    fn apply_new(&mut self, mut config: Value, by: &Writer) -> Result<Value, Failure> {
        let mut managers = Managers::default();
        let empty = json!({"apiVersion": config["apiVersion"], "kind": config["kind"], "metadata": {}});
        self.apply_within(&empty, &config, &mut managers, &by.manager)?;
        managers.touch(&by.manager, &names::time(self.now));
        set_record(&mut config, &managers);
        self.insert(config, by)
    }

    fn apply_to(&mut self, live: &Arc<Value>, config: &Value, by: &Writer) -> Result<Value, Failure> {
        self.check_applied_uid(config)?;
        if let Some(stated) = super::decode::stated_version(config)
            && stated != live.text("resourceVersion")
        {
            return Err(Failure::stale(&self.resource, self.name()));
        }
        let mut managers = self.managers_of(live);
        let applied = self.apply_within(live, config, &mut managers, &by.manager)?;
        let mut object = match applied {
            Some(object) => {
                managers.touch(&by.manager, &names::time(self.now));
                object
            }
            None => (**live).clone(),
        };
        set_record(&mut object, &managers);
        if object.metadata("managedFields").is_none() {
            // Absent would mean: as it was.
            object.set_metadata("managedFields", json!([]));
        }
        self.change(live, object, by)
    }

    fn check_applied_uid(&self, config: &Value) -> Result<(), Failure> {
        let live = self.live()?;
        let Some(stated) = config.metadata("uid").filter(|stated| **stated != live["metadata"]["uid"]) else {
            return Ok(());
        };
        let cause = super::create::immutable("metadata.uid", stated);
        Err(Failure::invalid_object(&self.resource, self.name(), &[cause.clone(), cause]))
    }

    /// The managers of an object. Without a record, one stands for all who wrote before.
    pub(super) fn managers_of(&self, live: &Value) -> Managers {
        let mut managers = Managers::of(live.metadata("managedFields")).unwrap_or_default();
        if managers.is_empty() {
            let before = Manager {
                name: "before-first-apply".to_owned(),
                is_apply: false,
                api_version: self.resource.api_version(),
                subresource: self.target.subresource.clone().unwrap_or_default(),
            };
            let mut empty = json!({"apiVersion": live["apiVersion"], "kind": live["kind"], "metadata": {}});
            self.complete_empty(&mut empty);
            apply::update(self.typed(), &empty, live, &mut managers, &before, &names::time(self.now));
        }
        managers
    }

    /// Merges a configuration. `None` if nothing but the record changes.
    pub(super) fn apply_within(
        &self,
        live: &Value,
        config: &Value,
        managers: &mut Managers,
        by: &Manager,
    ) -> Result<Option<Value>, Failure> {
        match apply::apply(self.typed(), live, config, managers, by, self.request.is_set("force")) {
            Applied::Changed(object) => Ok(Some(object)),
            Applied::Same => Ok(None),
            Applied::Conflicts(conflicts) => Err(refusal(&conflicts)),
        }
    }
}

/// 409 with a cause for each field.
fn refusal(conflicts: &[Conflict]) -> Failure {
    let causes: Vec<_> = conflicts
        .iter()
        .map(|Conflict { manager, field }| {
            json!({"reason": "FieldManagerConflict", "message": format!("conflict with {manager}"), "field": field})
        })
        .collect();
    let text = if let [Conflict { manager, field }] = conflicts {
        format!("Apply failed with 1 conflict: conflict with {manager}: {field}")
    } else {
        let mut lines = Vec::new();
        for (index, Conflict { manager, field }) in conflicts.iter().enumerate() {
            if index == 0 || conflicts[index - 1].manager != *manager {
                lines.push(format!("conflicts with {manager}:"));
            }
            lines.push(format!("- {field}"));
        }
        format!("Apply failed with {} conflicts: {}", conflicts.len(), lines.join("\n"))
    };
    Failure::new(409, "Conflict", text).with_details(json!({"causes": causes}))
}
