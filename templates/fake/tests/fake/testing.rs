//! Failures, compaction and logs, as tests ask for them.

use http::{Method, Request, StatusCode};
use kapigen_fake::{Action, Events, Fault, NextEvent, Reply, ReplyBody, Server};
use openshift_api::jiff::Timestamp;
use serde_json::{Value, json};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(crate) const PODS: &str = "/api/v1/namespaces/default/pods";

/// The documents that openshift-api has by default. Packages that are tested with this one enable
/// more, and where the kind of namespaces is known, namespaces must exist.
pub(crate) fn documents() -> &'static [(&'static str, &'static str)] {
    const PATHS: [&str; 3] =
        ["api/v1", "apis/coordination.k8s.io/v1", "apis/image.openshift.io/v1"];
    static DOCUMENTS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
        let mut documents: Vec<_> = openshift_api::DOCUMENTS.to_vec();
        documents.retain(|(path, _)| PATHS.contains(path));
        // The document of a module stands before the ones of its resources with features.
        documents.dedup_by_key(|(path, _)| *path);
        documents
    });
    &DOCUMENTS
}

pub(crate) fn server() -> Server {
    let server = Server::new(&[documents()]);
    server.set_time(time(0));
    server
}

/// An object in a namespace.
pub(crate) fn within(namespace: &str, mut object: Value) -> Value {
    object["metadata"]["namespace"] = namespace.into();
    object
}

pub(crate) fn time(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).expect("a time")
}

pub(crate) fn pod(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [{"name": "main", "image": "i"}]}})
}

pub(crate) fn request(method: Method, path: &str, body: &Value) -> Request<Vec<u8>> {
    let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
    Request::builder().method(method).uri(path).body(body).expect("a request")
}

pub(crate) fn send(
    server: &Server,
    method: Method,
    path: &str,
    body: &Value,
) -> (StatusCode, Value) {
    whole(server.handle(request(method, path, body), time(0)))
}

/// The status code and the body of a response that is not a stream.
pub(crate) fn whole(reply: Reply) -> (StatusCode, Value) {
    let (head, body) = reply.response.into_parts();
    let ReplyBody::Whole(body) = body else { panic!("a stream") };
    (
        head.status,
        serde_json::from_slice(&body).unwrap_or_else(|_| json!(String::from_utf8_lossy(&body))),
    )
}

pub(crate) fn get(server: &Server, path: &str) -> (StatusCode, Value) {
    send(server, Method::GET, path, &Value::Null)
}

pub(crate) fn watch(server: &Server, query: &str) -> Events {
    let path = format!("{PODS}?watch=true&{query}");
    let reply = server.handle(request(Method::GET, &path, &Value::Null), time(0));
    let ReplyBody::Stream(events) = reply.response.into_body() else {
        panic!("{path} is not a stream")
    };
    *events
}

/// The types of the events so far, and whether the stream is over.
pub(crate) fn types(events: &mut Events, now: Timestamp) -> (Vec<String>, bool) {
    let mut types = Vec::new();
    loop {
        match events.next(now) {
            NextEvent::Event(line) => {
                let event: Value = serde_json::from_slice(&line).expect("an event");
                types.push(event["type"].as_str().expect("a type").to_owned());
            }
            NextEvent::Wait(_) => return (types, false),
            NextEvent::End => return (types, true),
        }
    }
}

/// Sets a flag at the end of a scope, also where a panic ends it.
pub(crate) struct SetOnDrop<'a>(pub(crate) &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn failures_are_injected_by_verb_resource_and_count() {
    let server = server();
    let refuse = Action::Refuse(StatusCode::TOO_MANY_REQUESTS, Some(7));
    server.inject(Fault::new(refuse).verb("list").resource("pods").times(2));
    assert_eq!(get(&server, "/api/v1/namespaces/default/endpoints").0, StatusCode::OK);
    assert_eq!(get(&server, &format!("{PODS}/a")).0, StatusCode::NOT_FOUND);
    let reply = server.handle(request(Method::GET, PODS, &Value::Null), time(0));
    assert_eq!(reply.response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(reply.response.headers()["retry-after"], "7");
    assert_eq!(get(&server, PODS).1["reason"], "TooManyRequests");
    assert_eq!(get(&server, PODS).0, StatusCode::OK);
    assert_eq!(server.requests().len(), 5);
}

