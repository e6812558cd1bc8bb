//! Objects that a test puts into the server, beside its clients.

use crate::testing::{
    PODS, SetOnDrop, get, pod, request, send, server, time, types, watch, within,
};
use http::{Method, StatusCode};
use kapigen_fake::{Action, Fault, Server};
use openshift_api::coordination_v1::{Lease, LeaseSpec};
use openshift_api::meta_v1::ObjectMeta;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

fn running(name: &str) -> Value {
    let mut pod = pod(name);
    pod["status"] = json!({"phase": "Running"});
    pod
}

#[test]
fn clients_do_not_come_between_an_object_and_its_status() {
    let server = server();
    let is_over = AtomicBool::new(false);
    let changes = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let patch = json!({"metadata": {"labels": {"change": format!("{changes:?}")}}});
                let mut request = request(Method::PATCH, &format!("{PODS}/a"), &patch);
                request.headers_mut().insert(
                    "content-type",
                    "application/merge-patch+json".parse().expect("a header"),
                );
                let is_done = server.handle(request, time(0)).response.status() == StatusCode::OK;
                changes.fetch_add(is_done.into(), Ordering::Relaxed);
            }
        });
        let _end = SetOnDrop(&is_over);
        // The client often finds no pod.
        while changes.load(Ordering::Relaxed) < 100 {
            let created = server.create(&running("a")).expect("no conflict");
            assert_eq!(created["status"]["phase"], "Running");
            thread::yield_now();
            send(&server, Method::DELETE, &format!("{PODS}/a?gracePeriodSeconds=0"), &Value::Null);
        }
    });
}

#[test]
fn an_object_whose_status_is_refused_exists_without_it() {
    let server = server();
    let widgets = json!({"spec": {
        "group": "example.com", "scope": "Cluster", "names": {"plural": "widgets", "kind": "Widget"},
        "versions": [{"name": "v1", "served": true, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": {
            "type": "object",
            "properties": {"status": {"type": "object", "properties": {"size": {"type": "integer"}}}},
        }}}],
    }});
    server.add_definition(&widgets).expect("a definition");
    let widget = json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "status": {"size": "large"},
    });
    assert!(server.create(&widget).expect_err("a refusal").is_invalid());
    let stored = server.get_json("example.com/v1", "Widget", "", "a").expect("an object");
    assert_eq!(stored.get("status"), None);
}

