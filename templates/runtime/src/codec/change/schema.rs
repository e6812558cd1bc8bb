//! The structure of a type's values, as far as it is needed to compare and to merge them as JSON.

use crate::codec::table::{ListType, Merge, Table};
use crate::codec::value::{Object, Slot, Value, VisitEmpty};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The structure of a type: its members, the members of all types within it, and how they are
/// merged.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    objects: Arc<[ObjectSchema]>,
    root: Shape,
}

/// The structure of an object with known members.
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectSchema {
    pub(crate) members: BTreeMap<&'static str, Member>,
    /// Whether server-side apply replaces it as a whole.
    is_atomic: bool,
}

/// The structure of a member.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    shape: Shape,
    merge: &'static Merge,
    /// Whether `null` is a value of it.
    pub(crate) is_nullable: bool,
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

/// A value's part of a schema, and the rule of the member that holds the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    schema: &'a Schema,
    pub(crate) shape: &'a Shape,
    pub(crate) merge: &'static Merge,
}

impl Schema {
    /// The schema of a type. It is made when it is used for the first time.
    #[inline]
    pub(crate) fn of<T: Value>() -> Self {
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
    fn of_empty(object: &mut dyn Object) -> Self {
        let table = object.table();
        let made = table.schema.get_or_init(|| {
            let mut reader = Reader::default();
            let root = reader.object(object);
            Self { objects: reader.objects.into(), root }
        });
        made.clone()
    }

    pub(crate) fn root(&self) -> Node<'_> {
        Node { schema: self, shape: &self.root, merge: &Merge::USUAL }
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
            Shape::Map(values) => (&**values, self.merge.of_values()),
            _ => match self.object().and_then(|object| object.members.get(key)) {
                Some(member) => (&member.shape, member.merge),
                None => (&Shape::Any, &Merge::USUAL),
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
        Node { schema: self.schema, shape, merge: &Merge::USUAL }
    }

    /// The elements of a list, with the rule of the list.
    pub(crate) fn ruled_element(self) -> Node<'a> {
        Node { merge: self.merge, ..self.element() }
    }

    /// Whether server-side apply replaces the value as a whole.
    pub(crate) fn is_atomic(self) -> bool {
        self.merge.list == ListType::Atomic || self.object().is_some_and(|object| object.is_atomic)
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
            Slot::Raw(_) | Slot::BySerde(_) | Slot::Absent => Shape::Any,
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
        let mut members = BTreeMap::new();
        for (index, name) in table.keys.names().iter().enumerate() {
            let shape = self.shape(object.member_mut(index, true));
            let is_nullable = table.keys.index().nullable.contains(index);
            members.insert(*name, Member { shape, merge: table.merge_of(index), is_nullable });
        }
        self.objects[index] = ObjectSchema { members, is_atomic: table.is_atomic };
        Shape::Object(index)
    }
}
