//! Presence of members: to decode, to encode, and to reset an object.

use super::member_set::MemberSet;
use super::table::Index;
use super::unknown::{Unknown, unknown_of};
use super::value::{Object, Slot, View};
use crate::values::{RawJson, is_same_json};
use std::fmt::{self, Write};

/// Forgets all members, as if nothing had been decoded yet.
pub(crate) fn reset(object: &mut dyn Object) {
    for index in 0..object.table().keys.index().count() {
        object.member_mut(index, false).clear();
    }
    if let Some(unknown) = unknown_of(object) {
        unknown.reset();
    }
}

/// Decodes `null` for the member with this index. Returns whether it is a value of the member, and
/// not the same as none. Free JSON has it as any other value; beside all other fields it is recorded
/// by its name.
#[cold]
pub(crate) fn set_null(object: &mut dyn Object, index: usize) -> bool {
    let keys = object.table().keys.index();
    let is_nullable = keys.nullable.contains(index);
    if is_nullable && let Slot::Raw(text) = object.member_mut(index, true) {
        text.clear();
        return true;
    }
    object.member_mut(index, false).clear();
    if is_nullable
        && let Some(name) = keys.name(index)
        && let Some(unknown) = unknown_of(object)
    {
        unknown.insert(name, RawJson::default());
    }
    is_nullable
}

/// Resets the member with this index, as if it had not been decoded yet.
#[cold]
pub(crate) fn clear(object: &mut dyn Object, index: usize) {
    let keys = object.table().keys.index();
    object.member_mut(index, false).clear();
    if keys.nullable.contains(index)
        && let Some(name) = keys.name(index)
        && let Some(unknown) = unknown_of(object)
    {
        unknown.remove(name);
    }
}

/// The members of an object that are `null` although free JSON is not their type: nullable ones for
/// which `unknown` has `null`, and the field is absent.
#[inline]
pub(crate) fn nulls(object: &dyn Object, keys: &Index, unknown: &Unknown) -> MemberSet {
    if keys.nullable.is_empty() || unknown.is_empty() {
        return MemberSet::default();
    }
    named_nulls(object, keys, unknown)
}

#[cold]
fn named_nulls(object: &dyn Object, keys: &Index, unknown: &Unknown) -> MemberSet {
    let is_null = |text: &str| text == "null";
    let named = unknown.texts().filter(|(_, text)| is_null(text));
    let mut nulls: MemberSet = named
        .filter_map(|(name, _)| keys.find(name).filter(|index| keys.nullable.contains(*index)))
        .collect();
    if !nulls.is_empty() {
        object.visit_members(&mut |index, _| {
            if index < keys.count() {
                nulls.remove(index);
            }
        });
    }
    nulls
}

/// Whether two objects with the same fields have the same other members. A `null` that ended when
/// its field was set does not count.
#[inline]
#[must_use]
pub fn same_unknown(object: &dyn Object, one: &Unknown, other: &Unknown) -> bool {
    one == other || same_but_ended(object, one, other)
}

#[cold]
fn same_but_ended(object: &dyn Object, one: &Unknown, other: &Unknown) -> bool {
    let keys = object.table().keys.index();
    let mut set = MemberSet::default();
    object.visit_members(&mut |index, _| _ = set.replace(index));
    let counts = |(name, _): &(&str, &str)| {
        let index = keys.find(name).filter(|index| keys.nullable.contains(*index));
        index.is_none_or(|index| !set.contains(index))
    };
    let same =
        |one: (&str, &str), other: (&str, &str)| one.0 == other.0 && is_same_json(one.1, other.1);
    let mut others = other.texts().filter(counts);
    let is_same = one
        .texts()
        .filter(counts)
        .all(|member| others.next().is_some_and(|other| same(member, other)));
    is_same && others.next().is_none()
}

/// Ends the decoding of an object that had these members: records the other required ones as
/// absent.
#[inline]
pub(crate) fn record_absent(object: &mut dyn Object, required: &MemberSet, present: &MemberSet) {
    if !present.includes(required) {
        set_absent(object, required.minus(present));
    }
}

