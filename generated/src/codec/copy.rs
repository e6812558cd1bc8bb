//! Copies: `Clone` of every type. Derived code would be compiled again, for all that an object reaches, by each program
//! that makes one.

use super::value::{List, Map, Object, Slot, Value, View};

/// A copy of an object.
#[inline]
pub(crate) fn copy<T: Object + Value>(object: &T) -> T {
    let mut copy = T::empty();
    members(object, &mut copy);
    copy
}

/// Not generic, as all that follows: this is compiled once.
fn members(from: &dyn Object, to: &mut dyn Object) {
    from.each(&mut |index, view| value(view, to.member_mut(index, true)));
}

fn elements(from: &dyn List, to: &mut dyn List) {
    to.reserve(from.count());
    for index in 0..from.count() {
        value(from.element(index), to.push(true));
    }
}

fn entries(from: &dyn Map, to: &mut dyn Map) {
    from.each(&mut |key, view| value(view, to.insert(key.to_owned(), true)));
}

/// # Panics
/// When the place is for another type: a fault of the table that told of both.
fn value(from: View<'_>, to: Slot<'_>) {
    match (from, to) {
        (View::Str(from), Slot::String(to)) => *to = from.to_owned(),
        (View::Bool(from), Slot::Bool(to)) => *to = from,
        (View::Int(from), Slot::Int32(to)) => *to = from.try_into().expect("it came of 32 bits"),
        (View::Int(from), Slot::Int64(to)) => *to = from,
        (View::Double(from), Slot::Double(to)) => *to = from,
        (View::Scalar(from), Slot::Scalar(to)) => to.copy_from(from),
        (View::Raw(from), Slot::Raw(to)) => *to = from.into(),
        (View::Object(from), Slot::Object(to)) => members(from, to),
        (View::List(from), Slot::List(to)) => elements(from, to),
        (View::Map(from), Slot::Map(to)) => entries(from, to),
        _ => panic!("a value and its place differ in type"),
    }
}
