//! Serializing: any [`Object`] into any serde format.

use super::raw;
use crate::codec::builtin::whole;
use crate::codec::presence::visit_beside_unknown;
use crate::codec::value::{List, Map, Object, View};
use crate::codec::{Printed, json, visit_unknown};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use std::cell::Cell;

thread_local! {
    /// The type of a masked object that was serialized in [`serializing`].
    static MASKED: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Calls a function that serializes. Returns its result, and the type of a masked object that it
/// has serialized: no serializer can see the mark of one.
pub fn serializing<T>(serialize: impl FnOnce() -> T) -> (T, Option<&'static str>) {
    let outer = MASKED.take();
    let result = serialize();
    (result, MASKED.replace(outer))
}

/// Serializes an object into any serde format.
///
/// # Errors
/// When the format or its output fails, or the format cannot hold free JSON or unknown members as
/// they are.
pub fn serialize<S: Serializer>(object: &dyn Object, serializer: S) -> Result<S::Ok, S::Error> {
    // Serializes members, or the elements of a list, one by one: JSON of the whole would take
    // memory for all of it.
    members(object, serializer)
}

impl Serialize for View<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            View::Absent | View::Null => serializer.serialize_unit(),
            View::Bool(value) => serializer.serialize_bool(value),
            View::Int(value) => serializer.serialize_i64(value),
            View::Double(value) => double(value, serializer),
            View::Str(value) | View::Zero(value) => serializer.serialize_str(value),
            View::Display(value) => display(value, serializer),
            View::Raw(text) => raw::serialize(text, serializer),
            View::BySerde(value) => {
                raw::serialize(&value.text().map_err(S::Error::custom)?, serializer)
            }
            View::Object(object) if raw::takes_compact_text::<S>() => match json(object) {
                Some(text) => raw::serialize(&text, serializer),
                None => members(object, serializer),
            },
            View::Object(object) => members(object, serializer),
            View::List(list) => elements(list, serializer),
            View::Map(map) => entries(map, serializer),
            View::Unknown(members) => entries(members.as_map(), serializer),
        }
    }
}

/// The JSON of an object, from the encoder that is compiled here and is faster than serde's.
fn json(object: &dyn Object) -> Option<String> {
    String::from_utf8(json::write(&View::Object(object))).ok()
}

fn double<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
    match whole(value) {
        Some(value) => serializer.serialize_i64(value),
        None => serializer.serialize_f64(value),
    }
}

fn display<S: Serializer>(value: &dyn Printed, serializer: S) -> Result<S::Ok, S::Error> {
    match value.short(&mut [0; 32]).map(str::from_utf8) {
        Some(Ok(short)) => serializer.serialize_str(short),
        _ => serializer.collect_str(value),
    }
}

fn members<S: Serializer>(object: &dyn Object, serializer: S) -> Result<S::Ok, S::Error> {
    let names = object.table().keys.names();
    let mut map = serializer.serialize_map(None)?;
    let mut result = Ok(());
    let unknown = visit_beside_unknown(object, &mut |unknown, index, value| {
        if result.is_ok() {
            let value = match unknown {
                Some(unknown) => unknown.spelled(names[index], value),
                None => value,
            };
            result = map.serialize_entry(names[index], &value);
        }
    });
    if let Some(unknown) = unknown {
        if unknown.is_masked() {
            MASKED.set(Some(object.table().name));
        }
        visit_unknown(object, unknown, &mut |name, value| {
            if result.is_ok() {
                result = map.serialize_entry(name, &value);
            }
        });
    }
    result?;
    map.end()
}

fn elements<S: Serializer>(list: &dyn List, serializer: S) -> Result<S::Ok, S::Error> {
    let mut sequence = serializer.serialize_seq(Some(list.count()))?;
    for index in 0..list.count() {
        sequence.serialize_element(&list.element(index))?;
    }
    sequence.end()
}

fn entries<S: Serializer>(map: &dyn Map, serializer: S) -> Result<S::Ok, S::Error> {
    let mut output = serializer.serialize_map(None)?;
    let mut result = Ok(());
    map.visit_entries(&mut |key, value| {
        if result.is_ok() {
            result = output.serialize_entry(key, &value);
        }
    });
    result?;
    output.end()
}
