//! Unknown members, required members that were absent, and nullable ones that are `null`.

use super::member_set::MemberSet;
use super::table::Keys;
use super::value::{Map, MemberVisitor, Object, Slot, Value, View};
use crate::values::{RawJson, is_same_json, spelled};
use std::collections::BTreeMap;
use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::{Arc, LazyLock};

/// The unknown members of an object, for which its type has no field.
///
/// A server that is newer than a type sends members that the type has no field for. They are kept
/// here as JSON, and encoded again with the others, so that an object can be read, changed and
/// written back without losing them. Every generated struct has such a field, `unknown_`, of the
/// size of one pointer while it is empty.
///
/// A nullable member that is `null` is here as `null`, by its name, while its field is `None`. It
/// stays `null` until the field is set or it is removed here, and a program inserts it to make it
/// `null`.
///
/// A [`Time`](crate::meta_v1::Time) that servers would write otherwise, such as
/// `2024-05-01T14:00:00.5+02:00`, is here with its text, which is encoded again until the field has
/// another time.
///
/// It also records which required members were absent when the object was decoded. As long as these
/// are empty they are not encoded. An object is empty if it has no members but required ones, and
/// these are empty.
///
/// Two of these are equal if they have the same members with the same JSON values; which required
/// members were absent does not count. `Debug` shows names only, since a value may be a secret.
///
/// Any other member with the name of a field that the struct has is ignored when it is encoded.
/// [`drop_unknown`](crate::drop_unknown) removes the unknown members of a whole object.
#[derive(Clone, Default)]
pub struct Unknown(ManuallyDrop<Option<Arc<Content>>>);

/// Copies of an object share it until one of them changes it.
#[derive(Clone, Default)]
pub(super) struct Content {
    members: Members,
    /// The strings of known members that are encoded as they came, by the names of the members.
    texts: Members,
    /// The required members that were absent.
    pub(super) absent: MemberSet,
    /// Whether all other required members were present, so that an empty one is intended.
    is_exact: bool,
    /// Whether a mask left members out.
    is_masked: bool,
}

/// The content of all objects that have nothing but the mark of a mask: each of thousands in a
/// store would have its own.
static MASKED: LazyLock<Arc<Content>> =
    LazyLock::new(|| Arc::new(Content { is_masked: true, ..Content::default() }));

/// The content of all objects that have nothing but the mark of intended members.
static EXACT: LazyLock<Arc<Content>> =
    LazyLock::new(|| Arc::new(Content { is_exact: true, ..Content::default() }));

/// Names and JSON. The map has the same type as labels: each type of a map is much code.
#[derive(Clone, Default)]
pub(super) struct Members(pub(super) BTreeMap<String, String>);

/// Nearly always there is nothing to drop. The rest is compiled here, and not in each crate that
/// has a type.
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
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of unknown members.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.members().0.len()
    }

    /// A copy of the unknown member with this name. Bind it to a variable before borrowing from it.
    #[must_use]
    #[inline]
    pub fn get(&self, name: &str) -> Option<RawJson> {
        self.members().0.get(name).map(|value| RawJson::from_valid(value.clone()))
    }

    /// Names, and copies of the values, in the order of the names.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (&str, RawJson)> {
        self.texts().map(|(name, text)| (name, RawJson::from_valid(text.to_owned())))
    }

    /// The JSON of the unknown member with this name.
    #[cfg(feature = "dynamic")]
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.members().0.get(name).map(|text| spelled(text))
    }

    /// Names and JSON, in the order of the names.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.members().0.iter().map(|(name, text)| (name.as_str(), spelled(text)))
    }

    /// Adds a member. Returns the value that it had before.
    #[inline]
    pub fn insert(&mut self, name: impl Into<String>, value: RawJson) -> Option<RawJson> {
        self.content().members.0.insert(name.into(), value.into_text()).map(RawJson::from_valid)
    }

    /// Removes a member and returns its value.
    #[inline] // few need it, and removal from a map is much code
    pub fn remove(&mut self, name: &str) -> Option<RawJson> {
        if !self.members().0.contains_key(name) {
            return None; // without a copy of shared members
        }
        self.content().members.0.remove(name).map(RawJson::from_valid)
    }

    /// Removes all unknown members.
    #[inline]
    pub fn clear(&mut self) {
        if !self.is_empty() {
            self.content().members.0.clear();
        }
    }

    /// As [`clear`](Self::clear), but for nullable members of an object with these keys, which are
    /// not unknown.
    #[inline]
    fn clear_beside(&mut self, keys: Option<&Keys>) {
        let Some(index) = keys.map(Keys::index).filter(|index| !index.nullable.is_empty()) else {
            return self.clear();
        };
        if !self.is_empty() {
            let is_known = |name: &str| index.find(name).is_some();
            self.content().members.0.retain(|name, _| is_known(name));
        }
    }

    fn members(&self) -> &Members {
        static NONE: Members = Members(BTreeMap::new());
        self.0.as_ref().map_or(&NONE, |content| &content.members)
    }

    /// The content, which is made if there is none.
    pub(super) fn content(&mut self) -> &mut Content {
        Arc::make_mut(self.0.get_or_insert_default())
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

    /// Whether every empty required member that was not absent is intended.
    pub(crate) fn is_exact(&self) -> bool {
        self.0.as_ref().is_some_and(|content| content.is_exact)
    }

    /// Records that required members are present if they were not absent, even empty ones.
    pub(crate) fn set_exact(&mut self) {
        match &mut *self.0 {
            Some(content) => Arc::make_mut(content).is_exact = true,
            none => *none = Some(Arc::clone(&EXACT)),
        }
    }

    /// Marks an object of which a mask left members out. The mark stays until everything is reset.
    #[inline]
    pub(crate) fn set_masked(&mut self) {
        match &mut *self.0 {
            Some(content) => Arc::make_mut(content).is_masked = true,
            none => *none = Some(Arc::clone(&MASKED)),
        }
    }

    /// Whether a mask left members out.
    pub(crate) fn is_masked(&self) -> bool {
        self.0.as_ref().is_some_and(|content| content.is_masked)
    }

    /// Whether any string was kept.
    pub(crate) fn has_texts(&self) -> bool {
        self.0.as_ref().is_some_and(|content| !content.texts.0.is_empty())
    }

    /// A member as it is encoded: by the string that was kept, if that still denotes the value.
    pub(crate) fn spelled<'a>(&'a self, name: &str, view: View<'a>) -> View<'a> {
        let text = self.0.as_ref().and_then(|content| content.texts.0.get(name));
        match (view, text) {
            (View::Display(value), Some(text)) if value.is_text(text) => View::Str(text),
            (view, _) => view,
        }
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
        (self.0.is_none() && other.0.is_none()) || self.members() == other.members()
    }
}

