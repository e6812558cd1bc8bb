//! Bodies in protobuf: recorded ones, made ones of every kind, and malformed ones.

mod messages;

use crate::replay;
use crate::testing::{get, time, whole};
use allocation_counter::measure;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::{Method, Request, StatusCode};
use kapigen_fake::Server;
use messages::{Messages, bytes, next, varint};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use test_support::places;

const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";
const PODS: &str = "/api/v1/namespaces/default/pods";
const POD: &str = "k8s.io.api.core.v1.Pod";

static MESSAGES: LazyLock<Messages> = LazyLock::new(Messages::read);
static DOCUMENTS: LazyLock<replay::Documents> =
    LazyLock::new(|| replay::documents(&places::data("kubernetes-1.36")));

/// A server with the kinds of Kubernetes.
fn server() -> Server {
    let server = Server::new(&[*DOCUMENTS]);
    server.set_time(time(0));
    let namespace =
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}});
    server.create(&namespace).expect("a namespace");
    server
}

fn send(server: &Server, method: Method, path: &str, body: Vec<u8>) -> (StatusCode, Value) {
    let request = Request::builder().method(method).uri(path).header("content-type", MEDIA_TYPE);
    let request = request.header("accept", format!("{MEDIA_TYPE},application/json"));
    whole(server.handle(request.body(body).expect("a request"), time(0)))
}

#[test]
fn recorded_bodies_are_accepted() {
    let text = places::text(&places::data("protobuf/bodies.jsonl"));
    for line in text.lines() {
        let recorded: Value = serde_json::from_str(line).expect("a request");
        let field = |key: &str| recorded[key].as_str().expect("a string");
        let body = BASE64_STANDARD.decode(field("body")).expect("base64");
        let method = field("method").parse().expect("a method");
        let server = server();
        let (code, created) = send(&server, method, field("path"), body.clone());
        assert_eq!(code, StatusCode::CREATED, "{}: {created}", field("command"));
        // It is the object that a client gets, and names in the command are in it.
        let path = field("path").split('?').next().expect("a path");
        if let Some(name) = created["metadata"]["name"].as_str() {
            assert_eq!(get(&server, &format!("{path}/{name}")).1, created);
            assert!(field("command").contains(name), "{created}");
        }
        let fits = created["kind"]
            .as_str()
            .is_some_and(|kind| body.windows(kind.len()).any(|window| window == kind.as_bytes()));
        assert!(fits, "{created}");
    }
}

static COLLECTIONS: LazyLock<Vec<Collection>> = LazyLock::new(collections);

/// The path to which objects are posted, and their version, kind and message.
type Collection = (String, (String, String, String));

fn collections() -> Vec<Collection> {
    let mut collections = BTreeMap::new();
    for (_, document) in *DOCUMENTS {
        let document: Value = serde_json::from_str(document).expect("a document");
        for (path, item) in document["paths"].as_object().expect("paths") {
            let post = &item["post"];
            let kind = &post["x-kubernetes-group-version-kind"];
            if path.contains("{name}") || kind.is_null() {
                continue;
            }
            let schema = post["requestBody"]["content"]["*/*"]["schema"]["$ref"].as_str();
            let schema = schema.expect("a schema").rsplit('/').next().expect("a name");
            let text = |key: &str| kind[key].as_str().expect("a string");
            let group = text("group");
            let slash = if group.is_empty() { "" } else { "/" };
            let version = format!("{group}{slash}{}", text("version"));
            let message = MESSAGES.of_schema(schema).expect("a message");
            let path = path.replace("{namespace}", "default");
            collections.insert(path, (version, text("kind").to_owned(), message));
        }
    }
    collections.into_iter().collect()
}