/// Records that the required members which a decoded object had are intended, where they would
/// otherwise be taken for members that were never set: if one of them is empty, or is a number or
/// boolean, which may become 0 or false. Of the members with indices below 64, only those in
/// `maybe_zero` may be such.
#[inline]
pub(crate) fn keep_zeros(
    object: &mut dyn Object,
    required: &MemberSet,
    present: &MemberSet,
    maybe_zero: u64,
) {
    if maybe_zero & required.first & present.first != 0 || required.meets_far(present) {
        look_for_zeros(object, required, present, maybe_zero);
    }
}

fn look_for_zeros(
    object: &mut dyn Object,
    required: &MemberSet,
    present: &MemberSet,
    maybe_zero: u64,
) {
    let far = present.rest.iter().zip(&required.rest).map(|(word, other)| word & other);
    let set = MemberSet { first: maybe_zero & required.first & present.first, rest: far.collect() };
    let mut has_empty = false;
    // Most of them are numbers, which their slots show at once.
    for index in set.iter() {
        match object.member_mut(index, true) {
            Slot::Bool(_) | Slot::Int32(_) | Slot::Int64(_) | Slot::Double(_) => {
                return set_exact(object);
            }
            Slot::String(text) => has_empty |= text.is_empty(),
            Slot::List(list) => has_empty |= list.count() == 0,
            _ => has_empty = true, // perhaps
        }
    }
    if has_empty {
        keep_empty(object, required);
    }
}

#[cold]
fn keep_empty(object: &mut dyn Object, required: &MemberSet) {
    let mut has_empty = false;
    let mut texts = MemberSet::default();
    visit_known(object, |index, view| match view {
        _ if !required.contains(index) => {}
        View::Raw("{}" | "[]") | View::Int(_) => has_empty = true,
        View::Str(text) if !text.is_empty() => _ = texts.replace(index),
        view => has_empty |= is_empty(&view),
    });
    let mut texts = texts.iter();
    has_empty |= texts.any(|index| {
        matches!(object.member_mut(index, true), Slot::Scalar(scalar) if scalar.is_stated_empty())
    });
    if has_empty {
        set_exact(object);
    }
}

fn set_exact(object: &mut dyn Object) {
    if let Some(unknown) = unknown_of(object) {
        unknown.set_exact();
    }
}

/// Decodes an empty object that had no members at all.
pub(crate) fn record_all_absent(object: &mut dyn Object) {
    let required = &object.table().keys.index().required;
    record_absent(object, required, &MemberSet::default());
}

#[cold]
fn set_absent(object: &mut dyn Object, absent: MemberSet) {
    for index in absent.iter() {
        // Required members of a required object were absent as well.
        if let Slot::Object(object) = object.member_mut(index, false) {
            record_all_absent(object);
        }
    }
    if let Some(unknown) = unknown_of(object) {
        unknown.set_absent(absent);
    }
}

/// Visits the members of an object that are encoded: all but required ones that were absent and are
/// still empty, and then the unknown ones.
pub(crate) fn visit_encoded<'a>(object: &'a dyn Object, visit: &mut dyn FnMut(&'a str, View<'a>)) {
    let names = object.table().keys.names();
    if let Some(unknown) = visit_known(object, |index, view| visit(names[index], view)) {
        visit_unknown(object, unknown, visit);
    }
}

/// Visits the known members of an object that are encoded, with their indices. A [`View::Null`] is
/// a value. Returns the unknown ones, if any.
#[inline]
pub(crate) fn visit_known<'a>(
    object: &'a dyn Object,
    mut visit: impl FnMut(usize, View<'a>),
) -> Option<&'a Unknown> {
    visit_beside_unknown(object, &mut |_, index, view| visit(index, view))
}

