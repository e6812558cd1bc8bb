//! The kinds of Kubernetes that the crate contains.

use crate::testing::{get, time};
use http::StatusCode;
use kapigen_fake::Server;
use serde_json::Value;
use test_support::places;

#[test]
fn the_documents_are_the_published_ones() {
    let server = Server::kubernetes();
    server.set_time(time(0));
    let (_, index) = get(&server, "/openapi/v3");
    let folder = places::data("kubernetes-1.36");
    let mut expected = Vec::new();
    for file in places::files(&folder, &["json"]) {
        let path = places::relative(&file, &folder);
        let path = path.strip_suffix(".json").expect("a document").to_owned();
        let (code, document) = get(&server, &format!("/openapi/v3/{path}"));
        let published: Value = serde_json::from_str(&places::text(&file)).expect("JSON");
        assert!(code == StatusCode::OK && document == published, "{path}: {code}");
        expected.push(path);
    }
    let index = index["paths"].as_object().expect("paths");
    let mut listed: Vec<_> = index.keys().filter(|path| path.contains("/v")).cloned().collect();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
}

#[test]
fn objects_of_all_groups_can_be_created() {
    let server = Server::kubernetes();
    for (api_version, kind) in [
        ("v1", "ConfigMap"),
        ("apps/v1", "Deployment"),
        ("batch/v1", "CronJob"),
        ("networking.k8s.io/v1", "Ingress"),
        ("rbac.authorization.k8s.io/v1", "ClusterRole"),
        ("storage.k8s.io/v1", "StorageClass"),
    ] {
        let object =
            serde_json::json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}});
        let created = server.create(&object).expect("an object");
        assert_eq!(created["kind"], kind);
    }
}
