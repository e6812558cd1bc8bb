//! Watching: the events of a stream, however its bytes are cut.

use http::Response as HttpResponse;
use kapigen_tests::places;
use openshift_api::codec::{Object, Value};
use openshift_api::coordination_v1::Lease;
use openshift_api::core_v1::{Endpoints, Event as CoreEvent, Pod, pods};
use openshift_api::image_v1::Image;
use openshift_api::params::WatchParams;
use openshift_api::watch::{Bookmark, Event};
use openshift_api::{DecodeError, Error, Watch};
use proptest::prelude::*;
use std::fmt::Debug;

/// What comes out of a watch: its events, and how it ended.
type Told<T> = (Vec<Result<Event<T>, Error>>, Result<(), Error>);

/// Decodes a stream that comes in these chunks.
fn watch<'a, T: Object + Value>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Told<T> {
    let mut watch = Watch::<T>::default();
    let mut events = Vec::new();
    for chunk in chunks {
        watch.push(chunk);
        events.extend(std::iter::from_fn(|| watch.next_event()));
    }
    (events, watch.finish())
}

fn lines<T: Object + Value>(text: &str) -> Vec<Result<Event<T>, Error>> {
    let (events, end) = watch([text.as_bytes()]);
    assert_eq!(end, Ok(()), "{text}");
    events
}

/// The only event of a line that is none.
fn fault(line: &str) -> DecodeError {
    match lines::<Pod>(&format!("{line}\n")).pop() {
        Some(Err(Error::Decode { error, .. })) => error,
        other => panic!("{other:?}"),
    }
}

/// Checks a stream that is cut at these places.
type Check = fn(&Stream, &[usize]);

/// A stream of a kind as text, and the check of it.
struct Stream {
    name: String,
    text: String,
    check: Check,
}

/// Our own streams, and those of servers.
fn streams() -> Vec<Stream> {
    let own = Some(places::root().join("tests/fixtures/watch"));
    let folders = own.into_iter().chain(places::shared("testdata/real-server"));
    let files = folders.flat_map(|folder| places::files(&folder, &["jsonl"]));
    let stream = |path: std::path::PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("it has a name").to_owned();
        Stream { text: places::text(&path), check: check_of(&name), name }
    };
    files.map(stream).collect()
}

/// By the plural name in the name of the file.
fn check_of(name: &str) -> Check {
    let plurals: [(&str, Check); 5] = [
        ("endpoints", same_however_cut::<Endpoints>),
        ("events", same_however_cut::<CoreEvent>),
        ("images", same_however_cut::<Image>),
        ("leases", same_however_cut::<Lease>),
        ("pods", same_however_cut::<Pod>),
    ];
    let word = |plural: &str| name.split(['-', '.']).take(2).any(|word| word == plural);
    plurals.iter().find(|(plural, _)| word(plural)).unwrap_or_else(|| panic!("{name} tells no kind")).1
}

fn same_however_cut<T: Object + Value + Debug + PartialEq>(stream: &Stream, cuts: &[usize]) {
    let Stream { name, text, .. } = stream;
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (text.len() + 1)).chain([0, text.len()]).collect();
    cuts.sort_unstable();
    let chunks = cuts.windows(2).map(|cut| &text.as_bytes()[cut[0]..cut[1]]);
    let (events, end) = watch::<T>(chunks);
    let by_line: Vec<_> = text.split_inclusive('\n').flat_map(lines::<T>).collect();
    assert_eq!(by_line.len(), text.lines().count(), "{name}: every line is an event");
    assert!(by_line.iter().all(Result::is_ok), "{name}: {by_line:?}");
    assert!(events == by_line && end == Ok(()), "{name}: other events when cut at {cuts:?}");
}

#[test]
fn streams_may_be_cut_anywhere() {
    let streams = streams();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(24));
    for stream in &streams {
        let cuts = prop::collection::vec(any::<usize>(), 0..40);
        let result = runner.run(&cuts, |cuts| {
            (stream.check)(stream, &cuts);
            Ok(())
        });
        result.unwrap_or_else(|error| panic!("{}: {error}", stream.name));
    }
    let events: usize = streams.iter().map(|stream| stream.text.lines().count()).sum();
    places::say(&format!("watching: {} streams with {events} events, cut in 24 ways each", streams.len()));
}

