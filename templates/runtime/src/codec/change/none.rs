//! Replaces the module around it where the feature `change` is off: nothing is compiled for a type.

/// Nothing without the feature `change`.
pub trait ListChange {}

impl<T> ListChange for T {}

/// Nothing without the feature `change`.
pub trait MapChange {}

impl<T> MapChange for T {}

/// Nothing without the feature `change`.
pub trait PrintedChange {}

impl<T> PrintedChange for T {}

/// Nothing without the feature `change`.
pub(crate) struct LazySchema;

impl LazySchema {
    pub(crate) const fn new() -> Self {
        Self
    }
}
