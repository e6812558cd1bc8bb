//! Both ways agree: on what is a value, on which value it is, on how it is written, and on what its types do not know.

use kapigen_tests::documents::Documents;
use kapigen_tests::filler::{Filler, SEEDS};
use kapigen_tests::samples;
use openshift_api::codec::{Value, deserialize_strict};
use openshift_api::coordination_v1::{Lease, LeaseList};
use openshift_api::core_v1::{Endpoints, Event, Pod, PodList};
use openshift_api::image_v1::Image;
use openshift_api::meta_v1::{DeleteOptions, Status, WatchEvent};
use openshift_api::{from_reader, from_slice, from_slice_strict, to_vec, to_writer};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::io;
use std::sync::LazyLock;

/// Checks a text of which nothing else is known. Tells whether it is a value.
type Check = fn(&[u8]) -> Result<bool, String>;

/// Types that have everything there is, with their schemas.
const TYPES: [(&str, Check); 10] = [
    ("io.k8s.api.core.v1.Pod", agree::<Pod>),
    ("io.k8s.api.core.v1.PodList", agree::<PodList>),
    ("io.k8s.api.core.v1.Event", agree::<Event>),
    ("io.k8s.api.core.v1.Endpoints", agree::<Endpoints>),
    ("io.k8s.api.coordination.v1.Lease", agree::<Lease>),
    ("io.k8s.api.coordination.v1.LeaseList", agree::<LeaseList>),
    ("com.github.openshift.api.image.v1.Image", agree::<Image>),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.Status", agree::<Status>),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", agree::<DeleteOptions>),
    ("io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent", agree::<WatchEvent>),
];

fn agree<T: Value + DeserializeOwned + Serialize + PartialEq + Debug>(text: &[u8]) -> Result<bool, String> {
    let come = from_reader::<T>(Dribble(text));
    if come.as_ref().ok() != from_slice::<T>(text).as_ref().ok() {
        return Err(format!("while it comes it is read as {come:?}"));
    }
    let (value, other) = match (from_slice::<T>(text), serde_json::from_slice::<T>(text)) {
        (Ok(value), Ok(other)) => (value, other),
        (Err(_), Err(_)) => return Ok(false),
        (Ok(_), Err(error)) => return Err(format!("only serde refuses it: {error}")),
        (Err(error), Ok(_)) => return Err(format!("only serde reads it: {error}")),
    };
    if value != other {
        return Err(format!("{value:?}\nis not what serde reads:\n{other:?}"));
    }
    let written = to_vec(&value);
    if Some(&written) != serde_json::to_vec(&other).ok().as_ref() {
        return Err(format!("it is written as {}", String::from_utf8_lossy(&written)));
    }
    let mut pieces = Vec::new();
    if to_writer(&mut pieces, &value).is_err() || pieces != written {
        return Err("it is written otherwise in pieces".to_owned());
    }
    let (_, unknown) = from_slice_strict::<T>(text).map_err(|error| error.to_string())?;
    let strict = deserialize_strict::<T, _>(&mut serde_json::Deserializer::from_slice(text));
    let (_, expected) = strict.map_err(|error| error.to_string())?;
    if unknown == expected { Ok(true) } else { Err(format!("unknown are {unknown:?}, and by serde {expected:?}")) }
}

/// Gives a text in small pieces.
struct Dribble<'a>(&'a [u8]);

impl io::Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(7);
        self.0.read(&mut buffer[..length])
    }
}

#[test]
fn objects_of_servers_are_the_same_both_ways() {
    let documents = Documents::read();
    let mut checked = 0;
    for sample in samples::all() {
        let (api_version, kind) = sample.kind();
        let schema = documents.of_kind(api_version, kind);
        let Some((_, check)) = TYPES.iter().find(|(name, _)| Some(*name) == schema) else { continue };
        assert_eq!(check(sample.text.as_bytes()), Ok(true), "{}", sample.file);
        assert_eq!(check(sample.value.to_string().as_bytes()), Ok(true), "{}", sample.file);
        checked += 1;
    }
    assert!(checked > 80, "only {checked} objects");
}

