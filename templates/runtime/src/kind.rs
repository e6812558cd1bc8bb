//! Traits of kinds: group, version, kind, scope and metadata.

use crate::codec::{Object, Value};
use crate::meta_v1::{ListMeta, ObjectMeta};
use crate::scope::{DynamicScope, Scope};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A type whose objects state `apiVersion` and `kind`.
///
/// Generic code needs no further bounds to compare, clone, print, encode and decode objects, or to pass them between
/// threads: `Watch<T>`, `Response<T>`, [`from_slice`](crate::from_slice) and the functions of serde's formats take any
/// `T: Kind`. Generated code implements it.
pub trait Kind:
    Object + Value + Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// The group, empty for core.
    const GROUP: &'static str;
    /// The version, such as `v1`.
    const VERSION: &'static str;
    /// The kind, such as `Pod`.
    const KIND: &'static str;
    /// The value of `apiVersion`: `group/version`, or the version alone for core.
    const API_VERSION: &'static str;
}

/// The `apiVersion` and `kind` that the default of a kind states.
#[doc(hidden)]
#[inline]
#[must_use]
pub fn stated<T: Kind>() -> [Option<String>; 2] {
    owned(T::API_VERSION, T::KIND)
}

fn owned(api_version: &str, kind: &str) -> [Option<String>; 2] {
    [Some(api_version.to_owned()), Some(kind.to_owned())]
}

/// A kind whose objects have metadata and a path of their own.
///
/// Operations on it are the traits in [`verbs`](crate::verbs), one for each verb.
pub trait Resource: Kind {
    /// The scope of its objects: [`Namespaced`](crate::scope::Namespaced) or [`Cluster`](crate::scope::Cluster).
    type Scope: Scope;
    /// The name in paths, such as `pods`.
    const PLURAL: &'static str;

    /// Name, labels, and everything else that all objects have.
    fn metadata(&self) -> &ObjectMeta;

    /// The metadata, mutable.
    fn metadata_mut(&mut self) -> &mut ObjectMeta;

    /// The scope that this object is in, as an argument of the functions in [`verbs`](crate::verbs).
    #[must_use]
    fn scope(&self) -> DynamicScope<'_> {
        let namespace = self.metadata().namespace.as_deref();
        DynamicScope { namespace: namespace.filter(|_| Self::Scope::NAMESPACED) }
    }
}

/// A kind that lists the objects of another one.
pub trait ResourceList: Kind {
    /// The kind of its items.
    type Item: Kind;

    /// The resource version of the list, and the token of its next page.
    fn metadata(&self) -> &ListMeta;

    /// Takes the items out.
    fn take_items(&mut self) -> Vec<Self::Item>;
}
