//! kube with generated kinds, against an API server in memory.

mod api; // kube's `Api`.
mod controller; // kube's `Controller`, finalizers and events.
mod conversion; // Objects between generated code, kube and JSON.
mod dynamic; // Objects of any kind as resources of kube.
mod informer; // Informers as sources of kube's reflectors and controllers.
mod masked; // Informers with masks as such sources.

use kapigen_fake::{FakeService, Server};
use kapigen_kube::Kube;
use kube::Client;
use openshift_api::core_v1::{Container, Pod, PodSpec};
use openshift_api::image_v1::Image;
use openshift_api::meta_v1::ObjectMeta;
use serde_json::{Value, json};
use std::time::Duration;

/// A server with the kinds of openshift-api, stars and events.
fn server() -> Server {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    for (group, kind, plural, scope) in [
        ("example.com", "Star", "stars", "Cluster"),
        ("events.k8s.io", "Event", "events", "Namespaced"),
    ] {
        let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let version = json!({"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}});
        let names = json!({"plural": plural, "kind": kind});
        let definition = json!({"spec": {"group": group, "scope": scope, "names": names, "versions": [version]}});
        server.add_definition(&definition).expect("a definition");
    }
    server
}

/// kube's client for a server.
fn client(server: &Server) -> Client {
    Client::new(FakeService::new(server.clone()), "default")
}

fn metadata(name: &str) -> ObjectMeta {
    ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() }
}

fn pod(name: &str) -> Kube<Pod> {
    let container = Container {
        name: "main".to_owned(),
        image: Some("a:1".to_owned()),
        ..Container::default()
    };
    let spec = PodSpec { containers: vec![container], ..PodSpec::default() };
    Pod { metadata: metadata(name), spec: Some(spec.into()), ..Pod::default() }.into()
}

fn image(name: &str) -> Image {
    let reference = format!("registry.example.com/{name}:1");
    Image { metadata: metadata(name), docker_image_reference: Some(reference), ..Image::default() }
}

/// Creates an object on the server, past all clients.
fn create(server: &Server, object: &impl serde::Serialize) -> Value {
    let object = serde_json::to_value(object).expect("JSON");
    server.create(&object).expect("created")
}

/// Waits until something holds.
async fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}
