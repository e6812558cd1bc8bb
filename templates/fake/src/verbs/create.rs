//! Creating objects.

use super::ownership::{self, Writer};
use super::parts::ObjectPart;
use super::prepared::{Candidate, Effect, Prepared, Response};
use super::{Outcome, Warnings, body, convert, definition, namespace, options, replace, review};
use crate::failure::Failure;
use crate::key::Key;
use crate::names;
use crate::object::Tree;
use crate::request::Request;
use crate::state::State;
use kapigen_runtime::Verb;
use serde_json::{Value, json};

/// POST on a collection.
pub(super) fn prepare(
    state: &mut State,
    request: &Request<'_>,
    warnings: &mut Warnings,
) -> Result<Prepared, Failure> {
    options::check(request)?;
    let object = body::decode(state, request, warnings)?;
    if !request.resource.object.contains("GET") {
        let object = review::review(state, request, object)?;
        return Ok(Prepared::ready(Outcome::Object { code: 201, object, stored: None }));
    }
    let writer = Writer::new(request, false, ObjectPart::Main);
    prepare_object(state, request, object, &writer, warnings)
}

/// Prepares a new object, for a POST or for another write to an unused name.
pub(super) fn prepare_object(
    state: &mut State,
    request: &Request<'_>,
    mut object: Value,
    writer: &Writer<'_>,
    warnings: &mut Warnings,
) -> Result<Prepared, Failure> {
    body::check_depth(&object)?;
    begin(state, request, &mut object)?;
    if let Value::Object(members) = &mut object
        && request.resource.has_status()
    {
        members.shift_remove("status");
    }
    let filled = body::fill(request, &mut object, None)?;
    check_account(state, request, &object)?;
    replace::unite_owners(&mut object, warnings);
    replace::validate(request, &object, None, warnings)?;
    replace::warn_of_finalizers(request, &object, None, warnings);
    definition::check_not_ending(state, request, object.metadata_text("name"))?;
    ownership::record_creation(request, &mut object, writer);
    definition::store_version(request, &mut object);
    seed(request, &mut object);
    body::admit(request, &mut object, None, state.store.version() + 1);
    convert::check_new(&request.resource)?;
    let key = unused_key(state, request, &object)?;
    let effect = if request.is_dry_run() { Effect::Nothing } else { Effect::Store };
    Ok(Prepared::write(
        Candidate { key, found: None, object, filled, effect },
        Response::Object(201),
    ))
}

/// Refuses a pod of an account that does not exist. The account `default` is in each namespace.
fn check_account(state: &State, request: &Request<'_>, pod: &Value) -> Result<(), Failure> {
    let name = pod.at("spec.serviceAccountName").and_then(Value::as_str).unwrap_or_default();
    let account = Key::new("", "serviceaccounts", request.namespace, name);
    let is_checked = request.is_of("", "pods")
        && request.is_checked
        && !matches!(name, "" | "default")
        && state.registry.get("", "v1", "serviceaccounts").is_some();
    if !is_checked || state.store.get(&account).is_some() {
        return Ok(());
    }
    let namespace = request.namespace.unwrap_or_default();
    let why = format!(
        "error looking up service account {namespace}/{name}: serviceaccount \"{name}\" not found"
    );
    let message = format!("pods \"{}\" is forbidden: {why}", pod.metadata_text("name"));
    Err(Failure::new(403, message)
        .with_details(json!({"name": pod.metadata_text("name"), "kind": "pods"})))
}

/// Adds the members that servers generate to the metadata of a new object.
fn begin(state: &mut State, request: &Request<'_>, object: &mut Value) -> Result<(), Failure> {
    namespace::set(request, object)?;
    namespace::check(state, request, object.metadata_text("name"))?;
    // Non-numeric versions are ignored.
    let states_version =
        body::stated_version(object).is_some_and(|version| version.parse::<u64>().is_ok());
    if request.verb == Verb::Create && states_version {
        return Err(Failure::internal(
            "resourceVersion should not be set on objects to be created",
        ));
    }
    for name in ["resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"] {
        object.remove_metadata(name);
    }
    if is_name_generated(object) {
        let name = state.names.generate(object.metadata_text("generateName"));
        object.set_metadata("name", json!(name));
    }
    if request.is_of("", "limitranges") && object.metadata_text("name").is_empty() {
        object.set_metadata("name", json!(state.names.uid()));
    }
    object.set_metadata("uid", json!(state.names.uid()));
    object.set_metadata("creationTimestamp", json!(names::time(request.now)));
    if request.resource.facts.has_generation {
        object.set_metadata("generation", json!(1));
    }
    Ok(())
}

fn is_name_generated(object: &Value) -> bool {
    object.metadata_text("name").is_empty() && !object.metadata_text("generateName").is_empty()
}

/// Sets fields that a server writes into new objects of some kinds, and no manager owns.
fn seed(request: &Request<'_>, object: &mut Value) {
    if request.is_of("", "namespaces") {
        object.put("spec.finalizers", json!(["kubernetes"]));
        object.put("status.phase", json!("Active"));
    }
}

/// The key of a new object. Its name may be generated from a prefix. Refuses an existing name.
fn unused_key(state: &State, request: &Request<'_>, object: &Value) -> Result<Key, Failure> {
    let name = object.metadata_text("name");
    let key = request.key(name);
    let Some(found) = state.store.get(&key) else { return Ok(key) };
    let failure = Failure::exists(&request.resource, name, found.is_terminating());
    let has_prefix = !object.metadata_text("generateName").is_empty();
    Err(if has_prefix { not_unique(failure) } else { failure })
}

fn not_unique(mut failure: Failure) -> Failure {
    let message = failure.status.text("message");
    let message =
        format!("{message}, the server was not able to generate a unique name for the object");
    failure.status["message"] = json!(message);
    failure.status["details"]["retryAfterSeconds"] = json!(1);
    Failure { retry_after: Some(1), ..failure }
}
