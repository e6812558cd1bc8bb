//! Reading of whole texts, and of the parts of a list.

use super::error::Fault;
use super::read::{LEVELS, Reader, Result};
use crate::codec::table::Seen;
use crate::codec::{Object, Target};

impl Reader<'_> {
    /// Reads the whole text as one value.
    pub(super) fn document(&mut self, target: Target<'_>) -> Result {
        self.value(|is_present| target.slot(is_present))?;
        self.end()
    }

    /// Reads an item of a list, and the comma or bracket behind it.
    pub(super) fn element(&mut self, target: Target<'_>) -> Result {
        self.levels -= 2; // the list, and the array in it
        self.value(|is_present| target.slot(is_present))?;
        self.goes_on(b']')?;
        self.end()
    }

    /// Reads the whole text as one object, and leaves it to the caller whether it is of the right kind.
    pub(super) fn object_of_any_kind(&mut self, object: &mut dyn Object) -> Result {
        let table = object.table();
        self.at_object(table)?;
        let start = self.at;
        let goes_on = self.open(b'{', b'}')?;
        let done = self.members(object, Seen::default(), goes_on);
        done.map_err(|fault| self.other_kind(table, start).unwrap_or(fault))?;
        self.end()
    }

    /// Reads the members of an object that has begun before this text. One of them may be closed.
    pub(super) fn members_behind(&mut self, object: &mut dyn Object, closed: Option<usize>) -> Result {
        self.levels -= 1;
        self.closed = closed;
        let goes_on = self.goes_on(b'}')?;
        self.members(object, Seen::ALL, goes_on)?;
        self.end()
    }

    fn end(&mut self) -> Result {
        match self.peek() {
            0 if self.at == self.text.len() => Ok(()),
            _ => Err(Fault::expected(self.at, "the end of the text")),
        }
    }

    /// Only members of the outermost object are closed.
    pub(super) fn refuse_closed(&mut self, index: usize) -> Result {
        if self.closed != Some(index) || self.levels != LEVELS - 1 {
            return Ok(());
        }
        self.peek();
        Err(Fault::says(self.at, "repeated, after what it held was handed out"))
    }
}
