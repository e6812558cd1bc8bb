//! Patching objects, in all four forms.

use super::body::Repeated;
use super::ownership::Writer;
use super::parts::ObjectPart;
use super::patch_form::PatchForm;
use super::prepared::{Prepared, Response};
use super::{Warnings, apply, body, live, options, replace, stored};
use crate::change::json::{MOST_STEPS, apply_steps};
use crate::change::{Schema, apply_merge, apply_strategic, is_malformed};
use crate::failure::{Cause, Failure};
use crate::object::normalize_numbers;
use crate::request::Request;
use crate::schema::conform::MOST_REPORTED;
use crate::schema::{conform, structural};
use crate::state::State;
use crate::tree::{Body, Duplicate, from_json, identity};
use serde_json::{Value, json};

/// The form of a patch, and its content.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Json(Vec<Value>),
    Merge(Value),
    Strategic(Value),
}

/// PATCH on an object, or on a part of it.
pub(super) fn prepare(
    state: &mut State,
    request: &Request<'_>,
    part: ObjectPart,
    warnings: &mut Warnings,
) -> Result<Prepared, Failure> {
    options::check(request)?;
    let Some(form) = PatchForm::from_request(request)? else {
        return apply::prepare(state, request, part, warnings);
    };
    let (change, duplicates) = change_of_body(request, form)?;
    let found = stored(state, request)?;
    let live = live(request, &found);
    let mut object = patched(&live, &request.resource.schema, &change)?;
    check_patched(state, request, &mut object, (&change, &duplicates), warnings)?;
    replace::check_version(request, &object, &live)?;
    let writer = Writer::new(request, false, part);
    let candidate = replace::replace(request, found, &live, object, &writer, warnings)?;
    Ok(Prepared::write(candidate, Response::Object(200)))
}

/// The patch, and its duplicate members.
pub(super) fn change_of_body(
    request: &Request<'_>,
    form: PatchForm,
) -> Result<(Change, Vec<Duplicate>), Failure> {
    let Body { tree: body, duplicates, .. } =
        from_json(request.incoming.body).map_err(|why| undecodable(&why))?;
    let change = match (form, body) {
        (PatchForm::Json, Value::Null) => Change::Json(Vec::new()),
        (PatchForm::Json, Value::Array(steps)) => match steps.iter().find(|step| !step.is_object())
        {
            Some(step) => return Err(undecodable(&body::unmarshal(step, "handlers.jsonPatchOp"))),
            None => Change::Json(steps),
        },
        (PatchForm::Json, other) => {
            return Err(undecodable(&body::unmarshal(&other, "[]handlers.jsonPatchOp")));
        }
        (PatchForm::Merge, Value::Null) => return Err(Failure::bad_request("Invalid JSON Patch")),
        (PatchForm::Merge, patch @ Value::Object(_)) => Change::Merge(patch),
        (PatchForm::Strategic, Value::Null) => Change::Strategic(json!({})),
        (PatchForm::Strategic, patch @ Value::Object(_)) => Change::Strategic(patch),
        (PatchForm::Merge | PatchForm::Strategic, other) => {
            return Err(undecodable(&body::unmarshal(&other, "map[string]interface {}")));
        }
    };
    Ok((change, duplicates))
}

fn undecodable(why: &str) -> Failure {
    Failure::bad_request(format!("error decoding patch: {why}"))
}

/// The object with the change, before anything is checked.
pub(super) fn patched(live: &Value, schema: &Schema, change: &Change) -> Result<Value, Failure> {
    let mut object = live.clone();
    match change {
        Change::Json(steps) if steps.len() > MOST_STEPS => {
            let count = steps.len();
            let why = format!(
                "The allowed maximum operations in a JSON patch is {MOST_STEPS}, got {count}"
            );
            return Err(Failure::new(413, format!("Request entity too large: {why}")));
        }
        Change::Json(steps) => apply_steps(&mut object, steps).map_err(|_| Failure::unfit())?,
        Change::Merge(patch) => apply_merge(&mut object, patch),
        Change::Strategic(patch) => {
            let applied = apply_strategic(&mut object, patch, schema);
            applied.map_err(|error| {
                let refuse =
                    if is_malformed(&error) { Failure::bad_request } else { Failure::internal };
                refuse(error.message().to_owned())
            })?;
        }
    }
    Ok(object)
}

/// Checks a patched object as if it were the body of an update.
fn check_patched(
    state: &State,
    request: &Request<'_>,
    object: &mut Value,
    (change, duplicates): (&Change, &[Duplicate]),
    warnings: &mut Warnings,
) -> Result<(), Failure> {
    // A strategic patch is merged into the struct, all others into its JSON, which is decoded
    // again.
    let patch = if let Change::Strategic(patch) = change { Some(patch) } else { None };
    if let Err(found) = identity(object) {
        return Err(unpatchable(&shown(object, patch), &found));
    }
    if patch.is_some() || request.resource.custom.is_some() {
        normalize_numbers(object);
    }
    if request.resource.custom.is_none() && object.get("apiVersion").is_none() {
        return Err(without_version(request, object, warnings));
    }
    let found = match patch {
        Some(_) => {
            conform::unrestorable(request.resource.schema.root(), object).map_or(Ok(()), Err)
        }
        None => body::check_stated(state, request, object)
            .and_then(|()| body::check_types(request, object)),
    };
    found.map_err(|found| unpatchable(&shown(object, patch), &found))?;
    if request.resource.custom.is_none() {
        // A patch may change the members that state the kind.
        body::state_kind(object, request.resource.api_version(), &request.resource.kind);
    }
    let odd_steps =
        if let Change::Json(steps) = change { unknown_members(steps) } else { Vec::new() };
    let is_strict = request.get("fieldValidation") == "Strict";
    let before = if is_strict { shown(object, patch) } else { String::new() };
    let repeated = Repeated { members: duplicates, keys: &[], others: &odd_steps };
    if let Some(problems) = body::strictness(request, object, &repeated, warnings) {
        return Err(unpatchable(&before, &problems));
    }
    body::check_name(request, object)
}

/// The value that an error shows: a strategic patch itself, otherwise the patched object.
fn shown(object: &Value, patch: Option<&Value>) -> String {
    patch.map_or_else(|| object.to_string(), |patch| structural::in_go(patch).0)
}

/// The unknown members of steps, as errors name them.
fn unknown_members(steps: &[Value]) -> Vec<String> {
    let known = ["op", "path", "from", "value"];
    let members = steps.iter().enumerate().flat_map(|(index, step)| {
        let names = step.as_object().into_iter().flatten().map(|(name, _)| name);
        names.filter(|name| !known.contains(&name.as_str())).map(move |name| (index, name))
    });
    members
        .take(MOST_REPORTED)
        .map(|(index, name)| format!("json patch unknown field \"[{index}].{name}\""))
        .collect()
}

/// The refusal of a patched object without a version. It is decoded as an object of no kind, which
/// has no members.
fn without_version(request: &Request<'_>, object: &Value, warnings: &mut Warnings) -> Failure {
    let names = object.as_object().into_iter().flatten().map(|(name, _)| name);
    for name in names.filter(|name| *name != "kind") {
        warnings.add(format!("unknown field \"{name}\""));
    }
    let nobody = json!({});
    body::check_name(request, &nobody).err().unwrap_or_else(Failure::unfit)
}

/// 422 for a patch that results in a value of a mismatched type.
pub(super) fn unpatchable(shown: &str, found: &str) -> Failure {
    let cause = Cause::invalid("patch", &json!(shown), found);
    Failure::invalid("", "", "", &[cause])
}
