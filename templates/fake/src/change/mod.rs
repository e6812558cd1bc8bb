//! Patches on trees.

pub(crate) mod json;
pub(crate) mod merge;
pub(crate) mod strategic;
