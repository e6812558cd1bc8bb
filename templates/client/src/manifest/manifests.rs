//! Objects, and where they come from.

use super::error::Origin;
use kapigen_runtime::dynamic::Object;

/// An object of a manifest.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Manifest {
    /// The object. It states `apiVersion` and `kind`.
    pub object: Object,
    /// Its position.
    pub origin: Origin,
}

/// The objects of files, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Manifests {
    /// The objects. Lists are replaced by their items.
    pub objects: Vec<Manifest>,
    /// The number of documents without content, such as between two `---`.
    pub empty: usize,
}

impl Manifests {
    /// Moves objects to the front that others need before they can be applied: namespaces, then
    /// definitions of custom resources. All others follow in their order.
    pub fn sort(&mut self) {
        self.objects.sort_by_key(|manifest| {
            let object = &manifest.object;
            match (object.api_version.as_deref(), object.kind.as_deref()) {
                (Some("v1"), Some("Namespace")) => 0,
                (Some(version), Some("CustomResourceDefinition"))
                    if version.starts_with("apiextensions.k8s.io/") =>
                {
                    1
                }
                _ => 2,
            }
        });
    }
}
