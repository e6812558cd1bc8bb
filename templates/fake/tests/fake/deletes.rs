//! Deletes: grace periods, policies, garbage, and terminating namespaces.

use crate::testing::{get, pod, send, server, time, types, watch, within};
use http::{Method, StatusCode};
use serde_json::{Value, json};

const PODS: &str = "/api/v1/namespaces/default/pods";

/// A pod on a node, which has a grace period.
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
        assert_eq!(
            (code, &held["metadata"]["deletionGracePeriodSeconds"]),
            (StatusCode::OK, &json!(seconds))
        );
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
        "/api/v1/namespaces/{name}/finalize": {"put": operation},
        "/api/v1/namespaces/{name}/status": {"put": operation},
    });
    server.add_document(&json!({"paths": paths}));
    server
}

#[test]
fn namespaces_of_the_cluster_are_not_deleted() {
    let server = with_namespaces();
    server.create(&pod("a")).expect("a pod, and its namespace");
    let (code, refusal) = send(&server, Method::DELETE, "/api/v1/namespaces/default", &Value::Null);
    assert_eq!(code, StatusCode::FORBIDDEN);
    assert_eq!(
        refusal["message"],
        "namespaces \"default\" is forbidden: this namespace may not be deleted"
    );
}

#[test]
fn objects_need_a_namespace_that_exists() {
    let server = with_namespaces();
    let create = |namespace: &str| {
        let path = format!("/api/v1/namespaces/{namespace}/pods");
        let mut pod = pod("a");
        pod["metadata"]["namespace"] = json!(namespace);
        send(&server, Method::POST, &path, &pod)
    };
    assert_eq!(create("default").0, StatusCode::CREATED);
    assert_eq!(create("kube-system").0, StatusCode::CREATED);
    let (code, refusal) = create("shop");
    assert_eq!(code, StatusCode::NOT_FOUND);
    assert_eq!(refusal["message"], "namespaces \"shop\" not found");
}

#[test]
fn deletes_that_do_not_orphan_say_that_an_object_waits() {
    let server = server();
    for (orphans, expected) in [("false", StatusCode::ACCEPTED), ("true", StatusCode::OK)] {
        let mut held = pod(&format!("held-{orphans}"));
        held["metadata"]["finalizers"] = json!(["a.b/c"]);
        server.create(&held).expect("a pod");
        let path = format!("{PODS}/held-{orphans}?orphanDependents={orphans}");
        assert_eq!(send(&server, Method::DELETE, &path, &Value::Null).0, expected);
    }
}

#[test]
fn namespaces_end_once_they_are_empty() {
    let server = with_namespaces();
    let mut held = pod("held");
    held["metadata"]["finalizers"] = json!(["a.b/c"]);
    for object in [pod("free"), held] {
        server.create(&within("team", object)).expect("a pod, and its namespace");
    }
    let namespace = "/api/v1/namespaces/team";
    let pods = format!("{namespace}/pods");
    let (code, ending) = send(&server, Method::DELETE, namespace, &Value::Null);
    assert_eq!((code, &ending["status"]["phase"]), (StatusCode::OK, &json!("Terminating")));
    let (code, refusal) = send(&server, Method::POST, &pods, &pod("late"));
    let cause = &refusal["details"]["causes"][0]["reason"];
    assert_eq!((code, cause), (StatusCode::FORBIDDEN, &json!("NamespaceTerminating")));
    server.create(&within("other", pod("elsewhere"))).expect("a pod");
    server.collect_garbage();
    let names = |server: &kapigen_fake::Server| {
        let items = get(server, "/api/v1/pods").1["items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["metadata"]["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&server), ["elsewhere", "held"]);
    let mut held = server.get_json("v1", "Pod", "team", "held").expect("a pod");
    held["metadata"]["finalizers"] = json!([]);
    assert_eq!(send(&server, Method::PUT, &format!("{pods}/held"), &held).0, StatusCode::OK);
    server.collect_garbage();
    assert_eq!(names(&server), ["elsewhere"]);
    assert_eq!(get(&server, namespace).0, StatusCode::NOT_FOUND);
}

/// A pod of another pod.
fn dependent(name: &str, owner: &Value) -> Value {
    let owner = &owner["metadata"];
    let mut dependent = pod(name);
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
    assert_eq!(
        send(&server, Method::DELETE, &format!("{PODS}/owner"), &Value::Null).0,
        StatusCode::OK
    );
    assert!(is_there("dependent"), "nobody collected yet");
    server.collect_garbage();
    assert!(!is_there("dependent"));
}

