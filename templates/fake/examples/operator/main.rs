//! The test of an operator, without a cluster.

mod operator;

use kapigen_client::Client;
use kapigen_fake::{Action, FakeService, Fault, Server};
use openshift_api::core_v1::{endpoints, events, pods};
use openshift_api::jiff::Timestamp;
use openshift_api::params::{DeleteParams, ListParams, PatchParams};
use openshift_api::{Patch, Request, http, rbac::Role};
use operator::{FINALIZER, LABEL, MANAGER, operate};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server with the namespaces of the operator. Without the feature `core_v1_namespaces` of
/// openshift-api all namespaces exist.
fn server() -> Server {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    for name in ["default", "operators"] {
        let namespace =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
        server.create(&namespace).expect("a namespace");
    }
    server
}

fn client(server: &Server) -> Client {
    Client::new(FakeService::new(server.clone()))
}

/// An operator that runs.
struct Running {
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<(), kapigen_client::Error>>,
}

impl Running {
    fn start(server: &Server) -> Self {
        let client = client(server);
        let (stop, stopped) = oneshot::channel();
        let shutdown = async { stopped.await.unwrap_or_default() };
        let task = tokio::spawn(async move { operate(&client, "operator-0", shutdown).await });
        Self { stop, task }
    }

    async fn stop(self) {
        self.stop.send(()).expect("the operator runs");
        self.task.await.expect("no panic").expect("an orderly end");
    }
}

/// Creates the pod `web`.
fn create(server: &Server) {
    let metadata = json!({"name": "web", "labels": {LABEL: ""}});
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": []}});
    server.create(&pod).expect("a pod");
}

/// A request of the test, and not of the operator.
fn handle<T>(server: &Server, request: Request<T>) {
    let reply = server.unrecorded().handle(request.into_http(), Timestamp::now());
    assert!(reply.response.status().is_success());
}

fn delete_pod(server: &Server) {
    let params = DeleteParams::default().grace_period_seconds(0);
    handle(server, pods::delete("default", "web", &params).expect("a request"));
}

fn is_ready(pod: Option<Value>) -> bool {
    pod.is_some_and(|pod| pod["status"]["conditions"][0]["type"] == "Reserved")
}

/// Waits until an object is in a state. `Server::wait_until` would block the thread, and the
/// operator with it.
async fn eventually(server: &Server, kind: &str, is_reached: impl Fn(Option<Value>) -> bool) {
    let wait = async {
        while !is_reached(server.get_json("v1", kind, "default", "web")) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), wait)
        .await
        .expect("the state is reached in time");
}

async fn pods_are_held_until_their_address_is_released() {
    let server = server();
    // The first patches fail, and are tried again.
    let refusal = Action::Refuse(http::StatusCode::INTERNAL_SERVER_ERROR, None);
    server.inject(Fault::new(refusal).verb("patch").times(3));
    let operator = Running::start(&server);
    create(&server);
    eventually(&server, "Pod", is_ready).await;
    eventually(&server, "Endpoints", |endpoints| endpoints.is_some()).await;

    // Endpoints that somebody deletes come back, also where no watch reports the deletion.
    server.cut_streams();
    handle(
        &server,
        endpoints::delete("default", "web", &DeleteParams::default()).expect("a request"),
    );
    server.compact();
    eventually(&server, "Endpoints", |endpoints| endpoints.is_some()).await;

    // The pod stays until the operator has removed its finalizer, and its endpoints go before.
    delete_pod(&server);
    assert!(
        server.get_json("v1", "Pod", "default", "web").is_some(),
        "the finalizer holds the pod"
    );
    eventually(&server, "Pod", |pod| pod.is_none()).await;
    assert_eq!(server.get_json("v1", "Endpoints", "default", "web"), None);
    operator.stop().await;
    let lease =
        server.get_json("coordination.k8s.io/v1", "Lease", "operators", MANAGER).expect("a lease");
    assert_eq!(lease["spec"]["holderIdentity"], "", "another process may lead at once");
    the_role_is_that_of_the_requests(&server);
    let events = events::list("default", &ListParams::default()).expect("a request");
    let items = client(&server.unrecorded()).send(events).await.expect("a list").body.items;
    assert_eq!(items.len(), 1, "the event is created");
}

async fn a_pod_that_loses_its_label_is_released() {
    let server = server();
    let operator = Running::start(&server);
    create(&server);
    eventually(&server, "Endpoints", |endpoints| endpoints.is_some()).await;
    let patch = Patch::merge(&json!({"metadata": {"labels": {LABEL: null}}}));
    handle(
        &server,
        pods::patch("default", "web", &patch, &PatchParams::default()).expect("a request"),
    );
    let is_free = |pod: Option<Value>| {
        pod.is_some_and(|pod| !pod["metadata"].to_string().contains(FINALIZER))
    };
    eventually(&server, "Pod", is_free).await;
    eventually(&server, "Endpoints", |endpoints| endpoints.is_none()).await;
    delete_pod(&server);
    assert!(server.get_json("v1", "Pod", "default", "web").is_none(), "nothing holds it");
    operator.stop().await;
}

async fn events_that_are_refused_hold_nothing_up() {
    let server = server();
    server.inject(Fault::new(Action::Refuse(http::StatusCode::FORBIDDEN, None)).resource("events"));
    let operator = Running::start(&server);
    create(&server);
    eventually(&server, "Pod", is_ready).await;
    delete_pod(&server);
    eventually(&server, "Pod", |pod| pod.is_none()).await;
    operator.stop().await;
}

/// Checks that the role grants exactly the requests of the operator. Users may have pods in any
/// namespace.
fn the_role_is_that_of_the_requests(server: &Server) {
    let role = Role::of(&server.distinct_requests()).cluster_wide("default").to_yaml(MANAGER);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/operator/role.yaml");
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    if is_file && std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &role).expect("a file that can be written");
    }
    assert_eq!(std::fs::read_to_string(path).expect("a file"), role, "write it with BLESS=1");
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime")
        .block_on(test);
}

fn main() {
    run(pods_are_held_until_their_address_is_released());
    run(a_pod_that_loses_its_label_is_released());
    run(events_that_are_refused_hold_nothing_up());
    println!("The operator has reserved addresses for pods, and released them.");
}

#[test]
fn the_operator_holds_pods() {
    run(pods_are_held_until_their_address_is_released());
}

#[test]
fn the_operator_releases_pods_without_the_label() {
    run(a_pod_that_loses_its_label_is_released());
}

#[test]
fn the_operator_needs_no_events() {
    run(events_that_are_refused_hold_nothing_up());
}