#[test]
fn made_objects_of_every_kind_are_the_same_as_in_json() {
    let server = server();
    server.built_in_rules(false);
    let snapshot = server.snapshot();
    let mut created = BTreeMap::new();
    let mut seed = 1;
    for (path, (version, kind, message)) in &*COLLECTIONS {
        for _ in 0..if places::takes_everything() { 24 } else { 8 } {
            let mut object = MESSAGES.make(message, &mut seed, 6);
            object["apiVersion"] = json!(version);
            object["kind"] = json!(kind);
            object["metadata"] = json!({
                "name": "a", "labels": {"a": "b", "c": ""}, "annotations": {"x": "\u{e9}\n"}, "finalizers": ["a.b/c"],
                "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "o", "uid": "1", "controller": true}],
            });
            let in_json = Request::post(path).body(object.to_string().into_bytes());
            let expected = whole(snapshot.server().handle(in_json.expect("a request"), time(0)));
            let body = MESSAGES.body(message, &object);
            let found = send(&snapshot.server(), Method::POST, path, body);
            assert_eq!(found, expected, "{object:#}");
            *created.entry(kind.clone()).or_insert(0) += usize::from(found.0.is_success());
        }
    }
    let refused: Vec<_> = created.iter().filter(|(_, count)| **count == 0).collect();
    println!("{} kinds; always refused: {refused:?}", created.len());
    assert!(created.len() > 50 && refused.len() < 4, "{refused:?}");
}

#[test]
fn options_of_deletes_are_read() {
    let server = server();
    server.built_in_rules(false);
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}});
    assert_eq!(send(&server, Method::POST, PODS, MESSAGES.body(POD, &pod)).0, StatusCode::CREATED);
    let options = |uid: &str| {
        let preconditions = bytes(2, &bytes(1, uid.as_bytes()));
        let raw = [varint(1, 0), preconditions].concat();
        let kind = [bytes(1, b"v1"), bytes(2, b"DeleteOptions")].concat();
        [b"k8s\0".to_vec(), bytes(1, &kind), bytes(2, &raw)].concat()
    };
    let path = format!("{PODS}/a");
    let (code, refusal) = send(&server, Method::DELETE, &path, options("other"));
    assert_eq!(code, StatusCode::CONFLICT, "{refusal}");
    let uid = get(&server, &path).1["metadata"]["uid"].as_str().expect("a uid").to_owned();
    assert_eq!(send(&server, Method::DELETE, &path, options(&uid)).0, StatusCode::OK);
    assert_eq!(get(&server, &path).0, StatusCode::NOT_FOUND);
}

#[test]
fn a_body_need_not_state_its_kind() {
    let raw = bytes(1, &bytes(1, b"a"));
    let path = "/api/v1/namespaces/default/configmaps";
    let (code, map) =
        send(&server(), Method::POST, path, [b"k8s\0".to_vec(), bytes(2, &raw)].concat());
    assert_eq!((code, &map["kind"]), (StatusCode::CREATED, &json!("ConfigMap")), "{map}");
}

#[test]
fn unknown_fields_are_skipped_however_strict_the_request_is() {
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}});
    let mut body = MESSAGES.body(POD, &pod);
    // More of the last fields of the envelope does not count, and more of the object neither.
    body.extend(varint(99, 1));
    let raw = [bytes(1, &bytes(1, b"b")), bytes(98, b"new"), varint(97, 1)].concat();
    body.extend(bytes(2, &raw));
    let path = format!("{PODS}?fieldValidation=Strict");
    let server = server();
    server.built_in_rules(false);
    let (code, created) = send(&server, Method::POST, &path, body);
    assert_eq!((code, &created["metadata"]["name"]), (StatusCode::CREATED, &json!("b")));
}

#[test]
fn malformed_bodies_are_refused() {
    let with = |raw: &[u8]| {
        let kind = [bytes(1, b"v1"), bytes(2, b"Pod")].concat();
        [b"k8s\0".to_vec(), bytes(1, &kind), bytes(2, raw)].concat()
    };
    for (body, why) in [
        (b"k8s\0\x0a".to_vec(), "unexpected EOF"),
        (with(b"\x0a\x05a"), "unexpected EOF"),
        (with(&varint(1, 1)), "proto: wrong wireType = 0 for field metadata"),
        (with(&bytes(1, b"\x0c")), "proto: wiretype end group for non-group"),
        (
            with(&bytes(2, &bytes(4, b"x"))),
            "proto: wrong wireType = 2 for field terminationGracePeriodSeconds",
        ),
    ] {
        let (code, refusal) = send(&server(), Method::POST, PODS, body);
        let message = refusal["message"].as_str().expect("a message");
        assert!(code == StatusCode::BAD_REQUEST && message.contains(why), "{message}");
    }
}

