//! Definitions of custom resources: accepting them, and what their end means for new objects.

use crate::failure::{Cause, Failure};
use crate::lifecycle::definition_key;
use crate::names;
use crate::object::Tree;
use crate::registry::bad_kinds;
use crate::request::Request;
use crate::state::{DEFINITIONS, State};
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};

const ENDING: &str = "create not allowed while custom resource definition is terminating";

/// The members that name the resource of a definition.
const IDENTITY: [&str; 2] = ["spec.group", "spec.names.plural"];

/// Whether the objects of the resource define custom resources.
pub(super) fn is_definition(request: &Request<'_>) -> bool {
    &**request.resource.key() == DEFINITIONS
}

/// Checks the name of a new definition, which is that of the resource in the store. The registry refuses a definition
/// that lacks a part of it.
pub(super) fn check_name(request: &Request<'_>, object: &Value) -> Result<(), Failure> {
    let [Some(group), Some(plural)] = IDENTITY.map(|path| object.at(path).and_then(Value::as_str)) else {
        return Ok(());
    };
    let name = object.text("name");
    check_kinds(request, object)?;
    if !is_definition(request) || name == format!("{plural}.{group}") {
        return Ok(());
    }
    let cause = Cause::invalid("metadata.name", &json!(name), "must be spec.names.plural+\".\"+spec.group");
    Err(Failure::invalid_object(&request.resource, name, &[cause]))
}

/// Checks that a definition stays one of the same resource.
pub(super) fn check_change(request: &Request<'_>, object: &Value, live: &Value) -> Result<(), Failure> {
    if !is_definition(request) {
        return Ok(());
    }
    check_kinds(request, object)?;
    let changed = IDENTITY.into_iter().filter(|path| string(object, path) != string(live, path));
    let causes: Vec<_> = changed.map(|path| Cause::immutable(path, &json!(string(object, path)))).collect();
    if causes.is_empty() {
        return Ok(());
    }
    Err(Failure::invalid_object(&request.resource, object.text("name"), &causes))
}

/// Checks the kinds that a definition states.
fn check_kinds(request: &Request<'_>, object: &Value) -> Result<(), Failure> {
    let causes = if is_definition(request) { bad_kinds(object) } else { Vec::new() };
    if causes.is_empty() {
        return Ok(());
    }
    Err(Failure::invalid_object(&request.resource, object.text("name"), &causes))
}

/// The conditions of a definition whose kinds are served, for which clients wait.
pub(super) fn accepted(now: Timestamp) -> Value {
    let condition = |kind: &str, reason: &str| {
        let time = names::time(now);
        json!({"type": kind, "status": "True", "lastTransitionTime": time, "reason": reason, "message": ""})
    };
    json!([condition("NamesAccepted", "NoConflicts"), condition("Established", "InitialNamesAccepted")])
}

/// Whether the definition of the resource waits for its end. It then takes no new objects.
fn is_ending(state: &State, request: &Request<'_>) -> bool {
    let definition = definition_key(request.resource.key());
    request.resource.custom.is_some() && state.store.get(&definition).is_some_and(|found| found.is_terminating())
}

/// Refuses a POST to a resource whose definition waits for its end.
pub(super) fn check_not_ending(state: &State, request: &Request<'_>) -> Result<(), Failure> {
    if !is_ending(state, request) {
        return Ok(());
    }
    let resource = &request.resource;
    let details = json!({"group": resource.group, "kind": resource.plural});
    Err(Failure::new(405, "MethodNotAllowed", ENDING.to_owned()).with_details(details))
}

/// Refuses an apply that would create an object whose definition waits for its end. This is a matter of admission,
/// which follows the validation of the object.
pub(super) fn check_not_ending_for_apply(state: &State, request: &Request<'_>) -> Result<(), Failure> {
    if !is_ending(state, request) {
        return Ok(());
    }
    let (resource, name) = (&request.resource, request.name);
    let message = format!("{} \"{name}\" is forbidden: {ENDING}", resource.qualified());
    let details = json!({"name": name, "group": resource.group, "kind": resource.plural});
    Err(Failure::new(403, "Forbidden", message).with_details(details))
}

/// The string at a path with dots. Empty if it is absent.
fn string<'a>(object: &'a Value, path: &str) -> &'a str {
    object.at(path).and_then(Value::as_str).unwrap_or_default()
}
