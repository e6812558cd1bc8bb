//! Watches: streams of events, decoded while the bytes arrive.
//!
//! Push bytes as they arrive, take events until there is none, and finish at the end of the stream:
//!
//! ```
//! use kapigen_runtime::meta_v1::PartialObjectMetadata;
//! use kapigen_runtime::{Error, Request, Watch, WatchEvent, http};
//!
//! /// Prints events of a watch, whose body arrives in pieces.
//! fn print(
//!     request: &Request<Watch<PartialObjectMetadata>>,
//!     head: &http::response::Parts,
//!     body: impl Iterator<Item = Vec<u8>>,
//! ) -> Result<(), Error> {
//!     let mut watch = request.open(head.status, &head.headers)?.body;
//!     for bytes in body {
//!         watch.push(&bytes);
//!         while let Some(event) = watch.next_event() {
//!             match event? {
//!                 WatchEvent::Added(object) | WatchEvent::Modified(object) => println!("{:?}", object.metadata.name),
//!                 WatchEvent::Deleted(object) => println!("{:?} is gone", object.metadata.name),
//!                 WatchEvent::Bookmark(bookmark) => println!("up to {}", bookmark.resource_version),
//!                 WatchEvent::Error(error) => return Err(Error::Api(error)),
//!             }
//!         }
//!     }
//!     watch.finish()
//! }
//! ```
//!
//! Every watch ends: servers close it after half an hour or an hour, and connections break. Then
//! watch again from the last [`WatchEvent::resource_version`]. After a 410, list again.

use crate::codec::json::{self, DecodeError};
use crate::codec::path::{KEY, shortened};
use crate::codec::{MemberVisitor, Object, Slot, Table, Target, Value, View};
use crate::kind::HasMetadata;
use crate::lexer::{Buffer, is_blank};
use crate::mask::form::HERE;
use crate::mask::{FieldMask, MaskOf, Masked, Observed, ResponseMask};
use crate::meta_v1::{ObjectMeta, RawJson, Status};
use crate::response::{
    ApiError, Error, FromResponse, FromStream, Head, RequestedStream, StreamDecoder,
};
use http::{HeaderValue, StatusCode};
use std::collections::BTreeMap;
use std::fmt;
use std::io::BufRead;
use std::marker::PhantomData;
use std::sync::Arc;

/// An event of a watch, with the object decoded. The event as it is in documents is
/// [`meta_v1::WatchEvent`](crate::meta_v1::WatchEvent).
#[derive(Clone, Debug, PartialEq)]
pub enum WatchEvent<T> {
    /// An object was created or began to match the selectors, or existed when the watch began.
    Added(Box<T>),
    /// An object changed.
    Modified(Box<T>),
    /// An object was deleted or ceased to match the selectors. This is its last state.
    Deleted(Box<T>),
    /// All events up to a resource version were delivered.
    Bookmark(Bookmark),
    /// The server ends the watch. With the code 410 it no longer has the requested version: list
    /// again.
    Error(Box<ApiError>),
}

/// The resource version up to which a watch has delivered all events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bookmark {
    /// The version to watch from after an interruption.
    pub resource_version: String,
    /// Annotations of the bookmark.
    pub annotations: BTreeMap<String, String>,
}

impl Bookmark {
    /// Whether this ends the objects that existed before, in a watch with `sendInitialEvents`.
    #[must_use]
    #[inline]
    pub fn initial_events_end(&self) -> bool {
        self.annotations.get("k8s.io/initial-events-end").is_some_and(|value| value == "true")
    }
}

impl<T: Observed<Object: HasMetadata>> WatchEvent<T> {
    /// The version to watch from after an interruption, if this event has one.
    #[must_use]
    #[inline]
    pub fn resource_version(&self) -> Option<&str> {
        let version = match self {
            WatchEvent::Added(object)
            | WatchEvent::Modified(object)
            | WatchEvent::Deleted(object) => {
                object.object().object_meta().resource_version.as_deref()
            }
            WatchEvent::Bookmark(bookmark) => Some(bookmark.resource_version.as_str()),
            WatchEvent::Error(_) => None,
        };
        version.filter(|version| !version.is_empty())
    }
}

