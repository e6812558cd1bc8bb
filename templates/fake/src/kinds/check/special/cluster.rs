//! Kinds of the cluster: claims and volumes, nodes, rights, events, secrets, webhooks.

use crate::kinds::check::syntax;
use crate::kinds::check::walk::{Check, NONE, Walk, elements, entries, is_zero, text};
use crate::object::Tree;
use crate::validate::{label_key_errors, label_value_errors};
use kapigen_definitions::{Cause, subdomain_errors};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("access_modes", access_modes),
    ("class_name", class_name),
    ("claim_changes", claim_changes),
    ("volume_type", volume_type),
    ("volume_changes", volume_changes),
    ("taints", taints),
    ("node_networks", node_networks),
    ("rule", rule),
    ("subject", subject),
    ("role_change", role_change),
    ("event_namespace", event_namespace),
    ("event", event),
    ("secret", secret),
    ("provisioner", provisioner),
    ("qualified", qualified),
    ("hook_client", hook_client),
    ("review_versions", review_versions),
    ("same_reference", same_reference),
];

const MODES: [&str; 4] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

fn access_modes<'a>(walk: &mut Walk<'a>, modes: &'a Value) {
    for mode in elements(modes) {
        if !MODES.contains(&text(mode)) {
            walk.unsupported("", mode, &MODES);
        }
    }
}

fn class_name<'a>(walk: &mut Walk<'a>, name: &'a Value) {
    if !text(name).is_empty() {
        for why in subdomain_errors(text(name)) {
            walk.invalid("", name, &why);
        }
    }
}

fn claim_changes<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    let Some(old) = walk.live.and_then(|live| live.get("spec")) else { return };
    let fixed = ["accessModes", "selector", "storageClassName", "volumeMode", "dataSource"];
    // The scheduler names the volume of a claim.
    let is_renamed = !is_zero(&old["volumeName"]) && spec["volumeName"] != old["volumeName"];
    let is_shrunk = spec.pointer("/resources/requests/storage").is_none();
    if is_renamed || is_shrunk || fixed.iter().any(|name| is_changed(&spec[*name], &old[*name])) {
        let why = "spec is immutable after creation except resources.requests and \
                   volumeAttributesClassName for bound claims";
        walk.push(|path| Cause::forbidden(path, why));
    }
    if is_shrunk {
        let why = "field can not be less than status.capacity";
        walk.below(".resources.requests.storage", |path| Cause::forbidden(path, why));
    }
    let mode = &spec["volumeMode"];
    if is_changed(mode, &old["volumeMode"]) {
        walk.push(|_| Cause::immutable("volumeMode", mode));
    }
}

/// Whether a value differs from an old one. To Go, an absent value is the same as a zero.
fn is_changed(value: &Value, old: &Value) -> bool {
    value != old && !(is_zero(value) && is_zero(old))
}

/// The members of a volume that are no source.
const NO_SOURCE: [&str; 9] = [
    "accessModes",
    "capacity",
    "claimRef",
    "mountOptions",
    "nodeAffinity",
    "persistentVolumeReclaimPolicy",
    "storageClassName",
    "volumeAttributesClassName",
    "volumeMode",
];

fn sources(spec: &Value) -> Vec<&String> {
    let members = entries(spec).filter(|(_, value)| !value.is_null());
    members.map(|(name, _)| name).filter(|name| !NO_SOURCE.contains(&name.as_str())).collect()
}

fn volume_type<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    match &sources(spec)[..] {
        [] => walk.required("", "must specify a volume type"),
        [_] => {}
        [_, other, ..] => {
            let why = "may not specify more than 1 volume type";
            walk.below(&format!(".{other}"), |path| Cause::forbidden(path, why));
        }
    }
}

