//! Generated files match the current generator, and `cargo xtask codegen --check` reports
//! differences.

use anstream::adapter::strip_str;
use kapigen_tests::places;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

#[test]
fn committed_files_are_up_to_date() {
    let (clean, output) = check(places::root());
    assert!(clean, "{output}");
}

#[test]
fn the_crate_has_no_other_files() {
    let output = kapigen::generate(&places::sources()).unwrap_or_else(|errors| panic!("{errors}"));
    let made: BTreeSet<String> = output.tree.iter().map(|(path, _)| path.to_owned()).collect();
    let folder = places::root().join("generated");
    let found = places::files(&folder.join("src"), &["json", "rs"]);
    let found: BTreeSet<String> =
        found.iter().map(|path| places::relative(path, &folder)).collect();
    let strangers: Vec<_> = found.difference(&made).collect();
    assert!(strangers.is_empty(), "generated/src is all by machine; nothing makes {strangers:?}");
}

#[test]
fn the_crate_of_gateways_is_as_generated() {
    let folder = places::root().join("tests/gateway");
    let definitions = places::data("manifests/gateway-api/definitions.yaml");
    let build = kapigen::Build::new(definitions, folder.join("api"))
        .groups(folder.join("groups.yaml"))
        .without_definitions();
    build.check().unwrap_or_else(|errors| panic!("{errors}"));
}

#[test]
fn a_second_run_touches_nothing() {
    let copy = Copy::new("second");
    let times = || {
        let files = places::files(&copy.0, &["rs"])
            .into_iter()
            .chain([copy.0.join("generated/src/.kapigen")]);
        files
            .map(|path| (fs::metadata(&path).unwrap().modified().unwrap(), path))
            .collect::<Vec<_>>()
    };
    let before = times();
    assert!(before.len() > 100, "{before:?}");
    assert!(xtask::codegen::run(&copy.0, false).unwrap().is_clean());
    assert_eq!(times(), before);
}

#[test]
fn a_changed_byte_of_a_generated_file_is_noticed() {
    let copy = Copy::new("made");
    let files = [
        "docs/groups-and-fixups.md",
        "generated/src/documents/core_v1.json",
        "generated/src/lib.rs",
        "generated/src/core_v1/types/pod_spec.rs",
        "generated/src/index.json",
        "templates/definitions/src/shared.json",
        "templates/fake/src/protobuf/fields.table",
        "templates/runtime/src/index.json",
        "templates/runtime/src/meta_v1/mod.rs",
        "templates/runtime/src/params.rs",
        "tests/support/src/calls.rs",
        "tests/support/src/registry.rs",
    ];
    // Another letter; and a byte that is not UTF-8.
    for change in [|byte: u8| byte.to_ascii_uppercase(), |_| 0xFF] {
        for path in files {
            let mut bytes = pristine().text(path).into_bytes();
            let letter = (bytes.len() / 2..bytes.len())
                .find(|index| bytes[*index].is_ascii_lowercase())
                .unwrap();
            bytes[letter] = change(bytes[letter]);
            copy.write(path, &bytes);
        }
        let output = copy.assert_stale(&files, "12 files not as generated");
        for path in files {
            assert!(output.contains(&format!("\nchanged {path}\n")), "{output}");
        }
    }
}

#[test]
fn a_missing_file_is_noticed() {
    let copy = Copy::new("missing");
    let files = [
        "generated/src/core_v1/types/pod.rs",
        "tests/support/src/calls.rs",
        "tests/support/src/registry.rs",
    ];
    for path in files {
        fs::remove_file(copy.0.join(path)).unwrap();
    }
    let output = copy.assert_stale(&files, "3 files not as generated");
    for path in files {
        assert!(output.contains(&format!("\nnew     {path}\n")), "{output}");
    }
}

#[test]
fn a_changed_byte_of_a_document_is_noticed() {
    let copy = Copy::new("document");
    let document = "spec/coordination.k8s.io/v1.yaml";
    let text = copy.text(document);
    copy.write(document, text.replacen("Holder of a lease,", "Holder of a Lease,", 1).as_bytes());
    let path = "generated/src/coordination_v1/types/lease_spec.rs";
    let output = copy.assert_stale(&[path], "2 files not as generated");
    assert!(
        output.contains("\n-/// Holder of a lease,")
            && output.contains("\n+/// Holder of a Lease,"),
        "{output}"
    );
}

