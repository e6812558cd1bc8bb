//! The parts of an object. A write to one of them leaves the others as they are.

use crate::failure::{Cause, Failure};
use crate::kinds::WRITABLE_METADATA;
use crate::object::Tree;
use crate::request::Request;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, VecDeque};

/// The part of an object that a write can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectPart {
    /// The object itself: all but the status, the finalizers of a namespace, and the members that
    /// images copy from their manifests.
    Main,
    Status,
    /// The finalizers of a namespace.
    Finalize,
    /// The ephemeral containers of a pod.
    EphemeralContainers,
    /// The resources of the containers of a pod.
    Resize,
    /// Everything.
    All,
}

/// The members of images that servers read from manifests once.
const IMAGE_METADATA: &[&str] =
    &["dockerImageLayers", "dockerImageMetadata", "dockerImageMetadataVersion"];

/// The lists of containers that a resize changes.
const RESIZED_LISTS: &[&str] = &["containers", "initContainers"];

/// The members of a container that a resize changes.
const RESIZED: &[&str] = &["resources", "resizePolicy"];

impl ObjectPart {
    /// The part that a subresource writes, if it holds the object itself. An empty name stands for
    /// the object.
    pub(super) fn from_subresource(subresource: &str) -> Option<Self> {
        Some(match subresource {
            "" => Self::Main,
            "status" => Self::Status,
            "finalize" => Self::Finalize,
            "ephemeralcontainers" => Self::EphemeralContainers,
            "resize" => Self::Resize,
            _ => return None,
        })
    }
}

/// Refuses a resize unless it has the same containers in the same order.
pub(super) fn check_containers(
    request: &Request<'_>,
    object: &Value,
    live: &Value,
    part: ObjectPart,
) -> Result<(), Failure> {
    if part != ObjectPart::Resize {
        return Ok(());
    }
    let causes: Vec<_> =
        RESIZED_LISTS.iter().flat_map(|list| changed_containers(object, live, list)).collect();
    if causes.is_empty() {
        Ok(())
    } else {
        Err(Failure::invalid_object(&request.resource, request.name, &causes))
    }
}

/// Restores the reset fields of a part: a request cannot change them, and its manager does not own
/// them.
pub(super) fn reset_others(
    request: &Request<'_>,
    object: &mut Value,
    live: &Value,
    part: ObjectPart,
) {
    match part {
        ObjectPart::Main if request.resource.has_status() => keep(object, live, &["status"]),
        ObjectPart::Finalize => keep(object, live, &["status"]),
        ObjectPart::Status if !request.resource.facts.is_spec_owned_by_status => {
            keep(object, live, &["spec"]);
        }
        ObjectPart::EphemeralContainers => {
            let stated = object.at("spec.ephemeralContainers").cloned();
            keep_all_but(object, live, "");
            set_or_remove(object, "spec", "ephemeralContainers", stated);
        }
        ObjectPart::Resize => {
            let stated = object.get("spec").cloned().unwrap_or_default();
            keep_all_but(object, live, "");
            for list in RESIZED_LISTS {
                resize(object, &stated, list);
            }
        }
        ObjectPart::Main | ObjectPart::Status | ObjectPart::All => {}
    }
    keep_metadata(object, live, reset_metadata(request, part));
}

/// Restores all other fields that a write to a part does not change, although its manager owns the
/// ones that it states.
pub(super) fn keep_others(
    request: &Request<'_>,
    object: &mut Value,
    live: &Value,
    part: ObjectPart,
) {
    match part {
        ObjectPart::Main if request.is_of("", "namespaces") => keep(object, live, &["spec"]),
        ObjectPart::Main if request.is_of("image.openshift.io", "images") => {
            keep(object, live, IMAGE_METADATA);
            if live.get("dockerImageSignatures").is_some() {
                keep(object, live, &["dockerImageSignatures"]);
            }
        }
        ObjectPart::Status => {
            keep_all_but(object, live, "status");
            keep_metadata(object, live, request.resource.facts.kept_by_status);
            if request.is_of("", "pods") {
                keep_status_of_pod(object, live);
            }
        }
        ObjectPart::Main
        | ObjectPart::Finalize
        | ObjectPart::EphemeralContainers
        | ObjectPart::Resize
        | ObjectPart::All => {}
    }
}

