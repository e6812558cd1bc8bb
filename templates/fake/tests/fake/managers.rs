//! Random applies and updates of several managers, which must keep the laws of apply.

use kapigen_fake::change::{ApplyError, FieldWriter, Schema, apply_configuration, track_update};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use test_support::random::Random;

/// The known members of the schema. The entries of its maps have other names.
const KNOWN: [&str; 18] = [
    "spec", "size", "title", "nested", "count", "part", "tags", "labels", "groups", "p", "q",
    "whole", "set", "ports", "port", "protocol", "free", "open",
];

fn schema() -> Schema {
    let text = json!({"type": "string"});
    let texts = json!({"type": "object", "additionalProperties": text});
    let set = json!({"type": "array", "items": text, "x-kubernetes-list-type": "set"});
    let tagged = json!({"type": "object", "properties": {"tags": set, "labels": texts}});
    let group = json!({"type": "object", "properties": {"p": text, "q": text}});
    let free = json!({"x-kubernetes-preserve-unknown-fields": true});
    let port = json!({"type": "object", "required": ["port", "protocol"], "properties": {
        "port": {"type": "integer"}, "protocol": {"type": "string", "default": "TCP"},
        "title": text, "part": tagged,
    }});
    let mut whole = texts.clone();
    whole["x-kubernetes-map-type"] = json!("atomic");
    let spec = json!({
        "size": {"type": "integer"}, "title": text,
        "nested": {"type": "object", "properties": {"count": {"type": "integer"}, "part": tagged}},
        "labels": texts, "groups": {"type": "object", "additionalProperties": group},
        "whole": whole, "set": set, "free": free,
        "open": {
            "type": "object", "properties": {"title": text},
            "x-kubernetes-preserve-unknown-fields": true,
        },
        "ports": {
            "type": "array", "items": port, "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["port", "protocol"],
        },
    });
    let spec = json!({"type": "object", "properties": spec});
    Schema::from_definition(&json!({"type": "object", "properties": {"spec": spec}}))
}

/// Some entries, each a name and a value.
fn entries(
    random: &mut Random,
    names: &[&str],
    mut value: impl FnMut(&mut Random, &str) -> Value,
) -> Value {
    let mut all = Map::new();
    for _ in 0..random.below(4_usize) {
        let name = *random.of(names);
        let value = value(random, name);
        all.insert(name.to_owned(), value);
    }
    Value::Object(all)
}

fn text(random: &mut Random) -> Value {
    json!(random.of(&["u", "v", "w"]))
}

fn free(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0 => json!(random.below(3)),
        1 => json!({}),
        2 => json!([text(random)]),
        _ => entries(random, &["x", "y"], |random, _| free(random, depth - 1)),
    }
}

/// The elements of a list, of which a configuration has none twice. There are some: what nobody owns
/// of a list without elements has laws of its own.
fn elements(
    random: &mut Random,
    is_config: bool,
    key: fn(&Value) -> String,
    mut element: impl FnMut(&mut Random) -> Value,
) -> Value {
    let count = 1 + random.below(if is_config { 3 } else { 5 });
    let mut all: Vec<_> = (0..count).map(|_| element(random)).collect();
    let mut known = BTreeSet::new();
    all.retain(|element| !is_config || known.insert(key(element)));
    Value::Array(all)
}

fn key_of_port(port: &Value) -> String {
    format!("{} {}", port["port"], port.get("protocol").unwrap_or(&json!("TCP")))
}

fn member(random: &mut Random, name: &str, is_config: bool) -> Value {
    let texts = |random: &mut Random| entries(random, &["k", "l", "m"], |random, _| text(random));
    match name {
        "size" | "count" => json!(random.below(3)),
        "title" | "p" | "q" => text(random),
        "labels" | "whole" => texts(random),
        "set" | "tags" => elements(random, is_config, Value::to_string, text),
        "free" => free(random, 2),
        "nested" => {
            entries(random, &["count", "part"], |random, name| member(random, name, is_config))
        }
        "part" => {
            entries(random, &["tags", "labels"], |random, name| member(random, name, is_config))
        }
        "groups" => entries(random, &["g/1", "g/2"], |random, _| {
            entries(random, &["p", "q"], |random, _| text(random))
        }),
        "open" => entries(random, &["title", "x"], |random, name| match name {
            "title" => text(random),
            _ => free(random, 1),
        }),
        _ => elements(random, is_config, key_of_port, |random| {
            let mut port =
                entries(random, &["protocol", "title", "part"], |random, name| match name {
                    "protocol" => json!(random.of(&["TCP", "UDP"])),
                    _ => member(random, name, is_config),
                });
            port["port"] = json!(random.below(2));
            port
        }),
    }
}

const MEMBERS: [&str; 10] =
    ["size", "title", "nested", "labels", "groups", "whole", "set", "ports", "free", "open"];

fn spec(random: &mut Random, is_config: bool) -> Value {
    let mut all = entries(random, &MEMBERS, |random, name| member(random, name, is_config));
    let more = entries(random, &MEMBERS, |random, name| member(random, name, is_config));
    if let (Value::Object(all), Value::Object(more)) = (&mut all, more) {
        all.extend(more);
    }
    all
}

