//! Logs: parts of them, and following them.

use crate::testing::{pod, request, send, server, time};
use http::{Method, StatusCode};
use kapigen_fake::{Events, NextEvent, ReplyBody, Server};
use serde_json::{Value, json};

const LOG: &str = "/api/v1/namespaces/default/pods/a/log";

/// A pod with four lines of log, ten seconds apart.
fn logging() -> Server {
    let server = server();
    server.create(&pod("a")).expect("a pod");
    for index in 0..4 {
        server.append_log("default", "a", "main", format!("line {index}\n"), time(index * 10));
    }
    server
}

fn log(server: &Server, query: &str, second: i64) -> String {
    let reply =
        server.handle(request(Method::GET, &format!("{LOG}?{query}"), &Value::Null), time(second));
    assert_eq!(reply.response.headers()["content-type"], "text/plain");
    let ReplyBody::Whole(body) = reply.response.into_body() else { panic!("{query} is a stream") };
    String::from_utf8(body.into()).expect("UTF-8")
}

#[test]
fn parts_of_a_log_can_be_read() {
    let server = logging();
    let at = |second: i64| time(second).to_string();
    for (query, lines) in [
        (String::new(), "line 0\nline 1\nline 2\nline 3\n"),
        ("tailLines=2".to_owned(), "line 2\nline 3\n"),
        ("tailLines=0".to_owned(), ""),
        ("sinceSeconds=15".to_owned(), "line 2\nline 3\n"),
        (format!("sinceTime={}", at(20)), "line 2\nline 3\n"),
        (format!("sinceTime={}", at(21)), "line 3\n"),
        (format!("sinceTime={}&tailLines=3", at(0)), "line 1\nline 2\nline 3\n"),
        ("limitBytes=9".to_owned(), "line 0\nli"),
        ("tailLines=1&limitBytes=4".to_owned(), "line"),
        ("container=main&stream=All&previous=false".to_owned(), "line 0\nline 1\nline 2\nline 3\n"),
    ] {
        assert_eq!(log(&server, &query, 30), lines, "{query}");
    }
}

#[test]
fn lines_begin_with_their_times_on_demand() {
    let server = logging();
    let lines = log(&server, "timestamps=true&tailLines=1", 30);
    assert_eq!(lines, "2023-11-14T22:13:50.000000000Z line 3\n");
    // The times count for the limit, too.
    assert_eq!(log(&server, "timestamps=true&tailLines=1&limitBytes=12", 30), "2023-11-14T2");
}

#[test]
fn options_are_checked() {
    let server = logging();
    for (query, code, message) in [
        ("tailLines=-1", 422, "tailLines: Invalid value: -1: must be greater than or equal to 0"),
        ("limitBytes=0", 422, "limitBytes: Invalid value: 0: must be greater than 0"),
        ("sinceSeconds=0", 422, "sinceSeconds: Invalid value: 0: must be greater than 0"),
        (
            "sinceSeconds=1&sinceTime=2024-01-01T00:00:00Z",
            422,
            "at most one of `sinceTime` or `sinceSeconds`",
        ),
        ("sinceTime=yesterday", 400, "parsing time \"yesterday\""),
        ("tailLines=x", 400, "invalid syntax"),
        ("previous=true", 400, "previous terminated container \"main\" in pod \"a\" not found"),
        ("container=side", 400, "container side is not valid for pod a"),
    ] {
        let (found, status) = send(&server, Method::GET, &format!("{LOG}?{query}"), &Value::Null);
        let text = status["message"].as_str().unwrap_or_default();
        assert_eq!(found.as_u16(), code, "{query}: {text}");
        assert!(text.contains(message), "{query}: {text}");
    }
    assert_eq!(
        send(&server, Method::GET, &LOG.replace("/a/", "/b/"), &Value::Null).0,
        StatusCode::NOT_FOUND
    );
}

#[test]
fn pods_with_several_containers_need_a_name() {
    let server = server();
    let mut several = pod("a");
    several["spec"]["containers"] = json!([{"name": "one"}, {"name": "two"}]);
    several["spec"]["initContainers"] = json!([{"name": "before"}]);
    server.create(&several).expect("a pod");
    server.set_log("default", "a", "before", "ready\n");
    let (code, status) = send(&server, Method::GET, LOG, &Value::Null);
    assert_eq!(code, StatusCode::BAD_REQUEST);
    let names = "choose one of: [one two] or one of the init containers: [before]";
    assert_eq!(status["message"], format!("a container name must be specified for pod a, {names}"));
    assert_eq!(log(&server, "container=before", 0), "ready\n");
}

fn follow(server: &Server, query: &str) -> Events {
    let reply = server.handle(
        request(Method::GET, &format!("{LOG}?follow=true&{query}"), &Value::Null),
        time(30),
    );
    let ReplyBody::Stream(events) = reply.response.into_body() else {
        panic!("{query} is not a stream")
    };
    *events
}

/// The lines so far, and whether the stream is over.
fn lines(events: &mut Events) -> (String, bool) {
    let mut lines = String::new();
    loop {
        match events.next(time(30)) {
            NextEvent::Event(line) => lines += std::str::from_utf8(&line).expect("UTF-8"),
            NextEvent::Wait(_) => return (lines, false),
            NextEvent::End => return (lines, true),
        }
    }
}

#[test]
fn followed_logs_go_on_until_the_pod_ends() {
    let server = logging();
    let mut events = follow(&server, "tailLines=1");
    assert_eq!(lines(&mut events), ("line 3\n".to_owned(), false));
    server.append_log("default", "a", "main", "more\nand more\n", time(40));
    server.append_log("default", "a", "other", "not this\n", time(40));
    assert_eq!(lines(&mut events), ("more\nand more\n".to_owned(), false));
    server.set_log("default", "a", "main", "new\n");
    assert_eq!(lines(&mut events), ("new\n".to_owned(), false));
    let status = json!({"status": {"phase": "Succeeded"}});
    let mut patch = request(Method::PATCH, "/api/v1/namespaces/default/pods/a/status", &status);
    patch
        .headers_mut()
        .insert("content-type", "application/merge-patch+json".parse().expect("a media type"));
    assert_eq!(server.handle(patch, time(41)).response.status(), StatusCode::OK);
    assert_eq!(lines(&mut events), (String::new(), true));
    // One that ended is read to its end.
    assert_eq!(lines(&mut follow(&server, "")), ("new\n".to_owned(), true));
}

#[test]
fn followed_logs_end_with_their_limit_their_pod_or_a_cut() {
    let server = logging();
    assert_eq!(lines(&mut follow(&server, "limitBytes=3")), ("lin".to_owned(), true));
    let mut cut = follow(&server, "tailLines=0");
    assert_eq!(lines(&mut cut), (String::new(), false));
    server.cut_streams();
    assert_eq!(lines(&mut cut), (String::new(), true));
    let mut events = follow(&server, "tailLines=0");
    assert_eq!(
        send(&server, Method::DELETE, "/api/v1/namespaces/default/pods/a", &Value::Null).0,
        StatusCode::OK
    );
    assert_eq!(lines(&mut events), (String::new(), true));
}
