//! Decoding of whole documents, and of the parts of a list.

use super::read::{LEVELS, Reader};
use crate::codec::member_set::MemberSet;
use crate::codec::{Object, Target, presence};
use crate::lexer::{Fault, Result};

impl Reader<'_> {
    /// Decodes the whole input as one value.
    pub(super) fn document(&mut self, target: Target<'_>) -> Result {
        self.value(|is_present| target.slot(is_present))?;
        self.lexer.end()
    }

    /// Decodes an item of a list, and consumes the comma or bracket after it.
    #[inline]
    pub(super) fn element(&mut self, target: Target<'_>) -> Result {
        self.levels -= 2; // the list, and the array in it
        self.value(|is_present| target.slot(is_present))?;
        self.lexer.comma_or_close(b']')?;
        self.lexer.end()
    }

    /// Skips an item of a list, and the comma or bracket after it.
    #[inline]
    pub(super) fn skip_element(&mut self) -> Result {
        self.lexer.skip()?;
        self.lexer.comma_or_close(b']')?;
        self.lexer.end()
    }

    /// Decodes the first members of an object, and the end that the input has in place of the others. Returns the
    /// members. The caller checks the kind of the object.
    #[inline]
    pub(super) fn first_members(&mut self, object: &mut dyn Object) -> Result<MemberSet> {
        let table = object.table();
        self.at_object(table)?;
        let start = self.lexer.at;
        table.keys.index().required(object); // while it is empty
        let has_more = self.open(b'{', b'}')?;
        let mut present = MemberSet::default();
        let done = self.members(object, &mut present, has_more);
        done.map_err(|fault| self.other_kind(table, start).unwrap_or(fault))?;
        self.lexer.end()?;
        Ok(present)
    }

    /// Decodes the other members of the object, up to its end. One of the first members may be closed.
    #[inline]
    pub(super) fn other_members(
        &mut self,
        object: &mut dyn Object,
        mut present: MemberSet,
        closed: Option<usize>,
    ) -> Result {
        self.levels -= 1;
        self.closed = closed;
        let has_more = self.lexer.comma_or_close(b'}')?;
        self.members(object, &mut present, has_more)?;
        let required = object.table().keys.index().required(object);
        presence::end(object, required, &present);
        self.lexer.end()
    }

    /// Only members of the outermost object are closed.
    #[inline]
    pub(super) fn refuse_closed(&mut self, index: usize) -> Result {
        if self.closed != Some(index) || self.levels != LEVELS - 1 {
            return Ok(());
        }
        self.lexer.peek();
        Err(Fault::message(self.lexer.at, "repeated, after its elements were returned"))
    }
}
