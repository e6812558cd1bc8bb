//! Watches: streams that go on, end, break, and begin with a refusal.

use crate::server::{Reply, Server, Tap, json, stream, text};
use crate::{recorded, recorded_json};
use openshift_api::coordination_v1::leases;
use openshift_api::core_v1::{Pod, pods};
use openshift_api::params::WatchParams;
use openshift_api::{Error, Request, Watch, WatchEvent};
use podwatch::{Cluster, Events, Failure};
use std::sync::mpsc;
use std::time::Duration;

fn request() -> Request<Watch<Pod>> {
    pods::watch("shop", &WatchParams::default().resource_version("9000")).unwrap()
}

fn watch(reply: Reply) -> Result<Events<Pod>, Failure> {
    let server = Server::start();
    server.will(reply);
    Cluster::new(&server.url).watch(&request())
}

/// An event as a user would write it down.
fn note(event: Result<WatchEvent<Pod>, Failure>) -> String {
    let of = |what, pod: &Pod| {
        format!("{what} {}", pod.metadata.resource_version.as_deref().unwrap_or("-"))
    };
    match event {
        Ok(WatchEvent::Added(pod)) => of("added", &pod),
        Ok(WatchEvent::Modified(pod)) => of("modified", &pod),
        Ok(WatchEvent::Deleted(pod)) => of("deleted", &pod),
        Ok(WatchEvent::Bookmark(bookmark)) => format!("bookmark {}", bookmark.resource_version),
        Ok(WatchEvent::Error(error)) => format!("error {}", error.code.as_u16()),
        Err(Failure::Api(Error::Truncated { rest })) => format!("truncated {}", rest.len()),
        Err(Failure::Api(error)) => format!("{error}"),
        Err(Failure::Transport(_)) => "broken".to_owned(),
    }
}

fn notes(reply: Reply) -> Vec<String> {
    watch(reply).unwrap_or_else(|failure| panic!("{failure}")).map(note).collect()
}

/// The same bytes, in pieces of some size.
fn in_pieces(bytes: &[u8], size: usize) -> Reply {
    let (reply, tap) = stream();
    bytes.chunks(size).for_each(|piece| tap.send(piece));
    reply
}

#[test]
fn events_come_however_the_stream_is_cut() {
    let recorded = recorded("watch/pods-lifecycle-bookmarks.jsonl");
    let expected =
        ["added 9001", "bookmark 9002", "modified 9003", "bookmark 9010", "deleted 9011"];
    for size in [1, 7, 1000, recorded.len()] {
        assert_eq!(notes(in_pieces(recorded.as_bytes(), size)), expected, "in pieces of {size}");
    }
}

/// Waits for the next note of another thread, but not forever.
fn seen(notes: &mpsc::Receiver<String>) -> String {
    notes.recv_timeout(Duration::from_secs(30)).expect("nothing came out of the stream")
}

#[test]
fn an_event_is_told_while_the_stream_goes_on() {
    let (reply, tap) = stream();
    let (sender, notes) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        watch(reply).unwrap().map(note).try_for_each(|note| sender.send(note))
    });
    let event = |name: &str, version: &str| {
        format!(
            r#"{{"type":"{name}","object":{{"kind":"Pod","apiVersion":"v1","metadata":{{"resourceVersion":"{version}"}}}}}}"#
        )
    };
    let send = |tap: &Tap, text: String| tap.send(text.as_bytes());
    send(&tap, event("ADDED", "1") + "\n");
    assert_eq!(seen(&notes), "added 1");
    // The end of a line completes an event.
    send(&tap, event("MODIFIED", "2"));
    assert_eq!(
        notes.recv_timeout(Duration::from_millis(200)),
        Err(mpsc::RecvTimeoutError::Timeout)
    );
    send(&tap, "\n".to_owned() + &event("DELETED", "3") + "\n");
    assert_eq!((seen(&notes), seen(&notes)), ("modified 2".to_owned(), "deleted 3".to_owned()));
    drop(tap);
    reader.join().unwrap().unwrap();
    assert_eq!(notes.try_recv(), Err(mpsc::TryRecvError::Disconnected));
}

#[test]
fn a_stream_that_ends_too_early_is_told() {
    let recorded = recorded("watch/pods-lifecycle-bookmarks.jsonl");
    let first = recorded.lines().next().unwrap();
    // The server ends the stream within a line.
    assert_eq!(
        notes(in_pieces(&recorded.as_bytes()[..first.len() + 11], 500)),
        ["added 9001", "truncated 10"]
    );
    // The connection breaks.
    let (reply, tap) = stream();
    tap.send(&recorded.as_bytes()[..first.len() + 11]);
    tap.break_off();
    assert_eq!(notes(reply), ["added 9001", "broken"]);
    // For events, some servers respond to an old version with nothing.
    assert!(notes(text(200, "application/json", "")).is_empty());
}

#[test]
fn a_server_forgets_versions() {
    // The refusal may be an event of the stream,
    let error =
        recorded("watch/events-expired-error.jsonl").lines().last().unwrap().to_owned() + "\n";
    assert_eq!(notes(text(200, "application/json", &error)), ["error 410"]);
    // or before it begins.
    let refused = watch(json(410, &recorded_json("statuses/gone-too-old-410.json")));
    let Err(Failure::Api(error)) = refused else { panic!("not refused") };
    assert!(error.is_gone());
    let Err(Failure::Api(error)) = watch(json(403, &recorded_json("statuses/forbidden-403.json")))
    else {
        panic!("not refused")
    };
    assert_eq!(error.api().unwrap().reason(), "Forbidden");
}

#[test]
fn a_bad_line_does_not_stop_the_next() {
    let good = r#"{"type":"ADDED","object":{"metadata":{"resourceVersion":"4"}}}"#;
    let lines = format!("{good}\r\n\n<html>\n{{\"type\":\"MOVED\",\"object\":{{}}}}\n{good}\n");
    assert_eq!(
        notes(text(200, "application/json", lines)),
        [
            "added 4",
            "the response (200 OK) cannot be decoded: expected an object (WatchEvent), found `<` \
             at line 1 column 1",
            "the response (200 OK) cannot be decoded: type: unknown type of event `MOVED`",
            "added 4",
        ]
    );
}

#[test]
fn initial_events_come_to_an_end() {
    let server = Server::start();
    server.will(in_pieces(recorded("watch/leases-initial-events-end.jsonl").as_bytes(), 100));
    let params =
        WatchParams::default().send_initial_events(true).resource_version_match("NotOlderThan");
    let params = params.allow_watch_bookmarks(true);
    let events = Cluster::new(&server.url).watch(&leases::watch("shop", &params).unwrap()).unwrap();
    let mut initial = 0;
    for event in events {
        match event.unwrap() {
            WatchEvent::Bookmark(bookmark) if bookmark.initial_events_end() => break,
            WatchEvent::Added(_) => initial += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(initial, 2);
}
