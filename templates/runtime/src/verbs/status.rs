//! The subresource `status`.

use super::arguments;
use crate::kind::Resource;
use crate::operation::Operation;
use crate::params::{GetParams, PatchParams, ReplaceParams};
use crate::request::{Patch, Request};
use crate::response::Error;
use crate::scope::ObjectScope;

/// A kind whose status is written apart from the rest of the object, as the subresource `status`.
pub trait StatusSubresource: Resource {
    /// The operation that reads.
    const GET_STATUS: &'static Operation;
    /// The operation that replaces.
    const REPLACE_STATUS: &'static Operation;
    /// The operation that patches.
    const PATCH_STATUS: &'static Operation;

    /// Reads the object of this name through its status.
    ///
    /// # Errors
    /// As [`Get::get`](super::Get::get).
    fn get_status(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        params: &GetParams,
    ) -> Result<Request<Self>, Error> {
        arguments::object(Self::GET_STATUS, scope.namespace(), name).params(params).finish()
    }

    /// Replaces the status of the object of this name by that of the body.
    ///
    /// # Errors
    /// As [`Get::get`](super::Get::get).
    fn replace_status(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        body: &Self,
        params: &ReplaceParams,
    ) -> Result<Request<Self>, Error> {
        arguments::object(Self::REPLACE_STATUS, scope.namespace(), name).params(params).body(body).finish()
    }

    /// Patches the status of the object of this name.
    ///
    /// # Errors
    /// As [`Patch::patch`](super::Patch::patch).
    fn patch_status(
        scope: impl ObjectScope<Self::Scope>,
        name: &str,
        patch: &Patch,
        params: &PatchParams,
    ) -> Result<Request<Self>, Error> {
        arguments::object(Self::PATCH_STATUS, scope.namespace(), name).params(params).patch(patch).finish()
    }
}
