//! Updates of custom resources that were valid once: unchanged values are accepted.

use crate::testing::{get, send, time, whole};
use http::{Method, Request, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

const THING: &str = "/apis/a.io/v1/things/a";

fn definition(properties: &Value, required: &[&str]) -> Value {
    let spec = json!({"type": "object", "properties": properties, "required": required});
    let status = json!({"type": "object", "properties": {
        "level": {"type": "integer", "maximum": 9}, "phase": {"type": "string"},
    }});
    let schema = json!({"type": "object", "properties": {"spec": spec, "status": status}});
    let version = json!({
        "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": schema},
    });
    let names = json!({"plural": "things", "kind": "Thing"});
    json!({"spec": {"group": "a.io", "scope": "Cluster", "names": names, "versions": [version]}})
}

/// A server with a thing that no request could have made.
fn server_with(properties: &Value, required: &[&str], content: &Value) -> Server {
    let server = Server::default();
    server.set_time(time(0));
    server.add_definition(&definition(properties, required)).expect("a definition");
    let mut thing = json!({"apiVersion": "a.io/v1", "kind": "Thing", "metadata": {"name": "a"}});
    let content = content.as_object().expect("an object").clone();
    thing.as_object_mut().expect("an object").extend(content);
    server.seed([thing]).expect("an object");
    server
}

/// The fields for which a changed specification is refused, by each way to change it.
fn refused(server: &Server, spec: &Value) -> Vec<String> {
    let (_, thing) = get(server, THING);
    let mut replaced = thing.clone();
    replaced["spec"] = spec.clone();
    let put = send(server, Method::PUT, &format!("{THING}?dryRun=All"), &replaced);
    let steps = json!([{"op": "replace", "path": "/spec", "value": spec}]);
    let request = Request::patch(format!("{THING}?dryRun=All"))
        .header("content-type", "application/json-patch+json");
    let request = request.body(steps.to_string().into_bytes()).expect("a request");
    let patched = whole(server.handle(request, time(0)));
    assert_eq!(outcome(&put), outcome(&patched), "{spec}");
    outcome(&put)
}

fn outcome((code, body): &(StatusCode, Value)) -> Vec<String> {
    if code.is_success() {
        return Vec::new();
    }
    assert_eq!(*code, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    let causes = body["details"]["causes"].as_array().into_iter().flatten();
    let fields = causes.map(|cause| cause["field"].as_str().expect("a field").to_owned());
    fields.filter(|field| field != "<nil>").collect()
}

fn rules() -> Value {
    let small = json!({"type": "integer", "maximum": 9});
    let items = |list_type: &str| {
        let item = json!({
            "type": "object", "required": ["name"],
            "properties": {"name": {"type": "string"}, "size": small},
        });
        let mut list = json!({"type": "array", "items": item, "x-kubernetes-list-type": list_type});
        if list_type == "map" {
            list["x-kubernetes-list-map-keys"] = json!(["name"]);
        }
        list
    };
    json!({
        "size": small, "other": {"type": "string"}, "choice": {"type": "string", "enum": ["a"]},
        "text": {"type": "string", "pattern": "^a*$"},
        "nested": {
            "type": "object", "required": ["must"], "minProperties": 1,
            "properties": {"must": {"type": "string"}, "size": small, "more": {"type": "string"}},
        },
        "entries": {"type": "object", "additionalProperties": small},
        "list": items("atomic"), "keyed": items("map"),
        "set": {
            "type": "array", "items": {"type": "string", "maxLength": 1},
            "x-kubernetes-list-type": "set", "maxItems": 3,
        },
        "all": {
            "type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
            "allOf": [{"properties": {"x": {"maximum": 9}}}],
        },
    })
}

/// An old specification, a new one, and the fields for which that is refused.
fn cases() -> Vec<(Value, Value, &'static [&'static str])> {
    let with = |mut value: Value, name: &str, more: Value| {
        value[name] = more;
        value
    };
    let old = json!({"size": 10, "choice": "b", "text": "x", "entries": {"k": 10}});
    vec![
        (old.clone(), with(old.clone(), "other", json!("o")), &[]),
        (old.clone(), with(old.clone(), "size", json!(11)), &["spec.size"]),
        (old.clone(), with(old.clone(), "size", json!(9)), &[]),
        (old.clone(), with(old.clone(), "choice", json!("c")), &["spec.choice"]),
        (old.clone(), with(old.clone(), "text", json!("y")), &["spec.text"]),
        (old.clone(), with(old.clone(), "entries", json!({"k": 10, "l": 1})), &[]),
        (old.clone(), with(old, "entries", json!({"k": 10, "l": 11})), &["spec.entries.l"]),
        // A missing member is part of the value that lacks it.
        (json!({"nested": {"size": 1}}), json!({"nested": {"size": 1}, "other": "o"}), &[]),
        (json!({"nested": {"size": 1}}), json!({"nested": {"size": 2}}), &["spec.nested.must"]),
        (json!({"nested": {}}), json!({"nested": {}, "other": "o"}), &[]),
        // Elements are matched by their keys, wherever they are; others are new.
        (
            json!({"keyed": [{"name": "a", "size": 10}, {"name": "b"}]}),
            json!({"keyed": [{"name": "b", "size": 1}, {"name": "a", "size": 10}]}),
            &[],
        ),
        (
            json!({"keyed": [{"name": "a", "size": 10}]}),
            json!({"keyed": [{"name": "b", "size": 10}, {"name": "a", "size": 10}]}),
            &["spec.keyed[0].size"],
        ),
        (
            json!({"list": [{"name": "a", "size": 10}]}),
            json!({"list": [{"name": "a", "size": 10}], "other": "o"}),
            &[],
        ),
        (
            json!({"list": [{"name": "a", "size": 10}]}),
            json!({"list": [{"name": "a", "size": 10}, {"name": "b"}]}),
            &["spec.list[0].size"],
        ),
        (json!({"set": ["long"]}), json!({"set": ["long"], "other": "o"}), &[]),
        (json!({"set": ["long"]}), json!({"set": ["long", "b"]}), &["spec.set[0]"]),
        (json!({"set": ["a", "b", "c", "d"]}), json!({"set": ["a", "b", "c", "e"]}), &["spec.set"]),
        // Combinations hold for a value as a whole.
        (json!({"all": {"x": 10}}), json!({"all": {"x": 10}, "other": "o"}), &[]),
        (json!({"all": {"x": 10}}), json!({"all": {"x": 10, "y": 1}}), &["spec.all.x"]),
        // Repeated elements are accepted as long as there were some.
        (json!({"set": ["a", "a"]}), json!({"set": ["b", "b"]}), &[]),
        (json!({"set": ["a"]}), json!({"set": ["a", "a"]}), &["spec.set[1]"]),
    ]
}

