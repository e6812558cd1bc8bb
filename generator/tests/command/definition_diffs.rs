//! `diff` on definitions, by examples: `tests/definition-diffs/<name>` has manifests before
//! (`old.yaml`) and now (`new.yaml`), and the report.
//!
//! `BLESS=1 cargo test -p kapigen --test command definition_diffs` writes the reports anew.

use kapigen::diff::definitions::{self, DefinitionChange, DefinitionChangeKind};
use kapigen::tree;
use kapigen_yaml::Reader;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[test]
fn changes_are_reported_as_expected() {
    let reports = cases().into_iter().map(|case| {
        let report = definitions::text(&changes(&case), &str::to_owned);
        (case.join("report.txt"), report)
    });
    compare(reports);
}

#[test]
fn the_command_tells_them_apart_from_changes_of_rust() {
    let formats = [("text", "command.txt"), ("markdown", "command.md"), ("json", "command.json")];
    compare(formats.into_iter().map(|(format, name)| {
        let (code, report) = kapigen("rust-too", format);
        assert_eq!(code, Some(1), "{report}");
        (folder().join("rust-too").join(name), report)
    }));
    assert_eq!(kapigen("nothing", "text").0, Some(0));
    assert_eq!(kapigen("rule-added", "text").0, Some(1), "although Rust stays");
}

/// Runs the command on a case, and returns its exit code and output.
fn kapigen(case: &str, format: &str) -> (Option<i32>, String) {
    let arguments = ["diff", "--format", format, "old.yaml", "new.yaml"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_kapigen"));
    let output = command.current_dir(folder().join(case)).args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

/// Compares reports with files.
fn compare(reports: impl Iterator<Item = (PathBuf, String)>) {
    let mut differences = Vec::new();
    for (path, report) in reports {
        if env::var_os("BLESS").is_some_and(|value| value == "1") {
            tree::replace(&path, &report).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if expected != report {
            differences.push(format!("{}: expected\n{expected}\nfound\n{report}", path.display()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn each_kind_of_change_has_an_example_of_its_name() {
    for kind in DefinitionChangeKind::ALL {
        let case = folder().join(kind.as_str());
        assert!(changes(&case).iter().any(|change| change.kind == kind), "{}", case.display());
    }
    let names: BTreeSet<&str> =
        DefinitionChangeKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(names.len(), DefinitionChangeKind::ALL.len(), "each kind has a name of its own");
}

#[test]
fn nothing_changes_from_definitions_to_themselves() {
    for case in cases() {
        for side in ["old.yaml", "new.yaml"] {
            let all = manifests(&case.join(side));
            assert!(!all.is_empty());
            assert_eq!(definitions::changes(&all, &all, &|_, _| true), [], "{}", case.display());
        }
    }
}

#[test]
fn only_wanted_definitions_are_compared() {
    let case = folder().join("removed");
    let [old, new] = ["old.yaml", "new.yaml"].map(|side| manifests(&case.join(side)));
    assert_eq!(definitions::changes(&old, &new, &|_, plural| plural == "stars"), []);
    assert_eq!(
        definitions::changes(&old, &new, &|group, plural| (group, plural)
            == ("example.com", "planets"))
        .len(),
        1
    );
}

fn changes(case: &Path) -> Vec<DefinitionChange> {
    let [old, new] = ["old.yaml", "new.yaml"].map(|side| manifests(&case.join(side)));
    definitions::changes(&old, &new, &|_, _| true)
}

fn manifests(path: &Path) -> Vec<Value> {
    let text = fs::read(path).unwrap();
    Reader::new().documents(&text).map(|document| document.unwrap().value).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/definition-diffs")
}

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(!cases.is_empty());
    cases
}
