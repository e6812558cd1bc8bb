//! Objects of any kind as resources of kube.

use crate::{client, create, pod, server};
use futures::{StreamExt, TryStreamExt};
use kapigen_kube::{KubeObject, KubeService, dynamic_watcher_events};
use kapigen_runtime::dynamic::{Object, Resource};
use kapigen_runtime::scope::Cluster;
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::{WatchStreamExt, reflector, watcher};
use kube::{Resource as _, ResourceExt};
use openshift_api::core_v1::Pod;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;

fn stars() -> Resource {
    Resource::cluster("example.com", "v1", "Star", "stars")
}

fn star(name: &str, size: u8) -> KubeObject {
    let mut star = KubeObject::new(name, &stars());
    star.set("spec.size", size).expect("a path");
    star
}

#[test]
fn resources_are_identified_as_those_of_types() {
    let pods = Resource::of::<Pod>();
    let paths = [KubeObject::url_path(&pods, Some("a")), KubeObject::url_path(&stars(), None)];
    assert_eq!(paths, ["/api/v1/namespaces/a/pods", "/apis/example.com/v1/stars"]);
    assert_eq!(
        (KubeObject::api_version(&stars()), KubeObject::kind(&stars())),
        ("example.com/v1".into(), "Star".into())
    );
}

#[tokio::test]
async fn reads_and_writes() {
    let server = server();
    let api: Api<KubeObject> = Api::all_with(client(&server), &stars());
    let created = api.create(&PostParams::default(), &star("sun", 3)).await.unwrap();
    assert!(created.uid().is_some() && created.get::<u8>("spec.size").unwrap() == Some(3));
    assert_eq!(api.get("sun").await.unwrap(), created);
    let change = Patch::Merge(json!({"metadata": {"labels": {"app": "web"}}}));
    let mut patched = api.patch("sun", &PatchParams::default(), &change).await.unwrap();
    patched.labels_mut().insert("tier".to_owned(), "front".to_owned());
    patched.set("spec.size", 4).unwrap();
    let replaced = api.replace("sun", &PostParams::default(), &patched).await.unwrap();
    assert_eq!((replaced.labels().len(), replaced.get::<u8>("spec.size").unwrap()), (2, Some(4)));
    let applied = api
        .patch("moon", &PatchParams::apply("tests"), &Patch::Apply(&star("moon", 1)))
        .await
        .unwrap();
    assert_eq!(applied.into_inner().metadata.managed_fields.unwrap().len(), 1);
    let list = api.list(&ListParams::default()).await.unwrap();
    assert_eq!(list.iter().map(ResourceExt::name_any).collect::<Vec<_>>(), ["moon", "sun"]);
    api.delete("sun", &DeleteParams::default()).await.unwrap();
    assert!(api.get_opt("sun").await.unwrap().is_none());

    create(&server, &pod("web"));
    let pods: Api<KubeObject> =
        Api::default_namespaced_with(client(&server), &Resource::of::<Pod>());
    let image = pods.get("web").await.unwrap().get::<String>("spec.containers[0].image").unwrap();
    assert_eq!(image.as_deref(), Some("a:1"));
}

#[tokio::test]
async fn controllers_reconcile_objects_of_any_kind() {
    let server = server();
    create(&server, &star("sun", 3));
    let api: Api<KubeObject> = Api::all_with(client(&server), &stars());
    let controller = Controller::new_with(api, watcher::Config::default(), stars());
    let store = controller.store();
    let reconcile =
        async |_: Arc<KubeObject>, _: Arc<()>| Ok::<_, Infallible>(Action::await_change());
    let run = controller.run(reconcile, |_, _, _| Action::await_change(), Arc::new(()));
    let mut done = run.map(|done| done.expect("reconciled").0.name).boxed();
    assert_eq!(done.next().await.as_deref(), Some("sun"));
    assert_eq!(store.state()[0].get::<u8>("spec.size").unwrap(), Some(3));
}

#[tokio::test]
async fn informers_feed_reflectors() {
    let server = server();
    create(&server, &star("sun", 3));
    let list = stars().list(Cluster, &kapigen_runtime::params::ListParams::default()).unwrap();
    let informer = kapigen_client::Client::with_bodies(KubeService::new(client(&server)))
        .informer(list)
        .unwrap();
    let writer = reflector::store::Writer::<KubeObject>::new(stars());
    let store = writer.as_reader();
    let mut applied = reflector(writer, dynamic_watcher_events(informer)).applied_objects().boxed();
    assert_eq!(applied.try_next().await.unwrap().unwrap().name_any(), "sun");
    create(&server, &star("moon", 1));
    assert_eq!(applied.try_next().await.unwrap().unwrap().name_any(), "moon");
    assert_eq!(store.state().len(), 2);
}

#[test]
fn keeps_what_kube_has_no_field_for() {
    let text = r#"{"apiVersion":"example.com/v1","kind":"Star","metadata":{"name":"sun","shard":"a","managedFields":[{"manager":"m"}],"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"u","new":1}]},"spec":{"size":1.50}}"#;
    let star: KubeObject = serde_json::from_str(text).unwrap();
    let same = |text: &str| serde_json::from_str::<Object>(text).unwrap();
    assert_eq!(same(&serde_json::to_string(&star).unwrap()), same(text));
    assert_eq!(star.clone().into_inner(), same(text));
    assert_eq!(KubeObject::from(star.clone().into_inner()), star);
}

#[test]
fn paths_lead_into_the_metadata_of_kube() {
    let mut sun = star("sun", 3);
    for path in ["metadata.name", r#"["metadata"].name"#] {
        assert_eq!(sun.get::<String>(path).unwrap().as_deref(), Some("sun"), "{path}");
    }
    sun.set("metadata.labels.tier", "hot").unwrap();
    sun.set("metadata.shard", "a").unwrap();
    assert_eq!(sun.labels()["tier"], "hot");
    let written = serde_json::to_value(&sun).unwrap();
    assert_eq!(
        written["metadata"],
        json!({"name": "sun", "labels": {"tier": "hot"}, "shard": "a"})
    );
    assert!(
        sun.remove("metadata.labels.tier").unwrap() && !sun.remove("metadata.labels.tier").unwrap()
    );
    let before = sun.clone();
    sun.set("metadata.name", json!({})).unwrap_err();
    assert_eq!(sun, before);
    assert_eq!(sun.into_inner().get::<String>("metadata.shard").unwrap().as_deref(), Some("a"));
}
