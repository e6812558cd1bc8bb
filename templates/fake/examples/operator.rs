//! An operator, and its test without a cluster. Each labelled pod gets endpoints that are deleted with it, a condition
//! in its status, and an event; a finalizer holds a deleted pod until its address is released.

use kapigen_client::{Body, BoxClient, Client, Error, WorkQueue};
use kapigen_fake::{Action, FakeService, Fault, Server};
use openshift_api::core_v1::{Endpoints, Pod, PodCondition, PodStatus, endpoints, events, pods};
use openshift_api::jiff::Timestamp;
use openshift_api::params::{DeleteParams, GetParams, ListParams, PatchParams, ReplaceParams};
use openshift_api::prelude::*;
use openshift_api::queue::Handled;
use openshift_api::{Patch, Queue, Store, http, owners::Owners, rbac::Role, recorder::Recorder};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const FINALIZER: &str = "example.com/address";
const LABEL: &str = "example.com/addresses";
const MANAGER: &str = "addresses";
const CONDITION: &str = "Reserved";

/// Reconciles pods when they or their endpoints change, while this process leads.
async fn control(client: &BoxClient, identity: &str) -> Result<(), Error> {
    let labelled = ListParams::default().label_selector(LABEL);
    let pod_events = client.informer(pods::list_all_namespaces(&labelled)?)?;
    let endpoints_events = client.informer(endpoints::list_all_namespaces(&labelled)?)?;
    let recorder = Mutex::new(Recorder::new(MANAGER, identity));
    let queue = WorkQueue::new(Queue::new().concurrency(4));
    let pods = Store::<Pod>::new();
    tokio::select! {
        error = queue.follow(pod_events, &pods) => Err(error),
        error = queue.follow_dependents(endpoints_events, Owners::of_kind::<Pod>()) => Err(error),
        () = queue.run(async |key| reconcile(client, pods.get(&key), &recorder).await) => Ok(()),
    }
}

/// Brings the server to the state that a pod describes. It can be called at any time, and any number of times.
async fn reconcile(client: &BoxClient, pod: Option<Arc<Pod>>, recorder: &Mutex<Recorder>) -> Result<Handled, Error> {
    let Some(pod) = pod else { return Ok(Handled::Done) };
    let is_live = pod.metadata.deletion_timestamp.is_none();
    match hold(client, &pod, is_live).await {
        Err(error) if error.is_not_found() => return Ok(Handled::Done), // it is gone already
        held if !is_live => return held.map(|_| Handled::Done),
        held => drop(held?),
    }
    let params = PatchParams::default().field_manager(MANAGER).force(true);
    let mut own = Endpoints::default();
    own.metadata.name = Some(pod.name().to_owned());
    own.metadata.labels = Some([(LABEL.to_owned(), String::new())].into());
    own.metadata.owner_references = pod.controller_reference().map(|owner| vec![owner]);
    client.send(endpoints::patch(pod.namespace(), pod.name(), &Patch::apply(&own), &params)?).await?;
    let mut conditions = pod.status.iter().flat_map(|status| status.conditions.iter().flatten());
    if conditions.any(|condition| condition.type_ == CONDITION) {
        return Ok(Handled::Done);
    }
    let message = "an address is reserved";
    let event = recorder.lock().expect("no panic").normal(&*pod, CONDITION, message, Timestamp::now())?;
    if let Some(event) = event {
        client.send(event).await?;
    }
    let condition = PodCondition { type_: CONDITION.to_owned(), status: "True".to_owned(), ..PodCondition::default() };
    let status = PodStatus { conditions: Some(vec![condition]), ..PodStatus::default() };
    let own = Pod { status: Some(Box::new(status)), ..Pod::default() };
    client.send(pods::patch_status(pod.namespace(), pod.name(), &Patch::apply(&own), &params)?).await?;
    Ok(Handled::Done)
}

/// Adds the finalizer, or removes it, again where somebody else has written the pod in between.
async fn hold(client: &BoxClient, pod: &Pod, held: bool) -> Result<Box<Pod>, Error> {
    let get = pods::get(pod.namespace(), pod.name(), &GetParams::default())?;
    let change = move |pod: &Pod| {
        let mut pod = pod.clone();
        let is_changed =
            if held { pod.metadata.add_finalizer(FINALIZER) } else { pod.metadata.remove_finalizer(FINALIZER) };
        let replace = || pods::replace(pod.namespace(), pod.name(), &pod, &ReplaceParams::default());
        is_changed.then(replace).transpose()
    };
    client.update(get, change).await
}

