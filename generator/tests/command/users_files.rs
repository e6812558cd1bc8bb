//! Files of users, which no run overwrites or removes.

use crate::folder::{DOCUMENT, Folder, assert_output};
use std::fs;
use std::path::Path;
use std::process::Command;

const GENERATE: [&str; 5] = ["generate", "--spec", "spec", "--out", "out"];

/// A type of the example, and its document without it.
const STAR: &str = "out/src/example_com_v1/types/star.rs";

fn text(folder: &Folder, path: &str) -> String {
    fs::read_to_string(folder.0.join(path)).unwrap()
}

fn exists(folder: &Folder, path: &str) -> bool {
    folder.0.join(path).exists()
}

#[test]
fn a_file_that_was_changed_since_is_kept() {
    let folder = Folder::new("changed");
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    let changed = text(&folder, STAR).replace("A sun.", "My sun.");
    folder.put(STAR, &changed);
    folder.put("spec/example.com/v1.yaml", &DOCUMENT.replace("A sun.", "A moon."));
    let lib = text(&folder, "out/src/lib.rs");
    let remedy = "`kapigen generate` with the same arguments, and `--overwrite`: 1 file was \
                  changed since kapigen wrote it, such as src/example_com_v1/types/star.rs\n";
    assert_output(&folder.kapigen(&["check", "--spec", "spec", "--out", "out"]), 1, &[remedy], "");
    let output = folder.kapigen(&GENERATE);
    let expected = "error: out/src/example_com_v1/types/star.rs is in the way: it was changed \
                    since kapigen wrote it. Move the change into groups.yaml or fixups.yaml and \
                    remove the file, or replace all changed files with `--overwrite`";
    assert_output(&output, 2, &[], expected);
    assert_eq!(
        (text(&folder, STAR), text(&folder, "out/src/lib.rs")),
        (changed, lib),
        "nothing was written"
    );
    assert_output(
        &folder.kapigen(&[&GENERATE[..], &["--overwrite"]].concat()),
        0,
        &["changed src/example_com_v1/types/star.rs"],
        "",
    );
    assert!(text(&folder, STAR).contains("A moon."));
}

#[test]
fn a_file_that_was_changed_since_is_not_removed() {
    let folder = Folder::new("removed");
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    folder.put("spec/example.com/v1.yaml", &DOCUMENT.replace("example.com", "example.org"));
    folder.put(STAR, "mine");
    let generate = [&GENERATE[..], &["--follow"]].concat();
    assert_output(
        &folder.kapigen(&generate),
        2,
        &[],
        "star.rs is in the way: it was changed since",
    );
    assert_eq!(text(&folder, STAR), "mine");
    fs::remove_file(folder.0.join(STAR)).unwrap();
    assert_output(&folder.kapigen(&generate), 0, &["new     src/example_org_v1/types/star.rs"], "");
    assert!(!exists(&folder, "out/src/example_com_v1"));
}

/// git may write other line endings although nobody changed the file.
#[test]
fn other_line_endings_are_no_change() {
    let folder = Folder::new("line-endings");
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    for path in [
        STAR,
        "out/Cargo.toml",
        "out/README.md",
        "out/runtime/Cargo.toml",
        "spec/example.com/v1.yaml",
    ] {
        let text = text(&folder, path).replace('\n', "\r\n");
        folder.put(path, &text);
    }
    assert_output(
        &folder.kapigen(&["check", "--spec", "spec", "--out", "out"]),
        0,
        &["; 0 files not as generated"],
        "",
    );
    assert_output(&folder.kapigen(&GENERATE), 0, &["; 0 files changed"], "");
    let manifest = text(&folder, "out/Cargo.toml");
    assert!(manifest.contains("\r\n"), "a file that is right is not touched");

    let other = DOCUMENT
        .replace("A sun.", "A moon.")
        .replace("example.com", "example.org")
        .replace('\n', "\r\n");
    folder.put("spec/example.com/v1.yaml", &other);
    let check = folder.kapigen(&["check", "--spec", "spec", "--out", "out", "--follow"]);
    assert_output(
        &check,
        1,
        &["+/// A moon.\n", "\n-example_com_v1 = []\n+example_org_v1 = []\n"],
        "",
    );
    assert_output(
        &folder.kapigen(&[&GENERATE[..], &["--follow"]].concat()),
        0,
        &["changed Cargo.toml", "removed src/example_com_v1/mod.rs"],
        "",
    );
    assert_eq!(text(&folder, "out/Cargo.toml"), manifest.replace("example_com", "example_org"));
    assert_eq!(text(&folder, "out/src/.gitattributes"), "* text eol=lf linguist-generated\n");
    assert!(exists(&folder, "out/runtime/src/.gitattributes"));
}

