//! Documents of definitions of custom resources, compared with a server's.

mod compiles; // Crates of definitions compile.
mod crates; // Crates of definitions, and of documents.
mod published; // Documents, but for differences with reasons.
mod refused; // Definitions that a server refused.

use kapigen::input::Source;
use kapigen::{Output, Sources};
use kapigen_tests::places;
use kapigen_yaml::Reader;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folders of the projects that have documents from a server.
fn projects() -> Vec<PathBuf> {
    let all = places::files(&places::data("manifests"), &["yaml"]).into_iter();
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

/// The crate of documents or definitions, without what only definitions have.
fn generate(documents: Vec<Source>) -> Output {
    let sources = Sources {
        documents,
        shipped_fixups: true,
        without_definitions: true,
        ..Sources::default()
    };
    kapigen::generate(&sources).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Definitions and their crate.
struct Generated {
    /// The path of the file.
    path: PathBuf,
    output: Output,
}

impl Generated {
    /// The crates of files with definitions.
    fn all(files: Vec<PathBuf>) -> Vec<Self> {
        assert!(files.len() > 2, "{files:?}");
        let generated = |path: PathBuf| {
            let output = generate(vec![Source::new("definitions.yaml", places::text(&path))]);
            Self { path, output }
        };
        files.into_iter().map(generated).collect()
    }

    /// The crates of the projects that have documents from a server.
    fn of_projects() -> &'static [Self] {
        static ALL: OnceLock<Vec<Generated>> = OnceLock::new();
        ALL.get_or_init(|| {
            Self::all(
                projects().into_iter().map(|folder| folder.join("definitions.yaml")).collect(),
            )
        })
    }

    /// The crates of definitions that no server accepts.
    fn of_odd_ones() -> &'static [Self] {
        static ALL: OnceLock<Vec<Generated>> = OnceLock::new();
        ALL.get_or_init(|| Self::all(places::files(&places::data("manifests/odd"), &["yaml"])))
    }
}