#[test]
fn a_stream_may_come_byte_by_byte() {
    let stream =
        streams().into_iter().find(|stream| stream.name == "pods-lifecycle-bookmarks.jsonl").expect("it is ours");
    let every: Vec<usize> = (0..stream.text.len()).collect();
    (stream.check)(&stream, &every);
}

#[test]
fn every_type_of_event_is_told() {
    let text = places::text(&places::root().join("tests/fixtures/watch/pods-lifecycle-bookmarks.jsonl"));
    let word = |event: &Result<Event<Pod>, Error>| match event.as_ref().unwrap() {
        Event::Added(pod) => format!("added {}", pod.metadata.name.as_deref().unwrap()),
        Event::Modified(pod) => format!("modified {}", pod.metadata.resource_version.as_deref().unwrap()),
        Event::Deleted(pod) => format!("deleted {}", pod.metadata.resource_version.as_deref().unwrap()),
        Event::Bookmark(bookmark) => format!("bookmark {}", bookmark.resource_version),
        Event::Error(error) => format!("error {error}"),
    };
    let words: Vec<_> = lines(&text).iter().map(word).collect();
    assert_eq!(words, ["added cart-0", "bookmark 9002", "modified 9003", "bookmark 9010", "deleted 9011"]);
}

#[test]
fn a_bookmark_tells_when_all_initial_events_came() {
    let text = places::text(&places::root().join("tests/fixtures/watch/leases-initial-events-end.jsonl"));
    let bookmarks = lines::<Lease>(&text).into_iter().filter_map(|event| match event {
        Ok(Event::Bookmark(bookmark)) => Some((bookmark.initial_events_end(), bookmark.resource_version)),
        _ => None,
    });
    assert_eq!(bookmarks.collect::<Vec<_>>(), [(true, "562".to_owned()), (true, "600".to_owned())]);
    let with = |value: &str| Bookmark {
        annotations: [("k8s.io/initial-events-end".to_owned(), value.to_owned())].into(),
        ..Bookmark::default()
    };
    assert!(with("true").initial_events_end());
    assert!(!with("false").initial_events_end() && !Bookmark::default().initial_events_end());
}

#[test]
fn an_error_is_an_event_and_does_not_end_the_decoder() {
    let error = r#"{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (947)","reason":"Expired","code":410}}"#;
    let events = lines::<Pod>(&format!("{error}\n{{\"type\":\"ADDED\",\"object\":{{}}}}\n"));
    let Ok(Event::Error(refusal)) = &events[0] else { panic!("{events:?}") };
    assert_eq!((refusal.code.as_u16(), refusal.reason()), (410, "Expired"));
    assert_eq!(refusal.to_string(), "the server answered 410 Gone (Expired): too old resource version: 1 (947)");
    assert_eq!(events[1], Ok(Event::Added(Box::new(openshift_api::from_str("{}").unwrap()))));
}

