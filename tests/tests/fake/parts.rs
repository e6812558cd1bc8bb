//! The parts of an object: what a write to one of them leaves as it is.

use crate::testing::{PODS, get, pod, send, server, time, whole};
use http::{Method, Request, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

/// A pod that a controller owns, with a status.
fn owned_pod(server: &Server) -> Value {
    let mut pod = pod("a");
    pod["metadata"]["labels"] = json!({"app": "a"});
    pod["metadata"]["ownerReferences"] = json!([{"apiVersion": "v1", "kind": "Pod", "name": "o", "uid": "1"}]);
    pod["spec"] = json!({"containers": [{"name": "main", "image": "a:1"}]});
    pod["status"] = json!({"phase": "Pending", "qosClass": "Burstable"});
    server.create("default", &pod, time(0)).expect("a pod")
}

/// The pod as a client writes it that changes all that it can.
fn changed(pod: &Value) -> Value {
    let mut pod = pod.clone();
    pod["metadata"]["labels"] = json!({"app": "b"});
    pod["metadata"]["annotations"] = json!({"note": "b"});
    pod["metadata"]["ownerReferences"] = json!([]);
    pod["metadata"]["deletionTimestamp"] = json!("2001-01-01T00:00:00Z");
    let resources = json!({"limits": {"cpu": "2"}});
    pod["spec"] = json!({
        "containers": [{"name": "main", "image": "b:1", "resources": resources}],
        "ephemeralContainers": [{"name": "debug", "image": "d:1"}],
    });
    pod["status"] = json!({"phase": "Running"});
    pod
}

#[test]
fn a_status_of_a_pod_keeps_owners_and_its_class() {
    let server = server();
    let pod = owned_pod(&server);
    let (code, stored) = send(&server, Method::PUT, &format!("{PODS}/a/status"), &changed(&pod));
    assert_eq!(code, StatusCode::OK, "{stored}");
    assert_eq!(stored["status"], json!({"phase": "Running", "qosClass": "Burstable"}));
    assert_eq!(stored["spec"], pod["spec"]);
    let metadata = &stored["metadata"];
    assert_eq!(metadata["ownerReferences"], pod["metadata"]["ownerReferences"]);
    assert_eq!((metadata.get("deletionTimestamp"), &metadata["labels"]["app"]), (None, &json!("b")));
}

#[test]
fn ephemeral_containers_and_resizes_change_nothing_else() {
    for part in ["ephemeralcontainers", "resize"] {
        let server = server();
        let pod = owned_pod(&server);
        let (code, stored) = send(&server, Method::PUT, &format!("{PODS}/a/{part}"), &changed(&pod));
        assert_eq!(code, StatusCode::OK, "{stored}");
        let mut expected = pod["spec"].clone();
        if part == "resize" {
            expected["containers"][0]["resources"] = json!({"limits": {"cpu": "2"}});
        } else {
            expected["ephemeralContainers"] = stored["spec"]["ephemeralContainers"].clone();
            assert_eq!(expected["ephemeralContainers"][0]["name"], "debug");
        }
        assert_eq!((&stored["spec"], &stored["status"]), (&expected, &pod["status"]), "{part}");
        for member in ["labels", "annotations", "ownerReferences", "deletionTimestamp"] {
            assert_eq!(stored["metadata"].get(member), pod["metadata"].get(member), "{part}: {member}");
        }
    }
}

#[test]
fn managers_own_nothing_outside_of_the_part_that_they_apply() {
    for (part, expected) in [
        ("status", json!({"f:metadata": {"f:labels": {"f:app": {}}}, "f:status": {"f:phase": {}}})),
        (
            "ephemeralcontainers",
            json!({"f:spec": {"f:ephemeralContainers": {
                "k:{\"name\":\"debug\"}": {".": {}, "f:image": {}, "f:name": {}},
            }}}),
        ),
    ] {
        let server = server();
        let pod = owned_pod(&server);
        let mut config = changed(&pod);
        config["metadata"] = json!({
            "name": "a", "labels": {"app": "a"}, "ownerReferences": [{"uid": "2", "name": "b", "kind": "B", "apiVersion": "v1"}],
        });
        let request = Request::patch(format!("{PODS}/a/{part}?fieldManager=m&force=true"));
        let request = request.header("content-type", "application/apply-patch+yaml");
        let (code, stored) =
            whole(server.handle(request.body(config.to_string().into_bytes()).expect("a request"), time(0)));
        assert_eq!(code, StatusCode::OK, "{stored}");
        let record = stored["metadata"]["managedFields"].as_array().expect("a record");
        let entry = record.iter().find(|entry| entry["manager"] == "m").expect("the manager");
        assert_eq!(entry["fieldsV1"], expected, "{part}");
        assert_eq!(stored["metadata"]["ownerReferences"], pod["metadata"]["ownerReferences"]);
    }
}

#[test]
fn updates_of_images_keep_what_servers_read_from_manifests() {
    let server = server();
    let image = json!({
        "apiVersion": "image.openshift.io/v1", "kind": "Image", "metadata": {"name": "sha256:1"},
        "dockerImageReference": "a", "dockerImageMetadata": {"Size": 1}, "dockerImageMetadataVersion": "1.0",
        "dockerImageLayers": [{"name": "l", "size": 1, "mediaType": "m"}], "dockerImageSignatures": ["YQ=="],
    });
    let stored = server.create("", &image, time(0)).expect("an image");
    let mut other = stored.clone();
    other["dockerImageReference"] = json!("b");
    other["dockerImageMetadata"] = json!({"Size": 2});
    other["dockerImageMetadataVersion"] = json!("2.0");
    other["dockerImageLayers"] = json!([]);
    other["dockerImageSignatures"] = json!(["Yg=="]);
    let (code, changed) = send(&server, Method::PUT, "/apis/image.openshift.io/v1/images/sha256:1", &other);
    assert_eq!((code, &changed["dockerImageReference"]), (StatusCode::OK, &json!("b")));
    for member in ["dockerImageMetadata", "dockerImageMetadataVersion", "dockerImageLayers", "dockerImageSignatures"] {
        assert_eq!(changed[member], stored[member], "{member}");
    }
}

#[test]
fn updates_of_some_kinds_have_to_state_a_version() {
    let server = server();
    let lease = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "a"}});
    server.create("default", &lease, time(0)).expect("a lease");
    let path = format!("{LEASES}/a");
    let (code, refusal) = send(&server, Method::PUT, &path, &lease);
    let message = "leases.coordination.k8s.io \"a\" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be \
                   specified for an update";
    assert_eq!((code, &refusal["message"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!(message)));
    let (_, stored) = get(&server, &path);
    assert_eq!(send(&server, Method::PUT, &path, &stored).0, StatusCode::OK);
    let pod = owned_pod(&server);
    let mut blind = pod.clone();
    blind["metadata"]["resourceVersion"] = json!("");
    assert_eq!(send(&server, Method::PUT, &format!("{PODS}/a"), &blind).0, StatusCode::OK);
}

