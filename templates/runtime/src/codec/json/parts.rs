//! Decoding of whole texts, and of the parts of a list.

use super::read::{LEVELS, Reader};
use crate::codec::table::Seen;
use crate::codec::{Object, Target};
use crate::lexer::{Fault, Result};

impl Reader<'_> {
    /// Reads the whole text as one value.
    pub(super) fn document(&mut self, target: Target<'_>) -> Result {
        self.value(|is_present| target.slot(is_present))?;
        self.lexer.end()
    }

    /// Reads an item of a list, and the comma or bracket behind it.
    pub(super) fn element(&mut self, target: Target<'_>) -> Result {
        self.levels -= 2; // the list, and the array in it
        self.value(|is_present| target.slot(is_present))?;
        self.lexer.comma_or_close(b']')?;
        self.lexer.end()
    }

    /// Skips an item of a list, and the comma or bracket behind it.
    pub(super) fn skip_element(&mut self) -> Result {
        self.lexer.skip()?;
        self.lexer.comma_or_close(b']')?;
        self.lexer.end()
    }

    /// Reads the whole text as one object, and leaves it to the caller whether it is of the right kind.
    pub(super) fn object_of_any_kind(&mut self, object: &mut dyn Object) -> Result {
        let table = object.table();
        self.at_object(table)?;
        let start = self.lexer.at;
        let has_more = self.open(b'{', b'}')?;
        let done = self.members(object, Seen::default(), has_more);
        done.map_err(|fault| self.other_kind(table, start).unwrap_or(fault))?;
        self.lexer.end()
    }

    /// Reads the members of an object that has begun before this text. One of them may be closed.
    pub(super) fn members_behind(&mut self, object: &mut dyn Object, closed: Option<usize>) -> Result {
        self.levels -= 1;
        self.closed = closed;
        let has_more = self.lexer.comma_or_close(b'}')?;
        self.members(object, Seen::ALL, has_more)?;
        self.lexer.end()
    }

    /// Only members of the outermost object are closed.
    pub(super) fn refuse_closed(&mut self, index: usize) -> Result {
        if self.closed != Some(index) || self.levels != LEVELS - 1 {
            return Ok(());
        }
        self.lexer.peek();
        Err(Fault::message(self.lexer.at, "repeated, after what it held was handed out"))
    }
}