impl Eq for Unknown {}

impl PartialEq for Members {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        self.0.len() == other.0.len()
            && pairs.all(|(one, other)| one.0 == other.0 && is_same_json(one.1, other.1))
    }
}

impl Map for Members {
    #[inline]
    fn clear(&mut self) {
        self.0.clear();
    }
    #[inline]
    fn insert(&mut self, key: String, _: bool) -> Slot<'_> {
        let text = self.0.entry(key).or_default();
        text.clear();
        Slot::Raw(text)
    }
    #[inline]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    fn visit_entries<'a>(&'a self, visit: &mut dyn FnMut(&'a str, View<'a>)) {
        for (key, text) in &self.0 {
            visit(key, View::Raw(spelled(text)));
        }
    }
    fn visit_values_mut(&mut self, visit: &mut dyn FnMut(Slot<'_>)) {
        for text in self.0.values_mut() {
            visit(Slot::Raw(text));
        }
    }
}

/// Shows the names only.
impl fmt::Debug for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.members().0.keys()).finish()
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

/// The unknown members of an object, if it keeps them.
pub(crate) fn unknown_of(object: &mut dyn Object) -> Option<&mut Unknown> {
    match object.member_mut(object.table().keys.index().count(), true) {
        Slot::Unknown(unknown) => Some(unknown),
        _ => None,
    }
}

/// Keeps the string of the member with this index, but not of an element of a list or map in it.
#[cold]
pub(crate) fn keep_text(object: &mut dyn Object, index: usize, text: String) {
    let name = object.table().keys.names()[index];
    if matches!(object.member_mut(index, true), Slot::Scalar(_))
        && let Some(unknown) = unknown_of(object)
    {
        unknown.content().texts.0.insert(name.to_owned(), text);
    }
}

/// Removes all unknown members of a value, also of the objects inside of it.
///
/// Known members stay as they are, also those that are `null`, and so does the record of required
/// members that were absent.
///
/// ```
/// use kapigen_runtime::meta_v1::PartialObjectMetadata;
/// use kapigen_runtime::{drop_unknown, from_str, to_vec};
///
/// let mut object: PartialObjectMetadata = from_str(r#"{"metadata":{"name":"web","new":1},"spec":{}}"#)?;
/// drop_unknown(&mut object);
/// assert_eq!(to_vec(&object), br#"{"metadata":{"name":"web"}}"#);
/// # Ok::<(), kapigen_runtime::DecodeError>(())
/// ```
#[inline]
pub fn drop_unknown<T: Value>(value: &mut T) {
    for_each(value.slot(true), &mut Unknown::clear_beside);
}

/// Calls `act` with the unknown members of all objects in a value, and with the wire names of the
/// objects, which free members do not have.
#[inline]
pub(crate) fn for_each(slot: Slot<'_>, act: &mut dyn FnMut(&mut Unknown, Option<&Keys>)) {
    match slot {
        Slot::Object(object) => {
            // Only present members: requesting the slot of an optional member would make it
            // present.
            let mut present = MemberSet::default();
            object.visit_members(&mut |index, view| {
                if matches!(view, View::Object(_) | View::List(_) | View::Map(_)) {
                    present.replace(index);
                }
            });
            present.iter().for_each(|index| for_each(object.member_mut(index, true), act));
            let keys = &object.table().keys;
            if let Some(unknown) = unknown_of(object) {
                act(unknown, Some(keys));
            }
        }
        Slot::List(list) => {
            for index in 0..list.count() {
                if !matches!(list.element(index), View::Null) {
                    for_each(list.element_mut(index, true), act);
                }
            }
        }
        Slot::Map(map) => map.visit_values_mut(&mut |slot| for_each(slot, act)),
        Slot::Unknown(unknown) => act(unknown, None),
        _ => {}
    }
}
