//! Objects that a test puts into the server, beside its clients.

use crate::testing::{PODS, SetOnDrop, pod, request, send, server, time};
use http::{Method, StatusCode};
use kapigen_fake::{Action, Fault};
use serde_json::{Value, json};
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
    let (is_over, changes) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let patch = json!({"metadata": {"labels": {"change": format!("{changes:?}")}}});
                let mut request = request(Method::PATCH, &format!("{PODS}/a"), &patch);
                request.headers_mut().insert("content-type", "application/merge-patch+json".parse().expect("a header"));
                let is_done = server.handle(request, time(0)).response.status() == StatusCode::OK;
                changes.fetch_add(is_done.into(), Ordering::Relaxed);
            }
        });
        let _end = SetOnDrop(&is_over);
        // The client often finds no pod.
        while changes.load(Ordering::Relaxed) < 100 {
            let created = server.create("default", &running("a"), time(0)).expect("no conflict");
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
    assert!(server.create("", &widget, time(0)).expect_err("a refusal").is_invalid());
    let stored = server.get("example.com/v1", "Widget", "", "a").expect("an object");
    assert_eq!(stored.get("status"), None);
}

#[test]
fn injected_failures_are_for_clients() {
    let server = server();
    let refuse = || Fault::new(Action::Refuse(StatusCode::SERVICE_UNAVAILABLE, None)).times(1);
    server.inject(refuse().verb("create"));
    server.inject(refuse().verb("update"));
    server.create("elsewhere", &running("a"), time(0)).expect("no failure");
    assert!(server.requests().is_empty());
    assert_eq!(send(&server, Method::POST, PODS, &pod("b")).0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(send(&server, Method::PUT, &format!("{PODS}/a"), &pod("a")).0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(send(&server, Method::POST, PODS, &pod("b")).0, StatusCode::CREATED);
}

#[test]
fn refusals_are_errors_of_a_client() {
    let server = server();
    server.create("default", &pod("a"), time(0)).expect("a pod");
    let again = server.create("default", &pod("a"), time(0)).expect_err("a refusal");
    assert!(again.is_already_exists(), "{again}");
    let unknown =
        server.create("default", &json!({"apiVersion": "v1", "kind": "Pot"}), time(0)).expect_err("a refusal");
    assert!(unknown.is_not_found(), "{unknown}");
}

#[test]
#[should_panic(expected = "204 No Content does not refuse a request")]
fn codes_of_success_do_not_refuse() {
    drop(Fault::new(Action::Refuse(StatusCode::NO_CONTENT, None)));
}
