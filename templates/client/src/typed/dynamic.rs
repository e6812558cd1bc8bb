//! Objects of any kind: their metadata, and everything else as it came.

use kapigen_runtime::__private::{self as codec, MemberVisitor, Object, Slot, Table, Value};
use kapigen_runtime::meta_v1::{ListMeta, ObjectMeta};
use kapigen_runtime::{DecodeError, Kind, ResourceList, Unknown};
use serde::de::DeserializeOwned;

/// An object of any kind.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Dynamic {
    metadata: ObjectMeta,
    unknown_: Unknown,
}

/// A list of any kind.
#[derive(Clone, Default, PartialEq)]
pub(super) struct DynamicList {
    pub(super) metadata: ListMeta,
    pub(super) items: Vec<Dynamic>,
    unknown_: Unknown,
}

/// Decodes an object as a type that serde deserializes.
///
/// # Errors
/// When it is none.
pub(super) fn decode<T: DeserializeOwned>(object: &Dynamic) -> Result<T, DecodeError> {
    serde_json::from_slice(&kapigen_runtime::to_vec(object)).map_err(DecodeError::custom)
}

// Objects of any kind have no identity of their own, so that any is accepted.
static DYNAMIC: Table = Table::new("object", " metadata");
static LIST: Table = Table::new("list", " metadata items");

impl Object for Dynamic {
    fn table(&self) -> &'static Table {
        &DYNAMIC
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.metadata.slot(is_present),
            _ => Slot::Unknown(&mut self.unknown_),
        }
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.unknown_.visit_as_member(1, visitor);
        self.metadata.visit_as_member(0, visitor);
    }
}

impl Object for DynamicList {
    fn table(&self) -> &'static Table {
        &LIST
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.metadata.slot(is_present),
            1 => self.items.slot(is_present),
            _ => Slot::Unknown(&mut self.unknown_),
        }
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.unknown_.visit_as_member(2, visitor);
        self.metadata.visit_as_member(0, visitor);
        self.items.visit_as_member(1, visitor);
    }
}

codec::object!(Dynamic);
codec::object!(DynamicList);

/// Names that are nowhere sent: those of the objects stay with them.
impl Kind for Dynamic {
    const GROUP: &'static str = "";
    const VERSION: &'static str = "";
    const KIND: &'static str = "";
    const API_VERSION: &'static str = "";
}

impl Kind for DynamicList {
    const GROUP: &'static str = "";
    const VERSION: &'static str = "";
    const KIND: &'static str = "";
    const API_VERSION: &'static str = "";
}

impl ResourceList for DynamicList {
    type Item = Dynamic;
    fn metadata(&self) -> &ListMeta {
        &self.metadata
    }

    fn take_items(&mut self) -> Vec<Dynamic> {
        std::mem::take(&mut self.items)
    }
}
