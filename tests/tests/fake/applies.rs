//! Applying configurations: the order of checks, and what they are held against.

use crate::testing::{server, time, whole};
use http::{Request, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

/// Applies a configuration with this metadata and holder.
fn apply(server: &Server, name: &str, manager: &str, metadata: &Value, holder: &Value) -> (StatusCode, Value) {
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
    assert_eq!(server.get("coordination.k8s.io/v1", "Lease", "default", "a"), None);
    // A version is no promise that there is an object.
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
    let (code, refusal) = apply(&server, "a", "m", &json!({"resourceVersion": "1", "uid": "1"}), &json!("y"));
    assert_eq!((code, &refusal["reason"]), (StatusCode::CONFLICT, &json!("Conflict")));
    let (code, refusal) = apply(&server, "a", "m", &json!({"uid": "1"}), &json!("y"));
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{refusal}");
}
