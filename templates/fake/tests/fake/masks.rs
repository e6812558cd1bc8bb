//! Requests with masks, from the client to the server: informers, stores, pages, and a server that
//! refuses to leave members out.

use crate::testing::server;
use http::StatusCode;
use kapigen_client::{Client, Run, WorkQueue};
use kapigen_fake::{Action, FakeService, Fault, Server};
use openshift_api::core_v1::{Pod, pods};
use openshift_api::informer::Key;
use openshift_api::mask::{FieldMask, Masked, is_masked};
use openshift_api::meta_v1::{PartialObjectMetadata, PartialObjectMetadataList};
use openshift_api::owners::Owners;
use openshift_api::params::{DeleteParams, GetParams, ListParams, ReplaceParams, WatchParams};
use openshift_api::prelude::*;
use openshift_api::queue::{Handled, Queue};
use openshift_api::request::InvalidRequest;
use openshift_api::store::{Index, Versions};
use openshift_api::{Error, Informer, Store, to_string};
use serde_json::json;
use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

const FINALIZER: &str = "example.com/address";

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime")
        .block_on(future)
}

fn client(server: &Server) -> Client {
    Client::new(FakeService::new(server.clone()))
}

fn create(server: &Server, name: &str, node: &str) {
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": name}},
        "spec": {"nodeName": node, "containers": [{"name": "main", "image": "a:1"}]}});
    server.create(&pod).expect("a pod");
}

/// The pod as the client decodes it by the mask, cloned as by a program.
async fn masked(client: &Client, name: &str) -> Pod {
    let get = pods::get("default", name, &GetParams::default()).expect("a request").masked(&mask());
    client.send(get).await.expect("a pod").body.get().clone()
}

fn mask() -> FieldMask<Pod> {
    FieldMask::only(["spec.nodeName", "metadata.labels"]).expect("paths of pods")
}

/// The headers `Accept` of the requests so far.
fn accepted(server: &Server) -> Vec<String> {
    let accept = |request: &http::Request<_>| {
        request.headers()["accept"].to_str().expect("a string").to_owned()
    };
    server.requests().iter().map(accept).collect()
}

/// Runs two futures until one ends. Returns the result of the first one, if that has ended.
async fn first<T>(one: impl Future<Output = T>, other: impl Future) -> Option<T> {
    let mut one = pin!(one);
    let mut other = pin!(other);
    poll_fn(|context| match one.as_mut().poll(context) {
        Poll::Ready(result) => Poll::Ready(Some(result)),
        Poll::Pending => other.as_mut().poll(context).map(|_| None),
    })
    .await
}

/// Takes events until the store is as it should be.
async fn until(
    informer: &mut Run<Informer<Masked<Pod>>>,
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
        let list =
            pods::list("default", &ListParams::default()).expect("a request").masked(&mask());
        let mut informer = client.informer(list).expect("pods can be watched");
        let node = |pod: &Masked<Pod>| {
            pod.get().spec.iter().filter_map(|spec| spec.node_name.clone()).collect()
        };
        let store = Store::<Masked<Pod>>::with_indexes([Index::new("node", node)]);
        until(&mut informer, &store, Store::is_ready).await;
        let found = store.snapshot().find("node", "n2");
        assert_eq!(found.len(), 1);
        let pod = found[0].get();
        assert_eq!(
            (pod.name(), pod.metadata.labels.as_ref().expect("labels")["app"].as_str()),
            ("b", "b")
        );
        let spec = pod.spec.as_ref().expect("a spec");
        assert!(
            spec.containers.is_empty()
                && pod.status.is_none()
                && pod.metadata.creation_timestamp.is_none()
        );
        assert!(
            is_masked(pod)
                && pods::replace("default", "b", pod, &ReplaceParams::default()).is_err()
        );

        create(&server, "c", "n3");
        until(&mut informer, &store, |store| store.get(&Key::new("default", "c")).is_some()).await;
        let whole =
            client.send(pods::get("default", "c", &GetParams::default()).expect("a request")).await;
        let mut whole = whole.expect("a pod").body;
        assert_eq!(
            whole.spec.as_ref().expect("a spec").containers.len(),
            1,
            "a request without a mask"
        );
        whole.metadata.labels = None;
        let replace =
            pods::replace("default", "c", &whole, &ReplaceParams::default()).expect("a whole pod");
        client.send(replace).await.expect("replaced");
        let labels = |store: &Store<Masked<Pod>>| {
            store.get(&Key::new("default", "c")).map(|pod| pod.get().metadata.labels.clone())
        };
        until(&mut informer, &store, |store| labels(store) == Some(None)).await;
    });
    assert!(
        accepted(&server)
            .iter()
            .any(|accept| accept == "application/json;drop=metadata.managedFields")
    );
}

