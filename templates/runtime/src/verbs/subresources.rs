//! Markers of kinds whose objects have certain subresources.
//!
//! Each subresource has functions in the module of its resource, such as `core_v1::pods::get_log`. The markers are
//! bounds for generic code, and for clients that have functions of their own for these subresources.

use crate::kind::Resource;

/// A kind whose objects can be attached to, with the subresource `attach`.
pub trait HasAttach: Resource {}

/// A kind whose objects can get ephemeral containers, with the subresource `ephemeralcontainers`.
pub trait HasEphemeralContainers: Resource {}

/// A kind whose objects can be evicted, with the subresource `eviction`.
pub trait HasEviction: Resource {}

/// A kind whose objects run commands, with the subresource `exec`.
pub trait HasExec: Resource {}

/// A kind whose objects have logs, with the subresource `log`.
pub trait HasLog: Resource {}

/// A kind whose objects forward ports, with the subresource `portforward`.
pub trait HasPortForward: Resource {}

/// A kind whose objects can be resized while they run, with the subresource `resize`.
pub trait HasResize: Resource {}
