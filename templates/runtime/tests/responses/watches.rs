//! Watches: the events of a stream, and the errors of lines that are not events.

use http::{HeaderMap, StatusCode};
use openshift_api::WatchEvent;
use openshift_api::codec::{Object, Value};
use openshift_api::coordination_v1::Lease;
use openshift_api::core_v1::{Pod, pods};
use openshift_api::params::WatchParams;
use openshift_api::watch::Bookmark;
use openshift_api::{DecodeError, Error, Watch};
use test_support::places;

/// The events of a watch, and its end.
pub(crate) type Decoded<T> = (Vec<Result<WatchEvent<T>, Error>>, Result<(), Error>);

/// Decodes a stream that comes in these chunks.
pub(crate) fn watch<'a, T: Object + Value>(
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> Decoded<T> {
    let mut watch = Watch::<T>::default();
    let mut events = Vec::new();
    for chunk in chunks {
        watch.push(chunk);
        events.extend(std::iter::from_fn(|| watch.next_event()));
    }
    (events, watch.finish())
}

pub(crate) fn lines<T: Object + Value>(text: &str) -> Vec<Result<WatchEvent<T>, Error>> {
    let (events, end) = watch([text.as_bytes()]);
    assert_eq!(end, Ok(()), "{text}");
    events
}