fn volume_changes<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    let Some(old) = walk.live.and_then(|live| live.get("spec")) else { return };
    let all = [sources(spec), sources(old)].concat();
    if all.iter().any(|name| spec[name.as_str()] != old[name.as_str()]) {
        let why = "spec.persistentvolumesource is immutable after creation";
        walk.below(".persistentvolumesource", |path| Cause::forbidden(path, why));
    }
    if spec["volumeMode"] != old["volumeMode"] {
        let mode = &spec["volumeMode"];
        walk.push(|_| Cause::immutable("volumeMode", mode));
    }
}

const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/// Servers name taints as if they were metadata, and check them twice on update.
fn taints<'a>(walk: &mut Walk<'a>, taints: &'a Value) {
    let times = if walk.live.is_some() { 2 } else { 1 };
    let path = std::mem::take(&mut walk.path);
    for _ in 0..times {
        let mut known = Vec::new();
        for (index, taint) in elements(taints).iter().enumerate() {
            walk.path = format!("metadata.taints[{index}]");
            let [key, value, effect] = ["key", "value", "effect"].map(|name| text(&taint[name]));
            for why in label_key_errors(key) {
                walk.invalid(".key", &json!(key), &why);
            }
            for why in label_value_errors(value) {
                walk.invalid(".value", &json!(value), &why);
            }
            if effect.is_empty() {
                walk.required(".effect", "");
            } else if !EFFECTS.contains(&effect) {
                walk.unsupported(".effect", &taint["effect"], &EFFECTS);
            }
            if known.contains(&(key, effect)) {
                let message = format!(
                    "Duplicate value: {}: taints must be unique by key and effect pair",
                    json!({"Key": key, "Value": value, "Effect": effect, "TimeAdded": null})
                );
                walk.push(|path| Cause::new(path, "FieldValueDuplicate", message));
            }
            known.push((key, effect));
        }
    }
    walk.path = path;
}

/// The networks of a node, of which the first has a member of its own, too.
fn networks(spec: &Value) -> Vec<&Value> {
    let [first, all] = [&spec["podCIDR"], &spec["podCIDRs"]];
    if is_zero(first) || elements(all).first() == Some(first) {
        elements(all).iter().collect()
    } else {
        vec![first]
    }
}

fn node_networks<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    let all = networks(spec);
    for (index, network) in all.iter().enumerate() {
        for why in syntax::named("cidr")(text(network)) {
            walk.invalid(&format!(".podCIDRs[{index}]"), network, &why);
        }
    }
    let families: BTreeSet<_> = all.iter().map(|network| text(network).contains(':')).collect();
    if families.len() < all.len() {
        let why = "may specify no more than one CIDR for each IP family";
        walk.invalid(".podCIDRs", &json!(all), why);
    }
    let Some(old) = walk.live.and_then(|live| live.get("spec")) else { return };
    let known = networks(old);
    let is_moved = !is_zero(&old["providerID"]) && spec["providerID"] != old["providerID"];
    for (name, member, is_changed) in [
        ("podCIDR", "podCIDRs", !known.is_empty() && known != all),
        ("providerID", "providerID", is_moved),
    ] {
        if is_changed {
            let why = format!("node updates may not change {name} except from \"\" to valid");
            walk.below(&format!(".{member}"), |path| Cause::forbidden(path, &why));
        }
    }
}

fn rule<'a>(walk: &mut Walk<'a>, rule: &'a Value) {
    let urls = &rule["nonResourceURLs"];
    if !is_zero(urls) {
        if text(&walk.object["kind"]) == "Role" {
            let why = "namespaced rules cannot apply to non-resource URLs";
            walk.invalid(".nonResourceURLs", urls, why);
        }
        if ["apiGroups", "resources", "resourceNames"].iter().any(|name| !is_zero(&rule[*name])) {
            let why = "rules cannot apply to both regular resources and non-resource URLs";
            walk.invalid(".nonResourceURLs", urls, why);
        }
        return;
    }
    for (name, what) in [("apiGroups", "api group"), ("resources", "resource")] {
        if is_zero(&rule[name]) {
            let why = format!("resource rules must supply at least one {what}");
            walk.required(&format!(".{name}"), &why);
        }
    }
}

