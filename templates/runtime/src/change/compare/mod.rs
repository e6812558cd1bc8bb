//! Comparing and merging objects, and the patches between them.

mod arrange;
mod differences;
pub(crate) mod json_between;
mod managers;
mod merge;
mod pairs;
mod path;
mod raw_tree;
#[cfg(test)]
mod tests;
pub(crate) mod tree_between;
pub(crate) mod upgrade;

pub use differences::{Difference, differences};
pub use managers::{Manager, extract, managers};
pub use merge::merge;
