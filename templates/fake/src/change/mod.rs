//! Patches on trees.

pub(crate) mod json;
pub(crate) mod strategic;
