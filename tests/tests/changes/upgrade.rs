//! Ownership that moves from updating managers to an applying one.

use kapigen_fake::{ReplyBody, Server};
use kapigen_tests::places;
use openshift_api::change::{Manager, managers};
use openshift_api::coordination_v1::{Lease, leases};
use openshift_api::dynamic::Object;
use openshift_api::jiff::Timestamp;
use openshift_api::params::{CreateParams, GetParams, PatchParams};
use openshift_api::{Patch, Request, from_slice};
use serde_json::{Value, json};
use test_support::samples;

/// All objects with managers in a tree.
fn owned(tree: &Value, found: &mut Vec<Value>) {
    match tree {
        Value::Object(members) => {
            let metadata = &tree["metadata"];
            if metadata["managedFields"].is_array() && metadata["resourceVersion"].is_string() {
                found.push(tree.clone());
            }
            members.values().for_each(|value| owned(value, found));
        }
        Value::Array(elements) => elements.iter().for_each(|value| owned(value, found)),
        _ => {}
    }
}

fn recorded() -> Vec<Value> {
    let mut found = Vec::new();
    for sample in samples::recorded() {
        owned(&sample.value, &mut found);
    }
    for file in places::files(&places::data("behaviours-2"), &["jsonl"]) {
        for line in places::text(&file).lines() {
            let scenario: Value = serde_json::from_str(line).expect("a line is JSON");
            for step in scenario["steps"].as_array().into_iter().flatten() {
                owned(&step["response"], &mut found);
            }
        }
    }
    found
}

fn is(manager: &Manager, name: &str, operation: &str) -> bool {
    manager.name == name && manager.operation == operation && manager.subresource.is_empty()
}

/// The object after a server has made the patch.
fn patched(live: &Value, patch: &Patch) -> Value {
    let mut object = live.clone();
    let operations: json_patch::Patch = serde_json::from_slice(patch.body()).unwrap();
    json_patch::patch(&mut object, &operations).unwrap();
    object
}

#[test]
fn recorded_managers_that_update_become_one_that_applies() {
    let mut upgrades = 0;
    for live in recorded() {
        let Ok(object) = serde_json::from_value::<Object>(live.clone()) else { continue };
        let Ok(before) = managers(&object) else { continue };
        let mut names: Vec<&str> = before.iter().map(|manager| &*manager.name).collect();
        names.dedup();
        for name in names {
            let patch = Patch::upgrade_managers(&object, &[name], "new", "").unwrap();
            let updates: Vec<&Manager> =
                before.iter().filter(|manager| is(manager, name, "Update")).collect();
            let Some(last) = updates.last() else {
                assert_eq!(patch, None, "{name} has updated nothing");
                continue;
            };
            let after: Object = serde_json::from_value(patched(&live, &patch.unwrap())).unwrap();
            let now = managers(&after).unwrap();
            let owner = now
                .iter()
                .find(|manager| is(manager, "new", "Apply"))
                .expect("there is a new owner");
            assert_eq!((&owner.fields, &owner.api_version), (&last.fields, &last.api_version));
            assert!(!now.iter().any(|manager| is(manager, name, "Update")));
            let others = |all: &[Manager]| -> Vec<Manager> {
                let is_other = |manager: &&Manager| {
                    !is(manager, name, "Update") && !is(manager, "new", "Apply")
                };
                all.iter().filter(is_other).cloned().collect()
            };
            assert_eq!(others(&now), others(&before));
            assert_eq!(
                Patch::upgrade_managers(&after, &[name], "new", "").unwrap(),
                None,
                "a second time"
            );
            upgrades += 1;
        }
    }
    assert!(upgrades > 100, "{upgrades}");
}

#[test]
fn an_owner_that_applies_already_owns_both() {
    let entry = |manager: &str, operation: &str, version: &str, fields: Value| json!({"manager": manager, "operation": operation, "apiVersion": version, "fieldsType": "FieldsV1", "fieldsV1": fields});
    let fields = [
        entry("me", "Apply", "v1", json!({"f:spec": {"f:a": {}}})),
        entry("kubectl", "Update", "v1", json!({"f:spec": {"f:b": {}}})),
        entry("old", "Update", "v1beta1", json!({"f:spec": {"f:c": {}}})),
        entry("else", "Update", "v1", json!({"f:spec": {"f:d": {}}})),
    ];
    let live = json!({"metadata": {"resourceVersion": "7", "managedFields": fields}});
    let object: Object = serde_json::from_value(live.clone()).unwrap();
    let patch = Patch::upgrade_managers(&object, &["kubectl", "old"], "me", "").unwrap().unwrap();
    let both = entry("me", "Apply", "v1", json!({"f:spec": {"f:a": {}, "f:b": {}}}));
    assert_eq!(patched(&live, &patch)["metadata"]["managedFields"], json!([both, fields[3]]));
    assert!(Patch::upgrade_managers(&object, &["kubectl"], "me", "status").unwrap().is_none());

    let mut unversioned = object;
    unversioned.metadata.resource_version = None;
    let error = Patch::upgrade_managers(&unversioned, &["kubectl"], "me", "").unwrap_err();
    assert_eq!(
        error.to_string(),
        "metadata.resourceVersion: the object has no version: read it from a server"
    );
}

fn send(server: &Server, request: &Request<Lease>) -> Lease {
    let ReplyBody::Whole(body) =
        server.handle(request.to_http(), Timestamp::UNIX_EPOCH).response.into_body()
    else {
        panic!("a stream")
    };
    from_slice(&body).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&body)))
}

/// The purpose: a label that a program has created, and no longer applies, is removed.
#[test]
fn what_was_created_can_be_removed_by_an_apply() {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    let metadata = json!({"name": "default"});
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata});
    server.create(&namespace).expect("a namespace");
    let labelled: Lease =
        openshift_api::from_str(r#"{"metadata":{"name":"a","labels":{"old":"1"}}}"#).unwrap();
    let plain: Lease = openshift_api::from_str(r#"{"metadata":{"name":"a"}}"#).unwrap();
    let create = CreateParams::default().field_manager("me");
    send(&server, &leases::create("default", &labelled, &create).unwrap());
    let params = PatchParams::default().field_manager("me");
    let apply =
        || send(&server, &leases::patch("default", "a", &Patch::apply(&plain), &params).unwrap());
    assert!(apply().metadata.labels.is_some(), "it is owned by updates still");
    let live = send(&server, &leases::get("default", "a", &GetParams::default()).unwrap());
    let patch = Patch::upgrade_managers(&live, &["me"], "me", "").unwrap().unwrap();
    send(&server, &leases::patch("default", "a", &patch, &PatchParams::default()).unwrap());
    assert_eq!(apply().metadata.labels, None);
}
