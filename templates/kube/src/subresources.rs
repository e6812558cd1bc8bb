//! kube's traits for subresources, for the kinds that have them.

use crate::object::Kube;
#[cfg(feature = "ws")]
use kapigen_runtime::verbs::{HasAttach, HasEphemeralContainers, HasExec, HasPortForward};
use kapigen_runtime::verbs::{HasEviction, HasLog, HasResize};
use kube::api;

impl<T: HasEviction> api::Evict for Kube<T> {}
impl<T: HasLog> api::Log for Kube<T> {}
impl<T: HasResize> api::Resize for Kube<T> {}

#[cfg(feature = "ws")]
impl<T: HasAttach> api::Attach for Kube<T> {}
// kube has this trait with the feature `ws` alone.
#[cfg(feature = "ws")]
impl<T: HasEphemeralContainers> api::Ephemeral for Kube<T> {}
#[cfg(feature = "ws")]
impl<T: HasExec> api::Execute for Kube<T> {}
#[cfg(feature = "ws")]
impl<T: HasPortForward> api::Portforward for Kube<T> {}
