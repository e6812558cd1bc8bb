//! Keys of objects.

use crate::kind::HasMetadata;
use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// Namespace and name of an object. A clone shares its memory.
///
/// `Display` is `namespace/name`, or the name alone for an object without a namespace. So is the
/// order.
///
/// ```
/// use kapigen_runtime::informer::Key;
///
/// assert_eq!(Key::new("default", "web").to_string(), "default/web");
/// assert_eq!(Key::new("", "node-1").name(), "node-1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub(super) Arc<str>);

impl Key {
    /// The key of an object with this name, and this namespace unless it is empty.
    ///
    /// Servers allow no slash in either. With one they are ambiguous: `Key::new("", "a/b")` is
    /// `Key::new("a", "b")`.
    #[must_use]
    pub fn new(namespace: &str, name: &str) -> Self {
        let mut text = String::new();
        write(&mut text, namespace, name);
        Self(text.into())
    }

    /// The key of this object.
    ///
    /// ```
    /// use kapigen_runtime::informer::Key;
    /// use kapigen_runtime::{AnyResource, Store};
    ///
    /// /// Whether a store has this object in another version.
    /// fn is_outdated<T: AnyResource>(object: &T, store: &Store<T>) -> bool {
    ///     let version = |object: &T| object.metadata().resource_version.clone();
    ///     store.get(&Key::of(object)).is_some_and(|stored| version(&stored) != version(object))
    /// }
    /// ```
    #[must_use]
    pub fn of<T: HasMetadata>(object: &T) -> Self {
        let metadata = object.object_meta();
        let namespace = metadata.namespace.as_deref().unwrap_or_default();
        Self::new(namespace, metadata.name.as_deref().unwrap_or_default())
    }

    /// The namespace. Empty for an object without one.
    #[must_use]
    pub fn namespace(&self) -> &str {
        self.0.split_once('/').map_or("", |(namespace, _)| namespace)
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or(&*self.0, |(_, name)| name)
    }

    /// Namespace and name as in `Display`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Neither namespaces nor names contain a slash.
pub(super) fn write(text: &mut String, namespace: &str, name: &str) {
    text.clear();
    if !namespace.is_empty() {
        text.push_str(namespace);
        text.push('/');
    }
    text.push_str(name);
}