fn writer(name: &str) -> FieldWriter<'_> {
    FieldWriter { name, subresource: "", api_version: "v1", time: None }
}

/// A path as `fieldsV1` has it.
type Path = Vec<String>;

/// The fields of each manager. Applies and updates are separate managers.
fn managers(object: &Value) -> BTreeMap<String, BTreeSet<Path>> {
    let entries = object["metadata"]["managedFields"].as_array().into_iter().flatten();
    let managers = entries.map(|entry| {
        let mut all = BTreeSet::new();
        add_paths(&entry["fieldsV1"], &mut Vec::new(), &mut all);
        let text = |key: &str| entry[key].as_str().expect("a text");
        (format!("{} {}", text("manager"), text("operation")), all)
    });
    managers.collect()
}

fn add_paths(fields: &Value, path: &mut Path, all: &mut BTreeSet<Path>) {
    let fields = fields.as_object().expect("fields");
    if fields.is_empty() || fields.contains_key(".") {
        all.insert(path.clone());
    }
    for (part, below) in fields.iter().filter(|(part, _)| *part != ".") {
        path.push(part.clone());
        add_paths(below, path, all);
        path.pop();
    }
}

/// The values to which a path leads: several where elements share a key.
fn values<'a>(object: &'a Value, path: &[String]) -> Vec<&'a Value> {
    path.iter().fold(vec![object], |values, part| {
        let (kind, rest) = part.split_at(2);
        let below = |value: &'a Value| -> Vec<&'a Value> {
            let elements = value.as_array().into_iter().flatten();
            match kind {
                "f:" => value.get(rest).into_iter().collect(),
                "v:" => {
                    let value: Value = serde_json::from_str(rest).expect("a value");
                    elements.filter(|element| **element == value).collect()
                }
                _ => {
                    let key: Value = serde_json::from_str(rest).expect("a key");
                    elements.filter(|port| key_of_port(port) == key_of_port(&key)).collect()
                }
            }
        };
        values.into_iter().flat_map(below).collect()
    })
}

/// Whether the path leads to an element of a list or to an entry of a map: a manager that owns
/// nothing of it soon owns nothing below it, either.
fn is_unnamed(path: &[String]) -> bool {
    let name = path.last().and_then(|part| part.strip_prefix("f:"));
    name.is_none_or(|name| !KNOWN.contains(&name))
}

/// Whether a path leads to a scalar or to an element of a list, and not to a value that may be
/// removed with its content.
fn is_value(object: &Value, path: &[String]) -> bool {
    let is_element = path.last().is_some_and(|part| !part.starts_with("f:"));
    is_element || values(object, path).iter().all(|value| !value.is_object() && !value.is_array())
}

/// Whether a value has nothing but lists that lost their elements.
fn is_hollow(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().all(is_hollow),
        Value::Object(members) => !members.is_empty() && members.values().all(is_hollow),
        _ => false,
    }
}

/// Checks that managers own only fields that the object has.
fn check_owned(object: &Value) {
    for (manager, paths) in managers(object) {
        for path in paths {
            assert!(!values(object, &path).is_empty(), "{manager} owns {path:?} of {object}");
        }
    }
}

/// Checks that fields without an owner are gone, and that fields of others stay, with their
/// parents.
fn check_apply(before: &Value, after: &Value, manager: &str) {
    let before_of = managers(before);
    let after_of = managers(after);
    let is_owned = |path: &[String]| after_of.values().any(|paths| paths.contains(path));
    let none = BTreeSet::new();
    let former = before_of.get(manager).unwrap_or(&none);
    let own = after_of.get(manager).unwrap_or(&none);
    // With a list that held one key twice, nobody owned its elements apart.
    let is_single =
        |path: &[String]| (1..=path.len()).all(|end| values(before, &path[..end]).len() < 2);
    for path in former.difference(own).filter(|path| !is_owned(path)) {
        let is_below = |other: &&Path| other.starts_with(path) && other.len() > path.len();
        let holds_owned =
            !is_unnamed(path) && after_of.values().flatten().any(|other| is_below(&other));
        let stays = !values(after, path).into_iter().all(is_hollow);
        assert!(!stays || holds_owned, "{path:?} is nobody's in {after}, before {before}");
    }
    for (other, paths) in before_of.iter().filter(|(other, _)| *other != manager) {
        let kept = after_of.get(other).unwrap_or(&none);
        for path in paths.iter().filter(|path| is_single(path) && is_value(before, path)) {
            let is_held = (1..path.len())
                .all(|end| !is_unnamed(&path[..end]) || paths.contains(&path[..end]));
            let is_whole =
                |path: &[String]| values(after, path).iter().all(|value| !value.is_object());
            let is_taken = own
                .iter()
                .any(|own| own.starts_with(path) || path.starts_with(own) && is_whole(own));
            if is_held && !is_taken {
                assert!(kept.contains(path), "{other} lost {path:?}: {before}, {after}");
                assert!(!values(after, path).is_empty());
            }
        }
    }
}