/// As [`visit_known`], with the unknown members of each. Not generic, so that it is compiled once.
pub(crate) fn visit_beside_unknown<'a>(
    object: &'a dyn Object,
    visit: &mut dyn FnMut(Option<&'a Unknown>, usize, View<'a>),
) -> Option<&'a Unknown> {
    let keys = object.table().keys.index();
    let count = keys.count();
    let mut unknown = None;
    let mut nulls = MemberSet::default();
    object.visit_members(&mut |index, view| match view {
        View::Unknown(members) if index >= count => {
            unknown = Some(members);
            nulls = self::nulls(object, keys, members);
        }
        view if index < count && !is_omitted(unknown, index, &view) => {
            while let Some(null) = nulls.take_below(index) {
                visit(unknown, null, View::Null);
            }
            visit(unknown, index, if is_null(keys, index, &view) { View::Null } else { view });
        }
        _ => {}
    });
    while let Some(null) = nulls.take_below(count) {
        visit(unknown, null, View::Null);
    }
    unknown
}

/// Whether a view of a member is free JSON that is `null`, as a value.
#[inline]
fn is_null(keys: &Index, index: usize, view: &View<'_>) -> bool {
    matches!(view, View::Raw("null")) && keys.nullable.contains(index)
}

/// Visits the unknown members. Omits members with the name of a known one, which would be
/// duplicates.
pub(crate) fn visit_unknown<'a>(
    object: &dyn Object,
    unknown: &'a Unknown,
    visit: &mut dyn FnMut(&'a str, View<'a>),
) {
    let index = object.table().keys.index();
    for (name, value) in unknown.texts().filter(|(name, _)| index.find(name).is_none()) {
        visit(name, View::Raw(value));
    }
}

/// Whether empty required members of an object that were not absent are intended.
pub(crate) fn is_exact(object: &dyn Object) -> bool {
    let mut is_exact = false;
    object.visit_members(&mut |_, view| {
        is_exact |= matches!(view, View::Unknown(unknown) if unknown.is_exact());
    });
    is_exact
}

/// Whether a mask left members of an object out.
pub(crate) fn is_masked(object: &dyn Object) -> bool {
    let mut is_masked = false;
    object.visit_members(&mut |_, view| {
        is_masked |= matches!(view, View::Unknown(unknown) if unknown.is_masked());
    });
    is_masked
}

/// The type of an object in a value that a mask left members out of: the value itself, or an
/// element of a list or a map.
pub(crate) fn masked_in(view: &View<'_>) -> Option<&'static str> {
    match view {
        View::Object(object) if is_masked(*object) => Some(object.table().name),
        View::List(list) => (0..list.count()).find_map(|index| masked_in(&list.element(index))),
        View::Map(map) => {
            let mut masked = None;
            map.visit_entries(&mut |_, value| masked = masked.or_else(|| masked_in(&value)));
            masked
        }
        _ => None,
    }
}

/// Whether a member is not encoded: it is required, was absent, and is still empty.
#[inline]
pub(crate) fn is_omitted(unknown: Option<&Unknown>, index: usize, view: &View<'_>) -> bool {
    unknown.is_some_and(|unknown| unknown.was_absent(index) && is_empty(view))
}

/// Whether a required member has the value that it has when it is absent.
pub(crate) fn is_empty(view: &View<'_>) -> bool {
    match *view {
        View::Absent | View::Null | View::Zero(_) => true,
        View::Bool(value) => !value,
        View::Int(value) => value == 0,
        View::Double(value) => value == 0.0,
        View::Str(value) => value.is_empty(),
        View::Display(value) => write!(Refuse, "{value}").is_ok(),
        View::Raw(value) => matches!(value, "" | "null"),
        View::BySerde(value) => value.is_default(),
        View::Object(object) => is_empty_object(object),
        View::List(list) => list.count() == 0,
        View::Map(map) => map.is_empty(),
        View::Unknown(unknown) => unknown.is_empty(),
    }
}

/// Whether an object has nothing but empty required members, as a new one.
fn is_empty_object(object: &dyn Object) -> bool {
    let required = &object.table().keys.index().required;
    let mut is_empty_so_far = true;
    let unknown = visit_known(object, |index, view| {
        is_empty_so_far &= required.contains(index) && is_empty(&view);
    });
    is_empty_so_far && unknown.is_none_or(Unknown::is_empty)
}

/// A formatter's target that fails at any character.
struct Refuse;

impl fmt::Write for Refuse {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.is_empty() { Ok(()) } else { Err(fmt::Error) }
    }
}
