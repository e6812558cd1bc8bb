//! Large lists: items, decoded while the bytes arrive.
//!
//! A list of many objects need not be in memory as a whole, neither as bytes nor as objects. Turn
//! the request for the list into a request for a stream of [`Items`], push bytes as they arrive,
//! take items until there is none, and finish at the end:
//!
//! ```
//! use kapigen_runtime::meta_v1::PartialObjectMetadataList;
//! use kapigen_runtime::{Error, Items, Request, http};
//!
//! /// The names of all objects of a list, whose body arrives in pieces.
//! fn names(
//!     request: Request<PartialObjectMetadataList>,
//!     head: &http::response::Parts,
//!     body: impl Iterator<Item = Vec<u8>>,
//! ) -> Result<Vec<String>, Error> {
//!     let request = request.stream_as::<Items<PartialObjectMetadataList>>();
//!     let mut items = request.open(head.status, &head.headers)?.body;
//!     let mut names = Vec::new();
//!     for bytes in body {
//!         items.push(&bytes);
//!         while let Some(item) = items.next_item() {
//!             names.extend(item?.metadata.name);
//!         }
//!     }
//!     let _list = items.finish()?; // the metadata of the list; its items were taken
//!     Ok(names)
//! }
//! ```
//!
//! Items are returned before the bytes after them have arrived. So a kind that is stated before
//! them must match, and there can be no second `items` after them. Other ways to decode use the
//! last of repeated members.
//!
//! With a blocking reader and memory for all objects, [`from_reader`](crate::from_reader) does it
//! in one call.

use crate::codec::Target;
use crate::codec::json::{DecodeError, Stream};
use crate::kind::ResourceList;
use crate::mask::form::{Form as _, HERE};
use crate::mask::{FieldMask, MaskOf, Masked, ObservedList, ResponseMask};
use crate::response::{Error, FromResponse, FromStream, Head, RequestedStream, StreamDecoder};
use http::{HeaderValue, StatusCode};
use std::fmt;
use std::sync::Arc;

/// Decodes a list: bytes in, items out, for chunks of any size.
///
/// ```
/// use kapigen_runtime::Items;
/// use kapigen_runtime::meta_v1::PartialObjectMetadataList;
///
/// let mut items = Items::<PartialObjectMetadataList>::default();
/// items.push(br#"{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}},{"meta"#);
/// assert_eq!(items.next_item().unwrap()?.metadata.name.as_deref(), Some("a"));
/// assert!(items.next_item().is_none());
/// items.push(br#"data":{"name":"b"}}]}"#);
/// assert_eq!(items.next_item().unwrap()?.metadata.name.as_deref(), Some("b"));
/// assert_eq!(items.finish()?.metadata.resource_version.as_deref(), Some("7"));
/// # Ok::<(), kapigen_runtime::Error>(())
/// ```
pub struct Items<L> {
    stream: Stream,
    list: L,
    status: StatusCode,
    mask: Option<Arc<ResponseMask>>,
}

impl<L: ResourceList> Default for Items<L> {
    fn default() -> Self {
        Self::new(StatusCode::OK, None)
    }
}

impl<L: ObservedList> Items<L> {
    fn new(status: StatusCode, mask: Option<Arc<ResponseMask>>) -> Self {
        Self { stream: Stream::incremental(), list: L::begin(HERE), status, mask }
    }

    /// Adds the next bytes of the list.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        self.stream.push(bytes);
    }

    /// The next item, or `None` until more bytes are pushed.
    ///
    /// # Errors
    /// When an item cannot be decoded; those after it can be decoded all the same. When the members
    /// before the items state another kind.
    pub fn next_item(&mut self) -> Option<Result<L::Item, Error>> {
        let text = self.stream.next(self.list.decoding(HERE))?;
        let mut item = L::Item::begin(HERE);
        let mask = self.mask.as_ref().map(|mask| &mask.object);
        let read = text.and_then(|text| text.read(Target::Object(item.decoding(HERE)), mask));
        #[cfg(feature = "dynamic")] // without it, the call would be compiled for each list
        crate::codec::stated::complete_item(item.decoding(HERE), self.list.decoding(HERE));
        Some(read.map(|()| item).map_err(|error| failure(self.status, error)))
    }

    /// Ends the list and returns it without its items. Call it when there are no more bytes and no
    /// more items.
    ///
    /// # Errors
    /// When the list broke off, states another kind, or has a second `items`.
    #[inline]
    pub fn finish(mut self) -> Result<L, Error> {
        self.stream
            .finish(Target::Object(self.list.decoding(HERE)))
            .map_err(|error| failure(self.status, error))?;
        Ok(self.list)
    }
}

#[inline]
fn failure(status: StatusCode, error: DecodeError) -> Error {
    Error::decode_part(status, error)
}

impl<L: ObservedList> StreamDecoder for Items<L> {
    type Item = L::Item;
    type End = L;

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }

    fn next_item(&mut self) -> Option<Result<L::Item, Error>> {
        self.next_item()
    }

    #[inline]
    fn finish(self) -> Result<L, Error> {
        self.finish()
    }
}

impl<L: ResourceList> FromStream for Items<L> {
    fn accept() -> HeaderValue {
        <L as FromResponse>::accept()
    }

    fn from_stream(head: &Head<'_>) -> Self {
        Self::new(head.status, None)
    }
}

impl<L: ResourceList> RequestedStream for Items<Masked<L>> {
    fn begin(mask: Option<Arc<ResponseMask>>, head: &Head<'_>) -> Self {
        Self::new(head.status, mask)
    }
}

/// Represents the items of a list, in [`MaskOf`].
#[derive(Debug)]
pub enum EachItem {}

impl<L: ResourceList> MaskOf<Items<L>, EachItem> for FieldMask<L::Item> {
    type Response = Items<Masked<L>>;

    #[inline]
    fn response_mask(&self) -> ResponseMask {
        self.of_objects()
    }
}

impl<L> fmt::Debug for Items<L> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("pending", &self.stream.pending()).finish_non_exhaustive()
    }
}
