//! Cases: folders with documents, a selection, and the expected result.

use crate::places;
use kapigen::Sources;
use kapigen::input::Input;
use kapigen::input::Source;
use similar::TextDiff;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The input of a run, and its folder.
#[derive(Debug)]
pub struct Case {
    /// The name of its folder.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its documents and selection.
    pub sources: Sources,
}

/// A shared type that every crate needs, as a document defines it.
const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta:";

impl Case {
    /// Whether its documents define the shared types, as few cases do.
    #[must_use]
    pub fn has_meta(&self) -> bool {
        self.sources.documents.iter().any(|document| document.text.contains(OBJECT_META))
    }

    /// Its input with the project's own document of the shared types, unless it defines them.
    #[must_use]
    pub fn with_meta(&self) -> Sources {
        let mut sources = Sources { shipped_fixups: true, ..self.sources.clone() };
        if !self.has_meta() {
            let text = places::text(&places::root().join("spec/meta/v1.yaml"));
            sources.documents.push(Source::new("meta/v1.yaml", text));
        }
        sources
    }
}

/// All cases in a folder of this package, by name.
///
/// # Panics
/// When they cannot be read.
#[must_use]
pub fn all(folder: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut cases: Vec<Case> =
        entries.map(|entry| read(entry.expect("a folder can be listed").path())).collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// The case in a folder.
///
/// # Panics
/// When it cannot be read.
#[must_use]
pub fn read(folder: PathBuf) -> Case {
    let mut sources = Input::folder(&folder)
        .read()
        .unwrap_or_else(|errors| panic!("{}: {errors}", folder.display()));
    // The documents of the crate that is expected.
    sources.documents.retain(|document| !document.name.starts_with("expected/"));
    Case { name: places::relative(&folder, folder.parent().unwrap_or(&folder)), folder, sources }
}

/// Whether expected results are overwritten with the actual ones: `BLESS=1`.
#[must_use]
pub fn blessing() -> bool {
    env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// The differences of two strings in the unified form. None: they are equal.
#[must_use]
pub fn diff(path: &str, expected: &str, found: &str) -> Option<String> {
    let diff = TextDiff::from_lines(expected, found);
    (expected != found)
        .then(|| diff.unified_diff().header(&format!("{path} (expected)"), path).to_string())
}
