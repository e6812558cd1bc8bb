//! The parts of an object: a write to one of them leaves the others as they are.

use crate::testing::{PODS, get, pod, request, send, server, time, whole};
use http::{Method, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

/// A pod that a controller owns, with a status.
fn owned_pod(server: &Server) -> Value {
    let mut pod = pod("a");
    pod["metadata"]["labels"] = json!({"app": "a"});
    pod["metadata"]["ownerReferences"] =
        json!([{"apiVersion": "v1", "kind": "Pod", "name": "o", "uid": "1"}]);
    pod["spec"] = json!({"containers": [{"name": "main", "image": "a:1"}]});
    pod["status"] = json!({"phase": "Pending", "qosClass": "Burstable"});
    server.create(&pod).expect("a pod")
}

/// The pod as written by a client that changes everything that it can.
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
    assert_eq!(
        (metadata.get("deletionTimestamp"), &metadata["labels"]["app"]),
        (None, &json!("b"))
    );
}

#[test]
fn ephemeral_containers_and_resizes_change_nothing_else() {
    for part in ["ephemeralcontainers", "resize"] {
        let server = server();
        let pod = owned_pod(&server);
        let (code, stored) =
            send(&server, Method::PUT, &format!("{PODS}/a/{part}"), &changed(&pod));
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
            assert_eq!(
                stored["metadata"].get(member),
                pod["metadata"].get(member),
                "{part}: {member}"
            );
        }
    }
}

#[test]
fn a_status_of_a_pod_keeps_what_it_states_as_zero() {
    let condition = |kind: &str, status: &str, generation: i64| {
        let mut condition = json!({"type": kind, "status": status, "lastProbeTime": null, "lastTransitionTime": null});
        if generation > 0 {
            condition["observedGeneration"] = json!(generation);
        }
        condition
    };
    let conditions =
        json!([condition("A", "True", 1), condition("B", "True", 2), condition("A", "True", 3)]);
    // Conditions of a type are paired in their order; the third of a type has no predecessor.
    let stated = json!([
        condition("A", "False", 0), {"type": "B", "status": "False", "observedGeneration": 0},
        condition("A", "False", 9), condition("A", "False", 0), condition("C", "False", 0),
    ]);
    let expected = json!([
        condition("A", "False", 1),
        condition("B", "False", 2),
        condition("A", "False", 9),
        condition("A", "False", 0),
        condition("C", "False", 0),
    ]);
    for zero in
        [json!({}), json!({"qosClass": "", "observedGeneration": 0}), json!({"qosClass": null})]
    {
        let server = server();
        let mut pod = pod("a");
        pod["status"] =
            json!({"qosClass": "Burstable", "observedGeneration": 3, "conditions": conditions});
        let mut changed = server.create(&pod).expect("a pod");
        changed["status"] = zero.clone();
        changed["status"]["conditions"] = stated.clone();
        let (code, stored) = send(&server, Method::PUT, &format!("{PODS}/a/status"), &changed);
        assert_eq!(code, StatusCode::OK, "{stored}");
        let status =
            json!({"qosClass": "Burstable", "observedGeneration": 3, "conditions": expected});
        assert_eq!(stored["status"], status, "{zero}");
    }
}

/// A pod with two containers and an init container.
fn pod_of_containers(server: &Server) -> Value {
    let mut pod = pod("a");
    pod["spec"] = json!({
        "containers": [{"name": "one", "image": "a:1"}, {"name": "two", "image": "a:1"}],
        "initContainers": [{"name": "first", "image": "a:1"}],
    });
    server.create(&pod).expect("a pod")
}

#[test]
fn resizes_of_other_containers_are_refused() {
    let added = |list: &str| {
        (format!("spec.{list}"), format!("Forbidden: {list} may not be added or removed on resize"))
    };
    let renamed = |list: &str, index: usize| {
        let message = format!("Forbidden: {list} may not be renamed or reordered on resize");
        (format!("spec.{list}[{index}].name"), message)
    };
    let all = json!([{"name": "one"}, {"name": "two"}]);
    for (spec, expected) in [
        (json!(null), vec![added("containers"), added("initContainers")]),
        (json!({"containers": all}), vec![added("initContainers")]),
        (json!({"initContainers": [{"name": "first"}]}), vec![added("containers")]),
        (
            json!({"containers": [{"name": "two"}, {"name": "one"}], "initContainers": [{"name": "other", "image": "b:1"}]}),
            vec![renamed("containers", 0), renamed("containers", 1), renamed("initContainers", 0)],
        ),
    ] {
        let server = server();
        let pod = pod_of_containers(&server);
        let mut changed = pod.clone();
        changed["spec"] = spec;
        let (code, refusal) = send(&server, Method::PUT, &format!("{PODS}/a/resize"), &changed);
        assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{refusal}");
        let text = |cause: &Value, key: &str| cause[key].as_str().unwrap_or_default().to_owned();
        let causes = refusal["details"]["causes"].as_array().expect("causes").iter();
        let causes: Vec<_> =
            causes.map(|cause| (text(cause, "field"), text(cause, "message"))).collect();
        assert_eq!(causes, expected);
        assert_eq!(get(&server, &format!("{PODS}/a")).1, pod);
    }
}

