//! Operations for code that is generic over kinds: one trait for each verb.
//!
//! `Pod::list("default", &params)` builds the same request as `core_v1::pods::list("default", &params)`, and
//! `T::list(scope, &params)` does so for every `T: List`. A kind implements a trait where the API has exactly one
//! operation for it. Those of other operations (subresources but `status`, reviews that are only created, bindings)
//! are functions in the modules of the resources; [`HasLog`] and others mark the kinds that have such subresources.
//!
//! The first argument says [where](crate::scope) the objects are. Parameters are those of [`params`](crate::params);
//! one that the operation of a kind does not have is an error before anything is sent.
//!
//! `use kapigen_runtime::prelude::*` brings the functions of these traits into scope, and no names.

mod arguments;
mod read;
mod status;
mod subresources;
mod write;

pub use read::{Get, List, Watch};
pub use status::StatusSubresource;
pub use subresources::{HasAttach, HasEphemeralContainers, HasEviction, HasExec, HasLog, HasPortForward, HasResize};
pub use write::{Create, Delete, DeleteCollection, Patch, Replace};
