//! Bodies of real objects are plain: without this, all of them could take the slow way, and no test would fail.

use super::scratch::{Buffers, Scratch};
use crate::call::{Call, State};
use crate::dispatch;
use crate::request::{Incoming, Target};
use crate::server::Server;
use bytes::Bytes;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The folders of fixtures, and the collections of their objects.
const FOLDERS: [(&str, &str); 5] = [
    ("endpoints", "/api/v1/namespaces/a/endpoints"),
    ("events", "/api/v1/namespaces/a/events"),
    ("images", "/apis/image.openshift.io/v1/images"),
    ("leases", "/apis/coordination.k8s.io/v1/namespaces/a/leases"),
    ("pods", "/api/v1/namespaces/a/pods"),
];

/// Fixtures that a server accepts and that are not plain, and the reasons.
const OTHERS: &[(&str, &str)] = &[
    ("images/docker-image-signatures", "`null` in free JSON"),
    ("images/explicit-zeros", "`null` in free JSON"),
    ("images/manifest-list-multi-arch", "`null` in free JSON"),
    ("images/metadata-raw-oddities", "an empty list in free JSON"),
    ("pods/null-everywhere-optional", "`null` in a map"),
    ("pods/resource-claims-and-devices", "two claims of one name, which is their only key"),
];

/// An object as a client sends it: without what servers add, and without what they remove.
fn body(object: &mut Value) -> String {
    let mut metadata = json!({"name": "a"});
    for name in ["labels", "annotations", "finalizers"] {
        let stated = &object["metadata"][name];
        if stated.as_object().is_some_and(|entries| !entries.is_empty()) || stated.is_array() {
            metadata[name] = stated.clone();
        }
    }
    object["metadata"] = metadata;
    object.to_string()
}

fn request(path: &str, body: impl Into<Bytes>) -> http::Request<Bytes> {
    http::Request::post(path).body(body.into()).expect("a request")
}

fn is_plain(state: &mut State, request: &http::Request<Bytes>) -> bool {
    let incoming = Incoming::new(request);
    let target = Target::of(&incoming.path).expect("a resource");
    let resource = dispatch::resource(state, &target).expect("a resource");
    let now = Timestamp::UNIX_EPOCH;
    let mut call = Call { state, request: &incoming, target: &target, resource, now, warnings: Vec::new() };
    call.plain().is_some()
}

#[test]
fn bodies_of_real_objects_are_plain() {
    let fixtures = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures"));
    let (mut count, mut others) = (0, Vec::new());
    for (folder, path) in FOLDERS {
        for file in fs::read_dir(fixtures.join(folder)).expect("a folder of the repository") {
            let file = file.expect("a file").path();
            let text = fs::read_to_string(&file).expect("a fixture");
            let mut object: Value = serde_json::from_str(&text).expect("JSON");
            // Items of a list do not state their kind.
            if object["items"].is_array() || !object["kind"].is_string() {
                continue;
            }
            let server = Server::new(&[openshift_api::API]);
            let request = request(path, body(&mut object));
            if is_plain(&mut server.shared.lock().state, &request) {
                count += 1;
            } else if server.handle(request, Timestamp::UNIX_EPOCH).response.status() == 201 {
                let name = file.file_stem().unwrap_or_default().to_string_lossy();
                others.push(format!("{folder}/{name}"));
            }
        }
    }
    others.sort();
    assert_eq!(others, OTHERS.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    assert!(count >= 70, "{count}");
}

/// The memory of all parts that a body can make large, in bytes or elements.
fn memory(scratch: &Scratch) -> [usize; 7] {
    let Buffers { json, parts, spare } = &scratch.fields;
    let bytes = [&scratch.json, &scratch.object, json, parts, spare].map(Vec::capacity);
    let [one, two, three, four, five] = bytes;
    [one, two, three, four, five, scratch.keys.capacity(), scratch.metadata.0.capacity()]
}

fn reserve(scratch: &mut Scratch) {
    let Buffers { json, parts, spare } = &mut scratch.fields;
    for buffer in [&mut scratch.json, &mut scratch.object, json, parts, spare] {
        buffer.reserve(3000);
    }
    scratch.keys.reserve(100);
    scratch.metadata.0.reserve(100);
}

#[test]
fn memory_is_kept_whatever_becomes_of_a_body() {
    let text = |member: &str| format!(r#"{{"metadata":{{"name":"a"}},"reason":"{}"{member}}}"#, "x".repeat(1000));
    let body = |member: &str| Bytes::from(text(member));
    let invalid = Bytes::from(text("").replace(r#""name":"a""#, r#""name":"A""#));
    for (bodies, last) in [
        (vec![body("")], 201),
        (vec![body(r#","unknown":1"#)], 201),
        (vec![invalid], 422),
        (vec![body(""), body("")], 409),
        (vec![Bytes::from(vec![0xff; 1000])], 400),
    ] {
        let server = Server::new(&[openshift_api::API]);
        let reserved = {
            let scratch = &mut server.shared.lock().state.scratch;
            reserve(scratch);
            memory(scratch)
        };
        let mut code = 0;
        for body in bodies {
            let reply = server.handle(request("/api/v1/namespaces/a/events", body), Timestamp::UNIX_EPOCH);
            code = reply.response.status().as_u16();
        }
        assert_eq!((code, memory(&server.shared.lock().state.scratch)), (last, reserved));
    }
}
