//! Paths of documents of which no functions are made.

use super::paths::ResourcePath;
use crate::openapi::resolve::Documents;

/// Paths that are not those of resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherPaths {
    /// The number of those that list groups, versions and resources, such as `/apis/apps/`.
    pub discovery: usize,
    /// All others, such as `/healthz`.
    pub unknown: Vec<String>,
}

impl OtherPaths {
    /// The paths of all documents that are not those of resources.
    #[must_use]
    pub fn of(documents: &Documents) -> Self {
        let paths = documents.paths().map(|(_, path, _)| path);
        let (discovery, unknown): (Vec<&str>, Vec<&str>) =
            paths.filter(|path| ResourcePath::parse(path).is_none()).partition(|path| is_discovery(path));
        Self { discovery: discovery.len(), unknown: unknown.into_iter().map(str::to_owned).collect() }
    }
}

fn is_discovery(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    matches!(parts.as_slice(), ["api" | "apis"] | ["api" | "apis", _] | ["apis", _, _])
}
