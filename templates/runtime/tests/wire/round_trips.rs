//! Round trips of objects of servers: `encode(decode(x)) == x` once the members that are `null` are
//! dropped. Holds for every object in `tests/fixtures` and in the data, by every way through serde.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use test_support::compare::differences;
use test_support::documents::Documents;
use test_support::places::log;
use test_support::samples::{self, Sample};
use test_support::types::{Input, Output, Type};

/// The number of objects by origin and kind.
type Counts = BTreeMap<&'static str, BTreeMap<String, usize>>;

#[test]
fn objects_of_fixtures_come_back() {
    all_come_back(&samples::fixtures());
}

#[test]
fn recorded_objects_come_back() {
    all_come_back(&samples::recorded());
    all_come_back(&samples::of_shared_kinds());
}

fn all_come_back(samples: &[Sample]) {
    assert!(samples.len() > 50, "only {} objects were found", samples.len());
    let documents = Documents::read();
    let mut failures = Vec::new();
    let mut counts = Counts::new();
    for sample in samples {
        let (api_version, kind) = sample.kind();
        match documents.of_kind(api_version, kind) {
            Some(schema) => failures.extend(check(documents, schema, sample)),
            None => {
                failures
                    .push(format!("{}: spec/ has no kind {kind} of {api_version}", sample.file));
            }
        }
        *counts.entry(sample.origin).or_default().entry(kind.to_owned()).or_default() += 1;
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    report(samples, &counts);
}

fn report(samples: &[Sample], counts: &Counts) {
    for (origin, kinds) in counts {
        let files = samples.iter().filter(|sample| sample.origin == *origin);
        // A line of a watch has the name of its file, and then its number.
        let files: BTreeSet<&str> =
            files.filter_map(|sample| sample.file.split(':').next()).collect();
        let kinds: Vec<String> =
            kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        log(&format!("round trips: {} files of {origin}: {}", files.len(), kinds.join(", ")));
    }
}

/// The differences of one object, and the formats that have them.
pub(super) fn check(documents: &Documents, schema: &str, sample: &Sample) -> Vec<String> {
    let ty = Type::by_schema(schema).unwrap_or_else(|| panic!("{schema} has no type"));
    let clean = |value: &Value| documents.without_null_members(documents.named(schema), value);
    let expected = clean(&sample.value);
    let written = match by_all_ways(ty, sample) {
        Ok(written) => written,
        Err(error) => return vec![format!("{}: {error}", sample.file)],
    };
    let mut failures: BTreeMap<String, Vec<Output>> = BTreeMap::new();
    for (way, found) in written {
        for difference in differences(&expected, &clean(&found)) {
            failures.entry(difference.to_string()).or_default().push(way);
        }
    }
    failures
        .iter()
        .map(|(difference, ways)| format!("{}: {difference} (by {ways:?})", sample.file))
        .collect()
}

/// Reads the object in every way, which must all give the same, and writes it in every way.
fn by_all_ways(ty: &Type, sample: &Sample) -> Result<Vec<(Output, Value)>, String> {
    let compact = sample.value.to_string();
    let pretty = format!("{:#}", sample.value);
    let yaml = serde_yaml::to_string(&sample.value).map_err(|error| error.to_string())?;
    let mut cbor = Vec::new();
    ciborium::into_writer(&sample.value, &mut cbor).map_err(|error| error.to_string())?;
    let plain = ty.read(Input::Slice(compact.as_bytes()))?;
    let others = [
        ("a reader", Input::Reader(pretty.as_bytes())),
        ("text", Input::Text(&pretty)),
        ("a tree", Input::Tree(&sample.value)),
        ("YAML", Input::Yaml(&yaml)),
        ("CBOR", Input::Cbor(&cbor)),
        ("own JSON", Input::Own(pretty.as_bytes())),
        ("own JSON by a reader", Input::OwnReader(compact.as_bytes())),
        ("the text of the server", Input::Own(sample.text.as_bytes())),
    ];
    for (name, input) in others {
        let other = ty.read(input).map_err(|error| format!("reading {name}: {error}"))?;
        if !plain.equals(&*other) {
            return Err(format!("reading {name} gives {}, not {}", other.text()?, plain.text()?));
        }
    }
    let sent = ty.read(Input::Slice(sample.text.as_bytes()))?;
    Output::ALL.iter().map(|way| Ok((*way, sent.write(*way)?))).collect()
}
