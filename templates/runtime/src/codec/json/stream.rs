//! Incremental decoding of lists. Few programs without machines do that, so all of it is inline,
//! and so is [`super::cut`].

use super::error::{Base, DecodeError, Position};
use super::read::{Mask, Reader};
use crate::codec::MemberSet;
use crate::codec::{List, Object, Slot, Target, Value, identity};
use crate::lexer::{Buffer, Fault, Result as Read, end_of_string, is_blank};
use std::ops::Range;
use std::{fmt, io, mem};

/// The number of bytes to read at once.
const CHUNK: usize = 64 * 1024;

/// Decodes a list incrementally: bytes in, items out. Keeps incomplete items only.
#[derive(Default)]
pub(crate) struct Stream {
    cutter: Cutter,
    /// The members before the items, and the items.
    first: MemberSet,
    /// The number of items so far.
    count: usize,
    /// The position of the next piece.
    position: Position,
    /// Whether items are returned before the whole list was decoded.
    is_incremental: bool,
}

/// An item as JSON.
pub(crate) struct Item<'a> {
    text: &'a [u8],
    index: usize,
    position: Position,
}

/// Shows nothing of the input.
impl fmt::Debug for Stream {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Stream {
    /// A stream that returns items before the whole list was decoded. Then no later member can
    /// change them: a kind that is stated before them must match, and a second array of items is
    /// rejected.
    #[inline]
    pub(crate) fn incremental() -> Self {
        Self { is_incremental: true, ..Self::default() }
    }

    /// Adds the next bytes.
    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.cutter.push(bytes);
    }

    /// The number of unread bytes.
    #[inline]
    pub(crate) fn pending(&self) -> usize {
        self.cutter.pending()
    }

    /// The next complete item. Decodes the members before the items into `list`.
    #[inline]
    pub(crate) fn next(&mut self, list: &mut dyn Object) -> Option<Result<Item<'_>, DecodeError>> {
        loop {
            let (part, piece) = self.cutter.next()?;
            let text = self.cutter.text(piece.clone());
            let behind = self.position.behind(text);
            let position = mem::replace(&mut self.position, behind);
            if part == ListPart::Head {
                match head(list, text, self.is_incremental) {
                    Ok(first) => self.first = first,
                    Err(error) => return Some(Err(error)),
                }
            } else if self.count > 0 || !is_end(text) {
                self.count += 1;
                return Some(Ok(Item {
                    text: self.cutter.text(piece),
                    index: self.count - 1,
                    position,
                }));
            }
        }
    }

    /// Decodes the members after the items. Call it when there are no more bytes and no more items.
    #[inline]
    pub(crate) fn finish(self, list: Target<'_>) -> Result<(), DecodeError> {
        let Self { cutter, first, count, position, is_incremental } = self;
        match cutter.rest() {
            (ListPart::Head, text) => super::read(list, text),
            // It is truncated, so decoding it fails with the right error.
            #[allow(clippy::redundant_closure_for_method_calls)]
            // a method of one lifetime would not do
            (ListPart::Item, text) => {
                Item { text, index: count, position }.part(|reader| reader.skip_element())
            }
            (ListPart::Tail, text) => tail(list, first, text, position, is_incremental),
        }
    }
}

impl Item<'_> {
    /// Decodes the item.
    #[inline]
    pub(crate) fn read(&self, item: Target<'_>, mask: Option<&Mask>) -> Result<(), DecodeError> {
        self.part(|reader| reader.element(item, mask))
    }

    /// The bytes of the item, without the comma or bracket after it.
    #[cfg(feature = "machines")]
    #[inline]
    pub(crate) fn text(&self) -> &[u8] {
        &self.text[..self.text.len().saturating_sub(1)]
    }

    #[inline]
    fn part(&self, read: impl FnOnce(&mut Reader<'_>) -> Read) -> Result<(), DecodeError> {
        let base = || Base {
            path: format!("items[{}]", self.index),
            is_in_object: false,
            position: self.position,
        };
        part(self.text, base, read)
    }
}

/// Decodes the members before the items. Returns them.
#[inline]
fn head(
    list: &mut dyn Object,
    text: &[u8],
    is_incremental: bool,
) -> Result<MemberSet, DecodeError> {
    let text = [text, b"]}"].concat(); // as if there were no items
    let first = part(&text, Base::default, |reader| reader.first_members(list))?;
    if is_incremental {
        kind(list)?;
    }
    Ok(first)
}

/// Whether the array ends before its first item.
#[inline]
fn is_end(text: &[u8]) -> bool {
    text.strip_suffix(b"]").is_some_and(is_blank)
}

/// Decodes the members after the items, and checks together with those before them that it is such
/// a list.
#[inline]
fn tail(
    list: Target<'_>,
    first: MemberSet,
    text: &[u8],
    position: Position,
    is_incremental: bool,
) -> Result<(), DecodeError> {
    let Slot::Object(list) = list.slot(true) else { unreachable!("only an object has items") };
    let base = || Base { path: String::new(), is_in_object: true, position };
    let closed = if is_incremental { list.table().keys.index().find("items") } else { None };
    part(text, base, |reader| reader.other_members(list, first, closed))?;
    kind(list)
}

