//! Writes: create, update, patch, delete, and the subresources that change objects.

mod apply;
mod collection;
mod conform;
mod create;
mod decode;
mod definition;
mod delete;
mod part;
mod patch;
mod path;
mod pods;
mod record;
mod review;
mod scale;
mod structural;
mod times;
mod typed;
mod update;

pub(crate) use conform::fill;
pub(crate) use part::{Part, WRITABLE_METADATA};
pub(crate) use path::Path;
