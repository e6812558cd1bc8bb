//! JSON trees of typed values.

use super::ChangeError;
use super::pairs::{Pair, Pairs};
use crate::codec::View;
use crate::codec::schema::{Node, Shape};
use serde_json::{Map, Value};

/// The tree of a value, without members that are `null`, which means absent. Free JSON stays as it is.
pub(super) fn of(view: View<'_>, node: Node<'_>) -> Result<Value, ChangeError> {
    let mut tree = serde_json::to_value(view)
        .map_err(|error| ChangeError::new("", format!("the object has free JSON that cannot be compared: {error}")))?;
    drop_nulls(&mut tree, node);
    Ok(tree)
}

fn no_object() -> ChangeError {
    ChangeError::new("", "not an object, which alone has members to change")
}

/// The trees of two objects, without members that are the same in both. Lists and free JSON that differ are whole, and
/// so are objects of which a strategic merge patch names all members.
pub(super) fn differing<'a>(
    old: View<'a>,
    new: View<'a>,
    node: Node<'_>,
) -> Result<[Map<String, Value>; 2], ChangeError> {
    match differing_values(&mut Pairs::new(), Pair { member: Some(0), key: "", old, new }, node)? {
        [Some(Value::Object(old)), Some(Value::Object(new))] => Ok([old, new]),
        _ => Err(no_object()),
    }
}

/// None: the value is absent.
fn differing_values<'a>(
    pairs: &mut Pairs<'a>,
    pair: Pair<'a>,
    node: Node<'_>,
) -> Result<[Option<Value>; 2], ChangeError> {
    let base = pairs.len();
    let mut span = match (pair.old, pair.new) {
        (View::Object(old), View::Object(new)) if !node.merge.retains_keys => pairs.members(old, new),
        (View::Map(old), View::Map(new)) => pairs.entries(old, new),
        (View::List(_), View::List(_)) if pairs.same(pair.old, pair.new) => return Ok([None, None]),
        _ => {
            let tree = |view: View<'_>| (!pair.lacks(view)).then(|| of(view, node)).transpose();
            return Ok([tree(pair.old)?, tree(pair.new)?]);
        }
    };
    let mut members = [Map::new(), Map::new()];
    while let Some(pair) = pairs.next(&mut span) {
        let values = differing_values(pairs, pair, node.member(pair.key))?;
        if values[0] != values[1] {
            for (members, value) in members.iter_mut().zip(values) {
                members.extend(value.map(|value| (pair.key.to_owned(), value)));
            }
        }
    }
    pairs.truncate(base);
    Ok(members.map(|members| Some(Value::Object(members))))
}

/// Removes known members that are `null`.
pub(super) fn drop_nulls(value: &mut Value, node: Node<'_>) {
    match (node.shape, value) {
        (Shape::Object(_), Value::Object(members)) => {
            let is_known = |key: &str| node.object().is_some_and(|object| object.members.contains_key(key));
            members.retain(|key, value| !(value.is_null() && is_known(key)));
            members.iter_mut().for_each(|(key, value)| drop_nulls(value, node.member(key)));
        }
        (Shape::Map(_), Value::Object(entries)) => {
            entries.iter_mut().for_each(|(key, value)| drop_nulls(value, node.member(key)));
        }
        (Shape::List(_), Value::Array(elements)) => {
            for value in elements {
                drop_nulls(value, node.element());
            }
        }
        _ => {}
    }
}

/// Whether an object in the value, but not in a list, has a member that is `null`.
pub(super) fn has_null_member(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.values().any(|value| value.is_null() || has_null_member(value)),
        _ => false,
    }
}
