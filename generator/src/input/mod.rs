//! The input of a run: documents, selection, corrections and other crates, from disk or from
//! elsewhere.

pub mod crates;
pub(crate) mod definitions;
mod dropped;
pub mod existing;
pub(crate) mod file;
mod folder;
pub mod index;
mod last_run;
pub mod origin;
pub mod package;
pub mod parse;
pub mod selection;

pub use existing::{Existing, Holding};
pub use folder::{FIXUPS, GROUPS, Input};
use index::{ExternCrate, Index};
pub(crate) use last_run::LastRun;
pub use selection::Selection;

/// A named file that was given to a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its path relative to the folder of the documents, with `/`. Relative references are resolved
    /// against it.
    pub name: String,
    /// Its content, YAML or JSON.
    pub text: String,
}

impl Source {
    /// A named file.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// No API server publishes a document near this size; the largest of Kubernetes has 2 MB.
pub(crate) const LARGEST: usize = 64 << 20;

/// The input of a run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// OpenAPI documents, and manifests with definitions of custom resources.
    pub documents: Vec<Source>,
    /// `groups.yaml`. None: all resources of the documents.
    pub groups: Option<Source>,
    /// `fixups.yaml`, if there is one. Each of its corrections must change something.
    pub fixups: Option<Source>,
    /// Whether the corrections that are part of kapigen are applied too, where they fit.
    pub shipped_fixups: bool,
    /// Packages of schemas that are emitted whole, whether a selected resource reaches them or not.
    pub packages: Vec<String>,
    /// The index of the runtime. None: of the one that is part of kapigen.
    pub runtime: Option<Index>,
    /// Crates to take types from instead of emitting them again.
    pub externs: Vec<ExternCrate>,
    /// Whether only the documents that a server publishes are taken from definitions: the crate
    /// then has no feature `definitions`, and they deprecate nothing.
    pub without_definitions: bool,
    /// The name of the crate, for an example in its documentation. None: no example.
    pub crate_name: Option<String>,
    /// The crate that was generated before, to keep its interface. None: the interface follows the
    /// documents.
    pub existing: Option<Existing>,
}
