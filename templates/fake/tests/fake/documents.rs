//! Discovery, and the OpenAPI documents that the server publishes.

use crate::clients::widgets;
use bytes::Bytes;
use http::{HeaderValue, Request};
use kapigen_fake::Server;
use openshift_api::jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

fn get(server: &Server, path: &str) -> Option<Value> {
    let request = Request::get(path).body(Vec::new()).expect("a request");
    let (head, body) = server.handle(request, Timestamp::UNIX_EPOCH).response.into_parts();
    let body = body.into_whole().expect("no stream");
    head.status.is_success().then(|| serde_json::from_slice(&body).expect("JSON"))
}

/// All references in a document.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|value| references(value, found));
        }
        Value::Array(elements) => elements.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn documents_have_the_schemas_that_they_refer_to() {
    let server = widgets().server;
    let index = get(&server, "/openapi/v3").expect("an index");
    let paths = index["paths"].as_object().expect("paths");
    assert_eq!(paths.len(), 4, "{index}");
    for entry in paths.values() {
        let document =
            get(&server, entry["serverRelativeURL"].as_str().expect("a URL")).expect("a document");
        let mut found = BTreeSet::new();
        references(&document, &mut found);
        assert!(!found.is_empty());
        for reference in found {
            let pointer = reference.strip_prefix('#').expect("a local reference");
            assert!(document.pointer(pointer).is_some_and(Value::is_object), "{reference}");
        }
    }
    assert_eq!(get(&server, "/openapi/v3/apis/example.com/v2"), None);
}

#[test]
fn documents_state_kinds_and_parameters() {
    let server = widgets().server;
    let document = get(&server, "/openapi/v3/apis/example.com/v1").expect("a document");
    let kind = json!({"group": "example.com", "version": "v1", "kind": "Widget"});
    let path = &document["paths"]["/apis/example.com/v1/namespaces/{namespace}/widgets/{name}"];
    assert_eq!(path["patch"]["x-kubernetes-group-version-kind"], kind);
    let names: Vec<_> = path["patch"]["parameters"]
        .as_array()
        .expect("parameters")
        .iter()
        .map(|p| &p["name"])
        .collect();
    assert_eq!(names, ["dryRun", "fieldManager", "fieldValidation", "force"]);
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let widget =
        schemas.values().find(|schema| schema["x-kubernetes-group-version-kind"] == json!([kind]));
    let widget = widget.expect("the schema of the kind");
    assert_eq!(
        widget["properties"]["spec"]["properties"]["size"]["description"],
        "Diameter in millimeters."
    );
    let metadata = json!([{"$ref": format!("#/components/schemas/{META}.ObjectMeta")}]);
    assert_eq!(widget["properties"]["metadata"]["allOf"], metadata);
}

#[test]
fn added_documents_are_published_unless_others_are_stated() {
    let server = Server::default();
    let kind = json!({"group": "a.io", "version": "v1", "kind": "A"});
    let paths = json!({"/apis/a.io/v1/as": {"get": {"x-kubernetes-group-version-kind": kind}}});
    let added = json!({"openapi": "3.0.0", "info": {"title": "added"}, "paths": paths});
    server.add_document(&added);
    assert_eq!(get(&server, "/openapi/v3/apis/a.io/v1"), Some(added));
    server.publish("apis/a.io/v1", json!({"openapi": "3.0.0"}));
    assert_eq!(get(&server, "/openapi/v3/apis/a.io/v1"), Some(json!({"openapi": "3.0.0"})));
}

#[test]
fn older_clients_are_given_the_plain_list_of_groups() {
    let server = widgets().server;
    let kind = |version: &str| {
        let accept = format!(
            "application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList,\
             application/json"
        );
        let request =
            Request::get("/apis").header("accept", accept).body(Vec::new()).expect("a request");
        let body = server
            .handle(request, Timestamp::UNIX_EPOCH)
            .response
            .into_body()
            .into_whole()
            .expect("no stream");
        serde_json::from_slice::<Value>(&body).expect("JSON")["kind"].clone()
    };
    assert_eq!([kind("v2"), kind("v2beta1")], ["APIGroupDiscoveryList", "APIGroupList"]);
}

#[test]
fn kubectl_of_old_is_given_an_empty_document() {
    let server = Server::default();
    let asked = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    let request =
        Request::get("/openapi/v2").header("accept", asked).body(Vec::new()).expect("a request");
    let response = server.handle(request, Timestamp::UNIX_EPOCH).response;
    let stated =
        HeaderValue::from_static("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    assert_eq!((response.status().as_u16(), &response.headers()["content-type"]), (200, &stated));
    assert_eq!(response.into_body().into_whole(), Some(Bytes::new()));
    assert_eq!(get(&server, "/openapi/v2").expect("a document")["swagger"], "2.0");
}
