//! What is known of a kind without an instance of it.

use crate::codec::{Object, Value};
use crate::meta_v1::{ListMeta, ObjectMeta};

/// A type that objects state with `apiVersion` and `kind`.
///
/// Every kind can be read and written, so that this is all that generic code has to ask for: `Watch<T>`,
/// `Response<T>` and [`from_slice`](crate::from_slice) take any `T: Kind`.
pub trait Kind: Object + Value {
    /// The group, empty for core.
    const GROUP: &'static str;
    /// The version, such as `v1`.
    const VERSION: &'static str;
    /// The kind, such as `Pod`.
    const KIND: &'static str;
    /// What `apiVersion` holds: `group/version`, or the version alone for core.
    const API_VERSION: &'static str;
}

/// A kind whose objects have metadata and a path of their own.
pub trait Resource: Kind {
    /// The name in paths, such as `pods`.
    const PLURAL: &'static str;
    /// Whether every object lives in a namespace.
    const NAMESPACED: bool;

    /// Name, labels, and everything else that all objects have.
    fn metadata(&self) -> &ObjectMeta;

    /// The same, to change it.
    fn metadata_mut(&mut self) -> &mut ObjectMeta;
}

/// A kind that lists the objects of another one.
pub trait ResourceList: Kind {
    /// What is listed.
    type Item: Kind;

    /// The resource version of the list, and where it goes on.
    fn metadata(&self) -> &ListMeta;

    /// Takes the items out.
    fn take_items(&mut self) -> Vec<Self::Item>;
}
