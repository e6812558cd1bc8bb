//! Streams of events: the same however their bytes are cut, and a bad line spoils no other one.

use super::watches::{lines, watch};
use openshift_api::WatchEvent;
use openshift_api::codec::{Object, Value};
use openshift_api::coordination_v1::Lease;
use openshift_api::core_v1::{Endpoints, Event as CoreEvent, Pod};
use openshift_api::image_v1::Image;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::Value as Json;
use std::cell::Cell;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use test_support::order::Order;
use test_support::places;

/// Checks a stream that is cut at these offsets.
type Check = fn(&Stream, &[usize]);

/// The types of the events of a stream, and their objects as JSON.
type Events = fn(&str) -> Vec<(String, Json)>;

/// A stream of a kind as a body, and its checks.
struct Stream {
    name: String,
    text: String,
    check: Check,
    events: Events,
}

fn fixtures() -> Vec<Stream> {
    streams(&places::root().join("tests/fixtures/watch"))
}

fn streams(folder: &Path) -> Vec<Stream> {
    let stream = |path: PathBuf| {
        let name =
            path.file_name().and_then(|name| name.to_str()).expect("it has a name").to_owned();
        let (check, events) = check_of(&name);
        Stream { text: places::text(&path), check, events, name }
    };
    places::files(folder, &["jsonl"]).into_iter().map(stream).collect()
}

/// By the plural name in the name of the file.
fn check_of(name: &str) -> (Check, Events) {
    let plurals: [(&str, (Check, Events)); 5] = [
        ("endpoints", (same_however_cut::<Endpoints>, events::<Endpoints>)),
        ("events", (same_however_cut::<CoreEvent>, events::<CoreEvent>)),
        ("images", (same_however_cut::<Image>, events::<Image>)),
        ("leases", (same_however_cut::<Lease>, events::<Lease>)),
        ("pods", (same_however_cut::<Pod>, events::<Pod>)),
    ];
    let word = |plural: &str| name.split(['-', '.']).take(2).any(|word| word == plural);
    plurals
        .iter()
        .find(|(plural, _)| word(plural))
        .unwrap_or_else(|| panic!("{name} names no kind"))
        .1
}

fn same_however_cut<T: Object + Value + Debug + PartialEq>(stream: &Stream, cuts: &[usize]) {
    let Stream { name, text, .. } = stream;
    let mut cuts: Vec<usize> =
        cuts.iter().map(|cut| cut % (text.len() + 1)).chain([0, text.len()]).collect();
    cuts.sort_unstable();
    let chunks = cuts.windows(2).map(|cut| &text.as_bytes()[cut[0]..cut[1]]);
    let (events, end) = watch::<T>(chunks);
    let by_line: Vec<_> = text.split_inclusive('\n').flat_map(lines::<T>).collect();
    assert_eq!(by_line.len(), text.lines().count(), "{name}: every line is an event");
    assert!(by_line.iter().all(Result::is_ok), "{name}: {by_line:?}");
    assert!(events == by_line && end == Ok(()), "{name}: other events when cut at {cuts:?}");
}

fn events<T: Object + Value + Debug>(text: &str) -> Vec<(String, Json)> {
    let json = |object: &T| serde_json::from_slice(&openshift_api::to_vec(object)).expect("JSON");
    let pair = |event: WatchEvent<T>| match event {
        WatchEvent::Added(object) => ("ADDED".to_owned(), json(&object)),
        WatchEvent::Modified(object) => ("MODIFIED".to_owned(), json(&object)),
        WatchEvent::Deleted(object) => ("DELETED".to_owned(), json(&object)),
        WatchEvent::Bookmark(bookmark) => (format!("{bookmark:?}"), Json::Null),
        WatchEvent::Error(error) => (error.to_string(), Json::Null),
    };
    lines::<T>(text).into_iter().map(|event| pair(event.expect("an event"))).collect()
}

#[test]
fn events_are_the_same_in_any_order_of_members() {
    in_any_order(&fixtures());
}

#[test]
fn recorded_events_are_the_same_in_any_order_of_members() {
    in_any_order(&streams(&places::data("real-server")));
}

fn in_any_order(streams: &[Stream]) {
    let orders = Order::ALL.into_iter().chain((0..8).map(Order::Shuffled));
    for (order, stream) in
        orders.flat_map(|order| streams.iter().map(move |stream| (order, stream)))
    {
        let other = String::from_utf8(order.of_body(stream.text.as_bytes())).expect("text");
        assert!(
            (stream.events)(&other) == (stream.events)(&stream.text),
            "{} with members {order:?}",
            stream.name
        );
    }
}

#[test]
fn streams_may_be_cut_anywhere() {
    may_be_cut_anywhere(&fixtures());
}

#[test]
fn recorded_streams_may_be_cut_anywhere() {
    may_be_cut_anywhere(&streams(&places::data("real-server")));
}

