//! Several runs of the command `kapigen` on one folder, at the same time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::{fs, process};

/// The number of runs at the same time, and the number of rounds.
const RUNS: usize = 6;
const ROUNDS: usize = 5;

const BUSY: &str = "error: another run of kapigen writes to ";

#[test]
fn one_run_writes_and_the_others_say_so() {
    let folder = folder("together");
    // Each writes another crate, so that a mixture would be seen.
    let crates: Vec<_> = (0..RUNS)
        .map(|run| {
            let out = folder.join(format!("alone-{run}/out"));
            assert!(start(&folder, run, &out).wait_with_output().unwrap().status.success());
            files(&out)
        })
        .collect();
    assert!(crates[0] != crates[1], "the crates differ");
    let out = folder.join("out");
    let mut refused = 0;
    for round in 0..ROUNDS {
        let runs: Vec<Child> = (0..RUNS).map(|run| start(&folder, run, &out)).collect();
        let ends: Vec<Output> =
            runs.into_iter().map(|run| run.wait_with_output().unwrap()).collect();
        let found = files(&out);
        let written = crates.iter().position(|files| *files == found);
        let written =
            written.unwrap_or_else(|| panic!("round {round}: a mixture: {:?}", found.keys()));
        assert!(
            ends[written].status.success(),
            "round {round}: what is there was reported as written"
        );
        for end in ends.iter().filter(|end| !end.status.success()) {
            let said = String::from_utf8_lossy(&end.stderr);
            let is_late = said.contains(
                "out/Cargo.toml is in the way: it was changed while kapigen ran. Run again",
            );
            assert!(
                end.status.code() == Some(2) && (said.starts_with(BUSY) || is_late),
                "round {round}: {said}"
            );
            refused += 1;
        }
    }
    println!("{refused} of {} runs were refused", RUNS * ROUNDS);
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_locked_is_left_alone() {
    let folder = folder("locked");
    let out = folder.join("out");
    fs::create_dir(&out).unwrap();
    let file = fs::File::open(&out).unwrap();
    fs4::FileExt::lock(&file).unwrap();
    let end = start(&folder, 0, &out).wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&end.stderr);
    assert_eq!(end.status.code(), Some(2), "{said}");
    assert!(said.starts_with(BUSY) && said.contains("out: run again when it is done"), "{said}");
    assert_eq!(files(&out), BTreeMap::new());
    drop(file);
    assert!(start(&folder, 0, &out).wait_with_output().unwrap().status.success());
}

/// As when an editor and a build run the same build script.
#[cfg(unix)]
#[test]
fn a_run_with_nothing_to_do_needs_no_lock() {
    let folder = folder("nothing_to_do");
    let out = folder.join("out");
    assert!(start(&folder, 0, &out).wait_with_output().unwrap().status.success());
    let file = fs::File::open(&out).unwrap();
    fs4::FileExt::lock(&file).unwrap();
    let ends = [0, 1].map(|number| start(&folder, number, &out).wait_with_output().unwrap());
    assert!(ends[0].status.success(), "{}", String::from_utf8_lossy(&ends[0].stderr));
    assert!(ends[1].stderr.starts_with(BUSY.as_bytes()), "that one has something to do");
}

/// Files may have 8 blocks, and some of the crate have more: found when it is written.
#[cfg(unix)]
#[test]
fn folders_in_which_nothing_could_be_written_are_not_left() {
    const LIMITED: &str = "trap '' XFSZ && ulimit -f 8 && exec \"$@\"";
    let folder = folder("not_left");
    let mut command = Command::new("sh");
    command.args([
        "-c",
        LIMITED,
        "sh",
        env!("CARGO_BIN_EXE_kapigen"),
        "generate",
        "--quiet",
        "--spec",
        "spec",
    ]);
    let end = command
        .args(["--groups", "0.yaml", "--out", "x/y/z"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&end.stderr);
    assert!(
        said.starts_with("error: cannot write x/y/z/") && said.contains("File too large"),
        "{said}"
    );
    assert!(said.ends_with("; nothing was written\n") && !folder.join("x").exists(), "{said}");
}

/// Begins a run that writes the crate with this number.
fn start(folder: &Path, number: usize, out: &Path) -> process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kapigen"));
    command.args(["generate", "--quiet", "--follow", "--runtime", "vendored"]);
    command.args(["--spec", "spec", "--out"]).arg(out);
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    command.arg("--groups").arg(format!("{number}.yaml")).spawn().unwrap()
}

/// A folder with documents, and a selection for each run that calls the module otherwise.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("together").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("spec")).unwrap();
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec");
    for document in ["meta/v1.yaml", "coordination.k8s.io/v1.yaml"] {
        let name = document.replace('/', "-");
        let text = fs::read_to_string(spec.join(document))
            .unwrap()
            .replace("../meta/v1.yaml", "meta-v1.yaml");
        fs::write(folder.join("spec").join(name), text).unwrap();
    }
    for number in 0..RUNS {
        let text = format!(
            "groups:\n  - {{group: coordination.k8s.io, version: v1, module: star{number}}}\n"
        );
        fs::write(folder.join(format!("{number}.yaml")), text).unwrap();
    }
    folder
}

/// All files, hidden ones too.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}
