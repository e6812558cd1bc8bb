//! The documents and definitions that a crate has as text beside its types.

use super::wellknown::META;
use super::{Api, GroupVersion};

/// The folder of the documents, relative to the folder of the crate.
pub const DOCUMENTS: &str = "src/documents/";

/// The folder of the definitions, relative to the folder of the crate.
pub const DEFINITIONS: &str = "src/definitions/";

/// A definition of a custom resource that a crate has as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name: the plural name and the group, such as `widgets.example.com`.
    pub name: String,
    /// Its path below the folder of the crate.
    pub file: String,
    /// The modules with versions of the resource, which are also features.
    pub modules: Vec<String>,
}

/// The document of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    /// The module, which is also its feature.
    pub module: &'a str,
    /// The group and version that it describes.
    pub group_version: &'a GroupVersion,
}

impl Document<'_> {
    /// Its path as servers have it, below `/openapi/v3/`.
    #[must_use]
    pub fn path(&self) -> String {
        let GroupVersion { group, version } = self.group_version;
        if group.is_empty() { format!("api/{version}") } else { format!("apis/{group}/{version}") }
    }

    /// Its path below the folder of the crate.
    #[must_use]
    pub fn file(&self) -> String {
        format!("{DOCUMENTS}{}.json", self.module)
    }
}

impl Api {
    /// The documents by their path: one for each module with resources. Without any resources, one
    /// for each module that has a version.
    #[must_use]
    pub fn documents(&self) -> Vec<Document<'_>> {
        let has_resources = self.modules.values().any(|module| !module.resources.is_empty());
        let versioned = self
            .modules
            .iter()
            .filter(|(name, module)| *name != META && !module.group_version.version.is_empty());
        let described =
            versioned.filter(|(_, module)| !has_resources || !module.resources.is_empty());
        let mut documents: Vec<Document<'_>> = described
            .map(|(name, module)| Document { module: name, group_version: &module.group_version })
            .collect();
        documents.sort_by_key(Document::path);
        documents
    }
}