/// Rejects a list that states another kind.
#[inline]
fn kind(list: &dyn Object) -> Result<(), DecodeError> {
    identity::check(list, list.table()).map_err(|mismatch| {
        DecodeError::of_fault(&Fault::message(0, mismatch), "", &Base::default())
    })
}

/// Decodes a part. Only an error needs its position in the whole.
#[inline]
fn part<T>(
    text: &[u8],
    base: impl Fn() -> Base,
    read: impl FnOnce(&mut Reader<'_>) -> Read<T>,
) -> Result<T, DecodeError> {
    let text = str::from_utf8(text).map_err(|error| DecodeError::of_utf8(text, error, &base()))?;
    read(&mut Reader::new(text)).map_err(|fault| DecodeError::of_fault(&fault, text, &base()))
}

/// Decodes a value from a reader. Of a list, only one item at a time is buffered as JSON.
#[inline]
pub(super) fn read_from(value: &mut dyn Value, input: &mut dyn io::Read) -> io::Result<()> {
    // An optional member would be absent, and may have to stay so.
    let is_list = object(value).is_some_and(|object| items(object, false).is_some());
    if is_list { read_list(value, input) } else { read_whole(value, input) }
}

#[inline]
fn read_whole(value: &mut dyn Value, input: &mut dyn io::Read) -> io::Result<()> {
    let mut text = Vec::new();
    input.read_to_end(&mut text)?;
    Ok(super::read(Target::Value(value), &text)?)
}

#[inline]
fn read_list(value: &mut dyn Value, input: &mut dyn io::Read) -> io::Result<()> {
    let mut stream = Stream::default();
    let mut chunk = vec![0; CHUNK];
    loop {
        let length = match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        stream.push(&chunk[..length]);
        while let Some(list) = object(value)
            && let Some(item) = stream.next(list)
        {
            let item = item?;
            let read =
                items(list, true).map_or(Ok(()), |list| item.read(Target::Element(list), None));
            // Items of another list fail at the first difference, which is not the cause.
            read.map_err(|error| object(value).and_then(|list| kind(list).err()).unwrap_or(error))?;
        }
    }
    if let Some(list) = object(value).and_then(|object| items(object, true)) {
        list.finish();
    }
    Ok(stream.finish(Target::Value(value))?)
}

#[inline]
fn object(value: &mut dyn Value) -> Option<&mut dyn Object> {
    match value.slot(true) {
        Slot::Object(object) => Some(object),
        _ => None,
    }
}

/// The member `items`, if it is a list.
#[inline]
fn items(object: &mut dyn Object, is_present: bool) -> Option<&mut dyn List> {
    let index = object.table().keys.index().find("items")?;
    match object.member_mut(index, is_present) {
        Slot::List(list) => Some(list),
        _ => None,
    }
}

impl From<DecodeError> for io::Error {
    #[inline]
    fn from(error: DecodeError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

/// Splits the bytes of an object at the elements of its member `items`. It examines strings and
/// brackets only: errors are found when the pieces are decoded.
#[derive(Default)]
struct Cutter {
    buffer: Buffer,
    /// The number of unread bytes that were searched for the end of a piece.
    scanned: usize,
    /// The number of open objects and arrays.
    depth: usize,
    /// The offset of the open string, if there is one.
    string: Option<usize>,
    /// The last string of the outermost object. If an array begins, it is the key of that.
    key: Range<usize>,
    part: ListPart,
}

/// A part of a list.
#[derive(Clone, Copy, Default, PartialEq)]
enum ListPart {
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
    fn push(&mut self, chunk: &[u8]) {
        self.buffer.push(chunk);
    }

    /// The number of bytes that were not split off yet.
    #[inline]
    fn pending(&self) -> usize {
        self.buffer.pending()
    }

    /// The next piece that is complete, for [`text`](Self::text). The tail never is: see
    /// [`rest`](Self::rest).
    #[inline]
    fn next(&mut self) -> Option<(ListPart, Range<usize>)> {
        let part = self.part;
        if part == ListPart::Tail || !self.seek() {
            return None;
        }
        Some((part, self.buffer.consume(std::mem::take(&mut self.scanned))))
    }

    /// The bytes of a piece, until more bytes are pushed.
    #[inline]
    fn text(&self, piece: Range<usize>) -> &[u8] {
        self.buffer.piece(piece)
    }

    /// The bytes that were not split off, and the part to which they belong.
    #[inline]
    fn rest(&self) -> (ListPart, &[u8]) {
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
                    if self.part == ListPart::Head
                        && byte == b'['
                        && self.depth == 2
                        && self.is_at_items()
                    {
                        self.part = ListPart::Item;
                        return true;
                    }
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.part == ListPart::Item && self.depth < 2 {
                        self.part = ListPart::Tail;
                        return true;
                    }
                }
                b',' if self.part == ListPart::Item && self.depth == 2 => return true,
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
        key == b"\"items\""
            || key.contains(&b'\\')
                && super::from_slice::<String>(key).is_ok_and(|key| key == "items")
    }
}
