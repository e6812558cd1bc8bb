//! Validation of built-in kinds: the limits of config maps and secrets, which clients run into, and
//! the members that are immutable.

use crate::object::Tree;
use kapigen_definitions::Cause;
use serde_json::{Value, json};
use std::collections::HashSet;

/// The maximum number of bytes that the values of a config map or secret have together.
const MOST_DATA: usize = 1 << 20;
/// The longest key of a config map or secret.
const LONGEST_KEY: usize = 253;

/// The bytes of causes after which no more are made: more than a reader goes through.
pub(super) const MOST_BYTES: usize = 256 << 10;

const KEY: &str = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' \
                   (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is \
                   '[-._a-zA-Z0-9]+')";

/// The causes for which an object of a resource, by its group and plural name, is refused. If it
/// replaces another, what cannot change must stay the same.
pub(crate) fn limits(named: (&str, &str), object: &Value, live: Option<&Value>) -> Vec<Cause> {
    let mut causes = Vec::new();
    if let Some(live) = live {
        sealed(named, object, live, &mut causes);
    }
    match named {
        ("", "pods") => {
            causes.extend(live.map(|live| pod_changes(object, live)).unwrap_or_default());
        }
        ("", "configmaps") => data(object, &["data", "binaryData"], "", &mut causes),
        ("", "secrets") => data(object, &["data"], "data", &mut causes),
        ("image.openshift.io", "images") => {
            let reference = object.text("dockerImageReference");
            causes
                .extend(reference.is_empty().then(|| Cause::required("dockerImageReference", "")));
        }
        _ => {}
    }
    causes
}

/// The changes of a config map or secret that is sealed.
fn sealed(named: (&str, &str), object: &Value, live: &Value, causes: &mut Vec<Cause>) {
    let is_sealed = matches!(named, ("", "configmaps" | "secrets"))
        && live.get("immutable") == Some(&json!(true));
    if !is_sealed {
        return;
    }
    let sealed = ["immutable", "data", "binaryData"];
    let changed = sealed.into_iter().filter(|name| object.get(name) != live.get(name));
    causes.extend(
        changed.map(|name| Cause::forbidden(name, "field is immutable when `immutable` is set")),
    );
}

/// The changes of a pod that are refused. Allowed are other images, a shorter deadline, more
/// tolerations and fewer gates.
fn pod_changes(object: &Value, live: &Value) -> Vec<Cause> {
    let [spec, live] = [&object["spec"], &live["spec"]];
    let lists = ["containers", "initContainers"];
    let resized = lists.iter().find(|name| spec.list(name).len() != live.list(name).len());
    if let Some(name) = resized {
        return vec![Cause::forbidden(
            format!("spec.{name}"),
            "pod updates may not add or remove containers",
        )];
    }
    let mut causes = Vec::new();
    match [spec, live].map(|spec| spec["activeDeadlineSeconds"].as_i64()) {
        [Some(stated), Some(live)] if stated > live => {
            let why = "must be less than or equal to previous value";
            causes.push(Cause::invalid("spec.activeDeadlineSeconds", &json!(stated), why));
        }
        [None, Some(_)] => {
            let why = "must not update from a positive integer to nil value";
            causes.push(Cause::invalid("spec.activeDeadlineSeconds", &Value::Null, why));
        }
        _ => {}
    }
    if !keeps_tolerations(spec.list("tolerations"), live.list("tolerations")) {
        let why = "existing toleration can not be modified except its tolerationSeconds";
        causes.push(Cause::forbidden("spec.tolerations", why));
    }
    let [stated_gates, gates] =
        [spec, live].map(|spec| spec.list("schedulingGates").iter().collect::<HashSet<_>>());
    let has_new_gates = !stated_gates.is_subset(&gates);
    let mut allowed = spec.clone();
    let mut names = vec!["activeDeadlineSeconds", "tolerations"];
    names.extend((!has_new_gates).then_some("schedulingGates"));
    if !gates.is_empty() {
        names.extend(["nodeSelector", "affinity"]);
    }
    for name in names {
        restore(&mut allowed, live, name);
    }
    for name in lists {
        let containers = allowed.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten();
        for (container, live) in containers.zip(live.list(name)) {
            restore(container, live, "image");
        }
    }
    if allowed != *live {
        let why = "pod updates may not change fields other than \
                   `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.\
                   activeDeadlineSeconds`,`spec.tolerations` (only additions to existing \
                   tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if \
                   it was previously negative)";
        causes.push(Cause::forbidden("spec", why));
    }
    causes
}

/// Whether all old tolerations are there, for whatever time.
fn keeps_tolerations(new: &[Value], old: &[Value]) -> bool {
    let members = ["key", "operator", "value", "effect"];
    old.iter().all(|old| {
        new.iter().any(|new| members.iter().all(|name| new.text(name) == old.text(name)))
    })
}

/// The changes of the ephemeral containers of a pod that are refused: only new ones are taken.
pub(crate) fn debugged(object: &Value, live: &Value) -> Vec<Cause> {
    let stated = object.list("spec.ephemeralContainers");
    let mut causes = Vec::new();
    for known in live.list("spec.ephemeralContainers") {
        let what = match stated.iter().find(|stated| stated["name"] == known["name"]) {
            Some(stated) if stated == known => continue,
            Some(_) => "changed",
            None => "removed",
        };
        let why = format!("existing ephemeral containers {} may not be {what}\n", known["name"]);
        causes.push(Cause::forbidden("spec.ephemeralContainers", &why));
    }
    causes
}

/// Puts a member back to what it was.
fn restore(object: &mut Value, live: &Value, name: &str) {
    let Value::Object(members) = object else { return };
    match live.get(name) {
        Some(value) => _ = members.insert(name.to_owned(), value.clone()),
        None => _ = members.shift_remove(name),
    }
}

/// The keys of maps of data, and the size of all values. A key is in only one of the maps.
fn data(object: &Value, names: &[&str], whole: &str, causes: &mut Vec<Cause>) {
    let mut size = 0;
    for (index, name) in names.iter().enumerate() {
        for (key, value) in object.get(name).and_then(Value::as_object).into_iter().flatten() {
            let field = format!("{name}[{key}]");
            causes.extend(
                key_errors(key).iter().map(|why| Cause::invalid(field.clone(), &json!(key), why)),
            );
            let other = names
                .get(index + 1)
                .filter(|other| object.get(other).is_some_and(|map| map.get(key).is_some()));
            if let Some(other) = other {
                let why = format!("duplicate of key present in {other}");
                causes.push(Cause::invalid(field, &json!(key), &why));
            }
            let length = value.as_str().map_or(0, str::len);
            size += if *name == "data" && names.len() > 1 { length } else { length / 4 * 3 };
        }
    }
    if size > MOST_DATA {
        let whole = if whole.is_empty() { "[]" } else { whole };
        causes.push(Cause::too_long(whole, MOST_DATA));
    }
}

/// The reasons for which a key of a config map or secret is refused.
fn key_errors(key: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if key.len() > LONGEST_KEY {
        errors.push(format!("must be no more than {LONGEST_KEY} characters"));
    }
    let is_plain = key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if key.is_empty() || !is_plain {
        errors.push(KEY.to_owned());
    } else if key == "." {
        errors.push("must not be '.'".to_owned());
    } else if key == ".." {
        errors.push("must not be '..'".to_owned());
    } else if key.starts_with("..") {
        errors.push("must not start with '..'".to_owned());
    }
    errors
}
