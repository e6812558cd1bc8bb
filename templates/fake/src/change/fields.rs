//! Sets of fields: the fields of an object, and the differences between two objects.

use crate::schema::{Node, Scalar, Shape};
use kapigen_definitions::schema_keywords::ListType;
use kapigen_runtime::change::{FieldPart, FieldSet};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::mem::discriminant;
use std::sync::LazyLock;

/// Members of every object that no manager owns.
const UNOWNED: &[&[&str]] = &[
    &["apiVersion"],
    &["kind"],
    &["metadata"],
    &["metadata", "clusterName"],
    &["metadata", "creationTimestamp"],
    &["metadata", "generation"],
    &["metadata", "managedFields"],
    &["metadata", "name"],
    &["metadata", "namespace"],
    &["metadata", "resourceVersion"],
    &["metadata", "selfLink"],
    &["metadata", "uid"],
];

/// The members of every object that no manager owns, as a set.
pub(super) static UNOWNED_SET: LazyLock<FieldSet> = LazyLock::new(|| {
    let mut set = FieldSet::default();
    for names in UNOWNED {
        let field = names.iter().fold(&mut set, |set, name| {
            set.children.entry(FieldPart::Field((*name).to_owned())).or_default()
        });
        field.is_member = true;
    }
    set
});

/// The fields that differ between two objects.
pub(super) struct Changes {
    /// Fields that were added or changed.
    pub(super) set: FieldSet,
    /// Fields that were removed.
    pub(super) removed: FieldSet,
}

impl Changes {
    /// The changes of an update. `null` means absent, unless servers store it.
    pub(super) fn of_update(old: &Value, new: &Value, node: Node<'_>) -> Self {
        Self::between(old, new, node, false)
    }

    /// The changes of an apply. Its configuration may have `null` anywhere.
    pub(super) fn of_apply(old: &Value, new: &Value, node: Node<'_>) -> Self {
        Self::between(old, new, node, true)
    }

    fn between(old: &Value, new: &Value, node: Node<'_>, with_nulls: bool) -> Self {
        let [set, removed] = [(old, new, true), (new, old, false)].map(|(from, to, is_set)| {
            let wanted = Wanted { with_modified: is_set, with_nulls };
            let mut fields = compare(Some(from), to, node, wanted);
            // Nothing owns the whole object.
            fields.is_member = false;
            fields.subtract(&UNOWNED_SET);
            fields
        });
        Self { set, removed }
    }
}

/// Fields that a comparison reports beside the ones that only the new object has.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    /// Fields with another value.
    with_modified: bool,
    /// Fields that are `null`, even where the schema is not nullable.
    with_nulls: bool,
}

/// Finds the fields that only the new value has and, if wanted, the fields with another value.
///
/// Compared with a non-empty object or list, `null` counts as an empty one; compared with anything
/// else, it is another value.
fn compare(old: Option<&Value>, new: &Value, node: Node<'_>, wanted: Wanted) -> FieldSet {
    let mut fields = FieldSet::default();
    let has_nulls = wanted.with_nulls || has_null(node);
    let old = old.filter(|old| has_nulls || !old.is_null());
    if old == Some(new) || new.is_null() && !has_nulls {
        return fields;
    }
    let former = old.filter(|old| is_granular(old, node));
    let is_entered = is_granular(new, node);
    let is_of_other_type =
        old.is_some_and(|old| !old.is_null() && discriminant(old) != discriminant(new));
    fields.is_member = old.is_none() || wanted.with_modified && is_of_other_type;
    match new {
        Value::Object(members) if is_entered || former.is_some_and(Value::is_object) => {
            for (name, new) in members {
                let old = former.and_then(|former| former.get(name));
                let below = compare(old, new, node.member(name), wanted);
                add(&mut fields, FieldPart::Field(name.clone()), below);
            }
        }
        Value::Array(elements) if is_entered || former.is_some_and(Value::is_array) => {
            let former = former.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            compare_lists(former, elements, node, wanted, &mut fields);
        }
        Value::Null if former.is_some() => fields.is_member = false,
        _ => fields.is_member = old.is_none() || wanted.with_modified,
    }
    fields
}

/// Adds the fields of a member or an element, if there are any.
fn add(fields: &mut FieldSet, part: FieldPart, below: FieldSet) {
    if below.is_member || !below.children.is_empty() {
        fields.children.insert(part, below);
    }
}

