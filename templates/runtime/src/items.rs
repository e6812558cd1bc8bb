//! Large lists: items, decoded as they come.
//!
//! A list of many objects need not be in memory as text, nor as objects all at once. Ask for it like for any list, read
//! the answer as [`Items`], push bytes as they come, take items until there is none, and finish at the end:
//!
//! ```text
//! let request = core_v1::pods::list("default", &params)?.answer_as::<Items<PodList>>();
//! let mut items = request.decode_parts(status, &headers, &[])?.body;
//! while let Some(bytes) = client.next_bytes() {
//!     items.push(&bytes);
//!     while let Some(pod) = items.next_item() {
//!         let pod = pod?;
//!     }
//! }
//! let list = items.finish()?; // its metadata; the items were taken
//! ```
//!
//! Items are handed out before what stands behind them is known. So a kind that is stated before them must be right, and
//! there can be no second `items` behind them. Other ways to read take the last of repeated members.
//!
//! With a blocking reader and memory for all objects, [`from_reader`](crate::from_reader) does it in one call.

use crate::codec::json::{DecodeError, Stream};
use crate::codec::{Target, Value};
use crate::kind::ResourceList;
use crate::response::{Answer, Error, Head};
use http::StatusCode;
use std::fmt;

/// Decodes a list: bytes in, items out, however the bytes are cut.
pub struct Items<L> {
    stream: Stream,
    list: L,
    status: StatusCode,
}

impl<L: ResourceList> Default for Items<L> {
    fn default() -> Self {
        Self { stream: Stream::handing_out(), list: L::empty(), status: StatusCode::OK }
    }
}

impl<L: ResourceList> Items<L> {
    /// Takes the next bytes of the list.
    pub fn push(&mut self, bytes: &[u8]) {
        self.stream.push(bytes);
    }

    /// The next item, or `None` until more bytes come.
    ///
    /// # Errors
    /// When an item cannot be read; those after it can be read all the same. When what stands before the items says
    /// that this is another list.
    pub fn next_item(&mut self) -> Option<Result<L::Item, Error>> {
        let text = self.stream.next(&mut self.list)?;
        let mut item = L::Item::empty();
        let read = text.and_then(|text| text.read(Target::Value(&mut item)));
        Some(read.map(|()| item).map_err(|error| failure(self.status, error)))
    }

    /// Ends the list and gives what is not an item of it. Call it when there are no more bytes and no more items.
    ///
    /// # Errors
    /// When the list broke off, says that it is another one, or has a second `items`.
    pub fn finish(mut self) -> Result<L, Error> {
        self.stream.finish(Target::Object(&mut self.list)).map_err(|error| failure(self.status, error))?;
        Ok(self.list)
    }
}

fn failure(status: StatusCode, error: DecodeError) -> Error {
    Error::decode_part(status, error)
}

/// The beginning of a list. The body may hold items already, or be empty.
impl<L: ResourceList> Answer for Items<L> {
    fn decode(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        let mut items = Self { status: head.status, ..Self::default() };
        items.push(body);
        Ok(items)
    }
}

impl<L> fmt::Debug for Items<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("pending", &self.stream.pending()).finish_non_exhaustive()
    }
}
