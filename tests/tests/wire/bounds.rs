//! Whatever a server sends, reading it takes no more than a small multiple of its size, and messages are short.

use openshift_api::codec::UnknownMembers;
use openshift_api::codec::serde::deserialize_strict;
use openshift_api::core_v1::Pod;
use openshift_api::{from_slice, from_slice_strict};
use std::collections::BTreeMap;
use std::process::Command;
use std::{env, fs};

/// Maps of maps of structs: what resources with keys of a user's choice come down to.
type Pods = BTreeMap<String, BTreeMap<String, Pod>>;

/// Reads a text. Returns everything that was said of it.
type Read = fn(&[u8]) -> Vec<String>;

/// A name, what makes the text, and what reads it.
type Case = (&'static str, fn() -> Vec<u8>, Read);

const CASES: [Case; 12] = [
    ("deep unknown member", brackets, own),
    ("deep unknown member, strictly", brackets, own_strict),
    ("deep unknown member through serde", brackets, serde),
    ("unknown members below a long key", below_long_key, own_strict),
    ("unknown members below a long key through serde", below_long_key, serde_strict),
    ("long unknown members", long_members, own_strict),
    ("long unknown members through serde", long_members, serde_strict),
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
    said(from_slice_strict::<Pods>(text).map_err(|error| error.to_string()))
}

fn serde_strict(text: &[u8]) -> Vec<String> {
    let mut json = serde_json::Deserializer::from_slice(text);
    said(deserialize_strict::<Pods, _>(&mut json).map_err(|error| error.to_string()))
}

fn said(read: Result<(Pods, UnknownMembers), String>) -> Vec<String> {
    read.map_or_else(|error| vec![error], |(_, unknown)| unknown.paths)
}

#[test]
fn messages_and_paths_are_short() {
    for (name, text, read) in CASES {
        let said = read(&text());
        assert!(!said.is_empty() && said.len() <= UnknownMembers::LISTED, "{name}: {}", said.len());
        let longest = said.iter().map(|text| text.chars().count()).max();
        assert!(longest < Some(2100), "{name}: {longest:?} characters");
    }
}

/// Names the case that a child reads.
const CASE: &str = "BOUNDS_CASE";

/// A process of its own for each case, since memory that was used once counts as used.
#[test]
fn memory_is_a_small_multiple_of_the_text() {
    if let Ok(case) = env::var(CASE) {
        return read_in_child(&case);
    }
    if memory(PEAK).is_none() {
        eprintln!("skipped: this system does not say how much memory was used");
        return;
    }
    for (name, text, _) in CASES {
        let mut child = Command::new(env::current_exe().unwrap());
        child.env(CASE, name).args(["--exact", "bounds::memory_is_a_small_multiple_of_the_text", "--nocapture"]);
        let output = String::from_utf8(child.output().unwrap().stdout).unwrap();
        let used = output.lines().find_map(|line| line.split("used ").nth(1)?.parse::<usize>().ok());
        let (used, length) = (used.unwrap_or_else(|| panic!("{name}: {output}")), text().len());
        // Paths and messages, which have a largest size, and the memory that the process had before.
        let limit = 20 * length + (1 << 20);
        println!("{name}: {used} bytes for {length}");
        assert!(used < limit, "{name}: {used} bytes for a text of {length}");
    }
}

fn read_in_child(case: &str) {
    let (_, text, read) = CASES.into_iter().find(|(name, ..)| *name == case).expect("there is such a case");
    let text = text();
    let before = memory("VmRSS:").unwrap();
    read(&text);
    println!("\nused {}", memory(PEAK).unwrap() - before);
}

/// The most memory that this process has ever used.
const PEAK: &str = "VmHWM:";

/// Memory of this process, in bytes.
fn memory(which: &str) -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(which))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<usize>().ok()? * 1024)
}
