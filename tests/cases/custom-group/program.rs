//! A user's program for a group of custom resources: every request, and objects that round-trip unchanged.

use case_custom_group::meta_v1::{DeleteOptions, Int64OrString, ObjectMeta, RawJson};
use case_custom_group::params::{CreateParams, DeleteCollectionParams, DeleteParams, GetParams, ListParams};
use case_custom_group::params::{PatchParams, ReplaceParams, WatchParams};
use case_custom_group::scope::Scope;
use case_custom_group::stable_example_com_v1::{Backup, BackupSpec, BackupSpecPolicy, backups};
use case_custom_group::watch::WatchEvent;
use case_custom_group::{Deleted, DeletedCollection, Kind, OPERATIONS, Patch, Resource};
use serde_json::{Value, json};

const ALL: &str = "/apis/stable.example.com/v1/namespaces/shop/backups";
const ONE: &str = "/apis/stable.example.com/v1/namespaces/shop/backups/nightly";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    objects()?;
    collection()?;
    one()?;
    subresources()?;
    assert_eq!(OPERATIONS.len(), 14, "each operation of the document");
    println!("{} of {}: all is well", Backup::PLURAL, Backup::API_VERSION);
    Ok(())
}

/// As a server sends it, with members that no schema names and nulls that mean something.
fn sent() -> Value {
    json!({
        "apiVersion": "stable.example.com/v1", "kind": "Backup", "metadata": {"name": "nightly", "resourceVersion": "7"},
        "spec": {
            "schedule": "@daily", "replicas": 0, "keep": "25%", "policy": "Sometimes",
            "options": {"known": "a", "unknown": {"deep": [1, null, 0.5]}},
            "template": {"apiVersion": "v1", "kind": "Pod", "spec": {}},
            "targets": [{"name": "a", "nodes": {"n1": null, "n2": "x"}}, {"name": "b"}],
        },
        "status": {"replicas": 2, "lastTime": "2026-01-01T00:00:00Z"},
    })
}

fn objects() -> Result<(), Box<dyn std::error::Error>> {
    let backup: Backup = serde_json::from_value(sent())?;
    assert_eq!(serde_json::to_value(&backup)?, sent());
    assert_eq!(backup.spec.policy, Some(BackupSpecPolicy::Other("Sometimes".to_owned())));
    assert!(<<Backup as Resource>::Scope as Scope>::NAMESPACED);
    let wrong = serde_json::from_value::<Backup>(json!({"spec": {"targets": [{"name": 1}]}})).unwrap_err();
    assert!(wrong.to_string().starts_with("spec.targets[0].name: "), "{wrong}");
    Ok(())
}

fn collection() -> Result<(), Box<dyn std::error::Error>> {
    let list = backups::list("shop", &ListParams::default().label_selector("app=web").limit(2))?;
    assert_eq!(list.to_http().uri().to_string(), format!("{ALL}?labelSelector=app%3Dweb&limit=2"));
    // A number of more than 32 bits, as servers take it.
    let mut large = sent();
    large["spec"]["keep"] = json!(8_589_934_592_i64);
    let page = json!({"apiVersion": "stable.example.com/v1", "kind": "BackupList", "metadata": {"continue": "more"},
        "items": [sent(), large]});
    let page = list.decode(&http::Response::new(page.to_string()))?.body;
    assert_eq!(page.items[1].spec.keep, Some(Int64OrString::Int(8_589_934_592)));
    assert_eq!(page.items[0].metadata.name.as_deref(), Some("nightly"));
    assert!(list.next_page(&page)?.is_some_and(|next| next.to_http().uri().to_string().contains("continue=more")));

    let all = backups::list_all_namespaces(&ListParams::default())?;
    assert_eq!(all.to_http().uri(), "/apis/stable.example.com/v1/backups");

    let watch = backups::watch("shop", &WatchParams::default().allow_watch_bookmarks(true))?;
    assert!(watch.to_http().uri().query().is_some_and(|query| query.contains("watch=true")));
    let mut watch = watch.open(http::StatusCode::OK, &http::HeaderMap::new())?.body;
    watch.push(json!({"type": "ADDED", "object": large}).to_string().as_bytes());
    watch.push(b"\n");
    assert!(matches!(watch.next_event(), Some(Ok(WatchEvent::Added(backup))) if backup.spec.replicas == Some(0)));

    let backup = Backup {
        metadata: ObjectMeta { name: Some("nightly".to_owned()), ..ObjectMeta::default() },
        spec: BackupSpec {
            schedule: "@daily".to_owned(),
            keep: Some(3.into()),
            policy: Some(BackupSpecPolicy::Always),
            options: Some(RawJson::from_value(&json!({"known": "a", "other": 1}))),
            ..BackupSpec::default()
        },
        ..Backup::default()
    };
    let create = backups::create("shop", &backup, &CreateParams::default().field_manager("me"))?.to_http();
    assert_eq!((create.method().as_str(), create.uri().to_string()), ("POST", format!("{ALL}?fieldManager=me")));
    let expected = json!({"apiVersion": "stable.example.com/v1", "kind": "Backup", "metadata": {"name": "nightly"},
        "spec": {"schedule": "@daily", "keep": 3, "policy": "Always", "options": {"known": "a", "other": 1}}});
    assert_eq!(serde_json::from_slice::<Value>(create.body())?, expected);

    let delete = backups::delete_collection("shop", &DeleteCollectionParams::default().label_selector("a"))?;
    assert_eq!(delete.to_http().method(), "DELETE");
    // The document describes neither such parameters nor such a body.
    let params = DeleteCollectionParams::default().dry_run(true).grace_period_seconds(0).label_selector("a");
    let dry = backups::delete_collection("shop", &params.clone().propagation_policy("Orphan"))?;
    let query = "dryRun=All&gracePeriodSeconds=0&labelSelector=a&propagationPolicy=Orphan";
    assert_eq!(dry.to_http().uri().to_string(), format!("{ALL}?{query}"));
    let dry = backups::delete_collection("shop", &params.options(DeleteOptions::default()))?.to_http();
    assert_eq!(dry.uri().to_string(), format!("{ALL}?labelSelector=a"));
    let options = json!({"apiVersion": "v1", "kind": "DeleteOptions", "dryRun": ["All"], "gracePeriodSeconds": 0});
    assert_eq!(serde_json::from_slice::<Value>(dry.body())?, options);
    let gone = json!({"apiVersion": "stable.example.com/v1", "kind": "BackupList", "metadata": {}, "items": [sent()]});
    let gone = delete.decode(&http::Response::new(gone.to_string()))?.body;
    assert!(matches!(gone, DeletedCollection::List(list) if list.items.len() == 1));
    Ok(())
}

