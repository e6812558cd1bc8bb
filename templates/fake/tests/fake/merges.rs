//! Examples of the results of applies and updates by several managers, and of their owners.

use crate::testing::{PODS, get, send, server, time, whole};
use http::{Method, Request, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

const THINGS: &str = "/apis/a.io/v1/things";

fn definition() -> Value {
    let text = json!({"type": "string"});
    let texts = json!({"type": "object", "additionalProperties": text});
    let set = json!({"type": "array", "items": text, "x-kubernetes-list-type": "set"});
    let port = json!({"type": "object", "required": ["port", "protocol"], "properties": {
        "port": {"type": "integer"}, "protocol": {"type": "string", "default": "TCP"},
        "sub": {"type": "object", "properties": {"l": set}},
    }});
    let group = json!({"type": "object", "properties": {"p": text, "q": text}});
    let properties = json!({
        "size": {"type": "integer"}, "title": text, "texts": texts,
        "maybe": {"type": "string", "nullable": true},
        "mode": {"type": "string", "default": "auto"},
        "groups": {"type": "object", "additionalProperties": group},
        "modes": {"type": "object", "additionalProperties": {"type": "string", "default": "auto"}},
        "open": {"type": "object", "additionalProperties": true},
        "free": {"x-kubernetes-preserve-unknown-fields": true},
        "ports": {
            "type": "array", "items": port, "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["port", "protocol"],
        },
    });
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": properties},
        "status": {"type": "object", "properties": {"phase": text}},
    }});
    let version = json!({
        "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": schema},
    });
    let names = json!({"plural": "things", "kind": "Thing"});
    json!({"spec": {"group": "a.io", "scope": "Cluster", "names": names, "versions": [version]}})
}

fn server_of_things() -> Server {
    let server = Server::default();
    server.set_time(time(0));
    server.add_definition(&definition()).expect("a definition");
    server
}

fn apply_at(server: &Server, path: &str, config: &str) -> (StatusCode, Value) {
    let request = Request::patch(path).header("content-type", "application/apply-patch+yaml");
    whole(server.handle(request.body(config.as_bytes().to_vec()).expect("a request"), time(0)))
}

/// Applies a configuration of the thing `a`, which gets its name here.
fn apply(server: &Server, manager: &str, config: &Value) -> (StatusCode, Value) {
    let mut all = json!({"apiVersion": "a.io/v1", "kind": "Thing", "metadata": {"name": "a"}});
    let more = config.as_object().expect("an object").clone();
    all.as_object_mut().expect("an object").extend(more);
    apply_at(server, &format!("{THINGS}/a?fieldManager={manager}"), &all.to_string())
}

/// Replaces the specification of the thing `a`.
fn replace(server: &Server, manager: &str, spec: &Value) -> (StatusCode, Value) {
    let (_, mut thing) = get(server, &format!("{THINGS}/a"));
    thing["spec"] = spec.clone();
    send(server, Method::PUT, &format!("{THINGS}/a?fieldManager={manager}"), &thing)
}

fn fields(object: &Value, manager: &str, operation: &str) -> Value {
    let entries = object["metadata"]["managedFields"].as_array().into_iter().flatten();
    let entry = entries
        .into_iter()
        .find(|entry| entry["manager"] == manager && entry["operation"] == operation);
    entry.map_or(Value::Null, |entry| entry["fieldsV1"].clone())
}

/// The specification after some steps, and the object: applies with force, or updates if the name
/// of the manager says so.
fn after(steps: &[(&str, Value)]) -> (Value, Value) {
    let server = server_of_things();
    let mut last = Value::Null;
    for (manager, spec) in steps {
        let (code, thing) = if let Some(manager) = manager.strip_prefix("update ") {
            replace(&server, manager, spec)
        } else {
            let config = if spec.is_null() { json!({}) } else { json!({"spec": spec}) };
            apply(&server, &format!("{manager}&force=true"), &config)
        };
        assert!(code.is_success(), "{thing}");
        last = thing;
    }
    let mut spec = last["spec"].clone();
    if let Value::Object(members) = &mut spec {
        members.shift_remove("mode");
    }
    (spec, last)
}

#[test]
fn empty_objects_are_owned_and_stay_around_what_goes() {
    let (spec, thing) = after(&[("c", json!({"groups": {}})), ("c", json!({}))]);
    assert_eq!((spec, fields(&thing, "c", "Apply")), (json!({}), json!({"f:spec": {}})));
    // Fields of another manager go with the entry that they are in.
    let (spec, _) = after(&[
        ("c", json!({"groups": {"g/3": {}}})),
        ("update a", json!({"groups": {"g/3": {"q": "2"}}})),
        ("c", Value::Null),
    ]);
    assert_eq!(spec, json!({"groups": {}}));
    let (spec, _) = after(&[
        ("c", json!({"free": {"a": {}}})),
        ("update a", json!({"free": {"a": {"b": 1}}})),
        ("c", Value::Null),
    ]);
    assert_eq!(spec, json!({"free": {}}));
}