#[test]
fn a_manifest_keeps_what_is_the_users() {
    let folder = Folder::new("manifest");
    let first =
        ["--crate-name", "stars", "--crate-version", "2.1.0", "--license", "MIT OR Apache-2.0"];
    assert_output(&folder.kapigen(&[&GENERATE[..], &first].concat()), 0, &[], "");
    let written = text(&folder, "out/Cargo.toml");
    let package = "name = \"stars\"\nversion = \"2.1.0\"\n";
    assert!(
        written.contains(package) && written.contains("license = \"MIT OR Apache-2.0\"\n"),
        "{written}"
    );

    let edited = written.replace("2.1.0", "3.0.0 # mine").replace("# mine\"", "\" # mine")
        + "serde = \"1.0\" # mine\n";
    folder.put("out/Cargo.toml", &edited);
    assert_output(&folder.kapigen(&GENERATE), 0, &["; 0 files changed"], "");
    assert_output(&folder.kapigen(&["check", "--spec", "spec", "--out", "out"]), 0, &[], "");
    folder.put("spec/example.com/v1.yaml", &DOCUMENT.replace("example.com", "example.org"));
    let generate = [&GENERATE[..], &["--follow"]].concat();
    assert_output(&folder.kapigen(&generate), 0, &["changed Cargo.toml"], "");
    assert_eq!(text(&folder, "out/Cargo.toml"), edited.replace("example_com", "example_org"));

    for (option, value) in
        [("--crate-name", "suns"), ("--crate-version", "2.1.0"), ("--license", "MIT")]
    {
        let output = folder.kapigen(&[&GENERATE[..], &[option, value]].concat());
        assert_output(
            &output,
            2,
            &[],
            &format!(
                "error: `{option}` is for a new crate, and the folder has the `Cargo.toml` of \
                 `stars`"
            ),
        );
    }
}

#[test]
fn a_manifest_of_somebody_else_is_completed_or_refused() {
    let folder = Folder::new("foreign-manifest");
    folder.put("out/Cargo.toml", "[package]\nname = \"mine\"\n");
    assert_output(&folder.kapigen(&GENERATE), 0, &["changed Cargo.toml"], "");
    let manifest = text(&folder, "out/Cargo.toml");
    assert!(
        manifest.starts_with(
            "[package]\nname = \"mine\"\n\n[features]\ndefault = [\"example_com_v1\"]\n"
        ),
        "{manifest}"
    );
    assert!(
        manifest.contains("kapigen-runtime = { package = \"mine-runtime\", path = \"runtime\" }"),
        "{manifest}"
    );
    folder.put("other/Cargo.toml", "[workspace]\nmembers = []\n");
    let output = folder.kapigen(&["generate", "--spec", "spec", "--out", "other"]);
    assert_output(
        &output,
        2,
        &[],
        "error: the manifest in the folder of the crate has no package\n  --> other/Cargo.toml\n  \
         help: write the crate to a folder of its own",
    );
    assert_eq!(fs::read_dir(folder.0.join("other")).unwrap().count(), 1);
    folder.put("other/Cargo.toml", "[package]\nname = é\n");
    let output = folder.kapigen(&["generate", "--spec", "spec", "--out", "other"]);
    assert_output(&output, 2, &[], "\n  --> other/Cargo.toml:2:8\n  help: correct it");
}

#[test]
fn sources_are_the_same_without_the_package() {
    let folder = Folder::new("sources");
    let sources_only = [&GENERATE[..], &["--sources-only"]].concat();
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    assert_output(&folder.kapigen(&sources_only), 0, &["; 0 files changed"], "");
    // The rest of the package is neither read nor written.
    folder.put("out/README.md", "mine");
    assert_output(&folder.kapigen(&sources_only), 0, &["; 0 files changed"], "");
    assert_eq!(text(&folder, "out/README.md"), "mine");
    assert_output(
        &folder.kapigen(&GENERATE),
        2,
        &[],
        "out/README.md is in the way: it was changed since kapigen wrote it",
    );
}

/// A license is the same in many folders.
#[test]
fn a_file_of_the_user_that_is_the_same_is_neither_claimed_nor_removed() {
    let folder = Folder::new("identical");
    let vendor = [&GENERATE[..], &["--vendor", "client"]].concat();
    assert_output(&folder.kapigen(&vendor), 0, &[], "");
    let license = text(&folder, "out/client/LICENSE");
    let readme = text(&folder, "out/README.md");
    let star = text(&folder, STAR);
    fs::remove_dir_all(folder.0.join("out")).unwrap();
    for (path, text) in
        [("out/client/LICENSE", &license), ("out/README.md", &readme), (STAR, &star)]
    {
        folder.put(path, text);
    }
    assert_output(&folder.kapigen(&vendor), 0, &[], "");
    let list = text(&folder, "out/src/.kapigen");
    assert!(!list.contains("client/LICENSE ") && !list.contains("\nREADME.md "), "{list}");
    assert!(list.contains("types/star.rs "), "nobody but kapigen writes a generated file: {list}");
    let check = [&["check"], &vendor[1..]].concat();
    assert_output(&folder.kapigen(&check), 0, &["; 0 files not as generated"], "");

    // A copy without its manifest is one that the user gave up.
    fs::remove_file(folder.0.join("out/client/Cargo.toml")).unwrap();
    assert_output(
        &folder.kapigen(&GENERATE),
        2,
        &[],
        "out/README.md is in the way: kapigen did not write it.",
    );
    fs::remove_file(folder.0.join("out/README.md")).unwrap();
    assert_output(&folder.kapigen(&GENERATE), 0, &["removed "], "");
    assert!(!exists(&folder, "out/client/src") && !exists(&folder, "out/client/Cargo.toml"));
    assert_eq!(text(&folder, "out/client/LICENSE"), license);
}

