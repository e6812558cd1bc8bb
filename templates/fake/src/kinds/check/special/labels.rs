//! Labels, selectors, and the annotations beside them.

use crate::kinds::check::walk::{Check, NONE, Walk, elements, entries, is_zero, text};
use crate::object::Tree;
use crate::validate::{annotation_key_errors, label_key_errors, label_value_errors};
use kapigen_definitions::Cause;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("labels", labels),
    ("annotations", annotations),
    ("requirement", requirement),
    ("node_requirement", node_requirement),
    ("selector", selector),
    ("same_selector", same_selector),
    ("job_selector", job_selector),
    ("labels_of_template", labels_of_template),
    ("aggregated", aggregated),
];

fn labels<'a>(walk: &mut Walk<'a>, map: &'a Value) {
    for (key, value) in entries(map) {
        for why in label_key_errors(key) {
            walk.invalid("", &json!(key), &why);
        }
        for why in label_value_errors(text(value)) {
            walk.invalid("", value, &why);
        }
    }
}

fn annotations<'a>(walk: &mut Walk<'a>, map: &'a Value) {
    for (key, _) in entries(map) {
        for why in annotation_key_errors(key) {
            walk.invalid("", &json!(key), &why);
        }
    }
}

/// The operator of an expression, and what it demands of values.
fn operator(walk: &mut Walk<'_>, expression: &Value, others: &[&str]) {
    let values = elements(&expression["values"]);
    match text(&expression["operator"]) {
        "In" | "NotIn" => {
            if values.is_empty() {
                let why = "must be specified when `operator` is 'In' or 'NotIn'";
                walk.required(".values", why);
            }
        }
        "Exists" | "DoesNotExist" => {
            if !values.is_empty() {
                let why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                walk.below(".values", |path| Cause::forbidden(path, why));
            }
        }
        operator if others.contains(&operator) => {
            if values.len() != 1 {
                let why = "must be specified single value when `operator` is 'Lt' or 'Gt'";
                walk.required(".values", why);
            }
        }
        other => walk.invalid(".operator", &json!(other), "not a valid selector operator"),
    }
    let key = text(&expression["key"]);
    for why in label_key_errors(key) {
        walk.invalid(".key", &json!(key), &why);
    }
    for (index, value) in values.iter().enumerate() {
        for why in label_value_errors(text(value)) {
            walk.invalid(&format!(".values[{index}]"), value, &why);
        }
    }
}

fn requirement<'a>(walk: &mut Walk<'a>, expression: &'a Value) {
    operator(walk, expression, &[]);
}

fn node_requirement<'a>(walk: &mut Walk<'a>, expression: &'a Value) {
    operator(walk, expression, &["Gt", "Lt"]);
}

/// Whether a selector of labels selects these.
fn selects(selector: &Value, labels: &Value) -> bool {
    entries(selector.get("matchLabels").unwrap_or(NONE))
        .all(|(key, value)| labels.get(key).map(text) == Some(text(value)))
        && elements(selector.get("matchExpressions").unwrap_or(NONE)).iter().all(|expression| {
            let found = labels.get(text(&expression["key"])).map(text);
            let values = elements(&expression["values"]);
            let is_listed =
                found.is_some_and(|found| values.iter().any(|value| text(value) == found));
            match text(&expression["operator"]) {
                "In" => is_listed,
                "NotIn" => !is_listed,
                "Exists" => found.is_some(),
                _ => found.is_none(),
            }
        })
}

/// Checks that a selector selects the pods of the template.
fn matching(walk: &mut Walk<'_>, selector: &Value) {
    let labels = walk.object.pointer("/spec/template/metadata/labels").unwrap_or(NONE);
    if !selects(selector, labels) {
        let place = "spec.template.metadata.labels";
        let why = "`selector` does not match template `labels`";
        walk.push(|_| Cause::invalid(place, labels, why));
    }
}

/// The selector of a workload.
fn selector<'a>(walk: &mut Walk<'a>, selector: &'a Value) {
    let kind = text(&walk.object["kind"]).to_lowercase();
    let is_daemon = kind == "daemonset";
    if selector.is_null() {
        if !is_daemon {
            walk.required("", "");
        }
        let labels = walk.object.pointer("/spec/template/metadata/labels").unwrap_or(NONE);
        let place = "spec.template.metadata.labels";
        let why = "`selector` does not match template `labels`";
        walk.push(|_| Cause::invalid(place, labels, why));
        return;
    }
    let before = walk.causes.len();
    walk.value_of("Selector", selector);
    let is_valid = walk.causes.len() == before;
    if is_daemon && is_valid {
        matching(walk, selector);
    }
    if entries(selector).all(|(_, part)| is_zero(part)) {
        let named = if kind == "replicaset" { "deployment" } else { &kind };
        walk.invalid("", selector, &format!("empty selector is invalid for {named}"));
    }
    if !is_valid && !is_daemon {
        let why = if kind == "statefulset" { "" } else { "invalid label selector" };
        walk.invalid("", &shown(selector), why);
    }
    if is_valid && !is_daemon {
        matching(walk, selector);
    }
}

/// A selector as the types of Go show it.
fn shown(selector: &Value) -> Value {
    let mut shown = Map::new();
    let labels: BTreeMap<_, _> = entries(&selector["matchLabels"]).collect();
    if !labels.is_empty() {
        shown.insert("matchLabels".to_owned(), json!(labels));
    }
    let mut expressions = Vec::new();
    for stated in elements(&selector["matchExpressions"]) {
        let mut expression =
            json!({"key": stated.text("key"), "operator": stated.text("operator")});
        let values: Vec<_> = elements(&stated["values"]).iter().map(text).collect();
        if !values.is_empty() {
            expression["values"] = json!(values);
        }
        expressions.push(expression);
    }
    if !expressions.is_empty() {
        shown.insert("matchExpressions".to_owned(), json!(expressions));
    }
    shown.into()
}

/// A selector that stays.
fn same_selector<'a>(walk: &mut Walk<'a>, selector: &'a Value) {
    let known = walk.live.map(|live| live.at("spec.selector").unwrap_or(NONE));
    if known.is_some_and(|known| known != selector) {
        let shown = if selector.is_null() { Value::Null } else { shown(selector) };
        walk.push(|path| Cause::immutable(path, &shown));
    }
}

/// A server makes the selector of a job, which then stays.
fn job_selector<'a>(walk: &mut Walk<'a>, selector: &'a Value) {
    if !selector.is_null() && text(&walk.object["kind"]) == "Job" {
        walk.value_of("Selector", selector);
        matching(walk, selector);
    }
}

/// A replication controller selects labels, without a word about operators.
fn labels_of_template<'a>(walk: &mut Walk<'a>, selector: &'a Value) {
    let labels = walk.object.pointer("/spec/template/metadata/labels").unwrap_or(NONE);
    let is_selected = entries(selector).all(|(key, value)| labels.get(key) == Some(value));
    if !is_zero(selector) && !is_selected {
        let place = "spec.template.metadata.labels";
        let why = "`selector` does not match template `labels`";
        walk.push(|_| Cause::invalid(place, labels, why));
    }
}

/// A selector of cluster roles.
fn aggregated<'a>(walk: &mut Walk<'a>, selector: &'a Value) {
    let before = walk.causes.len();
    walk.value_of("Selector", selector);
    if walk.causes.len() > before {
        walk.invalid("", NONE, "invalid label selector.");
    }
}
