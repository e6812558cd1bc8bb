//! Events about objects: counted, combined and limited.

use kapigen_runtime::dynamic::Object as Thing;
use kapigen_runtime::jiff::{SignedDuration, Timestamp};
use kapigen_runtime::meta_v1::ObjectMeta;
use kapigen_runtime::recorder::Recorder;
use kapigen_runtime::retry::Repeat;
use serde_json::Value;
use std::collections::BTreeSet;

fn object(namespace: &str, name: &str) -> Thing {
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let uid = text(&format!("uid-{name}"));
    Thing {
        metadata: ObjectMeta {
            namespace: text(namespace),
            name: text(name),
            uid,
            ..ObjectMeta::default()
        },
        api_version: text("v1"),
        kind: text("Pod"),
        ..Thing::default()
    }
}

/// The event of a request, with its path.
fn record(
    recorder: &mut Recorder,
    object: &Thing,
    message: &str,
    second: i64,
) -> Option<(String, Value)> {
    let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second);
    let request = recorder.normal(object, "Reserved", message, now).unwrap()?;
    assert_eq!(Repeat::of(&request), Repeat::Idempotent);
    Some((request.uri().path().to_owned(), serde_json::from_slice(request.body()).unwrap()))
}

#[test]
fn the_same_event_is_one_object_with_a_count() {
    let mut recorder = Recorder::new("example.com/addresses", "addresses-0");
    let web = object("default", "web");
    let (path, first) = record(&mut recorder, &web, "an address is reserved", 5).unwrap();
    let (same, second) = record(&mut recorder, &web, "an address is reserved", 9).unwrap();
    let (other, _) = record(&mut recorder, &web, "another one", 9).unwrap();
    assert!(
        path.starts_with("/api/v1/namespaces/default/events/web.") && path == same && path != other
    );
    assert_eq!((&first["count"], &second["count"]), (&1.into(), &2.into()));
    assert_eq!(second["firstTimestamp"], "1970-01-01T00:00:05Z");
    assert_eq!(second["lastTimestamp"], "1970-01-01T00:00:09Z");
    assert_eq!(first["involvedObject"]["uid"], "uid-web");
    assert_eq!(first["reportingComponent"], "example.com/addresses");
    let (node, event) = record(&mut recorder, &object("", "node-1"), "a", 9).unwrap();
    assert!(node.starts_with("/api/v1/namespaces/default/events/node-1."), "of the cluster");
    assert_eq!(event["involvedObject"].get("namespace"), None);
}

#[test]
fn many_similar_events_are_combined() {
    let mut recorder = Recorder::new("a", "b");
    let web = object("default", "web");
    let send = |recorder: &mut Recorder, index: i64, second| {
        record(recorder, &web, &format!("try {index}"), second)
    };
    let mut paths = BTreeSet::new();
    for index in 0..20 {
        let (path, event) = send(&mut recorder, index, index).unwrap();
        paths.insert(path);
        let is_combined =
            event["message"] == format!("(combined from similar events): try {index}");
        assert_eq!(is_combined, index >= 10, "{event}");
    }
    assert_eq!(paths.len(), 11);
    // Ten minutes later, no messages count as similar.
    assert_eq!(send(&mut recorder, 30, 1000).unwrap().1["message"], "try 30");
}

#[test]
fn an_object_gets_25_requests_and_one_more_each_5_minutes() {
    let mut recorder = Recorder::new("a", "b");
    let web = object("default", "web");
    let sent = (0..100).filter(|_| record(&mut recorder, &web, "again", 0).is_some()).count();
    assert_eq!(sent, 25);
    assert!(
        record(&mut recorder, &object("default", "other"), "again", 0).is_some(),
        "each object has its own"
    );
    assert!(record(&mut recorder, &web, "again", 299).is_none());
    let (_, event) = record(&mut recorder, &web, "again", 300).unwrap();
    assert_eq!(event["count"], 102, "those that were not sent count, too");
    assert!(record(&mut recorder, &web, "again", 301).is_none());
    // A request does not begin an interval anew.
    assert!(
        record(&mut recorder, &web, "again", 899).is_some()
            && record(&mut recorder, &web, "again", 900).is_some()
    );
    assert!(record(&mut recorder, &web, "again", 901).is_none());
}

#[test]
fn events_have_names_that_servers_accept() {
    let names: &[(&str, &str)] = &[
        ("web", "web"),
        ("system:node:a", "system-node-a"),
        ("Web_1", "web-1"),
        ("-a.-b-..c-", "a.b.c"),
        ("äöü", ""),
        ("..", ""),
        (&format!("{}.b", "a".repeat(235)), &"a".repeat(235)),
    ];
    for (name, expected) in names {
        let mut recorder = Recorder::new("a", "b");
        let (path, _) = record(&mut recorder, &object("default", name), "message", 0).unwrap();
        let event = path.rsplit('/').next().unwrap();
        let (begin, hash) = event.rsplit_once('.').unwrap_or(("", event));
        assert_eq!((begin, hash.len()), (*expected, 16), "{name}");
    }
}

#[test]
fn the_events_that_were_used_last_are_remembered() {
    let mut recorder = Recorder::new("a", "b");
    let count = |recorder: &mut Recorder, index: usize| {
        let (_, event) =
            record(recorder, &object("default", &format!("web-{index}")), "again", 5).unwrap();
        event["count"].as_i64().unwrap()
    };
    assert!((0..4096).all(|index| count(&mut recorder, index) == 1));
    // All of one second: the use counts, and not the time.
    assert_eq!((count(&mut recorder, 0), count(&mut recorder, 4096)), (2, 1));
    assert_eq!([0, 2, 4095].map(|index| count(&mut recorder, index)), [3, 2, 2]);
    assert_eq!(count(&mut recorder, 1), 1, "it made room");
}

#[test]
fn long_names_and_messages_are_cut() {
    let mut recorder = Recorder::new("a", "b");
    let (path, event) =
        record(&mut recorder, &object("default", &"x".repeat(300)), &"ä".repeat(2000), 0).unwrap();
    assert_eq!(path.rsplit('/').next().unwrap().len(), 253);
    assert_eq!(event["message"].as_str().unwrap().len(), 1024);
}
