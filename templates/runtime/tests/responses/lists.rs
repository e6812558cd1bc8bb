//! Lists, decoded item by item as their bytes arrive.

use allocation_counter::measure;
use http::{HeaderMap, StatusCode};
use openshift_api::core_v1::{Pod, PodList, pods};
use openshift_api::meta_v1::{ListMeta, ObjectMeta, PartialObjectMetadataList};
use openshift_api::params::ListParams;
use openshift_api::{DecodeError, Error, Items, Watch, from_reader, from_slice, to_vec};
use std::io::{self, Read};

const LIST: &str = r#"{
  "kind": "PodList", "items": [
    {"metadata": {"name": "ä\"]},{[", "labels": {"items": "[1,2]"}}},
    {"metadata": {"name": "b\\"}, "spec": {"containers": [{"name": "c", "args": ["[", "}"]}]}}, null
  ] , "metadata": {"continue": "x", "resourceVersion": "7"}, "items2": [1], "apiVersion": "v1"
}"#;

/// Reads a list that comes in these pieces.
fn read(pieces: &[&[u8]]) -> Result<(Vec<Pod>, PodList), Error> {
    let mut items = Items::<PodList>::default();
    let mut pods = Vec::new();
    for piece in pieces {
        items.push(piece);
        while let Some(pod) = items.next_item() {
            pods.push(pod?);
        }
    }
    Ok((pods, items.finish()?))
}