/// Works while this process leads, until `shutdown`, such as a signal of `tokio::signal`.
async fn operate(client: &BoxClient, identity: &str, shutdown: impl Future) -> Result<(), Error> {
    let election = client.elect("operators", MANAGER, identity)?;
    election.lead(|| control(client, identity), shutdown).await?.unwrap_or(Ok(()))
}

/// Waits until an object is in a state. `Server::wait_until` would block the thread, and the operator with it.
async fn eventually(server: &Server, kind: &str, is_reached: impl Fn(Option<Value>) -> bool) {
    let wait = async {
        while !is_reached(server.get_json("v1", kind, "default", "web")) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), wait).await.expect("the state is reached in time");
}

async fn pods_are_held_until_their_address_is_released() {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    // The first patches fail, and are tried again.
    let refusal = Action::Refuse(http::StatusCode::INTERNAL_SERVER_ERROR, None);
    server.inject(Fault::new(refusal).verb("patch").times(3));
    let client = Client::<_, Body>::new(FakeService::new(server.clone())).boxed();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let shutdown = async { stopped.await.unwrap_or_default() };
    let operator = tokio::spawn(async move { operate(&client, "operator-0", shutdown).await });

    let metadata = json!({"name": "web", "labels": {LABEL: ""}});
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": []}});
    server.create(&pod).expect("a pod");
    let is_ready = |pod: &Value| pod["status"]["conditions"][0]["type"] == "Reserved";
    eventually(&server, "Pod", |pod| pod.as_ref().is_some_and(is_ready)).await;
    eventually(&server, "Endpoints", |endpoints| endpoints.is_some()).await;

    // Endpoints that somebody deletes come back, also where no watch reports the deletion.
    server.cut_streams();
    let delete = endpoints::delete("default", "web", &DeleteParams::default()).expect("a request").into_http();
    assert_eq!(server.handle(delete, Timestamp::now()).response.status(), http::StatusCode::OK);
    server.compact();
    eventually(&server, "Endpoints", |endpoints| endpoints.is_some()).await;

    // The pod stays until the operator has removed its finalizer, and its endpoints go with it.
    let params = DeleteParams::default().grace_period_seconds(0);
    let delete = pods::delete("default", "web", &params).expect("a request").into_http();
    assert_eq!(server.handle(delete, Timestamp::now()).response.status(), http::StatusCode::OK);
    assert!(server.get_json("v1", "Pod", "default", "web").is_some(), "the finalizer holds the pod");
    eventually(&server, "Pod", |pod| pod.is_none()).await;
    stop.send(()).expect("the operator runs");
    operator.await.expect("no panic").expect("an orderly end");
    let lease = server.get_json("coordination.k8s.io/v1", "Lease", "operators", MANAGER).expect("a lease");
    assert_eq!(lease["spec"]["holderIdentity"], "", "another process may lead at once");
    the_role_is_that_of_the_requests(&server.requests());
    server.collect_garbage();
    assert_eq!(server.get_json("v1", "Endpoints", "default", "web"), None);
    let events = events::list("default", &ListParams::default()).expect("a request");
    let response = server.handle(events.clone().into_http(), Timestamp::now()).response;
    let response = response.map(|body| body.into_whole().expect("a whole response"));
    assert!(!events.decode(&response).expect("a list").body.items.is_empty(), "the event is created");
}

/// The role is that of the requests of the operator: all but the deletions of the test. The pods of users are in any
/// namespace.
fn the_role_is_that_of_the_requests(requests: &[http::Request<bytes::Bytes>]) {
    let role = Role::of(requests.iter().filter(|request| request.method() != http::Method::DELETE))
        .cluster_wide("default")
        .to_yaml(MANAGER);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/operator.yaml");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &role).expect("a file that can be written");
    }
    assert_eq!(std::fs::read_to_string(path).expect("a file"), role, "write it with BLESS=1");
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(pods_are_held_until_their_address_is_released());
}

#[test]
fn the_operator_works() {
    main();
}