/// Visiting all objects for each owner would take minutes.
#[test]
fn long_chains_of_owners_are_collected_quickly() {
    let server = server();
    let mut owner = server.create(&pod("pod-0")).expect("a pod");
    let length = 5000;
    for index in 1..length {
        let dependent = dependent(&format!("pod-{index}"), &owner);
        owner = server.create(&dependent).expect("a pod");
    }
    assert_eq!(
        send(&server, Method::DELETE, &format!("{PODS}/pod-0"), &Value::Null).0,
        StatusCode::OK
    );
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
        assert!(
            left.is_none_or(|left| left["metadata"].get("ownerReferences").is_none()),
            "{policy}"
        );
    }
}

#[test]
fn evictions_delete() {
    let server = server();
    server.create(&pod("a")).expect("a pod");
    let eviction =
        json!({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "a"}});
    let (code, status) = send(&server, Method::POST, &format!("{PODS}/a/eviction"), &eviction);
    assert_eq!((code, &status["status"]), (StatusCode::CREATED, &json!("Success")));
    assert!(server.get_json("v1", "Pod", "default", "a").is_none());
}

/// A dependent of an object, of any kind.
fn owned(mut object: Value, owner: &Value, is_blocking: bool) -> Value {
    let reference = json!({
        "apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"], "blockOwnerDeletion": is_blocking,
    });
    let owners = object["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
    object["metadata"]["ownerReferences"] = owners.into_iter().chain([reference]).collect();
    object
}

fn collecting() -> kapigen_fake::Server {
    let server = with_namespaces();
    server.garbage_collection(true);
    server
}

#[test]
fn garbage_is_collected_after_each_write() {
    let server = collecting();
    let is_there = |name| server.get_json("v1", "Pod", "default", name).is_some();
    let create = |object: &Value| server.create(object).expect("an object");
    let a = create(&pod("a"));
    let b = create(&pod("b"));
    create(&owned(pod("of-a"), &a, false));
    create(&owned(owned(pod("of-both"), &a, false), &b, false));
    assert_eq!(send(&server, Method::DELETE, &format!("{PODS}/a"), &Value::Null).0, StatusCode::OK);
    assert!(!is_there("of-a") && is_there("of-both"));
    // References to owners that are gone are removed if another owner is left.
    let left = server.get_json("v1", "Pod", "default", "of-both").expect("a pod");
    let owners: Vec<_> =
        left["metadata"]["ownerReferences"].as_array().expect("owners").iter().collect();
    assert_eq!(owners.iter().map(|owner| &owner["name"]).collect::<Vec<_>>(), ["b"]);
    // An owner that never existed is gone as well, and so is one with another name.
    create(&owned(pod("of-a-again"), &a, false));
    let mut other = owned(pod("of-other"), &b, false);
    other["metadata"]["ownerReferences"][0]["name"] = json!("c");
    create(&other);
    assert!(!is_there("of-a-again") && !is_there("of-other") && is_there("of-both"));
}

#[test]
fn owners_do_not_reach_across_namespaces() {
    let server = collecting();
    let owner = server.create(&within("one", pod("owner"))).expect("a pod");
    server.create(&within("two", owned(pod("dependent"), &owner, false))).expect("a pod");
    assert!(server.get_json("v1", "Pod", "two", "dependent").is_none());
    // An object without a namespace can have owners anywhere, and one of an unknown kind may be
    // anywhere.
    let node = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "three"}});
    server.create(&owned(node, &owner, false)).expect("a namespace");
    let stranger =
        json!({"apiVersion": "nope.io/v1", "kind": "Nope", "metadata": {"name": "a", "uid": "1"}});
    server.create(&within("one", owned(pod("stray"), &stranger, false))).expect("a pod");
    assert!(
        server.get_json("v1", "Namespace", "", "three").is_some()
            && server.get_json("v1", "Pod", "one", "stray").is_some()
    );
}

