//! Deletes: grace periods, policies, garbage, and namespaces that end.

use crate::testing::{get, pod, send, server, time, types, watch, within};
use http::{Method, StatusCode};
use serde_json::{Value, json};

const PODS: &str = "/api/v1/namespaces/default/pods";

/// A pod on a node, which needs time for its end.
fn running(name: &str) -> Value {
    let mut pod = pod(name);
    pod["spec"]["nodeName"] = json!("node");
    pod
}

#[test]
fn pods_on_nodes_wait_for_their_grace_period() {
    let server = server();
    for (query, seconds) in [("", 30), ("?gracePeriodSeconds=5", 5)] {
        server.create(&running("a")).expect("a pod");
        let mut events = watch(&server, &format!("resourceVersion={}", server.version()));
        let (code, held) = send(&server, Method::DELETE, &format!("{PODS}/a{query}"), &Value::Null);
        assert_eq!((code, &held["metadata"]["deletionGracePeriodSeconds"]), (StatusCode::OK, &json!(seconds)));
        let end = time(seconds).strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        assert_eq!(held["metadata"]["deletionTimestamp"], end);
        // Its node confirms the end.
        let path = format!("{PODS}/a?gracePeriodSeconds=0");
        assert_eq!(send(&server, Method::DELETE, &path, &Value::Null).0, StatusCode::OK);
        assert!(server.get_json("v1", "Pod", "default", "a").is_none());
        assert_eq!(types(&mut events, time(0)).0.last().map(String::as_str), Some("DELETED"));
    }
}

/// A server with the kind of namespaces.
fn with_namespaces() -> kapigen_fake::Server {
    let server = server();
    let operation = json!({"x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": "Namespace"}});
    let paths = json!({
        "/api/v1/namespaces": {"get": operation, "post": operation},
        "/api/v1/namespaces/{name}": {"get": operation, "put": operation, "delete": operation},
    });
    server.add_document(&json!({"paths": paths}));
    server
}

#[test]
fn namespaces_end_once_they_are_empty() {
    let server = with_namespaces();
    assert_eq!(send(&server, Method::POST, PODS, &pod("early")).0, StatusCode::NOT_FOUND);
    let mut held = pod("held");
    held["metadata"]["finalizers"] = json!(["a.b/c"]);
    for object in [&pod("free"), &held] {
        server.create(object).expect("a pod, and its namespace");
    }
    let namespace = "/api/v1/namespaces/default";
    let (code, ending) = send(&server, Method::DELETE, namespace, &Value::Null);
    assert_eq!((code, &ending["status"]["phase"]), (StatusCode::OK, &json!("Terminating")));
    let (code, refusal) = send(&server, Method::POST, PODS, &pod("late"));
    let cause = &refusal["details"]["causes"][0]["reason"];
    assert_eq!((code, cause), (StatusCode::FORBIDDEN, &json!("NamespaceTerminating")));
    server.create(&within("other", pod("elsewhere"))).expect("a pod");
    server.collect_garbage();
    let names = |server: &kapigen_fake::Server| {
        let items = get(server, "/api/v1/pods").1["items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["metadata"]["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&server), ["held", "elsewhere"]);
    let mut held = server.get_json("v1", "Pod", "default", "held").expect("a pod");
    held["metadata"]["finalizers"] = json!([]);
    assert_eq!(send(&server, Method::PUT, &format!("{PODS}/held"), &held).0, StatusCode::OK);
    server.collect_garbage();
    assert_eq!(names(&server), ["elsewhere"]);
    assert_eq!(get(&server, namespace).0, StatusCode::NOT_FOUND);
}

/// A pod of another pod.
fn dependent(name: &str, owner: &Value) -> Value {
    let (owner, mut dependent) = (&owner["metadata"], pod(name));
    dependent["metadata"]["ownerReferences"] =
        json!([{"apiVersion": "v1", "kind": "Pod", "name": owner["name"], "uid": owner["uid"]}]);
    dependent
}

#[test]
fn garbage_is_collected_on_demand() {
    let server = server();
    let owner = server.create(&pod("owner")).expect("a pod");
    server.create(&dependent("dependent", &owner)).expect("a pod");
    let is_there = |name| server.get_json("v1", "Pod", "default", name).is_some();
    assert_eq!(send(&server, Method::DELETE, &format!("{PODS}/owner"), &Value::Null).0, StatusCode::OK);
    assert!(is_there("dependent"), "nobody collected yet");
    server.collect_garbage();
    assert!(!is_there("dependent"));
}

/// Looking at all objects for each owner would take minutes.
#[test]
fn long_chains_of_owners_are_collected_quickly() {
    let server = server();
    let mut owner = server.create(&pod("pod-0")).expect("a pod");
    let length = 5000;
    for index in 1..length {
        let dependent = dependent(&format!("pod-{index}"), &owner);
        owner = server.create(&dependent).expect("a pod");
    }
    assert_eq!(send(&server, Method::DELETE, &format!("{PODS}/pod-0"), &Value::Null).0, StatusCode::OK);
    server.collect_garbage();
    assert_eq!(get(&server, PODS).1["items"], json!([]));
}

#[test]
fn propagation_policies_hold_until_garbage_is_collected() {
    for (policy, survives) in [("Foreground", false), ("Orphan", true)] {
        let server = server();
        let owner = server.create(&pod("owner")).expect("a pod");
        server.create(&dependent("dependent", &owner)).expect("a pod");
        let path = format!("{PODS}/owner?propagationPolicy={policy}");
        let (_, held) = send(&server, Method::DELETE, &path, &Value::Null);
        assert!(held["metadata"]["deletionTimestamp"].is_string(), "{policy}: {held}");
        server.collect_garbage();
        assert!(server.get_json("v1", "Pod", "default", "owner").is_none(), "{policy}");
        let left = server.get_json("v1", "Pod", "default", "dependent");
        assert_eq!(left.is_some(), survives, "{policy}");
        assert!(left.is_none_or(|left| left["metadata"].get("ownerReferences").is_none()), "{policy}");
    }
}

#[test]
fn evictions_delete() {
    let server = server();
    server.create(&pod("a")).expect("a pod");
    let eviction = json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "a"}});
    let (code, status) = send(&server, Method::POST, &format!("{PODS}/a/eviction"), &eviction);
    assert_eq!((code, &status["status"]), (StatusCode::CREATED, &json!("Success")));
    assert!(server.get_json("v1", "Pod", "default", "a").is_none());
}
