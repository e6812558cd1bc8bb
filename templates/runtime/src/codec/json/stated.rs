//! The identity of an object that cannot be decoded.

use crate::codec::{MemberVisitor, Object, Slot, Table, View, identity};

/// `apiVersion` and `kind` of an object as JSON of any type. Ignores all other members.
#[derive(Default)]
pub(super) struct Stated {
    api_version: String,
    kind: String,
}

impl Stated {
    /// The difference between the identity and those of the table.
    pub(super) fn mismatch(&self, wanted: &Table) -> Option<String> {
        let string = |value: &str| super::from_str::<String>(value).unwrap_or_default();
        identity::mismatch(wanted, &string(&self.api_version), &string(&self.kind))
    }
}

impl Object for Stated {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("object", " apiVersion kind");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        visitor.visit(0, View::Raw(&self.api_version));
        visitor.visit(1, View::Raw(&self.kind));
    }
    fn member_mut(&mut self, index: usize, _: bool) -> Slot<'_> {
        match index {
            0 => Slot::Raw(&mut self.api_version),
            1 => Slot::Raw(&mut self.kind),
            _ => Slot::Absent,
        }
    }
}
