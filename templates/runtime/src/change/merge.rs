//! Merging one value into another.

use super::applied::Configuration;
use super::extract::decode;
use super::{ChangeError, server_merge, tree};
use crate::codec::schema::Schema;
use crate::codec::{Target, Value, View};

/// Merges a value into another one of its type, as server-side apply does.
///
/// Values that are set in `other` replace those in `target`: objects and maps member by member, lists by the keys of
/// their elements where the documentation of a field states them, or as sets, and else as a whole. Required members of
/// `other` that are empty strings, lists, maps, times or quantities are not set; numbers and booleans are.
///
/// # Errors
/// When elements of a list in `other` have the same key or none, or free JSON is such that a tree cannot hold it. The
/// target is left as it was.
pub fn merge<T: Value>(target: &mut T, other: &T) -> Result<(), ChangeError> {
    let merged = merged(target.view(), other.view(), &Schema::of::<T>())?;
    let mut value = T::empty();
    decode(Target::Value(&mut value), &merged)?;
    *target = value;
    Ok(())
}

fn merged(target: View<'_>, other: View<'_>, schema: &Schema) -> Result<serde_json::Value, ChangeError> {
    let old = tree::of(target, schema.root())?;
    let new = Configuration::set_members(other, schema)?;
    server_merge::check_keys(&new, schema.root(), &mut String::new())?;
    Ok(server_merge::merged(&old, &new, schema.root()))
}