#[test]
fn deep_messages_are_refused() {
    // `not` of a schema, of a definition.
    let schema = (0..5_000).fold(Vec::new(), |inner, _| bytes(28, &inner));
    let version = [bytes(1, b"v1"), bytes(4, &bytes(1, &schema))].concat();
    let raw = bytes(2, &bytes(7, &version));
    let kind =
        [bytes(1, b"apiextensions.k8s.io/v1"), bytes(2, b"CustomResourceDefinition")].concat();
    let body = [b"k8s\0".to_vec(), bytes(1, &kind), bytes(2, &raw)].concat();
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let (code, refusal) = send(&server(), Method::POST, path, body);
    assert_eq!(code, StatusCode::BAD_REQUEST);
    assert!(refusal["message"].as_str().is_some_and(|why| why.contains("too deeply")), "{refusal}");
}

#[test]
fn kinds_without_messages_are_refused_honestly() {
    let names = json!({"plural": "widgets", "kind": "Widget"});
    let version =
        json!({"name": "v1", "served": true, "schema": {"openAPIV3Schema": {"type": "object"}}});
    let spec = json!({"group": "a.io", "scope": "Cluster", "names": names, "versions": [version]});
    let server = server();
    server.add_definition(&json!({"spec": spec})).expect("a definition");
    let (code, refusal) = send(&server, Method::POST, "/apis/a.io/v1/widgets", b"k8s\0".to_vec());
    let expected = "the body of the request was in an unknown format - accepted media types \
                    include: application/json, application/yaml";
    assert_eq!((code.as_u16(), &refusal["message"]), (415, &json!(expected)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn damaged_bodies_are_created_or_refused(
        seed in any::<u64>(),
        edits in proptest::collection::vec((any::<Index>(), any::<Option<u8>>()), 1..4),
    ) {
        let mut seed = seed;
        let (path, (version, kind, message)) =
            &COLLECTIONS[next(&mut seed) % COLLECTIONS.len()];
        let mut object = MESSAGES.make(message, &mut seed, 5);
        object["apiVersion"] = json!(version);
        object["kind"] = json!(kind);
        object["metadata"] = json!({"name": "a"});
        let mut body = MESSAGES.body(message, &object);
        for (index, byte) in edits {
            let at = 4 + index.index(body.len() - 4);
            match byte {
                Some(byte) => body[at] = byte,
                None => body.truncate(at.max(5)),
            }
        }
        let server = server();
        let (code, response) = send(&server, Method::POST, path, body);
        let code = code.as_u16();
        // Servers fail for bindings to nothing.
        let is_known = matches!(code, 201 | 400 | 403 | 404 | 409 | 422);
        prop_assert!(is_known || code == 500 && kind == "Binding", "{code} {response}");
    }
}

/// As for bodies in JSON, small elements take the most. The same object is smaller in protobuf.
const MULTIPLE: u64 = 180;

#[test]
fn creates_take_a_small_multiple_of_their_bodies() {
    let many = |part: &dyn Fn(usize) -> Vec<u8>| (0..15_000).flat_map(part).collect::<Vec<_>>();
    let elements = many(&|index| bytes(2, &bytes(1, format!("c{index}").as_bytes())));
    let entries = many(&|index| {
        bytes(7, &[bytes(1, format!("k{index}").as_bytes()), bytes(2, b"v")].concat())
    });
    let repeated = many(&|_| bytes(10, b"a"));
    let escapes = bytes(10, &b"\n".repeat(500_000));
    let unfinished = [escapes.clone(), vec![0x0a]].concat();
    for (case, spec, is_checked, expected) in [
        ("elements", &elements, false, 201),
        ("invalid elements", &elements, true, 422),
        ("entries", &entries, false, 201),
        ("repeated", &repeated, false, 201),
        ("escapes", &escapes, false, 201),
        ("unfinished", &unfinished, false, 400),
    ] {
        let server = server();
        server.built_in_rules(is_checked);
        // Its tables are made at the first use.
        let pod = |name| json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}});
        let _ = send(&server, Method::POST, PODS, MESSAGES.body(POD, &pod("first")));
        let raw = [bytes(1, &bytes(1, b"a")), bytes(2, spec)].concat();
        let body = [b"k8s\0".to_vec(), bytes(2, &raw)].concat();
        let size = body.len() as u64;
        let used = measure(|| {
            let (code, response) = send(&server, Method::POST, PODS, body);
            assert_eq!(code, expected, "{case}: {response}");
        });
        let used = used.bytes_max;
        println!("{case}: {used} for {size}");
        assert!(used < size * MULTIPLE, "{case}: {used} bytes for a body of {size}");
    }
}
