//! The parts of a list that are not its items.

use crate::codec::json::DecodeError;
use crate::codec::{MemberVisitor, Object, Slot, Table, Value, View, identity};
use crate::meta_v1::ListMeta;

/// Memory for the object that is decoded next.
pub(crate) trait Holder {
    /// Makes an empty object, in place of the last one.
    fn begin(&mut self) -> &mut dyn Object;

    /// The object that was made last.
    fn object(&self) -> &dyn Object;
}

/// A list without its items.
#[derive(Debug, Default)]
pub(crate) struct Page {
    api_version: String,
    kind: String,
    pub(crate) metadata: ListMeta,
    /// The items where they are no array that was taken item by item: `null`, or something else.
    items: String,
    has_items: bool,
}

impl Page {
    /// Rejects a list that states another type than this one. It may state its kind later: servers sort the members of
    /// custom resources and of their lists, so that `items` come before `kind`.
    pub(crate) fn check(&self, wanted: &Table) -> Result<(), DecodeError> {
        identity::mismatch(wanted, &self.api_version, &self.kind)
            .map_or(Ok(()), |mismatch| Err(DecodeError::new(mismatch)))
    }

    /// Rejects everything but a complete list of this type. To take something else for an empty list would delete
    /// everything, so this stands before the first deletion.
    pub(crate) fn check_end(&self, wanted: &Table) -> Result<(), DecodeError> {
        self.check(wanted)?;
        if self.kind.is_empty() {
            return Err(DecodeError::new(format!("expected {}, found an object that states no kind", wanted.name)));
        }
        if !self.has_items || !matches!(self.items.as_str(), "" | "[]") {
            return Err(DecodeError::new("items: expected an array"));
        }
        Ok(())
    }

    /// The error of a page whose token is the one that it was requested with, so that the list would never end.
    pub(crate) fn repeated_token() -> DecodeError {
        DecodeError::new("metadata.continue: the page repeats the token that it was requested with")
    }
}

impl Object for Page {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("List", " apiVersion kind metadata items");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.api_version.visit_as_member(0, visitor);
        self.kind.visit_as_member(1, visitor);
        self.metadata.visit_as_member(2, visitor);
        visitor.visit(3, View::Raw(&self.items));
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.api_version.slot(is_present),
            1 => self.kind.slot(is_present),
            2 => self.metadata.slot(is_present),
            3 => {
                self.has_items = true;
                Slot::Raw(&mut self.items)
            }
            _ => Slot::Absent,
        }
    }
}
