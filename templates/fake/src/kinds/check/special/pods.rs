//! Pods and their containers.

use crate::kinds::check::syntax;
use crate::kinds::check::walk::{Check, NONE, Walk, elements, entries, text};
use kapigen_definitions::{Cause, label_errors};
use serde_json::{Value, json};
use std::collections::HashSet;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("containers", containers),
    ("volume", volume),
    ("mounts", mounts),
    ("variable", variable),
    ("handler", handler),
    ("port_name", port_name),
    ("port_number", port_number),
    ("target_port", target_port),
    ("container_ports", container_ports),
    ("toleration", toleration),
];

/// The names of containers, which are unique in a pod.
fn containers<'a>(walk: &mut Walk<'a>, spec: &'a Value) {
    let mut known = HashSet::new();
    if walk.live.is_none() && !elements(&spec["ephemeralContainers"]).is_empty() {
        let why = "cannot be set on create";
        walk.below(".ephemeralContainers", |path| Cause::forbidden(path, why));
        return;
    }
    for list in ["containers", "initContainers", "ephemeralContainers"] {
        for (index, container) in elements(&spec[list]).iter().enumerate() {
            let name = &container["name"];
            if !known.insert(text(name)) && !text(name).is_empty() {
                walk.duplicate(&format!(".{list}[{index}].name"), name);
            }
        }
    }
}

/// The sources that have members that must be there.
const SOURCES: [(&str, &str); 5] = [
    ("configMap", "name"),
    ("persistentVolumeClaim", "claimName"),
    ("secret", "secretName"),
    ("hostPath", "path"),
    ("csi", "driver"),
];

fn volume<'a>(walk: &mut Walk<'a>, volume: &'a Value) {
    let mut sources = entries(volume).filter(|(name, source)| *name != "name" && !source.is_null());
    if let Some((name, _)) = sources.nth(1) {
        let why = "may not specify more than 1 volume type";
        walk.below(&format!(".{name}"), |path| Cause::forbidden(path, why));
    }
    for (name, member) in SOURCES {
        let source = &volume[name];
        if !source.is_null() && text(&source[member]).is_empty() {
            walk.required(&format!(".{name}.{member}"), "");
        }
        for (index, item) in elements(&source["items"]).iter().enumerate() {
            for member in ["key", "path"] {
                if text(&item[member]).is_empty() {
                    walk.required(&format!(".{name}.items[{index}].{member}"), "");
                }
            }
            let path = text(&item["path"]);
            if path.starts_with('/') {
                let place = format!(".{name}.items[{index}].path");
                walk.invalid(&place, &json!(path), "must be a relative path");
            }
        }
    }
    // The first of a name has it.
    let spec = walk.above.iter().rev().find(|spec| spec.get("volumes").is_some());
    let volumes = elements(&spec.copied().unwrap_or(NONE)["volumes"]);
    let mut earlier = volumes.iter().take_while(|other| !std::ptr::eq(*other, volume));
    let name = text(&volume["name"]);
    if !name.is_empty() && earlier.any(|other| text(&other["name"]) == name) {
        walk.duplicate(".name", &json!(name));
    }
}

fn mounts<'a>(walk: &mut Walk<'a>, mounts: &'a Value) {
    if elements(mounts).is_empty() {
        return;
    }
    let spec = walk.above.iter().rev().find(|spec| spec.get("containers").is_some());
    let spec = spec.copied().unwrap_or(NONE);
    let names = elements(&spec["volumes"]).iter().map(|volume| text(&volume["name"]));
    let names: HashSet<_> = names.filter(|name| label_errors(name).is_empty()).collect();
    let mut paths = HashSet::new();
    for (index, mount) in elements(mounts).iter().enumerate() {
        let [name, path] = ["name", "mountPath"].map(|member| text(&mount[member]));
        let at_name = format!("[{index}].name");
        if name.is_empty() {
            walk.required(&at_name, "");
        }
        if !names.contains(name) {
            let message = format!("Not found: {}", kapigen_definitions::quoted(name));
            walk.below(&at_name, |path| Cause::new(path, "FieldValueNotFound", message));
        }
        let at_path = format!("[{index}].mountPath");
        if path.is_empty() {
            walk.required(&at_path, "");
        }
        if !paths.insert(path) {
            walk.invalid(&at_path, &json!(path), "must be unique");
        }
    }
}

