//! Decoding takes no more memory than a small multiple of a body's size, whatever is in it, and
//! messages are short.

use allocation_counter::measure;
use openshift_api::ElectionEvent;
use openshift_api::admission::AdmissionRequest;
use openshift_api::codec::UnknownMembers;
use openshift_api::codec::serde::deserialize_strict;
use openshift_api::core_v1::{Pod, PodList, pods};
use openshift_api::dynamic::Object;
use openshift_api::http;
use openshift_api::informer::{self, Informer};
use openshift_api::jiff::Timestamp;
use openshift_api::mask::FieldMask;
use openshift_api::params::{GetParams, ListParams};
use openshift_api::{Election, Input, Machine, Step, from_slice, from_slice_strict};
use std::collections::BTreeMap;
use std::time::Duration;

/// Maps of maps of structs, like resources with keys of a user's choice.
type Pods = BTreeMap<String, BTreeMap<String, Pod>>;

/// Decodes a body. Returns all messages and paths.
type Read = fn(&[u8]) -> Vec<String>;

/// A name, a function that makes a body, and one that decodes it.
type Case = (&'static str, fn() -> Vec<u8>, Read);

const CASES: [Case; 21] = [
    ("deep unknown member", brackets, own),
    ("deep unknown member, strictly", brackets, own_strict),
    ("deep unknown member through serde", brackets, serde),
    ("unknown members below a long key", below_long_key, own_strict),
    ("unknown members below a long key through serde", below_long_key, serde_strict),
    ("long unknown members", long_members, own_strict),
    ("long unknown members through serde", long_members, serde_strict),
    ("many unknown members", many_members, own_strict),
    ("many unknown members through serde", many_members, serde_strict),
    ("error below a long key", error_below_long_key, own),
    ("error below a long key through serde", error_below_long_key, serde),
    ("long string in place of an object", long_string, own),
    ("long string in place of an object through serde", long_string, serde),
    ("long kind", long_kind, own),
    ("deep object of a review", deep_review, review),
    ("long operation of a review", long_operation, review),
    ("long kind of a review", long_kind_of_review, review),
    ("deep member of a dynamic object", deep_member, dynamic),
    ("long string in place of metadata", long_metadata, dynamic),
    ("deep member that a mask skips", deep_member, masked),
    ("error below a long key by a mask", error_by_mask, masked),
];

fn brackets() -> Vec<u8> {
    [br#"{"a":{"b":{"x":"#.to_vec(), vec![b'['; 1_000_000]].concat()
}

fn below_long_key() -> Vec<u8> {
    let members: Vec<String> = (0..20_000).map(|number| format!("\"u{number}\":0")).collect();
    format!("{{\"a\":{{\"{}\":{{{}}}}}}}", "\u{1f600}".repeat(50_000), members.join(","))
        .into_bytes()
}

fn long_members() -> Vec<u8> {
    let members: Vec<String> =
        (0..200).map(|number| format!("\"u{number}{}\":0", "\\u0001".repeat(1000))).collect();
    format!("{{\"a\":{{\"b\":{{{}}}}}}}", members.join(",")).into_bytes()
}

/// With names in no order, and every second one twice.
fn many_members() -> Vec<u8> {
    let names = (0..200_000_u64).map(|number| number * 7919 % 100_003);
    let members: Vec<String> = names.map(|name| format!("\"{name:x}\":0")).collect();
    format!("{{\"a\":{{\"b\":{{{}}}}}}}", members.join(",")).into_bytes()
}

fn error_below_long_key() -> Vec<u8> {
    format!("{{\"a\":{{\"{}\":{{\"metadata\":{{\"name\":5}}}}}}}}", "k\\n".repeat(500_000))
        .into_bytes()
}

fn long_string() -> Vec<u8> {
    format!("{{\"a\":{{\"b\":{{\"metadata\":\"{}\"}}}}}}", "\u{200b}".repeat(500_000)).into_bytes()
}

fn long_kind() -> Vec<u8> {
    format!("{{\"a\":{{\"b\":{{\"kind\":\"{}\"}}}}}}", "k".repeat(1_000_000)).into_bytes()
}

/// The review of a webhook, with these members of the request.
fn of_review(members: &str) -> String {
    format!(
        r#"{{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{{"uid":"a",{members}}}}}"#
    )
}

fn deep_review() -> Vec<u8> {
    of_review(&format!(r#""operation":"CREATE","object":{{"x":{}"#, "[".repeat(1_000_000)))
        .into_bytes()
}

fn long_operation() -> Vec<u8> {
    of_review(&format!(r#""operation":"{}""#, "\\n".repeat(500_000))).into_bytes()
}

fn long_kind_of_review() -> Vec<u8> {
    of_review("").replace("AdmissionReview", &"k".repeat(1_000_000)).replace(",}", "}").into_bytes()
}

fn deep_member() -> Vec<u8> {
    [br#"{"apiVersion":"v1","kind":"Pod","spec":{"x":"#.to_vec(), vec![b'['; 1_000_000]].concat()
}

fn long_metadata() -> Vec<u8> {
    format!(r#"{{"metadata":"{}"}}"#, "\u{200b}".repeat(500_000)).into_bytes()
}

fn error_by_mask() -> Vec<u8> {
    format!(r#"{{"metadata":{{"labels":{{"{}":5}}}}}}"#, "k".repeat(1_000_000)).into_bytes()
}

fn review(text: &[u8]) -> Vec<String> {
    AdmissionRequest::decode(text).err().into_iter().map(|error| error.to_string()).collect()
}

fn dynamic(text: &[u8]) -> Vec<String> {
    from_slice::<Object>(text).err().into_iter().map(|error| error.to_string()).collect()
}

fn masked(text: &[u8]) -> Vec<String> {
    let mask = FieldMask::only(["metadata.labels"]).expect("a path of pods");
    let request =
        pods::get("default", "a", &GetParams::default()).expect("a request").masked(&mask);
    let decoded = request.decode_parts(http::StatusCode::OK, &http::HeaderMap::new(), text);
    decoded.err().into_iter().map(|error| error.to_string()).collect()
}

fn own(text: &[u8]) -> Vec<String> {
    from_slice::<Pods>(text).err().into_iter().map(|error| error.to_string()).collect()
}

fn serde(text: &[u8]) -> Vec<String> {
    serde_json::from_slice::<Pods>(text).err().into_iter().map(|error| error.to_string()).collect()
}

fn own_strict(text: &[u8]) -> Vec<String> {
    messages(from_slice_strict::<Pods>(text).map_err(|error| error.to_string()))
}

fn serde_strict(text: &[u8]) -> Vec<String> {
    let mut json = serde_json::Deserializer::from_slice(text);
    messages(deserialize_strict::<Pods, _>(&mut json).map_err(|error| error.to_string()))
}

fn messages(read: Result<(Pods, UnknownMembers), String>) -> Vec<String> {
    read.map_or_else(|error| vec![error], |(_, unknown)| unknown.paths)
}

/// The most bytes that this thread holds at a time, of those that it allocates for this work.
fn peak(work: impl FnOnce()) -> u64 {
    measure(work).bytes_max
}

#[test]
fn messages_and_paths_are_short() {
    for (name, text, read) in CASES {
        let messages = read(&text());
        assert!(
            !messages.is_empty() && messages.len() <= UnknownMembers::LISTED,
            "{name}: {}",
            messages.len()
        );
        let longest = messages.iter().map(|text| text.chars().count()).max();
        assert!(longest < Some(2100), "{name}: {longest:?} characters");
    }
}

/// Objects that are three bytes of JSON with their comma take the most. Their vector grows to twice
/// its size, and is there twice while it grows.
#[test]
fn memory_of_empty_objects_is_three_times_their_size() {
    assert!(size_of::<Pod>() < 600);
    for count in [50_000, 100_000, 200_000] {
        let text = format!("{{\"items\":[{}]}}", vec!["{}"; count].join(","));
        let used = peak(|| assert!(from_slice::<PodList>(text.as_bytes()).is_ok()));
        println!("{count}: {used} bytes for {}", text.len());
        assert!(used <= 3 * (count * size_of::<Pod>()) as u64, "{count}: {used} bytes");
    }
}

/// Leases that an election reads, claims, and reads again.
fn leases() -> [(&'static str, String); 4] {
    let empty = vec!["{}"; 900_000].join(",");
    let members: Vec<_> = (0..200_000).map(|number| format!("\"{number:x}\":0")).collect();
    let members = members.join(",");
    [
        ("metadata", empty),
        ("spec", members.clone()),
        ("object", members),
        ("holder", "h".repeat(2 << 20)),
    ]
}

fn lease((place, content): &(&'static str, String)) -> Vec<u8> {
    let at = |here: &str, text: String| if *place == here { text } else { String::new() };
    let holder = at("holder", format!("\"holderIdentity\":\"{content}\""));
    format!(
        r#"{{"kind":"Lease","metadata":{{"resourceVersion":"1"{}}},"spec":{{{holder}{}}}{}}}"#,
        at("metadata", format!(",\"managedFields\":[{content}]")),
        at("spec", content.clone()),
        at("object", format!(",{content}")),
    )
    .into_bytes()
}

/// The number of pods that an informer begins with, and of those on a page.
const PODS: [usize; 2] = [5000, 500];

fn pod(index: usize) -> String {
    let note = "x".repeat(3500);
    format!(
        r#"{{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"web-{index}","namespace":"default","resourceVersion":"{}","annotations":{{"note":"{note}"}}}},"spec":{{"containers":[{{"name":"main"}}]}}}}"#,
        index + 1
    )
}

/// Responds to an informer with pods, one by one: as pages of a list, or as a watch that sends all
/// objects first. Returns the number of pods that it reports, each of which is dropped at once.
fn begin(mut informer: Informer<Pod>, is_list: bool) -> usize {
    let now = Duration::ZERO;
    let [all, page] = PODS;
    let mut reported = 0;
    let mut listed = 0;
    let mut drain = |informer: &mut Informer<Pod>| loop {
        match informer.poll(now) {
            Step::Event(informer::Event::Applied { .. }) => reported += 1,
            Step::Event(informer::Event::Failed(failure)) => panic!("{failure}"),
            Step::Event(_) => {}
            Step::Send(_) => return true,
            _ => return false,
        }
    };
    while drain(&mut informer) && listed < all {
        informer.feed(Input::Head(http::StatusCode::OK, &http::HeaderMap::new()), now);
        let end = if is_list { listed + page } else { all };
        let head = r#"{"kind":"PodList","apiVersion":"v1","items":["#;
        informer.feed(Input::Bytes(if is_list { head.as_bytes() } else { b"" }), now);
        for index in listed..end {
            let comma = if index == listed { "" } else { "," };
            let text = if is_list {
                format!("{comma}{}", pod(index))
            } else {
                format!("{{\"type\":\"ADDED\",\"object\":{}}}\n", pod(index))
            };
            informer.feed(Input::Bytes(text.as_bytes()), now);
            assert!(!drain(&mut informer), "the response is not complete");
        }
        listed = end;
        let token = if end < all { end.to_string() } else { String::new() };
        let end_of_all = r#""annotations":{"k8s.io/initial-events-end":"true"}"#;
        let rest = if is_list {
            format!(r#"],"metadata":{{"resourceVersion":"{all}","continue":"{token}"}}}}"#)
        } else {
            let metadata = format!(r#"{{"resourceVersion":"{all}",{end_of_all}}}"#);
            format!(
                "{{\"type\":\"BOOKMARK\",\"object\":{{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"\
                 metadata\":{metadata}}}}}\n"
            )
        };
        informer.feed(Input::Bytes(rest.as_bytes()), now);
        if is_list {
            informer.feed(Input::End, now);
        }
    }
    assert!(informer.synced_by().is_some(), "it has all objects");
    reported
}

#[test]
fn an_informer_begins_in_as_little_memory_with_a_watch_as_with_pages() {
    let list = || pods::list_all_namespaces(&ListParams::default()).expect("a request");
    let length = (pod(0).len() * PODS[0]) as u64;
    let [pages, watch] = [true, false].map(|is_list| {
        let informer = Informer::new(list()).expect("an informer");
        let informer = if is_list { informer.lists() } else { informer };
        peak(|| assert_eq!(begin(informer, is_list), PODS[0]))
    });
    println!("{length} bytes of pods: {pages} bytes with pages, {watch} with a watch");
    // A megabyte is for the keys and versions.
    assert!(
        pages < length / 4 && watch < pages + (1 << 20),
        "{pages} with pages, {watch} with a watch, for {length}"
    );
}

#[test]
fn an_election_takes_a_small_multiple_of_a_lease() {
    for case in leases() {
        let (place, lease) = (case.0, lease(&case));
        let used = peak(|| {
            let sent = elect(&lease);
            let is_claim = sent[1].method() == "PUT" && sent[1].body().len() > lease.len();
            assert!(place == "holder" || is_claim, "{place}");
        });
        let length = lease.len() as u64;
        println!("{place}: {used} bytes for {length}");
        assert!(length < 3 << 20 && used < 20 * length, "{place}: {used} bytes for {length}");
    }
}

/// Responds to two requests of a candidate with this Lease, each time in chunks. Returns what it
/// sent.
fn elect(lease: &[u8]) -> Vec<http::Request<Vec<u8>>> {
    let mut now = Duration::ZERO;
    let mut election =
        Election::new("ns", "lock", "one", Timestamp::UNIX_EPOCH, now).expect("valid names");
    let mut sent = Vec::new();
    while sent.len() < 3 {
        match election.poll(now) {
            Step::Send(request) => {
                sent.push(*request);
                election.feed(Input::Head(http::StatusCode::OK, &http::HeaderMap::new()), now);
                lease.chunks(64 << 10).for_each(|chunk| election.feed(Input::Bytes(chunk), now));
                election.feed(Input::End, now);
            }
            Step::Wait { until } => now = until,
            Step::Event(event) => assert!(!matches!(event, ElectionEvent::Failed(_)), "{event:?}"),
            Step::Receive { .. } | Step::Done => panic!("a response is complete, and it stands on"),
        }
    }
    sent
}

#[test]
fn an_election_refuses_a_lease_that_no_server_takes() {
    let mut election = Election::new("ns", "lock", "one", Timestamp::UNIX_EPOCH, Duration::ZERO)
        .expect("valid names");
    assert!(matches!(election.poll(Duration::ZERO), Step::Send(_)));
    election.feed(Input::Head(http::StatusCode::OK, &http::HeaderMap::new()), Duration::ZERO);
    election.feed(Input::Bytes(&vec![b'{'; 1 + (3 << 20)]), Duration::ZERO);
    let Step::Event(ElectionEvent::Failed(failure)) = election.poll(Duration::ZERO) else {
        panic!("no failure")
    };
    assert_eq!(
        failure.to_string(),
        "GET /apis/coordination.k8s.io/v1/namespaces/ns/leases/lock: the response cannot be \
         decoded: more than 3145728 bytes"
    );
}

#[test]
fn memory_is_a_small_multiple_of_the_text() {
    for (name, text, read) in CASES {
        let text = text();
        let used = peak(|| drop(read(&text)));
        let length = text.len() as u64;
        println!("{name}: {used} bytes for {length}");
        assert!(used < 20 * length, "{name}: {used} bytes for a text of {length}");
    }
}
