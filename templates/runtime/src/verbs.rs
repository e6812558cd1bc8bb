//! Operations for code that is generic over kinds: one trait for each verb.
//!
//! `Pod::list("default", &params)` builds the same request as
//! `core_v1::pods::list("default", &params)`, and `T::list(scope, &params)` does so for every
//! `T: Listable`. A kind implements a trait where the API has exactly one operation for it. Other
//! operations (subresources except `status`, reviews that are only created, bindings) are functions
//! in the modules of the resources; [`HasLog`] and similar traits mark the kinds with such
//! subresources.
//!
//! The first argument is the [scope](crate::scope) of the objects. Parameters are structs of
//! [`params`](crate::params); setting one that the operation of a kind does not have is an error
//! before anything is sent.
//!
//! `use kapigen_runtime::prelude::*` brings the functions of these traits into scope, and no names.

use crate::invalid::InvalidRequest;
use crate::kind::{Kind, Resource, ResourceList};
use crate::operation::Operation;
use crate::params::{
    CreateParams, DeleteCollectionParams, DeleteParams, GetParams, ListParams, PatchParams,
    ReplaceParams, WatchParams,
};
use crate::request::{self, Builder, Request};
use crate::response::{Deleted, DeletedCollection, Error};
use crate::scope::{ListScope, ObjectScope};

/// A kind with the operation `get`, which reads one object.
pub trait Gettable: Resource {
    /// The operation.
    const GET: &'static Operation;

    /// Reads the object of this name.
    ///
    /// # Errors
    /// When the scope does not fit the kind, an argument is empty or would lead to another path, a
    /// parameter is set that the operation does not have, or path and query are too long for a URL.
    fn get(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        params: &GetParams,
    ) -> Result<Request<Self>, Error> {
        request_for_object(Self::GET, scope.namespace(), name).params(params).finish()
    }
}

/// A kind with the operation `list`.
pub trait Listable: Resource {
    /// The kind of the list.
    type List: Kind + ResourceList<Item = Self>;
    /// The operation: for one namespace, or for the cluster.
    const LIST: &'static Operation;
    /// The operation for all namespaces.
    const LIST_ALL_NAMESPACES: Option<&'static Operation>;

    /// Lists objects: of one namespace, of all, or of the cluster.
    ///
    /// # Errors
    /// As [`Gettable::get`].
    fn list(
        scope: impl ListScope<Self::Scope>,
        params: &ListParams,
    ) -> Result<Request<Self::List>, Error> {
        request_for_list(Self::LIST, Self::LIST_ALL_NAMESPACES, scope.namespace())
            .params(params)
            .finish()
    }
}

/// A kind that can be watched: servers stream the events of the objects that they list.
pub trait Watchable: Listable {
    /// Watches the objects that [`Listable::list`] lists.
    ///
    /// # Errors
    /// As [`Gettable::get`].
    fn watch(
        scope: impl ListScope<Self::Scope>,
        params: &WatchParams,
    ) -> Result<Request<crate::watch::Watch<Self>>, Error> {
        request_for_list(Self::LIST, Self::LIST_ALL_NAMESPACES, scope.namespace())
            .params(params)
            .watch()
            .finish()
    }
}

/// A kind with the operation `create`, for objects that the server stores.
pub trait Creatable: Resource {
    /// The operation.
    const CREATE: &'static Operation;

    /// Creates an object. Its name is in the metadata, or servers make one from `generateName`.
    ///
    /// # Errors
    /// As [`Gettable::get`].
    fn create(
        scope: impl ObjectScope<Self::Scope>,
        body: &Self,
        params: &CreateParams,
    ) -> Result<Request<Self>, Error> {
        request_for_objects(Self::CREATE, scope.namespace()).params(params).body(body).finish()
    }
}

/// A kind with the operation `replace`.
pub trait Replaceable: Resource {
    /// The operation.
    const REPLACE: &'static Operation;

    /// Replaces the object of this name. If the body has a resource version, the object must still
    /// have it.
    ///
    /// # Errors
    /// As [`Gettable::get`].
    fn replace(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        body: &Self,
        params: &ReplaceParams,
    ) -> Result<Request<Self>, Error> {
        request_for_object(Self::REPLACE, scope.namespace(), name)
            .params(params)
            .body(body)
            .finish()
    }
}

/// A kind with the operation `patch`.
pub trait Patchable: Resource {
    /// The operation.
    const PATCH: &'static Operation;

    /// Patches the object of this name. An apply creates it if it is absent.
    ///
    /// # Errors
    /// As [`Gettable::get`], and when the parameters do not fit the form of the patch, or the
    /// operation does not take that form.
    fn patch(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        patch: &request::Patch,
        params: &PatchParams,
    ) -> Result<Request<Self>, Error> {
        request_for_object(Self::PATCH, scope.namespace(), name)
            .params(params)
            .patch(patch)
            .finish()
    }
}

/// A kind with the operation `delete`, which deletes one object.
pub trait Deletable: Resource {
    /// The operation.
    const DELETE: &'static Operation;

    /// Deletes the object of this name.
    ///
    /// # Errors
    /// As [`Gettable::get`], and when the parameters contradict the options.
    fn delete(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        params: &DeleteParams,
    ) -> Result<Request<Deleted<Self>>, Error> {
        let builder = request_for_object(Self::DELETE, scope.namespace(), name).params(params);
        builder.delete_options(params.options.as_ref()).finish()
    }
}

/// A kind with the operation `deletecollection`, which deletes all objects or those that match
/// selectors.
pub trait CollectionDeletable: Listable {
    /// The operation: for one namespace, or for the cluster. Servers have none for all namespaces.
    const DELETE_COLLECTION: &'static Operation;

