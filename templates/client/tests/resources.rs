//! Resources that a client finds by name, and requests again.

use bytes::Bytes;
use http_body_util::Full;
use kapigen_client::{BoxError, Client};
use std::future::{Ready, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use tower_service::Service;

/// A server of pods with connections that can be cut.
#[derive(Clone, Default)]
struct Connection {
    is_cut: Arc<AtomicBool>,
    requests: Arc<AtomicUsize>,
}

impl Service<http::Request<Full<Bytes>>> for Connection {
    type Response = http::Response<Full<Bytes>>;
    type Error = BoxError;
    type Future = Ready<Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Full<Bytes>>) -> Self::Future {
        self.requests.fetch_add(1, Ordering::Relaxed);
        if self.is_cut.load(Ordering::Relaxed) {
            return ready(Err("connection reset".into()));
        }
        let groups =
            r#"{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[]}"#;
        let pods = r#"{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{},
            "versions":[{"version":"v1","resources":[{"resource":"pods","scope":"Namespaced","verbs":["get"],
            "responseKind":{"group":"","version":"v1","kind":"Pod"}}]}]}]}"#;
        let body = if request.uri().path() == "/api" { pods } else { groups };
        ready(Ok(http::Response::new(body.into())))
    }
}

fn run(test: impl AsyncFnOnce(Connection)) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(test(Connection::default()));
}

#[test]
fn resources_stay_known_where_they_cannot_be_requested_again() {
    run(async |connection| {
        let mut resources = Client::with_bodies(connection.clone()).resources();
        assert!(resources.resource("pods").await.is_ok());
        connection.is_cut.store(true, Ordering::Relaxed);
        assert!(resources.category("none").await.is_err());
        assert!(resources.resource("none").await.is_err());
        assert!(resources.resource("pods").await.is_ok());
    });
}

#[test]
fn a_name_without_category_is_requested_again_once() {
    run(async |connection| {
        let mut resources = Client::with_bodies(connection.clone()).resources();
        let mut requests = Vec::new();
        for name in ["pods", "stars", "stars", "pods", "pods"] {
            let before = connection.requests.load(Ordering::Relaxed);
            assert!(resources.category(name).await.unwrap().is_empty());
            requests.push(connection.requests.load(Ordering::Relaxed) - before);
        }
        assert_eq!(requests, [2, 2, 0, 2, 0], "of two requests each");
    });
}