/// A server with a kind that has a status, as a document has it.
fn server_of(group: &str, plural: &str, kind: &str) -> Server {
    let named = json!({"x-kubernetes-group-version-kind": {"group": group, "version": "v1", "kind": kind}});
    let path = format!("/apis/{group}/v1/{plural}");
    let any = json!({"type": "object"});
    let server = server();
    server.add_document(&json!({
        "paths": {
            &path: {"get": named, "post": named},
            format!("{path}/{{name}}"): {"get": named, "put": named},
            format!("{path}/{{name}}/status"): {"get": named, "put": named},
        },
        "components": {"schemas": {kind: {
            "type": "object", "properties": {"spec": any, "status": any, "metadata": any},
            "x-kubernetes-group-version-kind": [{"group": group, "version": "v1", "kind": kind}],
        }}},
    }));
    server
}

#[test]
fn kinds_decide_which_metadata_a_status_changes() {
    for (group, plural, kind, labels, annotations) in [
        ("apps", "deployments", "Deployment", "old", "new"),
        ("apps", "replicasets", "ReplicaSet", "new", "new"),
        ("storage.k8s.io", "volumeattachments", "VolumeAttachment", "old", "old"),
    ] {
        let server = server_of(group, plural, kind);
        let metadata = |text: &str| json!({"name": "a", "labels": {"a": text}, "annotations": {"a": text}});
        let object = json!({"apiVersion": format!("{group}/v1"), "kind": kind, "metadata": metadata("old")});
        let mut changed = server.create("", &object, time(0)).expect("an object");
        for member in ["labels", "annotations"] {
            changed["metadata"][member] = json!({"a": "new"});
        }
        let path = format!("/apis/{group}/v1/{plural}/a/status");
        let (code, stored) = send(&server, Method::PUT, &path, &changed);
        let found = [&stored["metadata"]["labels"]["a"], &stored["metadata"]["annotations"]["a"]];
        assert_eq!((code, found), (StatusCode::OK, [&json!(labels), &json!(annotations)]), "{kind}");
    }
}
