//! Quantities of resources, and the kinds that limit them.

use crate::kinds::check::walk::{Check, NONE, Walk, elements, entries, is_zero, text};
use crate::object::Tree;
use crate::validate::label_key_errors;
use kapigen_definitions::Cause;
use kapigen_runtime::meta_v1::Quantity;
use serde_json::{Value, json};
use std::collections::HashSet;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("resources", resources),
    ("storage", storage),
    ("capacity", capacity),
    ("limit", limit),
    ("quota", quota),
    ("scopes", scopes),
];

/// The resources of containers.
const CONTAINER: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];
/// Other resources that need no prefix.
const STANDARD: [&str; 17] = [
    "storage",
    "pods",
    "services",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
    "requests.cpu",
    "requests.memory",
    "requests.storage",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
];

pub(super) fn quantity(value: &Value) -> Quantity {
    match value {
        Value::String(text) => text.parse().unwrap_or_default(),
        Value::Number(number) => number.to_string().parse().unwrap_or_default(),
        _ => Quantity::default(),
    }
}

fn spelled(quantity: &Quantity) -> String {
    quantity.canonical().to_string()
}

/// Checks the name of a resource.
fn name(walk: &mut Walk<'_>, place: &str, name: &str, what: &str) {
    for why in label_key_errors(name) {
        walk.invalid(place, &json!(name), &why);
    }
    let is_short = !name.contains('/') && !name.starts_with("hugepages-");
    let is_listed = CONTAINER.contains(&name);
    if is_short && !is_listed && !STANDARD.contains(&name) && !name.starts_with("count/") {
        let why = "must be a standard resource type or fully qualified";
        walk.invalid(place, &json!(name), why);
    }
    let fits = if what == "quota" { is_listed || STANDARD.contains(&name) } else { is_listed };
    if is_short && !fits && !name.starts_with("requests.") {
        walk.invalid(place, &json!(name), &format!("must be a standard resource for {what}"));
    }
}

fn amount(walk: &mut Walk<'_>, place: &str, value: &Value) {
    let quantity = quantity(value);
    if quantity < Quantity::default() {
        walk.invalid(place, &json!(spelled(&quantity)), "must be greater than or equal to 0");
    }
}

fn resources<'a>(walk: &mut Walk<'a>, resources: &'a Value) {
    let limits = &resources["limits"];
    for (list, members) in [("limits", limits), ("requests", &resources["requests"])] {
        for (key, value) in entries(members) {
            let place = format!(".{list}[{key}]");
            name(walk, &place, key, "containers");
            amount(walk, &place, value);
            if list == "limits" {
                continue;
            }
            let [asked, most] = [value, limits.get(key).unwrap_or(value)].map(quantity);
            if asked > most {
                let most = spelled(&most);
                let why = format!("must be less than or equal to {key} limit of {most}");
                walk.invalid(".requests", &json!(spelled(&asked)), &why);
            }
        }
    }
}

/// A claim requests storage.
fn storage<'a>(walk: &mut Walk<'a>, resources: &'a Value) {
    match resources.get("requests").and_then(|requests| requests.get("storage")) {
        None => walk.required("[storage]", ""),
        Some(value) if quantity(value) <= Quantity::default() => {
            let value = json!(spelled(&quantity(value)));
            walk.invalid("[storage]", &value, "must be greater than zero");
        }
        Some(_) => {}
    }
}

/// A volume has a capacity of storage alone.
fn capacity<'a>(walk: &mut Walk<'a>, capacity: &'a Value) {
    let storage = capacity.get("storage");
    if storage.is_none() || entries(capacity).count() > 1 {
        let shown = if is_zero(capacity) { NONE } else { capacity };
        walk.push(|path| Cause::unsupported(path, shown, &["storage"]));
    }
    for (key, value) in entries(capacity) {
        if quantity(value) <= Quantity::default() {
            let value = json!(spelled(&quantity(value)));
            walk.invalid(&format!("[{key}]"), &value, "must be greater than zero");
        }
    }
}

/// The maps of a limit, in the order in which servers check their names.
const LIMITS: [&str; 4] = ["max", "min", "default", "defaultRequest"];

/// Which map is at most which other, where the error is, and what it calls them.
const AT_MOST: [(&str, &str, &str, &str); 6] = [
    ("min", "max", "min", "min value {} is greater than max value {}"),
    (
        "min",
        "defaultRequest",
        "defaultRequest",
        "min value {} is greater than default request value {}",
    ),
    (
        "defaultRequest",
        "max",
        "defaultRequest",
        "default request value {} is greater than max value {}",
    ),
    (
        "defaultRequest",
        "default",
        "defaultRequest",
        "default request value {} is greater than default limit value {}",
    ),
    ("min", "default", "default", "min value {} is greater than default value {}"),
    ("default", "max", "default", "default value {} is greater than max value {}"),
];

fn limit<'a>(walk: &mut Walk<'a>, limit: &'a Value) {
    let kind = text(&limit["type"]);
    for why in label_key_errors(kind) {
        walk.invalid(".type", &json!(kind), &why);
    }
    let is_known = matches!(kind, "Container" | "Pod" | "PersistentVolumeClaim");
    if label_key_errors(kind).is_empty() && !is_known && !kind.contains('/') {
        let why = "must be a standard limit type or fully qualified";
        walk.invalid(".type", &json!(kind), why);
    }
    let mut keys: Vec<&String> = Vec::new();
    for map in LIMITS {
        for (key, _) in entries(&limit[map]) {
            if !keys.contains(&key) {
                keys.push(key);
            }
            if kind == "Container" {
                name(walk, &format!(".{map}[{key}]"), key, "containers");
            }
        }
    }
    for key in keys {
        for (less, more, place, why) in AT_MOST {
            let [Some(less), Some(more)] = [less, more].map(|map| limit[map].get(key)) else {
                continue;
            };
            let [low, high] = [less, more].map(quantity);
            if low > high {
                let why = why.replacen("{}", &spelled(&low), 1).replacen("{}", &spelled(&high), 1);
                let is_high = why.starts_with("default value")
                    || why.starts_with("min value") && place == "defaultRequest";
                let shown = spelled(if is_high { &high } else { &low });
                walk.invalid(&format!(".{place}[{key}]"), &json!(shown), &why);
            }
        }
    }
}

fn quota<'a>(walk: &mut Walk<'a>, hard: &'a Value) {
    for (key, value) in entries(hard) {
        let place = format!("[{key}]");
        name(walk, &place, key, "quota");
        amount(walk, &place, value);
    }
}

fn scopes<'a>(walk: &mut Walk<'a>, scopes: &'a Value) {
    let known = [
        "Terminating",
        "NotTerminating",
        "BestEffort",
        "NotBestEffort",
        "PriorityClass",
        "CrossNamespacePodAffinity",
        "VolumeAttributesClass",
    ];
    for scope in elements(scopes) {
        if !known.contains(&text(scope)) {
            walk.invalid("", scopes, "unsupported scope");
        }
    }
    let Some(live) = walk.live else { return };
    // Their order does not matter.
    let [known, stated] = [live.list("spec.scopes"), elements(scopes)]
        .map(|scopes| scopes.iter().map(text).collect::<HashSet<_>>());
    if known != stated {
        walk.push(|path| Cause::immutable(path, scopes));
    }
}
