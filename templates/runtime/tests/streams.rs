//! Sessions of exec, attach and port-forward: recorded ones, hostile ones, and times.

use kapigen_runtime::streams::{
    CLOSE, Event, Exit, Frame, Frames, Protocol, RESIZE, STATUS, STDERR, STDIN, STDOUT, Session,
    StreamError, accept_key, random_key,
};
use proptest::prelude::*;
use serde_json::Value;
use std::time::Duration;

/// The bytes of output, of error output, and the end.
type Whole = (Vec<u8>, Vec<u8>, Result<Option<Exit>, StreamError>);

/// Feeds a session bytes in pieces of a size, and collects what it reports.
fn run(session: &mut Session, bytes: &[u8], size: usize) -> Whole {
    let (mut output, mut error) = (Vec::new(), Vec::new());
    for piece in bytes.chunks(size) {
        session.feed(piece);
        loop {
            match session.next_event() {
                Ok(None) => break,
                Ok(Some(Event::Output(bytes))) => output.extend_from_slice(&bytes),
                Ok(Some(Event::Error(bytes))) => error.extend_from_slice(&bytes),
                Ok(Some(Event::Ended(exit))) => return (output, error, Ok(Some(exit))),
                Ok(Some(other)) => panic!("{other:?}"),
                Err(failure) => return (output, error, Err(failure)),
            }
        }
    }
    (output, error, Ok(None))
}

/// The bytes that a server sends.
fn sent(send: impl FnOnce(&mut Frames)) -> Vec<u8> {
    let mut server = Frames::server();
    send(&mut server);
    server.output().to_vec()
}

fn decoded(base64: &Value) -> Vec<u8> {
    kapigen_runtime::from_str::<kapigen_runtime::meta_v1::ByteString>(&base64.to_string())
        .unwrap()
        .0
}

#[test]
fn recorded_sessions_are_the_same_in_any_pieces() {
    let path = test_data::data("streams/sessions.jsonl");
    let sessions = std::fs::read_to_string(path).unwrap();
    let mut ends = Vec::new();
    for line in sessions.lines() {
        let recorded: Value = serde_json::from_str(line).unwrap();
        let chosen = recorded["chosen"].as_str();
        let protocol = Protocol::ALL.into_iter().find(|one| Some(one.as_str()) == chosen);
        let path = recorded["path"].as_str().unwrap();
        let Some(protocol) = protocol.filter(|_| path.matches("ports=").count() < 2) else {
            continue;
        };
        let (mut output, mut error) = (Vec::new(), Vec::new());
        let is_forward = path.contains("portforward");
        let bytes = sent(|server| {
            for frame in recorded["frames"].as_array().unwrap() {
                if frame["from"] != "server" {
                    continue;
                }
                let data = decoded(&frame["data"]);
                match (frame["opcode"].as_u64(), data.split_first()) {
                    (Some(8), _) => server.close(u16::from_be_bytes([data[0], data[1]]), ""),
                    (Some(2), Some((channel, data))) => {
                        server.send(*channel, data);
                        match channel {
                            0 if data != 18222u16.to_le_bytes() => output.extend_from_slice(data),
                            1 if !is_forward => output.extend_from_slice(data),
                            2 => error.extend_from_slice(data),
                            _ => {}
                        }
                    }
                    other => panic!("{other:?}"),
                }
            }
        });
        let session = || if is_forward { Session::forward(18222) } else { Session::new(protocol) };
        let whole = run(&mut session(), &bytes, usize::MAX);
        assert_eq!((&whole.0, &whole.1), (&output, &error), "{}", recorded["name"]);
        for size in [1, 7, 4096] {
            assert_eq!(run(&mut session(), &bytes, size), whole, "{} by {size}", recorded["name"]);
        }
        let end = match whole.2.unwrap() {
            Some(Exit::Failed(status)) => status.reason.unwrap(),
            end => format!("{end:?}"),
        };
        ends.push(format!("{}: {end}", recorded["name"].as_str().unwrap()));
    }
    assert_eq!(
        ends,
        [
            "out and err, exit 0: Some(Code(0))",
            "exit 3: Some(Code(3))",
            "v4 only, exit 3: Some(Code(3))",
            "stdin, closed by v5: Some(Code(0))",
            "stdin on v4, no end: Some(Code(0))",
            "tty with resize: Some(Code(0))",
            "binary output: Some(Code(0))",
            "much output: Some(Code(0))",
            "no such command: InternalError",
            "no streams: InternalError",
            "attach: Some(Code(0))",
            "port-forward, one port: None",
            "port-forward, v5 offered: None",
        ]
    );
}