#[test]
fn owners_in_the_foreground_wait_for_the_dependents_that_block_them() {
    let server = collecting();
    let create = |object: &Value| server.create(object).expect("an object");
    let held = |mut object: Value| {
        object["metadata"]["finalizers"] = json!(["a.b/c"]);
        object
    };
    let owner = create(&pod("owner"));
    let middle = create(&owned(pod("middle"), &owner, true));
    create(&held(owned(pod("leaf"), &middle, true)));
    create(&held(owned(pod("loose"), &owner, false)));
    let path = format!("{PODS}/owner?propagationPolicy=Foreground");
    assert_eq!(send(&server, Method::DELETE, &path, &Value::Null).0, StatusCode::OK);
    let object = |name| server.get_json("v1", "Pod", "default", name);
    for name in ["owner", "middle"] {
        let waiting = object(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(waiting["metadata"]["finalizers"], json!(["foregroundDeletion"]), "{waiting}");
    }
    let mut leaf = object("leaf").expect("a pod");
    assert!(leaf["metadata"]["deletionTimestamp"].is_string());
    leaf["metadata"]["finalizers"] = json!([]);
    assert_eq!(send(&server, Method::PUT, &format!("{PODS}/leaf"), &leaf).0, StatusCode::OK);
    assert_eq!(["owner", "middle", "leaf"].map(|name| object(name).is_some()), [false; 3]);
    assert!(object("loose").is_some(), "it waits for its own finalizer alone");
}

#[test]
fn circles_of_owners_end_in_the_foreground() {
    for length in [2, 3] {
        let server = collecting();
        let mut owner = server.create(&pod("pod-0")).expect("a pod");
        for index in 1..length {
            owner =
                server.create(&owned(pod(&format!("pod-{index}")), &owner, true)).expect("a pod");
        }
        let first = server.get_json("v1", "Pod", "default", "pod-0").expect("a pod");
        let path = format!("{PODS}/pod-0");
        assert_eq!(
            send(&server, Method::PUT, &path, &owned(first, &owner, true)).0,
            StatusCode::OK
        );
        let path = format!("{path}?propagationPolicy=Foreground");
        assert_eq!(send(&server, Method::DELETE, &path, &Value::Null).0, StatusCode::OK);
        assert_eq!(get(&server, PODS).1["items"], json!([]), "{length}");
    }
}

#[test]
fn namespaces_empty_themselves() {
    let server = collecting();
    server.create(&within("full", pod("a"))).expect("a pod");
    let (code, ending) = send(&server, Method::DELETE, "/api/v1/namespaces/full", &Value::Null);
    assert_eq!(
        (code, &ending["status"]["phase"]),
        (StatusCode::OK, &json!("Terminating")),
        "{ending}"
    );
    assert!(ending["metadata"].get("deletionGracePeriodSeconds").is_none(), "{ending}");
    assert!(
        server.get_json("v1", "Namespace", "", "full").is_none()
            && server.get_json("v1", "Pod", "full", "a").is_none()
    );
}

#[test]
fn updates_cannot_state_a_grace_period_or_a_link() {
    let server = server();
    let mut stated = server.create(&pod("a")).expect("a pod");
    stated["metadata"]["selfLink"] = json!("/x");
    let (code, stored) = send(&server, Method::PUT, &format!("{PODS}/a"), &stated);
    assert_eq!((code, stored["metadata"].get("selfLink")), (StatusCode::OK, None));
    assert_eq!(stored["metadata"]["resourceVersion"], stated["metadata"]["resourceVersion"]);
    stated["metadata"]["deletionGracePeriodSeconds"] = json!(5);
    let (code, refusal) = send(&server, Method::PUT, &format!("{PODS}/a"), &stated);
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
    let cause = &refusal["details"]["causes"][0];
    assert_eq!(cause["field"], "metadata.deletionGracePeriodSeconds");
    assert_eq!(cause["message"], "Invalid value: 5: field is immutable");
}

#[test]
fn a_delete_states_preconditions_in_its_query() {
    let server = server();
    let live = server.create(&pod("a")).expect("a pod");
    let [uid, version] =
        ["uid", "resourceVersion"].map(|name| live["metadata"][name].as_str().expect("a string"));
    let delete =
        |query: &str| send(&server, Method::DELETE, &format!("{PODS}{query}"), &Value::Null);
    for query in ["/a?resourceVersion=5", "/a?uid=5", "?resourceVersion=5"] {
        let (code, refusal) = delete(query);
        assert_eq!(
            (code, &refusal["reason"]),
            (StatusCode::CONFLICT, &json!("Conflict")),
            "{query}"
        );
    }
    let (code, refusal) = delete("/a?resourceVersion=5&dryRun=All");
    let why = "the ResourceVersion in the precondition (5) does not match the ResourceVersion in \
               record";
    assert!(code == StatusCode::CONFLICT && refusal["message"].to_string().contains(why));
    assert_eq!(delete(&format!("/a?uid={uid}&resourceVersion={version}")).0, StatusCode::OK);
}

#[test]
fn namespaces_keep_the_label_of_their_name() {
    let server = with_namespaces();
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}});
    server.create(&namespace).expect("a namespace");
    let path = "/api/v1/namespaces/shop";
    for part in ["", "/finalize", "/status"] {
        let mut object = get(&server, path).1;
        object["metadata"]["labels"] = json!({"a": part.len().to_string()});
        let (code, stored) = send(&server, Method::PUT, &format!("{path}{part}"), &object);
        assert_eq!(code, StatusCode::OK, "{part}: {stored}");
        assert_eq!(stored["metadata"]["labels"]["kubernetes.io/metadata.name"], "shop", "{part}");
    }
}