#[test]
fn machines_remember_servers_that_refuse_to_leave_members_out() {
    let server = server();
    create(&server, "a", "n1");
    server.inject(Fault::new(Action::Refuse(StatusCode::NOT_ACCEPTABLE, None)).times(1));
    run(async {
        let client = client(&server);
        let list =
            || pods::list("default", &ListParams::default()).expect("a request").masked(&mask());
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
        let get =
            || pods::get("default", "a", &GetParams::default()).expect("a request").masked(&mask());
        let pod = client.send(get()).await.expect("a pod").body;
        assert_eq!(pod.get().spec.as_ref().expect("a spec").node_name.as_deref(), Some("n1"));
        assert!(!to_string(pod.get()).contains("main"));
        let other = client.clone();
        other.send(get()).await.expect("a pod");
        let watch =
            pods::watch("default", &WatchParams::default()).expect("a request").masked(&mask());
        let mut watch = other.watch(watch).await.expect("a watch");
        create(&server, "b", "n1");
        assert!(watch.next().await.is_some());
    });
    let plain = "application/json";
    let expected = ["application/json;drop=metadata.managedFields", plain, plain, plain];
    assert_eq!(accepted(&server), expected);
}

#[test]
fn finalizers_of_masked_objects_are_added_and_removed() {
    let server = server();
    create(&server, "a", "n1");
    let is_held =
        || server.get::<Pod>("default", "a").expect("a pod").metadata.has_finalizer(FINALIZER);
    run(async {
        let client = client(&server);
        for held in [true, false] {
            let pod = masked(&client, "a").await;
            client.set_finalizer(&pod, FINALIZER, held).await.expect("set");
            assert_eq!(is_held(), held);
            // It is known to be in this state.
            let pod = masked(&client, "a").await;
            let count = server.requests().len();
            client.set_finalizer(&pod, FINALIZER, held).await.expect("nothing to do");
            assert_eq!(server.requests().len(), count);
        }
        let whole = server.get::<Pod>("default", "a").expect("a pod");
        assert_eq!(whole.spec.expect("a spec").containers.len(), 1, "it was written in whole");
    });
}

#[test]
fn masked_objects_show_that_they_are_being_deleted() {
    let server = server();
    create(&server, "a", "n1");
    run(async {
        let client = client(&server);
        assert_eq!(masked(&client, "a").await.metadata.deletion_timestamp, None);
        client.set_finalizer(&masked(&client, "a").await, FINALIZER, true).await.expect("set");
        client
            .send(pods::delete("default", "a", &DeleteParams::default()).expect("a request"))
            .await
            .expect("deleted");
        let pod = masked(&client, "a").await;
        assert!(pod.metadata.deletion_timestamp.is_some() && pod.metadata.has_finalizer(FINALIZER));
    });
}

#[test]
fn updates_cannot_write_clones_of_masked_objects() {
    let server = server();
    create(&server, "a", "n1");
    run(async {
        let client = client(&server);
        let pod = masked(&client, "a").await;
        let count = server.requests().len();
        let get = pods::get("default", "a", &GetParams::default()).expect("a request");
        let change =
            move |_: &Pod| pods::replace("default", "a", &pod, &ReplaceParams::default()).map(Some);
        let error = client.update(get, change).await.expect_err("it is masked").to_string();
        assert!(
            error.contains("the Pod was decoded by a mask, so to write it would remove"),
            "{error}"
        );
        assert_eq!(server.requests().len(), count + 1, "only the read was sent");
    });
}

#[test]
fn servers_of_tests_refuse_to_store_masked_objects() {
    let server = server();
    create(&server, "a", "n1");
    let mut pod = run(masked(&client(&server), "a"));
    pod.metadata.name = Some("b".to_owned());
    pod.metadata.resource_version = None;
    let error = server.create(&pod).expect_err("it is masked");
    assert!(matches!(&error, Error::Invalid(InvalidRequest::Masked { name: "Pod" })), "{error}");
    assert!(server.get_json("v1", "Pod", "default", "b").is_none());
    // Only that object is refused.
    create(&server, "b", "n1");
}

#[test]
fn masked_dependents_queue_their_owners() {
    let server = server();
    create(&server, "a", "n1");
    let owner =
        server.get::<Pod>("default", "a").expect("a pod").controller_reference().expect("an owner");
    let owners = json!([{"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": owner.uid, "controller": true}]);
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b", "ownerReferences": owners},
        "spec": {"containers": [{"name": "main", "image": "a:1"}]}});
    server.create(&pod).expect("a dependent");
    run(async {
        let client = client(&server);
        let list = || pods::list("default", &ListParams::default()).expect("a request");
        let mask = FieldMask::only(Owners::MEMBERS).expect("paths of pods");
        let queue = WorkQueue::new(Queue::new());
        let seen = RefCell::new(Vec::new());
        let work = queue.run(async |key: Key| {
            seen.borrow_mut().push(key.to_string());
            queue.drain();
            Ok::<_, String>(Handled::Done)
        });
        let owners = || Owners::of_kind::<Pod>().controllers_only();
        let dependents = client.informer(list().masked(&mask)).expect("pods can be watched");
        let error = first(queue.follow_dependents(dependents, owners()), work).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(*seen.borrow(), ["default/a"]);

        // By a mask without the references no pod would have an owner.
        let slim =
            mask.without(["metadata.ownerReferences.kind", "metadata.ownerReferences.controller"]);
        let dependents = client
            .informer(list().masked(&slim.expect("paths of pods")))
            .expect("pods can be watched");
        assert_eq!(
            queue.follow_dependents(dependents, owners()).await.to_string(),
            "the request cannot be made: the mask of dependents leaves out \
             `metadata.ownerReferences.controller`, `metadata.ownerReferences.kind`, by which \
             their owners are found: add `Owners::MEMBERS` to it"
        );
    });
}

