//! Definitions of custom resources: their names, and their end.

use crate::testing::{get, send, server, time, whole};
use http::{Method, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const GEARS_DEFINITION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gears.a.io";
const GEARS: &str = "/apis/a.io/v1/gears";

/// A server with the kind of definitions.
fn with_definitions() -> Server {
    let server = server();
    let kind = json!({"group": "apiextensions.k8s.io", "version": "v1", "kind": "CustomResourceDefinition"});
    let operation = json!({"x-kubernetes-group-version-kind": kind});
    let all = json!({"get": operation, "put": operation, "patch": operation, "delete": operation});
    let paths = json!({
        DEFINITIONS: {"get": operation, "post": operation},
        format!("{DEFINITIONS}/{{name}}"): all,
        format!("{DEFINITIONS}/{{name}}/status"): all,
    });
    server.add_document(&json!({"paths": paths}));
    server
}

fn definition(scope: &str) -> Value {
    let version =
        json!({"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}});
    let names = json!({"plural": "gears", "kind": "Gear"});
    let spec = json!({"group": "a.io", "scope": scope, "names": names, "versions": [version]});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gears.a.io"}, "spec": spec,
    })
}

/// A server with a definition that a client created.
fn with_definition() -> Server {
    let server = with_definitions();
    server.create("", &definition("Cluster"), time(0)).expect("a definition");
    server
}

fn gear(name: &str, finalizers: &[&str]) -> Value {
    json!({"apiVersion": "a.io/v1", "kind": "Gear", "metadata": {"name": name, "finalizers": finalizers}})
}

/// Takes all finalizers from an object.
fn release(server: &Server, path: &str) {
    let (_, mut object) = get(server, path);
    object["metadata"]["finalizers"] = json!([]);
    assert_eq!(send(server, Method::PUT, path, &object).0, StatusCode::OK, "{path}");
}

#[test]
fn definitions_end_with_their_last_object() {
    let server = with_definition();
    for object in [gear("free", &[]), gear("held", &["a.b/c"])] {
        server.create("", &object, time(0)).expect("a gear");
    }
    let (code, ending) = send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null);
    assert_eq!((code, &ending["kind"]), (StatusCode::OK, &json!("CustomResourceDefinition")));
    assert_eq!(ending["metadata"]["finalizers"], json!(["customresourcecleanup.apiextensions.k8s.io"]));
    let conditions = ending["status"]["conditions"].as_array().expect("conditions");
    assert!(conditions.iter().any(|condition| condition["type"] == "Terminating" && condition["status"] == "True"));
    // A second delete changes nothing.
    let version = server.version();
    assert_eq!(send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null), (StatusCode::OK, ending));
    assert_eq!(server.version(), version);
    // It serves the object that is left, and takes no new ones.
    assert_eq!(get(&server, &format!("{GEARS}/free")).0, StatusCode::NOT_FOUND);
    let (code, held) = get(&server, &format!("{GEARS}/held"));
    assert!(code == StatusCode::OK && held["metadata"]["deletionTimestamp"].is_string());
    let (code, refusal) = send(&server, Method::POST, GEARS, &gear("late", &[]));
    let message = "create not allowed while custom resource definition is terminating";
    assert_eq!((code, &refusal["message"]), (StatusCode::METHOD_NOT_ALLOWED, &json!(message)));
    release(&server, &format!("{GEARS}/held"));
    for gone in [GEARS_DEFINITION, GEARS] {
        assert_eq!(get(&server, gone).0, StatusCode::NOT_FOUND, "{gone}");
    }
}

