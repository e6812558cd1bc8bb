//! The input of a run: documents and what goes with them, from disk or from elsewhere.

pub mod crates;
mod depth;
mod folder;
pub mod index;
pub mod package;
pub mod parse;
pub mod position;
pub(crate) mod runtime;
pub mod selection;

pub use folder::{FIXUPS, GROUPS, Input};
use index::{ExternCrate, Index};
pub use selection::Selection;

/// A named text that was given to a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its path relative to the folder of the documents, with `/`. Relative references are resolved against it.
    pub name: String,
    /// Its text, YAML or JSON.
    pub text: String,
}

impl Source {
    /// A named text.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// No API server publishes a document near this size; the largest of Kubernetes has 2 MB.
pub(crate) const LARGEST: usize = 64 << 20;

/// What a run reads.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// OpenAPI documents.
    pub documents: Vec<Source>,
    /// `groups.yaml`. None: everything that the documents have.
    pub groups: Option<Source>,
    /// `fixups.yaml`, if there is one. Each of its corrections must change something.
    pub fixups: Option<Source>,
    /// Whether the corrections that kapigen brings along are applied too, where they fit.
    pub shipped_fixups: bool,
    /// Packages of schemas that are emitted whole, whether a selected resource reaches them or not.
    pub packages: Vec<String>,
    /// The index of the runtime. None: of the one that kapigen brings along.
    pub runtime: Option<Index>,
    /// Crates whose types are used instead of being emitted again.
    pub externs: Vec<ExternCrate>,
}