/// Whether `null` is a value: it is one in free JSON, where a schema allows it, and for times that
/// are not set.
fn has_null(node: Node<'_>) -> bool {
    matches!(node.shape(), Shape::Any | Shape::Scalar(Scalar::Time | Scalar::MicroTime))
        || node.is_nullable()
}

/// As [`compare`], for the elements of lists. Elements that share a key are one value, which
/// changes as a whole.
fn compare_lists(
    old: &[Value],
    new: &[Value],
    node: Node<'_>,
    wanted: Wanted,
    fields: &mut FieldSet,
) {
    let old = by_part(old, node);
    for (part, new) in by_part(new, node) {
        let old = old.get(&part).map_or(&[][..], Vec::as_slice);
        let below = match (old, &new[..]) {
            ([] | [_], [new]) => compare(old.first().copied(), new, node.element(), wanted),
            (_, [new]) => compare(None, new, node.element(), wanted),
            (old, new) => {
                let is_new = old.len() < 2;
                let is_member = is_new || wanted.with_modified && *old != *new;
                FieldSet { is_member, ..FieldSet::default() }
            }
        };
        add(fields, part, below);
    }
}

/// The elements of a list by the parts that lead to them.
fn by_part<'a>(elements: &'a [Value], node: Node<'_>) -> BTreeMap<FieldPart, Vec<&'a Value>> {
    let mut all = BTreeMap::<_, Vec<_>>::new();
    for (part, element) in parts(elements, node).into_iter().zip(elements) {
        all.entry(part).or_default().push(element);
    }
    all
}

/// Whether managers own parts of a value, and not all of it or nothing: an object with members or a
/// list with elements that is merged.
pub(super) fn is_granular(value: &Value, node: Node<'_>) -> bool {
    match value {
        Value::Object(members) => !members.is_empty() && !node.is_atomic(),
        Value::Array(elements) => !elements.is_empty() && node.list_type() != ListType::Atomic,
        _ => false,
    }
}

/// The fields of a value: scalars, atomic values, elements of merged lists, and empty objects.
/// Elements that share a key are one field.
pub(super) fn fields_of(value: &Value, node: Node<'_>) -> FieldSet {
    let mut set = FieldSet::default();
    match value {
        Value::Object(members) if !node.is_atomic() => {
            for (name, value) in members {
                let mut below = fields_of(value, node.member(name));
                let is_empty = value.is_null() || value.as_object().is_some_and(Map::is_empty);
                below.is_member |= is_empty || node.known(name).is_none();
                if below.is_member || !below.children.is_empty() {
                    set.children.insert(FieldPart::Field(name.clone()), below);
                }
            }
        }
        Value::Array(elements) if node.list_type() != ListType::Atomic => {
            for (part, elements) in by_part(elements, node) {
                let mut below = match &elements[..] {
                    [element] => fields_of(element, node.element()),
                    _ => FieldSet::default(),
                };
                below.is_member = true;
                set.children.insert(part, below);
            }
        }
        _ => set.is_member = true,
    }
    set
}

/// Fields with the known members that have fields below them. Managers own such members only if
/// they are empty, but they are removed together with their content.
pub(super) fn with_known(mut set: FieldSet, node: Node<'_>) -> FieldSet {
    add_known(&mut set, node);
    set
}

fn add_known(set: &mut FieldSet, node: Node<'_>) {
    for (part, below) in &mut set.children {
        let below_node = match part {
            FieldPart::Field(name) => {
                below.is_member |= !below.children.is_empty() && node.known(name).is_some();
                node.member(name)
            }
            _ => node.element(),
        };
        add_known(below, below_node);
    }
}

/// The part of a path that leads to an element of a list.
pub(super) fn part_of(element: &Value, index: usize, node: Node<'_>) -> FieldPart {
    match node.list_type() {
        ListType::Atomic => FieldPart::Index(index),
        ListType::Set => FieldPart::value(element),
        ListType::Map => {
            let elements = node.element();
            FieldPart::key(node.list_rule().keys.iter().filter_map(|key| {
                let stated = element.get(key).or_else(|| elements.member(key).default());
                Some((key.as_str(), stated?))
            }))
        }
    }
}

/// The parts that lead to the elements of a list.
pub(super) fn parts(elements: &[Value], node: Node<'_>) -> Vec<FieldPart> {
    elements.iter().enumerate().map(|(index, element)| part_of(element, index, node)).collect()
}
