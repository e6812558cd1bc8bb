//! Objects of kinds that are known at run time only: every verb, informers, and specs of a
//! program's own.

use crate::{block_on, hyper, pod, put, server};
use openshift_api::dynamic::{List, Object, Resource};
use openshift_api::http::Method;
use openshift_api::informer::Event;
use openshift_api::params::{
    CreateParams, DeleteCollectionParams, DeleteParams, GetParams, ListParams, PatchParams,
    ReplaceParams, WatchParams,
};
use openshift_api::prelude::*;
use openshift_api::response::Json;
use openshift_api::scope::AllNamespaces;
use openshift_api::{Deleted, Informer, Patch, Request, Store, WatchEvent};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, PartialEq, Deserialize)]
struct WidgetSpec {
    size: u32,
}

fn widgets() -> Resource {
    Resource::namespaced("example.com", "v1", "Widget", "widgets")
}

fn widget(name: &str, size: u32) -> Object {
    let mut widget = widgets().object(name);
    widget.set("spec.size", size).unwrap();
    widget
}

fn definition() -> Value {
    let size = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": size}}});
    json!({"spec": {
        "group": "example.com", "scope": "Namespaced",
        "names": {"plural": "widgets", "kind": "Widget"},
        "versions": [{"name": "v1", "served": true, "schema": schema}],
    }})
}

