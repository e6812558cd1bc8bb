//! Changing objects without losing anything: comparing, patching, merging and applying.
//!
//! | you have | you want | use |
//! |---|---|---|
//! | two objects | the patch that turns one into the other | [`Patch::json_between`](crate::Patch::json_between), [`merge_between`](crate::Patch::merge_between), [`strategic_between`](crate::Patch::strategic_between) |
//! | two objects | to see where they differ | [`differences`] |
//! | an object | a server to have it so | [`Patch::apply`](crate::Patch::apply) |
//! | an object of a server | the part that one manager owns | [`extract`], [`managers`] |
//! | an object and a part of one | both in one object | [`merge`] |
//!
//! Tables of types say which members are required, which objects are inside of others, and how lists are merged. All of
//! this stands on that, in code that is compiled once for all types. What a server does with patches and configurations is
//! in `kapigen_fake::change`.
//!
//! Trees of JSON are values of `serde_json` 1, which is a part of this interface: [`crate::serde_json`].
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

#[cfg(feature = "change")]
mod align;
mod applied;
#[cfg(feature = "change")]
mod differences;
mod encode;
mod error;
#[cfg(feature = "change")]
mod extract;
mod fields;
#[cfg(feature = "change")]
mod free_json;
#[cfg(feature = "change")]
pub(crate) mod json_between;
mod kept;
#[doc(hidden)] // for kapigen-fake
pub mod list_order;
#[cfg(feature = "change")]
mod managers;
#[cfg(feature = "change")]
mod merge;
#[cfg(feature = "change")]
pub(crate) mod merge_between;
#[cfg(feature = "change")]
mod merge_check;
#[cfg(feature = "change")]
mod merge_rule;
mod omissible;
mod operation;
#[cfg(feature = "change")]
mod pairs;
#[cfg(feature = "change")]
mod path;
#[cfg(feature = "change")]
pub(crate) mod strategic_between;
#[cfg(feature = "change")]
mod tree;

pub use applied::Applicable;
pub(crate) use applied::Configuration;
pub use error::ChangeError;
pub use fields::FieldSet;
#[doc(hidden)] // for kapigen-fake
pub use fields::{FieldPart, canonical};
#[doc(hidden)] // as `FieldPart`
pub use kept::{is_custom, is_kept};
pub use operation::{AsJson, PatchOperation};

#[cfg(feature = "change")]
pub use self::{
    differences::{Difference, differences},
    extract::extract,
    managers::{Manager, managers},
    merge::merge,
};
#[cfg(feature = "change")]
pub use crate::codec::schema::Schema;
