//! Bodies of creates: random ones, repeated members, lists behind references.

use crate::testing::{PODS, pod, request, send, server, time, whole};
use http::{Method, Request, StatusCode};
use kapigen_fake::ReplyBody;
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use proptest::strategy::Union;
use serde_json::{Map, Value, json};
use test_support::documents::Documents;
use test_support::random::value;

/// Collections, and the kinds of their objects.
const KINDS: [(&str, &str, &str); 5] = [
    ("/api/v1/namespaces/default/pods", "v1", "Pod"),
    ("/api/v1/namespaces/default/events", "v1", "Event"),
    ("/api/v1/namespaces/default/endpoints", "v1", "Endpoints"),
    ("/apis/coordination.k8s.io/v1/namespaces/default/leases", "coordination.k8s.io/v1", "Lease"),
    ("/apis/image.openshift.io/v1/images", "image.openshift.io/v1", "Image"),
];

/// Everything that a client sees of a response.
fn created(path: &str, body: &str) -> (StatusCode, Vec<http::HeaderValue>, String) {
    let request = Request::post(path).header("user-agent", "test/1").body(body.as_bytes().to_vec());
    let server = server();
    let (head, body) = server.handle(request.expect("a request"), time(0)).response.into_parts();
    let ReplyBody::Whole(body) = body else { panic!("a stream") };
    let warnings = head.headers.get_all("warning").iter().cloned().collect();
    (head.status, warnings, String::from_utf8(body.into()).expect("UTF-8"))
}

fn metadata() -> impl Strategy<Value = Value> {
    let owner = |uid| json!({"apiVersion": "v1", "kind": "Pod", "name": "o", "uid": uid, "controller": false});
    let members = [
        ("labels", json!({"b": "", "a.b/c": "d", "a": "x"})),
        ("annotations", json!({"z": "\n\"\u{e9}\u{2028}", "a": ""})),
        ("ownerReferences", json!([owner("2"), owner("1")])),
        ("finalizers", json!(["b.c/d", "a.b/c"])),
        ("generateName", json!("a-")),
        ("creationTimestamp", json!("2024-02-29T00:00:00Z")),
        ("resourceVersion", json!("")),
        ("generation", json!(7)),
        ("uid", json!("1")),
        ("namespace", json!("default")),
        ("selfLink", json!("/")),
        // Members of some bodies only: the server refuses, changes or warns of them.
        ("creationTimestamp", Value::Null),
        ("ownerReferences", json!([owner("1"), owner("1")])),
        ("managedFields", json!([{"manager": "m"}])),
        ("deletionTimestamp", json!("2024-02-29T00:00:00Z")),
        ("deletionGracePeriodSeconds", json!(1)),
        ("namespace", json!("other")),
        ("labels", json!({"a": 1})),
        ("labels", json!({})),
        ("name", json!("")),
        ("no", json!(true)),
    ];
    let usual = members.len() - 10;
    let chosen = prop_oneof![
        4 => subsequence(members[..usual].to_vec(), 0..usual),
        1 => subsequence(members.to_vec(), 0..6),
    ];
    let chosen = chosen.prop_shuffle();
    (chosen, any::<bool>()).prop_map(|(chosen, is_last)| {
        let mut metadata = Map::new();
        if !is_last {
            metadata.insert("name".to_owned(), json!("a"));
        }
        metadata.extend(chosen.into_iter().map(|(name, value)| (name.to_owned(), value)));
        metadata.entry("name").or_insert_with(|| json!("a"));
        Value::Object(metadata)
    })
}

/// Removes the members that are left out when an object is stored.
fn drop_empty(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(drop_empty);
            let is_empty =
                |value: &Value| value.is_null() || value == &json!([]) || value == &json!({});
            members.retain(|_, value| !is_empty(value));
        }
        Value::Array(elements) => elements.iter_mut().for_each(drop_empty),
        _ => {}
    }
}

/// One of the objects in a value, counted from the value itself.
fn object<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Map<String, Value>> {
    match value {
        Value::Object(members) => {
            if *left == 0 {
                return Some(members);
            }
            *left -= 1;
            members.values_mut().find_map(|value| object(value, left))
        }
        Value::Array(elements) => elements.iter_mut().find_map(|value| object(value, left)),
        _ => None,
    }
}

fn count(value: &Value) -> usize {
    match value {
        Value::Object(members) => 1 + members.values().map(count).sum::<usize>(),
        Value::Array(elements) => elements.iter().map(count).sum(),
        _ => 0,
    }
}

