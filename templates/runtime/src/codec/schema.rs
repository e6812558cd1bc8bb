//! Schemas: the structure of JSON values, as far as it is needed to change them.

use super::merge::{ListType, Merge, PatchStrategy};
use super::table::Table;
use super::value::{Object, Slot, Value, View, VisitEmpty};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The structure of a value and of all its parts: members, elements, and how they are merged.
///
/// A type has one ([`Schema::of`]), and so has a schema of an OpenAPI document
/// ([`Schema::from_document`](crate::change::Schema::from_document)).
#[derive(Clone, Debug)]
pub struct Schema {
    objects: Arc<[ObjectSchema]>,
    root: Shape,
}

/// The structure of an object with known members.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectSchema {
    /// The name of the type. Empty if it has none.
    pub(crate) name: Cow<'static, str>,
    pub(crate) members: BTreeMap<Cow<'static, str>, Member>,
    /// Whether server-side apply replaces it as a whole.
    pub(crate) is_atomic: bool,
}

/// The structure of a member.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) shape: Shape,
    pub(crate) merge: MergeRule,
    /// The value of a required member that is not set. None: the member is optional.
    pub(crate) empty: Option<serde_json::Value>,
}

/// The type of a value: a scalar, an object, a list, a map, or any JSON.
#[derive(Clone, Debug, Default)]
pub(crate) enum Shape {
    /// Any JSON.
    #[default]
    Any,
    /// A value without parts.
    Scalar,
    /// The object with this index.
    Object(usize),
    List(Box<Shape>),
    Map(Box<Shape>),
}

/// The merge rule of a member: a [`Merge`] that may come from a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct MergeRule {
    pub(crate) list: ListRule,
    /// Whether server-side apply replaces the value as a whole, for any type.
    pub(crate) is_atomic: bool,
    pub(crate) patch: PatchRule,
    pub(crate) retains_keys: bool,
}

/// The rule by which server-side apply merges a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum ListRule {
    #[default]
    Atomic,
    Set,
    /// Objects with these members as keys, with their defaults.
    Map(Vec<(Cow<'static, str>, Option<serde_json::Value>)>),
}

/// The rule of a strategic merge patch.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum PatchRule {
    #[default]
    Usual,
    Replace,
    MergeBy(Cow<'static, str>),
    MergeScalars,
}

/// A value's part of a schema, and the rule of the member that holds the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    schema: &'a Schema,
    pub(crate) shape: &'a Shape,
    pub(crate) merge: &'a MergeRule,
}

/// The rule where there is no other.
static USUAL: MergeRule =
    MergeRule { list: ListRule::Atomic, is_atomic: false, patch: PatchRule::Usual, retains_keys: false };

impl Schema {
    /// The schema of a type. It is made when it is used for the first time.
    #[must_use]
    #[inline]
    pub fn of<T: Value>() -> Self {
        Self::of_visited(T::visit_empty)
    }

    /// Not generic, so that it is compiled once.
    fn of_visited(visit_empty: VisitEmpty) -> Self {
        let mut schema = Self { objects: Arc::default(), root: Shape::Any };
        visit_empty(&mut |slot| {
            schema = match slot {
                Slot::Object(object) => Self::of_empty(object),
                slot => {
                    let mut reader = Reader::default();
                    let root = reader.shape(slot);
                    Self { objects: reader.objects.into(), root }
                }
            };
        });
        schema
    }

    /// The schema of an object in which nothing is set.
    pub(crate) fn of_empty(object: &mut dyn Object) -> Self {
        let table = object.table();
        let made = table.schema.get_or_init(|| {
            let mut reader = Reader::default();
            let root = reader.object(object);
            Self { objects: reader.objects.into(), root }
        });
        made.clone()
    }

    /// A schema of objects, which shapes name by their indices.
    pub(crate) fn new(objects: Vec<ObjectSchema>, root: Shape) -> Self {
        Self { objects: objects.into(), root }
    }

    /// Adds the objects of this schema to those of another one. Returns the shape of its root there.
    pub(crate) fn append_to(&self, objects: &mut Vec<ObjectSchema>) -> Shape {
        let offset = objects.len();
        objects.extend(self.objects.iter().cloned());
        for member in objects[offset..].iter_mut().flat_map(|object| object.members.values_mut()) {
            member.shape.shift(offset);
        }
        let mut root = self.root.clone();
        root.shift(offset);
        root
    }

    pub(crate) fn root(&self) -> Node<'_> {
        Node { schema: self, shape: &self.root, merge: &USUAL }
    }
}

