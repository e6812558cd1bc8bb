//! The object that a response has.

use crate::codec::{Object, View};

/// Namespace, name and resource version of an object, as far as they are stated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reference<'a> {
    pub(crate) namespace: &'a str,
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
}

impl<'a> Reference<'a> {
    /// The reference to a decoded object.
    pub(crate) fn new(object: &'a dyn Object) -> Self {
        let mut found = Self::default();
        let keys = object.table().keys.names();
        object.visit_members(&mut |index, view| {
            if let (Some(&"metadata"), View::Object(metadata)) = (keys.get(index), view) {
                let keys = metadata.table().keys.names();
                metadata.visit_members(&mut |index, view| match (keys.get(index), view) {
                    (Some(&"name"), View::Str(name)) => found.name = name,
                    (Some(&"namespace"), View::Str(namespace)) => found.namespace = namespace,
                    (Some(&"resourceVersion"), View::Str(version)) => found.version = version,
                    _ => {}
                });
            }
        });
        found
    }

    /// Whether the name makes a key. With a slash in it, or in the namespace, it would make the key
    /// of another object.
    pub(crate) fn is_key(&self) -> bool {
        !self.name.is_empty() && !self.name.contains('/') && !self.namespace.contains('/')
    }
}
