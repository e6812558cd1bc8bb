//! The runtime of a new crate is the one of the kapigen that writes it.

use crate::folder::{Folder, assert_output};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../checkout.rs"]
mod checkout;

const GENERATE: [&str; 5] = ["generate", "--spec", "spec", "--out", "stars"];

fn manifest(folder: &Folder) -> String {
    fs::read_to_string(folder.0.join("stars/Cargo.toml")).unwrap()
}

/// Runs a program in a folder, and returns what it prints.
fn run(folder: &Path, program: &str, arguments: &[&str], cargo_home: &Path) -> String {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("CARGO_HOME", cargo_home);
    for (name, value) in [("NAME", "a"), ("EMAIL", "a@example.com")] {
        command.env(format!("GIT_AUTHOR_{name}"), value);
        command.env(format!("GIT_COMMITTER_{name}"), value);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn a_crate_elsewhere_has_a_copy_and_the_reason() {
    let folder = Folder::new("origin_elsewhere");
    let why = "copy    of the runtime, since the clone of kapigen is outside of the crate's \
               repository; `--runtime` names another\n";
    assert_output(&folder.kapigen(&GENERATE), 0, &[why], "");
    assert!(folder.0.join("stars/runtime/Cargo.toml").is_file());
    let again = folder.kapigen(&GENERATE);
    assert!(!String::from_utf8_lossy(&again.stdout).contains("copy "), "{again:?}");
    assert_output(&again, 0, &["; 0 files changed\n"], "");
}

#[test]
fn a_crate_in_the_same_repository_has_a_path() {
    let folder = Folder::new("origin_beside");
    fs::remove_dir(folder.0.join(".git")).unwrap();
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let up = folder.0.strip_prefix(root).unwrap().components().count() + 1;
    let path = format!("{}templates/runtime", "../".repeat(up));
    let line = format!("kapigen-runtime = {{ path = \"{path}\" }}\n");
    assert!(manifest(&folder).contains(&line), "{}", manifest(&folder));
    assert!(!folder.0.join("stars/runtime").exists());
    assert_output(&folder.kapigen(&GENERATE), 0, &["; 0 files changed\n"], "");
}

/// A checkout of a repository that Cargo made, its URL, and its commit.
fn fetched(folder: &Folder) -> (PathBuf, String, String) {
    let home = folder.0.join("home");
    let package = |name: &str, more: &str| {
        let text = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n{more}");
        folder.put(&format!("{name}/generator/Cargo.toml"), &format!("{text}\n[workspace]\n"));
        folder.put(&format!("{name}/generator/src/lib.rs"), "");
        folder.0.join(name)
    };
    let repository = package("fetched", "");
    let git = |arguments: &[&str]| run(&repository, "git", arguments, &home);
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "All"]);
    let path = repository.to_string_lossy().replace('\\', "/");
    let url = format!("file:///{}", path.trim_start_matches('/'));
    let user = package("user", &format!("[dependencies]\nfetched = {{ git = \"{url}\" }}"));
    run(&user.join("generator"), env!("CARGO"), &["fetch", "-q"], &home);
    let only = |folder: PathBuf| fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let checkout = only(only(home.join("git/checkouts")));
    (checkout, url, git(&["rev-parse", "HEAD"]))
}

#[test]
fn a_checkout_of_cargo_has_url_and_commit() {
    let folder = Folder::new("origin_fetched");
    let (checkout, url, revision) = fetched(&folder);
    let package = checkout.join("generator");
    assert!(package.is_dir(), "{checkout:?}");
    assert_eq!(checkout::of_cargo(&package), Some((url.clone(), revision)));
    assert_eq!(checkout::of_cargo(&folder.0.join("fetched/generator")), None);

    let name = checkout.parent().unwrap().file_name().unwrap();
    let list = folder.0.join("home/git/db").join(name).join("FETCH_HEAD");
    let stated = fs::read_to_string(&list).unwrap();
    let secret = url.replace("file://", "https://me:secret@host");
    fs::write(&list, stated.replace(&url, &secret)).unwrap();
    assert_eq!(checkout::of_cargo(&package), None, "a password stays where it is");
}
