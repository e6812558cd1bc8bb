//! Writes: create, update, patch, delete, and the subresources that change objects.

mod apply;
mod collection;
mod conform;
mod create;
mod decode;
mod delete;
mod patch;
mod pods;
mod record;
mod scale;
mod structural;
mod update;

pub(crate) use update::Part;
