//! Changing objects: comparing, patching, merging and applying, without losing anything.

mod align;
mod applied;
mod differences;
mod error;
pub(crate) mod json_between;
mod json_patch;
mod kept;
pub(crate) mod merge_between;
mod merge_patch;
mod pairs;
mod path;
mod step;
pub(crate) mod strategic_between;
mod strategic_patch;
mod tree;

pub use crate::codec::schema::Schema;
pub(crate) use applied::Configuration;
pub use applied::Applicable;
pub use differences::{Difference, differences};
pub use error::ChangeError;
pub use json_patch::apply_json;
pub use merge_patch::apply_merge;
pub use step::{AsJson, Step};
pub use strategic_patch::apply_strategic;
