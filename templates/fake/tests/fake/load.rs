//! Many watchers, and many clients at once.

use crate::testing::{pod, request, send, server, time};
use http::{Method, StatusCode};
use kapigen_fake::{Events, NextEvent, ReplyBody, Server};
use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};

const PODS: &str = "/api/v1/namespaces/default/pods";

/// The versions of all events so far.
fn versions(events: &mut Events) -> Vec<u64> {
    let mut versions = Vec::new();
    while let NextEvent::Event(line) = events.next(time(0)) {
        let event: Value = serde_json::from_slice(&line).expect("an event");
        let version = event["object"]["metadata"]["resourceVersion"].as_str().expect("a version");
        versions.push(version.parse().expect("a number"));
    }
    versions
}

fn watch(server: &Server) -> Events {
    let path = format!("{PODS}?watch=true&resourceVersion={}", server.version());
    let reply = server.handle(request(Method::GET, &path, &Value::Null), time(0));
    let ReplyBody::Stream(events) = reply.response.into_body() else {
        panic!("{path} is not a stream")
    };
    *events
}

#[test]
fn a_hundred_watchers_see_all_changes_in_order() {
    let server = server();
    server.create(&pod("a")).expect("a pod");
    let mut watchers: Vec<_> = (0..100).map(|_| watch(&server)).collect();
    let before = server.version();
    let mut seen = vec![Vec::new(); watchers.len()];
    for change in 0..200 {
        let patch = json!({"metadata": {"annotations": {"change": format!("{change}")}}});
        let mut request = request(Method::PATCH, &format!("{PODS}/a"), &patch);
        request
            .headers_mut()
            .insert("content-type", "application/merge-patch+json".parse().expect("a media type"));
        assert_eq!(server.handle(request, time(0)).response.status(), StatusCode::OK);
        // Some watchers are slow.
        for (index, watcher) in
            watchers.iter_mut().enumerate().filter(|(index, _)| change % (index + 1) == 0)
        {
            seen[index].extend(versions(watcher));
        }
    }
    let all: Vec<_> = (before + 1..=before + 200).collect();
    for (mut watcher, mut seen) in watchers.into_iter().zip(seen) {
        seen.extend(versions(&mut watcher));
        assert_eq!(seen, all);
    }
}

/// Each client reads and writes on a thread of its own, until it has succeeded often enough.
#[test]
fn clients_on_threads_lose_no_update() {
    let server = server();
    let mut counted = pod("a");
    counted["metadata"]["annotations"] = json!({"count": "0"});
    server.create(&counted).expect("a pod");
    let clients = 4;
    let successes = 50;
    let threads: Vec<_> = (0..clients)
        .map(|_| server.clone())
        .map(|server| thread::spawn(move || increment(&server, successes)))
        .collect();
    let mut watcher = watch(&server);
    for thread in threads {
        thread.join().expect("no panic");
    }
    let stored = server.get_json("v1", "Pod", "default", "a").expect("a pod");
    assert_eq!(stored["metadata"]["annotations"]["count"], (clients * successes).to_string());
    let seen = versions(&mut watcher);
    assert!(seen.is_sorted_by(|a, b| a < b) && seen.last() == Some(&server.version()), "{seen:?}");
}

fn increment(server: &Server, successes: usize) {
    let path = format!("{PODS}/a");
    for _ in 0..successes {
        loop {
            let (_, mut read) = send(server, Method::GET, &path, &Value::Null);
            let count = &mut read["metadata"]["annotations"]["count"];
            let next = count.as_str().expect("a string").parse::<u64>().expect("a number") + 1;
            *count = json!(next.to_string());
            match send(server, Method::PUT, &path, &read).0 {
                StatusCode::OK => break,
                StatusCode::CONFLICT => thread::yield_now(),
                other => panic!("{other}"),
            }
        }
    }
}

#[test]
fn a_stream_that_waits_is_woken_by_a_change() {
    let server = server();
    let mut watcher = watch(&server);
    let start = Instant::now();
    let long = Duration::from_secs(60);
    // Changes count from the last poll of the stream, including changes before the wait.
    for (name, delay) in [("a", 0), ("b", 20)] {
        assert!(versions(&mut watcher).is_empty());
        let writer = server.clone();
        let thread = thread::spawn(move || {
            thread::sleep(Duration::from_millis(delay));
            writer.create(&pod(name)).expect("a pod")
        });
        if delay == 0 {
            thread.join().expect("no panic");
            watcher.wait(long);
        } else {
            watcher.wait(long);
            thread.join().expect("no panic");
        }
        assert_eq!(versions(&mut watcher), [server.version()]);
    }
    assert!(start.elapsed() < long, "a wait was not ended by its change");
}
