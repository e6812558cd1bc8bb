//! Documents of definitions of custom resources, against those of a server.

mod crates; // Crates of definitions, and of documents.
mod published; // Documents, but for differences with reasons.
mod refused; // Definitions that a server refused.

use kapigen_tests::places;
use kapigen_yaml::Reader;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folders of the projects whose documents a server published.
fn projects() -> Vec<PathBuf> {
    let all = places::files(&places::shared("specs/manifests"), &["yaml"]).into_iter();
    let folders = all.filter(|file| file.ends_with("definitions.yaml"));
    folders.map(|file| file.parent().expect("a file is in a folder").to_owned()).collect()
}

/// The definitions of a project.
fn manifests(project: &Path) -> Vec<Value> {
    objects(&places::text(&project.join("definitions.yaml")))
}

/// The definitions in a file of several documents.
fn objects(text: &str) -> Vec<Value> {
    let documents = Reader::new().documents(text.as_bytes());
    let objects = documents.map(|document| document.expect("YAML").value);
    objects.filter(kapigen_definitions::is_definition).collect()
}