fn variable<'a>(walk: &mut Walk<'a>, variable: &'a Value) {
    let name = text(&variable["name"]);
    if name.is_empty() {
        walk.required(".name", "");
    } else if name.contains('=') || !name.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        let why = "a valid environment variable name must consist only of printable ASCII \
                   characters other than '='";
        walk.invalid(".name", &json!(name), why);
    }
    let from = &variable["valueFrom"];
    if from.is_null() {
        return;
    }
    for (source, member) in [("configMapKeyRef", "key"), ("secretKeyRef", "key")] {
        if !from[source].is_null() && text(&from[source][member]).is_empty() {
            walk.required(&format!(".valueFrom.{source}.{member}"), "");
        }
    }
    if entries(from).all(|(_, source)| source.is_null()) {
        let why = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, \
                   `secretKeyRef` or `fileKeyRef`";
        walk.invalid(".valueFrom", &json!(""), why);
    } else if !text(&variable["value"]).is_empty() {
        let why = "may not be specified when `value` is not empty";
        walk.invalid(".valueFrom", &json!(""), why);
    }
}

/// A probe or a hook does one thing.
fn handler<'a>(walk: &mut Walk<'a>, handler: &'a Value) {
    let kinds = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];
    let mut stated = kinds.iter().filter(|kind| !handler[**kind].is_null());
    if stated.next().is_none() {
        walk.required("", "must specify a handler type");
    } else if let Some(other) = stated.next() {
        let why = "may not specify more than 1 handler type";
        walk.below(&format!(".{other}"), |path| Cause::forbidden(path, why));
    }
}

const PORTS: &str = "must be between 1 and 65535, inclusive";

fn port_name<'a>(walk: &mut Walk<'a>, name: &'a Value) {
    if !text(name).is_empty() {
        for why in syntax::port_name(text(name)) {
            walk.invalid("", name, why);
        }
    }
}

/// Ports of a container have different names.
fn container_ports<'a>(walk: &mut Walk<'a>, ports: &'a Value) {
    let mut known = HashSet::new();
    for (index, port) in elements(ports).iter().enumerate() {
        let name = &port["name"];
        if !text(name).is_empty() && !known.insert(text(name)) {
            walk.duplicate(&format!("[{index}].name"), name);
        }
    }
}

/// The number or the name of a port.
fn port_number<'a>(walk: &mut Walk<'a>, port: &'a Value) {
    match port {
        Value::String(name) => {
            for why in syntax::port_name(name) {
                walk.invalid("", port, why);
            }
        }
        other => walk.range(other, (1, 65535), PORTS),
    }
}

/// The port behind a service, which is its own if it has no other.
fn target_port<'a>(walk: &mut Walk<'a>, port: &'a Value) {
    let is_own = match port {
        Value::Null => true,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(name) => name.is_empty(),
        _ => false,
    };
    let own = walk.above.last().map_or(NONE, |service| &service["port"]);
    port_number(walk, if is_own { own } else { port });
}

const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

fn toleration<'a>(walk: &mut Walk<'a>, toleration: &'a Value) {
    let [key, operator, value, effect] =
        ["key", "operator", "value", "effect"].map(|member| text(&toleration[member]));
    if key.is_empty() && operator != "Exists" {
        let why = "operator must be Exists when `key` is empty, which means \"match all values \
                   and all keys\"";
        walk.invalid(".operator", &json!(operator), why);
    }
    if !toleration["tolerationSeconds"].is_null() && effect != "NoExecute" {
        let why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
        walk.invalid(".effect", &json!(effect), why);
    }
    match operator {
        "" | "Equal" => {
            let errors = crate::validate::label_value_errors(value);
            if !errors.is_empty() {
                walk.invalid(".operator", &json!(value), &errors.join(";"));
            }
        }
        "Exists" => {
            if !value.is_empty() {
                let why = "value must be empty when `operator` is 'Exists'";
                walk.invalid(".operator", toleration, why);
            }
        }
        _ => walk.unsupported(".operator", &toleration["operator"], &["Equal", "Exists"]),
    }
    if !effect.is_empty() && !EFFECTS.contains(&effect) {
        walk.unsupported(".effect", &toleration["effect"], &EFFECTS);
    }
}
