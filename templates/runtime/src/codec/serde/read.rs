//! Deserializing: any serde format into any [`Object`].

use super::{raw, scalar};
use crate::codec::by_serde;
use crate::codec::path::{MESSAGE, shortened, shortened_path, write_key};
use crate::codec::table::{EncodedKey, Index};
use crate::codec::{
    List, Map, MemberSet, Object, Slot, Target, UnknownMembers, Value, identity, keep_text,
    presence, unknown_of,
};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use std::any::type_name;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;

/// Deserializes an object from any serde format.
///
/// # Errors
/// When the input is not well formed, a value has a wrong type or is out of range, or `apiVersion`
/// or `kind` state another identity. The message starts with the path of the value.
pub fn deserialize<'de, T: Object + Value, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let mut value = T::empty();
    read(Target::Object(&mut value), Diagnostics::default(), deserializer)?;
    Ok(value)
}

/// Deserializes a value of any format that serde reads, and lists the unknown members.
///
/// ```
/// use kapigen_runtime::meta_v1::ObjectMeta;
/// use kapigen_runtime::{deserialize_strict, serde_json};
///
/// let value = serde_json::json!({"name": "web", "labels": {"app": "web"}, "label": {}});
/// let (metadata, unknown) = deserialize_strict::<ObjectMeta, _>(value)?;
/// assert_eq!((metadata.name.as_deref(), unknown.paths), (Some("web"), vec!["label".to_owned()]));
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// As [`deserialize`]; unknown members are not an error here.
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
    let path = Path::root(&diagnostics);
    let done = if is_flat(type_name::<D>()) {
        present(target.slot(true), &path, deserializer)
    } else {
        Seed { target, path: &path }.deserialize(deserializer).map(drop)
    };
    done.map_err(|error| path.locate(error))?;
    Ok(diagnostics)
}

/// Whether a deserializer with this name is serde's for members with the attribute `flatten`: it
/// refuses to deserialize an option. It cannot be `null`.
#[inline(never)] // searching a string is much code
fn is_flat(name: &str) -> bool {
    name.contains("::FlatMapDeserializer<")
}

/// The target of a value, and its path, which the caller prefixes to errors.
struct Seed<'t, 'p> {
    target: Target<'t>,
    path: &'p Path<'p>,
}

/// Returns whether the value was not `null`, or `null` is a value of the member.
impl<'de> DeserializeSeed<'de> for Seed<'_, '_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_option(self)
    }
}

macro_rules! visit_scalars {
    ($($visit:ident: $type:ty,)*) => {$(
        fn $visit<E: Error>(self, value: $type) -> Result<bool, E> {
            self.visit_some(value.into_deserializer())
        }
    )*};
}

impl<'de> Visitor<'de> for Seed<'_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }

    fn visit_none<E: Error>(self) -> Result<bool, E> {
        self.path.note_empty(true); // of free JSON that is required
        Ok(self.target.set_null())
    }

    fn visit_unit<E: Error>(self) -> Result<bool, E> {
        self.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        present(self.target.slot(true), self.path, deserializer)?;
        Ok(true)
    }

    // The methods below are for deserializers that treat an option as any other value, such as in
    // `serde::de::value`.

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<bool, A::Error> {
        self.visit_some(MapAccessDeserializer::new(map))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<bool, A::Error> {
        self.visit_some(SeqAccessDeserializer::new(sequence))
    }

    visit_scalars! {
        visit_bool: bool,
        visit_i64: i64,
        visit_i128: i128,
        visit_u64: u64,
        visit_u128: u128,
        visit_f64: f64,
        visit_str: &str,
    }
}