#[test]
fn what_an_update_leaves_as_it_was_is_accepted() {
    for (old, new, expected) in cases() {
        let server = server_with(&rules(), &[], &json!({"spec": old}));
        assert_eq!(refused(&server, &new), expected, "{old} -> {new}");
    }
}

#[test]
fn applies_leave_what_they_do_not_state() {
    let server = server_with(&rules(), &[], &json!({"spec": {"size": 10}}));
    let apply = |spec: &Value| {
        let config = json!({"apiVersion": "a.io/v1", "kind": "Thing", "spec": spec});
        let request = Request::patch(format!("{THING}?fieldManager=m&force=true"))
            .header("content-type", "application/apply-patch+yaml");
        whole(server.handle(request.body(config.to_string()).expect("a request"), time(0)))
    };
    assert_eq!(outcome(&apply(&json!({"other": "o"}))), [""; 0]);
    assert_eq!(outcome(&apply(&json!({"other": "o", "size": 10}))), [""; 0]);
    assert_eq!(outcome(&apply(&json!({"size": 11}))), ["spec.size"]);
}

#[test]
fn new_objects_have_no_old_values() {
    let server = server_with(&rules(), &[], &json!({"spec": {"size": 10}}));
    let (_, mut thing) = get(&server, THING);
    thing["metadata"] = json!({"name": "b"});
    let created = send(&server, Method::POST, "/apis/a.io/v1/things", &thing);
    assert_eq!(outcome(&created), ["spec.size"]);
}

#[test]
fn a_status_is_checked_alone() {
    let content = json!({"spec": {"size": 10}, "status": {"level": 10}});
    let server = server_with(&rules(), &["other"], &content);
    let update = |status: Value| {
        let (_, mut thing) = get(&server, THING);
        thing["status"] = status;
        outcome(&send(&server, Method::PUT, &format!("{THING}/status"), &thing))
    };
    assert_eq!(update(json!({"level": 10, "phase": "p"})), [""; 0]);
    assert_eq!(update(json!({"level": 11})), ["status.level"]);
    // The object as a whole lacks a required member.
    let mut labelled = get(&server, THING).1;
    labelled["spec"]["text"] = json!("a");
    assert_eq!(outcome(&send(&server, Method::PUT, THING, &labelled)), ["spec.other"]);
    labelled["spec"] = json!({"size": 10});
    labelled["metadata"]["labels"] = json!({"a": "b"});
    assert_eq!(outcome(&send(&server, Method::PUT, THING, &labelled)), [""; 0]);
}
