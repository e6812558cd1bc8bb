//! Sets of fields: the fields of an object, and the differences between two objects.

use crate::encode::encode_characters;
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
        let owned = |old: &Value, new: &Value, with_modified| {
            let mut fields = FieldSet::default();
            let wanted = Wanted { with_modified, with_nulls };
            compare(Some(old), new, node, wanted, &mut fields);
            // Nothing owns the whole object.
            fields.is_member = false;
            fields.subtract(&UNOWNED_SET);
            fields
        };
        Self { set: owned(old, new, true), removed: owned(new, old, false) }
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

/// Encodes the fields that a new object has and a blank one lacks, as the JSON of `fieldsV1`.
/// `None` if a manager can own none of them.
pub(super) fn encode_new(blank: &Value, new: &Value, node: Node<'_>) -> Option<Vec<u8>> {
    let mut fields = FieldsText(Vec::with_capacity(1024));
    let is_found = fields.value(false, |fields| find_owned(None, blank, new, node, fields));
    is_found.then_some(fields.0)
}

/// The fields that a comparison finds, in ascending order.
trait Fields: Sized {
    /// Adds a value: whether it is a field itself, and the fields within it. Returns whether there
    /// are any.
    fn value(&mut self, is_field: bool, find: impl FnOnce(&mut Self) -> bool) -> bool;
    /// Adds a part of the path with the fields of its value. Returns whether it has any.
    fn part(&mut self, part: Part<'_>, find: impl FnOnce(&mut Self) -> bool) -> bool;
}

/// The part of a path that leads to a member or to an element of a list.
#[derive(Clone, Copy)]
enum Part<'a> {
    Member(&'a str),
    Element(&'a FieldPart),
}

impl Fields for FieldSet {
    fn value(&mut self, is_field: bool, find: impl FnOnce(&mut Self) -> bool) -> bool {
        self.is_member = is_field;
        find(self) || is_field
    }

    fn part(&mut self, part: Part<'_>, find: impl FnOnce(&mut Self) -> bool) -> bool {
        let mut below = Self::default();
        let is_found = find(&mut below);
        if is_found {
            let part = match part {
                Part::Member(name) => FieldPart::Field(name.to_owned()),
                Part::Element(part) => part.clone(),
            };
            self.children.insert(part, below);
        }
        is_found
    }
}

/// Fields as the JSON of `fieldsV1`, without a set in between.
struct FieldsText(Vec<u8>);

impl Fields for FieldsText {
    fn value(&mut self, is_field: bool, find: impl FnOnce(&mut Self) -> bool) -> bool {
        let start = self.0.len();
        self.0.extend_from_slice(if is_field { b"{\".\":{}," } else { b"{" });
        let is_found = find(self);
        if is_found {
            // Replaces the last comma.
            self.0.pop();
            self.0.push(b'}');
        } else {
            self.0.truncate(start);
            self.0.extend_from_slice(if is_field { b"{}" } else { b"" });
        }
        is_found || is_field
    }

    fn part(&mut self, part: Part<'_>, find: impl FnOnce(&mut Self) -> bool) -> bool {
        let start = self.0.len();
        self.0.push(b'"');
        match part {
            Part::Member(name) => {
                self.0.extend_from_slice(b"f:");
                encode_characters(name, &mut self.0);
            }
            Part::Element(part) => encode_characters(&part.encode(), &mut self.0),
        }
        self.0.extend_from_slice(b"\":");
        let is_found = find(self);
        if is_found {
            self.0.push(b',');
        } else {
            self.0.truncate(start);
        }
        is_found
    }
}

/// The fields that an update changes.
const UPDATED: Wanted = Wanted { with_modified: true, with_nulls: false };

/// Finds the fields that a new object (or its metadata) has and a blank one lacks, except fields
/// that no manager owns.
fn find_owned(
    around: Option<&str>,
    blank: &Value,
    new: &Value,
    node: Node<'_>,
    fields: &mut FieldsText,
) -> bool {
    const METADATA: &str = "metadata";
    let is_unowned = |name: &str| {
        UNOWNED.iter().any(|path| match (around, path) {
            (None, [own]) => *own == name,
            (Some(around), [parent, own]) => *parent == around && *own == name,
            _ => false,
        })
    };
    let mut is_found = false;
    for (name, new) in new.as_object().into_iter().flat_map(in_order) {
        let below = node.member(name);
        if around.is_none() && name == METADATA {
            is_found |= fields.part(Part::Member(name), |fields| {
                fields.value(false, |fields| {
                    find_owned(Some(METADATA), &blank[METADATA], new, below, fields)
                })
            });
        } else if !is_unowned(name) {
            is_found |= fields.part(Part::Member(name), |fields| {
                compare(blank.get(name), new, below, UPDATED, fields)
            });
        }
    }
    is_found
}

/// The members of an object by their names.
fn in_order(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_unstable_by_key(|(name, _)| *name);
    members
}

/// Finds the fields that only the new value has and, if wanted, the fields with another value.
/// Returns whether there are any.
///
/// Compared with a non-empty object or list, `null` counts as an empty one; compared with anything
/// else, it is another value.
fn compare<F: Fields>(
    old: Option<&Value>,
    new: &Value,
    node: Node<'_>,
    wanted: Wanted,
    fields: &mut F,
) -> bool {
    let is_value = |value: &Value| !value.is_null() || wanted.with_nulls || has_null(node);
    let old = old.filter(|old| is_value(old));
    if old == Some(new) || !is_value(new) {
        return false;
    }
    let former = old.filter(|old| is_granular(old, node));
    let is_entered = is_granular(new, node);
    let is_of_other_type =
        old.is_some_and(|old| !old.is_null() && discriminant(old) != discriminant(new));
    let is_field = old.is_none() || wanted.with_modified && is_of_other_type;
    match new {
        Value::Object(members) if is_entered || former.is_some_and(Value::is_object) => fields
            .value(is_field, |fields| {
                in_order(members).into_iter().fold(false, |is_found, (name, new)| {
                    let old = former.and_then(|former| former.get(name));
                    let below = node.member(name);
                    fields
                        .part(Part::Member(name), |fields| compare(old, new, below, wanted, fields))
                        | is_found
                })
            }),
        Value::Array(elements) if is_entered || former.is_some_and(Value::is_array) => {
            let former = former.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            fields.value(is_field, |fields| compare_lists(former, elements, node, wanted, fields))
        }
        Value::Null if former.is_some() => false,
        _ => (old.is_none() || wanted.with_modified) && fields.value(true, |_| false),
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
fn compare_lists<F: Fields>(
    old: &[Value],
    new: &[Value],
    node: Node<'_>,
    wanted: Wanted,
    fields: &mut F,
) -> bool {
    let old = by_part(old, node);
    let mut is_found = false;
    for (part, new) in &by_part(new, node) {
        let old = old.get(part).map_or(&[][..], Vec::as_slice);
        is_found |= fields.part(Part::Element(part), |fields| match (old, &new[..]) {
            ([] | [_], [new]) => compare(old.first().copied(), new, node.element(), wanted, fields),
            (_, [new]) => compare(None, new, node.element(), wanted, fields),
            ([] | [_], _) => fields.value(true, |_| false),
            _ => wanted.with_modified && *old != **new && fields.value(true, |_| false),
        });
    }
    is_found
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

/// Adds the known members that have fields below them. Managers own such members only if they are
/// empty, but they are removed together with their content.
pub(super) fn add_known(set: &mut FieldSet, node: Node<'_>) {
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