#[test]
fn a_resource_that_is_no_longer_selected_is_removed() {
    let copy = Copy::new("selection");
    let selection = copy.text("spec/groups.yaml");
    let without = selection.replacen("[pods, endpoints, events]", "[pods, events]", 1);
    assert_ne!(selection, without, "spec/groups.yaml selects endpoints");
    copy.write("spec/groups.yaml", without.as_bytes());
    copy.assert_stale(&["/dev/null"], "removed generated/src/core_v1/types/endpoints.rs\n");
    assert!(xtask::codegen::run(&copy.0, false).unwrap().is_clean());
    assert!(!copy.0.join("generated/src/core_v1/types/endpoints.rs").exists());
    let (clean, output) = check(&copy.0);
    assert!(clean, "{output}");
}

#[test]
fn wrong_features_are_noticed() {
    let copy = Copy::new("features");
    let manifest = copy.text("generated/Cargo.toml");
    for (from, to) in [
        ("core_v1 = [", "core_v2 = ["),
        ("default = [", "extra = []\ndefault = ["),
        ("[features]", "[other]"),
    ] {
        let wrong = manifest.replacen(from, to, 1);
        assert_ne!(wrong, manifest);
        copy.write("generated/Cargo.toml", wrong.as_bytes());
        let (clean, output) = check(&copy.0);
        assert!(
            !clean
                && output.contains(
                    "are not those that the crate needs. Write:\n\n[features]\ndefault = ["
                ),
            "{output}"
        );
    }
}

#[test]
fn a_refused_document_changes_nothing() {
    let copy = Copy::new("refused");
    let document = "spec/coordination.k8s.io/v1.yaml";
    copy.write(
        document,
        copy.text(document).replacen("openapi: 3.0.3", "openapi: 3.1.0", 1).as_bytes(),
    );
    let before = copy.snapshot();
    let failure = xtask::codegen::run(&copy.0, false).unwrap_err();
    assert!(matches!(failure, xtask::Failure::Input(_)), "{failure}");
    assert!(failure.to_string().contains("--> coordination.k8s.io/v1.yaml"), "{failure}");
    assert_eq!(copy.snapshot(), before);
}

/// Everything that `codegen` reads and writes, somewhere else.
struct Copy(PathBuf);

/// A copy in which everything is up to date.
fn pristine() -> &'static Copy {
    static PRISTINE: LazyLock<Copy> = LazyLock::new(|| {
        let copy = Copy::empty("pristine");
        let templates = places::files(&places::root().join("templates"), &["json", "rs", "toml"]);
        for file in
            places::files(&places::root().join("spec"), &["yaml"]).into_iter().chain(templates)
        {
            copy.write(&places::relative(&file, places::root()), places::text(&file).as_bytes());
        }
        for file in ["generated/Cargo.toml", places::FIXUPS] {
            copy.write(file, places::text(&places::root().join(file)).as_bytes());
        }
        let report =
            xtask::codegen::run(&copy.0, false).unwrap_or_else(|failure| panic!("{failure}"));
        assert!(report.is_clean(), "{report}");
        copy
    });
    &PRISTINE
}

impl Copy {
    fn empty(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("drift").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        Self(folder)
    }

    fn new(name: &str) -> Self {
        let copy = Self::empty(name);
        for (path, text) in pristine().snapshot() {
            copy.write(&path, text.as_bytes());
        }
        copy
    }

    fn text(&self, path: &str) -> String {
        places::text(&self.0.join(path))
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// All files, by their path below the folder.
    fn snapshot(&self) -> Vec<(String, String)> {
        let files = places::files(&self.0, &["rs", "yaml", "toml", "json", "md", "txt", "table"])
            .into_iter();
        let files = files.chain(
            [".kapigen", ".gitattributes"].map(|name| self.0.join("generated/src").join(name)),
        );
        files.map(|path| (places::relative(&path, &self.0), places::text(&path))).collect()
    }

    /// `--check` shows the differences of each file, and the remedy.
    fn assert_stale(&self, files: &[&str], line: &str) -> String {
        let (clean, output) = check(&self.0);
        assert!(!clean, "nothing was noticed of {files:?}");
        for file in files {
            let mut headers = output.lines().filter(|line| line.starts_with("+++ "));
            assert!(headers.any(|header| header.contains(file)), "no diff of {file} in:\n{output}");
        }
        for expected in ["\n@@ ", line, "run: cargo xtask codegen\n"] {
            assert!(output.contains(expected), "no `{expected}` in:\n{output}");
        }
        output
    }
}

/// Whether `codegen --check` succeeds, and its output without colors.
fn check(root: &Path) -> (bool, String) {
    let report = xtask::codegen::run(root, true).unwrap_or_else(|failure| panic!("{failure}"));
    (report.is_clean(), strip_str(&report.to_string()).to_string())
}
