//! Crates of small documents: what is made of them, and that it compiles.
//!
//! `tests/cases/<name>/expected.rs` has the files that are made of the documents, each behind its
//! path, and the notes of the run. Files at the root of a crate differ little between cases, and so
//! do documents: they are compared where they are expected. Most cases show an [`outline`] of each
//! file; a few show all of it. The folder `expected` in place of `expected.rs` is a crate that
//! other tests use. A case's `program.rs` uses its crate, and must succeed.
//!
//! `BLESS=1 cargo test -p kapigen-tests --test generation goldens` writes it all anew.

use crate::outline;
use kapigen::Output;
use kapigen::cli::report;
use kapigen_tests::cases::{self, Case};
use kapigen_tests::places;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};
use test_support::workspace::Workspace;

#[test]
fn cases_give_the_expected_files() {
    let mut problems = Vec::new();
    for case in cases::all("cases") {
        let about =
            case.sources.documents.first().is_some_and(|document| document.text.starts_with("# "));
        if !about {
            problems.push(format!(
                "{}: its document does not begin with a comment about what it shows",
                case.name
            ));
        }
        match kapigen::generate(&case.with_meta()) {
            Ok(output) => compare(&case, &output, &mut problems),
            Err(errors) => problems.push(format!("{}:\n{errors}", case.name)),
        }
    }
    let help = "if this is right: BLESS=1 cargo test -p kapigen-tests --test generation goldens";
    assert!(problems.is_empty(), "{}\n{help}", problems.join("\n"));
}

#[test]
fn cases_compile_without_warnings() {
    let cases = cases::all("cases");
    let workspace = workspace("goldens", &cases);
    _ = workspace.cargo(&["check", "--workspace", "--quiet", "--keep-going"], "RUSTFLAGS");
    let programs: Vec<String> =
        cases.iter().filter(|case| has_program(case)).map(program).collect();
    assert!(!programs.is_empty());
    for program in programs {
        let output = workspace.cargo(&["run", "--package", &program, "--quiet"], "RUSTFLAGS");
        assert!(output.ends_with("all is well\n"), "{program}: {output}");
    }
}

/// Prose of a document stays prose, even if it looks like markup.
#[test]
fn hostile_prose_makes_no_warnings_and_no_tests() {
    let cases: Vec<Case> =
        cases::all("cases").into_iter().filter(|case| case.name.starts_with("docs-")).collect();
    assert!(!cases.is_empty());
    let workspace = workspace("goldens-docs", &cases);
    _ = workspace.cargo(&["doc", "--workspace", "--no-deps", "--quiet"], "RUSTDOCFLAGS");
    let tests =
        workspace.cargo(&["test", "--workspace", "--doc", "--quiet", "--", "--list"], "RUSTFLAGS");
    let found: Vec<&str> =
        tests.lines().filter(|line| line.contains(": test") && line.contains("/types/")).collect();
    assert_eq!(found, Vec::<&str>::new());
}

/// Cases that are compared file by file: together they show every form of code.
const WHOLE: [&str; 8] = [
    "aliases",
    "applied",
    "kinds",
    "nested-containers",
    "open-enums",
    "parameters",
    "scalars",
    "verbs",
];

/// The line before each file.
const FILE: &str = "// file: ";

/// The notes of a run.
const NOTES: &str = "notes.txt";

