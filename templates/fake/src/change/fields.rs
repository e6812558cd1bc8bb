//! The fields of a value, as managers own them.

use crate::schema::{ListType, Node, Shape};
use kapigen_runtime::change::{FieldPart, FieldSet};
use serde_json::{Map, Value};

/// The fields of a value: its scalars and what is replaced as a whole, the elements of lists that are merged, and empty
/// objects.
pub(super) fn fields_of(value: &Value, node: Node<'_>) -> FieldSet {
    let mut set = FieldSet::default();
    match value {
        Value::Object(members) if !node.is_atomic() => {
            for (key, value) in members {
                let mut below = fields_of(value, node.member(key));
                let is_known = node.known(key).is_some();
                let is_empty = value.is_null() || value.as_object().is_some_and(Map::is_empty);
                below.is_member |= is_empty || !is_known;
                set.children.insert(FieldPart::Field(key.clone()), below);
            }
        }
        Value::Array(elements) if *node.list_type() != ListType::Atomic => {
            for (index, element) in elements.iter().enumerate() {
                let mut below = fields_of(element, node.element());
                below.is_member = true;
                set.children.insert(part_of(element, index, node), below);
            }
        }
        _ => set.is_member = true,
    }
    set
}

/// The part of a path that leads to an element of a list.
pub(super) fn part_of(element: &Value, index: usize, node: Node<'_>) -> FieldPart {
    match node.list_type() {
        ListType::Atomic => FieldPart::Index(index),
        ListType::Set => FieldPart::value(element),
        ListType::Map(keys) => {
            let elements = node.element();
            let members = keys.iter().filter_map(|key| {
                let stated = element.get(key).filter(|value| !value.is_null());
                Some((key.clone(), stated.or_else(|| elements.member(key).default())?.clone()))
            });
            FieldPart::key(members.collect())
        }
    }
}

/// The parts that lead to the elements of a list.
pub(super) fn parts(elements: &[Value], node: Node<'_>) -> Vec<FieldPart> {
    elements.iter().enumerate().map(|(index, element)| part_of(element, index, node)).collect()
}

/// Whether a value is free JSON, in which `null` is a value: everywhere else it is none.
pub(super) fn is_free(node: Node<'_>) -> bool {
    matches!(node.shape(), Shape::Any)
}
