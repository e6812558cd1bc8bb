//! Types of a program's own, with serde's derives: of a custom resource, and of a part of a built-in kind.

use crate::{block_on, hyper, pod, put, server};
use kapigen_client::{Typed, TypedKind};
use openshift_api::informer::Event;
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::params::{CreateParams, DeleteParams, GetParams, ListParams, PatchParams, ReplaceParams};
use openshift_api::scope::{AllNamespaces, DynamicScope, Namespaced};
use openshift_api::{Patch, Store};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Serialize, Deserialize)]
struct Widget {
    metadata: ObjectMeta,
    spec: WidgetSpec,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct WidgetSpec {
    size: u32,
}

impl TypedKind for Widget {
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Widget";
    const PLURAL: &'static str = "widgets";
    type Scope = Namespaced;
}

/// A pod of which only the image matters.
#[derive(Serialize, Deserialize)]
struct SlimPod {
    spec: SlimSpec,
}

#[derive(Serialize, Deserialize)]
struct SlimSpec {
    containers: Vec<SlimContainer>,
}

#[derive(Serialize, Deserialize)]
struct SlimContainer {
    image: String,
}

impl TypedKind for SlimPod {
    const GROUP: &'static str = "";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Pod";
    const PLURAL: &'static str = "pods";
    type Scope = Namespaced;
}

fn widget(name: &str, size: u32) -> Widget {
    Widget { metadata: ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() }, spec: WidgetSpec { size } }
}

fn definition() -> serde_json::Value {
    let size = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": size}}});
    json!({"spec": {
        "group": "example.com", "scope": "Namespaced",
        "names": {"plural": "widgets", "kind": "Widget"},
        "versions": [{"name": "v1", "served": true, "schema": schema}],
    }})
}

#[test]
fn own_types_have_all_verbs() {
    let (server, listening) = server();
    server.add_definition(&definition()).unwrap();
    put(&server, pod("a"));
    let client = hyper(&listening.url());
    block_on(async {
        let created = Typed::create("default", &widget("a", 1), &CreateParams::default()).unwrap();
        let mut object = client.send(created).await.unwrap().body.0;
        object.spec.size = 2;
        let replaced = Typed::replace("default", "a", &object, &ReplaceParams::default()).unwrap();
        assert_eq!(client.send(replaced).await.unwrap().body.0.spec.size, 2);
        let stale = client.send(Typed::replace("default", "a", &object, &ReplaceParams::default()).unwrap()).await;
        assert!(stale.unwrap_err().response().unwrap().is_conflict());
        let patch = Patch::merge(&json!({"spec": {"size": 3}}));
        let patched = Typed::<Widget>::patch("default", "a", &patch, &PatchParams::default()).unwrap();
        assert_eq!(client.send(patched).await.unwrap().body.0.spec.size, 3);
        let list = Typed::<Widget>::list(AllNamespaces, &ListParams::default()).unwrap();
        let list = client.send(list).await.unwrap().body;
        assert_eq!((list.items.len(), &list.items[0].spec), (1, &WidgetSpec { size: 3 }));
        client.send(Typed::<Widget>::delete("default", "a", &DeleteParams::default()).unwrap()).await.unwrap();
        let gone = client.send(Typed::<Widget>::get("default", "a", &GetParams::default()).unwrap()).await;
        assert!(gone.unwrap_err().response().unwrap().is_not_found());
        let slim = Typed::<SlimPod>::get("default", "a", &GetParams::default()).unwrap();
        assert_eq!(client.send(slim).await.unwrap().body.0.spec.containers[0].image, "a:1");
    });
}

#[test]
fn own_types_are_followed_and_reported_once_if_they_cannot_be_decoded() {
    let (server, listening) = server();
    server.add_definition(&definition()).unwrap();
    let bad =
        json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "bad"}, "spec": {"size": "?"}});
    put(&server, bad);
    let client = hyper(&listening.url());
    block_on(async {
        client.send(Typed::create("default", &widget("a", 1), &CreateParams::default()).unwrap()).await.unwrap();
        let informer = Typed::<Widget>::informer("default", &ListParams::default()).unwrap();
        let (mut events, store, mut undecodable) = (client.run(informer), Store::new(), Vec::new());
        while let Some(event) = events.next().await {
            store.apply(&event);
            match event {
                Event::Undecodable { key, error } => undecodable.push(format!("{}: {error}", key.unwrap())),
                Event::InitDone => {
                    client
                        .send(Typed::<Widget>::delete("default", "a", &DeleteParams::default()).unwrap())
                        .await
                        .unwrap();
                }
                Event::Deleted { object, .. } => {
                    assert_eq!(object.unwrap().spec.size, 1);
                    break;
                }
                Event::Failed(failure) => panic!("{failure}"),
                _ => {}
            }
        }
        assert_eq!((undecodable.len(), store.snapshot().len()), (1, 0));
        assert!(
            undecodable[0].starts_with("default/bad: ") && undecodable[0].contains("invalid type"),
            "{undecodable:?}"
        );
    });
}

#[test]
fn scopes_that_do_not_fit_are_refused() {
    let nowhere = DynamicScope { namespace: None };
    assert!(Typed::<Widget>::get(nowhere, "a", &GetParams::default()).is_err());
    assert!(Typed::<Widget>::get("default", "a/b", &GetParams::default()).is_err());
    assert!(Typed::<Widget>::list(nowhere, &ListParams::default()).is_ok());
    // Without a namespace, it is the path of all namespaces, which has no creation.
    assert!(Typed::<Widget>::create(nowhere, &widget("a", 1), &CreateParams::default()).is_err());
}