/// A change of one of the objects in a body.
fn spoil(body: &mut Value, at: Index, spoiler: usize) {
    let mut left = at.index(count(body));
    let Some(members) = object(body, &mut left) else { return };
    let (name, value) = match spoiler {
        0 => ("unknown", json!(1)),
        1 => ("name", Value::Null),
        2 => ("name", json!(1.5)),
        3 => ("name", json!([])),
        4 => ("name", json!({})),
        5 => ("port", json!(u64::MAX)),
        _ => {
            // Another order.
            let reversed: Vec<_> = std::mem::take(members).into_iter().rev().collect();
            members.extend(reversed);
            return;
        }
    };
    members.insert(name.to_owned(), value);
}

/// A collection, and a body for it.
pub(crate) fn body() -> impl Strategy<Value = (&'static str, String)> {
    let documents = Documents::read();
    let strategies = KINDS.map(|(path, version, kind)| {
        let schema = documents.of_kind(version, kind).expect("a schema");
        let object = value(documents, documents.named(schema));
        let spoilers = proptest::collection::vec((any::<Index>(), 0..8usize), 0..3);
        let options = (metadata(), spoilers, proptest::bool::weighted(0.9), any::<bool>());
        (object, options).prop_map(
            move |(mut object, (metadata, spoilers, is_clean, is_spaced))| {
                object["metadata"] = metadata;
                (object["apiVersion"], object["kind"]) = (json!(version), json!(kind));
                if is_clean {
                    drop_empty(&mut object);
                }
                for (at, spoiler) in spoilers {
                    spoil(&mut object, at, spoiler);
                }
                let text = if is_spaced {
                    serde_json::to_string_pretty(&object).expect("JSON")
                } else {
                    object.to_string()
                };
                (path, text)
            },
        )
    });
    Union::new(strategies)
}

