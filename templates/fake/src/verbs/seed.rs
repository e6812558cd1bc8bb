//! Objects that are stored without a request: their defaults and the record of their fields are
//! made when they are first shown or changed.

use super::body::{complete, state_kind};
use super::ownership::record_fields;
use crate::change::FieldWriter;
use crate::failure::Failure;
use crate::key::Key;
use crate::kinds::events;
use crate::names;
use crate::object::{Tree, is_too_deep};
use crate::registry::Resource;
use crate::schema::{conform, structural};
use crate::state::State;
use crate::validate;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The manager of the fields.
const MANAGER: &str = "kapigen-fake";

/// An object that can be stored.
#[derive(Debug)]
pub(crate) struct Seedling {
    key: Key,
    resource: Arc<Resource>,
    object: Value,
}

/// Checks an object and its key, which must be free.
pub(crate) fn prepare(
    state: &State,
    resource: &Arc<Resource>,
    namespace: &str,
    mut object: Value,
    known: &mut BTreeSet<Key>,
) -> Result<Seedling, Failure> {
    if is_too_deep(&object) {
        return Err(Failure::bad_request("the object is nested too deeply"));
    }
    let causes =
        validate::metadata(&object, resource.facts.name_rule, resource.facts.metadata_checks);
    let name = object.metadata_text("name").to_owned();
    if !causes.is_empty() {
        return Err(Failure::invalid_object(resource, &name, &causes));
    }
    let namespace = resource.namespaced.then_some(namespace);
    match namespace {
        Some(namespace) => object.set_metadata("namespace", json!(namespace)),
        None => _ = object.remove_metadata("namespace"),
    }
    let key = Key::for_resource(resource.key().clone(), namespace, &name);
    if state.store.get(&key).is_some() || !known.insert(key.clone()) {
        return Err(Failure::exists(resource, &name, false));
    }
    Ok(Seedling { key, resource: resource.clone(), object })
}

/// Stores an object at a time, given twice: as a timestamp and as metadata writes it. Stated
/// metadata is kept, except for the version.
pub(crate) fn store(state: &mut State, seedling: Seedling, (now, time): (Timestamp, &str)) {
    let Seedling { key, resource, mut object } = seedling;
    if object.metadata_text("uid").is_empty() {
        object.set_metadata("uid", json!(state.names.uid()));
    }
    if object.metadata_text("creationTimestamp").is_empty() {
        object.set_metadata("creationTimestamp", json!(time));
    }
    if resource.facts.has_generation && object.metadata("generation").is_none() {
        object.set_metadata("generation", json!(1));
    }
    state.store.keep_as(&resource);
    let core = state.registry.events().filter(|_| resource.is_event_of_core()).cloned();
    state.store.seed(key, object, move |object| {
        let mut object = shown(&resource, object, now);
        if resource.is_event_of_core() {
            events::to_core(&mut object, core.as_ref().map(|core| core.schema.root()));
        }
        object
    });
}

/// The object as a create would have stored it.
fn shown(resource: &Resource, mut object: Value, now: Timestamp) -> Value {
    state_kind(&mut object, resource.api_version(), &resource.kind);
    conform::prune(resource.schema.root(), &mut object);
    if resource.custom.is_some() {
        structural::drop_nulls(resource.schema.root(), &mut object);
    }
    // Seeds may have any size; defaults beyond the limit are left out.
    _ = complete(resource, &mut object);
    if object.metadata("managedFields").is_some() {
        return object;
    }
    let time = names::whole_second(now).into();
    let writer = FieldWriter {
        name: MANAGER,
        subresource: "",
        api_version: resource.api_version(),
        time: Some(time),
    };
    let status = object
        .as_object_mut()
        .filter(|_| resource.has_status())
        .and_then(|members| members.shift_remove("status"));
    // Most built-in kinds have an empty status from the beginning.
    _ = complete(resource, &mut object);
    record_fields(resource, resource.blank(), &mut object, &writer);
    if let Some(status) = status {
        let before = object.clone();
        object["status"] = status;
        let writer = FieldWriter { subresource: "status", ..writer };
        record_fields(resource, &before, &mut object, &writer);
    }
    object
}
