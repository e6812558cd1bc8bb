//! A run that is refused reports the reason and changes nothing on disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use test_data::sections::Sections;

/// A refusal of each stage of a run. `tests/tests/generation/refusals.rs` has the messages of all.
const CASES: [&str; 6] = [
    "yaml-syntax",
    "unknown-key",
    "idle-fixup",
    "wrong-keyword",
    "conflicting-copies",
    "several-errors",
];

#[test]
fn a_refused_run_changes_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for case in CASES {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused").join(case);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let refusal = Sections::read(&root.join(format!("tests/refusals/{case}.txt"))).unwrap();
        refusal.unpack(&folder.join("spec"), "error").unwrap();
        copy(&root.join("spec/meta"), &folder.join("spec/meta"));
        // A crate of an earlier run, and a file that kapigen did not write.
        copy(&root.join("generated/src/coordination_v1"), &folder.join("out/src/coordination_v1"));
        let manifest = "src/.kapigen";
        fs::copy(root.join("generated").join(manifest), folder.join("out").join(manifest)).unwrap();
        fs::write(folder.join("out/notes.txt"), "mine").unwrap();
        let before = files(&folder);
        assert!(before.len() > 5, "{before:?}");

        for out in ["out", "new"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_kapigen"));
            let output = command
                .args(["generate", "--spec", "spec", "--out", out])
                .current_dir(&folder)
                .output()
                .unwrap();
            let expected = refusal.get("error");
            // The command shows lines of the documents, too.
            let stderr = String::from_utf8(output.stderr).unwrap();
            let messages: Vec<&str> =
                expected.lines().filter(|line| line.starts_with("error: ")).collect();
            let found: Vec<&str> =
                stderr.lines().filter(|line| line.starts_with("error: ")).collect();
            assert_eq!(
                (found, stderr.lines().last()),
                (messages, expected.lines().last()),
                "{case}"
            );
            assert_eq!(String::from_utf8(output.stdout).unwrap(), "", "{case}");
            assert_eq!(output.status.code(), Some(2), "{case}");
        }
        assert_eq!(files(&folder), before, "{case}");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Every file and folder below a folder, with its content and the time of its last change.
fn files(folder: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let changed = fs::metadata(&path).unwrap().modified().unwrap();
        if path.is_dir() {
            found.extend(files(&path));
            found.insert(path, (changed, Vec::new()));
        } else {
            found.insert(path.clone(), (changed, fs::read(&path).unwrap()));
        }
    }
    found
}
