//! Verbs that write.

use super::{List, arguments};
use crate::kind::Resource;
use crate::operation::Operation;
use crate::params::{CreateParams, DeleteCollectionParams, DeleteParams, PatchParams, ReplaceParams};
use crate::request::Request;
use crate::response::{Deleted, DeletedCollection, Error};
use crate::scope::ObjectScope;

/// A kind whose objects can be created and stay.
pub trait Create: Resource {
    /// The operation.
    const CREATE: &'static Operation;

    /// Creates an object. Its name is in the metadata, or servers make one from `generateName`.
    ///
    /// # Errors
    /// As [`Get::get`](super::Get::get).
    fn create(
        scope: impl ObjectScope<Self::Scope>,
        body: &Self,
        params: &CreateParams,
    ) -> Result<Request<Self>, Error> {
        arguments::objects(Self::CREATE, scope.namespace()).params(params).body(body).finish()
    }
}

/// A kind whose objects can be replaced.
pub trait Replace: Resource {
    /// The operation.
    const REPLACE: &'static Operation;

    /// Replaces the object of this name. If the body has a resource version, the object must still have it.
    ///
    /// # Errors
    /// As [`Get::get`](super::Get::get).
    fn replace(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        body: &Self,
        params: &ReplaceParams,
    ) -> Result<Request<Self>, Error> {
        arguments::object(Self::REPLACE, scope.namespace(), name).params(params).body(body).finish()
    }
}

/// A kind whose objects can be patched.
pub trait Patch: Resource {
    /// The operation.
    const PATCH: &'static Operation;

    /// Patches the object of this name. An apply creates it if it is absent.
    ///
    /// # Errors
    /// As [`Get::get`](super::Get::get), and when the parameters do not fit the form of the patch, or the operation
    /// does not take that form.
    fn patch(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        patch: &crate::request::Patch,
        params: &PatchParams,
    ) -> Result<Request<Self>, Error> {
        arguments::object(Self::PATCH, scope.namespace(), name).params(params).patch(patch).finish()
    }
}

/// A kind whose objects can be deleted one by one.
pub trait Delete: Resource {
    /// The operation.
    const DELETE: &'static Operation;

    /// Deletes the object of this name.
    ///
    /// # Errors
    /// As [`Get::get`](super::Get::get), and when the parameters contradict the options.
    fn delete(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        params: &DeleteParams,
    ) -> Result<Request<Deleted<Self>>, Error> {
        let builder = arguments::object(Self::DELETE, scope.namespace(), name).params(params);
        builder.delete_options(params.options.as_ref()).finish()
    }
}

/// A kind whose objects can be deleted all at once, or as many as selectors match.
pub trait DeleteCollection: List {
    /// The operation: for one namespace, or for the cluster. Servers have none for all namespaces.
    const DELETE_COLLECTION: &'static Operation;

    /// Deletes objects of one namespace, or of the cluster.
    ///
    /// # Errors
    /// As [`Delete::delete`].
    fn delete_collection(
        scope: impl ObjectScope<Self::Scope>,
        params: &DeleteCollectionParams,
    ) -> Result<Request<DeletedCollection<Self::List>>, Error> {
        let builder = arguments::objects(Self::DELETE_COLLECTION, scope.namespace()).params(params);
        builder.delete_options(params.options.as_ref()).finish()
    }
}
