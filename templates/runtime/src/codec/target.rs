//! Where a decoder puts the next value.

use super::value::{List, Map, Object, Slot, Value};

/// The target of a value, whose slot is requested after checking whether the value is `null`.
pub(crate) enum Target<'a> {
    Value(&'a mut dyn Value),
    Object(&'a mut dyn Object),
    /// The member with this index.
    Member(&'a mut dyn Object, usize),
    /// A new element after the last one.
    Element(&'a mut dyn List),
    /// The value of this key.
    Entry(&'a mut dyn Map, String),
}

impl<'a> Target<'a> {
    pub(crate) fn slot(self, is_present: bool) -> Slot<'a> {
        match self {
            Target::Value(value) => value.slot(is_present),
            Target::Object(object) => Slot::Object(object),
            Target::Member(object, index) => object.member_mut(index, is_present),
            Target::Element(list) => list.push(is_present),
            Target::Entry(map, key) => map.insert(key, is_present),
        }
    }

    /// Decodes `null`.
    pub(crate) fn set_null(self) {
        match self {
            // Its object records that it was absent.
            Target::Member(object, index) => object.member_mut(index, false).clear(),
            other => other.slot(false).set_null(),
        }
    }
}
