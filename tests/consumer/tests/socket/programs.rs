//! The examples, run as their users run them.

use crate::recorded_json;
use crate::server::{Server, json, stream, text, with};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(program: impl AsRef<Path>, arguments: &[&str]) -> Output {
    let program = program.as_ref();
    // The server is on this machine, whatever proxy the environment names.
    let mut command = Command::new(program);
    let output = command.args(arguments).env("NO_PROXY", "127.0.0.1").output();
    output.unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}

/// Cargo builds examples for `cargo test` beside the folder where the tests are.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent()
        .unwrap()
        .parent()
        .unwrap()
        .join("examples")
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION)
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8(bytes.to_vec()).unwrap().lines().map(str::to_owned).collect()
}

fn pod(name: &str, phase: &str, version: &str) -> Value {
    json!({"metadata": {"name": name, "resourceVersion": version}, "status": {"phase": phase}})
}

fn page(items: &[Value], version: &str, token: &str) -> Value {
    let metadata = json!({"resourceVersion": version, "continue": token});
    json!({"kind": "PodList", "apiVersion": "v1", "metadata": metadata, "items": items})
}

#[test]
fn the_example_lists_pods() {
    let server = Server::start();
    server.will(json(
        200,
        &page(&[pod("web-0", "Running", "1"), pod("web-1", "Pending", "2")], "7", "more"),
    ));
    server.will(json(200, &page(&[json!({"metadata": {"name": "web-2"}})], "7", "")));
    let output = run(example("list_pods"), &[&server.url]);
    assert_eq!(lines(&output.stdout), ["web-0 Running", "web-1 Pending", "web-2 Unknown"]);
    assert!(output.status.success(), "{output:?}");
    let list = "GET /api/v1/namespaces/default/pods?labelSelector=app%3Dweb&limit=100";
    assert_eq!(server.lines(), [list.to_owned(), format!("{list}&continue=more")]);

    server.will(json(403, &recorded_json("statuses/forbidden-403.json")));
    let output = run(example("list_pods"), &[&server.url]);
    assert!(!output.status.success());
}

/// Everything that a program meets which keeps up with a cluster.
#[test]
fn the_program_follows_pods() {
    let server = Server::start();
    let event =
        |what: &str, object: &Value| json!({"type": what, "object": object}).to_string() + "\n";
    // The list is forgotten between its pages, so there is another one.
    server.will(json(200, &page(&[pod("web-0", "Running", "1")], "7", "more")));
    server.will(json(410, &recorded_json("statuses/expired-continue-410.json")));
    server.will(json(
        200,
        &page(&[pod("web-0", "Running", "1"), pod("web-1", "Pending", "8")], "8", ""),
    ));
    // The watch breaks off, and goes on from the bookmark.
    let (reply, tap) = stream();
    tap.send(event("MODIFIED", &pod("web-1", "Running", "9")));
    tap.send(event(
        "BOOKMARK",
        &json!({"kind": "Pod", "metadata": {"resourceVersion": "12"}, "spec": {"containers": null}}),
    ));
    tap.send(r#"{"type":"ADD"#);
    drop(tap);
    server.will(reply);
    // Its version is forgotten, so there is a third list, for which the server has no time at
    // first.
    let error = event("ERROR", &recorded_json("statuses/gone-too-old-410.json"));
    server.will(text(
        200,
        "application/json",
        event("DELETED", &pod("web-1", "Running", "13")) + &error,
    ));
    server.will(with(
        "retry-after",
        "1",
        text(429, "text/plain", "Too many requests, please try again later.\n"),
    ));
    server.will(json(200, &page(&[pod("web-0", "Succeeded", "20")], "21", "")));
    server.will(json(403, &recorded_json("statuses/forbidden-403.json")));

    let output = run(example("podwatch"), &[&server.url, "shop"]);
    assert_eq!(
        lines(&output.stdout).iter().map(|line| &line[..line.len().min(53)]).collect::<Vec<_>>(),
        [
            "LISTED   web-0 Running",
            "AGAIN    the server responded with 410 Gone (Expired)",
            "LISTED   web-0 Running",
            "LISTED   web-1 Pending",
            "MODIFIED web-1 Running",
            "BROKEN   the stream ended within an event, after 12 b",
            "DELETED  web-1 Running",
            "AGAIN    the server responded with 410 Gone (Expired)",
            "AGAIN    the server responded with 429 Too Many Reque",
            "LISTED   web-0 Succeeded",
        ]
    );
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.starts_with(
            "podwatch: the server responded with 403 Forbidden (Forbidden): pods is forbidden"
        ),
        "{stderr}"
    );
    let list = "GET /api/v1/namespaces/shop/pods?limit=500";
    let watch = "allowWatchBookmarks=true&resourceVersion";
    let watch = |version| format!("GET /api/v1/namespaces/shop/pods?{watch}={version}&watch=true");
    let more = format!("{list}&continue=more");
    let list = list.to_owned();
    assert_eq!(
        server.lines(),
        [list.clone(), more, list.clone(), watch(8), watch(12), list.clone(), list, watch(21)]
    );
}

/// Functions that are written once serve kinds of both scopes.
#[test]
fn generic_functions_serve_all_kinds() {
    let server = Server::start();
    let object = |name: &str, namespace: Option<&str>| json!({"metadata": {"name": name, "namespace": namespace}});
    let list = |kind: &str, version: &str, item: Value, token: &str| json!({"kind": kind, "apiVersion": version, "metadata": {"continue": token}, "items": [item]});
    let web = object("web-0", Some("default"));
    server.will(json(200, &list("PodList", "v1", web.clone(), "")));
    server.will(json(200, &web));
    let first = object("a", Some("one"));
    let second = object("b", Some("two"));
    server.will(json(200, &list("LeaseList", "coordination.k8s.io/v1", first.clone(), "more")));
    server.will(json(200, &list("LeaseList", "coordination.k8s.io/v1", second.clone(), "")));
    server.will(json(200, &first));
    server.will(json(200, &second));
    let image = object("sha256:0", None);
    server.will(json(200, &list("ImageList", "image.openshift.io/v1", image.clone(), "")));
    server.will(json(200, &image));
    server.will(json(404, &recorded_json("statuses/not-found-404.json")));
    server.will(json(201, &json!({"metadata": {"name": "leader", "resourceVersion": "7"}})));

    let output = run(example("generic"), &[&server.url]);
    assert_eq!(
        lines(&output.stdout),
        ["Pod web-0", "Lease a", "Lease b", "Image sha256:0", "Lease leader 7"],
        "{output:?}"
    );
    let leases = "/apis/coordination.k8s.io/v1";
    let query = "labelSelector=old&limit=500";
    let expected = [
        format!("GET /api/v1/namespaces/default/pods?{query}"),
        "PATCH /api/v1/namespaces/default/pods/web-0".to_owned(),
        format!("GET {leases}/leases?{query}"),
        format!("GET {leases}/leases?{query}&continue=more"),
        format!("PATCH {leases}/namespaces/one/leases/a"),
        format!("PATCH {leases}/namespaces/two/leases/b"),
        format!("GET /apis/image.openshift.io/v1/images?{query}"),
        "PATCH /apis/image.openshift.io/v1/images/sha256:0".to_owned(),
        format!("GET {leases}/namespaces/default/leases/leader"),
        format!("POST {leases}/namespaces/default/leases"),
    ];
    assert_eq!(server.lines(), expected);
}
