//! Access to values that only the feature `change` has: it would be compiled for each type of a
//! program.

pub(crate) mod schema;

use super::table::{ListType, Merge};
use super::unknown::{Members, Unknown};
use super::value::{Formatted, Printed, Slot, Value, View};
use std::any::Any;
use std::collections::BTreeMap;

/// A list with elements that can be moved and removed.
pub trait ListChange {
    /// Swaps the elements at these indices.
    fn swap(&mut self, index: usize, other: usize);
    /// Truncates the list to this many elements.
    fn truncate(&mut self, count: usize);
}

impl<T: Value> ListChange for Vec<T> {
    fn swap(&mut self, index: usize, other: usize) {
        <[T]>::swap(self, index, other);
    }
    fn truncate(&mut self, count: usize) {
        Vec::truncate(self, count);
    }
}

/// A map that can be changed entry by entry.
pub trait MapChange {
    /// The slot of the entry with this key, see [`Value::slot`]. `None` if it has no value.
    fn get_mut(&mut self, key: &str) -> Option<Slot<'_>>;
}

impl<T: Value> MapChange for BTreeMap<String, T> {
    fn get_mut(&mut self, key: &str) -> Option<Slot<'_>> {
        let value = BTreeMap::get_mut(self, key)?;
        (!matches!(value.view(), View::Absent)).then(|| value.slot(true))
    }
}

impl MapChange for Members {
    fn get_mut(&mut self, key: &str) -> Option<Slot<'_>> {
        self.0.get_mut(key).map(Slot::Raw)
    }
}

impl Merge {
    /// The rule of the values of a map that is merged by this one.
    pub(crate) fn of_values(&self) -> &'static Self {
        const ATOMIC: Merge = Merge::USUAL.atomic();
        match self.list {
            ListType::AtomicValues => &ATOMIC,
            _ => &Self::USUAL,
        }
    }
}

/// A formatted value that can be compared.
pub trait PrintedChange {
    /// The value as its own type.
    fn as_any(&self) -> &dyn Any;
    /// Whether the other value is of the same type and equal: to compare strings, both would have
    /// to be formatted.
    fn equals(&self, other: &dyn Printed) -> bool;
}

impl<T: Formatted> PrintedChange for T {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn equals(&self, other: &dyn Printed) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }
}

impl Unknown {
    /// Records that the required member with this index is present now.
    pub(crate) fn set_present(&mut self, index: usize) {
        if self.has_absent() {
            self.content().absent.remove(index);
        }
    }
}
