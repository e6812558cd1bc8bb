//! Objects and lists of any kind.

use crate::__private::{self as codec, MemberAccess as _};
use crate::kind::{AnyKind, AnyResource, ResourceList};
use crate::meta_v1::{ListMeta, ObjectMeta};

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
}

/// A list of objects of any kind.
#[derive(Clone, Default, PartialEq)]
pub struct List {
    /// Group and version of the list, which are those of its items.
    pub api_version: Option<String>,
    /// The kind of the list, such as `PodList`.
    pub kind: Option<String>,
    /// The resource version of the list, and the token of its next page.
    pub metadata: ListMeta,
    /// The objects.
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
        std::mem::take(&mut self.items)
    }
}

// Neither has an identity of its own, so that any is accepted.
static OBJECT: codec::Table = codec::Table::new("Object", " apiVersion kind metadata");
static LIST: codec::Table = codec::Table::new("List", " apiVersion items kind metadata");

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
