//! Crates over other crates: one that uses the types of `openshift-api`, and two with a runtime of
//! their own each.

use kapigen::Sources;
use kapigen::input::Input;
use kapigen::input::Source;
use kapigen::input::crates::Crates;
use kapigen::input::package::Package;
use kapigen_tests::cases;
use kapigen_tests::places::{self, log};
use std::fs;
use std::path::{Path, PathBuf};
use test_support::workspace::Workspace;

/// The crate of a custom resource, and a program that uses it together with `openshift-api`.
const OVER: &str = "ci-api";
const PROGRAM: &str = "program";
/// The crate of real custom resources.
const KEDA: &str = "keda-api";

/// A type that the real custom resources write out, and a name that two of their nested schemas
/// would have.
const KEDA_GROUPS: &str = r"
rename:
  sh.keda.v1alpha1.ScaledJob/properties/spec/properties/rollout/properties/strategy: ScaledJobRolloutStrategy
same-as:
  sh.keda.v1alpha1.ScaledJob/properties/spec/properties/jobTargetRef/properties/template/properties/spec:
    io.k8s.api.core.v1.PodSpec
";

#[test]
fn a_crate_uses_the_types_of_another() {
    let workspace = workspace("externs", &[OVER, PROGRAM]);
    let openshift = [places::root().join("generated")];
    write(&read(&own("externs/spec")), &workspace, OVER, &openshift);
    write_program(
        &workspace,
        PROGRAM,
        &places::text(&own("externs/program.rs")),
        &[("openshift-api", &openshift[0])],
    );
    _ = workspace.cargo(&["run", "--package", PROGRAM, "--quiet"], "RUSTFLAGS");
    _ = workspace.cargo(&["check", "--workspace", "--quiet"], "RUSTFLAGS");
    for features in ["", "ci_example_com_v1"] {
        let alone = [
            "check",
            "--package",
            OVER,
            "--quiet",
            "--no-default-features",
            "--features",
            features,
        ];
        _ = workspace.cargo(&alone, "RUSTFLAGS");
    }
    _ = workspace.cargo(&["doc", "--workspace", "--no-deps", "--quiet"], "RUSTDOCFLAGS");
}

#[test]
fn real_custom_resources_use_the_types_of_another_crate() {
    let workspace = workspace("keda", &[KEDA]);
    let sources = read(&places::data("crds/keda"));
    let groups = Some(Source::new("groups.yaml", KEDA_GROUPS));
    let notes = write(
        &Sources { groups, ..sources },
        &workspace,
        KEDA,
        &[places::root().join("generated")],
    );
    log(&format!("over openshift-api: custom resources of KEDA, with {notes} notes"));
    _ = workspace.cargo(&["check", "--workspace", "--quiet"], "RUSTFLAGS");
    _ = workspace.cargo(&["doc", "--workspace", "--no-deps", "--quiet"], "RUSTDOCFLAGS");
}

/// Uses objects of both crates, which share nothing.
const TWO: &str = "fn main() {
    let runner = one::ci_example_com_v1::Runner::default();
    let tab = two::stable_example_com_v1::CronTab::default();
    println!(\"{}{}\", one::to_vec(&runner).len(), two::to_vec(&tab).len());
}
";

#[test]
fn crates_with_runtimes_of_their_own_build_together() {
    let workspace = workspace("vendored", &["app"]);
    write(&Sources { groups: None, ..read(&own("externs/spec")) }, &workspace, "one", &[]);
    let case = cases::all("cases")
        .into_iter()
        .find(|case| case.name == "custom-resource")
        .expect("the case is there");
    write(&case.with_meta(), &workspace, "two", &[]);
    write_program(&workspace, "app", TWO, &[]);
    _ = workspace.cargo(&["build", "--package", "app", "--offline", "--quiet"], "RUSTFLAGS");
    // The copy of the runtime is a package like all others.
    _ = workspace.cargo(&["test", "--package", "one-runtime", "--offline", "--quiet"], "RUSTFLAGS");
}

/// The crate's copy of the runtime becomes one of another version: the check of versions is all
/// that is left of it.
#[test]
fn a_runtime_of_another_version_is_one_error() {
    let workspace = workspace("skew", &["skewed"]);
    _ = fs::remove_dir_all(workspace.folder.join("skewed"));
    write(&Sources { groups: None, ..read(&own("externs/spec")) }, &workspace, "skewed", &[]);
    let runtime = workspace.folder.join("skewed/runtime/src");
    let macros = fs::read_to_string(runtime.join("macros.rs")).expect("the macros of the runtime");
    let other = macros.replace("    (1 $(", "    (2 $(");
    assert_ne!(other, macros, "the macro `__generated` has another form");
    let private =
        "#[doc(hidden)]\npub mod __private {\n    pub use crate::__generated as generated;\n}\n";
    fs::write(runtime.join("macros.rs"), other).expect("a file can be written");
    fs::write(runtime.join("lib.rs"), format!("//! Another version.\nmod macros;\n{private}"))
        .expect("the same");
    let errors = workspace.compile_errors("skewed");
    let expected = "error: this crate was generated for another version of kapigen-runtime: \
                    generate it again with the kapigen of the version that `cargo tree -i \
                    kapigen-runtime` shows, or depend on the runtime that it was generated for";
    assert!(errors.len() == 1 && errors[0].ends_with(expected), "{errors:#?}");
}

fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn workspace(name: &str, members: &[&str]) -> Workspace {
    Workspace::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), members)
}

fn read(spec: &Path) -> Sources {
    Input::folder(spec).read().expect("the documents can be read")
}

/// Writes a crate over others as the command does, and counts the notes.
fn write(sources: &Sources, workspace: &Workspace, name: &str, externs: &[PathBuf]) -> usize {
    let out = workspace.folder.join(name);
    let Crates { index, runtime, externs } =
        Crates::read(&out, None, externs).unwrap_or_else(|error| panic!("{error}"));
    let (crates, externs) = externs.into_iter().unzip();
    let sources =
        Sources { shipped_fixups: true, runtime: index, externs: crates, ..sources.clone() };
    let mut output =
        kapigen::generate(&sources).unwrap_or_else(|errors| panic!("{name}:\n{errors}"));
    output.add_package(&Package { externs, ..Package::new(name, runtime) }).expect("it has a name");
    output.tree.write(&out).expect("a crate can be written");
    output.notes.len()
}

/// Writes a program that uses the crates of the workspace, and others.
fn write_program(workspace: &Workspace, name: &str, text: &str, others: &[(&str, &PathBuf)]) {
    let own = ["one", "two", OVER].into_iter().filter(|name| workspace.folder.join(name).is_dir());
    let own = own.map(|name| format!("{name} = {{ path = \"../{name}\" }}\n"));
    let others =
        others.iter().map(|(name, path)| format!("{name} = {{ path = \"{}\" }}\n", path.display()));
    let dependencies: String = own.chain(others).collect();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \
         \"2024\"\n\n[dependencies]\n{dependencies}"
    );
    let folder = workspace.folder.join(name);
    fs::create_dir_all(folder.join("src")).expect("a folder can be made");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file can be written");
    fs::write(folder.join("src/main.rs"), text).expect("a file can be written");
}
