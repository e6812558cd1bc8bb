//! Traits for glob imports: `use kapigen_runtime::prelude::*` brings the functions and methods of
//! kinds into scope, such as `Pod::list` and `pod.metadata()`, and clashes with nothing.

pub use crate::kind::{
    AnyKind as _, AnyResource as _, Kind as _, Resource as _, ResourceList as _,
};
pub use crate::scope::Scope as _;
pub use crate::verbs::{
    CollectionDeletable as _, Creatable as _, Deletable as _, Gettable as _, Listable as _,
    Patchable as _,
};
pub use crate::verbs::{HasScale as _, HasStatus as _, Replaceable as _, Watchable as _};