/// The reset fields of a part within metadata.
fn reset_metadata(request: &Request<'_>, part: ObjectPart) -> &'static [&'static str] {
    match part {
        ObjectPart::Status => request.resource.facts.reset_by_status,
        ObjectPart::EphemeralContainers | ObjectPart::Resize => WRITABLE_METADATA,
        ObjectPart::Main | ObjectPart::Finalize | ObjectPart::All => &[],
    }
}

/// Removes the reset fields of a part from a configuration: its manager does not own them, and they
/// conflict with nothing.
pub(super) fn drop_others(request: &Request<'_>, config: &mut Value, part: ObjectPart) {
    let Value::Object(members) = config else { return };
    match part {
        ObjectPart::Main if request.resource.has_status() => _ = members.shift_remove("status"),
        ObjectPart::Finalize => _ = members.shift_remove("status"),
        ObjectPart::Status if !request.resource.facts.is_spec_owned_by_status => {
            members.shift_remove("spec");
        }
        ObjectPart::EphemeralContainers => {
            members.shift_remove("status");
            members
                .get_mut("spec")
                .into_iter()
                .for_each(|spec| retain(spec, &["ephemeralContainers"]));
        }
        ObjectPart::Resize => {
            members.shift_remove("status");
            members.get_mut("spec").into_iter().for_each(retain_resized);
        }
        ObjectPart::Main | ObjectPart::Status | ObjectPart::All => {}
    }
    let reset = reset_metadata(request, part);
    if let Some(Value::Object(metadata)) = members.get_mut("metadata") {
        metadata.retain(|name, _| !reset.contains(&name.as_str()));
    }
}

/// Keeps members of the stored object.
fn keep(object: &mut Value, live: &Value, names: &[&str]) {
    let Value::Object(members) = object else { return };
    for name in names {
        match live.get(*name) {
            Some(value) => _ = members.insert((*name).to_owned(), value.clone()),
            None => _ = members.shift_remove(*name),
        }
    }
}

/// Keeps all members of the stored object but metadata and `changed`.
fn keep_all_but(object: &mut Value, live: &Value, changed: &str) {
    let written = ["metadata", "apiVersion", "kind", changed];
    if let Value::Object(members) = object {
        members.retain(|name, _| written.contains(&name.as_str()));
    }
    let names = live.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    keep(object, live, &names.filter(|name| !written.contains(name)).collect::<Vec<_>>());
}

fn keep_metadata(object: &mut Value, live: &Value, names: &[&str]) {
    for name in names {
        match live.metadata(name) {
            Some(value) => object.set_metadata(name, value.clone()),
            None => _ = object.remove_metadata(name),
        }
    }
}

/// Keeps members of the stored object that are absent from the written one, or have Go's zero value
/// there.
fn keep_if_unset(object: &mut Value, live: &Value, names: &[&str]) {
    let unset = names.iter().copied().filter(|name| {
        let value = &object[*name];
        value.is_null() || *value == "" || *value == 0
    });
    let unset: Vec<_> = unset.collect();
    keep(object, live, &unset);
}

/// Old kubelets drop the class of a pod, and clients that predate `observedGeneration` omit it.
/// Conditions of one type correspond in their order.
fn keep_status_of_pod(object: &mut Value, live: &Value) {
    let known = &live["status"];
    if object.get("status").is_none() && known.is_object() {
        object["status"] = json!({});
    }
    let Some(status) = object.get_mut("status") else { return };
    keep_if_unset(status, known, &["qosClass", "observedGeneration"]);
    let mut conditions = HashMap::<_, VecDeque<_>>::new();
    for condition in known.list("conditions") {
        conditions.entry(condition.text("type")).or_default().push_back(condition);
    }
    for condition in
        status.get_mut("conditions").and_then(Value::as_array_mut).into_iter().flatten()
    {
        let same = conditions.get_mut(condition.text("type")).and_then(VecDeque::pop_front);
        keep_if_unset(condition, same.unwrap_or(&Value::Null), &["observedGeneration"]);
    }
}

/// Sets a member of a member, or removes it.
fn set_or_remove(object: &mut Value, parent: &str, name: &str, value: Option<Value>) {
    match value {
        Some(value) => object.put(&format!("{parent}.{name}"), value),
        None => {
            if let Some(Value::Object(members)) = object.get_mut(parent) {
                members.shift_remove(name);
            }
        }
    }
}

/// The reasons for which a resize cannot have this list of containers.
fn changed_containers(object: &Value, live: &Value, list: &str) -> Vec<Cause> {
    let [stated, known] = [object, live].map(|pod| pod["spec"].list(list));
    let field = format!("spec.{list}");
    if stated.len() != known.len() {
        return vec![Cause::forbidden(
            field,
            &format!("{list} may not be added or removed on resize"),
        )];
    }
    let pairs = stated.iter().zip(known).enumerate();
    let renamed = pairs.filter(|(_, (stated, known))| stated.get("name") != known.get("name"));
    let why = format!("{list} may not be renamed or reordered on resize");
    renamed.map(|(index, _)| Cause::forbidden(format!("{field}[{index}].name"), &why)).collect()
}

/// Resizes the containers of a list as a specification states it.
fn resize(object: &mut Value, stated: &Value, list: &str) {
    let containers =
        object.get_mut("spec").and_then(|spec| spec.get_mut(list)).and_then(Value::as_array_mut);
    let stated = stated[list].as_array().into_iter().flatten();
    for (container, stated) in containers.into_iter().flatten().zip(stated) {
        keep(container, stated, RESIZED);
    }
}

/// Removes everything from the specification of a pod that a resize does not write. The names of
/// the containers stay, to identify them.
fn retain_resized(spec: &mut Value) {
    retain(spec, RESIZED_LISTS);
    let lists = spec.as_object_mut().into_iter().flat_map(Map::values_mut);
    for container in lists.filter_map(Value::as_array_mut).flatten() {
        retain(container, &["name", "resources", "resizePolicy"]);
    }
}

/// Removes all members but these.
fn retain(object: &mut Value, names: &[&str]) {
    if let Value::Object(members) = object {
        members.retain(|name, _| names.contains(&name.as_str()));
    }
}