impl Shape {
    /// Counts the indices of objects from another start.
    fn shift(&mut self, offset: usize) {
        match self {
            Shape::Object(index) => *index += offset,
            Shape::List(inner) | Shape::Map(inner) => inner.shift(offset),
            Shape::Any | Shape::Scalar => {}
        }
    }
}

impl<'a> Node<'a> {
    /// The known members, if this is an object that has any.
    pub(crate) fn object(self) -> Option<&'a ObjectSchema> {
        match self.shape {
            Shape::Object(index) => self.schema.objects.get(*index),
            _ => None,
        }
    }

    /// The value of a member or an entry.
    pub(crate) fn member(self, key: &str) -> Node<'a> {
        let (shape, merge) = match self.shape {
            Shape::Map(values) => (&**values, &USUAL),
            _ => match self.object().and_then(|object| object.members.get(key)) {
                Some(member) => (&member.shape, &member.merge),
                None => (&Shape::Any, &USUAL),
            },
        };
        Node { schema: self.schema, shape, merge }
    }

    /// The elements of a list.
    pub(crate) fn element(self) -> Node<'a> {
        let shape = match self.shape {
            Shape::List(elements) => elements,
            _ => &Shape::Any,
        };
        Node { schema: self.schema, shape, merge: &USUAL }
    }

    /// The elements of a list, with the rule of the list.
    pub(crate) fn ruled_element(self) -> Node<'a> {
        Node { merge: self.merge, ..self.element() }
    }

    /// Whether server-side apply replaces the value as a whole.
    pub(crate) fn is_atomic(self) -> bool {
        self.merge.is_atomic || self.object().is_some_and(|object| object.is_atomic)
    }
}

/// Collects the objects that an empty one reaches, each once.
#[derive(Default)]
struct Reader {
    objects: Vec<ObjectSchema>,
    tables: Vec<*const Table>,
}

impl Reader {
    fn shape(&mut self, slot: Slot<'_>) -> Shape {
        match slot {
            Slot::Object(object) => self.object(object),
            Slot::List(list) => Shape::List(Box::new(self.shape(list.push(true)))),
            Slot::Map(map) => Shape::Map(Box::new(self.shape(map.insert(String::new(), true)))),
            Slot::Raw(_) | Slot::Absent => Shape::Any,
            _ => Shape::Scalar,
        }
    }

    fn object(&mut self, object: &mut dyn Object) -> Shape {
        let table = object.table();
        if let Some(known) = self.tables.iter().position(|known| std::ptr::eq(*known, table)) {
            return Shape::Object(known);
        }
        let index = self.tables.len();
        self.tables.push(table);
        self.objects.push(ObjectSchema::default());
        #[cfg(feature = "change")]
        {
            // While it is empty.
            table.keys.index().required(object);
            table.keys.index().unset(object);
        }
        let mut required = BTreeMap::new();
        object.visit_members(&mut |index, view| _ = required.insert(index, empty(view)));
        let mut members = BTreeMap::new();
        for (index, name) in table.keys.names().iter().enumerate() {
            let shape = self.shape(object.member_mut(index, true));
            let merge = MergeRule::of(table.merge_of(index));
            members.insert(Cow::Borrowed(*name), Member { shape, merge, empty: required.remove(&index) });
        }
        self.objects[index] = ObjectSchema { name: Cow::Borrowed(table.name), members, is_atomic: table.is_atomic };
        Shape::Object(index)
    }
}

/// An empty value as JSON. It contains nothing that a tree cannot hold.
fn empty(view: View<'_>) -> serde_json::Value {
    serde_json::to_value(view).unwrap_or_default()
}

impl MergeRule {
    fn of(merge: &Merge) -> Self {
        let default = |text: &str| serde_json::from_str(text).ok();
        let list = match merge.list {
            ListType::Usual | ListType::Atomic => ListRule::Atomic,
            ListType::Set => ListRule::Set,
            ListType::Map(keys) => {
                ListRule::Map(keys.iter().map(|(name, value)| (Cow::Borrowed(*name), default(value))).collect())
            }
        };
        let patch = match merge.patch {
            PatchStrategy::Usual => PatchRule::Usual,
            PatchStrategy::Replace => PatchRule::Replace,
            PatchStrategy::Merge("") => PatchRule::MergeScalars,
            PatchStrategy::Merge(key) => PatchRule::MergeBy(Cow::Borrowed(key)),
        };
        Self { list, is_atomic: merge.list == ListType::Atomic, patch, retains_keys: merge.retains_keys }
    }
}
