//! Decoding takes no more memory than a small multiple of a body's size, whatever is in it, and messages are short.

use kapigen_tests::memory;
use kapigen_tests::places::log;
use openshift_api::codec::UnknownMembers;
use openshift_api::codec::serde::deserialize_strict;
use openshift_api::core_v1::Pod;
use openshift_api::{from_slice, from_slice_strict};
use std::collections::BTreeMap;

/// Maps of maps of structs, like resources with keys of a user's choice.
type Pods = BTreeMap<String, BTreeMap<String, Pod>>;

/// Decodes a body. Returns all messages and paths.
type Read = fn(&[u8]) -> Vec<String>;

/// A name, a function that makes a body, and one that decodes it.
type Case = (&'static str, fn() -> Vec<u8>, Read);

const CASES: [Case; 14] = [
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
];

fn brackets() -> Vec<u8> {
    [br#"{"a":{"b":{"x":"#.to_vec(), vec![b'['; 1_000_000]].concat()
}

fn below_long_key() -> Vec<u8> {
    let members: Vec<String> = (0..20_000).map(|number| format!("\"u{number}\":0")).collect();
    format!("{{\"a\":{{\"{}\":{{{}}}}}}}", "\u{1f600}".repeat(50_000), members.join(",")).into_bytes()
}

fn long_members() -> Vec<u8> {
    let members: Vec<String> = (0..200).map(|number| format!("\"u{number}{}\":0", "\\u0001".repeat(1000))).collect();
    format!("{{\"a\":{{\"b\":{{{}}}}}}}", members.join(",")).into_bytes()
}

/// With names in no order, and every second one twice.
fn many_members() -> Vec<u8> {
    let names = (0..200_000_u64).map(|number| number * 7919 % 100_003);
    let members: Vec<String> = names.map(|name| format!("\"{name:x}\":0")).collect();
    format!("{{\"a\":{{\"b\":{{{}}}}}}}", members.join(",")).into_bytes()
}

fn error_below_long_key() -> Vec<u8> {
    format!("{{\"a\":{{\"{}\":{{\"metadata\":{{\"name\":5}}}}}}}}", "k\\n".repeat(500_000)).into_bytes()
}

fn long_string() -> Vec<u8> {
    format!("{{\"a\":{{\"b\":{{\"metadata\":\"{}\"}}}}}}", "\u{200b}".repeat(500_000)).into_bytes()
}

fn long_kind() -> Vec<u8> {
    format!("{{\"a\":{{\"b\":{{\"kind\":\"{}\"}}}}}}", "k".repeat(1_000_000)).into_bytes()
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

#[test]
fn messages_and_paths_are_short() {
    for (name, text, read) in CASES {
        let messages = read(&text());
        assert!(!messages.is_empty() && messages.len() <= UnknownMembers::LISTED, "{name}: {}", messages.len());
        let longest = messages.iter().map(|text| text.chars().count()).max();
        assert!(longest < Some(2100), "{name}: {longest:?} characters");
    }
}

#[test]
fn memory_is_a_small_multiple_of_the_text() {
    if let Some(case) = memory::case() {
        let (_, text, read) = CASES.into_iter().find(|(name, ..)| *name == case).expect("there is such a case");
        let text = text();
        memory::measure(|| read(&text));
        return;
    }
    if !memory::is_reported() {
        return log("not measured: this system does not report the memory of a process");
    }
    for (name, text, _) in CASES {
        let used = memory::growth("bounds::memory_is_a_small_multiple_of_the_text", name);
        let length = text().len();
        // Paths and messages, which have a largest size, and the memory that the process had before.
        let limit = 20 * length + (1 << 20);
        println!("{name}: {used} bytes for {length}");
        assert!(used < limit, "{name}: {used} bytes for a text of {length}");
    }
}
