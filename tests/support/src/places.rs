//! Paths of the project, and the files at them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

pub use test_data::data;

/// The folder of the project.
///
/// # Panics
/// Never: this package has a folder of its own in it.
#[must_use]
pub fn root() -> &'static Path {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.ancestors().nth(2).expect("the package is two folders down")
}

/// Whether tests take all data, as in CI. Otherwise they take samples of what is big:
/// `EVERYTHING=1 cargo test`.
#[must_use]
pub fn takes_everything() -> bool {
    env::var_os("EVERYTHING").is_some_and(|value| value == "1")
}

/// Logs a line that is seen also when the test passes.
pub fn log(line: &str) {
    // The test harness captures the output of the macros. A closed output is no reason to fail.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// All files below a folder that have one of these endings, sorted.
///
/// # Panics
/// When a folder cannot be read.
#[must_use]
pub fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if path.is_dir() {
            found.extend(files(&path, endings));
        } else if endings.contains(&ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The contents of a file.
///
/// # Panics
/// When the file cannot be read.
#[must_use]
pub fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A path as messages show it: relative to a folder, with `/`.
#[must_use]
pub fn relative(path: &Path, folder: &Path) -> String {
    let parts = path.strip_prefix(folder).unwrap_or(path).components();
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The file in `spec/` that is not a document.
pub const GROUPS: &str = "spec/groups.yaml";
/// The corrections of the documents in `spec/`.
pub const FIXUPS: &str = "generator/fixups/spec.yaml";

/// The OpenAPI documents of `spec/`: names, as they refer to each other, and texts.
#[must_use]
pub fn documents() -> Vec<(String, String)> {
    let spec = root().join("spec");
    let named = files(&spec, &["yaml"]).into_iter().map(|path| (relative(&path, &spec), path));
    named
        .filter(|(name, _)| format!("spec/{name}") != GROUPS)
        .map(|(name, path)| (name, text(&path)))
        .collect()
}
