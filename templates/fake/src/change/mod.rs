//! Patches on trees.

pub(crate) mod json;
