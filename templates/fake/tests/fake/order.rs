//! The order of members: sorted in custom resources and their lists, as types declare it elsewhere.

use crate::testing::{PODS, pod, request, server, time};
use http::{Method, Request, StatusCode};
use kapigen_fake::{NextEvent, ReplyBody, Server};
use serde_json::{Value, json};
use test_support::order::Order;

const BOATS: &str = "/apis/a.io/v1/namespaces/default/boats";
const OBJECT: &str = "/apis/a.io/v1/namespaces/default/boats/one";
const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";
const METADATA: &str = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const METADATA_LIST: &str = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

fn with_boats() -> Server {
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let version = json!({
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": any},
        "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}},
    });
    let names = json!({"plural": "boats", "kind": "Boat"});
    let server = server();
    let spec =
        json!({"group": "a.io", "scope": "Namespaced", "names": names, "versions": [version]});
    server.add_definition(&json!({"spec": spec})).expect("a definition");
    server
}

fn boat() -> Value {
    let spec = json!({"replicas": 1, "z": [{"b": 1, "a": {"d": 1, "c": 2}}], "a": 1});
    json!({"kind": "Boat", "apiVersion": "a.io/v1", "spec": spec, "metadata": {"name": "one", "labels": {"z": "", "a": ""}}})
}

/// The body of a response, or the first events of a watch.
fn body(server: &Server, request: Request<Vec<u8>>) -> String {
    let place = format!("{} {}", request.method(), request.uri());
    let response = server.handle(request, time(0)).response;
    assert!(response.status().is_success(), "{place}: {}", response.status());
    match response.into_body() {
        ReplyBody::Whole(bytes) => String::from_utf8(bytes.to_vec()).expect("text"),
        ReplyBody::Stream(mut events) => {
            let mut lines = String::new();
            while let NextEvent::Event(line) = events.next(time(0)) {
                lines += str::from_utf8(&line).expect("text");
            }
            assert!(!lines.is_empty(), "{place}");
            lines
        }
    }
}

fn get(server: &Server, path: &str, accept: &str) -> String {
    let mut request = request(Method::GET, path, &Value::Null);
    request.headers_mut().insert("accept", accept.parse().expect("a header"));
    body(server, request)
}

fn is_sorted(text: &str) -> bool {
    text.lines().all(|line| Order::Sorted.of(line) == line)
}

#[test]
fn members_of_custom_resources_and_their_lists_are_sorted() {
    let server = with_boats();
    let created = body(&server, request(Method::POST, BOATS, &boat()));
    assert!(
        is_sorted(&created)
            && created.starts_with(r#"{"apiVersion":"a.io/v1","kind":"Boat","metadata":{"#),
        "{created}"
    );
    let mut changed: Value = serde_json::from_str(&created).expect("JSON");
    changed["spec"]["Z"] = json!({"y": 1, "x": 2});
    for path in [OBJECT, &format!("{OBJECT}/status")] {
        let replaced = body(&server, request(Method::PUT, path, &changed));
        assert!(is_sorted(&replaced), "{replaced}");
        changed = serde_json::from_str(&replaced).expect("JSON");
    }
    for path in [OBJECT, BOATS, &format!("{BOATS}?limit=1"), &format!("{OBJECT}?pretty=true")] {
        let text = get(&server, path, "application/json");
        assert!(
            is_sorted(&text.lines().map(str::trim).collect::<String>().replace("\": ", "\":")),
            "{path}: {text}"
        );
    }
    assert!(
        get(&server, BOATS, "application/json")
            .starts_with(r#"{"apiVersion":"a.io/v1","items":[{"#)
    );
    assert!(
        get(&server, OBJECT, "application/yaml")
            .starts_with("apiVersion: a.io/v1\nkind: Boat\nmetadata:\n")
    );
}

#[test]
fn events_of_custom_resources_have_sorted_objects() {
    let server = with_boats();
    body(&server, request(Method::POST, BOATS, &boat()));
    let watch = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&\
                 allowWatchBookmarks=true";
    let events = get(&server, &format!("{BOATS}?{watch}"), "application/json");
    assert_eq!(events.lines().count(), 2, "an object and a bookmark: {events}");
    for line in events.lines() {
        let (kind, object) = line.split_once(r#","object":"#).expect("an object after a type");
        assert!(kind.starts_with(r#"{"type":""#), "{line}");
        assert!(is_sorted(object.strip_suffix('}').expect("the end of an event")), "{line}");
    }
    let deleted =
        body(&server, request(Method::DELETE, &format!("{BOATS}?labelSelector=a"), &Value::Null));
    assert!(is_sorted(&deleted) && deleted.contains(r#""items":[{"#), "{deleted}");
}

#[test]
fn members_of_built_in_kinds_are_as_their_types_declare_them() {
    let server = with_boats();
    body(&server, request(Method::POST, BOATS, &boat()));
    body(&server, request(Method::POST, PODS, &pod("one")));
    let starts = [
        (
            format!("{PODS}/one"),
            "application/json",
            r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"#,
        ),
        (
            PODS.to_owned(),
            "application/json",
            r#"{"kind":"PodList","apiVersion":"v1","metadata":{"#,
        ),
        (
            format!("{OBJECT}/scale"),
            "application/json",
            r#"{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"#,
        ),
        (
            OBJECT.to_owned(),
            METADATA,
            r#"{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","#,
        ),
        (
            BOATS.to_owned(),
            METADATA_LIST,
            r#"{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","#,
        ),
        (BOATS.to_owned(), TABLE, r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","#),
    ];
    for (path, accept, start) in starts {
        let text = get(&server, &path, accept);
        assert!(text.starts_with(start), "{path}: {text}");
    }
    let absent = server
        .handle(request(Method::GET, &format!("{BOATS}/none"), &Value::Null), time(0))
        .response;
    assert_eq!(absent.status(), StatusCode::NOT_FOUND);
    let ReplyBody::Whole(absent) = absent.into_body() else { panic!("a stream") };
    assert!(absent.starts_with(br#"{"kind":"Status","apiVersion":"v1","metadata":{"#));
    // Rows have whole objects where they are asked for.
    let table = get(&server, &format!("{BOATS}?includeObject=Object"), TABLE);
    assert!(
        table.contains(r#""object":{"apiVersion":"a.io/v1","kind":"Boat","metadata":{"#),
        "{table}"
    );
}
