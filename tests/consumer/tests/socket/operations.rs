//! All functions of all resources.

use crate::trial::{NAME, NAMESPACE, Sent, Trial};
use crate::{pods, recorded, recorded_json};
use openshift_api::Patch;
use openshift_api::change::PatchOperation;
use openshift_api::meta_v1::{DeleteOptions, Preconditions};
use openshift_api::params::{
    CreateParams, DeleteCollectionParams, DeleteParams, GetParams, LegacyWatchParams, ListParams,
    PatchParams, ReplaceParams, WatchParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Tries the functions of a namespaced resource.
macro_rules! in_namespaces {
    ($trial:ident, $functions:path, $object:ident, $base:literal, $plural:literal) => {{
        use $functions as functions;
        let list = list_of(&$object);
        let all = Sent::new(format!("GET {}/{}?{LIST}", $base, $plural));
        $trial.gives(200, &list, functions::list_all_namespaces(&list_params()), &all);
        let all = Sent::new(format!("GET {}/{}?{WATCH}&watch=true", $base, $plural));
        $trial.streams(&$object, functions::watch_all_namespaces(&watch_params()), &all);
        let all = Sent::new(format!("GET {}/watch/{}?{LEGACY}", $base, $plural));
        #[expect(deprecated)]
        $trial.streams(
            &$object,
            functions::legacy::watch_list_all_namespaces(&legacy_params()),
            &all,
        );
        usual!(
            $trial,
            $functions,
            $object,
            $base,
            concat!("/namespaces/shop/", $plural),
            NAMESPACE
        );
    }};
}

/// Tries the functions that every resource has.
macro_rules! usual {
    ($trial:ident, $functions:path, $object:ident, $base:literal, $rest:expr $(, $namespace:ident)?) => {{
        use $functions as functions;
        let all = format!("{}{}", $base, $rest);
        let list = list_of(&$object);
        let one = format!("{all}/{NAME}");

        let sent = Sent::new(format!("GET {all}?{LIST}"));
        $trial.gives(200, &list, functions::list($($namespace,)? &list_params()), &sent);
        let sent = Sent::new(format!("GET {all}?{WATCH}&watch=true"));
        $trial.streams(&$object, functions::watch($($namespace,)? &watch_params()), &sent);
        let sent = Sent::new(format!("GET {one}?pretty=false&resourceVersion=0"));
        let params = GetParams::default().pretty("false").resource_version("0");
        $trial.gives(200, &$object, functions::get($($namespace,)? NAME, &params), &sent);

        let sent = Sent::new(format!("POST {all}?{WRITE}")).json(&$object);
        $trial.gives(201, &$object, functions::create($($namespace,)? &typed(&$object), &create_params()), &sent);
        let sent = Sent::new(format!("PUT {one}?{WRITE}")).json(&$object);
        let replace = functions::replace($($namespace,)? NAME, &typed(&$object), &replace_params());
        $trial.gives(200, &$object, replace, &sent);
        for (patch, params, query, media_type, body) in patches(&$object) {
            let sent = Sent::new(format!("PATCH {one}?{query}")).body(media_type, &body);
            $trial.gives(200, &$object, functions::patch($($namespace,)? NAME, &patch, &params), &sent);
        }

        let sent = Sent::new(format!("DELETE {one}?{DELETE}"));
        $trial.deletes(&$object, &functions::delete($($namespace,)? NAME, &delete_params()), &sent);
        let sent = Sent::new(format!("DELETE {one}")).json(&delete_body());
        let params = delete_params().options(delete_options());
        $trial.deletes(&$object, &functions::delete($($namespace,)? NAME, &params), &sent);
        let sent = Sent::new(format!("DELETE {all}?{DELETE_ALL}"));
        $trial.deletes_all(&list, &functions::delete_collection($($namespace,)? &delete_all_params()), &sent);
        let sent = Sent::new(format!("DELETE {all}?labelSelector=app%3Dcart")).json(&delete_body());
        let params = delete_all_params().options(delete_options());
        $trial.deletes_all(&list, &functions::delete_collection($($namespace,)? &params), &sent);

        let legacy = format!("{}/watch{}", $base, $rest);
        let sent = Sent::new(format!("GET {legacy}?{LEGACY}"));
        #[expect(deprecated)]
        $trial.streams(&$object, functions::legacy::watch_list($($namespace,)? &legacy_params()), &sent);
        let sent = Sent::new(format!("GET {legacy}/{NAME}?{LEGACY}"));
        #[expect(deprecated)]
        $trial.streams(&$object, functions::legacy::watch($($namespace,)? NAME, &legacy_params()), &sent);
    }};
}

#[test]
fn every_operation_goes_over_a_socket() {
    let mut trial = Trial::new();
    let pod = pod();
    in_namespaces!(trial, openshift_api::core_v1::pods, pod, "/api/v1", "pods");
    pods::subresources(&mut trial, &pod);
    pods::connections(&mut trial);
    let endpoints = recorded_json("endpoints/ports-every-protocol.json");
    in_namespaces!(trial, openshift_api::core_v1::endpoints, endpoints, "/api/v1", "endpoints");
    let event = recorded_json("events/every-field-with-related.json");
    in_namespaces!(trial, openshift_api::core_v1::events, event, "/api/v1", "events");
    let lease = recorded_json("leases/leader-election.json");
    in_namespaces!(
        trial,
        openshift_api::coordination_v1::leases,
        lease,
        "/apis/coordination.k8s.io/v1",
        "leases"
    );
    let image = recorded_json("images/single-manifest-full-metadata.json");
    usual!(trial, openshift_api::image_v1::images, image, "/apis/image.openshift.io/v1", "/images");
    trial.end();
}

/// A pod without members that are `null`, which do not come back.
fn pod() -> Value {
    let watch = recorded("watch/pods-lifecycle-bookmarks.jsonl");
    let event: Value = watch.lines().next().unwrap().parse().unwrap();
    event["object"].clone()
}

/// A list as servers send it: its items have no kind.
fn list_of(object: &Value) -> Value {
    let kind = format!("{}List", object["kind"].as_str().unwrap());
    let mut item = object.clone();
    item.as_object_mut().unwrap().retain(|key, _| key != "kind" && key != "apiVersion");
    let metadata = json!({"resourceVersion": "9001", "continue": "abc", "remainingItemCount": 12});
    json!({"kind": kind, "apiVersion": object["apiVersion"], "metadata": metadata, "items": [item.clone(), item]})
}

pub fn typed<T: DeserializeOwned>(object: &Value) -> T {
    serde_json::from_value(object.clone()).unwrap()
}

const LIST: &str = "fieldSelector=metadata.name%3Dcart-0&labelSelector=app%20in%20%28cart%2C%\
                    20till%29&limit=500&resourceVersion=9000&resourceVersionMatch=NotOlderThan&\
                    timeoutSeconds=30";

fn list_params() -> ListParams {
    ListParams::default()
        .field_selector("metadata.name=cart-0")
        .label_selector("app in (cart, till)")
        .limit(500)
        .resource_version("9000")
        .resource_version_match("NotOlderThan")
        .timeout_seconds(30)
}

const WATCH: &str = "allowWatchBookmarks=true&resourceVersion=9000&\
                     resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=290";

fn watch_params() -> WatchParams {
    WatchParams::default()
        .allow_watch_bookmarks(true)
        .resource_version("9000")
        .resource_version_match("NotOlderThan")
        .send_initial_events(true)
        .timeout_seconds(290)
}

const LEGACY: &str = "fieldSelector=metadata.name%3Dcart-0&resourceVersion=9000&watch=true";

fn legacy_params() -> LegacyWatchParams {
    LegacyWatchParams::default().field_selector("metadata.name=cart-0").resource_version("9000")
}

const WRITE: &str = "dryRun=All&fieldManager=till%2F1&fieldValidation=Strict";

pub fn create_params() -> CreateParams {
    CreateParams::default().dry_run(true).field_manager("till/1").field_validation("Strict")
}

pub fn replace_params() -> ReplaceParams {
    ReplaceParams::default().dry_run(true).field_manager("till/1").field_validation("Strict")
}

/// One patch of each form, with its parameters and the expected query, content type and body.
pub fn patches(object: &Value) -> [(Patch, PatchParams, &'static str, &'static str, Value); 4] {
    let operations = json!([{"op": "test", "path": "/metadata/name", "value": NAME}, {"op": "remove", "path": "/spec"}]);
    let change = json!({"metadata": {"labels": {"app": null, "tier": "front"}}});
    let params = PatchParams::default().field_manager("till").dry_run(true);
    let query = "dryRun=All&fieldManager=till";
    let apply_query = "dryRun=All&fieldManager=till&force=true";
    [
        (
            Patch::json(&PatchOperation::parse_list(&operations).unwrap()),
            params.clone(),
            query,
            "application/json-patch+json",
            operations,
        ),
        (
            Patch::merge(&change),
            params.clone(),
            query,
            "application/merge-patch+json",
            change.clone(),
        ),
        (
            Patch::strategic(&change),
            params.clone(),
            query,
            "application/strategic-merge-patch+json",
            change,
        ),
        (
            Patch::apply(object),
            params.force(true),
            apply_query,
            "application/apply-patch+yaml",
            object.clone(),
        ),
    ]
}

const DELETE: &str = "dryRun=All&gracePeriodSeconds=0&propagationPolicy=Foreground";

fn delete_params() -> DeleteParams {
    DeleteParams::default().dry_run(true).grace_period_seconds(0).propagation_policy("Foreground")
}

const DELETE_ALL: &str =
    "dryRun=All&gracePeriodSeconds=0&labelSelector=app%3Dcart&propagationPolicy=Foreground";

fn delete_all_params() -> DeleteCollectionParams {
    DeleteCollectionParams::default()
        .dry_run(true)
        .grace_period_seconds(0)
        .label_selector("app=cart")
        .propagation_policy("Foreground")
}

fn delete_options() -> DeleteOptions {
    let preconditions =
        Preconditions { uid: Some("15b9c63f".to_owned()), ..Preconditions::default() };
    DeleteOptions { preconditions: Some(Box::new(preconditions)), ..DeleteOptions::default() }
}

/// Next to a body servers do not look at the query for these options, so all of them are in the
/// body.
fn delete_body() -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "DeleteOptions",
        "dryRun": ["All"],
        "gracePeriodSeconds": 0,
        "propagationPolicy": "Foreground",
        "preconditions": {"uid": "15b9c63f"}
    })
}
