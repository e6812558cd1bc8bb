//! Objects and lists of any kind.

use super::path::{Path, PathError};
use crate::__private::{self as codec, MemberAccess as _, Value as _};
use crate::codec::json::{self, DecodeError};
use crate::codec::stated::complete;
use crate::codec::{Target, View, presence, unknown_of};
use crate::kind::{AnyKind, AnyResource, ResourceList};
use crate::meta_v1::{ListMeta, ObjectMeta, RawJson};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// An object of any kind. All but its metadata is JSON.
///
/// ```
/// use kapigen_runtime::dynamic::Object;
/// use kapigen_runtime::prelude::*;
/// use kapigen_runtime::{from_str, to_string};
///
/// let text = r#"{"apiVersion":"example.com/v1","kind":"Star","metadata":{"name":"sun"},"spec":{"size":1.50}}"#;
/// let star: Object = from_str(text)?;
/// assert_eq!((star.api_version(), star.kind(), star.name()), ("example.com/v1", "Star", "sun"));
/// assert_eq!(to_string(&star), text);
/// # Ok::<(), kapigen_runtime::DecodeError>(())
/// ```
#[doc(alias("DynamicObject", "Unstructured"))]
#[derive(Clone, Default, PartialEq)]
pub struct Object {
    /// Group and version, or the version alone for core. Often absent in the items of a list.
    pub api_version: Option<String>,
    /// The kind, such as `Pod`. Often absent in the items of a list.
    pub kind: Option<String>,
    /// Name, labels, and everything else that all objects have.
    pub metadata: ObjectMeta,
    /// All other members, such as `spec`.
    pub members: codec::Unknown,
}

impl Object {
    /// An object of this `apiVersion` and `kind`, without any other member.
    #[must_use]
    pub fn new(api_version: impl Into<String>, kind: impl Into<String>) -> Self {
        Self { api_version: Some(api_version.into()), kind: Some(kind.into()), ..Self::default() }
    }

    /// The same object with a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.metadata.name = Some(name.into());
        self
    }

    /// The same object in a namespace.
    #[must_use]
    pub fn within(mut self, namespace: impl Into<String>) -> Self {
        self.metadata.namespace = Some(namespace.into());
        self
    }

    /// The value at a path, such as `spec.replicas`, `spec.containers[0].image` or
    /// `data["app.conf"]`. `None` if it is absent or `null`. The type may be any that serde
    /// deserializes; [`RawJson`] is the value as it is. Nothing else of the object is copied or
    /// parsed twice.
    ///
    /// # Errors
    /// When the path is invalid, leads through a value that is neither object nor list, or to a
    /// value of another type. The error quotes no value: it may be a secret.
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, PathError> {
        let path = Path::parse(path)?;
        let member = self.member(&path.name);
        let found = path.find(member.as_deref().unwrap_or("null"))?;
        found
            .map(|value| {
                serde_json::from_str(value).map_err(|error| path.wrong_type(value, &error))
            })
            .transpose()
    }

    /// Sets the value at a path. Objects on the way are made where they are absent; the index after
    /// the last element of a list adds one. All else stays as it is, to the spelling of numbers.
    ///
    /// # Errors
    /// When the path is invalid or leads through a value that is neither object nor list, when the
    /// value cannot be encoded, and when `metadata` cannot hold it. The object is then unchanged.
    pub fn set<T: Serialize>(&mut self, path: &str, value: T) -> Result<(), PathError> {
        let path = Path::parse(path)?;
        let value = RawJson::from_serialize(&value).map_err(|error| path.error(error))?;
        let member = self.member(&path.name);
        let text = path.replaced(member.as_deref().unwrap_or("null"), value.as_str())?;
        self.set_member(&path, &text)
    }

    /// Removes the value at a path. Returns whether it was there.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn remove(&mut self, path: &str) -> Result<bool, PathError> {
        let path = Path::parse(path)?;
        let Some(member) = self.member(&path.name) else { return Ok(false) };
        let Some(text) = path.removed(&member)? else { return Ok(false) };
        if text == "null" {
            self.members.remove(&path.name);
        }
        if text != "null" || matches!(&*path.name, "apiVersion" | "kind" | "metadata") {
            self.set_member(&path, &text)?;
        }
        Ok(true)
    }

    /// The `spec` as a type of your own.
    ///
    /// ```
    /// #[derive(Debug, serde::Deserialize)]
    /// struct StarSpec {
    ///     size: u8,
    /// }
    ///
    /// let star: kapigen_runtime::dynamic::Object = kapigen_runtime::from_str(r#"{"spec":{"size":3}}"#).unwrap();
    /// assert_eq!(star.spec_as::<StarSpec>().unwrap().size, 3);
    /// assert_eq!(star.status_as::<StarSpec>().unwrap_err().to_string(), "`status`: it is absent");
    /// ```
    ///
    /// # Errors
    /// When there is none, or it is of another type.
    pub fn spec_as<T: DeserializeOwned>(&self) -> Result<T, PathError> {
        self.present("spec")
    }

    /// The `status` as a type of your own.
    ///
    /// # Errors
    /// As [`spec_as`](Self::spec_as).
    pub fn status_as<T: DeserializeOwned>(&self) -> Result<T, PathError> {
        self.present("status")
    }

    fn present<T: DeserializeOwned>(&self, name: &str) -> Result<T, PathError> {
        self.get(name)?.ok_or_else(|| PathError::new(name, "it is absent"))
    }

    /// The same object as a generated kind. A masked object stays [masked](crate::mask).
    ///
    /// For a type of your own there is serde:
    /// `serde_json::from_value(serde_json::to_value(&object)?)`. The result is not marked where a
    /// mask has cut the object: do not write it.
    ///
    /// # Errors
    /// When it is of another kind, or a member is of another type. The error quotes no value: it
    /// may be a secret.
    pub fn decode<T: AnyKind>(&self) -> Result<T, DecodeError> {
        let mut object = T::empty();
        convert(self, object.unboxed_mut()).map_err(DecodeError::without_value)?;
        Ok(object)
    }

    /// An object of a generated kind as a dynamic one. A masked object stays [masked](crate::mask).
    ///
    /// # Errors
    /// When it has metadata that cannot be encoded.
    pub fn encode<T: AnyKind>(object: &T) -> Result<Self, DecodeError> {
        let mut encoded = Self::default();
        convert(object.unboxed(), &mut encoded).map_err(DecodeError::without_value)?;
        Ok(encoded)
    }

    /// The JSON of a member.
    fn member(&self, name: &str) -> Option<Cow<'_, str>> {
        let text = |view: View<'_>| match view {
            View::Absent => None,
            view => Some(String::from_utf8_lossy(&json::write(&view)).into_owned().into()),
        };
        match name {
            "apiVersion" => text(self.api_version.view()),
            "kind" => text(self.kind.view()),
            "metadata" => text(self.metadata.view()),
            name => self.members.text(name).map(Cow::Borrowed),
        }
    }

    fn set_member(&mut self, path: &Path<'_>, text: &str) -> Result<(), PathError> {
        let text = match &*path.name {
            "apiVersion" => return decode(&mut self.api_version, text, path),
            "kind" => return decode(&mut self.kind, text, path),
            "metadata" => return decode(&mut self.metadata, text, path),
            _ => text.parse().map_err(|error: DecodeError| path.error(error))?,
        };
        self.members.insert(path.name.clone(), text);
        Ok(())
    }
}