#[test]
fn failures_are_injected_by_object_order_and_request() {
    let server = server();
    for name in ["a", "b"] {
        server.create(&pod(name)).expect("a pod");
    }
    let code = |path: &str| get(&server, path).0;
    let conflict = Fault::new(Action::Refuse(StatusCode::CONFLICT, None));
    server.inject(conflict.clone().name("default", "a").after(1).times(1));
    let a = format!("{PODS}/a");
    assert_eq!([(); 3].map(|()| code(&a)), [StatusCode::OK, StatusCode::CONFLICT, StatusCode::OK]);
    assert_eq!(code(&format!("{PODS}/b")), StatusCode::OK);
    server.inject(conflict.when(|request| request.uri().query() == Some("limit=1")));
    assert_eq!(
        [code(PODS), code(&format!("{PODS}?limit=1"))],
        [StatusCode::OK, StatusCode::CONFLICT]
    );
}

#[test]
fn slow_bodies_are_for_the_carrier_to_send() {
    let server = server();
    server.inject(Fault::new(Action::Trickle(Duration::from_secs(3))).times(1));
    let reply = server.handle(request(Method::GET, PODS, &Value::Null), time(0));
    assert_eq!((reply.pause, reply.delay), (Duration::from_secs(3), Duration::ZERO));
}

#[test]
fn latency_is_for_the_carrier_to_wait() {
    let server = server();
    server.inject(Fault::new(Action::Delay(Duration::from_secs(3))).times(1));
    assert_eq!(
        server.handle(request(Method::GET, PODS, &Value::Null), time(0)).delay,
        Duration::from_secs(3)
    );
    assert_eq!(
        server.handle(request(Method::GET, PODS, &Value::Null), time(0)).delay,
        Duration::ZERO
    );
}

#[test]
fn refusals_are_delayed_too() {
    let server = server();
    server.inject(Fault::new(Action::Delay(Duration::from_secs(3))));
    server.inject(Fault::new(Action::Refuse(StatusCode::TOO_MANY_REQUESTS, None)));
    server.inject(Fault::new(Action::Refuse(StatusCode::NOT_FOUND, None)));
    server.inject(Fault::new(Action::Delay(Duration::from_secs(1))));
    let reply = server.handle(request(Method::GET, PODS, &Value::Null), time(0));
    assert_eq!(
        (reply.response.status(), reply.delay),
        (StatusCode::TOO_MANY_REQUESTS, Duration::from_secs(4))
    );
}

#[test]
fn streams_are_cut() {
    let server = server();
    for name in ["a", "b", "c"] {
        server.create(&pod(name)).expect("a pod");
    }
    server.inject(Fault::new(Action::CutAfter(2)).verb("watch").times(1));
    assert_eq!(types(&mut watch(&server, ""), time(0)), (vec!["ADDED".to_owned(); 2], true));
    let mut events = watch(&server, "");
    assert_eq!(types(&mut events, time(0)), (vec!["ADDED".to_owned(); 3], false));
    server.cut_streams();
    assert_eq!(types(&mut events, time(0)), (Vec::new(), true));
}

#[test]
fn versions_are_forgotten_before_a_request() {
    let server = server();
    let version = server.version();
    server.create(&pod("a")).expect("a pod");
    server.inject(Fault::new(Action::Compact).verb("watch").times(1));
    let mut late = watch(&server, &format!("resourceVersion={version}"));
    assert_eq!(types(&mut late, time(0)), (vec!["ERROR".to_owned()], true));
    assert_eq!(types(&mut watch(&server, ""), time(0)), (vec!["ADDED".to_owned()], false));
}

#[test]
fn all_requests_are_seen_as_they_came() {
    let server = server();
    let create = request(Method::POST, PODS, &pod("a"));
    let _ = server.handle(create.clone(), time(0));
    server.create(&pod("b")).expect("a pod");
    let _ = get(&server, "/nothing?a=%20");
    let seen: Vec<_> =
        server.requests().into_iter().map(|request| (request.uri().to_string(), request)).collect();
    assert_eq!(
        seen.iter().map(|(uri, _)| uri.as_str()).collect::<Vec<_>>(),
        [PODS, "/nothing?a=%20"]
    );
    assert_eq!((seen[0].1.method(), &seen[0].1.body()[..]), (&Method::POST, &create.body()[..]));
}

