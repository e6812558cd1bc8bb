//! Writes whose object changes between their two phases.

use super::{Outcome, handle_between};
use crate::failure::Failure;
use crate::request::{Incoming, Request, Verb};
use crate::state::State;
use bytes::Bytes;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};

fn state() -> State {
    let mut state = State::default();
    let names = json!({"plural": "widgets", "kind": "Widget"});
    let schema = json!({"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let versions = json!([{"name": "v1", "served": true, "schema": schema, "subresources": {"status": {}}}]);
    let spec = json!({"group": "a.io", "scope": "Cluster", "names": names, "versions": versions});
    state.registry.add_definition(&json!({"spec": spec})).expect("a definition");
    state
}

/// A write of the widget `a`. The state changes between its phases, once.
fn written(
    state: &mut State,
    (verb, query, media_type): (Verb, &str, &str),
    body: &Value,
    between: impl FnOnce(&mut State),
) -> Result<Value, Failure> {
    let request = http::Request::post(format!("/?{query}")).header("content-type", media_type).body(Bytes::new());
    let request = request.expect("a request").map(|_| Bytes::from(body.to_string()));
    let request = Request {
        incoming: &Incoming::new(&request),
        tree: None,
        verb,
        resource: state.registry.get("a.io", "v1", "widgets").expect("the resource").clone(),
        namespace: None,
        name: if verb == Verb::Create { "" } else { "a" },
        subresource: "",
        now: Timestamp::UNIX_EPOCH,
    };
    let mut between = Some(between);
    let (result, _) = handle_between(state, &request, |state| {
        if let Some(between) = between.take() {
            between(state);
        }
    });
    match result? {
        Outcome::Object { object, .. } | Outcome::Plain { body: object, .. } => Ok(object),
        other => panic!("{other:?}"),
    }
}

const CREATE: (Verb, &str, &str) = (Verb::Create, "", "application/json");
const UPDATE: (Verb, &str, &str) = (Verb::Update, "", "application/json");
const MERGE: (Verb, &str, &str) = (Verb::Patch, "", "application/merge-patch+json");
const APPLY: (Verb, &str, &str) = (Verb::Patch, "fieldManager=m", "application/apply-patch+yaml");
const DELETE: (Verb, &str, &str) = (Verb::Delete, "", "application/json");

fn widget(spec: &Value) -> Value {
    json!({"apiVersion": "a.io/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": spec})
}

/// A merge patch that comes between the phases of another write.
fn overtake(state: &mut State) {
    written(state, MERGE, &json!({"spec": {"b": 2}}), |_| ()).expect("a patch");
}

#[test]
fn overtaken_patches_are_made_again_from_the_newer_object() {
    for write in [MERGE, APPLY] {
        let mut state = state();
        written(&mut state, CREATE, &widget(&json!({"a": 1})), |_| ()).expect("a widget");
        let body = if write == MERGE { json!({"spec": {"c": 3}}) } else { widget(&json!({"c": 3})) };
        let before = state.store.version();
        let object = written(&mut state, write, &body, overtake).expect("a patched widget");
        assert_eq!(object["spec"], json!({"a": 1, "b": 2, "c": 3}));
        assert_eq!(state.store.version(), before + 2);
    }
}

#[test]
fn overtaken_updates_that_state_a_version_conflict() {
    let mut state = state();
    let mut object = written(&mut state, CREATE, &widget(&json!({"a": 1})), |_| ()).expect("a widget");
    object["spec"] = json!({});
    let refusal = written(&mut state, UPDATE, &object, overtake).expect_err("a conflict");
    assert_eq!(refusal.code, 409);
}

#[test]
fn a_name_that_is_taken_meanwhile_is_refused() {
    let mut state = state();
    let other = |state: &mut State| drop(written(state, CREATE, &widget(&json!({"b": 2})), |_| ()));
    let refusal = written(&mut state, CREATE, &widget(&json!({})), other).expect_err("a conflict");
    assert_eq!((refusal.code, &refusal.status["reason"]), (409, &json!("AlreadyExists")));
}

#[test]
fn an_object_that_goes_meanwhile_is_not_found() {
    for write in [MERGE, DELETE] {
        let mut state = state();
        written(&mut state, CREATE, &widget(&json!({})), |_| ()).expect("a widget");
        let delete = |state: &mut State| drop(written(state, DELETE, &Value::Null, |_| ()));
        let body = if write == MERGE { json!({"spec": {"c": 3}}) } else { json!({}) };
        let refusal = written(&mut state, write, &body, delete).expect_err("nothing");
        assert_eq!(refusal.code, 404);
    }
}

#[test]
fn deletes_take_the_finalizers_that_came_meanwhile() {
    let mut state = state();
    written(&mut state, CREATE, &widget(&json!({})), |_| ()).expect("a widget");
    let hold = |state: &mut State| {
        let patch = json!({"metadata": {"finalizers": ["a.io/b"]}});
        written(state, MERGE, &patch, |_| ()).expect("a patch");
    };
    let object = written(&mut state, DELETE, &json!({}), hold).expect("the widget");
    assert_eq!(object["metadata"]["finalizers"], json!(["a.io/b"]));
    assert!(object["metadata"]["deletionTimestamp"].is_string());
}
