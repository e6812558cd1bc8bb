//! Values of Rust's own types: numbers, strings, lists, maps and options.

use super::value::{Expected, List, Map, MemberVisitor, Scalar, Slot, Value, View};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::mem;

/// Replaces a value that owns nothing. An assignment has code to drop it, and once more for a panic
/// in between, which is compiled for each type.
#[inline]
fn overwrite<T>(target: &mut T, value: T) {
    mem::forget(mem::replace(target, value));
}

impl Value for bool {
    #[inline]
    fn empty() -> Self {
        false
    }
    #[inline]
    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Bool(self)
    }
    #[inline]
    fn view(&self) -> View<'_> {
        View::Bool(*self)
    }
}

impl Value for i32 {
    #[inline]
    fn empty() -> Self {
        0
    }
    #[inline]
    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Int32(self)
    }
    #[inline]
    fn view(&self) -> View<'_> {
        View::Int((*self).into())
    }
}

impl Value for i64 {
    #[inline]
    fn empty() -> Self {
        0
    }
    #[inline]
    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Int64(self)
    }
    #[inline]
    fn view(&self) -> View<'_> {
        View::Int(*self)
    }
}

impl Value for f64 {
    #[inline]
    fn empty() -> Self {
        0.0
    }
    #[inline]
    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Double(self)
    }
    #[inline]
    fn view(&self) -> View<'_> {
        View::Double(*self)
    }
}

/// Any number will do, with a fraction or without.
impl Scalar for f64 {
    fn read_text(&mut self, _: &str) -> Result<(), Expected> {
        Err(Expected("a number"))
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "the nearest float is what a float holds of any number"
    )]
    fn read_int(&mut self, number: i64) -> Result<(), Expected> {
        *self = number as f64;
        Ok(())
    }
    fn read_float(&mut self, number: f64) -> Result<(), Expected> {
        *self = number;
        Ok(())
    }
    fn clear(&mut self) {
        *self = 0.0;
    }
}

impl Value for String {
    #[inline]
    fn empty() -> Self {
        String::new()
    }
    #[inline]
    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::String(self)
    }
    #[inline]
    fn view(&self) -> View<'_> {
        View::Str(self)
    }
}

impl<T: Value> Value for Option<T> {
    #[inline]
    fn empty() -> Self {
        None
    }
    #[inline]
    fn slot(&mut self, is_present: bool) -> Slot<'_> {
        if !is_present {
            drop(self.take());
        } else if self.is_none() {
            overwrite(self, Some(T::empty()));
        }
        match self {
            Some(value) => value.slot(true),
            None => Slot::Absent,
        }
    }
    fn view(&self) -> View<'_> {
        match self {
            Some(value) => value.view(),
            None => View::Absent,
        }
    }
    #[inline]
    fn visit_as_member<'a>(&'a self, index: usize, visitor: &mut MemberVisitor<'_, 'a>) {
        if let Some(value) = self {
            value.visit_as_member(index, visitor);
        }
    }
}

/// The view of an element or an entry, which is there even where it has no value.
#[inline]
fn in_container(view: View<'_>) -> View<'_> {
    match view {
        View::Absent => View::Null,
        view => view,
    }
}

impl<T: Value> Value for Vec<T> {
    #[inline]
    fn empty() -> Self {
        Vec::new()
    }
    #[inline]
    fn slot(&mut self, is_present: bool) -> Slot<'_> {
        if !is_present {
            drop(mem::take(self));
        }
        Slot::List(self)
    }
    #[inline]
    fn view(&self) -> View<'_> {
        View::List(self)
    }
    #[inline]
    fn visit_as_member<'a>(&'a self, index: usize, visitor: &mut MemberVisitor<'_, 'a>) {
        visitor.visit_list(index, self);
    }
}

impl<T: Value> List for Vec<T> {
    #[inline]
    fn push(&mut self, is_present: bool) -> Slot<'_> {
        // Most lists of these APIs hold one element, and elements are large.
        if self.capacity() == 0 {
            self.reserve_exact(1);
        }
        Vec::push(self, T::empty());
        match self.last_mut() {
            Some(element) => element.slot(is_present),
            None => Slot::Absent,
        }
    }
    #[inline]
    fn finish(&mut self) {
        self.shrink_to_fit();
    }
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }
    #[inline]
    fn element(&self, index: usize) -> View<'_> {
        in_container(self[index].view())
    }
    #[inline]
    fn element_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        self[index].slot(is_present)
    }
}

impl<T: Value> Value for BTreeMap<String, T> {
    #[inline]
    fn empty() -> Self {
        BTreeMap::new()
    }
    #[inline]
    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Map(self)
    }
    #[inline]
    fn view(&self) -> View<'_> {
        View::Map(self)
    }
    #[inline]
    fn visit_as_member<'a>(&'a self, index: usize, visitor: &mut MemberVisitor<'_, 'a>) {
        visitor.visit(index, View::Map(self));
    }
}

impl<T: Value> Map for BTreeMap<String, T> {
    #[inline]
    fn clear(&mut self) {
        BTreeMap::clear(self);
    }
    #[inline]
    fn insert(&mut self, key: String, is_present: bool) -> Slot<'_> {
        let value = match self.entry(key) {
            Entry::Vacant(entry) => entry.insert(T::empty()),
            Entry::Occupied(entry) => {
                let value = entry.into_mut();
                *value = T::empty();
                value
            }
        };
        value.slot(is_present)
    }
    #[inline]
    fn is_empty(&self) -> bool {
        BTreeMap::is_empty(self)
    }
    #[inline]
    fn visit_entries<'a>(&'a self, visit: &mut dyn FnMut(&'a str, View<'a>)) {
        for (key, value) in self {
            visit(key, in_container(value.view()));
        }
    }
    #[inline]
    fn visit_values_mut(&mut self, visit: &mut dyn FnMut(Slot<'_>)) {
        for value in self.values_mut() {
            if !matches!(value.view(), View::Absent) {
                visit(value.slot(true));
            }
        }
    }
}

/// The integer of 64 bits that a JSON number is, if it is one. Only a float can hold the sign of
/// `-0`.
#[inline(never)]
pub(crate) fn integer(literal: &str) -> Option<i64> {
    literal.parse().ok().filter(|_| literal != "-0")
}

/// The nearest float to a JSON number.
#[inline(never)]
pub(crate) fn float(literal: &str) -> Result<f64, Expected> {
    literal
        .parse()
        .ok()
        .filter(|number| f64::is_finite(*number))
        .ok_or(Expected("a number of 64 bits"))
}

/// The whole number that a float is, to encode it as `1` and not `1.0`: servers do so, and `1.0` is
/// not the same in every comparison of JSON.
pub(crate) fn whole(value: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    let is_whole =
        value.fract() == 0.0 && value.abs() <= EXACT && !(value == 0.0 && value.is_sign_negative());
    #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
    is_whole.then_some(value as i64)
}