#[test]
fn dry_runs_change_nothing() {
    let server = server();
    let stored = server.create(&pod("a")).expect("a pod");
    let version = server.version();
    let path = format!("{PODS}/a?dryRun=All");
    let mut changed = stored.clone();
    changed["metadata"]["labels"] = json!({"a": "b"});
    let (code, created) = send(&server, Method::POST, &format!("{PODS}?dryRun=All"), &pod("b"));
    assert_eq!((code, &created["metadata"]["name"]), (StatusCode::CREATED, &json!("b")));
    assert!(created["metadata"].get("resourceVersion").is_none(), "{created}");
    let (code, replaced) = send(&server, Method::PUT, &path, &changed);
    assert_eq!((code, &replaced["metadata"]["labels"]), (StatusCode::OK, &json!({"a": "b"})));
    for method in [Method::PATCH, Method::DELETE] {
        let mut request = request(method, &path, &json!({"metadata": {"labels": {"a": "b"}}}));
        if request.method() == Method::DELETE {
            request.body_mut().clear();
        }
        request
            .headers_mut()
            .insert("content-type", "application/merge-patch+json".parse().expect("a media type"));
        assert_eq!(whole(server.handle(request, time(0))).0, StatusCode::OK);
    }
    assert_eq!(
        (server.version(), server.get_json("v1", "Pod", "default", "a")),
        (version, Some(stored))
    );
}

#[test]
fn forgotten_versions_are_gone() {
    let server = server();
    let first = server.create(&pod("a")).expect("a pod");
    let version = first["metadata"]["resourceVersion"].as_str().expect("a version").to_owned();
    server.create(&pod("b")).expect("a pod");
    let exactly = format!("{PODS}?resourceVersion={version}&resourceVersionMatch=Exact");
    assert_eq!(get(&server, &exactly).1["items"].as_array().map(Vec::len), Some(1));
    let mut open = watch(&server, &format!("resourceVersion={version}"));
    server.compact();
    assert_eq!(get(&server, &exactly).0, StatusCode::GONE);
    let mut late = watch(&server, &format!("resourceVersion={version}"));
    assert_eq!(types(&mut late, time(0)), (vec!["ERROR".to_owned()], true));
    assert_eq!(types(&mut open, time(0)), (vec!["ERROR".to_owned()], true));
}

#[test]
fn watches_end_in_time() {
    let server = server();
    let mut events = watch(&server, "timeoutSeconds=10&allowWatchBookmarks=true");
    assert_eq!(events.next(time(0)), NextEvent::Wait(time(8)));
    // A server checks for due bookmarks each second, and sends the last one twice.
    for second in [8, 9] {
        assert_eq!(types(&mut events, time(second)), (vec!["BOOKMARK".to_owned()], false));
    }
    assert_eq!(events.next(time(9)), NextEvent::Wait(time(10)));
    assert_eq!(types(&mut events, time(10)), (Vec::new(), true));
}

#[test]
fn a_test_waits_for_a_state() {
    let server = server();
    assert!(!server.wait_until(Duration::from_millis(20), |server| server.version() > 100));
    let other = server.clone();
    let thread = std::thread::spawn(move || other.create(&pod("a")));
    let is_there = |server: &Server| server.get_json("v1", "Pod", "default", "a").is_some();
    assert!(server.wait_until(Duration::from_secs(60), is_there));
    thread.join().expect("no panic").expect("a pod");
}

#[test]
fn owners_are_the_same_whatever_the_order_of_their_members() {
    let text = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","ownerReferences":[
        {"apiVersion":"v1","kind":"Pod","name":"o","uid":"1"},{"uid":"1","name":"o","kind":"Pod","apiVersion":"v1"}]},
        "spec":{"containers":[{"name":"main","image":"i"}]}}"#;
    let body: Value = serde_json::from_str(text).expect("JSON");
    let (code, created) = send(&server(), Method::POST, PODS, &body);
    assert_eq!(code, StatusCode::CREATED, "{created}");
    assert_eq!(created["metadata"]["ownerReferences"].as_array().map(Vec::len), Some(1));
}