#[test]
fn a_server_reads_what_a_session_sends() {
    let mut session = Session::new(Protocol::V5);
    let input = vec![7; 100_000];
    session.send(&input);
    session.resize(80, 24);
    session.end_input().unwrap();
    session.close();
    let mut server = Frames::server();
    server.feed(session.output());
    session.written(session.output().len());
    let (mut bytes, mut rest) = (Vec::new(), Vec::new());
    while let Some(frame) = server.next_frame().unwrap() {
        match frame {
            Frame::Data(STDIN, data) => bytes.extend_from_slice(&data),
            Frame::Closed(1000, _) => break,
            Frame::Data(channel, data) => rest.push((channel, data.to_vec())),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(bytes, input);
    assert_eq!(rest, [(RESIZE, br#"{"Width":80,"Height":24}"#.to_vec()), (CLOSE, vec![STDIN])]);
    assert_eq!(Session::new(Protocol::V4).end_input(), Err(StreamError::NoEndOfInput));
}

#[test]
fn no_status_is_no_success() {
    let end = |bytes: &[u8]| run(&mut Session::new(Protocol::V5), bytes, usize::MAX);
    let closed = sent(|server| server.close(1000, ""));
    assert_eq!(end(&closed), (vec![], vec![], Ok(Some(Exit::Unknown))));
    let failed = sent(|server| {
        server.send(STDOUT, b"x");
        server.close(1011, "lost");
    });
    let lost = StreamError::Closed { code: 1011, reason: "lost".to_owned() };
    assert_eq!(end(&failed), (b"x".to_vec(), vec![], Err(lost)));

    let mut cut = Session::new(Protocol::V5);
    assert!(run(&mut cut, &sent(|server| server.send(STDERR, b"x")), usize::MAX).2.is_ok());
    cut.end();
    assert_eq!(cut.next_event(), Err(StreamError::Broken));
    let mut done = Session::new(Protocol::V5);
    done.feed(&sent(|server| server.send(STATUS, br#"{"status":"Success"}"#)));
    assert_eq!(done.next_event(), Ok(None));
    done.end();
    assert_eq!(done.next_event(), Ok(Some(Event::Ended(Exit::Code(0)))), "the status came");
}

#[test]
fn hostile_frames_are_errors() {
    type Send = fn(&mut Frames);
    let process = || Session::new(Protocol::V5);
    let forward = || Session::forward(80);
    let cases: [(Session, Send, &str); 6] = [
        (process(), |server| server.send(9, b"x"), "a message on the channel 9"),
        (process(), |server| server.send(STDIN, b"x"), "a message on the channel 0"),
        (
            process(),
            |server| {
                server.send(STATUS, br#"{"status":"Success"}"#);
                server.send(STATUS, br#"{"status":"Success"}"#);
            },
            "a second status",
        ),
        (process(), |server| server.send(STATUS, b"oops"), "the status of the process: "),
        (forward(), |server| server.send(0, b"HTTP"), "the channel 0 does not begin with the port"),
        (forward(), |server| server.send(2, &[80, 0]), "a message on the channel 2"),
    ];
    for (mut session, send, expected) in cases {
        let error = run(&mut session, &sent(send), usize::MAX).2.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(session.next_event(), Ok(None), "there is no more");
    }
    for bytes in [
        &[0x82, 0x7f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff][..], // a huge length
        &[0x81, 0x01, b'x'],                                               // text
        &[0x82, 0x00],                                                     // no channel
        &[0x82, 0x81, 0, 0, 0, 0, 1],                                      // masked
        &[0xc2, 0x01, 1],                                                  // an extension
    ] {
        let end = run(&mut process(), bytes, usize::MAX).2;
        assert!(matches!(end, Err(StreamError::Protocol(_))), "{bytes:?}: {end:?}");
    }
}

#[test]
fn a_forward_reports_the_refusal_of_its_port() {
    let bytes = sent(|server| {
        server.send(0, &80u16.to_le_bytes());
        server.send(1, &80u16.to_le_bytes());
        server.send(0, b"ok");
        server.send(1, b"connection refused");
    });
    let (output, _, end) = run(&mut Session::forward(80), &bytes, 3);
    assert_eq!(output, b"ok");
    assert_eq!(end, Err(StreamError::Refused("connection refused".to_owned())));
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_peer_without_pongs_is_given_up_while_it_is_read() {
    let mut session = Session::new(Protocol::V5);
    let mut server = Frames::server();
    let mut now = Duration::ZERO;
    // Each ping is returned.
    for _ in 0..100 {
        now = session.tick(now, true).unwrap();
        server.feed(session.output());
        session.written(session.output().len());
        assert_eq!(server.next_frame().unwrap(), None);
        assert!(!server.output().is_empty(), "a pong");
        session.feed(server.output());
        server.written(server.output().len());
        assert_eq!(session.next_event().unwrap(), None);
    }
    assert_eq!(now, 500 * SECOND);
    // A reader that sleeps is no fault of the peer.
    for _ in 0..100 {
        now = session.tick(now, false).unwrap();
        session.written(session.output().len());
    }
    let silent = |session: &mut Session, now: &mut Duration| loop {
        match session.tick(*now, true) {
            Ok(next) => *now = next,
            Err(error) => break error,
        }
        session.written(session.output().len());
    };
    let start = now;
    assert_eq!(silent(&mut session, &mut now), StreamError::Silent(60 * SECOND));
    assert!(now <= start + 65 * SECOND);
}

#[test]
fn a_peer_that_takes_nothing_is_given_up() {
    let mut session = Session::new(Protocol::V5);
    session.send(b"x");
    let length = session.output().len();
    let mut now = Duration::ZERO;
    let error = loop {
        match session.tick(now, false) {
            Ok(next) => now = next,
            Err(error) => break error,
        }
    };
    assert_eq!(error, StreamError::Stuck(60 * SECOND));
    assert_eq!(session.output().len(), length, "no pings behind it");
}

#[test]
fn a_process_ends_even_if_the_server_does_not_close() {
    let mut session = Session::new(Protocol::V5);
    session.feed(&sent(|server| server.send(STATUS, br#"{"status":"Success"}"#)));
    assert_eq!(session.next_event().unwrap(), None);
    session.tick(SECOND, true).unwrap();
    session.tick(12 * SECOND, true).unwrap();
    assert_eq!(session.next_event().unwrap(), Some(Event::Ended(Exit::Code(0))));
}

#[test]
fn a_key_has_one_answer() {
    assert_eq!(accept_key(b"dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_eq!(random_key().len(), 24);
    assert_ne!(random_key(), random_key());
}

proptest! {
    #[test]
    fn any_messages_in_any_pieces_are_the_same(
        messages in proptest::collection::vec((1..=2u8, proptest::collection::vec(any::<u8>(), 0..300)), 0..20),
        size in 1..700usize,
    ) {
        let bytes = sent(|server| {
            for (channel, data) in &messages {
                server.send(*channel, data);
                server.ping();
            }
            server.close(1000, "");
        });
        let of = |wanted: u8| -> Vec<u8> {
            let own = messages.iter().filter(|(channel, _)| *channel == wanted);
            own.flat_map(|(_, data)| data.clone()).collect()
        };
        let whole = run(&mut Session::new(Protocol::V4), &bytes, size);
        prop_assert_eq!(whole, (of(STDOUT), of(STDERR), Ok(Some(Exit::Unknown))));
    }

    #[test]
    fn any_bytes_are_no_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = run(&mut Session::new(Protocol::V5), &bytes, 50);
        let _ = run(&mut Session::forward(80), &bytes, 50);
    }
}