fn one() -> Result<(), Box<dyn std::error::Error>> {
    let get = backups::get("shop", "nightly", &GetParams::default().resource_version("0"))?;
    assert_eq!(get.to_http().uri().to_string(), format!("{ONE}?resourceVersion=0"));
    let mut backup = get.decode(&http::Response::new(sent().to_string()))?.body;
    backup.spec.replicas = Some(5);

    let replace = backups::replace("shop", "nightly", &backup, &ReplaceParams::default())?.to_http();
    let body: Value = serde_json::from_slice(replace.body())?;
    assert_eq!((&body["spec"]["replicas"], &body["spec"]["options"]["unknown"]["deep"][0]), (&json!(5), &json!(1)));

    let apply =
        backups::patch("shop", "nightly", &Patch::apply(&backup), &PatchParams::default().field_manager("me"))?;
    assert_eq!(apply.to_http().headers()["content-type"], "application/apply-patch+yaml");
    // An empty string that nobody has set is left out; one that has a meaning is kept.
    let applied = |patch: Patch| serde_json::from_slice::<Value>(&patch.body()).map(|body| body["spec"].clone());
    assert_eq!(applied(Patch::apply(&Backup::default()))?, Value::Null);
    assert_eq!(applied(Patch::apply(&Backup::default()).keep("spec.schedule"))?, json!({"schedule": ""}));

    let delete = backups::delete("shop", "nightly", &DeleteParams::default().propagation_policy("Foreground"))?;
    assert_eq!(delete.to_http().method(), "DELETE");
    let status = json!({"apiVersion": "v1", "kind": "Status", "metadata": {}, "status": "Success"});
    let deleted = delete.decode(&http::Response::new(status.to_string()))?.body;
    assert!(matches!(deleted, Deleted::Status(_)));
    let deleted = delete.decode(&http::Response::new(sent().to_string()))?.body;
    assert!(matches!(deleted, Deleted::Object(_)));
    Ok(())
}

fn subresources() -> Result<(), Box<dyn std::error::Error>> {
    let scale = backups::get_scale("shop", "nightly", &GetParams::default())?;
    assert_eq!(scale.to_http().uri().to_string(), format!("{ONE}/scale"));
    let answer = json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {}, "spec": {"replicas": 2}});
    let mut scale = scale.decode(&http::Response::new(answer.to_string()))?.body;
    scale.spec.get_or_insert_default().replicas = Some(3);
    let replace = backups::replace_scale("shop", "nightly", &scale, &ReplaceParams::default())?.to_http();
    assert_eq!(serde_json::from_slice::<Value>(replace.body())?["spec"], json!({"replicas": 3}));

    let change = Patch::merge(&json!({"status": {"replicas": 1}}));
    let status = backups::patch_status("shop", "nightly", &change, &PatchParams::default())?.to_http();
    assert_eq!((status.method().as_str(), status.uri().path()), ("PATCH", format!("{ONE}/status").as_str()));
    Ok(())
}