/// The error of a line that is not an event.
fn failure(line: &str) -> DecodeError {
    match lines::<Pod>(&format!("{line}\n")).pop() {
        Some(Err(Error::Decode { error, .. })) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_type_of_event_is_decoded() {
    let text =
        places::text(&places::root().join("tests/fixtures/watch/pods-lifecycle-bookmarks.jsonl"));
    let word = |event: &Result<WatchEvent<Pod>, Error>| match event.as_ref().unwrap() {
        WatchEvent::Added(pod) => format!("added {}", pod.metadata.name.as_deref().unwrap()),
        WatchEvent::Modified(pod) => {
            format!("modified {}", pod.metadata.resource_version.as_deref().unwrap())
        }
        WatchEvent::Deleted(pod) => {
            format!("deleted {}", pod.metadata.resource_version.as_deref().unwrap())
        }
        WatchEvent::Bookmark(bookmark) => format!("bookmark {}", bookmark.resource_version),
        WatchEvent::Error(error) => format!("error {error}"),
    };
    let words: Vec<_> = lines(&text).iter().map(word).collect();
    assert_eq!(
        words,
        ["added cart-0", "bookmark 9002", "modified 9003", "bookmark 9010", "deleted 9011"]
    );
}

#[test]
fn a_bookmark_marks_the_end_of_initial_events() {
    let text =
        places::text(&places::root().join("tests/fixtures/watch/leases-initial-events-end.jsonl"));
    let bookmarks = lines::<Lease>(&text).into_iter().filter_map(|event| match event {
        Ok(WatchEvent::Bookmark(bookmark)) => {
            Some((bookmark.initial_events_end(), bookmark.resource_version))
        }
        _ => None,
    });
    assert_eq!(bookmarks.collect::<Vec<_>>(), [(true, "562".to_owned()), (true, "600".to_owned())]);
    let with = |value: &str| {
        let mut bookmark = Bookmark::default();
        bookmark.annotations.insert("k8s.io/initial-events-end".to_owned(), value.to_owned());
        bookmark
    };
    assert!(with("true").initial_events_end());
    assert!(!with("false").initial_events_end() && !Bookmark::default().initial_events_end());
}

#[test]
fn an_error_is_an_event_and_does_not_end_the_decoder() {
    let error = r#"{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (947)","reason":"Expired","code":410}}"#;
    let events = lines::<Pod>(&format!("{error}\n{{\"type\":\"ADDED\",\"object\":{{}}}}\n"));
    let Ok(WatchEvent::Error(refusal)) = &events[0] else { panic!("{events:?}") };
    assert_eq!((refusal.code.as_u16(), refusal.reason()), (410, "Expired"));
    assert_eq!(
        refusal.to_string(),
        "the server responded with 410 Gone (Expired): too old resource version: 1 (947)"
    );
    assert_eq!(events[1], Ok(WatchEvent::Added(Box::new(openshift_api::from_str("{}").unwrap()))));
}

#[test]
fn a_server_may_send_any_object_as_an_error() {
    let refusal =
        |object: &str| match lines::<Pod>(&format!("{{\"type\":\"ERROR\",\"object\":{object}}}\n"))
            .pop()
        {
            Some(Ok(WatchEvent::Error(error))) => (error.code.as_u16(), error.message().to_owned()),
            other => panic!("{other:?}"),
        };
    // Without a code it is one of the server.
    assert_eq!(
        refusal(r#"{"kind":"Status","message":"etcd is gone"}"#),
        (500, "etcd is gone".to_owned())
    );
    assert_eq!(
        refusal(r#"{"kind":"Status","message":"odd","code":99999}"#),
        (500, "odd".to_owned())
    );
    let other = r#"{"kind":"Problem","apiVersion":"example.com/v1","detail":5}"#;
    assert_eq!(refusal(other), (500, other.to_owned()));
    assert_eq!(refusal(r#""late""#), (500, r#""late""#.to_owned()));
}

#[test]
fn a_bare_status_is_an_error_event() {
    let status = places::text(&places::root().join("tests/fixtures/statuses/forbidden-403.json"));
    let events = lines::<Pod>(&format!("{}\n", status.trim_end()));
    assert!(
        matches!(&events[..], [Ok(WatchEvent::Error(error))] if error.code == 403),
        "{events:?}"
    );
}

#[test]
fn a_line_that_is_no_event_does_not_stop_the_next() {
    let good = r#"{"object":{"metadata":{"name":"web"}},"type":"ADDED"}"#;
    let events =
        lines::<Pod>(&format!("{good}\nno\n{{\"type\":\"MOVED\",\"object\":{{}}}}\n{good}\n"));
    let kinds: Vec<_> = events.iter().map(Result::is_ok).collect();
    assert_eq!(kinds, [true, false, false, true]);
}

#[test]
fn errors_of_events_have_their_path_and_position() {
    let message = |line: &str| failure(line).to_string();
    assert_eq!(message(r#"{"type":"MOVED","object":{}}"#), "type: unknown type of event `MOVED`");
    assert_eq!(message(r#"{"object":{}}"#), "type: an event without a type");
    assert_eq!(message(r#"{"type":"ADDED"}"#), "object: an event without an object");
    assert_eq!(
        message(r#"{"type":"BOOKMARK","object":null}"#),
        "object: an event without an object"
    );
    assert_eq!(message("<html>"), "expected an object (WatchEvent), found `<` at line 1 column 1");
    let deep = r#"{"type":"ADDED","object":{"spec":{"containers":[{"name":5}]}}}"#;
    let expected = "object.spec.containers[0].name: expected a string, found 5 at line 1 column 57";
    assert_eq!(message(deep), expected);
    let expected = "object: expected an object (Pod), found 5 at line 1 column 26";
    assert_eq!(message(r#"{"type":"ADDED","object":5}"#), expected);
    let other =
        r#"{"type":"ADDED","object":{"kind":"Lease","apiVersion":"coordination.k8s.io/v1"}}"#;
    let expected = "object: expected kind `Pod` of `v1`, found kind `Lease` of \
                    `coordination.k8s.io/v1` at line 1 column 26";
    assert_eq!(message(other), expected);
}

#[test]
fn the_last_of_repeated_members_counts() {
    let pod = |name: &str| {
        format!(r#""object":{{"metadata":{{"name":"{name}","labels":{{"{name}":""}}}}}}"#)
    };
    let a = pod("a");
    let b = pod("b");
    let status = r#""object":{"kind":"Status","code":410}"#;
    let named = |name: &str| {
        let text = format!(r#"{{"metadata":{{"name":"{name}","labels":{{"{name}":""}}}}}}"#);
        Box::new(openshift_api::from_str::<Pod>(&text).unwrap())
    };
    let changes = [
        (format!(r#"{{"type":"ADDED",{a},{b}}}"#), WatchEvent::Added(named("b"))),
        (format!(r#"{{"type":"ADDED",{a},"type":"DELETED"}}"#), WatchEvent::Deleted(named("a"))),
        (
            format!(r#"{{"type":"ADDED",{a},"type":"ERROR",{b},"type":"ADDED"}}"#),
            WatchEvent::Added(named("b")),
        ),
        (format!(r#"{{"type":"ERROR",{a},"type":"ADDED",{b}}}"#), WatchEvent::Added(named("b"))),
        (format!(r#"{{{a},{b},"type":"MODIFIED"}}"#), WatchEvent::Modified(named("b"))),
        (format!(r#"{{"type":"ADDED",{a},"object":null,{b}}}"#), WatchEvent::Added(named("b"))),
    ];
    for (text, expected) in changes {
        assert_eq!(lines::<Pod>(&format!("{text}\n")), [Ok(expected)], "{text}");
    }
    let gone = |text: String| match lines::<Pod>(&format!("{text}\n")).pop() {
        Some(Ok(WatchEvent::Error(error))) => error.code.as_u16(),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(gone(format!(r#"{{"type":"ADDED",{status},"type":"ERROR"}}"#)), 410);
    assert_eq!(gone(format!(r#"{{"type":"ADDED","object":5,"type":"ERROR",{status}}}"#)), 410);
    assert_eq!(gone(format!(r#"{{"type":"ERROR",{a},{status}}}"#)), 410);
    for text in [
        format!(r#"{{"type":"ADDED",{a},"object":null}}"#),
        r#"{"object":null,"type":"ADDED"}"#.to_owned(),
    ] {
        assert_eq!(failure(&text).message(), "object: an event without an object", "{text}");
    }
    assert_eq!(
        failure(&format!(r#"{{"type":"ADDED","object":5,{a}}}"#)).message(),
        "object: expected an object (Pod), found 5"
    );
}

#[test]
fn lines_may_end_with_a_carriage_return_and_may_be_blank() {
    let text = "\r\n\n{\"type\":\"ADDED\",\"object\":{}}\r\n \
                \t\r\n{\"type\":\"DELETED\",\"object\":{}}\n\n";
    let events = lines::<Pod>(text);
    assert!(
        matches!(&events[..], [Ok(WatchEvent::Added(_)), Ok(WatchEvent::Deleted(_))]),
        "{events:?}"
    );
}

#[test]
fn a_stream_that_breaks_off_within_an_event_is_truncated() {
    let whole = "{\"type\":\"ADDED\",\"object\":{}}\n";
    for cut in 1..whole.len() {
        let text = format!("{whole}{}", &whole[..cut]);
        let (events, end) = watch::<Pod>([text.as_bytes()]);
        assert_eq!(events.len(), 1, "{text}");
        assert_eq!(end, Err(Error::Truncated { rest: whole.as_bytes()[..cut].to_vec() }), "{text}");
    }
    let (_, end) = watch::<Pod>([b"{\"type\"" as &[u8]]);
    assert_eq!(
        end.unwrap_err().to_string(),
        "the stream ended within an event, after 7 bytes of it"
    );
    // Blanks are nothing that was lost.
    assert_eq!(watch::<Pod>([b"\r\n \n  " as &[u8]]).1, Ok(()));
    assert_eq!(watch::<Pod>([]).1, Ok(()));
}

#[test]
fn a_request_begins_a_watch() {
    let request = pods::watch("default", &WatchParams::default().resource_version("7")).unwrap();
    let headers = HeaderMap::new();
    let mut watch = request.open(StatusCode::OK, &headers).unwrap().body;
    watch.push(b"{\"type\":\"ADDED\",\"object\":{}}\n{\"type\":");
    assert!(matches!(watch.next_event(), Some(Ok(WatchEvent::Added(_)))));
    assert_eq!(watch.next_event(), None);
    watch.push(b"\"DELETED\",\"object\":{}}\n");
    assert!(matches!(watch.next_event(), Some(Ok(WatchEvent::Deleted(_)))));
    assert_eq!(watch.finish(), Ok(()));
    let refusal = request.open(StatusCode::GONE, &headers).unwrap_err();
    assert_eq!(refusal.to_string(), "the server refused the stream with 410 Gone");
    let error = refusal.decode(b"too old");
    assert!(error.is_gone());
    assert_eq!(error.to_string(), "the server responded with 410 Gone: too old");
    assert!(Error::from(refusal).is_gone());
}
