//! What is around the object of an event.

use crate::codec::{Object, Slot, Table, Target, Value, View, Visit, no_member};
use crate::json::{self, DecodeError};
use crate::meta_v1::{ObjectMeta, RawJson};

/// An event.
pub(super) struct Envelope<'a> {
    pub(super) kind: String,
    /// Where the object goes if the event is a change.
    object: Place<'a>,
    /// The object of any other event.
    pub(super) other: RawJson,
}

impl<'a> Envelope<'a> {
    /// Reads an event. If it is a change, then `object` holds its object.
    pub(super) fn read(line: &[u8], object: &'a mut dyn Object) -> Result<Self, DecodeError> {
        let object = Place { object, is_there: false };
        let mut envelope = Self { kind: String::new(), object, other: RawJson::default() };
        json::read(Target::Object(&mut envelope), line)?;
        // Servers say first what it is. Where they do not, the object is found when the type is known.
        if envelope.is_change() && !envelope.object.is_there {
            read_object(line, envelope.object.object)?;
        }
        Ok(envelope)
    }

    fn is_change(&self) -> bool {
        matches!(self.kind.as_str(), "ADDED" | "MODIFIED" | "DELETED")
    }
}

/// Reads the object of an event, whatever its type is.
pub(super) fn read_object(line: &[u8], object: &mut dyn Object) -> Result<(), DecodeError> {
    let mut place = Place { object, is_there: false };
    json::read(Target::Object(&mut place), line)?;
    if place.is_there { Ok(()) } else { Err(DecodeError::new("object: an event without an object")) }
}

impl Object for Envelope<'_> {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("WatchEvent", &["type", "object"], &[]);
        &TABLE
    }
    fn each<'a>(&'a self, visit: &mut Visit<'_, 'a>) {
        self.kind.tell(0, visit);
        if self.object.is_there { visit(1, View::Object(self.object.object)) } else { self.other.tell(1, visit) }
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.kind.slot(is_present),
            1 if self.is_change() => self.object.slot(is_present),
            1 => self.other.slot(is_present),
            _ => no_member(index),
        }
    }
}

/// Where an object goes, and whether it has come.
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

/// An event of which only the object matters.
impl Object for Place<'_> {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("WatchEvent", &["object"], &[]);
        &TABLE
    }
    fn each<'a>(&'a self, visit: &mut Visit<'_, 'a>) {
        if self.is_there {
            visit(0, View::Object(self.object));
        }
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.slot(is_present),
            _ => no_member(index),
        }
    }
}

/// What matters of the object in a bookmark: the rest of it is empty, required members too.
#[derive(Debug, Default)]
pub(super) struct OnlyMetadata {
    pub(super) metadata: ObjectMeta,
}

impl Object for OnlyMetadata {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("Bookmark", &["metadata"], &[]);
        &TABLE
    }
    fn each<'a>(&'a self, visit: &mut Visit<'_, 'a>) {
        self.metadata.tell(0, visit);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.metadata.slot(is_present),
            _ => no_member(index),
        }
    }
}
