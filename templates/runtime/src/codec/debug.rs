//! `Debug` of objects.

use super::table::Table;
use super::value::{List, Map, Object, View};
use std::fmt;

/// Shows the members that are present, by their wire names: most of what a struct could have is
/// absent. Derived code would show every `None`, and take a good part of the time that types take
/// to compile.
///
/// Bytes and free JSON show their length only, and unknown members their names: a log must not hold
/// the data of a `Secret`.
///
/// # Errors
/// When the formatter returns one.
pub fn debug(object: &dyn Object, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let table = object.table();
    let mut shown = f.debug_struct(table.name);
    let mut unknown = None;
    object.visit_members(&mut |index, view| match (table.keys.names().get(index), view) {
        (Some(name), view) => _ = shown.field(name, &view),
        (None, View::Unknown(members)) if !members.is_empty() => unknown = Some(members),
        (None, _) => {}
    });
    if let Some(members) = unknown {
        shown.field("unknown_", members);
    }
    shown.finish()
}

/// Shows the name of the struct only: its members are known, and the index of them is long.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            View::Absent | View::Null | View::Raw("null") => f.write_str("null"),
            View::Bool(value) => value.fmt(f),
            View::Int(value) => value.fmt(f),
            View::Double(value) => value.fmt(f),
            View::Str(text) | View::Zero(text) => fmt::Debug::fmt(text, f),
            View::Display(value) => fmt::Debug::fmt(value, f), // bytes hide what they are
            View::Raw(text) => raw(text, f),
            View::BySerde(value) => value.debug(f),
            View::Object(object) => debug(object, f),
            View::List(list) => list_entries(list, f),
            View::Map(map) => map_entries(map, f),
            View::Unknown(members) => fmt::Debug::fmt(members, f),
        }
    }
}

/// Shows the length of free JSON only.
///
/// # Errors
/// When the formatter returns one.
pub(crate) fn raw(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "RawJson({} bytes)", text.len())
}

fn list_entries(list: &dyn List, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.debug_list().entries((0..list.count()).map(|index| list.element(index))).finish()
}

fn map_entries(map: &dyn Map, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut shown = f.debug_map();
    map.visit_entries(&mut |key, view| _ = shown.entry(&key, &view));
    shown.finish()
}
