//! Splitting of a list's bytes into items. The loops over bytes are compiled here: programs may be without optimization.

use crate::lexer::{Buffer, end_of_string};
use std::ops::Range;

/// Splits the bytes of an object at the elements of its member `items`. It examines strings and brackets only: errors
/// are found when the pieces are decoded.
#[derive(Default)]
pub(super) struct Cutter {
    buffer: Buffer,
    /// The number of unread bytes that were searched for the end of a piece.
    scanned: usize,
    /// The number of open objects and arrays.
    depth: usize,
    /// The offset of the open string, if there is one.
    string: Option<usize>,
    /// The last string of the outermost object. If an array begins, it is the key of that.
    key: Range<usize>,
    part: Part,
}

/// A part of a list.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Part {
    /// The bytes before the first item, including the bracket that opens the array.
    #[default]
    Head,
    /// An item, including the comma or bracket after it.
    Item,
    /// The bytes after the bracket that closes the array.
    Tail,
}

impl Cutter {
    /// Adds a chunk.
    #[inline]
    pub(super) fn push(&mut self, chunk: &[u8]) {
        self.buffer.push(chunk);
    }

    /// The number of bytes that were not split off yet.
    #[inline]
    pub(super) fn pending(&self) -> usize {
        self.buffer.pending()
    }

    /// The next piece that is complete, for [`text`](Self::text). The tail never is: see [`rest`](Self::rest).
    #[inline]
    pub(super) fn next(&mut self) -> Option<(Part, Range<usize>)> {
        let part = self.part;
        if part == Part::Tail || !self.seek() {
            return None;
        }
        Some((part, self.buffer.consume(std::mem::take(&mut self.scanned))))
    }

    /// The bytes of a piece, until more bytes are pushed.
    #[inline]
    pub(super) fn text(&self, piece: Range<usize>) -> &[u8] {
        self.buffer.piece(piece)
    }

    /// The bytes that were not split off, and the part to which they belong.
    #[inline]
    pub(super) fn rest(&self) -> (Part, &[u8]) {
        (self.part, self.buffer.unread())
    }

    /// Advances to the end of the current piece, if it has arrived.
    fn seek(&mut self) -> bool {
        while let Some(&byte) = self.buffer.unread().get(self.scanned) {
            if let Some(start) = self.string {
                if !self.pass_string(start) {
                    return false;
                }
                continue;
            }
            self.scanned += 1;
            match byte {
                b'"' => self.string = Some(self.scanned - 1),
                b'{' | b'[' => {
                    self.depth += 1;
                    if self.part == Part::Head && byte == b'[' && self.depth == 2 && self.is_at_items() {
                        self.part = Part::Item;
                        return true;
                    }
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.part == Part::Item && self.depth < 2 {
                        self.part = Part::Tail;
                        return true;
                    }
                }
                b',' if self.part == Part::Item && self.depth == 2 => return true,
                _ => {}
            }
        }
        false
    }

    /// Advances to the end of the string that began here, if it has arrived.
    fn pass_string(&mut self, start: usize) -> bool {
        match end_of_string(self.buffer.unread(), self.scanned) {
            Ok(end) => self.scanned = end,
            Err(scanned) => {
                self.scanned = scanned;
                return false;
            }
        }
        self.string = None;
        if self.depth == 1 {
            self.key = start..self.scanned;
        }
        true
    }

    #[inline]
    fn is_at_items(&self) -> bool {
        let key = self.buffer.unread().get(self.key.clone()).unwrap_or_default();
        key == b"\"items\"" || key.contains(&b'\\') && super::from_slice::<String>(key).is_ok_and(|key| key == "items")
    }
}
