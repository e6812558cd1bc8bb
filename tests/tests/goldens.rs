//! What comes of small documents: the exact text, and that it compiles.
//!
//! `tests/cases/<name>/expected` has the files of a crate but for the templates and the module `meta_v1`, which is made
//! of `spec/meta`. Files at the root of the crate say little of a case: they are compared where `expected` has them.
//! `BLESS=1 cargo test -p kapigen-tests --test goldens` writes it all anew.

use kapigen::templates;
use kapigen::tree::Tree;
use kapigen_tests::cases::{self, Case};
use kapigen_tests::places;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn cases_give_what_is_expected() {
    let mut problems = Vec::new();
    for case in cases::all("cases") {
        let about = case.sources.documents.first().is_some_and(|document| document.text.starts_with("# "));
        if !about {
            problems.push(format!("{}: its document does not begin with a comment that says what it shows", case.name));
        }
        match kapigen::generate(&case.with_meta()) {
            Ok(output) => compare(&case, &output.tree, &mut problems),
            Err(errors) => problems.push(format!("{}:\n{errors}", case.name)),
        }
    }
    let help = "if this is what should come: BLESS=1 cargo test -p kapigen-tests --test goldens";
    assert!(problems.is_empty(), "{}\n{help}", problems.join("\n"));
}

#[test]
fn cases_compile_without_warnings() {
    let workspace = Workspace::new("goldens", &cases::all("cases"));
    workspace.cargo(&["check", "--workspace", "--quiet", "--keep-going"], "RUSTFLAGS");
}

/// Prose of anybody must come out as prose, whatever it looks like.
#[test]
fn hostile_prose_makes_no_warnings_and_no_tests() {
    let cases: Vec<Case> = cases::all("cases").into_iter().filter(|case| case.name.starts_with("docs-")).collect();
    assert!(!cases.is_empty());
    let workspace = Workspace::new("goldens-docs", &cases);
    workspace.cargo(&["doc", "--workspace", "--no-deps", "--quiet"], "RUSTDOCFLAGS");
    let tests = workspace.cargo(&["test", "--workspace", "--doc", "--quiet", "--", "--list"], "RUSTFLAGS");
    let found: Vec<&str> = tests.lines().filter(|line| line.contains(": test") && line.contains("/types/")).collect();
    assert_eq!(found, Vec::<&str>::new());
}

fn compare(case: &Case, tree: &Tree, problems: &mut Vec<String>) {
    let folder = case.folder.join("expected");
    let mut expected: BTreeMap<String, String> = BTreeMap::new();
    if folder.is_dir() {
        let files = places::files(&folder, &["rs"]);
        expected = files.iter().map(|path| (places::relative(path, &folder), places::text(path))).collect();
    }
    let found: BTreeMap<&str, &str> =
        tree.iter().filter(|(path, _)| is_of_case(path, case.has_meta()) || expected.contains_key(*path)).collect();
    if cases::blessing() {
        bless(&folder, &found);
        return;
    }
    for path in expected.keys().filter(|path| !found.contains_key(path.as_str())) {
        problems.push(format!("{}: {path} is expected and does not come", case.name));
    }
    for (path, text) in found {
        let expected = expected.get(path).map(String::as_str).unwrap_or_default();
        problems.extend(cases::diff(&format!("{}: {path}", case.name), expected, text));
    }
}

/// Whether a file is made of the documents of a case, in a module of theirs.
fn is_of_case(path: &str, has_meta: bool) -> bool {
    let in_module = path.split('/').count() > 2 && (has_meta || !path.starts_with("src/meta_v1/"));
    in_module && !templates::FILES.iter().any(|(template, _)| *template == path)
}

fn bless(folder: &Path, files: &BTreeMap<&str, &str>) {
    if folder.is_dir() {
        fs::remove_dir_all(folder).expect("expected files can be removed");
    }
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
}

/// A cargo workspace with a crate for each case.
struct Workspace(PathBuf);

impl Workspace {
    fn new(name: &str, cases: &[Case]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("a folder can be made");
        let members: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
        fs::write(folder.join("Cargo.toml"), manifest).expect("a file can be written");
        // The versions that the project has, so that nothing is fetched.
        fs::copy(places::root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file can be copied");
        for case in cases {
            crate_of(case, &folder.join(&case.name));
        }
        Self(folder)
    }

    /// Runs cargo where no warning is allowed and tells what it printed.
    fn cargo(&self, arguments: &[&str], flags: &str) -> String {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).current_dir(&self.0).env(flags, "-D warnings");
        command.env("CARGO_TARGET_DIR", self.0.join("target")).env("CARGO_NET_OFFLINE", "true");
        let output = command.output().expect("cargo runs");
        let (said, failed) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "cargo {}:\n{failed}{said}", arguments.join(" "));
        said.into_owned()
    }
}

fn crate_of(case: &Case, folder: &Path) {
    let output = kapigen::generate(&case.with_meta()).unwrap_or_else(|errors| panic!("{}:\n{errors}", case.name));
    output.tree.write(folder).expect("a crate can be written");
    let features: Vec<String> = output.features.iter().map(|(name, needs)| format!("{name} = {needs:?}\n")).collect();
    let all: Vec<&String> = output.features.keys().collect();
    let manifest = format!(
        "[package]\nname = \"case-{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [features]\ndefault = {all:?}\n{}\n{}",
        case.name,
        features.concat(),
        dependencies()
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file can be written");
}

/// What the committed crate depends on.
fn dependencies() -> String {
    let manifest = places::text(&places::root().join("generated/Cargo.toml"));
    let start = manifest.find("[dependencies]").expect("there are dependencies");
    let end = manifest[start + 1..].find("\n[").map_or(manifest.len(), |end| start + 1 + end);
    manifest[start..end].to_owned()
}
