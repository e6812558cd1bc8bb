//! Merging one value into another.

use super::edits::{self, Edits};
use super::extract::decode;
use super::{ChangeError, server_merge, tree, unset};
use crate::codec::schema::Schema;
use crate::codec::{Target, Value, View};
use serde_json::Value as Tree;

/// Merges a value into another one of its type, as server-side apply does.
///
/// Values that are set in `other` replace those in `target`: objects and maps member by member, lists by the keys of
/// their elements where the documentation of a field states them, or as sets, and else as a whole. Required members of
/// `other` that are empty strings, lists, maps, times or quantities are not set; numbers and booleans are.
///
/// ```
/// use kapigen_runtime::change::merge;
/// use kapigen_runtime::meta_v1::ObjectMeta;
///
/// let labels = |text: &str| Some([(text.to_owned(), "yes".to_owned())].into());
/// let mut target = ObjectMeta { name: Some("web".to_owned()), labels: labels("old"), ..Default::default() };
/// merge(&mut target, &ObjectMeta { labels: labels("new"), ..Default::default() })?;
/// assert_eq!(target.name.as_deref(), Some("web"));
/// assert_eq!(target.labels.unwrap().len(), 2);
/// # Ok::<(), kapigen_runtime::change::ChangeError>(())
/// ```
///
/// # Errors
/// When elements of a list in `other` have the same key or none, or free JSON is such that a tree cannot hold it. The
/// target is left as it was.
pub fn merge<T: Value>(target: &mut T, other: &T) -> Result<(), ChangeError> {
    let schema = Schema::of::<T>();
    let other = set_members(other.view(), &schema)?;
    // Parts of a tree that can be decoded can be decoded, too: from here on nothing fails half-way.
    let mut value = T::empty();
    decode(Target::Value(&mut value), &other)?;
    let Some(edits) = edits::between(target.view(), &other, &schema) else {
        value = T::empty();
        decode(Target::Value(&mut value), &merged(target.view(), &other, &schema)?)?;
        *target = value;
        return Ok(());
    };
    apply(target, edits)
}

// None of these is generic, so that they are compiled once.

fn set_members(other: View<'_>, schema: &Schema) -> Result<Tree, ChangeError> {
    let other = unset::set_members(other, schema)?;
    server_merge::check_keys(&other, schema.root(), &mut String::new())?;
    Ok(other)
}

fn merged(target: View<'_>, other: &Tree, schema: &Schema) -> Result<Tree, ChangeError> {
    Ok(server_merge::merged(&tree::of(target, schema.root())?, other, schema.root()))
}

fn apply(target: &mut dyn Value, edits: Edits) -> Result<(), ChangeError> {
    edits::apply(target.slot(true), edits)
        .map_err(|error| ChangeError::at("", format!("the result is no object of this type: {error}")))
}