/// Decodes a watch: bytes in, events out, for chunks of any size.
///
/// ```
/// use kapigen_runtime::meta_v1::PartialObjectMetadata;
/// use kapigen_runtime::{Watch, WatchEvent};
///
/// let mut watch = Watch::<PartialObjectMetadata>::default();
/// watch.push(br#"{"type":"ADDED","object":{"metadata":{"na"#);
/// assert!(watch.next_event().is_none());
/// watch.push(b"me\":\"web\"}}}\n");
/// let Some(Ok(WatchEvent::Added(object))) = watch.next_event() else { panic!("an object") };
/// assert_eq!(object.metadata.name.as_deref(), Some("web"));
/// ```
pub struct Watch<T> {
    lines: Lines,
    status: StatusCode,
    mask: Option<Arc<ResponseMask>>,
    object: PhantomData<fn() -> T>,
}

impl<T: Object + Value> Default for Watch<T> {
    fn default() -> Self {
        Self::new(StatusCode::OK, None)
    }
}

impl<T> Watch<T> {
    fn new(status: StatusCode, mask: Option<Arc<ResponseMask>>) -> Self {
        Self { lines: Lines::default(), status, mask, object: PhantomData }
    }
}

impl<T: Observed> Watch<T> {
    /// Adds the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.lines.push(bytes);
    }

    /// The next event, or `None` until more bytes are pushed.
    ///
    /// # Errors
    /// When a line is not an event. The lines after it can be decoded all the same.
    pub fn next_event(&mut self) -> Option<Result<WatchEvent<T>, Error>> {
        let status = self.status;
        let line = self.lines.next()?;
        let mask = self.mask.as_deref();
        Some(event(line, mask).map_err(|error| Error::decode_part(status, error)))
    }

    /// Ends the stream. Call it when there are no more bytes and no more events.
    ///
    /// # Errors
    /// [`Error::Truncated`] when the stream broke off within an event.
    pub fn finish(mut self) -> Result<(), Error> {
        let rest = self.lines.take_rest();
        if rest.is_empty() { Ok(()) } else { Err(Error::Truncated { rest }) }
    }
}

impl<T: Observed> StreamDecoder for Watch<T> {
    type Item = WatchEvent<T>;
    type End = ();

    fn push(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }

    fn next_item(&mut self) -> Option<Result<WatchEvent<T>, Error>> {
        self.next_event()
    }

    fn finish(self) -> Result<(), Error> {
        self.finish()
    }
}

impl<T: Object + Value> FromStream for Watch<T> {
    fn accept() -> HeaderValue {
        <T as FromResponse>::accept()
    }

    fn from_stream(head: &Head<'_>) -> Self {
        Self::new(head.status, None)
    }
}

impl<T: Object + Value> RequestedStream for Watch<Masked<T>> {
    fn begin(mask: Option<Arc<ResponseMask>>, head: &Head<'_>) -> Self {
        Self::new(head.status, mask)
    }
}

/// Stands for a watch, in [`MaskOf`].
#[derive(Debug)]
pub enum EachEvent {}

impl<T: HasMetadata> MaskOf<Watch<T>, EachEvent> for FieldMask<T> {
    type Response = Watch<Masked<T>>;

    #[inline]
    fn response_mask(&self) -> ResponseMask {
        self.of_objects()
    }
}

impl<T> fmt::Debug for Watch<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("pending", &self.lines.pending()).finish_non_exhaustive()
    }
}

pub(crate) fn event<T: Observed>(
    line: &[u8],
    mask: Option<&ResponseMask>,
) -> Result<WatchEvent<T>, DecodeError> {
    let mut object = Box::new(T::begin(HERE));
    let (kind, other) = read_envelope(line, object.decoding(HERE), mask)?;
    match kind.as_str() {
        "ADDED" => Ok(WatchEvent::Added(object)),
        "MODIFIED" => Ok(WatchEvent::Modified(object)),
        "DELETED" => Ok(WatchEvent::Deleted(object)),
        "BOOKMARK" => bookmark(line).map(WatchEvent::Bookmark),
        "ERROR" => Ok(WatchEvent::Error(Box::new(refusal(&other)))),
        // A server that fails before it begins may send a bare `Status`.
        "" => bare_status(line).ok_or_else(|| DecodeError::new("type: an event without a type")),
        other => Err(DecodeError::new(format!(
            "type: unknown type of event `{}`",
            shortened(other, KEY)
        ))),
    }
}

