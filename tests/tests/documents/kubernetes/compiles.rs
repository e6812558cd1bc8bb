//! The crates compile without a warning, and each feature does without the others.

use super::crates::{NEWEST, SERVERS, Server};
use super::{program, routing};
use kapigen::Output;
use kapigen::model::wellknown::META;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;
use test_support::workspace::Workspace;

/// A workspace with the crate of each server, and a program that uses them.
pub(crate) fn workspace() -> &'static Workspace {
    static WORKSPACE: OnceLock<Workspace> = OnceLock::new();
    WORKSPACE.get_or_init(written)
}

fn written() -> Workspace {
    let outputs: Vec<(&Server, &Output)> =
        SERVERS.iter().map(|server| (server, server.output())).collect();
    let members: Vec<&str> =
        SERVERS.iter().map(|server| server.name).chain([program::NAME, routing::NAME]).collect();
    let workspace =
        Workspace::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("kubernetes"), &members);
    for (server, output) in &outputs {
        output.tree.write(&workspace.folder.join(server.name)).expect("a crate can be written");
    }
    routing::write(&workspace);
    program::write(&workspace, &outputs.into_iter().map(|(_, output)| output).collect::<Vec<_>>());
    workspace
}

/// Clippy reports all that the compiler reports, too.
#[test]
fn crates_have_no_warnings() {
    let workspace = workspace();
    _ = workspace.cargo(&["clippy", "--workspace", "--quiet", "--keep-going"], "RUSTFLAGS");
    _ = workspace.cargo(&["doc", "--package", NEWEST.name, "--no-deps", "--quiet"], "RUSTDOCFLAGS");
}

/// Some features alone: none at all, one that needs none, one that needs others.
#[test]
fn features_compile_alone() {
    let workspace = workspace();
    for feature in ["", "coordination_v1", "authorization_v1", "apps_v1"] {
        let alone = [
            "check",
            "--package",
            NEWEST.name,
            "--quiet",
            "--no-default-features",
            "--features",
            feature,
        ];
        _ = workspace.cargo(&alone, "RUSTFLAGS");
    }
}

/// The one file that names all modules, each under its feature, as a build without features shows.
const OF_ALL: &str = "src/operations.rs";

/// All features alone, without compiling each: a module names no other one that its feature does
/// not bring along.
#[test]
fn modules_name_only_what_their_features_bring() {
    let output = NEWEST.output();
    let modules: BTreeSet<&str> = output.features.keys().map(String::as_str).collect();
    let mut named: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, text) in
        output.tree.iter().filter(|(path, _)| path.starts_with("src/") && *path != OF_ALL)
    {
        let module = path.split('/').nth(1).unwrap_or_default();
        named
            .entry(module)
            .or_default()
            .extend(crate_paths(text).filter(|other| modules.contains(other)));
    }
    assert_eq!(modules.iter().filter(|module| named.contains_key(**module)).count(), modules.len());
    let mut counted = 0;
    for (module, others) in named {
        let brought = if modules.contains(module) {
            closure(module, &output.features)
        } else {
            BTreeSet::new()
        };
        let missing: Vec<_> = others.difference(&brought).collect();
        assert!(
            missing.is_empty(),
            "{module} names {missing:?}, and its feature brings {brought:?}"
        );
        counted += others.iter().filter(|other| **other != module).count();
    }
    assert!(counted > 10, "modules name each other: {counted}");
    assert!(!modules.contains(META), "what is always there needs no feature");
}

/// The modules that a source names by `crate::`.
fn crate_paths(text: &str) -> impl Iterator<Item = &str> {
    let word_ends = |c: char| !c.is_alphanumeric() && c != '_';
    text.split("crate::").skip(1).map(move |rest| rest.split(word_ends).next().unwrap_or_default())
}

/// A feature and all that it brings along.
fn closure<'a>(feature: &'a str, features: &'a BTreeMap<String, Vec<String>>) -> BTreeSet<&'a str> {
    let mut brought = BTreeSet::new();
    let mut open = vec![feature];
    while let Some(feature) = open.pop() {
        if brought.insert(feature) {
            open.extend(features.get(feature).into_iter().flatten().map(String::as_str));
        }
    }
    brought
}
