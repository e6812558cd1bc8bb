//! Traits without their names: `use kapigen_runtime::prelude::*` brings the functions and methods of kinds into scope,
//! such as `Pod::list` and `pod.metadata()`, and clashes with nothing.

pub use crate::kind::{Kind as _, Resource as _, ResourceList as _};
pub use crate::scope::Scope as _;
pub use crate::verbs::{Create as _, Delete as _, DeleteCollection as _, Get as _, List as _, Patch as _};
pub use crate::verbs::{Replace as _, StatusSubresource as _, Watch as _};