#[test]
fn untyped_values_are_owned_as_what_they_are() {
    let (_, thing) = after(&[
        ("b", json!({"free": 1})),
        ("update c", json!({"free": {"a": {}}, "mode": "auto"})),
    ]);
    let expected = json!({"f:spec": {"f:free": {".": {}, "f:a": {}}}});
    assert_eq!(fields(&thing, "c", "Update"), expected, "{thing}");
    assert_eq!(fields(&thing, "b", "Apply"), Value::Null);
    let (_, thing) = after(&[
        ("a", json!({"title": "t"})),
        ("update b", json!({"title": "t", "free": {"a": {}}, "mode": "auto"})),
        ("c", json!({"free": 1})),
    ]);
    assert_eq!(fields(&thing, "b", "Update"), Value::Null, "{thing}");
    assert_eq!(fields(&thing, "c", "Apply"), json!({"f:spec": {"f:free": {}}}));
}

#[test]
fn lists_that_lose_their_elements_go_unless_something_else_is_stated_there() {
    let port = |sub: &Value| json!({"ports": [{"port": 1, "protocol": "TCP", "sub": sub}]});
    let (spec, _) = after(&[("a", port(&json!({"l": ["u"]}))), ("a", port(&json!({"l": []})))]);
    assert_eq!(spec, json!({"ports": [{"port": 1, "protocol": "TCP"}]}));
}

/// A pod with a repeated condition, as an update left it, and a function that applies conditions.
fn pod_with_repeated_conditions() -> (Server, impl Fn(&str, Value) -> (StatusCode, Value)) {
    let server = server();
    send(&server, Method::POST, PODS, &crate::testing::pod("a"));
    let conditions = json!([condition("A", "1"), condition("A", "2"), condition("B", "3")]);
    let (code, pod) = update_conditions(&server, "first", &conditions);
    assert_eq!(code, StatusCode::OK, "{pod}");
    let same = server.clone();
    let apply = move |manager: &str, conditions: Value| {
        let config = json!({
            "apiVersion": "v1", "kind": "Pod", "status": {"conditions": conditions},
        });
        apply_at(&same, &format!("{PODS}/a/status?fieldManager={manager}"), &config.to_string())
    };
    (server, apply)
}

fn condition(kind: &str, status: &str) -> Value {
    json!({"type": kind, "status": status})
}

fn update_conditions(server: &Server, manager: &str, conditions: &Value) -> (StatusCode, Value) {
    let (_, mut pod) = get(server, &format!("{PODS}/a"));
    pod["status"]["conditions"] = conditions.clone();
    send(server, Method::PUT, &format!("{PODS}/a/status?fieldManager={manager}"), &pod)
}

/// The types of the conditions, each with its status.
fn conditions(pod: &Value) -> Vec<String> {
    let conditions = pod["status"]["conditions"].as_array().into_iter().flatten();
    let text = |condition: &Value, key: &str| condition[key].as_str().expect("a text").to_owned();
    conditions.map(|own| text(own, "type") + &text(own, "status")).collect()
}

/// The fields of the conditions `A` and `B` that a manager owns.
fn owned(pod: &Value, manager: &str, operation: &str) -> [Value; 2] {
    let all = &fields(pod, manager, operation)["f:status"]["f:conditions"];
    ["A", "B"].map(|kind| all[format!("k:{}", json!({"type": kind}))].clone())
}

#[test]
fn elements_that_share_a_key_are_one_value() {
    let (server, apply) = pod_with_repeated_conditions();
    let (_, pod) = get(&server, &format!("{PODS}/a"));
    let [twice, once] = owned(&pod, "first", "Update");
    assert_eq!((&twice, once["."].is_object()), (&json!({}), true), "{pod}");
    // Other keys conflict with nothing.
    let (code, pod) = apply("second", json!([condition("C", "4")]));
    assert_eq!(
        (code, conditions(&pod)),
        (StatusCode::OK, ["A1", "A2", "B3", "C4"].map(str::to_owned).to_vec()),
        "{pod}"
    );
    let (code, refusal) = apply("second", json!([condition("A", "1")]));
    let cause = &refusal["details"]["causes"][0];
    assert_eq!(code, StatusCode::CONFLICT, "{refusal}");
    assert_eq!(cause["field"], ".status.conditions[type=\"A\"]");
    let (_, pod) = apply("second&force=true", json!([condition("A", "5")]));
    assert_eq!(conditions(&pod), ["A5", "B3"], "{pod}");
    let below = json!({".": {}, "f:status": {}, "f:type": {}});
    assert_eq!(owned(&pod, "second", "Apply"), [below, Value::Null]);
    assert_eq!(owned(&pod, "first", "Update"), [Value::Null, once]);
    // An element that becomes two does not belong to the manager any more, and stays.
    let both = json!([condition("A", "5"), condition("A", "6"), condition("B", "3")]);
    let (code, pod) = update_conditions(&server, "third", &both);
    assert_eq!(code, StatusCode::OK, "{pod}");
    assert_eq!(owned(&pod, "third", "Update")[0], json!({}));
    assert_eq!(owned(&pod, "second", "Apply"), [Value::Null, Value::Null], "{pod}");
    let (code, pod) = apply("second", json!([condition("D", "7")]));
    assert_eq!((code, conditions(&pod).len()), (StatusCode::OK, 4), "{pod}");
}

