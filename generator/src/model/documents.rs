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

/// The document of a module, or of a resource with a feature of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureDocument<'a> {
    /// The module.
    pub module: &'a str,
    /// The feature of the resource. `None`: the one of the module.
    pub apart: Option<&'a str>,
    /// The group and version that it describes.
    pub group_version: &'a GroupVersion,
}

impl<'a> FeatureDocument<'a> {
    /// The feature that has it.
    #[must_use]
    pub fn feature(&self) -> &'a str {
        self.apart.unwrap_or(self.module)
    }

    /// Its path as servers have it, below `/openapi/v3/`.
    #[must_use]
    pub fn path(&self) -> String {
        let GroupVersion { group, version } = self.group_version;
        if group.is_empty() { format!("api/{version}") } else { format!("apis/{group}/{version}") }
    }

    /// Its path below the folder of the crate.
    #[must_use]
    pub fn file(&self) -> String {
        format!("{DOCUMENTS}{}.json", self.feature())
    }
}

impl Api {
    /// The documents by their path: one for each module with resources, and one for each resource
    /// with a feature of its own. Without any resources, one for each module that has a version.
    #[must_use]
    pub fn documents(&self) -> Vec<FeatureDocument<'_>> {
        let has_resources = self.modules.values().any(|module| !module.resources.is_empty());
        let versioned = self
            .modules
            .iter()
            .filter(|(name, module)| *name != META && !module.group_version.version.is_empty());
        let described = versioned.flat_map(|(name, module)| {
            let has_own = module.resources.values().any(|resource| resource.feature.is_none());
            let own = (!has_resources || has_own).then_some(None);
            let apart = module.apart().map(|(_, feature)| Some(feature));
            let group_version = &module.group_version;
            own.into_iter().chain(apart).map(move |apart| FeatureDocument {
                module: name,
                apart,
                group_version,
            })
        });
        let mut documents: Vec<FeatureDocument<'_>> = described.collect();
        documents.sort_by_key(|document| (document.path(), document.feature()));
        documents
    }
}
