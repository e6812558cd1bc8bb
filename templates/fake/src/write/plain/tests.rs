//! Bodies of real objects are plain: without this, all of them could take the slow way, and no test would fail.

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

fn request(path: &str, body: String) -> http::Request<Bytes> {
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

#[test]
fn memory_is_kept_whatever_becomes_of_a_body() {
    let body = |member: &str| format!(r#"{{"metadata":{{"name":"a"}},"reason":"{}"{member}}}"#, "x".repeat(1000));
    let declined = body(r#","unknown":1"#);
    let invalid = declined.replace(r#""name":"a""#, r#""name":"A""#);
    let memory = |server: &Server| server.shared.lock().state.scratch.json.capacity();
    for (bodies, last) in [
        (vec![body("")], 201),
        (vec![declined], 201),
        (vec![invalid], 422),
        (vec![body(""), body("")], 409),
        (vec!["\u{fffd}".repeat(1000)], 400),
    ] {
        let server = Server::new(&[openshift_api::API]);
        server.shared.lock().state.scratch.json.reserve(3000);
        let before = memory(&server);
        let mut code = 0;
        for body in bodies {
            let reply = server.handle(request("/api/v1/namespaces/a/events", body), Timestamp::UNIX_EPOCH);
            code = reply.response.status().as_u16();
        }
        assert_eq!((code, memory(&server)), (last, before));
    }
}