/// `serde_json` has a meaning of its own for such a name.
#[test]
fn names_of_serde_json_are_names() {
    let metadata =
        r#"{"name":"a","annotations":{"$serde_json::private::RawValue":"{\"x\":\"y\"}"}}"#;
    let body = format!(
        r#"{{"kind":"Pod","apiVersion":"v1","metadata":{metadata},"spec":{{"containers":[{{"name":"b"}}]}}}}"#
    );
    assert_eq!(created(KINDS[0].0, &body).0, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn repeated_members_are_found_anywhere() {
    let text = |inner: &str| {
        let metadata = r#"{"name":"a","labels":{"b":"1","a":"2"}}"#;
        format!(r#"{{"kind":"Pod","apiVersion":"v1","metadata":{metadata},"spec":{inner}}}"#)
    };
    for (inner, warning) in [
        (r#"{"containers":[{"name":"b","image":"x","name":"c"}]}"#, "spec.containers[0].name"),
        (
            r#"{"nodeName":"a","containers":[{"name":"b","image":"i"}],"nodeName":"a"}"#,
            "spec.nodeName",
        ),
        (
            r#"{"containers":[{"name":"b","image":"i"}],"hostAliases":[{"ip":"b","ip":"10.0.0.1"}]}"#,
            "spec.hostAliases[0].ip",
        ),
    ] {
        let (code, warnings, _) = created(KINDS[0].0, &text(inner));
        let expected = format!("299 - \"duplicate field \\\"{warning}\\\"\"");
        assert_eq!((code, warnings.len()), (StatusCode::CREATED, 1), "{inner}");
        assert_eq!(warnings[0], expected.as_str());
    }
    // Elements with one key are not members with one name: there is no warning.
    let twice = text(
        r#"{"containers":[{"name":"b","image":"x"}],"imagePullSecrets":[{"name":"s"},{"name":"s"}]}"#,
    );
    let (code, warnings, _) = created(KINDS[0].0, &twice);
    assert_eq!((code, warnings), (StatusCode::CREATED, Vec::new()));
}

/// A list type belongs to the array, even behind a reference.
#[test]
fn lists_behind_references_are_merged_by_their_keys() {
    let operation =
        json!({"x-kubernetes-group-version-kind": {"group": "a.io", "version": "v1", "kind": "A"}});
    let port = json!({"type": "object", "properties": {"port": {"type": "integer"}, "name": {"type": "string"}}});
    let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let spec = json!({"type": "object", "properties": {
        "ports": reference("io.a.v1.Ports"), "names": {"allOf": [reference("io.a.v1.Names")]},
        // Beside a reference it has no effect.
        "whole": {"allOf": [reference("io.a.v1.Whole")], "x-kubernetes-list-type": "set"},
    }});
    let strings = |list_type: &str| {
        json!({
            "type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": list_type,
        })
    };
    let document = json!({
        "paths": {
            "/apis/a.io/v1/as": {"get": operation, "post": operation},
            "/apis/a.io/v1/as/{name}": {"get": operation, "put": operation},
        },
        "components": {"schemas": {
            "io.a.v1.Ports": {
                "type": "array", "items": port,
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port"],
            },
            "io.a.v1.Names": strings("set"),
            "io.a.v1.Whole": strings("atomic"),
            "io.a.v1.A": {
                "type": "object", "properties": {"spec": spec},
                "x-kubernetes-group-version-kind": [{"group": "a.io", "version": "v1", "kind": "A"}],
            },
        }},
    });
    let body = r#"{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"a"},
        "spec":{"ports":[{"port":1,"name":"b"}],"names":["c"],"whole":["d"]}}"#;
    let expected = json!({
        ".": {}, "f:names": {".": {}, "v:\"c\"": {}}, "f:whole": {},
        "f:ports": {".": {}, "k:{\"port\":1}": {".": {}, "f:name": {}, "f:port": {}}},
    });
    let server = server();
    server.add_document(&document);
    let request = Request::post("/apis/a.io/v1/as").body(body).expect("a request");
    let (code, object) = whole(server.handle(request, time(0)));
    assert_eq!(code, StatusCode::CREATED, "{object}");
    assert_eq!(object["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"], expected);
}

#[test]
fn bodies_that_are_no_protobuf_are_unrecognized() {
    let server = server();
    let ask = |method: Method, path: &str| {
        let mut request = request(method, path, &pod("a"));
        let form = "application/vnd.kubernetes.protobuf".parse().expect("a media type");
        request.headers_mut().insert("content-type", form);
        let (code, refusal) = whole(server.handle(request, time(0)));
        (code.as_u16(), refusal["message"].as_str().unwrap_or_default().to_owned())
    };
    let why =
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";
    let (code, message) = ask(Method::POST, PODS);
    assert!(
        code == 400 && message.contains(why) && message.contains("(must be of type Pod)"),
        "{message}"
    );
    assert_eq!(ask(Method::DELETE, &format!("{PODS}/a")), (400, why.to_owned()));
}

#[test]
fn lists_are_not_objects() {
    let server = server();
    let list = json!({"apiVersion": "v1", "kind": "PodList", "items": []});
    let (code, refusal) = send(&server, Method::POST, PODS, &list);
    assert_eq!(code.as_u16(), 400);
    let expected = "PodList in version \"v1\" cannot be handled as a Pod: converting (v1.PodList) \
                    to (core.Pod): unknown conversion";
    assert_eq!(refusal["message"], expected);
}

#[test]
fn media_types_of_bodies_ignore_case() {
    for (media_type, body, expected) in [
        ("Application/YAML", "kind: Pod\nmetadata: {name: a}", StatusCode::CREATED),
        ("APPLICATION/json; charset=utf-8", r#"{"metadata": {"name": "a"}}"#, StatusCode::CREATED),
        ("Application/Vnd.Kubernetes.Protobuf", "{}", StatusCode::BAD_REQUEST),
        ("text/plain", "{}", StatusCode::UNSUPPORTED_MEDIA_TYPE),
    ] {
        let server = server();
        server.built_in_rules(false);
        let request = Request::post(PODS).header("content-type", media_type).body(body);
        let (code, response) = whole(server.handle(request.expect("a request"), time(0)));
        assert_eq!(code, expected, "{media_type}: {response}");
    }
}

#[test]
fn repeated_keys_of_yaml_are_refused_whatever_the_case_of_its_media_type() {
    for media_type in ["application/yaml", "Application/YAML"] {
        let request = Request::post(format!("{PODS}?fieldValidation=Strict"))
            .header("content-type", media_type);
        let request =
            request.body("kind: Pod\nmetadata:\n  name: a\n  name: a\n").expect("a request");
        let (_, refusal) = whole(server().handle(request, time(0)));
        let message = refusal["message"].as_str().expect("a message");
        assert!(message.ends_with("line 4: key \"name\" already set in map"), "{message}");
    }
}

#[test]
fn bytes_that_are_not_utf_8_become_replacement_characters() {
    let server = server();
    let body = b"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"annotations\":{\"a\":\"x\xff\xc3y\xe2\x82\"}}}";
    let path = "/api/v1/namespaces/default/pods";
    server.built_in_rules(false);
    let request = Request::post(path).body(body.to_vec()).expect("a request");
    let (code, pod) = whole(server.handle(request, time(0)));
    assert_eq!(code, StatusCode::CREATED, "{pod}");
    let expected = "x\u{fffd}\u{fffd}y\u{fffd}\u{fffd}";
    assert_eq!(pod["metadata"]["annotations"]["a"], expected);
    let request = Request::patch(format!("{path}/a"))
        .header("content-type", "application/merge-patch+json")
        .body(b"{\"metadata\":{\"annotations\":{\"a\":\"\xff\"}}}".to_vec());
    let (code, pod) = whole(server.handle(request.expect("a request"), time(0)));
    assert_eq!((code, &pod["metadata"]["annotations"]["a"]), (StatusCode::OK, &json!("\u{fffd}")));
    let request = Request::post(path).body(b"{\"a\":\xff}".to_vec()).expect("a request");
    assert_eq!(whole(server.handle(request, time(0))).0, StatusCode::BAD_REQUEST);
}
