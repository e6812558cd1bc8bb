//! Changing objects without losing anything: comparing, patching, merging and applying.
//!
//! | you have | you want | use |
//! |---|---|---|
//! | two objects | the patch that turns one into the other | [`Patch::json_between`](crate::Patch::json_between), [`merge_between`](crate::Patch::merge_between), [`strategic_between`](crate::Patch::strategic_between) |
//! | two objects | to see where they differ | [`differences`] |
//! | an object | a server to have it so | [`Patch::apply`](crate::Patch::apply) |
//! | an object of a server | the part that one manager owns | [`extract`], [`managers`] |
//! | an object and a part of one | both in one object | [`merge`] |
//! | an object and a patch as JSON | the object after it | [`apply_json`], [`apply_merge`], [`apply_strategic`], [`apply_configuration`] |
//!
//! Tables of types say which members are required, which objects are inside of others, and how lists are merged. All of
//! this stands on that, in code that is compiled once for all types. For JSON whose type is known only when the program
//! runs, a [`Schema`] comes from an OpenAPI document.
//!
//! ```
//! use kapigen_runtime::change::differences;
//! use kapigen_runtime::{Patch, meta_v1::ObjectMeta};
//!
//! let old = ObjectMeta { name: Some("web".to_owned()), ..Default::default() };
//! let mut new = old.clone();
//! new.labels = Some([("tier".to_owned(), "front".to_owned())].into());
//! assert_eq!(differences(&old, &new)[0].to_string(), r#"labels: absent → {"tier":"front"}"#);
//! let patch = Patch::json_between(&old, &new);
//! assert_eq!(patch.body(), br#"[{"op":"add","path":"/labels","value":{"tier":"front"}}]"#);
//! ```

mod align;
mod applied;
mod differences;
mod document;
mod edits;
mod error;
mod extract;
mod fields;
pub(crate) mod json_between;
mod json_patch;
mod kept;
mod managers;
mod merge;
pub(crate) mod merge_between;
mod merge_patch;
mod operation;
mod pairs;
mod path;
mod server_apply;
mod server_merge;
pub(crate) mod strategic_between;
mod strategic_patch;
mod tree;
mod writer;

pub use crate::codec::schema::Schema;
pub(crate) use applied::Configuration;
pub use applied::{Applicable, drop_unset};
pub use differences::{Difference, differences};
pub use error::ChangeError;
pub use extract::extract;
pub use fields::FieldSet;
pub use json_patch::apply_json;
pub use managers::{Manager, managers};
pub use merge::merge;
pub use merge_patch::apply_merge;
pub use operation::{AsJson, PatchOperation};
pub use server_apply::{ApplyError, Conflict, apply_configuration, track_update};

pub use strategic_patch::apply_strategic;
pub use writer::FieldWriter;
