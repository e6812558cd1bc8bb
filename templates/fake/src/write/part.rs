//! The parts of an object, and what a write to one of them leaves as it is.

use crate::call::Call;
use crate::object::Tree;
use serde_json::{Map, Value, json};

/// The part of an object that a write can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All but the status.
    Main,
    Status,
    /// The finalizers of a namespace.
    Finalize,
    /// The containers that a pod has for a while.
    EphemeralContainers,
    /// The resources of the containers of a pod.
    Resize,
    /// Everything.
    All,
}

/// The members of metadata that a request can change, apart from the record of managers.
pub(crate) const METADATA: &[&str] =
    &["annotations", "deletionTimestamp", "finalizers", "generateName", "labels", "ownerReferences", "selfLink"];

/// The members of images that servers read from manifests once.
const IMAGE_METADATA: &[&str] = &["dockerImageLayers", "dockerImageMetadata", "dockerImageMetadataVersion"];

/// The members of a container that a resize changes.
const RESIZED: &[&str] = &["resources", "resizePolicy"];

impl Call<'_> {
    /// Keeps the parts of the stored object that a write to `part` does not change.
    pub(super) fn keep_other_parts(&self, object: &mut Value, live: &Value, part: Part) {
        match part {
            Part::Main => self.keep_of_main(object, live),
            Part::Status => {
                keep_all_but(object, live, "status");
                self.keep_status_of_pod(object, live);
            }
            Part::Finalize => keep(object, live, &["status"]),
            Part::EphemeralContainers => {
                let stated = object.at("spec.ephemeralContainers").cloned();
                keep_all_but(object, live, "");
                set_or_remove(object, "spec", "ephemeralContainers", stated);
            }
            Part::Resize => {
                let lists = ["containers", "initContainers"].map(|list| (list, resized(object, live, list)));
                keep_all_but(object, live, "");
                for (list, containers) in lists {
                    set_or_remove(object, "spec", list, containers);
                }
            }
            Part::All => {}
        }
        for name in self.kept_metadata(part) {
            match live.metadata(name) {
                Some(value) => object.set_metadata(name, value.clone()),
                None => _ = object.remove_metadata(name),
            }
        }
    }

    fn keep_of_main(&self, object: &mut Value, live: &Value) {
        if self.resource.has_status() {
            keep(object, live, &["status"]);
        }
        if self.is_namespace() {
            keep(object, live, &["spec"]);
        }
        if self.is_image() {
            keep(object, live, IMAGE_METADATA);
            if live.get("dockerImageSignatures").is_some() {
                keep(object, live, &["dockerImageSignatures"]);
            }
        }
    }

    /// Kubelets of old drop the class of a pod, and clients that know no observed generation drop that.
    fn keep_status_of_pod(&self, object: &mut Value, live: &Value) {
        if !self.resource.group.is_empty() || self.resource.plural != "pods" {
            return;
        }
        for name in ["qosClass", "observedGeneration"] {
            if let (Some(known), None) = (live.at(&format!("status.{name}")), object.at(&format!("status.{name}"))) {
                object.put(&format!("status.{name}"), known.clone());
            }
        }
    }

    fn is_image(&self) -> bool {
        self.resource.group == "image.openshift.io" && self.resource.plural == "images"
    }

    /// The members of metadata that a write to `part` does not change.
    fn kept_metadata(&self, part: Part) -> &'static [&'static str] {
        match part {
            Part::Status => self.resource.facts.kept_by_status,
            Part::EphemeralContainers | Part::Resize => METADATA,
            Part::Main | Part::Finalize | Part::All => &[],
        }
    }

    /// Removes from a configuration all that its request does not write, and servers reset: a manager does not own it, and
    /// it conflicts with nothing.
    pub(super) fn drop_other_parts(&self, config: &mut Value, part: Part) {
        let Value::Object(members) = config else { return };
        match part {
            Part::Main if self.resource.has_status() => _ = members.shift_remove("status"),
            Part::Finalize => _ = members.shift_remove("status"),
            Part::Status => _ = members.shift_remove("spec"),
            Part::EphemeralContainers => {
                members.shift_remove("status");
                members.get_mut("spec").into_iter().for_each(|spec| retain(spec, &["ephemeralContainers"]));
            }
            Part::Resize => {
                members.shift_remove("status");
                if let Some(spec) = members.get_mut("spec") {
                    retain_resized(spec);
                }
            }
            Part::Main | Part::All => {}
        }
        let kept = self.kept_metadata(part);
        if let Some(Value::Object(metadata)) = members.get_mut("metadata") {
            metadata.retain(|name, _| !kept.contains(&name.as_str()));
        }
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
    let is_kept = |name: &str| !matches!(name, "metadata" | "apiVersion" | "kind") && name != changed;
    if let Value::Object(members) = object {
        members.retain(|name, _| !is_kept(name));
    }
    let names = live.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    keep(object, live, &names.filter(|name| is_kept(name)).collect::<Vec<_>>());
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

/// The containers of a list as a resize leaves them. Where the two lists are not of the same containers, that is a matter
/// of validation.
fn resized(object: &Value, live: &Value, list: &str) -> Option<Value> {
    let containers = |pod: &Value| pod.at(&format!("spec.{list}")).and_then(Value::as_array).cloned();
    let (stated, known) = (containers(object)?, containers(live).unwrap_or_default());
    let is_same = stated.len() == known.len()
        && stated.iter().zip(&known).all(|(stated, known)| stated.get("name") == known.get("name"));
    if !is_same {
        return Some(json!(stated));
    }
    let mut containers = known;
    for (container, stated) in containers.iter_mut().zip(&stated) {
        keep(container, stated, RESIZED);
    }
    Some(json!(containers))
}

/// Removes all of the specification of a pod that a resize does not write.
fn retain_resized(spec: &mut Value) {
    retain(spec, &["containers", "initContainers"]);
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
