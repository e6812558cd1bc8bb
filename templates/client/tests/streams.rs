//! Connections that switch to a WebSocket, over a service in memory.

use http::header::{SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, UPGRADE};
use http::{Request, Response, StatusCode};
use kapigen_client::streams::{Forward, Process, Upgraded};
use kapigen_client::{Body, BoxError, Client, Error, ErrorKind};
use kapigen_runtime::__private::Builder;
use kapigen_runtime::response::Exec;
use kapigen_runtime::streams::{
    CLOSE, Exit, Frame, Frames, RESIZE, STATUS, STDERR, STDIN, STDOUT, accept_key,
};
use kapigen_runtime::{Operation, Upgrade, Verb};
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tower_service::Service;

static EXEC: Operation =
    Operation::new(Verb::Connect, "exec", "GET", "/api/v1/namespaces/default/pods/web/exec");

fn exec() -> kapigen_runtime::Request<Upgrade<Exec>> {
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
        (UPGRADE, "SPDY/3.1", "the server switched to another protocol than a WebSocket"),
        (SEC_WEBSOCKET_ACCEPT, "x", "the server accepted a WebSocket that was not asked for"),
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
            "403 Forbidden (Forbidden): no (since Kubernetes 1.35 a WebSocket needs the verb \
         `create`, besides `get`)"
        ),
        "{error}"
    );
    for (code, reason) in [(400, "BadRequest"), (404, "NotFound"), (500, "InternalError")] {
        let status = format!(r#"{{"kind":"Status","apiVersion":"v1","reason":"{reason}"}}"#);
        let error = refused(move |response| {
            *response.status_mut() = StatusCode::from_u16(code).unwrap();
            *response.body_mut() = Body::from(status.as_bytes().to_vec());
        });
        let api = error.response().and_then(|error| error.api()).expect("it is typed");
        assert_eq!((api.code.as_u16(), api.reason()), (code, reason));
        assert!(!error.to_string().contains("1.35"), "{error}");
    }
    let whole = refused(|response| *response.status_mut() = StatusCode::OK);
    let code = whole.response().and_then(|error| error.api()).map(|api| api.code);
    assert_eq!(code, Some(StatusCode::OK), "{whole}");
}

#[test]
fn other_subresources_have_the_subprotocol_of_the_caller() {
    let (client, ends) = switching(|_| {});
    let request: kapigen_runtime::Request<Upgrade> = Builder::new(&EXEC, &[]).finish().unwrap();
    let opened = client.upgrade(request, &["plain.kubevirt.io"]);
    let (upgrade, _connection): (Upgrade, _) = block_on(opened).unwrap();
    assert_eq!(upgrade.protocol.as_deref(), Some("plain.kubevirt.io"));
    assert_eq!(ends.lock().unwrap().len(), 1);
}

/// The end of a server.
struct Peer {
    connection: DuplexStream,
    frames: Frames,
}

impl Peer {
    async fn flush(&mut self) {
        while !self.frames.output().is_empty() {
            match self.connection.write(self.frames.output()).await {
                Ok(count) => self.frames.written(count),
                Err(_) => break, // the client has closed
            }
        }
    }

    async fn send(&mut self, channel: u8, bytes: &[u8]) {
        self.frames.send(channel, bytes);
        self.flush().await;
    }

    /// Reports the end of the process, and closes.
    async fn exit(&mut self, status: &str) {
        self.frames.send(STATUS, status.as_bytes());
        self.frames.close(1000, "");
        self.flush().await;
    }

    /// The next message. `None` at the end of the connection.
    async fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        loop {
            match self.frames.next_frame() {
                Ok(Some(Frame::Data(channel, bytes))) => return Some((channel, bytes.to_vec())),
                Ok(None) => self.flush().await, // pongs
                _ => return None,
            }
            let mut bytes = [0; 4096];
            match self.connection.read(&mut bytes).await {
                Ok(0) | Err(_) => return None,
                Ok(count) => self.frames.feed(&bytes[..count]),
            }
        }
    }
}

fn streams<S>(query: &str) -> kapigen_runtime::Request<Upgrade<S>> {
    let path = format!("/api/v1/namespaces/default/pods/web/exec?{query}").leak();
    let operation = Operation::new(Verb::Connect, "exec", "GET", path);
    Builder::new(Box::leak(Box::new(operation)), &[]).finish().unwrap()
}

/// A process, and the server's end of it.
async fn process(query: &str) -> (Process, Peer) {
    let (client, ends) = switching(|_| {});
    let process = client.exec(streams(query)).await.unwrap();
    let connection = ends.lock().unwrap().pop().unwrap();
    (process, Peer { connection, frames: Frames::server() })
}

const SUCCESS: &str = r#"{"status":"Success"}"#;
const EXIT_3: &str = r#"{"status":"Failure","reason":"NonZeroExitCode",
    "details":{"causes":[{"reason":"ExitCode","message":"3"}]}}"#;

