//! Changing objects: comparing, patching, merging and applying, without losing anything.

mod align;
mod applied;
mod differences;
mod document;
mod error;
mod fields;
pub(crate) mod json_between;
mod json_patch;
mod kept;
mod managers;
pub(crate) mod merge_between;
mod merge_patch;
mod pairs;
mod path;
mod server_apply;
mod step;
pub(crate) mod strategic_between;
mod strategic_patch;
mod tree;
mod writer;

pub use crate::codec::schema::Schema;
pub(crate) use applied::Configuration;
pub use applied::Applicable;
pub use differences::{Difference, differences};
pub use error::ChangeError;
pub use fields::FieldSet;
pub use json_patch::apply_json;
pub use managers::{Manager, managers};
pub use merge_patch::apply_merge;
pub use server_apply::{ApplyError, Conflict, apply_configuration, track_update};
pub use step::{AsJson, Step};
pub use strategic_patch::apply_strategic;
pub use writer::FieldWriter;