/// The conflicts of an apply without force are the fields that one with force takes and keeps.
fn check_conflicts(conflicts: &[(String, String)], (before, forced): (&Value, &Value), own: &str) {
    let before_of = managers(before);
    let after_of = managers(forced);
    if before_of.is_empty() {
        // Then all existing fields have an owner that is not recorded.
        return;
    }
    let mut taken = BTreeSet::new();
    for (manager, paths) in before_of.into_iter().filter(|(other, _)| other != own) {
        let kept = after_of.get(&manager).cloned().unwrap_or_default();
        for path in paths.difference(&kept).filter(|path| !values(forced, path).is_empty()) {
            taken.insert((manager.clone(), shown(path)));
        }
    }
    let named: BTreeSet<_> = conflicts.iter().cloned().collect();
    assert!(taken.is_superset(&named), "{named:?} {taken:?}");
    // Elements of one key that become one element, or the other way round, are other fields.
    let owners = |all: &BTreeSet<(String, String)>| -> BTreeSet<String> {
        all.iter().map(|(manager, _)| manager.clone()).collect()
    };
    assert_eq!(owners(&named), owners(&taken), "{before} {forced}");
}

/// A path as conflicts show it.
fn shown(path: &[String]) -> String {
    let part = |part: &String| match part.split_at(2) {
        ("f:", name) => format!(".{name}"),
        ("v:", value) => format!("[={value}]"),
        (_, key) => {
            let key: BTreeMap<String, Value> = serde_json::from_str(key).expect("a key");
            let members: Vec<_> =
                key.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("[{}]", members.join(","))
        }
    };
    path.iter().map(part).collect()
}

/// Whether an object has all fields of a configuration.
fn states(object: Option<&Value>, config: &Value) -> bool {
    match config {
        Value::Object(members) => object.is_some_and(|object| {
            members.iter().all(|(name, value)| states(object.get(name), value))
        }),
        _ => object.is_some(),
    }
}

/// Applies a random configuration, and checks all laws.
fn apply(random: &mut Random, live: &Value, schema: &Schema, name: &str) -> Value {
    let mut config = json!({"metadata": {"name": "a"}});
    if random.below(8) > 0 {
        config["spec"] = spec(random, true);
    }
    let apply =
        |live: &Value, force| apply_configuration(live, &config, schema, &writer(name), force);
    let forced = apply(live, true).expect("an object");
    let again = apply(&forced, false).expect("an object");
    // Otherwise lists lost their elements, and then what was around them.
    if states(Some(&forced), &config) {
        assert_eq!(again, forced, "{config} again");
        check_owned(&forced);
    }
    assert_eq!(apply(&again, false), Ok(again.clone()), "{config}, a third time");
    let own = format!("{name} Apply");
    check_apply(live, &forced, &own);
    match apply(live, false) {
        Ok(after) => {
            assert_eq!(after, forced, "nothing to force");
            check_conflicts(&[], (live, &forced), &own);
            after
        }
        Err(ApplyError::Conflicts(conflicts)) => {
            let named = conflicts.iter().map(|conflict| {
                let operation =
                    if conflict.manager.contains(" using ") { "Update" } else { "Apply" };
                let name = conflict.manager.split('"').nth(1).expect("a name");
                (format!("{name} {operation}"), conflict.path.clone())
            });
            check_conflicts(&named.collect::<Vec<_>>(), (live, &forced), &own);
            if random.below(2) == 0 { forced } else { live.clone() }
        }
        Err(error) => panic!("{error}"),
    }
}

/// Changes some members, and checks that the manager owns them.
fn update(random: &mut Random, live: &Value, schema: &Schema, name: &str) -> Value {
    let mut same = live.clone();
    track_update(live, &mut same, schema, &writer(name));
    assert_eq!(same, *live, "an update that changes nothing");
    let mut object = live.clone();
    let other = spec(random, false);
    if !object["spec"].is_object() {
        object["spec"] = json!({});
    }
    let members = object["spec"].as_object_mut().expect("an object");
    for (name, value) in other.as_object().expect("an object") {
        if random.below(3) == 0 {
            members.shift_remove(name);
        } else {
            members.insert(name.clone(), value.clone());
        }
    }
    track_update(live, &mut object, schema, &writer(name));
    check_owned(&object);
    object
}

#[test]
fn managers_hold_the_laws_of_apply() {
    let schema = schema();
    let mut random = Random::seeded();
    let mut repeated = 0;
    for _ in 0..60 {
        let mut live = json!({"metadata": {"name": "a", "uid": "1"}});
        for index in 0..12 {
            let name = *random.of(&["one", "two", "three"]);
            let is_apply = index == 0 || random.below(4) > 0;
            let step = if is_apply { apply } else { update };
            live = step(&mut random, &live, &schema, name);
            let ports = live["spec"]["ports"].as_array().into_iter().flatten();
            let keys: Vec<_> = ports.map(key_of_port).collect();
            let single: BTreeSet<_> = keys.iter().collect();
            repeated += usize::from(single.len() < keys.len());
        }
    }
    assert!(repeated > 40, "only {repeated} objects with repeated keys");
}
