//! Frames of clients that are meant to do harm: the session ends, or goes on without them.

use crate::testing::{pod, request, server, time};
use http::{HeaderValue, Method, StatusCode};
use kapigen_fake::streams::{Process, Script};
use kapigen_fake::{Server, Session};
use kapigen_runtime::streams::{CLOSE, Frame, Frames, RESIZE, STATUS, STDERR, STDIN, STDOUT};
use proptest::prelude::*;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::task::JoinHandle;
use tokio::time::timeout;

const EXEC: &str = "exec?command=cat&stdin=true&stdout=true&stderr=true";
const LONG: Duration = Duration::from_secs(3600);

/// Counts the processes that run.
#[derive(Clone, Default)]
struct Count(Arc<AtomicUsize>);

impl Drop for Count {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A server of which each process and port repeats its input, and the number that run.
fn repeating() -> (Server, Arc<AtomicUsize>) {
    let server = server();
    server.create(&pod("web")).expect("a pod");
    let running = Arc::new(AtomicUsize::new(0));
    let count = running.clone();
    server.on_exec(move |process: Process| {
        count.fetch_add(1, Ordering::Relaxed);
        let counted = Count(count.clone());
        async move {
            let _counted = counted;
            Script::default().echo().run(process).await
        }
    });
    server.on_forward(|forwarded| Script::default().echo().serve(forwarded));
    (server, running)
}

fn session(server: &Server, query: &str, protocol: &'static str) -> Session {
    let path = format!("/api/v1/namespaces/default/pods/web/{query}");
    let mut request = request(Method::GET, &path, &Value::Null);
    for (name, value) in [
        ("connection", "Upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("sec-websocket-protocol", protocol),
    ] {
        request.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    let reply = server.handle(request, time(0));
    assert_eq!(reply.response.status(), StatusCode::SWITCHING_PROTOCOLS);
    reply.session.expect("a session")
}

fn start(server: &Server, query: &str, protocol: &'static str) -> (DuplexStream, JoinHandle<()>) {
    let (client, own) = duplex(1 << 16);
    (client, tokio::spawn(session(server, query, protocol).run(own)))
}

/// A frame of a client as it is sent, with a mask of zeros.
fn frame(first: u8, length: &[u8], content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first, 0x80 | length[0]];
    bytes.extend_from_slice(&length[1..]);
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(content);
    bytes
}

/// Sends bytes to a session, and returns all that comes, as far as it is frames.
async fn answered(server: &Server, query: &str, bytes: &[u8]) -> Vec<Frame> {
    let (mut client, running) = start(server, query, "v4.channel.k8s.io");
    // It may end before it has everything.
    let _ = client.write_all(bytes).await;
    let mut answer = Vec::new();
    timeout(LONG, client.read_to_end(&mut answer)).await.expect("an end").expect("a connection");
    timeout(LONG, running).await.expect("an end").expect("no panic");
    let mut frames = Frames::client();
    frames.feed(&answer);
    std::iter::from_fn(|| frames.next_frame().expect("frames")).collect()
}

#[tokio::test(start_paused = true)]
async fn broken_frames_end_the_session() {
    let (server, running) = repeating();
    let huge = [127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    let large = [127, 0, 0, 0, 0, 0, 0x20, 0, 0];
    // In parts of 64 KiB: each is allowed, all together are not.
    let part = frame(0x02, &[127, 0, 0, 0, 0, 0, 1, 0, 0], &vec![0; 1 << 16]);
    let next = [&[0x00], &part[1..]].concat();
    let parts = [&part[..], &next.repeat(17)].concat();
    let cases = [
        ("a huge length", frame(0x82, &huge, b"\0x")),
        ("more than a message has", frame(0x82, &large, b"\0x")),
        ("a message in many parts", parts),
        ("without a mask", vec![0x82, 2, STDIN, b'x']),
        ("a bit of an extension", frame(0xc2, &[2], &[STDIN, b'x'])),
        ("an unknown operation", frame(0x83, &[2], &[STDIN, b'x'])),
        ("a long ping", frame(0x89, &[126, 0, 200], &[0; 200])),
        ("a ping in parts", frame(0x09, &[1], b"x")),
        ("no text", frame(0x81, &[2], &[0xff, 0xff])),
        ("the next part of nothing", frame(0x80, &[2], &[STDIN, b'x'])),
    ];
    for query in [EXEC, "portforward?ports=80"] {
        for (what, bytes) in &cases {
            let answer = answered(&server, query, bytes).await;
            let Some(Frame::Closed(1002, why)) = answer.last() else {
                panic!("{query}, {what}: {answer:?}")
            };
            assert!(!why.is_empty(), "{what}");
        }
    }
    assert_eq!(running.load(Ordering::Relaxed), 0, "no process is left");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_within_a_frame_is_gone() {
    let (server, running) = repeating();
    let whole = frame(0x82, &[126, 1, 0], &[STDIN; 256]);
    for length in [0, 1, 2, 5, 100] {
        let (mut client, session) = start(&server, EXEC, "v5.channel.k8s.io");
        client.write_all(&whole[..length]).await.expect("room");
        drop(client);
        timeout(LONG, session).await.expect("an end").expect("no panic");
        assert_eq!(running.load(Ordering::Relaxed), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn what_no_client_sends_is_ignored() {
    let (server, _) = repeating();
    let mut frames = Frames::client();
    for (channel, bytes) in [
        (STDOUT, &b"no"[..]),
        (STDERR, b"no"),
        (STATUS, br#"{"status":"Success"}"#),
        (9, b"no"),
        (254, b""),
        (RESIZE, b"wide"),
        (RESIZE, br#"{"Width":-1,"Height":1e9}"#),
        (RESIZE, &b"[".repeat(100_000)),
        (CLOSE, b""),
        (CLOSE, &[STDOUT]),
        (CLOSE, &[STDIN, STDIN]),
        (STDIN, b""),
        (STDIN, b"yes"),
        (CLOSE, &[STDIN]),
        (CLOSE, &[STDIN]),
        (STDIN, b"late"),
    ] {
        frames.send(channel, bytes);
    }
    let (mut client, session) = start(&server, EXEC, "v5.channel.k8s.io");
    // An empty message has no channel. Text is taken as bytes.
    client.write_all(&frame(0x82, &[0], b"")).await.expect("room");
    client.write_all(&frame(0x81, &[5], b"\0text")).await.expect("room");
    client.write_all(frames.output()).await.expect("room");
    let mut answer = Vec::new();
    let read = timeout(LONG, client.read_to_end(&mut answer)).await;
    read.expect("an end").expect("a connection");
    session.await.expect("no panic");
    frames.feed(&answer);
    let (mut output, mut status) = (Vec::new(), Vec::new());
    while let Some(Frame::Data(channel, bytes)) = frames.next_frame().expect("frames") {
        match channel {
            STDOUT => output.extend_from_slice(&bytes),
            STATUS => status.extend_from_slice(&bytes),
            _ => panic!("{channel}: {bytes:?}"),
        }
    }
    let status: Value = serde_json::from_slice(&status).expect("one status");
    assert_eq!((&*output, &status["status"]), (&b"textyes"[..], &"Success".into()));
}

/// A client that reads nothing is not read any more, once the responses to its pings are many.
#[tokio::test(start_paused = true)]
async fn pings_without_end_are_bounded() {
    let (server, _) = repeating();
    let (mut client, _session) = start(&server, EXEC, "v5.channel.k8s.io");
    let pings = frame(0x89, &[125], &[b'x'; 125]).repeat(1000);
    let mut sent = 0;
    while timeout(LONG, client.write_all(&pings)).await.is_ok() {
        sent += pings.len();
        assert!(sent < 4 << 20, "{sent} bytes of pings are kept");
    }
}

/// Without its end it would wait for the close frame of a client that always sends something else.
#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_close_is_left() {
    let (server, _) = repeating();
    server.on_exec(|process| Script::default().run(process));
    let (client, session) = start(&server, EXEC, "v5.channel.k8s.io");
    let (mut read, mut write) = tokio::io::split(client);
    let flood = tokio::spawn(async move {
        let input = frame(0x82, &[126, 4, 0], &[STDIN; 1024]).repeat(16);
        while write.write_all(&input).await.is_ok() {}
    });
    let drain = tokio::spawn(async move { read.read_to_end(&mut Vec::new()).await });
    // The clock does not jump while there is something to do.
    for _ in 0..5 {
        tokio::task::yield_now().await;
    }
    assert!(!session.is_finished(), "it waits for the close frame");
    tokio::time::advance(Duration::from_secs(11)).await;
    session.await.expect("no panic");
    drain.await.expect("no panic").expect("a connection");
    flood.await.expect("no panic");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A session ends when its client is gone, after any bytes, in frames or not.
    #[test]
    fn any_bytes_have_an_end(
        messages in prop::collection::vec((any::<u8>(), prop::collection::vec(any::<u8>(), 0..300)), 0..8),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        is_forward: bool,
    ) {
        let mut frames = Frames::client();
        for (channel, bytes) in &messages {
            frames.send(*channel, bytes);
        }
        let mut bytes = frames.output().to_vec();
        for (index, byte) in changes {
            if !bytes.is_empty() {
                let index = index.index(bytes.len());
                bytes[index] = byte;
            }
        }
        let (server, running) = repeating();
        let query = if is_forward { "portforward?ports=80&ports=81" } else { EXEC };
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().start_paused(true).build().expect("a runtime");
        runtime.block_on(async {
            let (mut client, session) = start(&server, query, "v4.channel.k8s.io");
            let _ = client.write_all(&bytes).await;
            drop(client);
            timeout(LONG, session).await.expect("an end").expect("no panic");
        });
        prop_assert_eq!(running.load(Ordering::Relaxed), 0);
    }
}