fn failure(pieces: &[&[u8]]) -> DecodeError {
    match read(pieces) {
        Err(Error::Decode { status: StatusCode::OK, error, .. }) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_list_is_the_same_however_it_is_cut() {
    let expected: PodList = from_slice(LIST.as_bytes()).unwrap();
    assert_eq!(expected.items.len(), 3);
    let text = LIST.as_bytes();
    for cut in 0..=text.len() {
        let (pods, rest) = read(&[&text[..cut], b"", &text[cut..]]).unwrap();
        assert_eq!(
            (&pods, &rest.metadata, rest.items.len()),
            (&expected.items, &expected.metadata, 0),
            "{cut}"
        );
    }
    let (pods, _) = read(&text.chunks(1).collect::<Vec<_>>()).unwrap();
    assert_eq!(pods, expected.items);
    assert_eq!(from_reader::<PodList>(text).unwrap(), expected);
}

#[test]
fn reads_a_list_of_metadata_item_by_item() {
    let mut items = Items::<PartialObjectMetadataList>::default();
    items.push(
        br#"{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"continue":"x"},"items":["#,
    );
    items.push(
        br#"{"metadata":{"name":"a"}},{"kind":"PartialObjectMetadata","metadata":{"name":"b"}}]}"#,
    );
    let names: Vec<_> = std::iter::from_fn(|| items.next_item())
        .map(|item| item.unwrap().metadata.name.unwrap())
        .collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(items.finish().unwrap().metadata.continue_.as_deref(), Some("x"));
}

#[test]
fn an_optional_list_may_be_null() {
    assert_eq!(from_reader::<Option<PodList>>(b" null ".as_slice()).unwrap(), None);
    assert_eq!(
        from_reader::<Option<PodList>>(LIST.as_bytes()).unwrap(),
        from_slice(LIST.as_bytes()).unwrap()
    );
}

#[test]
fn an_item_is_returned_as_soon_as_it_is_complete() {
    let mut items = Items::<PodList>::default();
    items.push(br#"{"items":[{"metadata":{"name":"a"}}"#);
    assert!(items.next_item().is_none(), "more of it may come");
    items.push(b",");
    assert_eq!(items.next_item().unwrap().unwrap().metadata.name.as_deref(), Some("a"));
    assert!(items.next_item().is_none());
}

#[test]
fn lists_without_items_are_empty() {
    for text in [
        r#"{"items":[ ]}"#,
        r#"{"items":null}"#,
        "{}",
        r#"{"\u0069tems":[]}"#,
        r#"{"kind":"PodList"}"#,
    ] {
        let (pods, rest) = read(&[text.as_bytes()]).unwrap();
        assert!(pods.is_empty() && rest.items.is_empty(), "{text}");
    }
    let (pods, _) = read(&[br#"{"\u0069tems":[{}]}"#]).unwrap();
    assert_eq!(pods.len(), 1);
}

#[test]
fn errors_have_their_position_in_the_whole_list() {
    let places = [
        (
            r#"{"items":[{},{"spec":{"nodeName":5}}]}"#,
            "items[1].spec.nodeName: expected a string, found 5",
            1,
            34,
        ),
        ("{\n\"items\":[{},\n [5]]}", "items[1]: expected an object (Pod), found an array", 3, 2),
        ("{\"items\":[{},\n{}\n,]}", "items[2]: expected an object (Pod), found `]`", 3, 2),
        (r#"{"items":[{},{}}"#, "items[1]: expected `,` or `]`, found `}`", 1, 16),
        (
            r#"{"items":[{"metadata":{]}}]}"#,
            "items[0].metadata: expected the name of a member, found `]`",
            1,
            24,
        ),
        (r#"{"items":[{},"#, "items[1]: expected a value, found the end of the text", 1, 14),
        (r#"{"items":["#, "items[0]: expected a value, found the end of the text", 1, 11),
        (r#"{"items":[{}]"#, "expected `,` or `}`, found the end of the text", 1, 14),
        (
            "{\"items\":[{}]\n,\"metadata\":5}",
            "metadata: expected an object (ListMeta), found 5",
            2,
            13,
        ),
        (r#"{"items":[{}]}}"#, "expected the end of the text, found `}`", 1, 15),
        (
            r#"{"metadata":[],"items":[{}]}"#,
            "metadata: expected an object (ListMeta), found an array",
            1,
            13,
        ),
        (r#"["items",[{}]]"#, "expected an object (PodList), found an array", 1, 1),
        ("<html>", "expected an object (PodList), found `<`", 1, 1),
    ];
    for (text, message, line, column) in places {
        let error = failure(&[text.as_bytes()]);
        assert_eq!(
            (error.message(), error.line(), error.column()),
            (message, line, column),
            "{text}"
        );
        let of_reader = from_reader::<PodList>(text.as_bytes()).unwrap_err();
        assert_eq!(
            (of_reader.kind(), of_reader.to_string()),
            (io::ErrorKind::InvalidData, error.to_string()),
            "{text}"
        );
    }
    let error = failure(&[b"{\"items\":[{},{\"metadata\":{\"name\":\"\xc3\xa4\xff\"}}]}"]);
    assert_eq!(
        error.to_string(),
        "items[1].metadata.name: expected UTF-8, found bytes that are not UTF-8 at line 1 column \
         36"
    );
}

#[test]
fn another_list_is_refused_before_its_items_or_at_the_end() {
    let message = "expected kind `PodList` of `v1`, found kind `NodeList`";
    let mut items = Items::<PodList>::default();
    items.push(br#"{"kind":"NodeList","items":[{"#);
    assert_eq!(items.next_item().unwrap().unwrap_err().to_string(), decode_error(message));
    assert_eq!(
        read(&[br#"{"items":[{}],"kind":"NodeList"}"#]).unwrap_err().to_string(),
        decode_error(message)
    );
}

/// Lists with members that are repeated, and whether items may be returned before its end.
#[test]
fn the_last_of_repeated_members_counts() {
    let repeated = "items: repeated, after its elements were returned at line 1 column";
    let texts = [
        (r#"{"items":[],"kind":"NodeList","kind":"PodList"}"#, None),
        (r#"{"kind":"NodeList","kind":"PodList","items":[{}]}"#, None),
        (r#"{"metadata":{"continue":"a"},"items":[],"metadata":{"resourceVersion":"7"}}"#, None),
        (r#"{"items":null,"items":[{},{}]}"#, None),
        (
            r#"{"kind":"v1","items":[],"kind":"PodList"}"#,
            Some("expected kind `PodList` of `v1`, found kind `v1`"),
        ),
        (r#"{"items":[{}],"metadata":{},"items":[{},{}]}"#, Some(repeated)),
        (r#"{"items":[],"items":[{"metadata":{"name":"a"}}]}"#, Some(repeated)),
        (r#"{"items":[{}],"\u0069tems":null}"#, Some(repeated)),
    ];
    for (text, fault_of_items) in texts {
        let whole: PodList = from_slice(text.as_bytes()).unwrap();
        assert_eq!(serde_json::from_str::<PodList>(text).unwrap(), whole, "{text}");
        assert_eq!(from_reader::<PodList>(text.as_bytes()).unwrap(), whole, "{text}");
        if let Some(message) = fault_of_items {
            let error = failure(&[text.as_bytes()]).to_string();
            assert!(
                error.starts_with(message) && error.contains(" at line 1 column "),
                "{text}: {error}"
            );
            continue;
        }
        let (items, rest) = read(&[text.as_bytes()]).unwrap();
        assert_eq!(PodList { items, ..rest }, whole, "{text}");
    }
}

#[test]
fn a_list_of_another_kind_is_refused_by_its_kind() {
    let text = r#"{"kind":"NodeList","items":[{"spec":{"volumes":"a"}}]}"#;
    let message = "expected kind `PodList` of `v1`, found kind `NodeList` at line 1 column 1";
    assert_eq!(from_slice::<PodList>(text.as_bytes()).unwrap_err().to_string(), message);
    assert_eq!(from_reader::<PodList>(text.as_bytes()).unwrap_err().to_string(), message);
}

#[test]
fn only_white_space_of_json_is_white_space() {
    for space in ['\u{b}', '\u{c}', '\u{85}', '\u{a0}', '\u{2028}', '\u{feff}', '\0'] {
        for text in [
            format!(r#"{{"items":[{space}]}}"#),
            format!(r#"{space}{{"items":[]}}"#),
            format!(r#"{{"items":[]}}{space}"#),
        ] {
            assert!(from_slice::<PodList>(text.as_bytes()).is_err(), "{text:?}");
            assert!(from_reader::<PodList>(text.as_bytes()).is_err(), "{text:?}");
            assert!(read(&[text.as_bytes()]).is_err(), "{text:?}");
        }
    }
    assert!(read(&[b" \t\r\n{ \t\r\n\"items\" :[ \t\r\n] } \t\r\n"]).is_ok());
}

fn decode_error(message: &str) -> String {
    format!("the response (200 OK) cannot be decoded: {message} at line 1 column 1")
}

#[test]
fn items_behind_a_bad_one_are_decoded() {
    let mut items = Items::<PodList>::default();
    items.push(br#"{"items":[{"spec":1},{"metadata":{"name":"b"}}]}"#);
    assert!(items.next_item().unwrap().is_err());
    assert_eq!(items.next_item().unwrap().unwrap().metadata.name.as_deref(), Some("b"));
    assert!(items.next_item().is_none());
    assert!(items.finish().is_ok());
}

#[test]
fn opens_the_response_to_a_list_as_items() {
    let request =
        pods::list("default", &ListParams::default()).unwrap().stream_as::<Items<PodList>>();
    let headers = HeaderMap::new();
    let mut items = request.open(StatusCode::OK, &headers).unwrap().body;
    items.push(b"{\"items\":[{");
    items.push(b"}],\"metadata\":{\"resourceVersion\":\"9\"}}");
    assert_eq!(items.next_item().unwrap().unwrap(), from_slice(b"{}").unwrap());
    assert_eq!(items.finish().unwrap().metadata.resource_version.as_deref(), Some("9"));
    let error = request.open(StatusCode::FORBIDDEN, &headers).unwrap_err().decode(b"");
    assert_eq!(error.api().map(|error| error.code), Some(StatusCode::FORBIDDEN));
}

#[test]
fn items_and_events_that_were_taken_are_not_kept() {
    let count = 40_000;
    let metadata = ObjectMeta { name: Some("x".repeat(500)), ..ObjectMeta::default() };
    let pod = to_vec(&Pod { metadata, ..Pod::default() });
    for (name, take) in [("list", take_items as fn(&[u8], usize) -> usize), ("watch", take_events)]
    {
        let used = measure(|| assert_eq!(take(&pod, count), count)).bytes_max;
        println!("{name}: {used} bytes");
        assert!(used < 20 << 10, "{name}: {used} bytes for {count} objects of 500 bytes");
    }
}

/// Pushes a list that has an object many times, in pieces that end within objects, and counts the
/// decoded objects.
fn take_items(object: &[u8], count: usize) -> usize {
    let mut items = Items::<PodList>::default();
    let mut taken = 0;
    items.push(b"{\"items\":[");
    for _ in 0..count {
        let (begin, end) = object.split_at(100);
        items.push(begin);
        items.push(end);
        items.push(b",");
        taken += std::iter::from_fn(|| items.next_item()).flatten().count();
    }
    taken
}

fn take_events(object: &[u8], count: usize) -> usize {
    let mut watch = Watch::<Pod>::default();
    let mut taken = 0;
    for _ in 0..count {
        let (begin, end) = object.split_at(100);
        watch.push(&[b"{\"type\":\"ADDED\",\"object\":", begin].concat());
        watch.push(&[end, b"}\n"].concat());
        taken += std::iter::from_fn(|| watch.next_event()).flatten().count();
    }
    taken
}

#[test]
fn errors_of_the_reader_are_passed_on() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    let text = io::Cursor::new(br#"{"items":[{},"#).chain(Broken);
    assert_eq!(from_reader::<PodList>(text).unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(from_reader::<ListMeta>(Broken).unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(
        from_reader::<ListMeta>(&b"{\"continue\":\"a\"}"[..]).unwrap().continue_.as_deref(),
        Some("a")
    );
}