fn compare(case: &Case, output: &Output, problems: &mut Vec<String>) {
    let tree = case.folder.join("expected");
    let file = case.folder.join("expected.rs");
    let old = if tree.is_dir() { of_tree(&tree) } else { fs::read_to_string(&file) };
    let old = old.unwrap_or_default();
    let expected: BTreeSet<&str> = old.lines().filter_map(|line| line.strip_prefix(FILE)).collect();
    let is_compared = |path: &str| is_of_case(path, case.has_meta()) || expected.contains(path);
    let mut found: BTreeMap<&str, &str> =
        output.tree.iter().filter(|(path, _)| is_compared(path)).collect();
    let notes = report::notes(&output.notes);
    if !notes.is_empty() {
        found.insert(NOTES, &notes);
    }
    let is_whole = tree.is_dir() || WHOLE.contains(&case.name.as_str());
    let new: Vec<String> = found
        .iter()
        .map(|(path, text)| {
            let is_code = Path::new(path).extension().is_some_and(|ending| ending == "rs");
            let shown = if is_code && !is_whole { outline::of(text) } else { (*text).to_owned() };
            format!("{FILE}{path}\n{shown}\n")
        })
        .collect();
    let new = new.concat();
    if !cases::blessing() {
        problems.extend(cases::diff(&case.name, &old, &new));
    } else if tree.is_dir() {
        bless_tree(&tree, &found);
    } else {
        kapigen::tree::replace(&file, &new).expect("a file can be written");
    }
}

/// The files of a crate that stands as such, in the form of the others.
fn of_tree(folder: &Path) -> io::Result<String> {
    let files = places::files(folder, &["json", "rs", "txt"]);
    let joined = files.iter().map(|file| {
        let path = places::relative(file, folder);
        Ok(format!("{FILE}{path}\n{}\n", fs::read_to_string(file)?))
    });
    joined.collect()
}

/// Whether a file is made of the documents of a case, in a module of theirs.
fn is_of_case(path: &str, has_meta: bool) -> bool {
    let is_module = path.split('/').count() > 2 && !path.starts_with("src/documents/");
    is_module && (has_meta || !path.starts_with("src/meta_v1/"))
}

fn bless_tree(folder: &Path, files: &BTreeMap<&str, &str>) {
    let found = folder.symlink_metadata().expect("there is a folder");
    assert!(found.is_dir(), "{} is in the way", folder.display());
    fs::remove_dir_all(folder).expect("expected files can be removed");
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a file is in a folder"))
            .expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
}

/// A workspace with a crate for each case.
fn workspace(name: &str, cases: &[Case]) -> Workspace {
    let programs = cases.iter().filter(|case| has_program(case)).map(program);
    let members: Vec<String> = cases.iter().map(|case| case.name.clone()).chain(programs).collect();
    let members: Vec<&str> = members.iter().map(String::as_str).collect();
    let workspace = Workspace::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), &members);
    for case in cases {
        crate_of(case, &workspace.folder.join(&case.name));
        if has_program(case) {
            program_of(case, &workspace.folder.join(program(case)));
        }
    }
    workspace
}

fn has_program(case: &Case) -> bool {
    case.folder.join("program.rs").is_file()
}

/// The name of the package of its program.
fn program(case: &Case) -> String {
    format!("{}-program", case.name)
}

fn program_of(case: &Case, folder: &Path) {
    let name = &case.name;
    let program = program(case);
    // Where there are definitions, the program looks into them.
    let own = fs::read_to_string(folder.with_file_name(name).join("Cargo.toml"))
        .expect("the crate is written first");
    let definitions = if own.contains("\ndefinitions = []\n") { ", \"definitions\"" } else { "" };
    let manifest = format!(
        "[package]\nname = \"{program}\"\nversion = \"0.0.0\"\nedition = \
         \"2024\"\n\n[dependencies]\ncase-{name} = {{ path = \"../{name}\", features = \
         [\"change\", \"machines\", \"route\"{definitions}] }}\nhttp = \"1\"\nserde_json = \"1\"\n"
    );
    fs::create_dir_all(folder.join("src")).expect("a folder can be made");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file can be written");
    fs::copy(case.folder.join("program.rs"), folder.join("src/main.rs"))
        .expect("the program can be copied");
}

fn crate_of(case: &Case, folder: &Path) {
    let mut output = kapigen::generate(&case.with_meta())
        .unwrap_or_else(|errors| panic!("{}:\n{errors}", case.name));
    output
        .add_package(&places::package(&format!("case-{}", case.name)))
        .expect("a case has a name");
    output.tree.write(folder).expect("a crate can be written");
}
