//! Watches that decode events as their bytes arrive.

use super::{Pieces, object};
use openshift_api::WatchEvent;
use openshift_api::meta_v1::{self, Status};
use openshift_api::{Error, Resource, Watch};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt::{self, Debug};

/// Checks a body as an event, and as a stream of events with the body on its lines.
pub(super) fn check<T>(text: &[u8], seed: u64) -> Result<bool, String>
where
    T: Resource + DeserializeOwned + PartialEq + Debug,
{
    object::<meta_v1::WatchEvent>(text, seed)?;
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let rest = lines.pop().filter(|rest| !is_blank(rest));
    lines.retain(|line| !is_blank(line));
    lines.extend(rest); // `decoded` ends the text with a line break
    let events = decoded::<T>(text, seed)?;
    if events.len() != lines.len() {
        return Err(format!("{} events on {} lines", events.len(), lines.len()));
    }
    let mut is_good = true;
    for (line, event) in lines.into_iter().zip(events) {
        same(line, &event)?;
        is_good &= event.is_ok();
    }
    Ok(is_good)
}

fn decoded<T: Resource>(
    text: &[u8],
    seed: u64,
) -> Result<Vec<Result<WatchEvent<T>, Error>>, String> {
    let mut watch = Watch::<T>::default();
    let mut events = Vec::new();
    for piece in Pieces::new(text, seed).chain([b"\n".as_slice()]) {
        watch.push(piece);
        events.extend(std::iter::from_fn(|| watch.next_event()));
    }
    watch.finish().map_err(|error| format!("a watch whose lines are whole ends with {error}"))?;
    Ok(events)
}

/// Whether a line is white space of JSON.
fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| b" \t\r".contains(byte))
}

/// Checks an event against serde's result.
fn same<T>(line: &[u8], event: &Result<WatchEvent<T>, Error>) -> Result<(), String>
where
    T: Resource + DeserializeOwned + PartialEq + Debug,
{
    let expected = expected::<T>(line);
    let is_same = match (event, &expected) {
        (Ok(WatchEvent::Bookmark(_)) | Err(_), Expected::Bookmark(None))
        | (Ok(WatchEvent::Error(_)), Expected::Error(None))
        | (Err(_), Expected::Fault) => true,
        (Ok(WatchEvent::Bookmark(bookmark)), Expected::Bookmark(Some(object))) => {
            let metadata = object.metadata();
            bookmark.resource_version == metadata.resource_version.as_deref().unwrap_or_default()
                && bookmark.annotations == metadata.annotations.clone().unwrap_or_default()
        }
        (Ok(WatchEvent::Error(error)), Expected::Error(Some(status))) => {
            error.status.as_deref() == Some(status)
        }
        (Ok(event), Expected::Change(expected)) => event == expected,
        _ => false,
    };
    if is_same { Ok(()) } else { Err(format!("`Watch` reads {event:?}\ninstead of {expected:?}")) }
}

/// An event as serde decodes it.
#[derive(Debug)]
enum Expected<T> {
    Change(WatchEvent<T>),
    /// A bookmark, with its object if that is of the watched kind.
    Bookmark(Option<T>),
    /// If there is a status.
    Error(Option<Status>),
    Fault,
}

fn expected<T: DeserializeOwned>(line: &[u8]) -> Expected<T> {
    let parts = str::from_utf8(line).ok().and_then(|line| serde_json::from_str::<Parts>(line).ok());
    let Some(parts) = parts else { return Expected::Fault };
    let change = |make: fn(Box<T>) -> WatchEvent<T>| {
        parts.object().map_or(Expected::Fault, |object| Expected::Change(make(Box::new(object))))
    };
    match parts.kind.as_str() {
        "ADDED" => change(WatchEvent::Added),
        "MODIFIED" => change(WatchEvent::Modified),
        "DELETED" => change(WatchEvent::Deleted),
        "BOOKMARK" => Expected::Bookmark(parts.object()),
        "ERROR" => Expected::Error(
            parts.objects.last().and_then(|object| serde_json::from_str(object.get()).ok()),
        ),
        "" => bare_status(line),
        _ => Expected::Fault,
    }
}

fn bare_status<T>(line: &[u8]) -> Expected<T> {
    let status = serde_json::from_slice::<Status>(line)
        .ok()
        .filter(|status| status.kind.as_deref() == Some("Status"));
    status.map_or(Expected::Fault, |status| Expected::Error(Some(status)))
}

/// The type of an event, and all its objects.
#[derive(Default)]
struct Parts {
    kind: String,
    objects: Vec<Box<RawValue>>,
}

impl Parts {
    /// The last object, if all are of this type.
    fn object<T: DeserializeOwned>(&self) -> Option<T> {
        let texts = self.objects.iter().map(|object| object.get());
        texts
            .map(|text| serde_json::from_str::<Option<T>>(text).ok())
            .collect::<Option<Vec<_>>>()?
            .pop()?
    }
}

impl<'de> Deserialize<'de> for Parts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Parts;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an event")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
                let mut parts = Parts::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "type" => {
                            parts.kind = map.next_value::<Option<String>>()?.unwrap_or_default();
                        }
                        "object" => parts.objects.push(map.next_value()?),
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(parts)
            }
        }
        deserializer.deserialize_map(Members)
    }
}
