//! Unknown members, and required members that were absent.

use super::member_set::MemberSet;
use super::object::MemberVisitor;
use super::presence::unknown_of;
use super::value::{Map, Slot, Value, View};
use crate::values::RawJson;
use std::collections::BTreeMap;
use std::fmt;
use std::mem::ManuallyDrop;

/// The unknown members of an object: those that its type has no field for.
///
/// A server that is newer than a type sends members that the type has no field for. They are kept here as JSON, and
/// encoded again with the others, so that an object can be read, changed and written back without losing them. Every
/// generated struct has such a field, `unknown_`, of the size of one pointer while it is empty.
///
/// It also records which required members were absent when the object was decoded. As long as these are empty they
/// are not encoded. An object is empty if it has no members but required ones, and these are empty.
///
/// Two of these are equal if they have the same members with the same JSON values; which required members were absent
/// does not count. `Debug` shows names only, since a value may be a secret.
///
/// A member with the name of a field that the struct has is ignored when it is encoded.
/// [`drop_unknown`](crate::drop_unknown) removes the unknown members of a whole object.
#[derive(Clone, Default)]
pub struct Unknown(ManuallyDrop<Option<Box<Content>>>);

#[derive(Clone, Default)]
struct Content {
    members: BTreeMap<String, RawJson>,
    /// The required members that were absent.
    absent: MemberSet,
    /// Whether all other required members were present, so that an empty one is intended.
    is_exact: bool,
}

/// Nearly always there is nothing to drop. The rest is compiled here, and not in each crate that has a type.
impl Drop for Unknown {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_some() {
            self.reset();
        }
    }
}

impl Unknown {
    /// Whether there are no unknown members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of unknown members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members().len()
    }

    /// The value of the unknown member with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&RawJson> {
        self.members().get(name)
    }

    /// Names and values, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawJson)> {
        self.members().iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Adds a member. Returns the value that it had before.
    pub fn insert(&mut self, name: impl Into<String>, value: RawJson) -> Option<RawJson> {
        self.content().members.insert(name.into(), value)
    }

    /// Removes a member and returns its value.
    #[inline] // few need it, and removal from a map is much code
    pub fn remove(&mut self, name: &str) -> Option<RawJson> {
        self.0.as_mut()?.members.remove(name)
    }

    /// Removes all unknown members.
    pub fn clear(&mut self) {
        if let Some(content) = &mut *self.0 {
            content.members.clear();
        }
    }

    fn members(&self) -> &BTreeMap<String, RawJson> {
        static NONE: BTreeMap<String, RawJson> = BTreeMap::new();
        self.0.as_ref().map_or(&NONE, |content| &content.members)
    }

    fn content(&mut self) -> &mut Content {
        self.0.get_or_insert_default()
    }

    /// The members as a map to decode into.
    pub(crate) fn as_map_mut(&mut self) -> &mut dyn Map {
        &mut self.content().members
    }

    /// The members as a map to encode.
    pub(crate) fn as_map(&self) -> &dyn Map {
        self.members()
    }

    /// Resets everything, as if nothing had been decoded yet.
    #[inline(never)]
    pub(crate) fn reset(&mut self) {
        *self.0 = None;
    }

    /// Records which required members were absent.
    pub(crate) fn set_absent(&mut self, members: MemberSet) {
        self.content().absent = members;
    }

    /// Records that the required member with this index is present now.
    #[cfg(feature = "change")]
    pub(crate) fn set_present(&mut self, index: usize) {
        if let Some(content) = &mut *self.0 {
            content.absent.remove(index);
        }
    }

    /// Records that required members are present if they were not absent, even those that are empty.
    #[cfg(feature = "change")]
    pub(crate) fn set_exact(&mut self) {
        self.content().is_exact = true;
    }

    /// Whether every empty required member that was not absent is intended.
    pub(crate) fn is_exact(&self) -> bool {
        self.0.as_ref().is_some_and(|content| content.is_exact)
    }

    /// Whether any required member was absent.
    pub(crate) fn has_absent(&self) -> bool {
        self.0.as_ref().is_some_and(|content| !content.absent.is_empty())
    }

    /// Whether the required member with this index was absent.
    pub(crate) fn was_absent(&self, index: usize) -> bool {
        self.0.as_ref().is_some_and(|content| content.absent.contains(index))
    }
}

/// Compares the unknown members by their JSON values.
impl PartialEq for Unknown {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (self.0.is_none() && other.0.is_none()) || self.iter().eq(other.iter())
    }
}

impl Eq for Unknown {}

/// Shows the names only.
impl fmt::Debug for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|(name, _)| name)).finish()
    }
}

/// An object with any members.
impl Value for Unknown {
    fn empty() -> Self {
        Self::default()
    }

    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Unknown(self)
    }

    fn view(&self) -> View<'_> {
        View::Unknown(self)
    }

    #[inline]
    fn visit_as_member<'a>(&'a self, index: usize, visitor: &mut MemberVisitor<'_, 'a>) {
        if self.0.is_some() {
            visitor.visit_present_unknown(index, self);
        }
    }
}

/// Removes all unknown members of a value, also of the objects inside of it.
///
/// Known members stay as they are, and so does the record of required members that were absent.
pub fn drop_unknown<T: Value>(value: &mut T) {
    for_each(value.slot(true), &mut Unknown::clear);
}

/// Calls `act` with the unknown members of all objects in a value.
pub(crate) fn for_each(slot: Slot<'_>, act: &mut dyn FnMut(&mut Unknown)) {
    match slot {
        Slot::Object(object) => {
            // Only present members: requesting the slot of an optional member would make it present.
            let mut present = MemberSet::default();
            object.visit_members(&mut |index, view| {
                if matches!(view, View::Object(_) | View::List(_) | View::Map(_)) {
                    present.replace(index);
                }
            });
            present.iter().for_each(|index| for_each(object.member_mut(index, true), act));
            if let Some(unknown) = unknown_of(object) {
                act(unknown);
            }
        }
        Slot::List(list) => {
            for index in 0..list.count() {
                if !matches!(list.element(index), View::Absent) {
                    for_each(list.element_mut(index, true), act);
                }
            }
        }
        Slot::Map(map) => map.visit_values_mut(&mut |slot| for_each(slot, act)),
        Slot::Unknown(unknown) => act(unknown),
        _ => {}
    }
}
