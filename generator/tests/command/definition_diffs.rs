//! `diff` on definitions, by the examples in `tests/definition-diffs`.
//!
//! `BLESS=1 cargo test -p kapigen --test command definition_diffs` writes the reports anew.

use crate::examples::{self, Example, assert_reports};
use crate::folder::Folder;
use kapigen::diff::definitions::{self, DefinitionChange, DefinitionChangeKind};
use kapigen_yaml::Reader;
use serde_json::Value;
use std::collections::BTreeSet;

const EXAMPLES: &str = "definition-diffs";

#[test]
fn changes_are_reported_as_expected() {
    let examples = examples::all(EXAMPLES);
    assert_reports(examples.iter().map(|example| {
        let report = definitions::text(&changes(example), &str::to_owned);
        (example, vec![("report.txt", report)])
    }));
}

#[test]
fn the_command_tells_them_apart_from_changes_of_rust() {
    let example = examples::one(EXAMPLES, "rust-too");
    let formats = [("text", "command.txt"), ("markdown", "command.md"), ("json", "command.json")];
    let reports = formats.map(|(format, name)| {
        let (code, report) = kapigen(&example, format);
        assert_eq!(code, Some(1), "{report}");
        (name, report)
    });
    assert_reports([(&example, reports.into())]);
    let code = |name| kapigen(&examples::one(EXAMPLES, name), "text").0;
    assert_eq!(code("nothing"), Some(0));
    assert_eq!(code("rule-added"), Some(1), "although Rust stays");
}

/// Runs the command on an example, and returns its exit code and output.
fn kapigen(example: &Example, format: &str) -> (Option<i32>, String) {
    let folder = Folder::new(&format!("definition-diffs-{}-{format}", example.name));
    for (before, path) in [(true, "old.yaml"), (false, "new.yaml")] {
        folder.put(path, &definitions_of(example, before));
    }
    let output = folder.kapigen(&["diff", "--format", format, "old.yaml", "new.yaml"]);
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[test]
fn each_kind_of_change_has_an_example_of_its_name() {
    for kind in DefinitionChangeKind::ALL {
        let example = examples::one(EXAMPLES, kind.as_str());
        assert!(changes(&example).iter().any(|change| change.kind == kind), "{kind:?}");
    }
    let names: BTreeSet<&str> =
        DefinitionChangeKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(names.len(), DefinitionChangeKind::ALL.len(), "each kind has a name of its own");
}

#[test]
fn nothing_changes_from_definitions_to_themselves() {
    for example in examples::all(EXAMPLES) {
        for before in [true, false] {
            let all = manifests(&example, before);
            assert!(!all.is_empty());
            assert_eq!(definitions::changes(&all, &all, &|_, _| true), [], "{}", example.name);
        }
    }
}

#[test]
fn only_wanted_definitions_are_compared() {
    let example = examples::one(EXAMPLES, "removed");
    let [old, new] = [true, false].map(|before| manifests(&example, before));
    assert_eq!(definitions::changes(&old, &new, &|_, plural| plural == "stars"), []);
    assert_eq!(
        definitions::changes(&old, &new, &|group, plural| (group, plural)
            == ("example.com", "planets"))
        .len(),
        1
    );
}

fn changes(example: &Example) -> Vec<DefinitionChange> {
    let [old, new] = [true, false].map(|before| manifests(example, before));
    definitions::changes(&old, &new, &|_, _| true)
}

fn manifests(example: &Example, before: bool) -> Vec<Value> {
    let text = definitions_of(example, before);
    Reader::new().documents(text.as_bytes()).map(|document| document.unwrap().value).collect()
}

fn definitions_of(example: &Example, before: bool) -> String {
    example.inputs(before).remove(0).1
}
