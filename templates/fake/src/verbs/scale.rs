//! The subresource `scale`: the number of replicas of an object, as an object of its own.

use super::ownership::Writer;
use super::parts::ObjectPart;
use super::patch_form::PatchForm;
use super::prepared::{Prepared, Response};
use super::{Outcome, Warnings, apply, body, live, options, patch, replace, stored};
use crate::change::FieldConflict;
use crate::failure::{Cause, Failure};
use crate::object::Tree;
use crate::request::Request;
use crate::schema::{Schema, conform};
use crate::select::selector_text;
use crate::state::State;
use kapigen_runtime::Verb;
use serde_json::{Value, json};

/// The paths of the numbers in an object.
struct Paths {
    spec: String,
    status: String,
    selector: Option<String>,
}

/// GET on `scale`.
pub(super) fn get(state: &State, request: &Request<'_>) -> Result<Outcome, Failure> {
    let live = live(request, &*stored(state, request)?);
    from_object(request, &live).map(Outcome::ok)
}

/// PUT and PATCH on `scale`.
pub(super) fn prepare(
    state: &mut State,
    request: &Request<'_>,
    warnings: &mut Warnings,
) -> Result<Prepared, Failure> {
    options::check(request)?;
    let mut form = None;
    if request.verb == Verb::Patch {
        form = PatchForm::from_request(request)?;
        if form.is_none() {
            return prepare_apply(state, request, warnings);
        }
    }
    let found = stored(state, request)?;
    let live = live(request, &found);
    let scale = changed_scale(request, &live, form)?;
    let stated = body::stated_version(&scale);
    if stated.is_some_and(|stated| stated != live.metadata_text("resourceVersion")) {
        return Err(Failure::stale(&request.resource, request.name));
    }
    let object = with_replicas(request, &live, &scale)?;
    // A number without an owner is not tracked, and zero is left out of a scale.
    let path = paths(request).spec;
    let is_recorded =
        is_owned(&live, &path) && object.at(&path).is_some_and(|replicas| *replicas != 0);
    let writer = Writer { is_recorded, ..Writer::new(request, false, ObjectPart::All) };
    let candidate = replace::replace(request, found, &live, object, &writer, warnings)?;
    Ok(Prepared::write(candidate, Response::Scale))
}

fn prepare_apply(
    state: &State,
    request: &Request<'_>,
    warnings: &mut Warnings,
) -> Result<Prepared, Failure> {
    let scale = apply::config(request, warnings)?;
    let found = stored(state, request)?;
    let live = live(request, &found);
    if request.resource.custom.is_some() {
        let what = "failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper \
                    version: request to convert CR to an invalid group/version: autoscaling/v1";
        return Err(Failure::internal(format!(
            "failed to create manager for existing fields: {what}"
        )));
    }
    let mut config = json!({
        "apiVersion": live["apiVersion"], "kind": live["kind"], "metadata": {"name": request.name},
    });
    if let Some(replicas) = scale.at("spec.replicas") {
        config.put(&paths(request).spec, replicas.clone());
    }
    let path = paths(request).spec;
    let is_changed = live.at(&path) != scale.at("spec.replicas");
    if is_changed && !request.incoming.is_set("force") && !is_owned(&live, &path) {
        let path = format!(".{path}");
        let manager =
            "\"before-first-apply\" with subresource \"scale\" using autoscaling/v1".to_owned();
        return Err(apply::refusal(&[FieldConflict { path, manager }]));
    }
    let writer = Writer::new(request, true, ObjectPart::All);
    let object = apply::merged(request, &live, &config, &writer)?;
    let candidate = replace::replace(request, found, &live, object, &writer, warnings)?;
    Ok(Prepared::write(candidate, Response::Scale))
}

/// Whether a manager owns the member at a path with dots.
fn is_owned(object: &Value, path: &str) -> bool {
    let entries = object.metadata("managedFields").and_then(Value::as_array).into_iter().flatten();
    entries.into_iter().any(|entry| {
        let fields = entry.get("fieldsV1").unwrap_or(&Value::Null);
        path.split('.').try_fold(fields, |fields, name| fields.get(format!("f:{name}"))).is_some()
    })
}

/// The scale in the body: a patch of this form, or all of it.
fn changed_scale(
    request: &Request<'_>,
    live: &Value,
    form: Option<PatchForm>,
) -> Result<Value, Failure> {
    if let Some(form) = form {
        let (change, _) = patch::change_of_body(request, form)?;
        let scale = patch::patched(
            &from_object(request, live).or_else(|_| empty_scale(request, live))?,
            &Schema::any(),
            &change,
        )?;
        if let Some(found) = mistyped(&scale) {
            return Err(patch::unpatchable(&scale.to_string(), &found));
        }
        return Ok(scale);
    }
    let scale = body::decode_part(request, "Scale", "autoscaling")?;
    body::check_name(request, &scale)?;
    Ok(scale)
}

fn paths(request: &Request<'_>) -> Paths {
    let custom = request.resource.custom.as_ref().and_then(|custom| custom.scale.as_ref());
    match custom {
        Some(scale) => Paths {
            spec: scale.spec.clone(),
            status: scale.status.clone(),
            selector: scale.selector.clone(),
        },
        None => Paths {
            spec: "spec.replicas".to_owned(),
            status: "status.replicas".to_owned(),
            selector: None,
        },
    }
}

fn empty_scale(request: &Request<'_>, live: &Value) -> Result<Value, Failure> {
    let mut object = live.clone();
    object.put(&paths(request).spec, json!(0));
    from_object(request, &object)
}

/// The scale of an object.
pub(super) fn from_object(request: &Request<'_>, object: &Value) -> Result<Value, Failure> {
    let paths = paths(request);
    let [replicas, current] =
        [&paths.spec, &paths.status].map(|path| object.at(path).and_then(Value::as_i64));
    if replicas.is_none() && request.resource.custom.is_some() {
        let what = format!("the spec replicas field \".{}\" does not exist", paths.spec);
        let failure = Failure::new(500, format!("Internal error occurred: {what}"));
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
    let mut status = json!({"replicas": current.unwrap_or_default()});
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

fn with_replicas(request: &Request<'_>, live: &Value, scale: &Value) -> Result<Value, Failure> {
    let replicas = scale.at("spec.replicas").and_then(Value::as_i64).unwrap_or_default();
    if replicas < 0 && request.resource.custom.is_none() {
        let cause =
            Cause::invalid("spec.replicas", &json!(replicas), "must be greater than or equal to 0");
        return Err(Failure::invalid("autoscaling", "Scale", request.name, &[cause]));
    }
    let mut object = live.clone();
    object.put(&paths(request).spec, json!(replicas));
    Ok(object)
}

fn mistyped(scale: &Value) -> Option<String> {
    let replicas = scale.at("spec.replicas")?;
    if replicas.is_null() || replicas.is_number() {
        return None;
    }
    let found = conform::type_name(replicas);
    Some(format!(
        "json: cannot unmarshal {found} into Go struct field ScaleSpec.spec.replicas of type int32"
    ))
}