/// Deserializes a value that is not `null`.
fn present<'de, D: Deserializer<'de>>(
    slot: Slot<'_>,
    path: &Path<'_>,
    deserializer: D,
) -> Result<(), D::Error> {
    match slot {
        Slot::Absent => return Err(D::Error::custom("there is no place for the value")),
        Slot::Bool(value) => {
            *value = serde::Deserialize::deserialize(deserializer)?;
            path.note_empty(true);
        }
        Slot::Int32(value) => {
            *value = serde::Deserialize::deserialize(deserializer)?;
            path.note_empty(true);
        }
        Slot::Int64(value) => {
            *value = serde::Deserialize::deserialize(deserializer)?;
            path.note_empty(true);
        }
        Slot::Double(value) => {
            scalar::deserialize(value, "a number", deserializer)?;
            path.note_empty(true);
        }
        Slot::String(value) => {
            *value = serde::Deserialize::deserialize(deserializer)?;
            path.note_empty(value.is_empty());
        }
        Slot::Scalar(value) => {
            let mut text = None;
            let expected = "a string or a number";
            scalar::deserialize_member(value, expected, &mut text, deserializer)?;
            path.diagnostics.text.set(text);
            path.note_empty(true); // a quantity may be 0
        }
        Slot::Raw(value) => {
            *value = raw::deserialize(deserializer)?;
            path.note_empty(value.len() <= 2);
        }
        Slot::BySerde(value) => {
            let text = raw::deserialize(deserializer)?;
            value
                .read(&text)
                .map_err(|error| D::Error::custom(by_serde::located(&error, &text).1))?;
            path.note_empty(true);
        }
        Slot::Object(object) => {
            let table = object.table();
            deserializer.deserialize_struct(
                table.name,
                table.keys.names(),
                ObjectVisitor { object, path },
            )?;
        }
        Slot::List(list) => deserializer.deserialize_seq(ListVisitor { list, path })?,
        Slot::Map(map) => deserializer.deserialize_map(MapVisitor { map, path })?,
        Slot::Unknown(members) => {
            deserializer.deserialize_map(MapVisitor { map: members.as_map_mut(), path })?;
        }
    }
    Ok(())
}

struct ObjectVisitor<'a> {
    object: &'a mut dyn Object,
    path: &'a Path<'a>,
}

impl<'de> Visitor<'de> for ObjectVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object ({})", self.object.table().name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { object, path } = self;
        let table = object.table();
        let keys = table.keys.index();
        let names = table.keys.names();
        let required = &keys.required;
        let mut present = MemberSet::default();
        let mut last = keys.start();
        let is_around_empty = path.diagnostics.has_empty.replace(false);
        while let Some(member) = members.next_key_seed(Key { keys, last, path })? {
            let index = match member {
                Ok(index) => index,
                Err(name) => {
                    unknown(object, &name, path, &mut members)?;
                    continue;
                }
            };
            last = keys.key(index);
            if present.replace(index) {
                presence::clear(object, index);
            }
            let path = path.key(names[index]);
            let seed = Seed { target: Target::Member(&mut *object, index), path: &path };
            if !members.next_value_seed(seed).map_err(|error| path.locate(error))? {
                present.remove(index);
            }
            if let Some(text) = path.diagnostics.text.take() {
                keep_text(object, index, text);
            }
        }
        identity::check(object, table).map_err(Error::custom)?;
        presence::record_absent(object, required, &present);
        if path.diagnostics.has_empty.replace(is_around_empty || present.is_empty()) {
            presence::keep_zeros(object, required, &present, u64::MAX);
        }
        Ok(())
    }
}

/// Deserializes an unknown member, and keeps it if the object keeps unknown members.
fn unknown<'de, A: MapAccess<'de>>(
    object: &mut dyn Object,
    name: &str,
    path: &Path<'_>,
    members: &mut A,
) -> Result<(), A::Error> {
    let Some(unknown) = unknown_of(object) else {
        return members.next_value::<IgnoredAny>().map(drop);
    };
    let path = path.key(name);
    let seed = Seed { target: Target::Entry(unknown.as_map_mut(), name.to_owned()), path: &path };
    members.next_value_seed(seed).map(drop).map_err(|error| path.locate(error))
}

struct ListVisitor<'a> {
    list: &'a mut dyn List,
    path: &'a Path<'a>,
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
            let element = elements
                .next_element_seed(Seed { target: Target::Element(&mut *list), path: &path });
            if element.map_err(|error| path.locate(error))?.is_none() {
                break;
            }
        }
        list.finish();
        path.note_empty(list.count() == 0);
        Ok(())
    }
}

struct MapVisitor<'a> {
    map: &'a mut dyn Map,
    path: &'a Path<'a>,
}

impl<'de> Visitor<'de> for MapVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Self { map, path } = self;
        while let Some(key) = entries.next_key_seed(EntryKey)? {
            let path = path.key(&key);
            let seed = Seed { target: Target::Entry(&mut *map, String::from(&*key)), path: &path };
            entries.next_value_seed(seed).map_err(|error| path.locate(error))?;
        }
        path.note_empty(map.is_empty());
        Ok(())
    }
}

/// Finds the index of a member by its wire name. An unknown member has only its name.
#[derive(Clone, Copy)]
struct Key<'a> {
    keys: &'a Index,
    /// The key before.
    last: &'a EncodedKey,
    path: &'a Path<'a>,
}

