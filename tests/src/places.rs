//! Paths of the project, and the sources for the generator at them.

use kapigen::Sources;
use kapigen::input::Source;
use kapigen::input::package::{Dependency, Package, Runtime};
pub use test_support::places::*;

/// Everything that the committed crate is made of.
#[must_use]
pub fn sources() -> Sources {
    let documents = documents().into_iter().map(|(name, text)| Source::new(name, text)).collect();
    let [groups, fixups] =
        [GROUPS, FIXUPS].map(|path| Some(Source::new(path, text(&root().join(path)))));
    Sources { documents, groups, fixups, ..Sources::default() }
}

/// A package over the runtime of this repository, for crates that tests compile.
#[must_use]
pub fn package(name: &str) -> Package {
    let path = root().join("templates/runtime").to_string_lossy().into_owned();
    let runtime = Runtime::Depend(Dependency { path: Some(path), ..Dependency::default() });
    Package::new(name, runtime)
}