#[test]
fn applies_create_nothing_of_a_definition_that_ends() {
    let server = with_definition();
    server.create("", &gear("held", &["a.b/c"]), time(0)).expect("a gear");
    send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null);
    let apply = |name: &str| {
        let request = http::Request::patch(format!("{GEARS}/{name}?fieldManager=m"));
        let body = json!({"apiVersion": "a.io/v1", "kind": "Gear", "metadata": {"name": name}});
        let request =
            request.header("content-type", "application/apply-patch+yaml").body(body.to_string().into_bytes());
        whole(server.handle(request.expect("a request"), time(0)))
    };
    let (code, refusal) = apply("late");
    assert_eq!((code, &refusal["reason"]), (StatusCode::FORBIDDEN, &json!("Forbidden")));
    assert_eq!(apply("held").0, StatusCode::OK);
}

#[test]
fn definitions_without_objects_end_at_once() {
    let server = with_definition();
    server.create("", &gear("free", &[]), time(0)).expect("a gear");
    // A finalizer of someone else holds the definition longer than its objects do.
    let (_, mut definition) = get(&server, GEARS_DEFINITION);
    definition["metadata"]["finalizers"] = json!(["a.b/c"]);
    assert_eq!(send(&server, Method::PUT, GEARS_DEFINITION, &definition).0, StatusCode::OK);
    assert_eq!(send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null).0, StatusCode::OK);
    let (code, ending) = get(&server, GEARS_DEFINITION);
    assert_eq!((code, &ending["metadata"]["finalizers"]), (StatusCode::OK, &json!(["a.b/c"])));
    release(&server, GEARS_DEFINITION);
    for gone in [GEARS_DEFINITION, GEARS] {
        assert_eq!(get(&server, gone).0, StatusCode::NOT_FOUND, "{gone}");
    }
}

#[test]
fn definitions_have_the_name_of_their_resource() {
    let server = with_definitions();
    let mut other = definition("Cluster");
    other["metadata"]["name"] = json!("wheels.a.io");
    let (code, refusal) = send(&server, Method::POST, DEFINITIONS, &other);
    let message = "Invalid value: \"wheels.a.io\": must be spec.names.plural+\".\"+spec.group";
    let cause = json!({"reason": "FieldValueInvalid", "message": message, "field": "metadata.name"});
    assert_eq!((code, &refusal["details"]["causes"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!([cause])));
    let (code, stored) = send(&server, Method::POST, DEFINITIONS, &definition("Cluster"));
    assert_eq!(code, StatusCode::CREATED, "{stored}");
    for (pointer, value, fields) in [
        ("/spec/names/plural", json!("wheels"), json!(["spec.names.plural"])),
        ("/spec/group", json!("b.io"), json!(["spec.group"])),
        ("/spec", json!({}), json!(["spec.group", "spec.names.plural"])),
    ] {
        let mut changed = stored.clone();
        *changed.pointer_mut(pointer).expect("a member") = value;
        let (code, refusal) = send(&server, Method::PUT, GEARS_DEFINITION, &changed);
        let causes = refusal["details"]["causes"].as_array().expect("causes");
        let found: Value = causes.iter().map(|cause| cause["field"].clone()).collect();
        assert_eq!((code, found), (StatusCode::UNPROCESSABLE_ENTITY, fields), "{pointer}");
    }
    assert_eq!(get(&server, GEARS).0, StatusCode::OK);
    assert_eq!(send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null).0, StatusCode::OK);
    for gone in [GEARS_DEFINITION, GEARS] {
        assert_eq!(get(&server, gone).0, StatusCode::NOT_FOUND, "{gone}");
    }
}

/// Looking at all objects for each that is gone would take minutes.
#[test]
fn definitions_with_many_objects_end_quickly() {
    let server = with_definition();
    let count = 10_000;
    for index in 0..count {
        server.create("", &gear(&format!("gear-{index}"), &["a.b/c"]), time(0)).expect("a gear");
    }
    assert_eq!(send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null).0, StatusCode::OK);
    for index in 0..count {
        assert_eq!(get(&server, GEARS_DEFINITION).0, StatusCode::OK);
        release(&server, &format!("{GEARS}/gear-{index}"));
    }
    assert_eq!(get(&server, GEARS_DEFINITION).0, StatusCode::NOT_FOUND);
}