#[test]
fn repeated_elements_of_sets_are_kept() {
    let server = server();
    let mut pod = crate::testing::pod("a");
    pod["metadata"]["finalizers"] = json!(["a.io/x", "a.io/x", "a.io/y"]);
    send(&server, Method::POST, PODS, &pod);
    let config = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "a", "finalizers": ["a.io/z"]},
    });
    let apply = |config: &Value| {
        apply_at(&server, &format!("{PODS}/a?fieldManager=m"), &config.to_string())
    };
    let (code, found) = apply(&config);
    let expected = json!(["a.io/x", "a.io/x", "a.io/y", "a.io/z"]);
    assert_eq!((code, &found["metadata"]["finalizers"]), (StatusCode::OK, &expected));
}

#[test]
fn elements_without_an_identity_are_refused() {
    let (_, apply) = pod_with_repeated_conditions();
    let place = ".status.conditions: element 0: associative list";
    for (element, why) in [
        (json!(null), "with keys may not have a null element"),
        (json!("A"), "with keys may not have non-map elements"),
    ] {
        let (code, refusal) = apply("m", json!([element]));
        assert_eq!(code, StatusCode::INTERNAL_SERVER_ERROR, "{refusal}");
        let message = refusal["message"].as_str().expect("a message");
        assert!(message.ends_with(&format!("{place} {why}")), "{message}");
    }
}

#[test]
fn numbers_of_configurations_need_no_fraction() {
    let server = server_of_things();
    assert_eq!(apply(&server, "one", &json!({"spec": {"size": 1}})).0, StatusCode::CREATED);
    for number in ["1.0", "1", "1.0e0"] {
        let config = format!(
            "{{\"apiVersion\": \"a.io/v1\", \"kind\": \"Thing\", \"spec\": {{\"size\": {number}}}}}"
        );
        let (code, thing) = apply_at(&server, &format!("{THINGS}/a?fieldManager=two"), &config);
        assert_eq!((code, &thing["spec"]["size"]), (StatusCode::OK, &json!(1)), "{thing}");
    }
    let server = crate::testing::server();
    let lease = |number: &str| {
        format!(
            "{{\"apiVersion\": \"coordination.k8s.io/v1\", \"kind\": \"Lease\", \"metadata\": \
             {{\"name\": \"a\"}}, \"spec\": {{\"leaseDurationSeconds\": {number}}}}}"
        )
    };
    let path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/a?fieldManager=";
    for (manager, number, expected) in
        [("one", "15", StatusCode::CREATED), ("two", "15.0", StatusCode::OK)]
    {
        let (code, found) = apply_at(&server, &format!("{path}{manager}"), &lease(number));
        assert_eq!(code, expected, "{found}");
        assert_eq!(found["spec"]["leaseDurationSeconds"], 15);
    }
}

