//! Scopes: where the objects of a kind live, and which of them a request covers.
//!
//! [`Resource::Scope`](crate::Resource::Scope) is the scope of a kind: [`Namespaced`] or
//! [`Cluster`]. A function of [`verbs`](crate::verbs) takes what fits it:
//!
//! | argument | of a namespaced kind | of a cluster-scoped kind |
//! |---|---|---|
//! | `"default"`, any string | the objects of one namespace | does not compile |
//! | [`AllNamespaces`] | all objects; only for lists, watches and deletes of collections | does not compile |
//! | [`Cluster`] | does not compile | all objects |
//! | [`DynamicScope`] | either of the first two | all objects |

use std::fmt::Debug;

/// The scope of a kind: [`Namespaced`] or [`Cluster`].
pub trait Scope: sealed::Sealed + Copy + Debug + Send + Sync + 'static {
    /// Whether every object lives in a namespace.
    const NAMESPACED: bool;
}

/// The scope of namespaced kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Namespaced;

/// The scope of cluster-scoped kinds; as an argument, all objects of such a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cluster;

/// All objects of a namespaced kind, in any namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AllNamespaces;

/// A scope that is known at run time only, for code that serves kinds of both scopes.
///
/// A namespace for a cluster-scoped kind, or none for an object of a namespaced kind, is an error
/// when the request is built. [`Resource::scope`](crate::Resource::scope) returns the scope of an
/// object.
///
/// ```
/// use kapigen_runtime::params::DeleteParams;
/// use kapigen_runtime::{Deleted, Error, Request, verbs};
///
/// /// Deletes an object of any kind, namespaced or not.
/// fn delete<T: verbs::Deletable>(object: &T) -> Result<Request<Deleted<T>>, Error> {
///     T::delete(object.scope(), object.name(), &DeleteParams::default())
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DynamicScope<'a> {
    /// The namespace. `None` for all namespaces, or for the cluster.
    pub namespace: Option<&'a str>,
}

impl<'a> From<Option<&'a str>> for DynamicScope<'a> {
    fn from(namespace: Option<&'a str>) -> Self {
        Self { namespace }
    }
}

impl<'a> From<&'a str> for DynamicScope<'a> {
    fn from(namespace: &'a str) -> Self {
        Self { namespace: Some(namespace) }
    }
}

impl<'a> From<&'a String> for DynamicScope<'a> {
    fn from(namespace: &'a String) -> Self {
        Self { namespace: Some(namespace) }
    }
}

impl From<AllNamespaces> for DynamicScope<'_> {
    fn from(_: AllNamespaces) -> Self {
        Self { namespace: None }
    }
}

impl From<Cluster> for DynamicScope<'_> {
    fn from(_: Cluster) -> Self {
        Self { namespace: None }
    }
}

impl Scope for Namespaced {
    const NAMESPACED: bool = true;
}

impl Scope for Cluster {
    const NAMESPACED: bool = false;
}

/// An argument that selects the objects of a list, of a kind of the scope `S`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scope for a list of a kind that is `{S}`",
    note = "a namespaced kind takes a namespace such as `\"default\"`, or `AllNamespaces`; a \
            cluster-scoped one takes `Cluster`; `DynamicScope` fits both"
)]
pub trait ListScope<S: Scope>: sealed::Sealed {
    /// The namespace. `None` for all namespaces, or for the cluster.
    fn namespace(&self) -> Option<&str>;
}

/// An argument that selects the namespace of one object, of a kind of the scope `S`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scope of one object of a kind that is `{S}`",
    note = "a namespaced kind takes a namespace such as `\"default\"`; a cluster-scoped one takes \
            `Cluster`; `DynamicScope` fits both"
)]
pub trait ObjectScope<S: Scope>: ListScope<S> {}

impl ListScope<Namespaced> for &str {
    fn namespace(&self) -> Option<&str> {
        Some(self)
    }
}

impl ListScope<Namespaced> for &String {
    fn namespace(&self) -> Option<&str> {
        Some(self)
    }
}

impl ListScope<Namespaced> for AllNamespaces {
    fn namespace(&self) -> Option<&str> {
        None
    }
}

impl ListScope<Cluster> for Cluster {
    fn namespace(&self) -> Option<&str> {
        None
    }
}

impl<S: Scope> ListScope<S> for DynamicScope<'_> {
    fn namespace(&self) -> Option<&str> {
        self.namespace
    }
}

impl ObjectScope<Namespaced> for &str {}
impl ObjectScope<Namespaced> for &String {}
impl ObjectScope<Cluster> for Cluster {}
impl<S: Scope> ObjectScope<S> for DynamicScope<'_> {}

/// No other scopes: the code that builds requests knows these.
mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Namespaced {}
    impl Sealed for super::Cluster {}
    impl Sealed for super::AllNamespaces {}
    impl Sealed for super::DynamicScope<'_> {}
    impl Sealed for &str {}
    impl Sealed for &String {}
}