fn may_be_cut_anywhere(streams: &[Stream]) {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(24));
    for stream in streams {
        let cuts = prop::collection::vec(any::<usize>(), 0..40);
        let result = runner.run(&cuts, |cuts| {
            (stream.check)(stream, &cuts);
            Ok(())
        });
        result.unwrap_or_else(|error| panic!("{}: {error}", stream.name));
    }
    let events: usize = streams.iter().map(|stream| stream.text.lines().count()).sum();
    assert!(events > 20, "only {events} events were found");
    places::log(&format!(
        "watching: {} streams with {events} events, cut in 24 ways each",
        streams.len()
    ));
}

#[test]
fn a_stream_may_come_byte_by_byte() {
    let stream = fixtures()
        .into_iter()
        .find(|stream| stream.name == "pods-lifecycle-bookmarks.jsonl")
        .expect("it is ours");
    let every: Vec<usize> = (0..stream.text.len()).collect();
    (stream.check)(&stream, &every);
}

/// Runs a property with the same random values each time.
fn for_all<S: Strategy>(
    cases: u32,
    values: &S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let config = ProptestConfig { cases, ..ProptestConfig::default() };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::XorShift));
    runner.run(values, property).unwrap_or_else(|error| panic!("{error}"));
}

/// Bytes that replace others. They contain no line breaks, which would make another line.
fn edit() -> impl Strategy<Value = (Index, usize, Vec<u8>)> {
    let byte = any::<u8>().prop_map(|byte| vec![if byte == b'\n' { b'{' } else { byte }]);
    let piece = prop::sample::select(vec![
        "",
        "\"",
        "\\",
        "{",
        "}",
        "[",
        ",",
        ":",
        "null",
        "5",
        "\"ADDED\"",
        "\u{1}",
    ]);
    (
        any::<Index>(),
        0..4_usize,
        prop_oneof![byte, piece.prop_map(|piece| piece.as_bytes().to_vec())],
    )
}

/// The numbers of changed lines that gave an event and an error.
#[derive(Debug, Default)]
struct Outcomes {
    events: Cell<usize>,
    errors: Cell<usize>,
}

#[test]
fn a_bad_line_spoils_no_other() {
    let outcomes = Outcomes::default();
    let folder = places::root().join("tests/fixtures/watch");
    let [pods, leases] = ["pods-lifecycle-bookmarks.jsonl", "leases-initial-events-end.jsonl"]
        .map(|name| places::text(&folder.join(name)));
    let values = (
        any::<Index>(),
        prop::collection::vec(edit(), 1..4),
        prop::collection::vec(any::<Index>(), 0..6),
    );
    for_all(512, &values, |(line, edits, cuts)| {
        check_others::<Pod>(&pods, line, &edits, &cuts, &outcomes)?;
        check_others::<Lease>(&leases, line, &edits, &cuts, &outcomes)
    });
    assert!(outcomes.events.get() > 50 && outcomes.errors.get() > 500, "{outcomes:?}");
}

/// Changes a line of a stream, and expects the events of all other lines.
fn check_others<T: Object + Value + Debug + PartialEq>(
    text: &str,
    line: Index,
    edits: &[(Index, usize, Vec<u8>)],
    cuts: &[Index],
    outcomes: &Outcomes,
) -> Result<(), TestCaseError> {
    let mut changed: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    let line = line.index(changed.len());
    for (at, length, piece) in edits {
        let bytes = &mut changed[line];
        let start = at.index(bytes.len() + 1);
        bytes.splice(start..(start + length).min(bytes.len()), piece.iter().copied());
    }
    let bytes = [changed.join(&b'\n'), b"\n".to_vec()].concat();
    let mut cuts: Vec<usize> =
        cuts.iter().map(|cut| cut.index(bytes.len())).chain([0, bytes.len()]).collect();
    cuts.sort_unstable();
    let (found, end) = watch::<T>(cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]));
    let mut found = found.into_iter();
    for (index, original) in text.lines().enumerate() {
        if index != line {
            prop_assert_eq!(found.next(), lines::<T>(&format!("{original}\n")).pop());
            continue;
        }
        let event = found.next().expect("each line gives an event or an error");
        let count = if event.is_ok() { &outcomes.events } else { &outcomes.errors };
        count.set(count.get() + 1);
    }
    prop_assert_eq!((found.next(), end), (None, Ok(())));
    Ok(())
}

/// Searching the whole line again for every byte of it would take hours here.
#[test]
fn a_large_event_may_come_byte_by_byte() {
    let name = "x".repeat(4 << 20);
    let line =
        format!("{{\"type\":\"ADDED\",\"object\":{{\"metadata\":{{\"name\":\"{name}\"}}}}}}\n");
    let (events, end) = watch::<Pod>(line.as_bytes().chunks(1));
    assert_eq!(end, Ok(()));
    assert!(
        matches!(&events[..], [Ok(WatchEvent::Added(pod))] if pod.metadata.name.as_ref() == Some(&name))
    );
}

/// Nor does a large chunk of small events take longer than its bytes.
#[test]
fn many_events_may_come_at_once() {
    let text = "{\"type\":\"DELETED\",\"object\":{}}\n".repeat(100_000);
    let (events, end) = watch::<Lease>([text.as_bytes()]);
    assert_eq!((events.len(), end), (100_000, Ok(())));
}
