//! Crates that are copied beside the runtime, by the command.

use crate::folder::{DOCUMENT, Folder, assert_output};
use std::fs;

const GENERATE: [&str; 5] = ["generate", "--spec", "spec", "--out", "stars"];
const VENDOR: [&str; 2] = ["--vendor", "fake,client"];

fn text(folder: &Folder, path: &str) -> String {
    fs::read_to_string(folder.0.join("stars").join(path)).unwrap()
}

fn exists(folder: &Folder, path: &str) -> bool {
    folder.0.join("stars").join(path).exists()
}

#[test]
fn copies_stand_on_the_runtime_of_the_crate() {
    let folder = Folder::new("vendor");
    let arguments = [&GENERATE[..], &VENDOR].concat();
    let next = "next    also depend on the copies of other crates: stars/README.md has the lines\n";
    assert_output(&folder.kapigen(&arguments), 0, &[next], "");
    let manifest = text(&folder, "client/Cargo.toml");
    assert!(manifest.starts_with("# Written by kapigen: a copy of kapigen-client "), "{manifest}");
    let runtime = "kapigen-runtime = { features = [\"machines\"], package = \"stars-runtime\", \
                   path = \"../runtime\" }\n";
    assert!(
        manifest.contains(runtime) && manifest.contains("name = \"stars-client\"\n"),
        "{manifest}"
    );
    assert!(!manifest.contains("workspace"), "{manifest}");
    assert!(text(&folder, "fake/Cargo.toml").contains("tower = [\"dep:http-body\""));
    for path in [
        "client/LICENSE",
        "client/src/stream.rs",
        "client/src/.gitattributes",
        "fake/src/tower/timer.rs",
    ] {
        assert!(exists(&folder, path), "{path}");
    }
    for path in ["client/README.md", "client/tests", "kube"] {
        assert!(!exists(&folder, path), "{path}");
    }
    assert!(!text(&folder, "fake/src/lib.rs").contains("README"));
    let lines = "```toml\n[dependencies]\nkapigen-client = { package = \"stars-client\", path = \
                 \"client\" }\nkapigen-fake = { package = \"stars-fake\", path = \"fake\" }\n```\n";
    let readme = text(&folder, "README.md");
    assert!(readme.ends_with(lines), "{readme}");
    let check = [&["check"], &arguments[1..]].concat();
    assert_output(&folder.kapigen(&check), 0, &["; 0 files not as generated\n"], "");
}

#[test]
fn copies_that_are_no_longer_asked_for_are_removed() {
    let folder = Folder::new("vendor_less");
    assert_output(&folder.kapigen(&[&GENERATE[..], &VENDOR].concat()), 0, &[], "");
    folder.put("stars/fake/mine.txt", "mine");
    assert_output(
        &folder.kapigen(&[&GENERATE[..], &["--vendor", "client", "-v"]].concat()),
        0,
        &["fake/Cargo.toml"],
        "",
    );
    assert!(exists(&folder, "client/src/lib.rs") && !exists(&folder, "fake/src"));
    assert_eq!(text(&folder, "fake/mine.txt"), "mine");
    // The copies of the last run stay, until their folder is gone.
    let check = ["check", "--spec", "spec", "--out", "stars"];
    assert_output(&folder.kapigen(&check), 0, &["; 0 files not as generated\n"], "");
    fs::remove_dir_all(folder.0.join("stars/client")).unwrap();
    assert_output(&folder.kapigen(&GENERATE), 0, &["changed README.md\n"], "");
    assert!(!exists(&folder, "client"));
}

#[test]
fn copies_overwrite_no_file_of_a_user() {
    let folder = Folder::new("vendor_mine");
    folder.put("stars/client/src/lib.rs", "mine");
    let arguments = [&GENERATE[..], &VENDOR].concat();
    let expected = "error: stars/client/src/lib.rs is in the way: kapigen did not write it.";
    assert_output(&folder.kapigen(&arguments), 2, &[], expected);
    assert_eq!(text(&folder, "client/src/lib.rs"), "mine");
    fs::remove_file(folder.0.join("stars/client/src/lib.rs")).unwrap();
    assert_output(&folder.kapigen(&arguments), 0, &[], "");

    folder.put("stars/client/src/error.rs", "mine, too");
    folder.put("spec/example.com/v1.yaml", &DOCUMENT.replace("A sun.", "A moon."));
    assert_output(
        &folder.kapigen(&arguments),
        2,
        &[],
        "error.rs is in the way: it was changed since",
    );
    assert_eq!(text(&folder, "client/src/error.rs"), "mine, too");
    let arguments = [&arguments[..], &["--overwrite"]].concat();
    assert_output(&folder.kapigen(&arguments), 0, &["changed client/src/error.rs\n"], "");
}

#[test]
fn copies_stand_on_a_runtime_elsewhere() {
    let folder = Folder::new("vendor_elsewhere");
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    for (runtime, line) in [
        (
            "stars/runtime",
            "kapigen-runtime = { package = \"stars-runtime\", path = \"../../stars/runtime\" }\n",
        ),
        ("0.1", "kapigen-runtime = \"0.1\"\n"),
    ] {
        let out = [
            "generate",
            "--spec",
            "spec",
            "--out",
            "suns",
            "--vendor",
            "kube",
            "--runtime",
            runtime,
        ];
        assert_output(&folder.kapigen(&out), 0, &[], "");
        let manifest = fs::read_to_string(folder.0.join("suns/kube/Cargo.toml")).unwrap();
        assert!(manifest.contains("name = \"suns-kube\"\n"), "{manifest}");
        assert!(manifest.contains(line), "no {line} in:\n{manifest}");
    }
}

#[test]
fn refuses_copies_that_cannot_be_made() {
    let folder = Folder::new("vendor_refused");
    let output = folder.kapigen(&[&GENERATE[..], &["--vendor", "clients"]].concat());
    assert_output(&output, 2, &[], "[possible values: client, fake, kube, manifest]");
    let output =
        folder.kapigen(&[&GENERATE[..], &["--vendor", "client", "--sources-only"]].concat());
    assert_output(&output, 2, &[], "cannot be used with");
    assert!(!folder.0.join("stars").exists(), "nothing was written");

    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    let manifest = text(&folder, "Cargo.toml");
    let line = manifest.lines().find(|line| line.starts_with("kapigen-runtime = ")).unwrap();
    folder.put("stars/Cargo.toml", &manifest.replace(line, "kapigen-runtime.workspace = true"));
    let output = folder.kapigen(&[&GENERATE[..], &["--vendor", "client"]].concat());
    assert_output(
        &output,
        2,
        &[],
        "`kapigen-runtime` is inherited from the workspace, which copies do not belong to",
    );
    assert!(!exists(&folder, "client"));
}
