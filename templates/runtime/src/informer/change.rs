//! The change that an event of a watch or an item of a list makes.

use super::key::{Key, Known, Reference, order};
use super::parts::{self, Nameplate};
use crate::codec::Target;
use crate::codec::json::{DecodeError, Item};
use crate::machine::Holder;
use crate::response::ApiError;
use crate::watch::{self, envelope};

/// A change to report.
#[derive(Debug)]
pub(super) enum Change {
    /// Nothing to report: this version of the object was reported already.
    None,
    /// The object in the holder is new.
    Applied(Key),
    /// An object is gone. Its last state is in the holder if it could be decoded.
    Deleted { key: Key, is_decoded: bool },
    /// An object is new and cannot be decoded. There is no key if its name cannot be decoded either.
    Undecodable { key: Option<Key>, error: DecodeError },
    /// The versions go back: what the server sends has been seen, or the server has lost what came after it.
    JumpedBack,
    /// Everything up to the version was sent.
    Bookmark,
    /// The same, and in a watch that begins with all objects, these were all.
    InitialEnd,
    /// The server gives up.
    Error(Box<ApiError>),
}

/// A change, and the version to continue from. The version is empty if the change states none.
pub(super) type Versioned = (Change, String);

/// Decodes an event. One whose version is less than `least` changes nothing.
///
/// # Errors
/// When the line is not an event. An object that cannot be decoded is no error.
pub(super) fn of_event(
    line: &[u8],
    holder: &mut dyn Holder,
    known: &mut Known,
    least: u64,
) -> Result<Versioned, DecodeError> {
    let (kind, _) = match envelope::read(line, holder.begin()) {
        Ok(read) => read,
        Err(error) => {
            let (kind, plate) = Nameplate::of_event(line).map_err(|_| error.clone())?;
            return of_undecodable(&kind, &plate, line, error, known);
        }
    };
    let name = parts::name(holder.object());
    let is_behind = order(name.version).is_some_and(|version| version < least);
    let change = match kind.as_str() {
        "ADDED" | "MODIFIED" | "DELETED" if is_behind => Change::JumpedBack,
        "ADDED" | "MODIFIED" | "DELETED" if name.name.is_empty() => {
            return Err(DecodeError::new("object.metadata.name: an event without it"));
        }
        "ADDED" | "MODIFIED" if !name.is_key() => nameless(known, line, with_slash("object")),
        "ADDED" | "MODIFIED" => known.see(name, true).map_or(Change::None, Change::Applied),
        "DELETED" => deleted(known, name, true),
        _ => return of_other(line, least),
    };
    Ok((change, name.version.to_owned()))
}

/// An object that has no key was not reported, and the key that its name would make is that of another one.
fn deleted(known: &mut Known, name: Reference<'_>, is_decoded: bool) -> Change {
    if !name.is_key() {
        return Change::None;
    }
    known.remove(name).map_or(Change::None, |key| Change::Deleted { key, is_decoded })
}

/// A bookmark or an error.
fn of_other(line: &[u8], least: u64) -> Result<Versioned, DecodeError> {
    match watch::event::<crate::meta_v1::PartialObjectMetadata>(line)? {
        watch::WatchEvent::Error(error) => Ok((Change::Error(error), String::new())),
        watch::WatchEvent::Bookmark(bookmark) => {
            let is_behind = order(&bookmark.resource_version).is_some_and(|version| version < least);
            let change = match (is_behind, bookmark.initial_events_end()) {
                (true, _) => Change::JumpedBack,
                (_, true) => Change::InitialEnd,
                _ => Change::Bookmark,
            };
            Ok((change, bookmark.resource_version))
        }
        _ => Ok((Change::None, String::new())),
    }
}

fn of_undecodable(
    kind: &str,
    plate: &Nameplate,
    line: &[u8],
    error: DecodeError,
    known: &mut Known,
) -> Result<Versioned, DecodeError> {
    let change = match kind {
        "ADDED" | "MODIFIED" => undecodable(known, plate, line, error),
        "DELETED" => deleted(known, plate.name(), false),
        _ => return Err(error),
    };
    Ok((change, plate.name().version.to_owned()))
}

/// Decodes an item.
///
/// # Errors
/// When it is not an object of JSON. An object of JSON that cannot be decoded is no error.
pub(super) fn of_item(item: &Item<'_>, holder: &mut dyn Holder, known: &mut Known) -> Result<Change, DecodeError> {
    match item.read(Target::Object(holder.begin())) {
        Ok(()) => {
            let name = parts::name(holder.object());
            if name.name.is_empty() {
                return Err(DecodeError::new("items: an item without metadata.name"));
            }
            if !name.is_key() {
                return Ok(nameless(known, item.text(), with_slash("items")));
            }
            Ok(known.see(name, true).map_or(Change::None, Change::Applied))
        }
        Err(error) => {
            let plate = Nameplate::of(item.text()).map_err(|_| error.clone())?;
            Ok(undecodable(known, &plate, item.text(), error))
        }
    }
}

fn undecodable(known: &mut Known, plate: &Nameplate, text: &[u8], error: DecodeError) -> Change {
    let name = plate.name();
    if !name.is_key() {
        return nameless(known, text, error);
    }
    known.see(name, false).map_or(Change::None, |key| Change::Undecodable { key: Some(key), error })
}

/// The error of an object whose key would be that of another one.
fn with_slash(place: &str) -> DecodeError {
    DecodeError::new(format!("{place}.metadata: a name or a namespace with a slash"))
}

fn nameless(known: &mut Known, text: &[u8], error: DecodeError) -> Change {
    let nameless = known.nameless(text);
    let name = Reference { name: &nameless, version: "1", ..Reference::default() };
    known.see(name, false).map_or(Change::None, |_| Change::Undecodable { key: None, error })
}
