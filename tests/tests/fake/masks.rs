//! Requests with masks, from the client to the server: informers, stores, pages, and a server that refuses to leave
//! members out.

use crate::testing::server;
use http::StatusCode;
use kapigen_client::{Body, Client, Run};
use kapigen_fake::{Action, FakeService, Fault, Server};
use openshift_api::core_v1::{Pod, pods};
use openshift_api::informer::Key;
use openshift_api::mask::{FieldMask, Masked, is_masked};
use openshift_api::params::{GetParams, ListParams, ReplaceParams, WatchParams};
use openshift_api::prelude::*;
use openshift_api::store::Index;
use openshift_api::{Informer, Store, to_string};
use serde_json::json;

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime").block_on(future)
}

fn client(server: &Server) -> Client<FakeService, Body> {
    Client::new(FakeService::new(server.clone()))
}

fn create(server: &Server, name: &str, node: &str) {
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": name}},
        "spec": {"nodeName": node, "containers": [{"name": "main", "image": "a:1"}]}});
    server.create(&pod).expect("a pod");
}

fn mask() -> FieldMask<Pod> {
    FieldMask::only(["spec.nodeName", "metadata.labels"]).expect("paths of pods")
}

/// The headers `Accept` of the requests so far.
fn accepted(server: &Server) -> Vec<String> {
    let accept = |request: &http::Request<_>| request.headers()["accept"].to_str().expect("a string").to_owned();
    server.requests().iter().map(accept).collect()
}

/// Takes events until the store is as it should be.
async fn until(
    informer: &mut Run<Informer<Masked<Pod>>, FakeService, Body>,
    store: &Store<Masked<Pod>>,
    is_done: impl Fn(&Store<Masked<Pod>>) -> bool,
) {
    while !is_done(store) {
        store.apply(&informer.next().await.expect("informers do not end"));
    }
}

#[test]
fn informers_keep_masked_objects_through_changes() {
    let server = server();
    create(&server, "a", "n1");
    create(&server, "b", "n2");
    run(async {
        let client = client(&server);
        let list = pods::list("default", &ListParams::default()).expect("a request").masked(&mask());
        let mut informer = client.informer(list).expect("pods can be watched");
        let node = |pod: &Masked<Pod>| pod.get().spec.iter().filter_map(|spec| spec.node_name.clone()).collect();
        let store = Store::<Masked<Pod>>::with_indexes([Index::new("node", node)]);
        until(&mut informer, &store, Store::is_ready).await;
        let found = store.snapshot().find("node", "n2");
        assert_eq!(found.len(), 1);
        let pod = found[0].get();
        assert_eq!((pod.name(), pod.metadata.labels.as_ref().expect("labels")["app"].as_str()), ("b", "b"));
        let spec = pod.spec.as_ref().expect("a spec");
        assert!(spec.containers.is_empty() && pod.status.is_none() && pod.metadata.creation_timestamp.is_none());
        assert!(is_masked(pod) && pods::replace("default", "b", pod, &ReplaceParams::default()).is_err());

        create(&server, "c", "n3");
        until(&mut informer, &store, |store| store.get(&Key::new("default", "c")).is_some()).await;
        let whole = client.send(pods::get("default", "c", &GetParams::default()).expect("a request")).await;
        let mut whole = whole.expect("a pod").body;
        assert_eq!(whole.spec.as_ref().expect("a spec").containers.len(), 1, "a request without a mask");
        whole.metadata.labels = None;
        let replace = pods::replace("default", "c", &whole, &ReplaceParams::default()).expect("a whole pod");
        client.send(replace).await.expect("replaced");
        let labels = |store: &Store<Masked<Pod>>| {
            store.get(&Key::new("default", "c")).map(|pod| pod.get().metadata.labels.clone())
        };
        until(&mut informer, &store, |store| labels(store) == Some(None)).await;
    });
    assert!(accepted(&server).iter().any(|accept| accept == "application/json;drop=metadata.managedFields"));
}

#[test]
fn machines_remember_servers_that_refuse_to_leave_members_out() {
    let server = server();
    create(&server, "a", "n1");
    server.inject(Fault::new(Action::Refuse(StatusCode::NOT_ACCEPTABLE, None)).times(1));
    run(async {
        let client = client(&server);
        let list = || pods::list("default", &ListParams::default()).expect("a request").masked(&mask());
        let mut informer = client.informer(list()).expect("pods can be watched");
        let store = Store::new();
        until(&mut informer, &store, Store::is_ready).await;
        server.cut_streams();
        create(&server, "b", "n1");
        until(&mut informer, &store, |store| store.get(&Key::new("default", "b")).is_some()).await;
        let refused = accepted(&server).iter().filter(|accept| accept.contains("drop=")).count();
        assert_eq!(refused, 1, "{:?}", accepted(&server));

        server.inject(Fault::new(Action::Refuse(StatusCode::NOT_ACCEPTABLE, None)).times(1));
        let mut items = client.items(list());
        assert_eq!(items.next().await.expect("an item").expect("a pod").get().name(), "a");
    });
}

#[test]
fn clients_remember_servers_that_refuse_to_leave_members_out() {
    let server = server();
    create(&server, "a", "n1");
    server.inject(Fault::new(Action::Refuse(StatusCode::NOT_ACCEPTABLE, None)).times(1));
    run(async {
        let client = client(&server);
        let get = || pods::get("default", "a", &GetParams::default()).expect("a request").masked(&mask());
        let pod = client.send(get()).await.expect("a pod").body;
        assert_eq!(pod.get().spec.as_ref().expect("a spec").node_name.as_deref(), Some("n1"));
        assert!(!to_string(pod.get()).contains("main"));
        let other = client.clone();
        other.send(get()).await.expect("a pod");
        let watch = pods::watch("default", &WatchParams::default()).expect("a request").masked(&mask());
        let mut watch = other.watch(watch).await.expect("a watch");
        create(&server, "b", "n1");
        assert!(watch.next().await.is_some());
    });
    let plain = "application/json";
    let expected = ["application/json;drop=metadata.managedFields", plain, plain, plain];
    assert_eq!(accepted(&server), expected);
}