fn bookmark(line: &[u8]) -> Result<Bookmark, DecodeError> {
    let mut object = OnlyMetadata::default();
    read_object(line, &mut object, None)?;
    let resource_version = object.metadata.resource_version.unwrap_or_default();
    Ok(Bookmark { resource_version, annotations: object.metadata.annotations.unwrap_or_default() })
}

/// Servers send a `Status`. Anything else becomes the message of one.
fn refusal(object: &RawJson) -> ApiError {
    let text = object.as_str();
    let unknown = |_| Status { message: Some(text.to_owned()), ..Status::default() };
    ApiError::of_status(json::from_str::<Status>(text).unwrap_or_else(unknown))
}

fn bare_status<T>(line: &[u8]) -> Option<WatchEvent<T>> {
    let status = json::from_slice::<Status>(line)
        .ok()
        .filter(|status| status.kind.as_deref() == Some("Status"))?;
    Some(WatchEvent::Error(Box::new(ApiError::of_status(status))))
}

/// Decodes an event. Returns its type, and its object as JSON unless the event is a change: then
/// that is in `object`.
///
/// The last of repeated members counts, as everywhere, and every `object` must be one of the
/// event's type.
pub(crate) fn read_envelope(
    line: &[u8],
    object: &mut dyn Object,
    mask: Option<&ResponseMask>,
) -> Result<(String, RawJson), DecodeError> {
    let mut envelope = Envelope::new(Some(ObjectMember { object, is_there: false }));
    let done = json::read_part(Target::Object(&mut envelope), line, mask.map(|mask| &mask.event));
    if done.is_ok() && envelope.is_as_usual() {
        return Ok((envelope.kind, envelope.other));
    }
    // Where the type does not come first, or changes, the object is decoded when the type is known.
    let mut envelope = Envelope::new(None);
    json::read(Target::Object(&mut envelope), line)?;
    if is_change(&envelope.kind) {
        Slot::Object(object).clear();
        read_object(line, object, mask)?;
    }
    Ok((envelope.kind, envelope.other))
}

/// Decodes the object of an event of any type.
pub(crate) fn read_object(
    line: &[u8],
    object: &mut dyn Object,
    mask: Option<&ResponseMask>,
) -> Result<(), DecodeError> {
    let mut member = ObjectMember { object, is_there: false };
    json::read_part(Target::Object(&mut member), line, mask.map(|mask| &mask.only_object))?;
    if member.is_there {
        Ok(())
    } else {
        Err(DecodeError::new("object: an event without an object"))
    }
}

fn is_change(kind: &str) -> bool {
    matches!(kind, "ADDED" | "MODIFIED" | "DELETED")
}

/// An event.
struct Envelope<'a> {
    kind: String,
    /// The target of the object if the event is a change.
    object: Option<ObjectMember<'a>>,
    /// The object as JSON otherwise.
    other: RawJson,
    /// The number of members, and whether each came in its turn.
    members: usize,
    in_turn: bool,
}

impl<'a> Envelope<'a> {
    fn new(object: Option<ObjectMember<'a>>) -> Self {
        Self { kind: String::new(), object, other: RawJson::default(), members: 0, in_turn: true }
    }

    /// Whether there were a type and then an object, as servers write them.
    fn is_as_usual(&self) -> bool {
        let is_there =
            !is_change(&self.kind) || self.object.as_ref().is_some_and(|object| object.is_there);
        self.in_turn && self.members == 2 && is_there
    }
}

impl Object for Envelope<'_> {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("WatchEvent", "! type object");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.kind.visit_as_member(0, visitor);
        match &self.object {
            Some(member) if member.is_there => visitor.visit(1, View::Object(member.object)),
            _ => self.other.visit_as_member(1, visitor),
        }
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        if index > 1 {
            return Slot::Absent; // unknown members are not kept
        }
        self.in_turn &= index == self.members;
        self.members += 1;
        match (index, &mut self.object) {
            (0, _) => self.kind.slot(is_present),
            (_, Some(object)) if is_change(&self.kind) => object.slot(is_present),
            _ => self.other.slot(is_present),
        }
    }
}

