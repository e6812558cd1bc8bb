//! Connections that switch to a web socket, over a service in memory.

use http::header::{SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, UPGRADE};
use http::{Request, Response, StatusCode};
use kapigen_client::streams::Upgraded;
use kapigen_client::{Body, BoxError, Client, Error, ErrorKind};
use kapigen_runtime::__private::Builder;
use kapigen_runtime::streams::accept_key;
use kapigen_runtime::{Operation, Upgrade, Verb};
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tower_service::Service;

static EXEC: Operation =
    Operation::new(Verb::Connect, "exec", "GET", "/api/v1/namespaces/default/pods/web/exec");

fn exec() -> kapigen_runtime::Request<Upgrade> {
    Builder::new(&EXEC, &[]).finish().unwrap()
}

/// A server that switches protocols as its function changes the response.
#[derive(Clone)]
struct Switching<F> {
    change: F,
    /// The ends of the server.
    ends: Arc<Mutex<Vec<DuplexStream>>>,
}

impl<F: FnMut(&mut Response<Body>)> Service<Request<Body>> for Switching<F> {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Ready<Result<Response<Body>, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let offered = request.headers()[SEC_WEBSOCKET_PROTOCOL].to_str().unwrap();
        let key = request.headers()[SEC_WEBSOCKET_KEY].as_bytes();
        let mut response = Response::new(Body::from(Vec::new()));
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = response.headers_mut();
        headers.insert(UPGRADE, "WebSocket".parse().unwrap());
        headers.insert(SEC_WEBSOCKET_ACCEPT, accept_key(key).parse().unwrap());
        let best = offered.split(", ").next().unwrap();
        headers.insert(SEC_WEBSOCKET_PROTOCOL, best.parse().unwrap());
        let (ours, theirs) = duplex(1 << 16);
        response.extensions_mut().insert(Upgraded::new(theirs));
        self.ends.lock().unwrap().push(ours);
        (self.change)(&mut response);
        ready(Ok(response))
    }
}

fn switching<F>(change: F) -> (Client, Arc<Mutex<Vec<DuplexStream>>>)
where
    F: FnMut(&mut Response<Body>) + Clone + Send + 'static,
{
    let ends = Arc::default();
    let client = Client::new(Switching { change, ends: Arc::clone(&ends) });
    (client.timeout(Duration::from_secs(5)), ends)
}

/// Runs a future on a clock that jumps to the next timer.
fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(future)
}

const PROTOCOLS: [&str; 2] = ["v5.channel.k8s.io", "v4.channel.k8s.io"];

#[test]
fn an_upgrade_gives_the_connection_and_the_subprotocol() {
    let (client, ends) = switching(|_| {});
    block_on(async {
        let (upgrade, mut connection) = client.upgrade(exec(), &PROTOCOLS).await.unwrap();
        assert_eq!(upgrade.protocol.as_deref(), Some("v5.channel.k8s.io"));
        let mut server = ends.lock().unwrap().pop().unwrap();
        connection.write_all(b"ping").await.unwrap();
        let mut bytes = [0; 4];
        server.read_exact(&mut bytes).await.unwrap();
        server.write_all(b"pong").await.unwrap();
        drop(server);
        let mut all = Vec::new();
        connection.read_to_end(&mut all).await.unwrap();
        assert_eq!((bytes, all.as_slice()), (*b"ping", &b"pong"[..]));
    });
}

/// The error of an upgrade with a response that is changed.
fn refused(change: impl FnMut(&mut Response<Body>) + Clone + Send + 'static) -> Error {
    block_on(switching(change).0.upgrade(exec(), &PROTOCOLS)).unwrap_err()
}

#[test]
fn an_upgrade_to_something_else_is_an_error() {
    for (name, value, expected) in [
        (UPGRADE, "SPDY/3.1", "the server switched to another protocol than a web socket"),
        (SEC_WEBSOCKET_ACCEPT, "x", "the server accepted a web socket that was not asked for"),
        (
            SEC_WEBSOCKET_PROTOCOL,
            "v9.channel.k8s.io",
            r#"the server chose the subprotocol "v9.channel.k8s.io" of ["v5.channel.k8s.io", "v4.channel.k8s.io"]"#,
        ),
    ] {
        let error = refused(move |response| {
            response.headers_mut().insert(name.clone(), value.parse().unwrap());
        });
        assert!(matches!(error.kind, ErrorKind::Transport(_)), "{error}");
        assert_eq!(
            error.to_string(),
            format!(
                "GET /api/v1/namespaces/default/pods/web/exec: the transport failed: {expected}"
            )
        );
    }
    let none = refused(|response| {
        response.headers_mut().remove(SEC_WEBSOCKET_PROTOCOL);
    });
    assert!(none.to_string().contains("chose none of the subprotocols"), "{none}");
}

#[test]
fn a_service_that_drops_the_connection_is_an_error_with_a_remedy() {
    let error = refused(|response| response.extensions_mut().clear());
    assert!(matches!(error.kind, ErrorKind::Unsendable(_)), "{error}");
    assert!(error.to_string().contains("kapigen_client::streams::Upgraded"), "{error}");
}

#[test]
fn a_refusal_is_typed_and_names_the_right() {
    let status =
        r#"{"kind":"Status","apiVersion":"v1","reason":"Forbidden","message":"no","code":403}"#;
    let error = refused(move |response| {
        *response.status_mut() = StatusCode::FORBIDDEN;
        *response.body_mut() = Body::from(status.as_bytes().to_vec());
    });
    assert!(error.is_forbidden());
    assert!(
        error.to_string().ends_with(
            "403 Forbidden (Forbidden): no (since Kubernetes 1.35 a web socket needs the verb \
         `create`, besides `get`)"
        ),
        "{error}"
    );
    let unknown = refused(|response| *response.status_mut() = StatusCode::NOT_FOUND);
    assert!(unknown.is_not_found() && !unknown.to_string().contains("1.35"), "{unknown}");
}
