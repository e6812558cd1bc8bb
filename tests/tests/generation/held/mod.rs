//! Each way in which newer documents and definitions can differ from the ones of a crate: what the
//! crate holds, and what becomes of it if the new form is accepted. The inputs are
//! `tests/upgrades/stars.yaml` and `probes.yaml`, and the differences from the older crate are
//! beside them.
//!
//! `BLESS=1 cargo test -p kapigen-tests --test generation held` writes these anew.

mod definitions;
mod documents;
mod objects;

use crate::outline;
use kapigen::input::{Existing, Holding, Source};
use kapigen::model::documents::DOCUMENTS;
use kapigen::{Output, Sources, hold};
use kapigen_tests::{cases, places};
use similar::TextDiff;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A change of the input: its name, and the strings that are replaced.
type Change = (&'static str, &'static [(&'static str, &'static str)]);

const STARS: &str = "stars.yaml";

#[test]
fn each_change_of_documents_is_held_or_refused() {
    assert_expected("expected.txt", STARS, documents::HELD, documents::REFUSED);
}

#[test]
fn each_change_of_definitions_is_held_or_refused() {
    assert_expected("probes.txt", "probes.yaml", definitions::HELD, definitions::REFUSED);
}

fn assert_expected(expected: &str, input: &str, held: &[Change], refused: &[Change]) {
    let old = kapigen::generate(&sources(input, &[])).unwrap_or_else(|errors| panic!("{errors}"));
    let all = [(held, true), (refused, false)].into_iter();
    let all = all.flat_map(|(changes, is_held)| changes.iter().map(move |one| (*one, is_held)));
    let text: String =
        all.map(|(change, is_held)| described(&old, input, change, is_held)).collect();
    let path = folder().join(expected);
    if cases::blessing() {
        kapigen::tree::replace(&path, &text).expect("a file can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let command = "BLESS=1 cargo test -p kapigen-tests --test generation held";
    let diff = cases::diff(expected, &written, &text).unwrap_or_default();
    assert!(written == text, "{diff}\nif this is right: {command}");
}

/// The outcome of one change for a crate, held and accepted.
fn described(old: &Output, input: &str, change: Change, is_held: bool) -> String {
    let (name, _) = change;
    let mut text = format!("# {name}\n");
    match over(old, input, &[change], Holding::default()) {
        Ok(held) => {
            assert!(is_held, "{name} is held");
            let places = held.held.held.iter();
            places.for_each(|(place, what)| writeln!(text, "held {place}: {what}").unwrap());
            held.held.kept.iter().for_each(|place| writeln!(text, "kept {place}").unwrap());
            text += &differences(old, &held);
        }
        Err(errors) => {
            assert!(!is_held, "{name}: {errors}");
            errors.iter().for_each(|error| writeln!(text, "error: {}", error.message).unwrap());
        }
    }
    let accepted = if is_held {
        kapigen::generate(&sources(input, &[change]))
    } else {
        let drop = [definitions::OLDER.to_owned()].into();
        over(old, input, &[change], Holding { accept_all: true, drop, ..Holding::default() })
    };
    let accepted = accepted.unwrap_or_else(|errors| panic!("{name}:\n{errors}"));
    writeln!(text, "{}", if is_held { "## without holding" } else { "## accepted" }).unwrap();
    text + &differences(old, &accepted) + "\n"
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("upgrades")
}

/// An input with these changes, and the shared types.
fn sources(input: &str, changes: &[Change]) -> Sources {
    let mut document = places::text(&folder().join(input));
    for (old, new) in changes.iter().flat_map(|(_, replaced)| *replaced) {
        assert!(document.contains(old), "{old}");
        document = document.replace(old, new);
    }
    let has_shared = document.contains("meta/v1.yaml");
    let mut documents = vec![Source::new("example.com/v1.yaml", document)];
    if has_shared {
        let meta = places::text(&places::root().join("spec/meta/v1.yaml"));
        documents.push(Source::new("meta/v1.yaml", meta));
    }
    Sources { documents, shipped_fixups: true, ..Sources::default() }
}

fn over(
    old: &Output,
    input: &str,
    changes: &[Change],
    holding: Holding,
) -> Result<Output, kapigen::error::Errors> {
    let source = |(path, text): (&str, &str)| Source::new(path, text);
    let documents = old.tree.iter().filter(|(path, _)| path.starts_with(DOCUMENTS)).map(source);
    let interface = old.tree.iter().find(|(path, _)| *path == hold::PATH).map(source);
    let existing = Existing { documents: documents.collect(), interface, holding };
    kapigen::generate(&Sources { existing: Some(existing), ..sources(input, changes) })
}

/// The most lines of a difference that are of interest. A whole resource has more.
const MOST_LINES: usize = 60;

/// The differences of the outlines of two crates.
fn differences(old: &Output, new: &Output) -> String {
    let outline = |output: &Output| -> String {
        let files = output.tree.iter().filter(|(path, _)| path.starts_with("src/example"));
        let outlines = files.map(|(path, text)| format!("// {path}\n{}\n", outline::of(text)));
        outlines.collect::<Vec<_>>().concat()
    };
    let (old, new) = (outline(old), outline(new));
    let diff = TextDiff::from_lines(&old, &new);
    let lines = diff.iter_all_changes().filter_map(|change| match change.tag() {
        similar::ChangeTag::Equal => None,
        tag => Some(format!("{tag}{}", change.value())),
    });
    let lines: Vec<String> = lines.collect();
    if lines.len() > MOST_LINES {
        format!("{} lines differ\n", lines.len())
    } else {
        lines.concat()
    }
}