/// Decodes an object as one of another type, which is empty.
fn convert(object: &dyn codec::Object, target: &mut dyn codec::Object) -> Result<(), DecodeError> {
    json::read(Target::Object(target), &json::write(&View::Object(object)))?;
    if presence::is_masked(object)
        && let Some(unknown) = unknown_of(target)
    {
        unknown.set_masked();
    }
    Ok(())
}

/// Decodes a member again.
fn decode<T: codec::Value>(member: &mut T, text: &str, path: &Path<'_>) -> Result<(), PathError> {
    let mut value = T::empty();
    json::read(Target::Value(&mut value), text.as_bytes())
        .map_err(|error| path.error(error.without_value()))?;
    *member = value;
    Ok(())
}

/// A list of objects of any kind.
#[derive(Clone, Default, PartialEq)]
pub struct List {
    /// Group and version of the list and of its items.
    pub api_version: Option<String>,
    /// The kind of the list, such as `PodList`.
    pub kind: Option<String>,
    /// The resource version of the list, and the token of its next page.
    pub metadata: ListMeta,
    /// The objects. Servers state the kind only in items that are custom resources; items of a
    /// decoded response all state it, and so do items that
    /// [`take_items`](ResourceList::take_items), streams and machines return.
    pub items: Vec<Object>,
    /// All other members.
    pub members: codec::Unknown,
}

impl AnyKind for Object {
    fn api_version(&self) -> &str {
        self.api_version.as_deref().unwrap_or_default()
    }

    fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or_default()
    }
}

impl AnyResource for Object {
    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

impl AnyKind for List {
    fn api_version(&self) -> &str {
        self.api_version.as_deref().unwrap_or_default()
    }

    fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or_default()
    }
}

impl ResourceList for List {
    type Item = Object;

    fn metadata(&self) -> &ListMeta {
        &self.metadata
    }

    fn take_items(&mut self) -> Vec<Object> {
        let mut items = std::mem::take(&mut self.items);
        for item in &mut items {
            complete(item, self.api_version(), self.kind());
        }
        items
    }
}

// Neither has an identity of its own, so that any is accepted.
static OBJECT: codec::Table = codec::Table::new("Object", "! apiVersion kind metadata!");
static LIST: codec::Table = codec::Table::new("List", "! apiVersion items! kind metadata!");

impl codec::Object for Object {
    #[inline]
    fn table(&self) -> &'static codec::Table {
        &OBJECT
    }
    #[inline]
    fn member_mut(&mut self, index: usize, is_present: bool) -> codec::Slot<'_> {
        match index {
            0 => self.api_version.member_slot(is_present),
            1 => self.kind.member_slot(is_present),
            2 => self.metadata.member_slot(is_present),
            _ => codec::Slot::Unknown(&mut self.members),
        }
    }
    #[inline]
    fn accept<'a>(&'a self, visitor: &mut codec::MemberVisitor<'_, 'a>) {
        visitor.visit_unknown(3, &self.members);
        self.api_version.visit_member(0, visitor);
        self.kind.visit_member(1, visitor);
        self.metadata.visit_member(2, visitor);
    }
}

impl codec::Object for List {
    #[inline]
    fn table(&self) -> &'static codec::Table {
        &LIST
    }
    #[inline]
    fn member_mut(&mut self, index: usize, is_present: bool) -> codec::Slot<'_> {
        match index {
            0 => self.api_version.member_slot(is_present),
            1 => self.items.member_slot(is_present),
            2 => self.kind.member_slot(is_present),
            3 => self.metadata.member_slot(is_present),
            _ => codec::Slot::Unknown(&mut self.members),
        }
    }
    #[inline]
    fn accept<'a>(&'a self, visitor: &mut codec::MemberVisitor<'_, 'a>) {
        visitor.visit_unknown(4, &self.members);
        self.api_version.visit_member(0, visitor);
        self.items.visit_member(1, visitor);
        self.kind.visit_member(2, visitor);
        self.metadata.visit_member(3, visitor);
    }
}

codec::object!(Object);
codec::object!(List);
