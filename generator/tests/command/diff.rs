//! `diff`, by the examples in `tests/diffs`. All forms of a report say the same of a change, so four
//! examples have all of them.
//!
//! `BLESS=1 cargo test -p kapigen --test command diff` writes the reports anew.

use crate::examples::{self, Example, assert_reports};
use crate::folder::{DOCUMENT, Folder, assert_output};
use kapigen::diff::{self, Change, ChangeKind};
use kapigen::input::{Input, Source, Sources};
use kapigen::model::Api;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

const IN_ALL_FORMS: [&str; 4] = ["command", "hostile", "nothing", "signature-changed"];

#[test]
fn changes_are_reported_as_expected() {
    assert_reports(CASES.iter().map(|Case { example, changes, .. }| {
        let mut reports = vec![("report.txt", diff::text(changes, &str::to_owned))];
        if IN_ALL_FORMS.contains(&&*example.name) {
            reports.push(("report.md", diff::markdown(changes)));
            reports.push(("report.json", format!("{:#}\n", diff::json(changes))));
        }
        (example, reports)
    }));
}

#[test]
fn every_kind_of_change_has_an_example() {
    let shown: BTreeSet<ChangeKind> =
        CASES.iter().flat_map(|case| &case.changes).map(|change| change.kind).collect();
    let missing: Vec<_> = ChangeKind::ALL.iter().filter(|kind| !shown.contains(kind)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let names: BTreeSet<&str> = ChangeKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(names.len(), ChangeKind::ALL.len(), "each kind has a name of its own");
}

#[test]
fn nothing_changes_from_a_document_to_itself() {
    for case in &*CASES {
        for api in [&case.old, &case.new] {
            assert_eq!(diff::diff(api, api), [], "{}", case.example.name);
        }
    }
}

#[test]
fn changes_back_are_the_reverse() {
    for case in &*CASES {
        let Case { example, old, new, .. } = case;
        let there = diff::diff(old, new)
            .into_iter()
            .map(|change| (class(change.kind), change.wire, change.old, change.new));
        let back = diff::diff(new, old)
            .into_iter()
            .map(|change| (class(change.kind), change.wire, change.new, change.old));
        let (mut there, mut back): (Vec<_>, Vec<_>) = (there.collect(), back.collect());
        there.sort();
        back.sort();
        assert_eq!(there, back, "{}", example.name);
    }
}

#[test]
fn the_command_exits_with_one_when_something_breaks() {
    let example = examples::one("diffs", "command");
    let folder = Folder::new("diff-exit-codes");
    put(&folder, &example);
    let kapigen = |sides: [&str; 2], format: &str| {
        let output = folder.kapigen(&[&["diff", "--format", format], &sides[..]].concat());
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let formats = [("text", "report.txt"), ("markdown", "report.md"), ("json", "report.json")];
    let reports = formats.map(|(format, name)| {
        let (code, stdout, stderr) = kapigen(["old", "new"], format);
        assert_eq!((code, stderr.as_str()), (Some(1), ""));
        (name, stdout)
    });
    assert_reports([(&example, reports.into())]);
    let (code, stdout, _) = kapigen(["new", "new"], "text");
    assert_eq!((code, stdout.as_str()), (Some(0), "The interface does not change.\n"));
    let (code, stdout, stderr) = kapigen(["old", "none"], "text");
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.starts_with("error: cannot read "), "{stderr}");
}

#[test]
fn errors_show_their_lines_and_name_the_documents() {
    let folder = Folder::new("diff-errors");
    folder.put("broken/v1.yaml", &DOCUMENT.replace("A sun.", "A sun.\n      typ: object"));
    let expected = "\n   |\n24 |       typ: object\n   |       ^\n  at: \
                    #/components/schemas/com.example.v1.Star/typ\n";
    for sides in [["spec", "broken"], ["broken", "spec"]] {
        let output = folder.kapigen(&["diff", sides[0], sides[1]]);
        assert_output(&output, 2, &[], expected);
        assert_output(&output, 2, &[], "\n1 error in broken\n");
    }
}

/// The kind among these that represents a change in both directions.
fn class(kind: ChangeKind) -> ChangeKind {
    match kind {
        ChangeKind::Removed => ChangeKind::Added,
        ChangeKind::FieldRemoved | ChangeKind::RequiredFieldAdded => ChangeKind::FieldAdded,
        ChangeKind::ValueRemoved => ChangeKind::ValueAdded,
        ChangeKind::QueryParameterRemoved => ChangeKind::QueryParameterAdded,
        ChangeKind::KindChanged => ChangeKind::KindAdded,
        ChangeKind::RoleChanged => ChangeKind::RoleAdded,
        ChangeKind::Undeprecated => ChangeKind::Deprecated,
        ChangeKind::Split => ChangeKind::Joined,
        other => other,
    }
}

/// Documents before and now.
struct Case {
    example: Example,
    old: Api,
    new: Api,
    /// Each says whether a crate over the older documents holds its interface against it.
    changes: Vec<Change>,
}

impl Case {
    fn new(example: Example) -> Self {
        let invalid = |errors| -> ! { panic!("{}: {errors}", example.name) };
        let folder = Folder::new(&format!("diff-{}", example.name));
        put(&folder, &example);
        let sources = |side: &str| {
            let input = Input::folder(folder.0.join(side));
            let sources = input.read().unwrap_or_else(|errors| invalid(errors));
            let mut documents = sources.documents.clone();
            for document in &mut documents {
                document.name = format!("example/{}", document.name);
            }
            let meta = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/meta/v1.yaml");
            documents.push(Source::new("meta/v1.yaml", fs::read_to_string(meta).unwrap()));
            Sources { documents, shipped_fixups: true, ..sources }
        };
        let api = |sources| kapigen::model(sources).unwrap_or_else(|errors| invalid(errors)).api;
        let (before, now) = (sources("old"), sources("new"));
        let (old, new) = (api(&before), api(&now));
        let mut changes = diff::diff(&old, &new);
        let over = kapigen::held(&before, &now, &new).unwrap_or_else(|errors| invalid(errors));
        diff::state_held(&mut changes, &old, &over.api);
        Self { example, old, new, changes }
    }
}

/// Writes the documents of an example to `old` and `new`.
fn put(folder: &Folder, example: &Example) {
    for (before, side) in [(true, "old"), (false, "new")] {
        for (name, text) in example.inputs(before) {
            folder.put(&format!("{side}/{name}"), &text);
        }
    }
}

static CASES: LazyLock<Vec<Case>> =
    LazyLock::new(|| examples::all("diffs").into_iter().map(Case::new).collect());