#[test]
fn null_is_refused_where_it_is_no_value() {
    let server = server_of_things();
    let cause_of = |config: Value| {
        let (code, refusal) = apply(&server, "m", &config);
        assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{refusal}");
        refusal["details"]["causes"][0].clone()
    };
    let mistyped = |field: &str, wanted: &str| {
        let why =
            format!("Invalid value: \"null\": {field} in body must be of type {wanted}: \"null\"");
        json!({"reason": "FieldValueTypeInvalid", "message": why, "field": field})
    };
    let cases = [
        (json!({"spec": {"title": null}}), "spec.title", "string"),
        (json!({"spec": {"size": null}}), "spec.size", "integer"),
        (json!({"spec": {"ports": null}}), "spec.ports", "array"),
        (json!({"spec": null}), "spec", "object"),
        (json!({"spec": {"texts": {"a": null}}}), "spec.texts.a", "string"),
    ];
    for (config, field, wanted) in &cases {
        assert_eq!(cause_of(config.clone()), mistyped(field, wanted));
    }
    assert_eq!(apply(&server, "m", &json!({"spec": {"title": "t"}})).0, StatusCode::CREATED);
    for (config, field, wanted) in cases {
        if field != "spec" {
            assert_eq!(cause_of(config), mistyped(field, wanted));
        }
    }
    // A default takes its place, and a nullable member has it.
    let config =
        json!({"spec": {"mode": null, "maybe": null, "modes": {"a": null}, "open": {"a": null}}});
    let (code, thing) = apply(&server, "m", &config);
    let expected =
        json!({"mode": "auto", "maybe": null, "modes": {"a": "auto"}, "open": {"a": null}});
    assert_eq!((code, &thing["spec"]), (StatusCode::OK, &expected), "{thing}");
    // Beside content it removes nothing.
    apply(&server, "other", &json!({"spec": {"ports": [{"port": 1}]}}));
    let (code, thing) = apply(&server, "m", &json!({"spec": {"ports": null}}));
    assert_eq!(code, StatusCode::OK, "{thing}");
    assert_eq!(thing["spec"]["ports"], json!([{"port": 1, "protocol": "TCP"}]));
}

#[test]
fn updates_lose_null_where_it_is_no_value() {
    let server = server_of_things();
    let spec = json!({
        "title": null, "mode": null, "maybe": null, "texts": {"a": null}, "modes": {"a": null},
        "open": {"a": null}, "free": {"a": null},
    });
    let thing =
        json!({"apiVersion": "a.io/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec});
    let (code, thing) = send(&server, Method::POST, THINGS, &thing);
    let expected = json!({
        "mode": "auto", "maybe": null, "texts": {}, "modes": {"a": "auto"},
        "open": {"a": null}, "free": {"a": null},
    });
    assert_eq!((code, &thing["spec"]), (StatusCode::CREATED, &expected), "{thing}");
}

#[test]
fn a_record_that_is_stated_with_a_status_changes_nothing() {
    let server = server_of_things();
    let (_, before) = apply(&server, "m", &json!({"spec": {"size": 1}}));
    let path = format!("{THINGS}/a/status?fieldManager=s");
    for record in [json!([]), json!([{}]), json!([{"manager": "x", "operation": "Update"}])] {
        let body = json!({"metadata": {"managedFields": record}, "status": {"phase": "p"}});
        let request = Request::patch(&path).header("content-type", "application/merge-patch+json");
        let request = request.body(body.to_string().into_bytes()).expect("a request");
        let (code, thing) = whole(server.handle(request, time(0)));
        assert_eq!(code, StatusCode::OK, "{thing}");
        assert_eq!(fields(&thing, "m", "Apply"), fields(&before, "m", "Apply"), "{record}");
        let expected = json!({"f:status": {".": {}, "f:phase": {}}});
        assert_eq!(fields(&thing, "s", "Update"), expected);
    }
}

#[test]
fn managers_that_own_nothing_are_not_recorded() {
    for config in [json!({}), json!({"metadata": {"name": "a", "uid": null}})] {
        let server = server_of_things();
        let (code, thing) = apply(&server, "m", &config);
        assert_eq!(code, StatusCode::CREATED, "{thing}");
        assert_eq!(thing["metadata"].get("managedFields"), None, "{thing}");
        let path = format!("{THINGS}/a?fieldManager=u");
        let (code, same) = send(&server, Method::PUT, &path, &thing);
        assert_eq!((code, &same), (StatusCode::OK, &thing));
        let (code, same) = apply(&server, "m", &config);
        assert_eq!((code, &same), (StatusCode::OK, &thing));
        assert_eq!(get(&server, &format!("{THINGS}/a")).1, thing);
    }
}

/// Kinds without members in their schema are merged all the same, and nobody owns an object as a
/// whole.
#[test]
fn objects_of_any_content_are_merged() {
    let mut definition = definition();
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] =
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let server = Server::default();
    server.set_time(time(0));
    server.add_definition(&definition).expect("a definition");
    assert_eq!(apply(&server, "one", &json!({})).0, StatusCode::CREATED);
    apply(&server, "one", &json!({"spec": {"a": 1}}));
    let (code, thing) = apply(&server, "two", &json!({"spec": {"b": 2}}));
    assert_eq!((code, &thing["spec"]), (StatusCode::OK, &json!({"a": 1, "b": 2})), "{thing}");
    assert_eq!(fields(&thing, "two", "Apply"), json!({"f:spec": {".": {}, "f:b": {}}}));
    let (code, same) = replace(&server, "three", &thing["spec"]);
    assert_eq!((code, same), (StatusCode::OK, thing));
}