impl Key<'_> {
    #[inline]
    fn find(self, name: &str) -> Option<usize> {
        let likely = self.last.likely_follower();
        if self.keys.name(likely) == Some(name) {
            return Some(likely);
        }
        let index = self.keys.find(name)?;
        self.last.learn_follower(index);
        Some(index)
    }
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

    fn visit_bytes<E: Error>(self, key: &[u8]) -> Result<Self::Value, E> {
        in_utf8(key).and_then(|key| self.visit_str(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        let index = self.find(key);
        if index.is_none() {
            self.path.unknown(key);
        }
        Ok(index.ok_or_else(|| key.to_owned()))
    }
}

/// The key of an entry, borrowed from the input if the format can lend it: so it is copied only
/// once, into the map.
struct EntryKey;

impl<'de> DeserializeSeed<'de> for EntryKey {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for EntryKey {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Self::Value, E> {
        Ok(key.into())
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(key.to_owned().into())
    }

    fn visit_bytes<E: Error>(self, key: &[u8]) -> Result<Self::Value, E> {
        in_utf8(key).and_then(|key| self.visit_str(key))
    }
}

/// The string of a format that has no other type for strings than bytes.
fn in_utf8<E: Error>(bytes: &[u8]) -> Result<&str, E> {
    str::from_utf8(bytes).map_err(|_| E::invalid_value(Unexpected::Bytes(bytes), &"a string"))
}

/// One segment of the path from the root to the value being decoded. It is on the stack of the
/// decoder, so that a path costs nothing until it is shown.
#[derive(Clone, Copy)]
struct Path<'a> {
    diagnostics: &'a Diagnostics,
    segment: Segment<'a>,
}

#[derive(Clone, Copy)]
enum Segment<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

/// The diagnostics of one decode.
#[derive(Default)]
struct Diagnostics {
    /// Whether a member of the current object is empty, or `0`, or `false`.
    has_empty: Cell<bool>,
    /// The string of the last scalar, if an object keeps it.
    text: Cell<Option<String>>,
    /// Whether the error that is being returned has its path already.
    located: Cell<bool>,
    /// The unknown members, if they are requested.
    unknown: Option<RefCell<UnknownMembers>>,
}

impl Diagnostics {
    fn with_unknown() -> Self {
        Self { unknown: Some(RefCell::default()), ..Self::default() }
    }

    fn into_unknown(self) -> UnknownMembers {
        self.unknown.map(RefCell::into_inner).unwrap_or_default()
    }
}

impl<'a> Path<'a> {
    /// Notes whether the value here is empty.
    fn note_empty(&self, is_empty: bool) {
        if is_empty {
            self.diagnostics.has_empty.set(true);
        }
    }

    fn root(diagnostics: &'a Diagnostics) -> Self {
        Path { diagnostics, segment: Segment::Root }
    }

    fn key(&'a self, key: &'a str) -> Self {
        Path { diagnostics: self.diagnostics, segment: Segment::Key(self, key) }
    }

    fn index(&'a self, index: usize) -> Self {
        Path { diagnostics: self.diagnostics, segment: Segment::Index(self, index) }
    }

    /// Prefixes an error with this path, unless a deeper path or the format, as YAML does, was
    /// added before.
    #[cold]
    fn locate<E: serde::de::Error>(&self, error: E) -> E {
        if self.diagnostics.located.replace(true) {
            return error;
        }
        let mut located = self.shortened();
        let message = error.to_string();
        if !located.is_empty() {
            located.push_str(": ");
        }
        // YAML puts a period before the index of a list that is the whole document.
        let is_located = message.strip_prefix('.').unwrap_or(&message).starts_with(&located);
        if is_located && message.len() <= MESSAGE {
            return error;
        }
        located.push_str(&message);
        E::custom(shortened(if is_located { &message } else { &located }, MESSAGE))
    }

    fn shortened(&self) -> String {
        shortened_path(&self.to_string()).into_owned()
    }

    /// Records an unknown member of the object at this path.
    fn unknown(&self, key: &str) {
        if let Some(unknown) = &self.diagnostics.unknown {
            let mut unknown = unknown.borrow_mut();
            if unknown.paths.len() < UnknownMembers::LISTED {
                unknown.paths.push(self.key(key).shortened());
            } else {
                unknown.omitted += 1;
            }
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.segment {
            Segment::Root => Ok(()),
            Segment::Key(parent, key) => {
                parent.fmt(f)?;
                write_key(f, key, matches!(parent.segment, Segment::Root))
            }
            Segment::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}