/// Without the list, kapigen's own files count as the user's, and the remedy is one step.
#[test]
fn a_lost_list_is_named_with_its_remedy() {
    let folder = Folder::new("lost-list");
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    let list = folder.0.join("out/src/.kapigen");
    let kept = folder.0.join("kept");
    fs::rename(&list, &kept).unwrap();
    folder.put("out/README.md", "older");
    let expected = "out/README.md is in the way: the list of kapigen's files, out/src/.kapigen, \
                    is missing, so that this one may be yours. Restore the list, such as by `git \
                    restore out/src/.kapigen`, or move the files in out elsewhere, run again, and \
                    put your own back";
    assert_output(&folder.kapigen(&GENERATE), 2, &[], expected);
    let here = ["generate", "--spec", "../spec", "--out", "."];
    let here = Command::new(env!("CARGO_BIN_EXE_kapigen"))
        .args(here)
        .current_dir(folder.0.join("out"))
        .output()
        .unwrap();
    assert_output(&here, 2, &[], "or move the files in this folder elsewhere, run again");
    let star = text(&folder, STAR);
    folder.put(STAR, "older");
    assert_output(
        &folder.kapigen(&GENERATE),
        2,
        &[],
        "is missing, so that this one and 1 other may be yours. Restore",
    );
    folder.put(STAR, &star);
    fs::rename(kept, list).unwrap();
    let overwrite = [&GENERATE[..], &["--overwrite"]].concat();
    assert_output(&folder.kapigen(&overwrite), 0, &["changed README.md\n"], "");
}

/// Errors have the file, the reason and a remedy.
#[test]
fn files_in_the_way_are_named() {
    let folder = Folder::new("in-the-way");
    folder.put("file", "mine");
    let expected = "error: file is in the way: it is a file, and the crate needs a folder there\n  help: move it away";
    assert_output(
        &folder.kapigen(&["generate", "--spec", "spec", "--out", "file"]),
        2,
        &[],
        expected,
    );
    assert_output(&folder.kapigen(&["check", "--spec", "spec", "--out", "file"]), 2, &[], expected);

    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    let list = text(&folder, "out/src/.kapigen");
    let half =
        format!("<<<<<<< HEAD\nsrc/moon.rs 0123456789abcdef\n=======\n{list}>>>>>>> other\n");
    folder.put("out/src/.kapigen", &list.replacen('\n', &format!("\n{half}"), 1));
    let expected = "out/src/.kapigen is in the way: git could not merge it. Keep the lines of \
                    both sides, and run `kapigen generate --overwrite`";
    assert_output(&folder.kapigen(&GENERATE), 2, &[], expected);
    let both: String = half.split_inclusive('\n').filter(|line| line.contains(".rs ")).collect();
    folder.put("out/src/.kapigen", &list.replacen('\n', &format!("\n{both}"), 1));
    folder.put("out/src/moon.rs", "of the other side");
    assert_output(
        &folder.kapigen(&[&GENERATE[..], &["--overwrite"]].concat()),
        0,
        &["removed src/moon.rs"],
        "",
    );
    assert_eq!(text(&folder, "out/src/.kapigen"), list);
}

#[test]
fn names_that_no_crate_can_have_are_refused() {
    let folder = Folder::new("names");
    for name in ["fn", "std", "core", "test", "proc-macro", "proc_macro", "con", "nul", "alloc"] {
        let output = folder.kapigen(&[&GENERATE[..], &["--crate-name", name]].concat());
        assert_output(
            &output,
            2,
            &[],
            &format!(
                "error: `{name}` cannot be the name of a crate: Rust, cargo or a system has \
                 another use"
            ),
        );
    }
    assert!(!Path::new(&folder.0.join("out")).exists());
}

#[test]
fn a_crate_among_the_documents_is_refused() {
    let folder = Folder::new("among-documents");
    let message = |spec: &str| {
        format!(
            "error: the crate would be among the documents in {spec}\n  help: write it to another \
             folder: the next run would read its files as documents\n"
        )
    };
    let inside =
        ["spec", "spec/new/out", "out/../spec/out", "new/../spec/out"].map(|out| ("spec", out));
    for (spec, out) in inside.into_iter().chain([(".", "out")]) {
        fs::create_dir_all(folder.0.join("out")).unwrap();
        for command in ["generate", "check"] {
            let output = folder.kapigen(&[command, "--spec", spec, "--out", out]);
            assert_output(&output, 2, &[], &message(spec));
        }
    }
    assert_eq!(fs::read_dir(folder.0.join("out")).unwrap().count(), 0, "nothing was written");
    for out in ["spec/.hidden", "speculation", "."] {
        for _ in 0..2 {
            assert_output(
                &folder.kapigen(&["generate", "--spec", "spec", "--out", out, "--crate-name", "a"]),
                0,
                &[],
                "",
            );
        }
    }
}
