//! Objects that a test puts into the server, beside its clients.

use crate::testing::{PODS, pod, request, send, server, time};
use http::{Method, StatusCode};
use kapigen_fake::{Action, Fault};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
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
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut label = 0;
            while !is_over.load(Ordering::Relaxed) {
                label += 1;
                let patch = json!({"metadata": {"labels": {"label": label.to_string()}}});
                let mut request = request(Method::PATCH, &format!("{PODS}/a"), &patch);
                request.headers_mut().insert("content-type", "application/merge-patch+json".parse().expect("a header"));
                drop(server.handle(request, time(0)));
            }
        });
        for _ in 0..100 {
            let created = server.create("default", &running("a"), time(0));
            let phase = created.map(|pod| pod["status"]["phase"].clone());
            drop(send(&server, Method::DELETE, &format!("{PODS}/a?gracePeriodSeconds=0"), &Value::Null));
            if phase != Ok(json!("Running")) {
                is_over.store(true, Ordering::Relaxed);
            }
            assert_eq!(phase, Ok(json!("Running")));
        }
        is_over.store(true, Ordering::Relaxed);
    });
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
