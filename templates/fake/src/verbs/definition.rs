//! Definitions of custom resources: their validation, and new objects while they are being deleted.

use super::defaults::DefinitionChecks;
#[cfg(feature = "cel")]
use crate::cel;
use crate::failure::{Cause, Failure};
use crate::lifecycle::definition_key;
use crate::object::Tree;
use crate::request::Request;
use crate::state::{DEFINITIONS, State};
use kapigen_definitions::{refusals_of_change_with, refusals_with};
use serde_json::{Value, json};

/// Whether the objects of the resource define custom resources.
pub(super) fn is_definition(request: &Request<'_>) -> bool {
    &**request.resource.key() == DEFINITIONS
}

/// The causes for which a definition is refused, new or replacing another one.
pub(super) fn causes(request: &Request<'_>, object: &Value, live: Option<&Value>) -> Vec<Cause> {
    if !is_definition(request) || !request.subresource.is_empty() {
        return Vec::new();
    }
    let checks = DefinitionChecks;
    let causes = match live {
        None => refusals_with(object, &checks),
        Some(live) => refusals_of_change_with(object, live, &checks),
    };
    // Servers compile the rules of schemas without other errors.
    if causes.is_empty() { expressions(object) } else { causes }
}

/// The causes for which rules that are expressions are refused.
#[cfg(feature = "cel")]
fn expressions(object: &Value) -> Vec<Cause> {
    cel::refusals(object)
}

#[cfg(not(feature = "cel"))]
fn expressions(_: &Value) -> Vec<Cause> {
    Vec::new()
}

/// Adds the storage version to the versions in which objects may be stored.
pub(super) fn store_version(request: &Request<'_>, object: &mut Value) {
    if !is_definition(request) || !request.subresource.is_empty() {
        return;
    }
    let stored = object.list("spec.versions").iter().find(|version| version["storage"] == true);
    let Some(stored) = stored.map(|version| version["name"].clone()) else { return };
    let mut known = object.list("status.storedVersions").to_vec();
    if !known.contains(&stored) {
        known.push(stored);
        object.put("status.storedVersions", Value::Array(known));
    }
}

/// Refuses a new object while its definition is being deleted. Admission decides this, after the
/// validation of the object.
pub(super) fn check_not_ending(
    state: &State,
    request: &Request<'_>,
    name: &str,
) -> Result<(), Failure> {
    let resource = &request.resource;
    let definition = definition_key(resource.key());
    let is_ending = state.store.get(&definition).is_some_and(|found| found.is_terminating());
    if resource.custom.is_none() || !is_ending {
        return Ok(());
    }
    let why = "create not allowed while custom resource definition is terminating";
    let message = format!("{} \"{name}\" is forbidden: {why}", resource.qualified());
    let details = json!({"name": name, "group": resource.group, "kind": resource.plural});
    Err(Failure::new(403, message).with_details(details))
}
