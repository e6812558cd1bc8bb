//! Keys of objects.

use std::sync::Arc;

/// Where an object is: its resource, and its namespace and name with a slash between them. Lists
/// are in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    /// Group and plural name: all versions of a group share their objects.
    pub(crate) resource: Arc<str>,
    pub(crate) path: Arc<str>,
}

impl Key {
    pub(crate) fn new(group: &str, plural: &str, namespace: Option<&str>, name: &str) -> Self {
        Self::for_resource(format!("{plural}.{group}").into(), namespace, name)
    }

    /// The key of an object of this resource.
    pub(crate) fn for_resource(resource: Arc<str>, namespace: Option<&str>, name: &str) -> Self {
        let path = namespace
            .map_or_else(|| name.into(), |namespace| [namespace, "/", name].concat().into());
        Self { resource, path }
    }

    /// The namespace. `None` for an object of the cluster.
    pub(crate) fn namespace(&self) -> Option<&str> {
        self.path.split_once('/').map(|(namespace, _)| namespace)
    }
}