#[test]
fn patches_of_resizes_keep_to_the_containers() {
    let container =
        |name: &str| json!({"spec": {"containers": [{"name": name, "image": "evil:1"}]}});
    let config = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
        "spec": {"containers": [{"name": "other", "resources": {"limits": {"cpu": "1"}}}]},
    });
    for (media_type, patch) in [
        ("application/merge-patch+json", json!({"spec": {"containers": null}})),
        ("application/merge-patch+json", container("other")),
        ("application/strategic-merge-patch+json", container("other")),
        ("application/json-patch+json", json!([{"op": "remove", "path": "/spec/initContainers"}])),
        ("application/apply-patch+yaml", config),
    ] {
        let server = server();
        let pod = pod_of_containers(&server);
        let mut request =
            request(Method::PATCH, &format!("{PODS}/a/resize?fieldManager=m"), &patch);
        request.headers_mut().insert("content-type", media_type.parse().expect("a media type"));
        let (code, refusal) = whole(server.handle(request, time(0)));
        assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{patch}: {refusal}");
        assert_eq!(get(&server, &format!("{PODS}/a")).1, pod);
    }
}

/// Applies a configuration of a pod to a part of it, with force, as the manager `m`.
fn apply(server: &Server, part: &str, config: &Value) -> (StatusCode, Value) {
    let mut request =
        request(Method::PATCH, &format!("{PODS}/a/{part}?fieldManager=m&force=true"), config);
    request
        .headers_mut()
        .insert("content-type", "application/apply-patch+yaml".parse().expect("a media type"));
    whole(server.handle(request, time(0)))
}

/// The fields that the manager `m` owns.
fn owned(object: &Value) -> Option<&Value> {
    let records = object["metadata"]["managedFields"].as_array().expect("records");
    records.iter().find(|record| record["manager"] == "m").map(|record| &record["fieldsV1"])
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
        (
            "resize",
            json!({"f:spec": {"f:containers": {
                "k:{\"name\":\"main\"}": {"f:resources": {"f:limits": {"f:cpu": {}}}},
            }}}),
        ),
    ] {
        let server = server();
        let pod = owned_pod(&server);
        let mut config = changed(&pod);
        config["metadata"] = json!({
            "name": "a", "labels": {"app": "a"}, "ownerReferences": [{"uid": "2", "name": "b", "kind": "B", "apiVersion": "v1"}],
        });
        let (code, stored) = apply(&server, part, &config);
        assert_eq!(code, StatusCode::OK, "{stored}");
        assert_eq!(owned(&stored), Some(&expected), "{part}");
        assert_eq!(stored["metadata"]["ownerReferences"], pod["metadata"]["ownerReferences"]);
        let version = &stored["metadata"]["resourceVersion"];
        assert_eq!(
            &apply(&server, part, &config).1["metadata"]["resourceVersion"],
            version,
            "{part}"
        );
    }
}

#[test]
fn a_part_without_content_has_no_manager() {
    for part in ["ephemeralcontainers", "resize"] {
        let server = server();
        let pod = owned_pod(&server);
        let config =
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {}});
        let (code, stored) = apply(&server, part, &config);
        // A real server merges, and finds no change of the containers.
        assert_eq!((code, &stored["spec"]), (StatusCode::OK, &pod["spec"]), "{stored}");
        assert_eq!(owned(&stored), None, "{part}: {stored}");
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
    let stored = server.create(&image).expect("an image");
    let mut other = stored.clone();
    other["dockerImageReference"] = json!("b");
    other["dockerImageMetadata"] = json!({"Size": 2});
    other["dockerImageMetadataVersion"] = json!("2.0");
    other["dockerImageLayers"] = json!([]);
    other["dockerImageSignatures"] = json!(["Yg=="]);
    let (code, changed) = send(
        &server,
        Method::PUT,
        "/apis/image.openshift.io/v1/images/sha256:1?fieldManager=m",
        &other,
    );
    assert_eq!((code, &changed["dockerImageReference"]), (StatusCode::OK, &json!("b")));
    let owned = owned(&changed).expect("a record");
    for member in [
        "dockerImageMetadata",
        "dockerImageMetadataVersion",
        "dockerImageLayers",
        "dockerImageSignatures",
    ] {
        assert_eq!(changed[member], stored[member], "{member}");
        // Servers record the fields of a request before they restore the ones that it cannot
        // change.
        let is_removed = other[member].as_array().is_some_and(Vec::is_empty);
        assert_eq!(owned.get(format!("f:{member}")).is_some(), !is_removed, "{member}: {owned}");
    }
}