/// The target of an object, and whether it was present.
struct ObjectMember<'a> {
    object: &'a mut dyn Object,
    is_there: bool,
}

impl ObjectMember<'_> {
    fn slot(&mut self, is_present: bool) -> Slot<'_> {
        if self.is_there && !is_present {
            Slot::Object(self.object).clear();
        }
        self.is_there = is_present;
        if is_present { Slot::Object(self.object) } else { Slot::Absent }
    }
}

/// An event of which only the object is decoded.
impl Object for ObjectMember<'_> {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("WatchEvent", "! object");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        if self.is_there {
            visitor.visit(0, View::Object(self.object));
        }
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.slot(is_present),
            _ => Slot::Absent,
        }
    }
}

/// The metadata of a bookmark's object, which has no other content: even required members are
/// empty.
#[derive(Default)]
pub(crate) struct OnlyMetadata {
    pub(crate) metadata: ObjectMeta,
}

impl Object for OnlyMetadata {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("Bookmark", "! metadata");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        self.metadata.visit_as_member(0, visitor);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.metadata.slot(is_present),
            _ => Slot::Absent,
        }
    }
}

/// Splits bytes into lines, incrementally.
#[derive(Default)]
pub(crate) struct Lines {
    buffer: Buffer,
    /// The number of unread bytes that were searched for the end of a line.
    scanned: usize,
}

impl Lines {
    /// Adds a chunk.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.buffer.push(chunk);
    }

    /// The number of unread bytes.
    pub(crate) fn pending(&self) -> usize {
        self.buffer.pending()
    }

    /// The next line that is not blank, without its end.
    pub(crate) fn next(&mut self) -> Option<&[u8]> {
        loop {
            let mut rest = &self.buffer.unread()[self.scanned..];
            // The search of the standard library takes many bytes at once. Slices have no errors.
            self.scanned += rest.skip_until(b'\n').unwrap_or(rest.len());
            if !self.buffer.unread()[..self.scanned].ends_with(b"\n") {
                return None;
            }
            let line = self.buffer.consume(self.scanned);
            self.scanned = 0;
            let line = line.start..line.end - 1;
            if !is_blank(self.buffer.piece(line.clone())) {
                return Some(self.buffer.piece(line));
            }
        }
    }

    /// The bytes after the last line.
    pub(crate) fn take_rest(&mut self) -> Vec<u8> {
        let rest = std::mem::take(self).buffer.unread().to_vec();
        if is_blank(&rest) { Vec::new() } else { rest }
    }
}

/// Shows nothing of the input.
impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lines({} bytes)", self.pending())
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    /// The lines of these chunks, and the rest.
    fn lines(chunks: &[&str]) -> (Vec<String>, String) {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        for chunk in chunks {
            lines.push(chunk.as_bytes());
            while let Some(line) = lines.next() {
                found.push(text(line));
            }
        }
        (found, text(&lines.take_rest()))
    }

    #[test]
    fn lines_are_found_however_the_bytes_are_cut() {
        let whole = "one\n\ntwo\r\n \t\nthree";
        let expected = (vec!["one".to_owned(), "two\r".to_owned()], "three".to_owned());
        assert_eq!(lines(&[whole]), expected);
        for cut in 0..=whole.len() {
            assert_eq!(lines(&[&whole[..cut], "", &whole[cut..]]), expected, "{cut}");
        }
        let bytes: Vec<&str> = (0..whole.len()).map(|at| &whole[at..=at]).collect();
        assert_eq!(lines(&bytes), expected);
    }

    #[test]
    fn blanks_are_no_rest() {
        assert_eq!(lines(&[]), (vec![], String::new()));
        assert_eq!(lines(&["\n \r\n", " "]), (vec![], String::new()));
        assert_eq!(lines(&["a"]), (vec![], "a".to_owned()));
        assert_eq!(
            lines(&["\u{c}\n\u{b}"]),
            (vec!["\u{c}".to_owned()], "\u{b}".to_owned()),
            "no white space of JSON"
        );
    }
}
