//! The envelope of an event: its type, and its object.

use crate::codec::json::{self, DecodeError};
use crate::codec::{MemberVisitor, Object, Slot, Table, Target, Value, View};
use crate::meta_v1::{ObjectMeta, RawJson};

/// Decodes an event. Returns its type, and its object as JSON unless the event is a change: then that is in `object`.
///
/// The last of repeated members counts, as everywhere, and every `object` must be one of the event's type.
pub(crate) fn read(line: &[u8], object: &mut dyn Object) -> Result<(String, RawJson), DecodeError> {
    let mut envelope = Envelope::new(Some(Place { object, is_there: false }));
    let done = json::read(Target::Object(&mut envelope), line);
    if done.is_ok() && envelope.is_as_usual() {
        return Ok((envelope.kind, envelope.other));
    }
    // Where the type does not come first, or changes, the object is decoded when the type is known.
    let mut envelope = Envelope::new(None);
    json::read(Target::Object(&mut envelope), line)?;
    if is_change(&envelope.kind) {
        Slot::Object(object).clear();
        read_object(line, object)?;
    }
    Ok((envelope.kind, envelope.other))
}

/// Decodes the object of an event of any type.
pub(crate) fn read_object(line: &[u8], object: &mut dyn Object) -> Result<(), DecodeError> {
    let mut place = Place { object, is_there: false };
    json::read(Target::Object(&mut place), line)?;
    if place.is_there { Ok(()) } else { Err(DecodeError::new("object: an event without an object")) }
}

fn is_change(kind: &str) -> bool {
    matches!(kind, "ADDED" | "MODIFIED" | "DELETED")
}

/// An event.
struct Envelope<'a> {
    kind: String,
    /// The target of the object if the event is a change.
    object: Option<Place<'a>>,
    /// The object as JSON otherwise.
    other: RawJson,
    /// The number of members, and whether each came in its turn.
    members: usize,
    in_turn: bool,
}

impl<'a> Envelope<'a> {
    fn new(object: Option<Place<'a>>) -> Self {
        Self { kind: String::new(), object, other: RawJson::default(), members: 0, in_turn: true }
    }

    /// Whether there were a type and then an object, as servers write them.
    fn is_as_usual(&self) -> bool {
        let is_there = !is_change(&self.kind) || self.object.as_ref().is_some_and(|object| object.is_there);
        self.in_turn && self.members == 2 && is_there
    }
}

impl Object for Envelope<'_> {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("WatchEvent", " type object");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.kind.visit_as_member(0, visitor);
        match &self.object {
            Some(place) if place.is_there => visitor.visit(1, View::Object(place.object)),
            _ => self.other.visit_as_member(1, visitor),
        }
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        if index > 1 {
            return Slot::Absent; // unknown members are not kept
        }
        self.in_turn &= index == self.members;
        self.members += 1;
        match (index, &mut self.object) {
            (0, _) => self.kind.slot(is_present),
            (_, Some(object)) if is_change(&self.kind) => object.slot(is_present),
            _ => self.other.slot(is_present),
        }
    }
}

/// The target of an object, and whether it was present.
struct Place<'a> {
    object: &'a mut dyn Object,
    is_there: bool,
}

impl Place<'_> {
    fn slot(&mut self, is_present: bool) -> Slot<'_> {
        if self.is_there && !is_present {
            Slot::Object(self.object).clear();
        }
        self.is_there = is_present;
        if is_present { Slot::Object(self.object) } else { Slot::Absent }
    }
}

/// An event of which only the object is decoded.
impl Object for Place<'_> {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("WatchEvent", " object");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        if self.is_there {
            visitor.visit(0, View::Object(self.object));
        }
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.slot(is_present),
            _ => Slot::Absent,
        }
    }
}

/// The metadata of a bookmark's object, which has no other content: even required members are empty.
#[derive(Default)]
pub(crate) struct OnlyMetadata {
    pub(crate) metadata: ObjectMeta,
}

impl Object for OnlyMetadata {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("Bookmark", " metadata");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.metadata.visit_as_member(0, visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.metadata.slot(is_present),
            _ => Slot::Absent,
        }
    }
}
