//! Applying configurations: the order of checks, and the objects that they check.

use crate::testing::{get, send, server, time, whole};
use http::{Method, Request, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

/// Applies a configuration with this metadata and holder.
fn apply(
    server: &Server,
    name: &str,
    manager: &str,
    metadata: &Value,
    holder: &Value,
) -> (StatusCode, Value) {
    let config = json!({
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": metadata,
        "spec": {"holderIdentity": holder},
    });
    let request = Request::patch(format!("{LEASES}/{name}?fieldManager={manager}"));
    let request = request.header("content-type", "application/apply-patch+yaml");
    whole(server.handle(request.body(config.to_string().into_bytes()).expect("a request"), time(0)))
}

#[test]
fn configurations_with_a_uid_create_nothing() {
    let server = server();
    let (code, refusal) = apply(&server, "a", "m", &json!({"name": "a", "uid": "1"}), &json!("x"));
    let why = "uid mismatch: the provided object specified uid 1, and no existing object was found";
    assert_eq!((code, &refusal["reason"]), (StatusCode::CONFLICT, &json!("Conflict")));
    assert!(refusal["message"].as_str().is_some_and(|message| message.ends_with(why)), "{refusal}");
    assert_eq!(server.get_json("coordination.k8s.io/v1", "Lease", "default", "a"), None);
    // A version is not a promise that there is an object.
    let metadata = json!({"name": "a", "resourceVersion": "1"});
    assert_eq!(apply(&server, "a", "m", &metadata, &json!("x")).0, StatusCode::CREATED);
}

#[test]
fn types_come_before_conflicts_and_conflicts_before_names_and_versions() {
    let server = server();
    assert_eq!(apply(&server, "a", "m", &json!({"name": "a"}), &json!("x")).0, StatusCode::CREATED);
    let all = json!({"name": "b", "resourceVersion": "1", "uid": "1"});
    let (code, refusal) = apply(&server, "a", "n", &all, &json!(1));
    assert_eq!(code, StatusCode::INTERNAL_SERVER_ERROR, "{refusal}");
    let (code, refusal) = apply(&server, "a", "n", &all, &json!("y"));
    assert_eq!(
        (code, &refusal["details"]["causes"][0]["reason"]),
        (StatusCode::CONFLICT, &json!("FieldManagerConflict"))
    );
    let (code, refusal) = apply(&server, "a", "m", &all, &json!("y"));
    assert_eq!(code, StatusCode::BAD_REQUEST, "{refusal}");
    let (code, refusal) =
        apply(&server, "a", "m", &json!({"resourceVersion": "1", "uid": "1"}), &json!("y"));
    assert_eq!((code, &refusal["reason"]), (StatusCode::CONFLICT, &json!("Conflict")));
    let (code, refusal) = apply(&server, "a", "m", &json!({"uid": "1"}), &json!("y"));
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{refusal}");
}

#[test]
fn parts_that_a_request_does_not_write_are_not_owned_and_conflict_with_nothing() {
    let server = server();
    let apply = |path: &str, manager: &str, image: &str, phase: &str| {
        let config = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
            "spec": {"containers": [{"name": "main", "image": image}]}, "status": {"phase": phase},
        });
        let request = Request::patch(format!(
            "/api/v1/namespaces/default/pods/{path}?fieldManager={manager}"
        ));
        let request = request.header("content-type", "application/apply-patch+yaml");
        whole(
            server
                .handle(request.body(config.to_string().into_bytes()).expect("a request"), time(0)),
        )
    };
    assert_eq!(apply("a", "spec", "one", "Failed").0, StatusCode::CREATED);
    let (code, pod) = apply("a/status", "status", "two", "Running");
    assert_eq!((code, &pod["status"]["phase"]), (StatusCode::OK, &json!("Running")), "{pod}");
    assert_eq!(pod["spec"]["containers"][0]["image"], "one");
    let owned = |manager: &str| -> Vec<String> {
        let records = pod["metadata"]["managedFields"].as_array().expect("records").iter();
        let record = records.clone().find(|record| record["manager"] == manager).expect("a record");
        record["fieldsV1"].as_object().expect("fields").keys().cloned().collect()
    };
    assert_eq!(
        (owned("spec"), owned("status")),
        (vec!["f:spec".to_owned()], vec!["f:status".to_owned()])
    );
    // The phase is not the one of the stored status, but an apply of the object ignores it.
    assert_eq!(apply("a", "other", "one", "Failed").0, StatusCode::OK);
}

