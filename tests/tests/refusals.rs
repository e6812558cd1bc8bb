//! What is wrong with input is told in full, and nothing is written then.
//!
//! `tests/refusals/<name>/error.txt` is all that a run prints. `BLESS=1 cargo test -p kapigen-tests --test refusals`
//! writes it anew.

use kapigen::Sources;
use kapigen_tests::cases::{self, Case};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The case that is about the absence of what all others get.
const WITHOUT_META: &str = "missing-object-meta";

#[test]
fn refusals_read_as_expected() {
    let mut problems = Vec::new();
    for case in cases::all("refusals") {
        let expected = case.folder.join("error.txt");
        let Err(errors) = kapigen::generate(&sources(&case)) else {
            problems.push(format!("{}: is not refused", case.name));
            continue;
        };
        let found = format!("{errors}\n");
        if cases::blessing() {
            fs::write(&expected, &found).expect("a file can be written");
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        problems.extend(cases::diff(&format!("{}/error.txt", case.name), &expected, &found));
    }
    let help = "if this is what should be said: BLESS=1 cargo test -p kapigen-tests --test refusals";
    assert!(problems.is_empty(), "{}\n{help}", problems.join("\n"));
}

fn sources(case: &Case) -> Sources {
    if case.name == WITHOUT_META { case.sources.clone() } else { case.with_meta() }
}
