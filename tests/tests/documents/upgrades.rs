//! A program that uses everything of a crate compiles, unmodified, against the crate that is
//! generated over it from newer documents. `xtask::witness` writes the program.

use kapigen::input::{Existing, Input, Source, Sources};
use kapigen::model::documents::DOCUMENTS;
use kapigen::{Output, hold};
use kapigen_tests::places;
use serde_json::Value;
use std::fs;
use std::path::Path;
use test_support::workspace::Workspace;

/// Generates over a crate, so that its interface stays.
pub(crate) fn over(old: &Output, mut new: Sources) -> Output {
    new.existing = Some(existing(old));
    kapigen::generate(&new).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The files of a crate that the next run reads.
pub(crate) fn existing(old: &Output) -> Existing {
    let source = |(path, text): (&str, &str)| Source::new(path, text);
    let documents = old.tree.iter().filter(|(path, _)| path.starts_with(DOCUMENTS)).map(source);
    let interface = old.tree.iter().find(|(path, _)| *path == hold::PATH).map(source);
    Existing { documents: documents.collect(), interface, ..Existing::default() }
}

/// The documents of a release of Kubernetes.
pub(crate) fn release(version: &str) -> Sources {
    let folder = places::data(&format!("kubernetes-{version}"));
    Sources { shipped_fixups: true, ..Input::folder(folder).read().expect("they can be read") }
}

/// The crate of `spec/` over one in which addresses of hosts lack their `required`, and the errors
/// of its program.
#[test]
fn the_crate_of_spec_holds_a_flipped_required() {
    let old = kapigen::generate(&places::sources()).unwrap_or_else(|errors| panic!("{errors}"));
    let mut new = places::sources();
    let document = new.documents.iter_mut().find(|document| document.name == "core/v1.yaml");
    let document = document.expect("the document of the core group");
    let mut value: Value = serde_yaml::from_str(&document.text).expect("it is YAML");
    let schema = &mut value["components"]["schemas"]["io.k8s.api.core.v1.HostAlias"];
    assert!(schema["required"].take().is_array());
    schema["required"] = serde_json::json!(["hostnames"]);
    document.text = value.to_string();

    let workspace = Workspace::new(folder("spec"), &["held", "held-use", "follows", "follows-use"]);
    let follows = kapigen::generate(&new).unwrap_or_else(|errors| panic!("{errors}"));
    write(&workspace, "held", over(&old, new));
    write(&workspace, "follows", follows);
    let held = use_of(&workspace, &old, "held", "held-use");
    _ = use_of(&workspace, &old, "follows", "follows-use");
    _ = workspace.cargo(&["check", "--package", "held-use", "--quiet"], "RUSTFLAGS");
    let errors = workspace.compile_errors("follows-use");
    assert!(!errors.is_empty());
    for error in errors {
        let line = error.split(':').nth(1).and_then(|line| line.parse::<usize>().ok());
        let line = held.lines().nth(line.expect("errors have lines") - 1).unwrap_or_default();
        assert!(line.starts_with("const _: fn(api::core_v1::HostAlias)"), "{error}\n{line}");
    }
}

/// The groups that the data has of all releases. A run of all data takes every step from the oldest
/// one, and each older program must compile.
#[test]
fn core_and_leases_hold_from_release_to_release() {
    let versions: &[&str] = if places::takes_everything() {
        &["1.23", "1.27", "1.34", "1.36"]
    } else {
        &["1.34", "1.36"]
    };
    let is_old = |name: &str| matches!(name, "api/v1.json" | "apis/coordination.k8s.io/v1.json");
    let sources = |version: &&str| {
        let mut sources = release(version);
        sources.documents.retain(|document| is_old(&document.name));
        assert_eq!(sources.documents.len(), 2);
        sources
    };
    let steps: Vec<Sources> = versions.iter().map(sources).collect();
    every_program_compiles("steps", steps, |existing| existing);
}

/// The groups of which a plain run takes the versions. The newer release lacks one of them.
const SAMPLE: [&str; 3] = ["certificates.k8s.io", "node.k8s.io", "policy"];

/// All group-versions of the older release, some of which the newer one lacks.
#[test]
fn whole_servers_hold() {
    let (mut old, mut new) = (release("1.34"), release("1.36"));
    if !places::takes_everything() {
        let is_taken = |name: &str| SAMPLE.iter().any(|group| name.contains(group));
        for sources in [&mut old, &mut new] {
            sources.documents.retain(|document| is_taken(&document.name));
        }
    }
    let is_common = |one: &&Source| new.documents.iter().any(|other| other.name == one.name);
    let counts = [old.documents.iter().filter(is_common).count(), old.documents.len()];
    assert_eq!(counts, if places::takes_everything() { [22, 36] } else { [3, 5] });
    every_program_compiles("whole", vec![old, new], |mut existing| {
        let documents = existing.documents.iter();
        let values = documents.map(|document| serde_json::from_str(&document.text));
        let values: Vec<Value> = values.collect::<Result<_, _>>().expect("documents are JSON");
        existing.holding.keep = values.iter().flat_map(hold::group_versions).collect();
        existing
    });
}

/// Generates each step over the one before, and compiles the program of each older crate against
/// the last one.
fn every_program_compiles(name: &str, steps: Vec<Sources>, keep: fn(Existing) -> Existing) {
    let last = format!("{name}-last");
    let mut crates: Vec<Output> = Vec::new();
    for mut sources in steps {
        sources.existing = crates.last().map(|old| keep(existing(old)));
        crates.push(kapigen::generate(&sources).unwrap_or_else(|errors| panic!("{errors}")));
    }
    let newest = crates.pop().expect("a step");
    let programs: Vec<String> =
        (0..crates.len()).map(|index| format!("{name}-use-{index}")).collect();
    let members: Vec<&str> = programs.iter().map(String::as_str).chain([last.as_str()]).collect();
    let workspace = Workspace::new(folder(name), &members);
    write(&workspace, &last, newest);
    for (program, old) in programs.iter().zip(&crates) {
        _ = use_of(&workspace, old, &last, program);
    }
    let check = ["check", "--workspace", "--quiet", "--keep-going"];
    _ = workspace.cargo(&check, "RUSTFLAGS");
}

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("upgrades-{name}"))
}

fn write(workspace: &Workspace, name: &str, mut output: Output) {
    output.add_package(&places::package(name)).expect("it is a name");
    output.tree.write(&workspace.folder.join(name)).expect("a crate can be written");
}

/// Writes the program of a crate, with all of its features, over another one. Returns its text.
fn use_of(workspace: &Workspace, old: &Output, new: &str, program: &str) -> String {
    let text = xtask::witness::program(old.tree.iter()).unwrap_or_else(|error| panic!("{error}"));
    let features: Vec<String> = old.manifest_features().into_keys().collect();
    let runtime = places::root().join("templates/runtime").to_string_lossy().into_owned();
    let manifest = format!(
        "[package]\nname = \"{program}\"\nversion = \"0.0.0\"\nedition = \
         \"2024\"\n\n[dependencies]\napi = {{ package = \"{new}\", path = \"../{new}\", features \
         = {features:?} }}\nkapigen-runtime = {{ path = {runtime:?} }}\nserde = \"1\"\n"
    );
    let folder = workspace.folder.join(program);
    fs::create_dir_all(folder.join("src")).expect("a folder can be made");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file can be written");
    fs::write(folder.join("src/lib.rs"), &text).expect("a file can be written");
    text
}