    /// Deletes objects of one namespace, or of the cluster.
    ///
    /// # Errors
    /// As [`Deletable::delete`].
    fn delete_collection(
        scope: impl ObjectScope<Self::Scope>,
        params: &DeleteCollectionParams,
    ) -> Result<Request<DeletedCollection<Self::List>>, Error> {
        let builder =
            request_for_objects(Self::DELETE_COLLECTION, scope.namespace()).params(params);
        builder.delete_options(params.options.as_ref()).finish()
    }
}

/// A kind with the subresource `status`, through which the status is written separately from the
/// rest of the object.
pub trait HasStatus: Resource {
    /// The operation that reads.
    const GET_STATUS: &'static Operation;
    /// The operation that replaces.
    const REPLACE_STATUS: &'static Operation;
    /// The operation that patches.
    const PATCH_STATUS: &'static Operation;

    /// Reads the object of this name through its status.
    ///
    /// # Errors
    /// As [`Gettable::get`].
    fn get_status(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        params: &GetParams,
    ) -> Result<Request<Self>, Error> {
        request_for_object(Self::GET_STATUS, scope.namespace(), name).params(params).finish()
    }

    /// Replaces the status of the object of this name with the status in the body.
    ///
    /// # Errors
    /// As [`Gettable::get`].
    fn replace_status(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        body: &Self,
        params: &ReplaceParams,
    ) -> Result<Request<Self>, Error> {
        request_for_object(Self::REPLACE_STATUS, scope.namespace(), name)
            .params(params)
            .body(body)
            .finish()
    }

    /// Patches the status of the object of this name.
    ///
    /// # Errors
    /// As [`Patchable::patch`].
    fn patch_status(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        patch: &request::Patch,
        params: &PatchParams,
    ) -> Result<Request<Self>, Error> {
        request_for_object(Self::PATCH_STATUS, scope.namespace(), name)
            .params(params)
            .patch(patch)
            .finish()
    }
}

/// A kind with the subresource `scale`, which has the number of replicas in a form that all kinds
/// share.
pub trait HasScale: Resource {
    /// The kind `Scale` of `autoscaling/v1`.
    type Scale: Kind;
    /// The operation that reads.
    const GET_SCALE: &'static Operation;
    /// The operation that replaces.
    const REPLACE_SCALE: &'static Operation;
    /// The operation that patches.
    const PATCH_SCALE: &'static Operation;

    /// Reads the scale of the object of this name.
    ///
    /// # Errors
    /// As [`Gettable::get`].
    fn get_scale(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        params: &GetParams,
    ) -> Result<Request<Self::Scale>, Error> {
        request_for_object(Self::GET_SCALE, scope.namespace(), name).params(params).finish()
    }

    /// Replaces the scale of the object of this name, and so its number of replicas.
    ///
    /// # Errors
    /// As [`Gettable::get`].
    fn replace_scale(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        body: &Self::Scale,
        params: &ReplaceParams,
    ) -> Result<Request<Self::Scale>, Error> {
        let builder = request_for_object(Self::REPLACE_SCALE, scope.namespace(), name);
        builder.params(params).body(body).finish()
    }

    /// Patches the scale of the object of this name.
    ///
    /// # Errors
    /// As [`Patchable::patch`].
    fn patch_scale(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        patch: &request::Patch,
        params: &PatchParams,
    ) -> Result<Request<Self::Scale>, Error> {
        let builder = request_for_object(Self::PATCH_SCALE, scope.namespace(), name);
        builder.params(params).patch(patch).finish()
    }
}

/// A kind with the subresource `attach`, which attaches to a running container.
pub trait HasAttach: Resource {}

/// A kind with the subresource `ephemeralcontainers`, which adds ephemeral containers.
pub trait HasEphemeralContainers: Resource {}

/// A kind with the subresource `eviction`, which evicts an object.
pub trait HasEviction: Resource {}

/// A kind with the subresource `exec`, which runs a command.
pub trait HasExec: Resource {}

/// A kind with the subresource `log`, which reads a log.
pub trait HasLog: Resource {}

/// A kind with the subresource `portforward`, which forwards ports.
pub trait HasPortForward: Resource {}

/// A kind with the subresource `resize`, which resizes running objects.
pub trait HasResize: Resource {}

/// Begins a request for one object.
fn request_for_object(
    operation: &'static Operation,
    namespace: Option<&str>,
    name: &str,
) -> Builder {
    begin(operation, namespace, Some(name))
}

/// Begins a request for the objects of a namespace, or of the cluster: an object is created there.
fn request_for_objects(operation: &'static Operation, namespace: Option<&str>) -> Builder {
    begin(operation, namespace, None)
}

/// Begins a request for the objects of a namespace, of the cluster or, by the second operation, of
/// all namespaces.
fn request_for_list(
    operation: &'static Operation,
    all: Option<&'static Operation>,
    namespace: Option<&str>,
) -> Builder {
    let all = all.filter(|_| namespace.is_none());
    begin(all.unwrap_or(operation), namespace, None)
}

fn begin(operation: &'static Operation, namespace: Option<&str>, name: Option<&str>) -> Builder {
    let refuse = |namespace: &str, why| {
        let value = namespace.to_owned();
        Builder::refused(operation, InvalidRequest::Argument { name: "namespace", value, why })
    };
    let has_namespace = operation.path.split('/').any(|segment| segment == "{namespace}");
    match (has_namespace, namespace) {
        (true, None) => refuse("", "this operation needs one"),
        (false, Some(namespace)) => refuse(namespace, "the kind is cluster-scoped"),
        (true, Some(namespace)) => match name {
            Some(name) => Builder::new(operation, &[namespace, name]),
            None => Builder::new(operation, &[namespace]),
        },
        (false, None) => Builder::new(operation, name.as_slice()),
    }
}
