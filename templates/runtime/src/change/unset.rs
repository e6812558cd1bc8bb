//! Trees without the required members that are not set.

use super::kept::is_kept;
use super::path::{Path, escaped};
use super::{ChangeError, tree};
use crate::codec::schema::{ListRule, Node, ObjectSchema, PatchRule, Schema, Shape};
use crate::codec::{View, visit_encoded};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Removes the required members that are not set from a tree, as [`Patch::apply`](crate::Patch::apply) does with a
/// typed object of a built-in kind.
///
/// ```
/// use kapigen_runtime::change::{Schema, drop_unset};
/// use kapigen_runtime::meta_v1::Condition;
///
/// let mut condition = serde_json::json!({"type": "Ready", "status": "True", "reason": "", "message": ""});
/// drop_unset(&mut condition, &Schema::of::<Condition>());
/// assert_eq!(condition, serde_json::json!({"type": "Ready", "status": "True"}));
/// ```
pub fn drop_unset(object: &mut Value, schema: &Schema) {
    tree::drop_nulls(object, schema.root());
    Pruning::default().value(schema.root(), object);
}

/// A value as a tree without the required members that are not set.
pub(super) fn set_members(view: View<'_>, schema: &Schema) -> Result<Value, ChangeError> {
    let mut object = tree::of(view, schema.root())?;
    let mut pruning = Pruning::default();
    find_exact(&Path::ROOT, view, &mut pruning.exact);
    pruning.value(schema.root(), &mut object);
    Ok(object)
}

/// Removes required members that are empty, from the inside out.
#[derive(Default)]
struct Pruning {
    /// Pointers to the objects whose empty members are intended, see [`extract`](super::extract).
    exact: BTreeSet<String>,
    /// The pointer to the current value.
    pointer: String,
}

impl Pruning {
    fn value(&mut self, node: Node<'_>, value: &mut Value) {
        match (node.shape, value) {
            (Shape::Object(_), Value::Object(members)) => self.object(node, members, &[]),
            (Shape::Map(_), Value::Object(entries)) => {
                for (key, value) in entries {
                    self.inside(key, |this| this.value(node.member(key), value));
                }
            }
            (Shape::List(_), Value::Array(elements)) => {
                let keys = merge_keys(node);
                for (index, element) in elements.iter_mut().enumerate() {
                    self.inside(&index.to_string(), |this| match element {
                        Value::Object(members) => this.object(node.element(), members, &keys),
                        element => this.value(node.element(), element),
                    });
                }
            }
            _ => {}
        }
    }

    /// Members with these keys stay.
    fn object(&mut self, node: Node<'_>, members: &mut Map<String, Value>, keys: &[&str]) {
        let Some(object) = node.object() else { return };
        let is_exact = self.exact.contains(&self.pointer);
        members.retain(|key, value| {
            self.inside(key, |this| this.value(node.member(key), value));
            is_exact || keys.contains(&key.as_str()) || !is_left_out(object, key, value)
        });
    }

    fn inside(&mut self, key: &str, act: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&escaped(key));
        act(self);
        self.pointer.truncate(length);
    }
}

fn is_left_out(object: &ObjectSchema, key: &str, value: &Value) -> bool {
    let empty = object.members.get(key).and_then(|member| member.empty.as_ref());
    let is_empty = match value {
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(_) => empty == Some(value),
        _ => false,
    };
    is_empty && empty.is_some() && !is_kept(&object.name, key)
}

/// Finds the objects whose empty members are intended.
fn find_exact(path: &Path<'_>, view: View<'_>, found: &mut BTreeSet<String>) {
    match view {
        View::Object(object) => {
            object.visit_members(&mut |_, view| {
                if matches!(view, View::Unknown(unknown) if unknown.is_exact()) {
                    found.insert(path.pointer());
                }
            });
            visit_encoded(object, &mut |key, view| find_exact(&path.key(key), view, found));
        }
        View::List(list) => (0..list.count()).for_each(|at| find_exact(&path.index(at), list.element(at), found)),
        View::Map(map) => map.visit_entries(&mut |key, view| find_exact(&path.key(key), view, found)),
        _ => {}
    }
}

/// The members that identify the elements of a list.
fn merge_keys<'a>(node: Node<'a>) -> Vec<&'a str> {
    let mut keys: Vec<&'a str> = match &node.merge.list {
        ListRule::Map(keys) => keys.iter().map(|(key, _)| &**key).collect(),
        _ => Vec::new(),
    };
    if let PatchRule::MergeBy(key) = &node.merge.patch {
        keys.push(key);
    }
    keys
}
