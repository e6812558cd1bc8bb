//! Patching objects, in all four forms.

use super::conform;
use super::part::Part;
use super::update::Writer;
use crate::call::{Call, Outcome};
use crate::change;
use crate::failure::{Cause, Failure};
use crate::tree::{Body, from_json};
use kapigen_runtime::change::{Schema, apply_merge, apply_strategic};
use serde_json::{Value, json};

const JSON: &str = "application/json-patch+json";
const MERGE: &str = "application/merge-patch+json";
const STRATEGIC: &str = "application/strategic-merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

/// The form of a patch, and its content.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Json(Vec<Value>),
    Merge(Value),
    Strategic(Value),
}

impl Call<'_> {
    /// PATCH on an object, or on a part of it.
    pub(crate) fn patch(&mut self, part: Part) -> Result<Outcome, Failure> {
        self.check_options()?;
        self.check_form()?;
        if self.is_apply() {
            return self.apply(part);
        }
        self.refuse_force()?;
        let (change, duplicates) = self.change_of_body()?;
        let live = self.live()?;
        let resource = self.resource.clone();
        let mut object = Self::patched(&live, resource.merging.schema(), &change)?;
        self.check_patched(&mut object, &duplicates)?;
        self.check_version(&object, &live)?;
        let writer = Writer::new(self, false, part);
        self.change(&live, object, &writer).map(Outcome::ok)
    }

    pub(super) fn is_apply(&self) -> bool {
        self.request.content_type() == APPLY
    }

    /// Custom resources have no strategic merge patch.
    pub(super) fn check_form(&self) -> Result<(), Failure> {
        let form = self.request.content_type();
        let is_custom = self.resource.custom.is_some();
        if matches!(form, JSON | MERGE | APPLY) || form == STRATEGIC && !is_custom {
            return Ok(());
        }
        if form == STRATEGIC {
            let message = format!(
                "the body of the request was in an unknown format - accepted media types include: {JSON}, {MERGE}, {APPLY}"
            );
            return Err(Failure::new(415, "UnsupportedMediaType", message));
        }
        let message = "415: Unsupported Media Type";
        Err(Failure::new(415, "UnsupportedMediaType", message).with_details(json!({})))
    }

    pub(super) fn refuse_force(&self) -> Result<(), Failure> {
        if !self.request.has("force") {
            return Ok(());
        }
        let cause = Cause::forbidden("force", "may not be specified for non-apply patch");
        Err(Failure::invalid_options("PatchOptions", cause))
    }

    /// The patch, and the members that it has twice.
    pub(super) fn change_of_body(&self) -> Result<(Change, Vec<String>), Failure> {
        let wants_steps = self.request.content_type() == JSON;
        let refuse = |what: String| Failure::bad_request(format!("error decoding patch: {what}"));
        let Body { tree: body, duplicates } = from_json(self.request.body).map_err(|error| {
            refuse(if error.is_eof() { "unexpected end of JSON input".to_owned() } else { error.to_string() })
        })?;
        let form = self.request.content_type();
        let change = match body {
            Value::Null if wants_steps => Change::Json(Vec::new()),
            Value::Array(steps) if wants_steps => match steps.iter().find(|step| !step.is_object()) {
                Some(step) => return Err(refuse(unmarshal(step, "handlers.jsonPatchOp"))),
                None => Change::Json(steps),
            },
            other if wants_steps => return Err(refuse(unmarshal(&other, "[]handlers.jsonPatchOp"))),
            Value::Null if form == MERGE => return Err(Failure::bad_request("Invalid JSON Patch")),
            Value::Object(_) if form == MERGE => Change::Merge(body),
            Value::Object(_) | Value::Null => Change::Strategic(if body.is_null() { json!({}) } else { body }),
            other => return Err(refuse(unmarshal(&other, "map[string]interface {}"))),
        };
        Ok((change, duplicates))
    }

    /// The object with the change, before anything is checked.
    pub(super) fn patched(live: &Value, schema: &Schema, change: &Change) -> Result<Value, Failure> {
        let mut object = live.clone();
        match change {
            Change::Json(steps) => change::json::apply(&mut object, steps).map_err(|_| Failure::unfit())?,
            Change::Merge(patch) => apply_merge(&mut object, patch),
            Change::Strategic(patch) => {
                let applied = apply_strategic(&mut object, patch, schema);
                applied.map_err(|error| Failure::internal(error.to_string()))?;
            }
        }
        Ok(object)
    }

    /// Checks a patched object as if it were the body of an update.
    fn check_patched(&mut self, object: &mut Value, duplicates: &[String]) -> Result<(), Failure> {
        if !object.is_object() {
            let found = unmarshal(
                object,
                "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \
                \"json:\\\"kind,omitempty\\\"\" }",
            );
            return Err(Self::unpatchable(object, &format!("couldn't get version/kind; json parse error: {found}")));
        }
        if self.resource.custom.is_none() {
            if object.get("apiVersion").is_none() {
                return Err(self.without_version(object));
            }
            // A patch may change the members that state the kind.
            object["apiVersion"] = json!(self.resource.api_version());
            object["kind"] = json!(self.resource.kind);
        }
        self.check_kind(object, &self.own_kind())?;
        if let Err(found) = self.check_types(object) {
            return Err(Self::unpatchable(object, &found));
        }
        let before = if self.request.get("fieldValidation") == "Strict" { object.clone() } else { Value::Null };
        if let Some(problems) = self.strictness(object, duplicates)? {
            return Err(Self::unpatchable(&before, &problems));
        }
        self.check_name(object)
    }

    /// The refusal of a patched object without a version. It is decoded as an object of no kind, which has no members.
    fn without_version(&mut self, object: &Value) -> Failure {
        let names = object.as_object().into_iter().flatten().map(|(name, _)| name);
        for name in names.filter(|name| *name != "kind") {
            self.warn(format!("unknown field \"{name}\""));
        }
        let nobody = json!({});
        self.check_name(&nobody).err().unwrap_or_else(Failure::unfit)
    }

    /// 422 for a patch whose result has a value of a mismatched type.
    pub(super) fn unpatchable(object: &Value, found: &str) -> Failure {
        let text = object.to_string();
        let cause = Cause::invalid("patch", &json!(text), found);
        Failure::invalid("", "", "", &[cause])
    }
}

pub(super) fn unmarshal(value: &Value, into: &str) -> String {
    let found = conform::type_name(value);
    format!("json: cannot unmarshal {found} into Go value of type {into}")
}