const RBAC: &str = "rbac.authorization.k8s.io";

fn subject<'a>(walk: &mut Walk<'a>, subject: &'a Value) {
    let [name, group] = ["name", "apiGroup"].map(|member| text(&subject[member]));
    match text(&subject["kind"]) {
        "ServiceAccount" => {
            if !name.is_empty() {
                for why in subdomain_errors(name) {
                    walk.invalid(".name", &json!(name), &why);
                }
            }
            if !group.is_empty() {
                walk.unsupported(".apiGroup", &subject["apiGroup"], &[""]);
            }
            let is_missing = text(&subject["namespace"]).is_empty();
            if is_missing && text(&walk.object["kind"]) == "ClusterRoleBinding" {
                walk.required(".namespace", "");
            }
        }
        "User" | "Group" => {
            if !group.is_empty() && group != RBAC {
                walk.unsupported(".apiGroup", &subject["apiGroup"], &[RBAC]);
            }
        }
        _ => {
            let supported = ["ServiceAccount", "User", "Group"];
            walk.unsupported(".kind", &subject["kind"], &supported);
        }
    }
}

fn role_change<'a>(walk: &mut Walk<'a>, role: &'a Value) {
    let Some(live) = walk.live else { return };
    let now = role_parts(role);
    if now != role_parts(&live["roleRef"]) {
        let [group, kind, name] = now;
        let shown = json!({"APIGroup": group, "Kind": kind, "Name": name});
        walk.invalid("", &shown, "cannot change roleRef");
    }
}

/// The group, the kind and the name in a reference to a role.
fn role_parts(role: &Value) -> [&str; 3] {
    let group = role["apiGroup"].as_str().filter(|group| !group.is_empty()).unwrap_or(RBAC);
    [group, text(&role["kind"]), text(&role["name"])]
}

/// The namespace of an event is its object's, or `default`.
fn event_namespace<'a>(walk: &mut Walk<'a>, regarding: &'a Value) {
    let stated = text(&regarding["namespace"]);
    let own = walk.object.metadata_text("namespace");
    let is_known = if stated.is_empty() { own == "default" } else { own == stated };
    if !is_known {
        let place = "involvedObject.namespace";
        let why = "does not match event.namespace";
        walk.push(|_| Cause::invalid(place, &json!(stated), why));
    }
}

fn event<'a>(walk: &mut Walk<'a>, event: &'a Value) {
    let is_new_event = walk.live.is_none();
    if event["eventTime"].is_null() {
        walk.push(|_| Cause::required("eventTime", ""));
    }
    let controller = text(&event["reportingController"]);
    if controller.is_empty() {
        walk.push(|_| Cause::required("reportingController", ""));
    }
    for why in label_key_errors(controller) {
        walk.push(|_| Cause::invalid("reportingController", &json!(controller), &why));
    }
    for name in ["reportingInstance", "action", "reason"] {
        let stated = text(&event[name]);
        if stated.is_empty() {
            walk.push(|_| Cause::required(name, ""));
        }
        if stated.len() > 128 {
            let why = "can have at most 128 characters";
            walk.push(|_| Cause::invalid(name, &json!(""), why));
        }
    }
    let kind = text(&event["type"]);
    if is_new_event && !matches!(kind, "Normal" | "Warning") {
        let why = format!("has invalid value: {kind}");
        walk.push(|_| Cause::invalid("type", &json!(""), &why));
    }
    let note = text(&event["note"]);
    if note.len() > 1024 {
        let why = "can have at most 1024 characters";
        walk.push(|_| Cause::invalid("message", &json!(""), why));
    }
}

/// The keys that the type of a secret demands.
const KEYS: [(&str, &[&str]); 4] = [
    ("kubernetes.io/dockercfg", &[".dockercfg"]),
    ("kubernetes.io/dockerconfigjson", &[".dockerconfigjson"]),
    ("kubernetes.io/ssh-auth", &["ssh-privatekey"]),
    ("kubernetes.io/tls", &["tls.crt", "tls.key"]),
];

