//! Changes as a server makes them, without a server: patches, apply and field owners.
//!
//! | you have | you want | use |
//! |---|---|---|
//! | an object and a JSON patch | the object after it | [`apply_json`] |
//! | an object and a merge patch | the object after it | [`apply_merge`] |
//! | an object and a strategic merge patch | the object after it | [`apply_strategic`] |
//! | an object and a configuration | the object after an apply, and the owners of its fields | [`apply_configuration`] |
//! | an object before and after a write | the owners of its fields | [`track_update`] |
//!
//! A [`Schema`] determines how lists are merged. It comes from an OpenAPI document or a custom
//! resource definition. JSON is `Value` of `serde_json` 1.

mod apply;
mod configured;
mod fields;
pub(crate) mod json;
mod managers;
mod merge;
mod strategic;

pub use crate::schema::Schema;
pub use apply::{ApplyError, apply_configuration};
pub use json::apply_json;
pub(crate) use managers::Operation;
pub use managers::{FieldConflict, FieldWriter, track_update};
pub use merge::apply_merge;
pub use strategic::apply_strategic;
pub(crate) use strategic::is_malformed;
