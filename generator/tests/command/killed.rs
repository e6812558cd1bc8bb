//! The command `kapigen`, killed while it replaces one crate by another.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// The number of times that kapigen is killed.
const KILLS: u32 = 5;

/// Groups with few types.
const GROUPS: [&str; 4] = ["coordination.k8s.io", "meta", "policy", "rbac.authorization.k8s.io"];

#[test]
fn leaves_the_old_crate_the_new_one_or_none() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("killed");
    let _ = fs::remove_dir_all(&folder);
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec");
    // Other content in each file that documents describe.
    let crates = [("a", " the "), ("b", " this ")].map(|(name, article)| {
        for group in GROUPS {
            let document = fs::read_to_string(spec.join(group).join("v1.yaml")).unwrap();
            fs::create_dir_all(folder.join(name).join(group)).unwrap();
            let place = folder.join(name).join(group).join("v1.yaml");
            fs::write(place, document.replace(" the ", article)).unwrap();
        }
        let out = folder.join(format!("crate-{name}"));
        assert!(kapigen(&folder.join(name), &out).status().unwrap().success());
        files(&out)
    });
    let changed =
        crates[0].iter().filter(|(path, text)| crates[1].get(*path) != Some(text)).count();
    assert!(changed > 15, "{changed} files differ");
    let out = folder.join("out");
    let mut wanted = 0;
    assert!(kapigen(&folder.join("a"), &out).status().unwrap().success());
    let mut ends = BTreeMap::new();
    for kill in 0..KILLS {
        wanted = 1 - wanted;
        run_and_kill(
            &folder.join(["a", "b"][wanted]),
            &out,
            Duration::from_micros(u64::from(kill) * 1000),
        );
        let found = files(&out);
        let root = found.get("src/lib.rs").map(String::as_str).unwrap_or_default();
        let end = match crates.iter().position(|files| *files == found) {
            Some(index) if index == wanted => "new",
            Some(_) => "old",
            None => "none",
        };
        assert!(
            end != "none" || root.contains("compile_error!(\"kapigen was interrupted"),
            "after kill {kill}: {root}"
        );
        *ends.entry(end).or_insert(0) += 1;
        assert!(kapigen(&folder.join(["a", "b"][wanted]), &out).status().unwrap().success());
        assert!(files(&out) == crates[wanted], "the run after kill {kill} completes it");
    }
    println!("{KILLS} runs were killed and left: {ends:?}");
}

fn kapigen(spec: &Path, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kapigen"));
    command
        .args(["generate", "--quiet", "--crate-name", "star", "--spec"])
        .arg(spec)
        .arg("--out")
        .arg(out)
        .stdout(Stdio::null());
    command
}

/// Kills a run some time after it has begun to write: then it has changed the list of files, or
/// written beside.
fn run_and_kill(spec: &Path, out: &Path, after: Duration) {
    let beside = out.join("src/.lib.rs.kapigen-stop");
    let list = out.join("src/.kapigen");
    let state = || (beside.exists(), fs::metadata(&list).and_then(|list| list.modified()).ok());
    let before = state();
    let mut run = kapigen(spec, out).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while state() == before && run.try_wait().unwrap().is_none() && Instant::now() < patience {
        thread::sleep(Duration::from_micros(100));
    }
    thread::sleep(after);
    let _ = run.kill();
    run.wait().unwrap();
}

/// All that a compiler looks at.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let hidden =
                path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            match (hidden, path.is_dir()) {
                (true, _) => {}
                (false, true) => folders.push(path),
                (false, false) => {
                    let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                    found.insert(name, fs::read_to_string(path).unwrap());
                }
            }
        }
    }
    found
}
