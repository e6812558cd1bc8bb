//! Changes of bodies: of their structure, and of their bytes.

use super::seeds::Seed;
use crate::random::Random;
use std::ops::Range;

/// A part of the body, and its replacement.
type Edit = (Range<usize>, Vec<u8>);

/// The body with one to three changes.
pub(super) fn changed(seed: &Seed, random: &mut Random) -> Vec<u8> {
    let count = *random.of(&[1, 1, 1, 2, 2, 3]);
    let mut edits: Vec<Edit> = (0..count).map(|_| edit(seed, random)).collect();
    edits.sort_by_key(|(range, _)| range.start);
    let mut text = Vec::with_capacity(seed.text.len() + 64);
    let mut at = 0;
    for (range, piece) in edits {
        // An edit within an earlier one has nothing left to change.
        if range.start >= at {
            text.extend_from_slice(&seed.text[at..range.start]);
            text.extend_from_slice(&piece);
            at = range.end;
        }
    }
    text.extend_from_slice(&seed.text[at..]);
    text
}

fn edit(seed: &Seed, random: &mut Random) -> Edit {
    let text = seed.text.as_slice();
    let at = random.below(text.len());
    let mut part = |ranges: &[Range<usize>]| {
        if ranges.is_empty() { at..at } else { random.of(ranges).clone() }
    };
    let value = part(&seed.spots.values);
    let other = part(&seed.spots.values);
    let member = part(&seed.spots.members);
    let before = part(&seed.spots.members).start;
    let string = part(&seed.spots.strings);
    match random.below(20) {
        0..5 => (value, random.of(VALUES).as_bytes().to_vec()),
        5 => (value, text[other].to_vec()),
        6 => (value.clone(), wrapped(&text[value], random)),
        7 | 8 => (before..before, [&text[member], b","].concat()),
        9 | 10 => (member.end..member.end, again(&text[member], random)),
        11 => (member, Vec::new()),
        12 => (value.start..value.start, random.of(SPACES).as_bytes().to_vec()),
        13 => escaped(text, string, random),
        14 | 15 => {
            (at..(at + random.below(4)).min(text.len()), random.of(PIECES).as_bytes().to_vec())
        }
        16 => (at..at + 1, vec![text[at] ^ 1 << random.below(8)]),
        17 => (at..at + 1, vec![random.number().to_le_bytes()[0]]),
        18 => {
            let from = random.below(text.len());
            (at..at, text[from..(from + random.below(80)).min(text.len())].to_vec())
        }
        _ => (at..text.len(), Vec::new()),
    }
}

/// The member once more, often with another value.
fn again(member: &[u8], random: &mut Random) -> Vec<u8> {
    let key =
        member.iter().position(|byte| *byte == b':').map_or(member, |colon| &member[..=colon]);
    let value = random.of(VALUES).as_bytes();
    if random.below(3) == 0 { [b",", member].concat() } else { [b",", key, value].concat() }
}

fn wrapped(value: &[u8], random: &mut Random) -> Vec<u8> {
    let (before, after): (&[u8], &[u8]) = *random.of(&[
        (b"[".as_slice(), b"]".as_slice()),
        (b"{\"a\":", b"}"),
        (b"[null,", b"]"),
        (b"\"", b"\""),
    ]);
    [before, value, after].concat()
}

/// A byte of a string as an escape.
fn escaped(text: &[u8], string: Range<usize>, random: &mut Random) -> Edit {
    if string.is_empty() {
        return (string, br"\u0000".to_vec());
    }
    let at = string.start + random.below(string.len());
    (at..at + 1, format!("\\u{:04x}", text[at]).into_bytes())
}

/// White space, of JSON and of others.
const SPACES: &[&str] =
    &[" ", "\n", "\t", "\r", "\r\n", "\u{c}", "\u{b}", "\0", "\u{a0}", "\u{feff}"];

/// Fragments of JSON to insert, valid there or not.
const PIECES: &[&str] = &[
    "",
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\n",
    "0",
    "-",
    ".",
    "e5",
    "null",
    "\"\"",
    "[]",
    "{}",
    "true",
    "\\n",
    "\\u0061",
    "\\ud83d",
    "\\q",
    "\u{1}",
    "é",
    "\"a\":",
    "\"name\":",
    "\"metadata\":null,",
    "\"kind\":\"Pod\",",
    "1,",
    "{},",
    "\u{c}",
    "\"items\":[],",
    "\"type\":\"ERROR\",",
    "\"object\":{},",
];

/// Values for a member that wants another one.
const VALUES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "5.0",
    "-2147483649",
    "9223372036854775807",
    "9223372036854775808",
    "1e3",
    "\"\"",
    "\"a\\tb\"",
    "\"\\ud83d\"",
    "\"2024-05-01T12:00:00.5+01:00\"",
    "\"1Gi\"",
    "[]",
    "[null]",
    "[[]]",
    "{}",
    "{\"a\":null}",
    "{\"name\":\"x\"}",
    " \"x\" ",
    "\"Pod\"",
    "\"v1\"",
    "\"PodList\"",
    "\"ADDED\"",
    "\"BOOKMARK\"",
    "\"ERROR\"",
    "0.1",
    "-1e-7",
    "1e21",
    "123456789012345678901234567890",
    "0.30000000000000004",
    "1e400",
    "\"2024-05-01T12:00:00.123456Z\"",
    "\"2024-02-30T00:00:00Z\"",
    "\"0.5m\"",
    "\"\\u003ca\\u003e \\u0026\"",
    "\"AA==\"",
    "\"AA=\"",
    "\"25%\"",
    "[{}]",
    "[{},null]",
    "{\"f:a\":{\".\":{}}}",
];
