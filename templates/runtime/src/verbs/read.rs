//! Verbs that read.

use super::arguments;
use crate::kind::{Resource, ResourceList};
use crate::operation::Operation;
use crate::params::{GetParams, ListParams, WatchParams};
use crate::request::Request;
use crate::response::Error;
use crate::scope::{ListScope, ObjectScope};

/// A kind whose objects can be read one by one.
pub trait Get: Resource {
    /// The operation.
    const GET: &'static Operation;

    /// Reads the object of this name.
    ///
    /// # Errors
    /// When the scope does not fit the kind, an argument is empty or would lead to another path, a parameter is set
    /// that the operation does not have, or path and query are too long for a URL.
    fn get(scope: impl ObjectScope<Self::Scope>, name: &str, params: &GetParams) -> Result<Request<Self>, Error> {
        arguments::object(Self::GET, scope.namespace(), name).params(params).finish()
    }
}

/// A kind whose objects can be listed.
pub trait List: Resource {
    /// The kind of the list.
    type List: ResourceList<Item = Self>;
    /// The operation: for one namespace, or for the cluster.
    const LIST: &'static Operation;
    /// The operation for all namespaces.
    const LIST_ALL_NAMESPACES: Option<&'static Operation>;

    /// Lists objects: of one namespace, of all, or of the cluster.
    ///
    /// # Errors
    /// As [`Get::get`].
    fn list(scope: impl ListScope<Self::Scope>, params: &ListParams) -> Result<Request<Self::List>, Error> {
        arguments::collection(Self::LIST, Self::LIST_ALL_NAMESPACES, scope.namespace()).params(params).finish()
    }
}

/// A kind that can be watched: servers stream the events of what they list.
pub trait Watch: List {
    /// Watches what [`List::list`] lists.
    ///
    /// # Errors
    /// As [`Get::get`].
    fn watch(
        scope: impl ListScope<Self::Scope>,
        params: &WatchParams,
    ) -> Result<Request<crate::watch::Watch<Self>>, Error> {
        arguments::collection(Self::LIST, Self::LIST_ALL_NAMESPACES, scope.namespace()).params(params).watch().finish()
    }
}
