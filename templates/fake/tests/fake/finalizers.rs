//! Finalizers that a client adds and removes.

use crate::testing::{server, time};
use kapigen_client::Client;
use kapigen_fake::{FakeService, Server};
use openshift_api::core_v1::{Pod, pods};
use openshift_api::params::DeleteParams;
use serde_json::json;

const FINALIZER: &str = "example.com/address";

fn create(server: &Server) -> Pod {
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": []}});
    server.create(&serde_json::from_value::<Pod>(pod).expect("a pod")).expect("a pod")
}

fn delete(server: &Server) {
    let params = DeleteParams::default().grace_period_seconds(0);
    let delete = pods::delete("default", "a", &params).expect("a request").into_http();
    assert!(server.handle(delete, time(0)).response.status().is_success());
}

/// Whether the pod on the server has the finalizer. `None` if there is no pod.
fn is_held(server: &Server) -> Option<bool> {
    server.get::<Pod>("default", "a").map(|pod| pod.metadata.has_finalizer(FINALIZER))
}

fn run(test: impl AsyncFnOnce(Client, Server)) {
    let server = server();
    let client = Client::new(FakeService::new(server.clone()));
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime")
        .block_on(test(client, server));
}

#[test]
fn a_finalizer_holds_an_object_until_it_is_removed() {
    run(async |client, server| {
        let pod = create(&server);
        client.set_finalizer(&pod, FINALIZER, true).await.unwrap();
        assert_eq!(is_held(&server), Some(true));
        let held: Pod = server.get("default", "a").unwrap();
        delete(&server);
        assert_eq!(is_held(&server), Some(true));
        client.set_finalizer(&held, FINALIZER, false).await.unwrap();
        assert_eq!(is_held(&server), None);
        // It is gone, and so is the finalizer.
        client.set_finalizer(&held, FINALIZER, false).await.unwrap();
        assert!(client.set_finalizer(&pod, FINALIZER, true).await.unwrap_err().is_not_found());
    });
}

#[test]
fn nothing_is_requested_for_an_object_that_is_in_the_state() {
    run(async |client, server| {
        let pod = create(&server);
        client.set_finalizer(&pod, FINALIZER, false).await.unwrap();
        assert_eq!(server.requests().len(), 0);
    });
}

#[test]
fn a_new_object_of_the_same_name_gets_no_finalizer() {
    run(async |client, server| {
        let old = create(&server);
        delete(&server);
        create(&server);
        let error = client.set_finalizer(&old, FINALIZER, true).await.unwrap_err();
        assert!(error.is_not_found(), "the object is not held: {error}");
        assert_eq!(is_held(&server), Some(false));
    });
}

#[test]
fn a_new_object_of_the_same_name_keeps_its_finalizer() {
    run(async |client, server| {
        let old = create(&server);
        client.set_finalizer(&old, FINALIZER, true).await.unwrap();
        let old: Pod = server.get("default", "a").unwrap();
        client.set_finalizer(&old, FINALIZER, false).await.unwrap();
        delete(&server);
        let new = create(&server);
        client.set_finalizer(&new, FINALIZER, true).await.unwrap();
        client.set_finalizer(&old, FINALIZER, false).await.unwrap();
        assert_eq!(is_held(&server), Some(true));
    });
}

/// Metadata that was moved elsewhere, as kube has it, shows no finalizer, which is not to be taken
/// for its absence.
#[test]
fn refuses_an_object_without_a_name() {
    run(async |client, server| {
        let error =
            client.set_finalizer(&Pod::default(), FINALIZER, false).await.unwrap_err().to_string();
        assert!(error.starts_with("the request cannot be made"), "{error}");
        assert_eq!(server.requests().len(), 0);
    });
}
