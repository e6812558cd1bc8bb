//! Replays recorded sessions of exec, attach and port-forward.

use crate::processes::local;
use crate::testing::{request, server, time, whole};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::{HeaderValue, Method, StatusCode};
use kapigen_fake::Server;
use kapigen_fake::streams::{Forwarded, Script};
use kapigen_runtime::streams::{Frame, Frames};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

/// The server of the recordings: it runs commands, attaches to what echoes, and has a port.
fn recorded_server() -> Server {
    let server = server();
    let containers = json!([{"name": "c"}]);
    server
        .create(&json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "wire"},
            "spec": {"containers": containers},
        }))
        .expect("a pod");
    server.on_exec(local);
    server.on_attach(|process| {
        Script::default().stdout("attached\n").echo().stderr("gone\n").run(process)
    });
    server.on_forward(answer);
    server
}

async fn answer(mut forwarded: Forwarded) -> Result<(), String> {
    let port = forwarded.port;
    if port != 18222 {
        let why = format!("dial tcp 127.0.0.1:{port}: connect: connection refused");
        return Err(format!("error forwarding port {port} to pod {}, uid : {why}", forwarded.pod));
    }
    let mut bytes = [0; 100];
    while let Ok(count @ 1..) = forwarded.connection.read(&mut bytes).await {
        let all = [b"got ", &bytes[..count]].concat();
        forwarded.connection.write_all(&all).await.map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// What a server sent: the first channel, the bytes of each, and the code of its close frame.
#[derive(Debug, Default, PartialEq)]
struct Sent {
    first: Option<u8>,
    channels: BTreeMap<u8, Vec<u8>>,
    closed: Option<u16>,
}

impl Sent {
    fn add(&mut self, channel: u8, bytes: &[u8]) {
        self.first.get_or_insert(channel);
        self.channels.entry(channel).or_default().extend_from_slice(bytes);
    }

    /// Whether all of what is expected has come.
    fn has(&self, expected: &Self) -> bool {
        self.closed == expected.closed
            && expected.channels.iter().all(|(channel, bytes)| {
                self.channels.get(channel).is_some_and(|sent| sent.len() >= bytes.len())
            })
    }
}

/// Reads until all of what is expected has come.
async fn read(client: &mut DuplexStream, frames: &mut Frames, sent: &mut Sent, expected: &Sent) {
    let mut bytes = vec![0; 8192];
    loop {
        while let Some(frame) = frames.next_frame().expect("a frame") {
            match frame {
                Frame::Data(channel, bytes) => sent.add(channel, &bytes),
                Frame::Closed(code, _) => sent.closed = Some(code),
                other => panic!("{other:?}"),
            }
        }
        if sent.has(expected) {
            return;
        }
        match client.read(&mut bytes).await.expect("a connection") {
            0 => panic!("it ends after {sent:?}, and not {expected:?}"),
            count => frames.feed(&bytes[..count]),
        }
    }
}

async fn replay(session: kapigen_fake::Session, recorded: &Value) {
    let (mut client, own) = duplex(1 << 16);
    let running = tokio::spawn(session.run(own));
    let mut frames = Frames::client();
    let (mut sent, mut expected) = (Sent::default(), Sent::default());
    for frame in recorded["frames"].as_array().expect("frames") {
        let data = frame["data"].as_str().unwrap_or_default();
        let data = BASE64_STANDARD.decode(data).expect("base64");
        match (frame["from"].as_str(), frame["opcode"].as_u64()) {
            (Some("client"), _) => {
                read(&mut client, &mut frames, &mut sent, &expected).await;
                frames.send(data[0], &data[1..]);
                client.write_all(frames.output()).await.expect("a connection");
                frames.written(frames.output().len());
            }
            (Some("server"), Some(8)) => {
                expected.closed = Some(u16::from_be_bytes([data[0], data[1]]));
            }
            (Some("server"), _) => expected.add(data[0], &data[1..]),
            _ => {}
        }
    }
    read(&mut client, &mut frames, &mut sent, &expected).await;
    assert_eq!(sent, expected, "{}", recorded["name"]);
    drop(client);
    tokio::time::timeout(Duration::from_secs(60), running).await.expect("an end").expect("one");
}

#[tokio::test]
async fn recorded_sessions_are_repeated() {
    let path = test_data::data("streams/sessions.jsonl");
    let sessions = std::fs::read_to_string(path).expect("sessions");
    let server = recorded_server();
    let mut count = 0;
    for line in sessions.lines() {
        let recorded: Value = serde_json::from_str(line).expect("JSON");
        let offered: Vec<_> = recorded["offered"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        // Text is not spoken.
        if offered == ["base64.channel.k8s.io"] {
            continue;
        }
        let path = recorded["path"].as_str().expect("a path");
        let mut request = request(Method::GET, path, &Value::Null);
        for (name, value) in [
            ("connection", "Upgrade"),
            ("upgrade", "websocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ("sec-websocket-protocol", &offered.join(", ")),
        ] {
            request.headers_mut().insert(name, HeaderValue::from_str(value).expect("a value"));
        }
        let reply = server.handle(request, time(0));
        let code = reply.response.status();
        if let Some(session) = reply.session {
            let headers = reply.response.headers();
            assert_eq!(code, StatusCode::SWITCHING_PROTOCOLS);
            assert_eq!(
                headers["sec-websocket-protocol"],
                recorded["chosen"].as_str().expect("one")
            );
            assert_eq!(headers["sec-websocket-accept"], "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            replay(session, &recorded).await;
        } else {
            let text = recorded["body"].as_str().unwrap_or_default();
            let expected = serde_json::from_str(text).unwrap_or_else(|_| json!(text));
            assert_eq!(
                (Value::from(code.as_u16()), whole(reply).1),
                (recorded["status"].clone(), expected),
                "{}",
                recorded["name"]
            );
        }
        count += 1;
    }
    assert_eq!(count, sessions.lines().count() - 1);
}