#[test]
fn values_with_every_member_are_the_same_both_ways() {
    let documents = Documents::read();
    for (schema, check) in TYPES {
        for seed in 0..SEEDS {
            let value = Filler::new(&documents, seed).fill(documents.named(schema));
            assert_eq!(check(value.to_string().as_bytes()), Ok(true), "{schema} with seed {seed}");
            assert_eq!(check(format!("{value:#}").as_bytes()), Ok(true), "{schema} with seed {seed}");
        }
    }
}

/// A text to begin with, and who reads it.
fn texts() -> impl Strategy<Value = (String, Check)> {
    static TEXTS: LazyLock<Vec<(String, Check)>> = LazyLock::new(|| {
        let documents = Documents::read();
        let filled = TYPES.iter().map(|(schema, check)| {
            let value = Filler::new(&documents, schema.len()).fill(documents.named(schema));
            (value.to_string(), *check)
        });
        let own = samples::all().into_iter().filter(|sample| sample.text.len() < 4000).filter_map(|sample| {
            let (api_version, kind) = sample.kind();
            let schema = documents.of_kind(api_version, kind);
            let (_, check) = TYPES.iter().find(|(name, _)| Some(*name) == schema)?;
            Some((sample.text, *check))
        });
        filled.chain(own).collect()
    });
    select(TEXTS.as_slice())
}

/// What is done to a text.
#[derive(Clone, Debug)]
enum Change {
    /// Something comes in place of as many characters.
    Splice(Index, usize, &'static str),
    /// A piece of the text comes once more, somewhere else.
    Copy(Index, usize, Index),
    /// The value behind a colon is another one.
    Value(Index, &'static str),
    /// The text ends early.
    Cut(Index),
}

/// What may stand in a text, well or badly.
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
];

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let index = any::<Index>;
    let change = prop_oneof![
        4 => (index(), 0..3_usize, select(PIECES)).prop_map(|(at, length, piece)| Change::Splice(at, length, piece)),
        2 => (index(), 1..80_usize, index()).prop_map(|(from, length, to)| Change::Copy(from, length, to)),
        6 => (index(), select(VALUES)).prop_map(|(at, value)| Change::Value(at, value)),
        1 => index().prop_map(Change::Cut),
    ];
    proptest::collection::vec(change, 1..3)
}

fn changed(text: &str, change: &Change) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    if characters.is_empty() {
        return String::new();
    }
    let count = characters.len();
    match change {
        Change::Splice(at, length, piece) => {
            let at = at.index(count);
            characters.splice(at..(at + length).min(count), piece.chars());
        }
        Change::Copy(from, length, to) => {
            let from = from.index(count);
            let piece: Vec<char> = characters[from..(from + length).min(count)].to_vec();
            let to = to.index(count);
            characters.splice(to..to, piece);
        }
        Change::Value(at, value) => return with_value(text, *at, value),
        Change::Cut(at) => characters.truncate(at.index(count)),
    }
    characters.into_iter().collect()
}

/// Puts another value behind one of the colons that follow a key.
fn with_value(text: &str, at: Index, value: &str) -> String {
    let starts: Vec<usize> = text.match_indices("\":").map(|(at, found)| at + found.len()).collect();
    if starts.is_empty() {
        return text.to_owned();
    }
    let (before, after) = text.split_at(starts[at.index(starts.len())]);
    let mut values = serde_json::Deserializer::from_str(after).into_iter::<serde::de::IgnoredAny>();
    let length = values.next().map_or(0, |_| values.byte_offset());
    format!("{before}{value}{}", &after[length..])
}

/// How many changed texts are tried. `JSON_CASES` asks for more, to fuzz for as long as one likes.
fn cases() -> u32 {
    std::env::var("JSON_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(3000)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn changed_texts_are_the_same_both_ways((text, check) in texts(), changes in changes()) {
        let text = changes.iter().fold(text, |text, change| changed(&text, change));
        if let Err(difference) = check(text.as_bytes()) {
            return Err(TestCaseError::fail(format!("{text}\n{difference}")));
        }
    }
}