fn secret<'a>(walk: &mut Walk<'a>, data: &'a Value) {
    let kind = text(&walk.object["type"]);
    let missing: &[&str] = match kind {
        "kubernetes.io/basic-auth"
            if data.get("username").is_none() && data.get("password").is_none() =>
        {
            &["username", "password"]
        }
        _ => KEYS.iter().find(|(known, _)| *known == kind).map_or(&[], |(_, keys)| keys),
    };
    for key in missing {
        if data.get(key).is_none() {
            walk.required(&format!("[{key}]"), "");
        }
    }
    let account = "kubernetes.io/service-account.name";
    let annotations = walk.object.metadata("annotations").unwrap_or(NONE);
    if kind == "kubernetes.io/service-account-token" && is_zero(&annotations[account]) {
        let place = format!("metadata.annotations[{account}]");
        walk.push(|_| Cause::required(place, ""));
    }
}

fn provisioner<'a>(walk: &mut Walk<'a>, name: &'a Value) {
    let name = text(name).to_lowercase();
    for why in label_key_errors(&name) {
        walk.invalid("", &json!(name), &why);
    }
}

fn qualified<'a>(walk: &mut Walk<'a>, name: &'a Value) {
    let errors = subdomain_errors(text(name));
    for why in &errors {
        walk.invalid("", name, why);
    }
    if errors.is_empty() && text(name).split('.').count() < 3 {
        walk.invalid("", name, "should be a domain with at least three segments separated by dots");
    }
}

fn hook_client<'a>(walk: &mut Walk<'a>, client: &'a Value) {
    let url = &client["url"];
    match (url.is_null(), client["service"].is_null()) {
        (true, true) | (false, false) => {
            walk.required("", "exactly one of url or service is required");
        }
        (false, true) => {
            let form = "; desired format: https://host[/path]";
            let stated = text(url);
            let (scheme, rest) = stated.split_once("://").unwrap_or(("", ""));
            if scheme != "https" {
                let why = format!("'https' is the only allowed URL scheme{form}");
                walk.invalid(".url", url, &why);
            }
            if rest.split('/').next().unwrap_or_default().is_empty() {
                walk.invalid(".url", url, &format!("host must be specified{form}"));
            }
        }
        (true, false) => {
            for member in ["name", "namespace"] {
                if text(&client["service"][member]).is_empty() {
                    walk.required(&format!(".service.{member}"), "");
                }
            }
        }
    }
}

fn review_versions<'a>(walk: &mut Walk<'a>, versions: &'a Value) {
    let all = elements(versions);
    if all.is_empty() {
        walk.required("", "must specify one of v1, v1beta1");
        return;
    }
    for (index, version) in all.iter().enumerate() {
        let at = format!("[{index}]");
        for why in syntax::old_label_errors(text(version)) {
            walk.invalid(&at, &json!(text(version)), &why);
        }
        if all[..index].contains(version) {
            walk.invalid(&at, version, "duplicate version");
        }
    }
    if !all.iter().any(|version| matches!(text(version), "v1" | "v1beta1")) {
        walk.invalid("", versions, "must include at least one of v1, v1beta1");
    }
}

/// The object that an event is about, which stays. It is shown as the types of Go show it.
fn same_reference<'a>(walk: &mut Walk<'a>, reference: &'a Value) {
    let members = [
        ("Kind", "kind"),
        ("Namespace", "namespace"),
        ("Name", "name"),
        ("UID", "uid"),
        ("APIVersion", "apiVersion"),
        ("ResourceVersion", "resourceVersion"),
        ("FieldPath", "fieldPath"),
    ];
    let known = walk.live.map(|live| live.get("regarding").unwrap_or(NONE));
    if known.is_some_and(|known| known != reference) {
        let shown: Value = members.iter().map(|(go, name)| (*go, reference.text(name))).collect();
        walk.push(|path| Cause::immutable(path, &shown));
    }
}
