//! Watching: a stream of changes, decoded as it comes.
//!
//! Push bytes as they come, take events until there is none, and finish at the end of the stream:
//!
//! ```text
//! let mut watch = request.decode_parts(status, &headers, &[])?.body;
//! while let Some(bytes) = client.next_bytes() {
//!     watch.push(&bytes);
//!     while let Some(event) = watch.next_event() {
//!         match event? { … }
//!     }
//! }
//! watch.finish()?;
//! ```
//!
//! Every watch ends some day: servers close it after half an hour or an hour, and connections break. Then watch again
//! from the last [`Event::resource_version`]. After a 410, list again.

pub(crate) mod envelope;
mod lines;

use crate::codec::json::{self, DecodeError};
use crate::codec::path::{KEY, shortened};
use crate::codec::{Object, Value};
use crate::kind::Resource;
use crate::meta_v1::{RawJson, Status};
use crate::response::{Answer, ApiError, Error, Head};
use envelope::OnlyMetadata;
use http::StatusCode;
pub(crate) use lines::Lines;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// A change.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<T> {
    /// An object appeared, or was there when the watch began.
    Added(Box<T>),
    /// An object changed.
    Modified(Box<T>),
    /// An object is gone. This is how it was last.
    Deleted(Box<T>),
    /// Nothing happened, but everything up to a version has been told.
    Bookmark(Bookmark),
    /// The server ends the watch. With the code 410 the version that was asked for is forgotten: list again.
    Error(Box<ApiError>),
}

/// Up to where a watch has told everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookmark {
    /// The version to watch from after an interruption.
    pub resource_version: String,
    /// What the server has to add.
    pub annotations: BTreeMap<String, String>,
}

impl Bookmark {
    /// Whether this ends the objects that were there before, in a watch with `sendInitialEvents`.
    #[must_use]
    pub fn initial_events_end(&self) -> bool {
        self.annotations.get("k8s.io/initial-events-end").is_some_and(|value| value == "true")
    }
}

impl<T: Resource> Event<T> {
    /// The version to watch from after an interruption, if this event tells one.
    #[must_use]
    pub fn resource_version(&self) -> Option<&str> {
        let version = match self {
            Event::Added(object) | Event::Modified(object) | Event::Deleted(object) => {
                object.metadata().resource_version.as_deref()
            }
            Event::Bookmark(bookmark) => Some(bookmark.resource_version.as_str()),
            Event::Error(_) => None,
        };
        version.filter(|version| !version.is_empty())
    }
}

/// Decodes a watch: bytes in, events out, however the bytes are cut.
pub struct Watch<T> {
    lines: Lines,
    status: StatusCode,
    object: PhantomData<fn() -> T>,
}

impl<T> Default for Watch<T> {
    fn default() -> Self {
        Self { lines: Lines::default(), status: StatusCode::OK, object: PhantomData }
    }
}

impl<T: Object + Value> Watch<T> {
    /// Takes the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.lines.push(bytes);
    }

    /// The next event, or `None` until more bytes come.
    ///
    /// # Errors
    /// When a line is not an event. The lines after it can be read all the same.
    pub fn next_event(&mut self) -> Option<Result<Event<T>, Error>> {
        let status = self.status;
        let line = self.lines.next()?;
        Some(event(line).map_err(|error| Error::decode_part(status, error)))
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

/// The beginning of a stream. The body may hold events already, or be empty.
impl<T: Object + Value> Answer for Watch<T> {
    fn decode(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        let mut watch = Self { status: head.status, ..Self::default() };
        watch.push(body);
        Ok(watch)
    }
}

impl<T> fmt::Debug for Watch<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("pending", &self.lines.pending()).finish_non_exhaustive()
    }
}

pub(crate) fn event<T: Object + Value>(line: &[u8]) -> Result<Event<T>, DecodeError> {
    let mut object = Box::new(T::empty());
    let (kind, other) = envelope::read(line, &mut *object)?;
    match kind.as_str() {
        "ADDED" => Ok(Event::Added(object)),
        "MODIFIED" => Ok(Event::Modified(object)),
        "DELETED" => Ok(Event::Deleted(object)),
        "BOOKMARK" => bookmark(line).map(Event::Bookmark),
        "ERROR" => Ok(Event::Error(Box::new(refusal(&other)))),
        // A server that gives up before it begins may send a bare `Status`.
        "" => bare_status(line).ok_or_else(|| DecodeError::new("type: an event without a type")),
        other => Err(DecodeError::new(format!("type: unknown type of event `{}`", shortened(other, KEY)))),
    }
}

fn bookmark(line: &[u8]) -> Result<Bookmark, DecodeError> {
    let mut object = OnlyMetadata::default();
    envelope::read_object(line, &mut object)?;
    let resource_version = object.metadata.resource_version.unwrap_or_default();
    Ok(Bookmark { resource_version, annotations: object.metadata.annotations.unwrap_or_default() })
}

/// Servers send a `Status`. If it is something else, that is all the message there is.
fn refusal(object: &RawJson) -> ApiError {
    let text = object.as_str();
    let unknown = |_| Status { message: Some(text.to_owned()), ..Status::default() };
    ApiError::of_status(json::from_str::<Status>(text).unwrap_or_else(unknown))
}

fn bare_status<T>(line: &[u8]) -> Option<Event<T>> {
    let status = json::from_slice::<Status>(line).ok().filter(|status| status.kind.as_deref() == Some("Status"))?;
    Some(Event::Error(Box::new(ApiError::of_status(status))))
}
