//! Frames of WebSockets: however they are cut, both ends make the same of them, and nothing grows
//! beyond what came.

use crate::random::Random;
use kapigen_runtime::streams::{
    CLOSE, Event, Frames, Protocol, STATUS, STDERR, STDIN, STDOUT, Session,
};

use super::Check;

/// The name, the bytes and the check of a session of each kind, without faults.
#[must_use]
pub fn sessions() -> Vec<(&'static str, Vec<u8>, Check)> {
    let mut process = Frames::server();
    process.send(STDOUT, b"");
    process.send(STDOUT, b"output\n");
    process.ping();
    process.send(STDERR, b"error\n");
    process.send(STATUS, br#"{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}"#);
    process.close(1000, "");
    let mut port = Frames::server();
    for channel in [0, 1] {
        port.send(channel, &80u16.to_le_bytes());
    }
    port.send(0, b"HTTP/1.0 200 OK");
    port.send(1, b"connection refused");
    let mut client = Frames::client();
    client.send(STDIN, b"input");
    client.ping();
    client.send(4, br#"{"Width":80,"Height":24}"#);
    client.send(CLOSE, &[STDIN]);
    client.close(1000, "");
    [
        ("frames of a process", process, process_check as Check),
        ("frames of a port", port, port_check),
        ("frames of a client", client, server_check),
    ]
    .map(|(name, frames, check)| (name, frames.output().to_vec(), check))
    .into()
}

fn process_check(bytes: &[u8], cut: u64) -> Result<bool, String> {
    same(bytes, cut, |pieces| session(Session::new(Protocol::V5), pieces))
}

fn port_check(bytes: &[u8], cut: u64) -> Result<bool, String> {
    same(bytes, cut, |pieces| session(Session::forward(80), pieces))
}

fn server_check(bytes: &[u8], cut: u64) -> Result<bool, String> {
    same(bytes, cut, |pieces| {
        let mut frames = Frames::server();
        let mut seen = Vec::new();
        for piece in pieces {
            frames.feed(piece);
            loop {
                match frames.next_frame() {
                    Ok(None) => break,
                    Ok(Some(frame)) => seen.push(format!("{frame:?}")),
                    Err(error) => return (seen, error.to_string(), frames.output().len()),
                }
            }
        }
        (seen, String::new(), frames.output().len())
    })
}

/// The reports, the error or end, and the number of bytes to send.
type Seen = (Vec<String>, String, usize);

fn session(mut session: Session, pieces: &[&[u8]]) -> Seen {
    let mut seen = Vec::new();
    for piece in pieces {
        session.feed(piece);
        loop {
            match session.next_event() {
                Ok(None) => break,
                Ok(Some(Event::Ended(exit))) => {
                    return (seen, format!("{exit:?}"), session.output().len());
                }
                Ok(Some(event)) => seen.push(format!("{event:?}")),
                Err(error) => return (seen, error.to_string(), session.output().len()),
            }
        }
    }
    (seen, String::new(), session.output().len())
}

/// Whether all came to an end, if it is the same in one piece and in several.
fn same(bytes: &[u8], cut: u64, run: impl Fn(&[&[u8]]) -> Seen) -> Result<bool, String> {
    let mut random = Random::new(cut);
    let mut pieces = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(1 + random.below(rest.len().min(40)));
        pieces.push(piece);
        rest = after;
    }
    let (whole, cut) = (run(&[bytes]), run(&pieces));
    let most = 2 * bytes.len() + 256;
    if whole != cut {
        return Err(format!("in one piece {whole:?}, in {} pieces {cut:?}", pieces.len()));
    }
    if whole.2 > most {
        return Err(format!("{} bytes to send for {}", whole.2, bytes.len()));
    }
    Ok(!whole.1.is_empty())
}
