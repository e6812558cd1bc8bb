//! Both decoders and encoders agree: on syntax, values, encoded bytes and unknown members.

use test_support::agreement::{EXCEPTIONS, TYPES, WATCH_EVENT};
use test_support::documents::Documents;
use test_support::filler::{Filler, SEEDS};
use test_support::fuzz::{self, Options};
use test_support::places;
use test_support::samples::{self, Sample};

#[test]
fn fixtures_are_the_same_both_ways() {
    all_are_the_same_both_ways(&samples::fixtures());
}

#[test]
fn recorded_objects_are_the_same_both_ways() {
    all_are_the_same_both_ways(&samples::some_recorded());
}

fn all_are_the_same_both_ways(samples: &[Sample]) {
    let documents = Documents::read();
    let mut checked = 0;
    for sample in samples {
        let (api_version, kind) = sample.kind();
        let schema = documents.of_kind(api_version, kind);
        for (_, check) in TYPES.iter().filter(|(name, _)| Some(*name) == schema) {
            let [written, compact] =
                [&sample.text, &sample.value.to_string()].map(|text| check(text.as_bytes(), 1));
            // A watch of pods does not decode as leases, which is not a difference.
            assert!(
                written.is_ok() && written == compact,
                "{}: {written:?}, {compact:?}",
                sample.file
            );
            checked += usize::from(written == Ok(true));
        }
    }
    assert!(checked > 80, "only {checked} objects");
}

#[test]
fn values_with_every_member_are_the_same_both_ways() {
    let documents = Documents::read();
    for (schema, check) in TYPES {
        for seed in 0..SEEDS {
            let value = Filler::new(documents, seed).fill(documents.named(schema));
            let texts = [value.to_string(), format!("{value:#}")];
            for text in texts {
                let checked = check(text.as_bytes(), seed as u64);
                // Events are filled with any object, and are on one line.
                let expected = schema != WATCH_EVENT;
                assert_eq!(
                    checked.map(|is_value| is_value || !expected),
                    Ok(true),
                    "{schema} with seed {seed}"
                );
            }
        }
    }
}

#[test]
fn changed_texts_are_the_same_both_ways() {
    let cases = if places::takes_everything() { 20_000 } else { 4_000 };
    let report = fuzz::run(&Options { seed: 1, cases: Some(cases), time: None, threads: 2 });
    let differences: Vec<_> = report.differences.iter().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(report.cases, cases);
    assert!(
        report.seeds > 500 && report.values > cases / 20 && report.values < cases / 20 * 19,
        "{report:?}"
    );
}

#[test]
fn every_exception_has_its_difference() {
    for exception in EXCEPTIONS {
        let (text, schema) = exception.example;
        let (_, check) =
            TYPES.iter().find(|(name, _)| *name == schema).expect("it is one of the types");
        let difference = check(text.as_bytes(), 1).expect_err(exception.reason);
        assert!(exception.excuses(text.as_bytes(), &difference), "{text}: {difference}");
        assert_eq!(fuzz::checked(*check, text.as_bytes(), 1), Ok(false), "{text}");
    }
}
