//! Fitting bodies to schemas.

pub(crate) mod conform;
mod path;
pub(crate) mod structural;
mod times;
pub(crate) mod typed;

pub(crate) use conform::fill;
pub(crate) use path::Path;