#[test]
fn output_is_collected_with_the_exit_code() {
    block_on(async {
        let (process, mut peer) = process("stdin=true&stdout=true&stderr=true").await;
        let server = async {
            peer.send(STDOUT, b"").await;
            for _ in 0..100 {
                peer.send(STDOUT, &[b'o'; 10_000]).await;
                peer.send(STDERR, b"e").await;
            }
            peer.exit(EXIT_3).await;
            assert_eq!(peer.next().await, Some((CLOSE, vec![STDIN])), "nobody took the input");
        };
        let (output, ()) = tokio::join!(process.output(), server);
        let output = output.unwrap();
        assert_eq!(output.exit, Exit::Code(3));
        assert_eq!((output.stdout.len(), output.stderr.len()), (1_000_000, 100));
    });
}

#[test]
fn input_ends_by_a_shutdown() {
    block_on(async {
        let (process, mut peer) = process("stdin=true&stdout=true&tty=true").await;
        let (mut stdin, mut stdout) = (process.stdin().unwrap(), process.stdout().unwrap());
        assert!(process.stdin().is_none() && process.stdout().is_none(), "taken");
        let server = async {
            assert_eq!(peer.next().await, Some((RESIZE, br#"{"Width":80,"Height":24}"#.to_vec())));
            let (mut input, mut message) = (0, peer.next().await.unwrap());
            while message.0 == STDIN {
                input += message.1.len();
                peer.send(STDOUT, &message.1).await;
                message = peer.next().await.unwrap();
            }
            assert_eq!(message, (CLOSE, vec![STDIN]));
            peer.exit(SUCCESS).await;
            input
        };
        let client = async {
            process.resize(80, 24).unwrap();
            let write = async {
                stdin.write_all(&vec![7; 1_000_000]).await.unwrap();
                stdin.shutdown().await.unwrap();
                assert!(stdin.write_all(b"more").await.is_err());
            };
            let mut all = Vec::new();
            let ((), read) = tokio::join!(write, stdout.read_to_end(&mut all));
            read.unwrap();
            (all.len(), process.wait().await.unwrap())
        };
        let ((output, exit), input) = tokio::join!(client, server);
        assert_eq!((output, input, exit), (1_000_000, 1_000_000, Exit::Code(0)));
        assert!(process.resize(80, 24).is_err() && process.stdout().is_none(), "it has ended");
    });
}

#[test]
fn a_handle_that_is_not_read_stops_reading_and_not_writing() {
    block_on(async {
        let (process, mut peer) = process("stdin=true&stdout=true&stderr=true").await;
        let (mut stdin, mut stdout) = (process.stdin().unwrap(), process.stdout().unwrap());
        stdin.write_all(b"go").await.unwrap();
        assert_eq!(peer.next().await, Some((STDIN, b"go".to_vec())));
        // What is sent until nobody takes more, for ten minutes.
        let mut sent = 0;
        while tokio::time::timeout(Duration::from_secs(600), peer.send(STDOUT, &[1; 8192]))
            .await
            .is_ok()
        {
            sent += 8192;
            assert!(sent < 1 << 20, "memory is bounded");
        }
        assert!(process.was_paused() && sent > 256 << 10);
        stdin.write_all(b"still there").await.unwrap();
        let server = async {
            // The rest of the message that did not fit.
            peer.flush().await;
            assert_eq!(peer.next().await, Some((STDIN, b"still there".to_vec())));
            peer.exit(SUCCESS).await;
        };
        let mut all = Vec::new();
        let (read, ()) = tokio::join!(stdout.read_to_end(&mut all), server);
        read.unwrap();
        assert!(all.len() >= sent, "{} of {sent}", all.len());
        assert_eq!(process.wait().await.unwrap(), Exit::Code(0));
    });
}

#[test]
fn a_dropped_handle_is_discarded() {
    block_on(async {
        let (process, mut peer) = process("stdout=true&stderr=true").await;
        let mut stderr = process.stderr().unwrap();
        drop(process.stdout());
        let server = async {
            for _ in 0..100 {
                peer.send(STDOUT, &[1; 10_000]).await;
            }
            peer.send(STDERR, b"done").await;
            peer.exit(SUCCESS).await;
        };
        let mut all = Vec::new();
        let (read, ()) = tokio::join!(stderr.read_to_end(&mut all), server);
        read.unwrap();
        assert_eq!(all, b"done");
        assert!(!process.was_paused() && process.wait().await.unwrap().is_success());
    });
}

/// A peer that sends pings and takes no response is not read any more, and is given up.
#[test]
fn pings_without_end_are_bounded() {
    block_on(async {
        let (process, mut peer) = process("stdout=true").await;
        let flood = async {
            let pings = [&[0x89, 125][..], &[b'x'; 125]].concat().repeat(1000);
            let mut sent = 0;
            while peer.connection.write_all(&pings).await.is_ok() {
                sent += pings.len();
                assert!(sent < 4 << 20, "{sent} bytes of pings are kept");
            }
        };
        let (end, ()) = tokio::join!(process.wait(), flood);
        let error = end.expect_err("nobody reads");
        assert!(error.to_string().contains("took nothing of what was written"), "{error}");
    });
}

#[test]
fn a_connection_that_breaks_is_an_error_after_the_output() {
    block_on(async {
        let (process, mut peer) = process("stdout=true").await;
        let mut stdout = process.stdout().unwrap();
        peer.send(STDOUT, b"half").await;
        drop(peer);
        let mut all = Vec::new();
        let error = stdout.read_to_end(&mut all).await.unwrap_err();
        assert_eq!(all, b"half");
        assert_eq!(error.to_string(), "the connection broke during the session");
        let error = process.wait().await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Transport(_)));
        assert_eq!(
            error.to_string(),
            "GET /api/v1/namespaces/default/pods/web/exec: the transport failed: the connection \
             broke during the session"
        );
    });
}

#[test]
fn a_peer_that_is_silent_is_given_up() {
    block_on(async {
        let (process, _peer) = process("stdout=true").await;
        let start = tokio::time::Instant::now();
        let error = process.wait().await.unwrap_err().to_string();
        assert!(error.ends_with("the peer was silent for 60s"), "{error}");
        assert_eq!(start.elapsed().as_secs(), 60);
    });
}

#[test]
fn dropping_a_process_closes_its_connection() {
    block_on(async {
        let (process, mut peer) = process("stdin=true&stdout=true").await;
        let (mut stdin, mut stdout) = (process.stdin().unwrap(), process.stdout().unwrap());
        drop(process);
        assert_eq!(peer.next().await, None);
        assert!(stdin.write_all(b"x").await.is_err());
        assert!(stdout.read_u8().await.is_err());
    });
}

#[test]
fn v4_has_no_end_of_input() {
    block_on(async {
        let (client, _ends) = switching(|response| {
            let v4 = "v4.channel.k8s.io".parse().unwrap();
            response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, v4);
        });
        let process = client.attach(streams("stdin=true")).await.unwrap();
        let error = process.stdin().unwrap().shutdown().await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
        assert!(error.to_string().contains("v4.channel.k8s.io"), "{error}");
    });
}

