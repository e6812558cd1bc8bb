//! Deserializing: any serde format into any [`Object`].

use super::path::{Diagnostics, Path};
use super::{raw, scalar};
use crate::codec::member_set::MemberSet;
use crate::codec::{List, Map, Object, Slot, Table, Target, UnknownMembers, Value, identity, presence};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Deserializes an object from any serde format.
///
/// # Errors
/// When the input is not well formed, a value has a wrong type or is out of range, or `apiVersion` or `kind` state
/// another identity. The message starts with the path of the value.
pub fn deserialize<'de, T: Object + Value, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let mut value = T::empty();
    read(Target::Object(&mut value), Diagnostics::default(), deserializer)?;
    Ok(value)
}

/// Deserializes a value and lists the unknown members.
///
/// # Errors
/// As [`deserialize`]; unknown members are no error here.
pub fn deserialize_strict<'de, T: Value, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<(T, UnknownMembers), D::Error> {
    let mut value = T::empty();
    let diagnostics = read(Target::Value(&mut value), Diagnostics::with_unknown(), deserializer)?;
    Ok((value, diagnostics.into_unknown()))
}

fn read<'de, D: Deserializer<'de>>(
    target: Target<'_>,
    diagnostics: Diagnostics,
    deserializer: D,
) -> Result<Diagnostics, D::Error> {
    Seed { target, path: Path::root(&diagnostics) }.deserialize(deserializer)?;
    Ok(diagnostics)
}

/// The target of a value, and its path.
struct Seed<'t, 'p> {
    target: Target<'t>,
    path: Path<'p>,
}

/// Returns whether the value was not `null`.
impl<'de> DeserializeSeed<'de> for Seed<'_, '_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        let path = self.path;
        deserializer.deserialize_option(self).map_err(|error| path.locate(error))
    }
}

impl<'de> Visitor<'de> for Seed<'_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }

    fn visit_none<E: Error>(self) -> Result<bool, E> {
        self.target.set_null();
        Ok(false)
    }

    fn visit_unit<E: Error>(self) -> Result<bool, E> {
        self.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        present(self.target.slot(true), self.path, deserializer)?;
        Ok(true)
    }
}

/// Deserializes a value that is not `null`.
fn present<'de, D: Deserializer<'de>>(slot: Slot<'_>, path: Path<'_>, deserializer: D) -> Result<(), D::Error> {
    match slot {
        Slot::Absent => return Err(D::Error::custom("there is no place for the value")),
        Slot::Bool(value) => *value = serde::Deserialize::deserialize(deserializer)?,
        Slot::Int32(value) => *value = serde::Deserialize::deserialize(deserializer)?,
        Slot::Int64(value) => *value = serde::Deserialize::deserialize(deserializer)?,
        Slot::Double(value) => scalar::deserialize(value, "a number", deserializer)?,
        Slot::String(value) => *value = serde::Deserialize::deserialize(deserializer)?,
        Slot::Scalar(value) => scalar::deserialize(value, "a string or a number", deserializer)?,
        Slot::Raw(value) => *value = raw::deserialize(deserializer)?,
        Slot::Object(object) => {
            let table = object.table();
            deserializer.deserialize_struct(table.name, table.keys.names(), ObjectVisitor { object, path })?;
        }
        Slot::List(list) => deserializer.deserialize_seq(ListVisitor { list, path })?,
        Slot::Map(map) => deserializer.deserialize_map(MapVisitor { map, path })?,
        Slot::Unknown(members) => deserializer.deserialize_map(MapVisitor { map: members.as_map_mut(), path })?,
    }
    Ok(())
}

struct ObjectVisitor<'a> {
    object: &'a mut dyn Object,
    path: Path<'a>,
}

impl<'de> Visitor<'de> for ObjectVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object ({})", self.object.table().name)
    }

    #[allow(clippy::similar_names)] // `seed` is serde's word
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { object, path } = self;
        let table = object.table();
        let key = Key { table, path };
        let required = table.keys.index().required(object);
        let mut found = MemberSet::default();
        while let Some(member) = members.next_key_seed(key)? {
            let index = match member {
                Ok(index) => index,
                Err(name) => {
                    unknown(object, name, path, &mut members)?;
                    continue;
                }
            };
            if found.replace(index) {
                object.member_mut(index, false).clear();
            }
            let path = path.key(table.keys.names()[index]);
            let seed = Seed { target: Target::Member(&mut *object, index), path };
            if !members.next_value_seed(seed).map_err(|error| path.locate(error))? {
                found.remove(index);
            }
        }
        identity::check(object, table).map_err(Error::custom)?;
        presence::end(object, required, &found);
        Ok(())
    }
}

/// Deserializes an unknown member, and keeps it if the object keeps unknown members.
fn unknown<'de, A: MapAccess<'de>>(
    object: &mut dyn Object,
    name: String,
    path: Path<'_>,
    members: &mut A,
) -> Result<(), A::Error> {
    let Some(unknown) = presence::unknown_of(object) else {
        return members.next_value::<IgnoredAny>().map(drop);
    };
    let step = name.clone();
    let path = path.key(&step);
    let seed = Seed { target: Target::Entry(unknown.as_map_mut(), name), path };
    members.next_value_seed(seed).map(drop).map_err(|error| path.locate(error))
}

/// Finds the index of a member by its wire name. An unknown member has only its name.
#[derive(Clone, Copy)]
struct Key<'a> {
    table: &'static Table,
    path: Path<'a>,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Result<usize, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        let index = self.table.keys.index().find(key);
        if index.is_none() {
            self.path.unknown(key);
        }
        Ok(index.ok_or_else(|| key.to_owned()))
    }
}

struct ListVisitor<'a> {
    list: &'a mut dyn List,
    path: Path<'a>,
}

impl<'de> Visitor<'de> for ListVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let Self { list, path } = self;
        for index in 0.. {
            let path = path.index(index);
            let element = elements.next_element_seed(Seed { target: Target::Element(&mut *list), path });
            if element.map_err(|error| path.locate(error))?.is_none() {
                break;
            }
        }
        list.finish();
        Ok(())
    }
}

struct MapVisitor<'a> {
    map: &'a mut dyn Map,
    path: Path<'a>,
}

impl<'de> Visitor<'de> for MapVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Self { map, path } = self;
        while let Some(key) = entries.next_key::<String>()? {
            let step = key.clone();
            let path = path.key(&step);
            let seed = Seed { target: Target::Entry(&mut *map, key), path };
            entries.next_value_seed(seed).map_err(|error| path.locate(error))?;
        }
        Ok(())
    }
}