#[test]
fn a_custom_resource_is_created_applied_watched_patched_and_deleted() {
    let (server, listening) = server();
    server.add_definition(&definition()).unwrap();
    let client = hyper(&listening.url());
    let widgets = widgets();
    block_on(async {
        let created = widgets.create("default", &widget("a", 1), &CreateParams::default()).unwrap();
        let mut object = client.send(created).await.unwrap().body;
        let version = object.metadata.resource_version.clone().unwrap();
        object.set("spec.size", 2).unwrap();
        let replace =
            || widgets.replace("default", "a", &object, &ReplaceParams::default()).unwrap();
        let replaced = client.send(replace()).await.unwrap().body;
        assert_eq!(replaced.spec_as::<WidgetSpec>().unwrap(), WidgetSpec { size: 2 });
        assert!(client.send(replace()).await.unwrap_err().is_conflict());

        let params = PatchParams::default().field_manager("test");
        let apply = Patch::apply(&widget("b", 5));
        let applied = client
            .send(widgets.patch("default", "b", &apply, &params).unwrap())
            .await
            .unwrap()
            .body;
        assert_eq!(
            applied.metadata.managed_fields.as_ref().unwrap()[0].operation.as_deref(),
            Some("Apply")
        );
        let patch = Patch::merge(&json!({"spec": {"size": 3}}));
        let patched = client
            .send(widgets.patch("default", "a", &patch, &PatchParams::default()).unwrap())
            .await;
        assert_eq!(patched.unwrap().body.get("spec.size").unwrap(), Some(3));

        let params = WatchParams::default().resource_version(version);
        let mut watch = client.watch(widgets.watch(AllNamespaces, &params).unwrap()).await.unwrap();
        let mut seen = Vec::new();
        while seen.len() < 3 {
            match watch.next().await.unwrap().unwrap() {
                WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                    assert_eq!((object.api_version(), object.kind()), ("example.com/v1", "Widget"));
                    seen.push((
                        object.name().to_owned(),
                        object.get::<u32>("spec.size").unwrap().unwrap(),
                    ));
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(seen, [("a".to_owned(), 2), ("b".to_owned(), 5), ("a".to_owned(), 3)]);

        let list = client
            .send(widgets.list(AllNamespaces, &ListParams::default()).unwrap())
            .await
            .unwrap()
            .body;
        assert_eq!((list.kind(), list.items.len()), ("WidgetList", 2));
        let deleted = widgets.delete("default", "a", &DeleteParams::default()).unwrap();
        assert!(matches!(client.send(deleted).await.unwrap().body, Deleted::Status(_)));
        let gone = client
            .send(widgets.get("default", "a", &GetParams::default()).unwrap())
            .await
            .unwrap_err();
        assert!(gone.is_not_found());
        let all = DeleteCollectionParams::default();
        client.send(widgets.delete_collection("default", &all).unwrap()).await.unwrap();
        let mut items =
            client.items(widgets.list("default", &ListParams::default().limit(1)).unwrap());
        assert!(items.next().await.is_none());
    });
}

#[test]
fn items_of_lists_state_their_kind() {
    let (server, listening) = server();
    put(&server, pod("a"));
    put(&server, pod("b"));
    let client = hyper(&listening.url());
    let pods = Resource::namespaced("", "v1", "Pod", "pods");
    let list = || pods.list("default", &ListParams::default().limit(1)).unwrap();
    let identity = |object: &Object| (object.api_version().to_owned(), object.kind().to_owned());
    let expected = ("v1".to_owned(), "Pod".to_owned());
    block_on(async {
        let mut page: List = client.send(list()).await.unwrap().body;
        assert_eq!(identity(&page.items[0]), expected, "servers leave it out");
        assert_eq!(identity(&page.take_items()[0]), expected);
        let mut items = client.items(list());
        let mut count = 0;
        while let Some(item) = items.next().await {
            assert_eq!(identity(&item.unwrap()), expected);
            count += 1;
        }
        assert_eq!(count, 2);
        let mut events = client.run(Informer::new(list()).unwrap().lists());
        while let Some(event) = events.next().await {
            match event {
                Event::Applied { object, .. } => assert_eq!(identity(&object), expected),
                Event::InitDone => break,
                Event::Failed(failure) => panic!("{failure}"),
                _ => {}
            }
        }
    });
}

#[test]
fn objects_are_followed_in_a_store() {
    let (server, listening) = server();
    server.add_definition(&definition()).unwrap();
    let client = hyper(&listening.url());
    let widgets = widgets();
    block_on(async {
        client
            .send(widgets.create("default", &widget("a", 1), &CreateParams::default()).unwrap())
            .await
            .unwrap();
        let mut events =
            client.informer(widgets.list("default", &ListParams::default()).unwrap()).unwrap();
        let store = Store::new();
        while let Some(event) = events.next().await {
            store.apply(&event);
            match event {
                Event::InitDone => {
                    assert_eq!(store.snapshot().len(), 1);
                    client
                        .send(widgets.delete("default", "a", &DeleteParams::default()).unwrap())
                        .await
                        .unwrap();
                }
                Event::Deleted { object, .. } => {
                    assert_eq!(object.unwrap().spec_as::<WidgetSpec>().unwrap().size, 1);
                    break;
                }
                Event::Failed(failure) => panic!("{failure}"),
                _ => {}
            }
        }
        assert_eq!(store.snapshot().len(), 0);
    });
}

#[test]
fn an_update_reads_changes_and_writes_dynamic_objects() {
    let (server, listening) = server();
    server.add_definition(&definition()).unwrap();
    let client = hyper(&listening.url());
    block_on(async {
        let widgets = widgets();
        client
            .send(widgets.create("default", &widget("a", 1), &CreateParams::default()).unwrap())
            .await
            .unwrap();
        let get = widgets.get("default", "a", &GetParams::default()).unwrap();
        let change = move |object: &Object| {
            let mut object = object.clone();
            object.set("spec.size", 9).expect("it has a spec");
            widgets
                .replace(widgets.scope(&object), object.name(), &object, &ReplaceParams::default())
                .map(Some)
        };
        let updated = client.update(get, change).await.unwrap();
        assert_eq!(updated.spec_as::<WidgetSpec>().unwrap().size, 9);
    });
}

#[test]
fn raw_requests_read_any_path() {
    let (_server, listening) = server();
    let client = hyper(&listening.url());
    block_on(async {
        let version = Request::raw(&Method::GET, "/version").unwrap().decode_as::<Json<Value>>();
        assert_eq!(client.send(version).await.unwrap().body.0["major"], "1");
        let nothing =
            client.send(Request::raw(&Method::GET, "/nothing").unwrap()).await.unwrap_err();
        assert!(nothing.is_not_found());
    });
}