const PORT: [u8; 2] = 8080u16.to_le_bytes();

/// A forward, and the server's end of it.
async fn forward() -> (Forward, Peer) {
    let (client, ends) = switching(|response| {
        let v4 = "v4.channel.k8s.io".parse().unwrap();
        response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, v4);
    });
    let forward = client.forward(streams("ports=8080")).await.unwrap();
    let connection = ends.lock().unwrap().pop().unwrap();
    let mut peer = Peer { connection, frames: Frames::server() };
    peer.send(0, &PORT).await;
    peer.send(1, &PORT).await;
    (forward, peer)
}

#[test]
fn a_forward_goes_on_after_its_shutdown() {
    block_on(async {
        let (mut forward, mut peer) = forward().await;
        let server = async {
            assert_eq!(peer.next().await, Some((0, b"GET /".to_vec())));
            for _ in 0..100 {
                tokio::time::sleep(Duration::from_secs(30)).await;
                peer.send(0, &[1; 10_000]).await;
            }
            peer.frames.close(1000, "");
            peer.flush().await;
        };
        let client = async {
            forward.write_all(b"GET /").await.unwrap();
            forward.shutdown().await.unwrap();
            assert!(forward.write_all(b"more").await.is_err());
            let mut all = Vec::new();
            forward.read_to_end(&mut all).await.unwrap();
            all.len()
        };
        let (received, ()) = tokio::join!(client, server);
        assert_eq!(received, 1_000_000);
    });
}

#[test]
fn a_forward_ends_if_the_server_is_idle_after_its_shutdown() {
    block_on(async {
        let (forward, mut peer) = forward().await;
        let mut forward = forward.idle_limit(Duration::from_secs(7));
        tokio::spawn(async move {
            peer.send(0, b"last").await;
            while peer.next().await.is_some() {}
        });
        let start = tokio::time::Instant::now();
        let mut last = [0; 4];
        forward.read_exact(&mut last).await.unwrap();
        let read = tokio::time::timeout(Duration::from_secs(600), forward.read_u8()).await;
        assert!(read.is_err(), "no limit before the shutdown");
        forward.shutdown().await.unwrap();
        assert_eq!(forward.read(&mut last).await.unwrap(), 0);
        assert_eq!((start.elapsed().as_secs(), &last), (607, b"last"));
    });
}

#[test]
fn a_port_that_refuses_is_an_error_of_reading() {
    block_on(async {
        let (mut forward, mut peer) = forward().await;
        peer.send(1, b"connection refused").await;
        let error = forward.read_u8().await.unwrap_err();
        assert_eq!(error.to_string(), "the server does not forward: connection refused");
    });
    for query in ["", "ports=80&ports=81", "ports=x"] {
        let error = block_on(switching(|_| {}).0.forward(streams(query))).unwrap_err();
        assert!(error.to_string().ends_with("a forward is to exactly one port"), "{error}");
    }
}
