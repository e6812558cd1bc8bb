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
//! Every watch ends: servers close it after half an hour or an hour, and connections break. Then watch again from the
//! last [`WatchEvent::resource_version`]. After a 410, list again.

pub(crate) mod envelope;
mod lines;

use crate::codec::json::{self, DecodeError};
use crate::codec::path::{KEY, shortened};
use crate::codec::{Object, Value};
use crate::kind::Resource;
use crate::meta_v1::{RawJson, Status};
use crate::response::{ApiError, Error, FromResponse, FromStream, Head};
use envelope::OnlyMetadata;
use http::{HeaderValue, StatusCode};
pub(crate) use lines::Lines;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

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
    /// The server ends the watch. With the code 410 it no longer has the requested version: list again.
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

impl<T: Resource> WatchEvent<T> {
    /// The version to watch from after an interruption, if this event has one.
    #[must_use]
    #[inline]
    pub fn resource_version(&self) -> Option<&str> {
        let version = match self {
            WatchEvent::Added(object) | WatchEvent::Modified(object) | WatchEvent::Deleted(object) => {
                object.metadata().resource_version.as_deref()
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
    object: PhantomData<fn() -> T>,
}

impl<T> Default for Watch<T> {
    fn default() -> Self {
        Self { lines: Lines::default(), status: StatusCode::OK, object: PhantomData }
    }
}

impl<T: Object + Value> Watch<T> {
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

impl<T: Object + Value> FromStream for Watch<T> {
    type Item = WatchEvent<T>;
    type End = ();

    fn accept() -> HeaderValue {
        <T as FromResponse>::accept()
    }

    fn from_stream(head: &Head<'_>) -> Self {
        Self { status: head.status, ..Self::default() }
    }

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

impl<T> fmt::Debug for Watch<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("pending", &self.lines.pending()).finish_non_exhaustive()
    }
}

pub(crate) fn event<T: Object + Value>(line: &[u8]) -> Result<WatchEvent<T>, DecodeError> {
    let mut object = Box::new(T::empty());
    let (kind, other) = envelope::read(line, &mut *object)?;
    match kind.as_str() {
        "ADDED" => Ok(WatchEvent::Added(object)),
        "MODIFIED" => Ok(WatchEvent::Modified(object)),
        "DELETED" => Ok(WatchEvent::Deleted(object)),
        "BOOKMARK" => bookmark(line).map(WatchEvent::Bookmark),
        "ERROR" => Ok(WatchEvent::Error(Box::new(refusal(&other)))),
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

/// Servers send a `Status`. Anything else becomes the message of one.
fn refusal(object: &RawJson) -> ApiError {
    let text = object.as_str();
    let unknown = |_| Status { message: Some(text.to_owned()), ..Status::default() };
    ApiError::of_status(json::from_str::<Status>(text).unwrap_or_else(unknown))
}

fn bare_status<T>(line: &[u8]) -> Option<WatchEvent<T>> {
    let status = json::from_slice::<Status>(line).ok().filter(|status| status.kind.as_deref() == Some("Status"))?;
    Some(WatchEvent::Error(Box::new(ApiError::of_status(status))))
}