/// As the page about big clusters advises: only the metadata of dependents is read.
#[test]
fn dependents_of_which_only_the_metadata_is_read_queue_their_owners() {
    let server = server();
    create(&server, "a", "n1");
    let owner = server.get::<Pod>("default", "a").expect("a pod").owner_reference();
    let uid = owner.expect("an owner").uid;
    let owners = json!([{"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": uid}]);
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b", "ownerReferences": owners},
        "spec": {"containers": [{"name": "main", "image": "a:1"}]}});
    server.create(&pod).expect("a dependent");
    run(async {
        let client = client(&server);
        let list = || {
            let list = pods::list("default", &ListParams::default()).expect("a request");
            list.decode_as::<PartialObjectMetadataList>()
        };
        let queue = WorkQueue::new(Queue::new());
        let seen = RefCell::new(Vec::new());
        let work = queue.run(async |key: Key| {
            seen.borrow_mut().push(key.to_string());
            queue.drain();
            Ok::<_, String>(Handled::Done)
        });
        let dependents = client.informer(list()).expect("pods can be watched");
        let owners = Owners::of_kind::<Pod>();
        let error = first(queue.follow_dependents(dependents, owners), work).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(*seen.borrow(), ["default/a"]);

        let mask = FieldMask::only(["metadata.labels"]).expect("a path of metadata");
        let store = Store::<Masked<PartialObjectMetadata>>::new();
        let whole = Store::<PartialObjectMetadata>::new();
        let informer = client.informer(list().masked(&mask)).expect("pods can be watched");
        let keys = WorkQueue::new(Queue::new());
        let get = pods::get("default", "b", &GetParams::default()).expect("a request");
        let get = get.decode_as::<PartialObjectMetadata>().masked(&mask);
        let seen = client.send(get).await.expect("a pod").body;
        let version = seen.get().metadata.resource_version.clone().expect("a version");
        let key = Key::of(seen.get());
        let waits = async { store.wait_for(&key, &version, Versions::Ordered).await };
        assert!(first(keys.follow(informer, &store), waits).await.is_none());
        let informer = client.informer(list()).expect("pods can be watched");
        let waits = async { whole.wait_for(&key, &version, Versions::Opaque).await };
        assert!(first(keys.follow(informer, &whole), waits).await.is_none());
    });
}

#[test]
fn stores_of_masked_objects_have_indexes_by_path_and_wait_for_versions() {
    let server = server();
    create(&server, "a", "n1");
    let error = Index::by_masked_path("phase", "status.phase", &mask())
        .expect_err("not in the mask")
        .to_string();
    let expected = "the mask does not fit Pod: `status.phase`: the mask leaves it out, so that it \
                    is always empty";
    assert_eq!(error, expected);
    run(async {
        let client = client(&server);
        let list =
            pods::list("default", &ListParams::default()).expect("a request").masked(&mask());
        let mut informer = client.informer(list).expect("pods can be watched");
        assert_eq!(
            (informer.machine().decodes("spec.nodeName"), informer.machine().decodes("spec")),
            (Ok(true), Ok(true))
        );
        assert_eq!(informer.machine().decodes("spec.containers"), Ok(false));
        let nodes =
            Index::by_masked_path("node", "spec.nodeName", &mask()).expect("a path of the mask");
        let labels = Index::by_masked_path("app", "metadata.labels[\"app\"]", &mask())
            .expect("a path of the mask");
        let store = Store::<Masked<Pod>>::with_indexes([nodes, labels]);
        until(&mut informer, &store, Store::is_ready).await;
        let found = |index, value| store.snapshot().find(index, value).len();
        assert_eq!((found("node", "n1"), found("app", "a"), found("app", "b")), (1, 1, 0));

        create(&server, "b", "n1");
        let version = server.version().to_string();
        let key = Key::new("default", "b");
        let events = until(&mut informer, &store, |_| false);
        first(events, store.wait_for(&key, &version, Versions::Ordered)).await;
        assert_eq!(found("node", "n1"), 2);
    });
}