#[test]
fn injected_failures_are_for_clients() {
    let server = server();
    let refuse = || Fault::new(Action::Refuse(StatusCode::SERVICE_UNAVAILABLE, None)).times(1);
    server.inject(refuse().verb("create"));
    server.inject(refuse().verb("update"));
    server.create(&within("elsewhere", running("a"))).expect("no failure");
    assert!(server.requests().is_empty());
    assert_eq!(send(&server, Method::POST, PODS, &pod("b")).0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(
        send(&server, Method::PUT, &format!("{PODS}/a"), &pod("a")).0,
        StatusCode::SERVICE_UNAVAILABLE
    );
    assert_eq!(send(&server, Method::POST, PODS, &pod("b")).0, StatusCode::CREATED);
}

#[test]
fn refusals_are_errors_of_a_client() {
    let server = server();
    server.create(&pod("a")).expect("a pod");
    let again = server.create(&pod("a")).expect_err("a refusal");
    assert!(again.is_already_exists(), "{again}");
    let unknown =
        server.create(&json!({"apiVersion": "v1", "kind": "Pot"})).expect_err("a refusal");
    assert!(unknown.is_not_found(), "{unknown}");
}

#[test]
#[should_panic(expected = "204 No Content does not refuse a request")]
fn codes_of_success_do_not_refuse() {
    drop(Fault::new(Action::Refuse(StatusCode::NO_CONTENT, None)));
}

/// The same objects, without the members that are unique to each.
fn comparable(server: &kapigen_fake::Server, path: &str) -> Vec<Value> {
    let (code, mut list) = get(server, path);
    assert_eq!(code, StatusCode::OK, "{list}");
    let items = list["items"].as_array_mut().expect("items");
    for item in items.iter_mut() {
        let metadata = item["metadata"].as_object_mut().expect("metadata");
        metadata.retain(|name, _| name != "uid" && name != "resourceVersion");
        metadata.sort_keys();
    }
    std::mem::take(items)
}

#[test]
fn seeded_objects_are_those_that_a_create_makes() {
    let seeded = server();
    let created = server();
    let names = json!({"plural": "widgets", "kind": "Widget"});
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {"size": {"type": "integer", "default": 3}}},
        "status": {"type": "object", "properties": {"done": {"type": "boolean"}}},
    }});
    let version = json!({"name": "v1", "served": true, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": schema}});
    let spec =
        json!({"group": "a.io", "scope": "Namespaced", "names": names, "versions": [version]});
    let widget = json!({
        "apiVersion": "a.io/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "other"},
        "spec": {}, "status": {"done": true},
    });
    let mut labelled = running("b");
    labelled["metadata"]["labels"] = json!({"app": "web"});
    labelled["spec"]["unknown"] = json!(1);
    let objects = [running("a"), labelled, pod("c"), widget];
    for server in [&seeded, &created] {
        server.add_definition(&json!({"spec": spec})).expect("a definition");
        server.set_time(time(7));
    }
    seeded.seed(objects.clone()).expect("objects");
    for object in &objects {
        created.create(object).expect("an object");
    }
    for path in ["/api/v1/pods", "/apis/a.io/v1/widgets", "/api/v1/pods?labelSelector=app%3Dweb"] {
        assert_eq!(comparable(&seeded, path), comparable(&created, path), "{path}");
    }
    // Versions are there at once, and each object has an ID.
    let (_, list) = get(&seeded, "/api/v1/pods");
    let ids = |list: &Value, name: &str| {
        let items = list["items"].as_array().expect("items").iter();
        items
            .map(|item| item["metadata"][name].as_str().expect("a string").to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!((ids(&list, "uid").len(), ids(&list, "resourceVersion").len()), (3, 3));
    // They are objects like all others.
    let patch = json!({"metadata": {"labels": {"a": "b"}}});
    let mut patch = request(Method::PATCH, &format!("{PODS}/a"), &patch);
    patch
        .headers_mut()
        .insert("content-type", "application/merge-patch+json".parse().expect("a header"));
    assert_eq!(seeded.handle(patch, time(8)).response.status(), StatusCode::OK);
    // Three lists, another one, and the patch.
    assert_eq!(seeded.requests().len(), 5);
}

#[test]
fn what_a_seeded_object_states_is_kept() {
    let server = server();
    let mut watcher = watch(&server, "watch=true");
    let mut stated = running("a");
    stated["metadata"] = json!({
        "name": "a", "uid": "stated", "creationTimestamp": "2020-01-01T00:00:00Z", "resourceVersion": "7",
        "finalizers": ["a.io/b"], "deletionTimestamp": "2020-01-01T00:00:01Z", "deletionGracePeriodSeconds": 0,
        "managedFields": [{
            "manager": "m", "operation": "Update", "apiVersion": "v1", "time": "2020-01-01T00:00:00Z",
            "fieldsType": "FieldsV1", "fieldsV1": {"f:status": {"f:phase": {}}},
        }],
    });
    server.seed([stated.clone()]).expect("a pod");
    let stored = server.get_json("v1", "Pod", "default", "a").expect("a pod");
    let mut expected = stated["metadata"].clone();
    expected["namespace"] = json!("default");
    expected["generation"] = json!(1);
    expected["resourceVersion"] = json!(server.version().to_string());
    assert_eq!(stored["metadata"], expected);
    assert_eq!(types(&mut watcher, time(0)).0, ["ADDED"]);
    // It is terminating, and refuses new finalizers.
    let patch = json!({"metadata": {"finalizers": null}});
    let mut patch = request(Method::PATCH, &format!("{PODS}/a"), &patch);
    patch
        .headers_mut()
        .insert("content-type", "application/merge-patch+json".parse().expect("a header"));
    assert_eq!(server.handle(patch, time(0)).response.status(), StatusCode::OK);
    assert_eq!(server.get_json("v1", "Pod", "default", "a"), None);
}

#[test]
fn of_objects_of_which_one_is_refused_none_is_seeded() {
    let server = server();
    server.create(&pod("there")).expect("a pod");
    let mut labelled = pod("b");
    labelled["metadata"]["labels"] = json!({"-": "x"});
    let unknown = json!({"apiVersion": "v1", "kind": "Nothing", "metadata": {"name": "x"}});
    for (last, what) in [
        (pod("a"), "pods \"a\" already exists"),
        (pod("there"), "pods \"there\" already exists"),
        (pod("A"), "Pod \"A\" is invalid: metadata.name"),
        (labelled, "Pod \"b\" is invalid: metadata.labels"),
        (unknown, "the server has no kind `Nothing` of `v1`"),
        (json!("a"), "an object needs `apiVersion` and `kind`"),
    ] {
        let before = server.version();
        let error = server.seed([pod("a"), last]).expect_err("a refusal").to_string();
        assert!(error.contains(what), "{error}");
        assert_eq!(
            (server.version(), server.get_json("v1", "Pod", "default", "a")),
            (before, None),
            "{what}"
        );
    }
}

#[test]
fn types_are_stored_as_json_is() {
    let server = server();
    let metadata = ObjectMeta {
        name: Some("leader".to_owned()),
        namespace: Some("kube".to_owned()),
        ..<_>::default()
    };
    let spec = LeaseSpec { holder_identity: Some("a".to_owned()), ..<_>::default() };
    let lease = Lease { metadata, spec: Some(spec.into()), ..Lease::default() };
    let created = server.create(&lease).expect("a lease");
    assert!(created.metadata.uid.is_some() && created.spec == lease.spec);
    assert_eq!(server.get::<Lease>("kube", "leader"), Some(created.clone()));
    assert_eq!(server.get::<Lease>("default", "leader"), None);
    let json =
        server.get_json("coordination.k8s.io/v1", "Lease", "kube", "leader").expect("a lease");
    assert_eq!(json, serde_json::to_value(&created).expect("JSON"));
}

#[test]
fn snapshots_are_seeds_of_servers() {
    let first = server();
    first.create(&pod("a")).expect("a pod");
    let seed = first.snapshot();
    let one = seed.server();
    let other = seed.server();
    for server in [&one, &other] {
        let created = server.create(&pod("b")).expect("a pod");
        assert_eq!(created["metadata"]["uid"], "00000000-0000-4000-8000-000000000002");
    }
    send(&one, Method::DELETE, &format!("{PODS}/a?gracePeriodSeconds=0"), &Value::Null);
    let names = |server: &Server| {
        let (_, list) = get(server, PODS);
        list["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|pod| pod["metadata"]["name"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!([&first, &one, &other].map(names), [vec!["a"], vec!["b"], vec!["a", "b"]]);
    // As after a restored backup, streams end.
    let mut events = watch(&one, "");
    one.restore(&seed);
    assert_eq!(types(&mut events, time(0)), (Vec::new(), true));
    assert_eq!(
        (names(&one), one.version(), one.now()),
        (vec![json!("a")], first.version(), time(0))
    );
}

#[test]
fn the_clock_stands_where_a_test_sets_it() {
    let server = server();
    server.set_time(time(5));
    let created = |name: &str| {
        server.create(&pod(name)).expect("a pod")["metadata"]["creationTimestamp"].clone()
    };
    assert_eq!(created("a"), "2023-11-14T22:13:25Z");
    server.advance(std::time::Duration::from_secs(60));
    assert_eq!((created("b"), server.now()), (json!("2023-11-14T22:14:25Z"), time(65)));
}

#[test]
fn requests_need_the_token_that_a_test_requires() {
    let server = server();
    server.require_token("secret");
    let (code, status) = get(&server, PODS);
    assert_eq!(
        (code, &status["reason"], &status["message"]),
        (StatusCode::UNAUTHORIZED, &json!("Unauthorized"), &json!("Unauthorized"))
    );
    for (value, code) in [
        ("Bearer secret", StatusCode::OK),
        ("bearer secret", StatusCode::OK),
        ("Bearer other", StatusCode::UNAUTHORIZED),
        ("secret", StatusCode::UNAUTHORIZED),
    ] {
        let mut request = request(Method::GET, PODS, &Value::Null);
        request.headers_mut().insert("authorization", value.parse().expect("a header"));
        assert_eq!(server.handle(request, time(0)).response.status(), code, "{value}");
    }
    server.create(&pod("a")).expect("no request");
}