const WIDGET: &str = "/apis/example.com/v1/namespaces/default/widgets/a";

/// A server with a custom resource. Another manager has applied its size and its label `a`.
fn with_widget() -> Server {
    let server = Server::new(&[]);
    let status = json!({"type": "object", "properties": {"ready": {"type": "boolean"}}});
    let spec = json!({"type": "object", "properties": {"size": {"type": "integer"}}});
    let schema = json!({"type": "object", "properties": {"spec": spec, "status": status}});
    let version = json!({
        "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": schema},
    });
    let names = json!({"plural": "widgets", "kind": "Widget"});
    let spec = json!({"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]});
    server
        .add_definition(&json!({"metadata": {"name": "widgets.example.com"}, "spec": spec}))
        .expect("a definition");
    let metadata = json!({"name": "a", "labels": {"a": "b"}});
    let widget = json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": {"size": 1}});
    let request = Request::patch(format!("{WIDGET}?fieldManager=other"));
    let request = request.header("content-type", "application/apply-patch+yaml");
    let reply = server.handle(request.body(widget.to_string()).expect("a request"), time(0));
    assert_eq!(reply.response.status(), StatusCode::CREATED);
    server
}

/// The fields that a manager owns of an object.
fn owned(object: &Value, manager: &str) -> Value {
    let records = object["metadata"]["managedFields"].as_array().expect("records");
    let record = records.iter().find(|record| record["manager"] == manager);
    record.map_or(Value::Null, |record| record["fieldsV1"].clone())
}

#[test]
fn managers_neither_own_nor_change_the_metadata_that_they_apply_with_a_status() {
    let server = with_widget();
    let apply = |label: &str| {
        let config = json!({
            "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a", "labels": {"a": label}},
            "spec": {"size": 2}, "status": {"ready": true},
        });
        let request = Request::patch(format!("{WIDGET}/status?fieldManager=status"));
        let request = request.header("content-type", "application/apply-patch+yaml");
        whole(server.handle(request.body(config.to_string()).expect("a request"), time(0)))
    };
    let (code, widget) = apply("c");
    assert_eq!(
        (code, &widget["metadata"]["labels"]["a"]),
        (StatusCode::OK, &json!("b")),
        "{widget}"
    );
    assert_eq!((&widget["spec"]["size"], &widget["status"]["ready"]), (&json!(1), &json!(true)));
    assert_eq!(owned(&widget, "status"), json!({"f:status": {"f:ready": {}}}));
    let expected = json!({"f:metadata": {"f:labels": {"f:a": {}}}, "f:spec": {"f:size": {}}});
    assert_eq!(owned(&widget, "other"), expected);
}

#[test]
fn managers_neither_own_nor_change_the_metadata_that_they_replace_with_a_status() {
    let server = with_widget();
    let (_, mut widget) = get(&server, WIDGET);
    widget["metadata"]["labels"]["a"] = json!("c");
    widget["spec"]["size"] = json!(2);
    widget["status"] = json!({"ready": true});
    let (code, widget) =
        send(&server, Method::PUT, &format!("{WIDGET}/status?fieldManager=status"), &widget);
    assert_eq!(
        (code, &widget["metadata"]["labels"]["a"]),
        (StatusCode::OK, &json!("b")),
        "{widget}"
    );
    assert_eq!((&widget["spec"]["size"], &widget["status"]["ready"]), (&json!(1), &json!(true)));
    assert_eq!(owned(&widget, "status"), json!({"f:status": {".": {}, "f:ready": {}}}));
    assert_eq!(owned(&widget, "other")["f:spec"], json!({"f:size": {}}));
}