#[test]
fn a_server_may_send_any_object_as_an_error() {
    let refusal = |object: &str| match lines::<Pod>(&format!("{{\"type\":\"ERROR\",\"object\":{object}}}\n")).pop() {
        Some(Ok(Event::Error(error))) => (error.code.as_u16(), error.message().to_owned()),
        other => panic!("{other:?}"),
    };
    // Without a code it is one of the server.
    assert_eq!(refusal(r#"{"kind":"Status","message":"etcd is gone"}"#), (500, "etcd is gone".to_owned()));
    assert_eq!(refusal(r#"{"kind":"Status","message":"odd","code":99999}"#), (500, "odd".to_owned()));
    let other = r#"{"kind":"Problem","apiVersion":"example.com/v1","detail":5}"#;
    assert_eq!(refusal(other), (500, other.to_owned()));
    assert_eq!(refusal(r#""late""#), (500, r#""late""#.to_owned()));
}

#[test]
fn a_bare_status_is_an_error_event() {
    let status = places::text(&places::root().join("tests/fixtures/statuses/forbidden-403.json"));
    let events = lines::<Pod>(&format!("{}\n", status.trim_end()));
    assert!(matches!(&events[..], [Ok(Event::Error(error))] if error.code == 403), "{events:?}");
}

#[test]
fn a_line_that_is_no_event_does_not_stop_the_next() {
    let good = r#"{"object":{"metadata":{"name":"web"}},"type":"ADDED"}"#;
    let events = lines::<Pod>(&format!("{good}\nno\n{{\"type\":\"MOVED\",\"object\":{{}}}}\n{good}\n"));
    let kinds: Vec<_> = events.iter().map(Result::is_ok).collect();
    assert_eq!(kinds, [true, false, false, true]);
}

#[test]
fn what_is_wrong_with_an_event_is_told() {
    let message = |line: &str| fault(line).to_string();
    assert_eq!(message(r#"{"type":"MOVED","object":{}}"#), "type: unknown type of event `MOVED`");
    assert_eq!(message(r#"{"object":{}}"#), "type: an event without a type");
    assert_eq!(message(r#"{"type":"ADDED"}"#), "object: an event without an object");
    assert_eq!(message(r#"{"type":"BOOKMARK","object":null}"#), "object: an event without an object");
    assert_eq!(message("<html>"), "expected an object (WatchEvent), found `<` at line 1 column 1");
    let deep = r#"{"type":"ADDED","object":{"spec":{"containers":[{"name":5}]}}}"#;
    let expected = "object.spec.containers[0].name: expected a string, found 5 at line 1 column 57";
    assert_eq!(message(deep), expected);
    let expected = "object: expected an object (Pod), found 5 at line 1 column 26";
    assert_eq!(message(r#"{"type":"ADDED","object":5}"#), expected);
    let other = r#"{"type":"ADDED","object":{"kind":"Lease","apiVersion":"coordination.k8s.io/v1"}}"#;
    let expected = "object: expected kind `Pod` of `v1`, \
                    found kind `Lease` of `coordination.k8s.io/v1` at line 1 column 26";
    assert_eq!(message(other), expected);
}

#[test]
fn the_last_of_repeated_members_counts() {
    let pod = |name: &str| format!(r#""object":{{"metadata":{{"name":"{name}","labels":{{"{name}":""}}}}}}"#);
    let (a, b) = (pod("a"), pod("b"));
    let status = r#""object":{"kind":"Status","code":410}"#;
    let named = |name: &str| {
        let text = format!(r#"{{"metadata":{{"name":"{name}","labels":{{"{name}":""}}}}}}"#);
        Box::new(openshift_api::from_str::<Pod>(&text).unwrap())
    };
    let changes = [
        (format!(r#"{{"type":"ADDED",{a},{b}}}"#), Event::Added(named("b"))),
        (format!(r#"{{"type":"ADDED",{a},"type":"DELETED"}}"#), Event::Deleted(named("a"))),
        (format!(r#"{{"type":"ADDED",{a},"type":"ERROR",{b},"type":"ADDED"}}"#), Event::Added(named("b"))),
        (format!(r#"{{"type":"ERROR",{a},"type":"ADDED",{b}}}"#), Event::Added(named("b"))),
        (format!(r#"{{{a},{b},"type":"MODIFIED"}}"#), Event::Modified(named("b"))),
        (format!(r#"{{"type":"ADDED",{a},"object":null,{b}}}"#), Event::Added(named("b"))),
    ];
    for (text, expected) in changes {
        assert_eq!(lines::<Pod>(&format!("{text}\n")), [Ok(expected)], "{text}");
    }
    let gone = |text: String| match lines::<Pod>(&format!("{text}\n")).pop() {
        Some(Ok(Event::Error(error))) => error.code.as_u16(),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(gone(format!(r#"{{"type":"ADDED",{status},"type":"ERROR"}}"#)), 410);
    assert_eq!(gone(format!(r#"{{"type":"ADDED","object":5,"type":"ERROR",{status}}}"#)), 410);
    assert_eq!(gone(format!(r#"{{"type":"ERROR",{a},{status}}}"#)), 410);
    for text in [format!(r#"{{"type":"ADDED",{a},"object":null}}"#), r#"{"object":null,"type":"ADDED"}"#.to_owned()] {
        assert_eq!(fault(&text).message(), "object: an event without an object", "{text}");
    }
    assert_eq!(
        fault(&format!(r#"{{"type":"ADDED","object":5,{a}}}"#)).message(),
        "object: expected an object (Pod), found 5"
    );
}

#[test]
fn lines_may_end_with_a_carriage_return_and_may_be_blank() {
    let text = "\r\n\n{\"type\":\"ADDED\",\"object\":{}}\r\n \t\r\n{\"type\":\"DELETED\",\"object\":{}}\n\n";
    let events = lines::<Pod>(text);
    assert!(matches!(&events[..], [Ok(Event::Added(_)), Ok(Event::Deleted(_))]), "{events:?}");
}

#[test]
fn a_stream_that_breaks_off_within_an_event_says_so() {
    let whole = "{\"type\":\"ADDED\",\"object\":{}}\n";
    for cut in 1..whole.len() {
        let text = format!("{whole}{}", &whole[..cut]);
        let (events, end) = watch::<Pod>([text.as_bytes()]);
        assert_eq!(events.len(), 1, "{text}");
        assert_eq!(end, Err(Error::Truncated { rest: whole.as_bytes()[..cut].to_vec() }), "{text}");
    }
    let (_, end) = watch::<Pod>([b"{\"type\"" as &[u8]]);
    assert_eq!(end.unwrap_err().to_string(), "the stream ended within an event, after 7 bytes of it");
    // Blanks are nothing that was lost.
    assert_eq!(watch::<Pod>([b"\r\n \n  " as &[u8]]).1, Ok(()));
    assert_eq!(watch::<Pod>([]).1, Ok(()));
}

#[test]
fn a_request_begins_a_watch() {
    let request = pods::watch("default", &WatchParams::default().resource_version("7")).unwrap();
    let mut watch = request.decode(&HttpResponse::new("{\"type\":\"ADDED\",\"object\":{}}\n{\"type\":")).unwrap().body;
    assert!(matches!(watch.next_event(), Some(Ok(Event::Added(_)))));
    assert_eq!(watch.next_event(), None);
    watch.push(b"\"DELETED\",\"object\":{}}\n");
    assert!(matches!(watch.next_event(), Some(Ok(Event::Deleted(_)))));
    assert_eq!(watch.finish(), Ok(()));
    let gone = HttpResponse::builder().status(410).body("too old").unwrap();
    assert!(request.decode(&gone).unwrap_err().is_gone());
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(chunks in prop::collection::vec(any::<Vec<u8>>(), 0..8)) {
        let (events, _) = watch::<Pod>(chunks.iter().map(Vec::as_slice));
        prop_assert!(events.iter().all(|event| !matches!(event, Ok(Event::Added(_)))));
    }
}

/// Searching the whole line again for every byte of it would take hours here.
#[test]
fn a_large_event_may_come_byte_by_byte() {
    let name = "x".repeat(4 << 20);
    let line = format!("{{\"type\":\"ADDED\",\"object\":{{\"metadata\":{{\"name\":\"{name}\"}}}}}}\n");
    let (events, end) = watch::<Pod>(line.as_bytes().chunks(1));
    assert_eq!(end, Ok(()));
    assert!(matches!(&events[..], [Ok(Event::Added(pod))] if pod.metadata.name.as_ref() == Some(&name)));
}

/// Nor does a large chunk of small events take longer than its bytes.
#[test]
fn many_events_may_come_at_once() {
    let text = "{\"type\":\"DELETED\",\"object\":{}}\n".repeat(100_000);
    let (events, end) = watch::<Lease>([text.as_bytes()]);
    assert_eq!((events.len(), end), (100_000, Ok(())));
}
