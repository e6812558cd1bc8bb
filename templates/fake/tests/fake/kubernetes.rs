//! The kinds of Kubernetes that the crate contains.

use crate::testing::{get, send, time};
use http::{Method, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};
use test_support::places;

#[test]
fn the_documents_are_the_published_ones() {
    let server = Server::kubernetes();
    server.set_time(time(0));
    let (_, index) = get(&server, "/openapi/v3");
    let folder = places::data("kubernetes-1.36");
    let mut expected = Vec::new();
    for file in places::files(&folder, &["json"]) {
        let path = places::relative(&file, &folder);
        let path = path.strip_suffix(".json").expect("a document").to_owned();
        let (code, document) = get(&server, &format!("/openapi/v3/{path}"));
        let published: Value = serde_json::from_str(&places::text(&file)).expect("JSON");
        assert!(code == StatusCode::OK && document == published, "{path}: {code}");
        expected.push(path);
    }
    let index = index["paths"].as_object().expect("paths");
    let mut listed: Vec<_> = index.keys().filter(|path| path.contains("/v")).cloned().collect();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
}

#[test]
fn objects_of_all_groups_can_be_created() {
    let server = Server::kubernetes();
    for (api_version, kind) in [
        ("v1", "ConfigMap"),
        ("apps/v1", "Deployment"),
        ("batch/v1", "CronJob"),
        ("networking.k8s.io/v1", "Ingress"),
        ("rbac.authorization.k8s.io/v1", "ClusterRole"),
        ("storage.k8s.io/v1", "StorageClass"),
    ] {
        let object =
            serde_json::json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}});
        let created = server.create(&object).expect("an object");
        assert_eq!(created["kind"], kind);
    }
}

#[test]
fn the_version_is_the_one_of_the_kinds() {
    for (server, version) in [(Server::kubernetes(), "v1.36.0"), (Server::default(), "v1.34.0")] {
        assert_eq!(get(&server, "/version").1["gitVersion"], version);
    }
}

/// Events are one set of objects in two groups, in which some members have other names.
#[test]
fn events_of_both_groups_are_the_same() {
    let server = Server::kubernetes();
    let namespace =
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}});
    server.create(&namespace).expect("a namespace");
    let [own, other] = ["/api/v1", "/apis/events.k8s.io/v1"]
        .map(|group| format!("{group}/namespaces/default/events"));
    let pod = |name: &str| json!({"kind": "Pod", "namespace": "default", "name": name});
    let event = |name: &str| json!({"kind": "Event", "metadata": {"name": name}, "reason": "Odd"});
    let mut first = event("a");
    first["involvedObject"] = pod("x");
    first["message"] = json!("one");
    first["source"] = json!({"component": "me"});
    first["count"] = json!(2);
    let (code, body) = send(&server, Method::POST, &own, &first);
    assert_eq!(code, StatusCode::CREATED, "{body}");
    let mut second = event("b");
    second["regarding"] = pod("y");
    second["note"] = json!("two");
    second["eventTime"] = json!("2026-01-01T00:00:00.000000Z");
    second["reportingController"] = json!("a.io/me");
    second["reportingInstance"] = json!("me-0");
    second["action"] = json!("Look");
    second["type"] = json!("Normal");
    let (code, created) = send(&server, Method::POST, &other, &second);
    assert_eq!((code, &created["note"]), (StatusCode::CREATED, &json!("two")), "{created}");
    assert_eq!(created["apiVersion"], "events.k8s.io/v1");

    let read = get(&server, &format!("{other}/a")).1;
    assert_eq!([&read["note"], &read["regarding"]["name"]], [&json!("one"), &json!("x")]);
    assert_eq!(read["deprecatedSource"], json!({"component": "me"}));
    assert!(read["deprecatedCount"] == 2 && read.get("message").is_none(), "{read}");
    let read = get(&server, &format!("{own}/b")).1;
    assert_eq!([&read["message"], &read["involvedObject"]["name"]], [&json!("two"), &json!("y")]);
    assert_eq!([&read["reportingComponent"], &read["source"]], [&json!("a.io/me"), &json!({})]);

    let names = |path: String| -> Vec<String> {
        let items = get(&server, &path).1["items"].as_array().cloned().unwrap_or_default();
        let name = |item: &Value| item["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        items.iter().map(name).collect()
    };
    assert_eq!([names(own.clone()), names(other.clone())], [["a", "b"], ["a", "b"]]);
    assert_eq!(names(format!("{own}?fieldSelector=involvedObject.name=y")), ["b"]);
    assert_eq!(names(format!("{other}?fieldSelector=regarding.name=x")), ["a"]);
    let mut read = get(&server, &format!("{own}/a")).1;
    read["message"] = json!("three");
    let (code, replaced) = send(&server, Method::PUT, &format!("{own}/a"), &read);
    assert_eq!((code, &replaced["message"]), (StatusCode::OK, &json!("three")), "{replaced}");
    assert_eq!(get(&server, &format!("{other}/a")).1["note"], "three");
    assert_eq!(send(&server, Method::DELETE, &format!("{own}/b"), &Value::Null).0, StatusCode::OK);
    assert_eq!(names(other), ["a"]);
}
