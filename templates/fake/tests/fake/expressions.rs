//! Rules of definitions that are expressions, compared with recordings of a real server.

use crate::replay::{self, Documents, Request, Step};
use crate::testing::{self, get, time, whole};
use kapigen_fake::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use test_support::places;

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

/// The causes of a refusal. Servers visit the members of an object in any order.
fn causes(body: &Value) -> Vec<String> {
    let causes = body.pointer("/details/causes").and_then(Value::as_array);
    let mut causes: Vec<_> = causes.into_iter().flatten().map(Value::to_string).collect();
    causes.sort();
    causes
}

/// Only types that a schema states are checked when a definition is made, and types of objects have
/// random names in messages.
const TYPES: &str = "the definition is refused for the type of an expression";
/// Costs of expressions are not estimated when a definition is made.
const COSTS: &str = "the definition is refused for the cost of an expression";

/// The scenarios of which each step that differs does so for a reason.
const DIFFERENCES: [(&str, usize, &str); 13] = [
    ("cost-nested-rule", 0, COSTS),
    ("first-casts", 0, COSTS),
    ("first-concat", 0, TYPES),
    ("first-filter-map", 0, COSTS),
    ("first-message-expression", 0, COSTS),
    ("first-optional-old", 0, COSTS),
    ("first-optionals", 0, TYPES),
    ("first-semver", 0, COSTS),
    ("first-strings", 0, COSTS),
    ("first-transition", 0, COSTS),
    ("first-url", 0, COSTS),
    ("message-expression-cost", 0, COSTS),
    ("strings-join", 0, COSTS),
];

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
    let known = DIFFERENCES.map(|(name, index, _)| (name.to_owned(), index));
    for known in &known {
        assert!(found.contains_key(known), "{known:?} agrees: remove it from the differences");
    }
    found.retain(|step, _| !known.contains(step));
    assert!(found.is_empty(), "{found:#?}");
}
