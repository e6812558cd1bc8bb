//! Both controllers over the socket of the fake server, through the same faults.

use gateway_api::gateway_networking_v1::gateways;
use gateway_api::jiff::Timestamp;
use gateway_api::params::{DeleteParams, PatchParams};
use gateway_api::{Patch, Request, http::StatusCode};
use gateway_own::{CONTROLLER, FINALIZER, LABEL, MANAGER};
use kapigen_client::Client;
use kapigen_client::kapigen_connect::Config;
use kapigen_fake::{Action, Fault, Server};
use openshift_api::apps_v1::deployments;
use openshift_api::core_v1::services;
use serde_json::{Value, json};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;
use tokio::sync::oneshot::{self, Receiver};

const GROUP: &str = "gateway.networking.k8s.io/v1";

type Run = fn(String, Receiver<()>) -> Pin<Box<dyn Future<Output = ()>>>;

fn own(url: String, stopped: Receiver<()>) -> Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(async move {
        let client = Client::connect_with(Config::of_server(url).unwrap()).unwrap();
        gateway_own::operate(&client, "one", stopped).await.unwrap();
    })
}

fn peer(url: String, stopped: Receiver<()>) -> Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(async move {
        let config = kube::Config::new(url.parse().unwrap());
        let client = kube::Client::try_from(config).unwrap();
        gateway_peer::operate(client, "one", stopped).await.unwrap();
    })
}

fn create(server: &Server, object: Value) {
    server.create(&object).expect("a valid object");
}

/// A request of the test, and not of the controller.
fn handle<T>(server: &Server, request: Result<Request<T>, gateway_api::Error>) {
    let request = request.expect("a request").into_http();
    let reply = server.unrecorded().handle(request, Timestamp::now());
    assert!(reply.response.status().is_success(), "{:?}", reply.response.status());
}

fn make_available(server: &Server, replicas: i32) {
    let status = json!({"status": {"availableReplicas": replicas, "replicas": replicas}});
    let (patch, params) = (Patch::merge(&status), PatchParams::default());
    handle(server, deployments::patch_status("default", "web", &patch, &params));
}

async fn eventually(what: &str, mut is_reached: impl FnMut() -> bool) {
    let wait = async {
        while !is_reached() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), wait).await.expect(what);
}

/// The status of the condition `Programmed`.
fn programmed(server: &Server) -> Option<String> {
    let gateway = server.get_json(GROUP, "Gateway", "default", "web")?;
    let conditions = gateway["status"]["conditions"].as_array()?.clone();
    let condition = conditions.into_iter().find(|condition| condition["type"] == "Programmed")?;
    Some(condition["status"].as_str()?.to_owned())
}

fn server() -> Server {
    let server = Server::new(&[openshift_api::DOCUMENTS, gateway_api::DOCUMENTS]);
    let metadata = json!({"name": "ours"});
    let spec = json!({"controllerName": CONTROLLER});
    create(
        &server,
        json!({"apiVersion": GROUP, "kind": "GatewayClass", "metadata": metadata, "spec": spec}),
    );
    for (name, class) in [("web", "ours"), ("other", "theirs")] {
        let listener = json!({"name": "http", "port": 80, "protocol": "HTTP"});
        let spec = json!({"gatewayClassName": class, "listeners": [listener]});
        let metadata = json!({"name": name, "namespace": "default"});
        create(
            &server,
            json!({"apiVersion": GROUP, "kind": "Gateway", "metadata": metadata, "spec": spec}),
        );
    }
    server
}

async fn faults(run: Run) {
    let server = server();
    let listening = server.listen("127.0.0.1:0").expect("a free port");
    let exit = Arc::new(AtomicI32::new(1));
    let code = exit.clone();
    server.on_exec(move |_| {
        let code = code.load(Ordering::Relaxed);
        async move { Ok(code) }
    });
    let refuse = |status, verb: &str| Fault::new(Action::Refuse(status, None)).verb(verb);
    server.inject(refuse(StatusCode::SERVICE_UNAVAILABLE, "list").times(2));
    server.inject(
        refuse(StatusCode::INTERNAL_SERVER_ERROR, "get").resource("gatewayclasses").times(2),
    );
    server.inject(refuse(StatusCode::CONFLICT, "patch").resource("deployments").times(3));
    let (stop, stopped) = oneshot::channel();
    let controller = run(listening.url(), stopped);

    let test = async {
        let has = |kind| {
            let version = if kind == "Deployment" { "apps/v1" } else { "v1" };
            server.get_json(version, kind, "default", "web").is_some()
        };
        eventually("dependents", || has("Deployment") && has("Service")).await;
        eventually("a status", || programmed(&server).as_deref() == Some("False")).await;

        // A pod whose proxy has no configuration yet, and then has it, while watches break.
        let metadata = json!({"name": "web-0", "namespace": "default", "labels": {LABEL: "web"}});
        let spec = json!({"containers": [{"name": "proxy", "image": "a:1"}]});
        create(
            &server,
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}),
        );
        server.cut_streams();
        make_available(&server, 1);
        let asked = |server: &Server| {
            server
                .requests()
                .iter()
                .filter(|request| request.uri().path().ends_with("/exec"))
                .count()
        };
        eventually("a check", || asked(&server) == 1).await;
        assert_eq!(programmed(&server).as_deref(), Some("False"));
        exit.store(0, Ordering::Relaxed);
        server.inject(
            refuse(StatusCode::INTERNAL_SERVER_ERROR, "patch").resource("gateways").times(2),
        );
        make_available(&server, 2);
        eventually("a programmed gateway", || programmed(&server).as_deref() == Some("True")).await;
        let events =
            || server.requests().iter().filter(|r| r.uri().path().contains("/events")).count();
        eventually("an event", || events() > 0).await;

        // A service that somebody deletes comes back, also where no watch reports the deletion.
        server.cut_streams();
        handle(&server, services::delete("default", "web", &DeleteParams::default()));
        server.compact();
        eventually("the service again", || has("Service")).await;

        handle(&server, gateways::delete("default", "web", &DeleteParams::default()));
        let gateway = || server.get_json(GROUP, "Gateway", "default", "web");
        eventually("the end", || gateway().is_none()).await;
        assert!(!has("Deployment") && !has("Service"), "they go first");
        stop.send(()).expect("the controller runs");
    };
    tokio::join!(controller, test);

    let other = server.get_json(GROUP, "Gateway", "default", "other").expect("it stays");
    // The definition has a default for its status.
    let is_untouched = !other["metadata"].to_string().contains(FINALIZER);
    assert!(is_untouched && !other["status"].to_string().contains("True"), "{other}");
    let lease = server.get_json("coordination.k8s.io/v1", "Lease", "default", MANAGER);
    assert_eq!(lease.expect("a lease")["spec"]["holderIdentity"], "", "another may lead at once");
}

fn block_on(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().expect("a runtime").block_on(test);
}

#[test]
fn the_own_controller_gets_through_faults() {
    block_on(faults(own));
}

#[test]
fn the_peer_gets_through_faults() {
    block_on(faults(peer));
}
