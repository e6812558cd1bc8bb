//! The subresource `scale`: the number of replicas of an object, as an object of its own.

use super::conform;
use super::part::Part;
use super::update::Writer;
use crate::call::{Call, Outcome};
use crate::failure::{Cause, Failure};
use crate::object::{Tree, selector_text};
use kapigen_runtime::change::Schema;
use serde_json::{Value, json};

/// The paths of the numbers in an object.
struct Paths {
    spec: String,
    status: String,
    selector: Option<String>,
}

impl Call<'_> {
    /// GET, PUT and PATCH on `scale`.
    pub(crate) fn scale(&mut self) -> Result<Outcome, Failure> {
        if self.request.method == "GET" {
            let live = self.live()?;
            return self.scale_of(&live).map(Outcome::ok);
        }
        self.check_options()?;
        if self.request.method == "PATCH" {
            self.check_form()?;
            if self.is_apply() {
                return self.apply_scale();
            }
            self.refuse_force()?;
        }
        let live = self.live()?;
        let scale = self.changed_scale(&live)?;
        let stated = super::decode::stated_version(&scale);
        if stated.is_some_and(|stated| stated != live.text("resourceVersion")) {
            return Err(Failure::stale(&self.resource, self.name()));
        }
        let object = self.with_replicas(&live, &scale)?;
        let writer = Writer::new(self, false, Part::All);
        let object = self.change(&live, object, &writer)?;
        self.scale_of(&object).map(Outcome::ok)
    }

    /// The scale that the body asks for.
    fn changed_scale(&mut self, live: &Value) -> Result<Value, Failure> {
        if self.request.method == "PATCH" {
            let (change, _) = self.change_of_body()?;
            let scale = Self::patched(
                &self.scale_of(live).or_else(|_| self.empty_scale(live))?,
                &Schema::from_definition(&Value::Null),
                &change,
            )?;
            if let Some(found) = mistyped(&scale) {
                return Err(Self::unpatchable(&scale, &found));
            }
            return Ok(scale);
        }
        let scale = self.request.tree()?;
        let text = |key: &str| scale.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("kind") != "Scale" && !text("kind").is_empty() {
            if self.resource.custom.is_some() {
                let scheme = "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781";
                let message = format!("no kind is registered for the type v1.Scale in scheme \"{scheme}\"");
                return Err(Failure::bad_request(message));
            }
            let version = text("apiVersion").rsplit('/').next().unwrap_or_default().to_owned();
            let kind = text("kind");
            return Err(Failure::bad_request(format!(
                "{kind} in version \"{version}\" cannot be handled as a Scale: converting ({version}.{kind}) to \
                 (autoscaling.Scale): unknown conversion"
            )));
        }
        self.check_name(&scale)?;
        Ok(scale)
    }

    fn paths(&self) -> Paths {
        let custom = self.resource.custom.as_ref().and_then(|custom| custom.scale.as_ref());
        match custom {
            Some(scale) => {
                Paths { spec: scale.spec.clone(), status: scale.status.clone(), selector: scale.selector.clone() }
            }
            None => Paths { spec: "spec.replicas".to_owned(), status: "status.replicas".to_owned(), selector: None },
        }
    }

    fn empty_scale(&self, live: &Value) -> Result<Value, Failure> {
        let mut object = live.clone();
        object.put(&self.paths().spec, json!(0));
        self.scale_of(&object)
    }

    fn scale_of(&self, object: &Value) -> Result<Value, Failure> {
        let paths = self.paths();
        let number = |path: &str| object.at(path).and_then(Value::as_i64);
        let replicas = number(&paths.spec);
        if replicas.is_none() && self.resource.custom.is_some() {
            let what = format!("the spec replicas field \".{}\" does not exist", paths.spec);
            let failure = Failure::new(500, "InternalError", format!("Internal error occurred: {what}"));
            return Err(failure.with_details(json!({"causes": [{"message": what}]})));
        }
        let mut metadata = json!({});
        for name in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
            if let Some(value) = object.metadata(name) {
                metadata[name] = value.clone();
            }
        }
        let mut spec = json!({});
        if let Some(replicas) = replicas.filter(|replicas| *replicas != 0) {
            spec["replicas"] = json!(replicas);
        }
        let mut status = json!({"replicas": number(&paths.status).unwrap_or_default()});
        let selector = match &paths.selector {
            Some(path) => object.at(path).and_then(Value::as_str).map(str::to_owned),
            None => object.at("spec.selector").map(selector_text),
        };
        if let Some(selector) = selector.filter(|selector| !selector.is_empty()) {
            status["selector"] = json!(selector);
        }
        Ok(
            json!({"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata, "spec": spec, "status": status}),
        )
    }

    fn with_replicas(&self, live: &Value, scale: &Value) -> Result<Value, Failure> {
        let replicas = scale.at("spec.replicas").and_then(Value::as_i64).unwrap_or_default();
        if replicas < 0 && self.resource.custom.is_none() {
            let cause = Cause::invalid("spec.replicas", &json!(replicas), "must be greater than or equal to 0");
            return Err(Failure::invalid("autoscaling", "Scale", self.name(), &[cause]));
        }
        let mut object = live.clone();
        object.put(&self.paths().spec, json!(replicas));
        Ok(object)
    }

    fn apply_scale(&mut self) -> Result<Outcome, Failure> {
        let scale = self.config()?;
        let live = self.live()?;
        if self.resource.custom.is_some() {
            let what = "failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: request to \
                        convert CR to an invalid group/version: autoscaling/v1";
            return Err(Failure::internal(format!("failed to create manager for existing fields: {what}")));
        }
        let mut config = json!({
            "apiVersion": live["apiVersion"], "kind": live["kind"], "metadata": {"name": self.name()},
        });
        if let Some(replicas) = scale.at("spec.replicas") {
            config.put(&self.paths().spec, replicas.clone());
        }
        let writer = Writer::new(self, true, Part::All);
        let object = self.apply_within(&live, &config, &writer)?;
        let object = self.change(&live, object, &writer)?;
        self.scale_of(&object).map(Outcome::ok)
    }
}

fn mistyped(scale: &Value) -> Option<String> {
    let replicas = scale.at("spec.replicas")?;
    if replicas.is_null() || replicas.is_number() {
        return None;
    }
    let found = conform::type_name(replicas);
    Some(format!("json: cannot unmarshal {found} into Go struct field ScaleSpec.spec.replicas of type int32"))
}
