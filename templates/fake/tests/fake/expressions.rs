//! Rules of definitions that are expressions, compared with recordings of a real server.

use crate::replay::{self, Documents, Request, Step};
use crate::testing::{self, get, send, time, whole};
use http::{Method, StatusCode};
use kapigen_fake::Server;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use test_support::places;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// A server with the namespace of the recordings.
fn server(documents: Documents) -> Server {
    let server = Server::new(&[documents, testing::documents()]);
    server.set_time(time(0));
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "cel"}});
    server.create(&namespace).expect("a namespace");
    server
}

/// Sends a request. A replaced object states the current version.
fn reply(server: &Server, request: &Request) -> (u16, Value) {
    let mut body = request.body.clone();
    if request.method == "PUT" && !body["metadata"]["resourceVersion"].is_null() {
        let live = get(server, &request.path).1;
        body["metadata"]["resourceVersion"] = live["metadata"]["resourceVersion"].clone();
        body["metadata"]["uid"] = live["metadata"]["uid"].clone();
    }
    let mut uri = request.path.clone();
    for (index, (name, value)) in request.query.iter().enumerate() {
        uri = format!("{uri}{}{name}={value}", if index == 0 { '?' } else { '&' });
    }
    let mut built = http::Request::builder().method(request.method.as_str()).uri(uri);
    for (name, value) in &request.headers {
        built = built.header(name, value);
    }
    let built = built.body(body.to_string().into_bytes()).expect("a request");
    let (status, body) = whole(server.handle(built, time(0)));
    (status.as_u16(), body)
}

/// The causes of a refusal. Servers visit the members of an object in any order, and number types.
fn causes(body: &Value) -> Vec<String> {
    let number = regex::Regex::new("selfType[0-9]+").expect("a pattern");
    let causes = body.pointer("/details/causes").and_then(Value::as_array);
    let causes = causes.into_iter().flatten().map(Value::to_string);
    let mut causes: Vec<_> =
        causes.map(|cause| number.replace_all(&cause, "selfType").into_owned()).collect();
    causes.sort();
    causes
}

/// The difference of a response from the recorded one. Empty if they agree.
fn difference(step: &Step, (status, body): &(u16, Value)) -> String {
    let Some(recorded) = &step.response else { return String::new() };
    let [wanted, found] = [causes(&recorded.body), causes(body)];
    if recorded.status == *status && wanted == found {
        return String::new();
    }
    let recorded = recorded.status;
    format!("recorded {recorded} {wanted:#?}, found {status} {found:#?} {}", body["message"])
}

/// The warnings of unchanged values, too.
#[test]
fn agree_with_a_real_server() {
    let folder = places::data("cel");
    let documents = replay::documents(&places::data("kubernetes-1.34"));
    let mut agreed = 0;
    let mut found = BTreeMap::new();
    for scenario in replay::scenarios(&folder) {
        let server = server(documents);
        for (index, step) in scenario.steps.iter().enumerate() {
            let difference = difference(step, &reply(&server, &step.request));
            if difference.is_empty() {
                agreed += 1;
            } else {
                found.insert((scenario.name.clone(), index), difference);
            }
        }
    }
    places::log(&format!("{agreed} of {} steps agree", agreed + found.len()));
    assert!(found.is_empty(), "{found:#?}");
}

/// Rules of Gateway API and of others, as they are published.
#[test]
fn definitions_of_projects_are_taken() {
    let server = Server::new(&[replay::documents(&places::data("kubernetes-1.34"))]);
    let mut rules = 0;
    for project in ["cert-manager", "gateway-api", "istio", "keda", "prometheus-operator"] {
        let text = places::text(&places::data(&format!("manifests/{project}/definitions.yaml")));
        for document in serde_yaml::Deserializer::from_str(&text) {
            let definition = Value::deserialize(document).expect("a definition");
            let (code, body) = send(&server, Method::POST, DEFINITIONS, &definition);
            assert_eq!(code, StatusCode::CREATED, "{}", body["message"]);
            rules += definition.to_string().matches("\"rule\":").count();
        }
    }
    assert!(rules > 400, "{rules}");
}
