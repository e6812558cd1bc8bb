//! The change that an event of a watch or an item of a list makes to the objects that an informer
//! has reported.

use super::key::{Key, write};
use crate::codec::json::{self, DecodeError, Item};
use crate::codec::{MemberVisitor, Object, Slot, Table, Target, View};
use crate::controller::machine::Reference;
use crate::controller::machine::{Holder, Page};
use crate::mask::ResponseMask;
use crate::response::ApiError;
use crate::watch;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// The effect of an event or an item on what an informer has reported.
#[derive(Debug)]
pub(super) enum Effect {
    /// Nothing to report: this version of the object was reported already.
    None,
    /// The object in the holder is new.
    Applied(Key),
    /// An object is gone. Its last state is in the holder if it could be decoded.
    Deleted { key: Key, is_decoded: bool },
    /// An object is new and cannot be decoded. There is no key if its name cannot be decoded
    /// either.
    Undecodable { key: Option<Key>, error: DecodeError },
    /// The versions go back: the server sends events that were seen already, or has lost the later
    /// ones.
    JumpedBack,
    /// Everything up to the version was sent.
    Bookmark,
    /// The same, and in a watch that begins with all objects, these were all.
    InitialEnd,
    /// The server ends the watch with an error.
    Error(Box<ApiError>),
}

/// An effect, and the version to continue from. The version is empty if the event states none.
type Versioned = (Effect, String);

/// Decodes an event. An event with a version less than `least` changes nothing.
///
/// # Errors
/// When the line is not an event. An object that cannot be decoded is not an error.
pub(super) fn of_event(
    line: &[u8],
    holder: &mut dyn Holder,
    known: &mut Known,
    least: u64,
    mask: Option<&ResponseMask>,
) -> Result<Versioned, DecodeError> {
    let (kind, _) = match watch::read_envelope(line, holder.begin(), mask) {
        Ok(read) => read,
        Err(error) => {
            let (kind, plate) = Nameplate::of_event(line).map_err(|_| error.clone())?;
            return of_undecodable(&kind, &plate, line, error, known);
        }
    };
    let name = Reference::new(holder.object());
    let is_behind = order(name.version).is_some_and(|version| version < least);
    let change = match kind.as_str() {
        "ADDED" | "MODIFIED" | "DELETED" if is_behind => Effect::JumpedBack,
        "ADDED" | "MODIFIED" | "DELETED" if name.name.is_empty() => {
            return Err(DecodeError::new("object.metadata.name: an event without it"));
        }
        "ADDED" | "MODIFIED" if !name.is_key() => nameless(known, line, with_slash("object")),
        "ADDED" | "MODIFIED" => known.see(name, true).map_or(Effect::None, Effect::Applied),
        "DELETED" => deleted(known, name, true),
        _ => return of_other(line, least),
    };
    Ok((change, name.version.to_owned()))
}

/// Removes a deleted object. An object without a key was not reported, and its name would make the
/// key of another object.
fn deleted(known: &mut Known, name: Reference<'_>, is_decoded: bool) -> Effect {
    if !name.is_key() {
        return Effect::None;
    }
    known.remove(name).map_or(Effect::None, |key| Effect::Deleted { key, is_decoded })
}

/// A bookmark or an error.
fn of_other(line: &[u8], least: u64) -> Result<Versioned, DecodeError> {
    match watch::event::<crate::meta_v1::PartialObjectMetadata>(line, None)? {
        watch::WatchEvent::Error(error) => Ok((Effect::Error(error), String::new())),
        watch::WatchEvent::Bookmark(bookmark) => {
            let is_behind =
                order(&bookmark.resource_version).is_some_and(|version| version < least);
            let change = match (is_behind, bookmark.initial_events_end()) {
                (true, _) => Effect::JumpedBack,
                (_, true) => Effect::InitialEnd,
                _ => Effect::Bookmark,
            };
            Ok((change, bookmark.resource_version))
        }
        _ => Ok((Effect::None, String::new())),
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
/// When it is not an object of JSON. An object of JSON that cannot be decoded is not an error.
pub(super) fn of_item(
    item: &Item<'_>,
    page: &Page,
    holder: &mut dyn Holder,
    known: &mut Known,
    mask: Option<&ResponseMask>,
) -> Result<Effect, DecodeError> {
    let object = holder.begin();
    match item.read(Target::Object(&mut *object), mask.map(|mask| &mask.object)) {
        Ok(()) => {
            page.complete(object);
            let name = Reference::new(holder.object());
            if name.name.is_empty() {
                return Err(DecodeError::new("items: an item without metadata.name"));
            }
            if !name.is_key() {
                return Ok(nameless(known, item.text(), with_slash("items")));
            }
            Ok(known.see(name, true).map_or(Effect::None, Effect::Applied))
        }
        Err(error) => {
            let plate = Nameplate::parse(item.text()).map_err(|_| error.clone())?;
            Ok(undecodable(known, &plate, item.text(), error))
        }
    }
}

fn undecodable(known: &mut Known, plate: &Nameplate, text: &[u8], error: DecodeError) -> Effect {
    let name = plate.name();
    if !name.is_key() {
        return nameless(known, text, error);
    }
    known.see(name, false).map_or(Effect::None, |key| Effect::Undecodable { key: Some(key), error })
}

/// The error of an object that would have the key of another one.
fn with_slash(place: &str) -> DecodeError {
    DecodeError::new(format!("{place}.metadata: a name or a namespace with a slash"))
}

fn nameless(known: &mut Known, text: &[u8], error: DecodeError) -> Effect {
    let nameless = known.nameless(text);
    let name = Reference { name: &nameless, version: "1", ..Reference::default() };
    known.see(name, false).map_or(Effect::None, |_| Effect::Undecodable { key: None, error })
}

/// The name of an object that cannot be decoded. All other members are ignored.
#[derive(Debug, Default)]
struct Nameplate {
    namespace: String,
    name: String,
    version: String,
}

impl Nameplate {
    fn name(&self) -> Reference<'_> {
        Reference { namespace: &self.namespace, name: &self.name, version: &self.version }
    }

    /// Takes the members of `metadata` that are strings.
    fn set(&mut self, metadata: &RawMetadata) {
        let string = |value: &str| json::from_str::<String>(value).unwrap_or_default();
        let [name, namespace, version] =
            [&metadata.0[0], &metadata.0[1], &metadata.0[2]].map(|value| string(value));
        *self = Self { namespace, name, version };
    }

    /// The type of an event, and the name of its object.
    ///
    /// # Errors
    /// When the line is not an event with an object.
    pub(super) fn of_event(line: &[u8]) -> Result<(String, Self), DecodeError> {
        let mut event = RawEvent::default();
        json::read(Target::Object(&mut event), line)?;
        let kind = json::from_str::<String>(&event.kind).unwrap_or_default();
        Ok((kind, Self::parse(event.object.as_bytes())?))
    }

    /// The name of an object. Empty if it has none.
    ///
    /// # Errors
    /// When the text is not an object of JSON.
    fn parse(text: &[u8]) -> Result<Self, DecodeError> {
        let mut object = RawObject::default();
        let mut metadata = RawMetadata::default();
        let mut plate = Self::default();
        json::read(Target::Object(&mut object), text)?;
        if json::read(Target::Object(&mut metadata), object.0.as_bytes()).is_ok() {
            plate.set(&metadata);
        }
        Ok(plate)
    }
}

/// An object that holds members as JSON, and ignores the others.
macro_rules! raw_members {
    ($type:ty, $name:literal, [$($key:literal => $member:tt),+], |$this:ident| [$($place:expr),+]) => {
        impl Object for $type {
            fn table(&self) -> &'static Table {
                static TABLE: Table = Table::new($name, concat!("!", $(" ", $key),+));
                &TABLE
            }
            fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
                let $this = self;
                $(visitor.visit($member, View::Raw(&$place));)+
            }
            fn member_mut(&mut self, index: usize, _: bool) -> Slot<'_> {
                let $this = self;
                match index {
                    $($member => Slot::Raw(&mut $place),)+
                    _ => Slot::Absent,
                }
            }
        }
    };
}

#[derive(Default)]
struct RawEvent {
    kind: String,
    object: String,
}
raw_members!(RawEvent, "WatchEvent", ["type" => 0, "object" => 1], |event| [event.kind, event.object]);

#[derive(Default)]
struct RawObject(String);
raw_members!(RawObject, "object", ["metadata" => 0], |object| [object.0]);

#[derive(Default)]
struct RawMetadata([String; 3]);
raw_members!(
    RawMetadata,
    "ObjectMeta",
    ["name" => 0, "namespace" => 1, "resourceVersion" => 2],
    |metadata| [metadata.0[0], metadata.0[1], metadata.0[2]]
);

/// A resource version as a number, if it is one. Versions are opaque, so nothing may depend on
/// their order: it is a reason to look again, never to believe or reject an object.
pub(super) fn order(version: &str) -> Option<u64> {
    version.parse().ok().filter(|number| *number < 1 << 63 && !version.starts_with(['+', '0']))
}

/// The objects that an informer has reported: of each only its key, and its version in eight bytes.
#[derive(Debug, Default)]
pub(super) struct Known {
    marks: HashMap<Key, Mark>,
    /// The number of the current relist.
    generation: u32,
    /// The number of objects that the current relist has had so far.
    seen: usize,
    hasher: RandomState,
    scratch: String,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    version: u64,
    /// The last relist that had the object.
    generation: u32,
    /// Whether it was reported as an object.
    is_applied: bool,
    /// Whether this version of it can be decoded.
    is_decodable: bool,
}

impl Known {
    /// Begins a relist. Objects that are not seen until its end have vanished.
    pub(super) fn begin(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        self.seen = 0;
    }

    /// The number of objects that the current relist has had so far.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    /// Ends a relist, and returns the objects that have vanished and were reported before. They are
    /// in order, the last one first: hash maps have another order in each run, and a run must be
    /// the same for the same seed.
    pub(super) fn finish(&mut self) -> Vec<Key> {
        let mut vanished = Vec::new();
        let generation = self.generation;
        self.marks.retain(|key, mark| {
            let is_there = mark.generation == generation;
            if !is_there && mark.is_applied {
                vanished.push(key.clone());
            }
            is_there
        });
        vanished.sort_unstable_by(|one, other| other.cmp(one));
        vanished
    }

    /// Remembers an object. Returns its key if this version of it has not been reported.
    fn see(&mut self, name: Reference<'_>, is_decodable: bool) -> Option<Key> {
        let version = self.version(name.version);
        write(&mut self.scratch, name.namespace, name.name);
        let mark =
            Mark { version, generation: self.generation, is_applied: is_decodable, is_decodable };
        let Some(known) = self.marks.get_mut(self.scratch.as_str()) else {
            let key = Key(self.scratch.as_str().into());
            self.marks.insert(key.clone(), mark);
            self.seen += 1;
            return Some(key);
        };
        self.seen += usize::from(known.generation != self.generation);
        let is_same = known.version == version
            && known.is_decodable == is_decodable
            && !name.version.is_empty();
        *known = Mark { is_applied: known.is_applied || is_decodable, ..mark };
        if is_same {
            return None;
        }
        self.marks.get_key_value(self.scratch.as_str()).map(|(key, _)| key.clone())
    }

    /// Forgets an object. Returns its key if it was reported.
    fn remove(&mut self, name: Reference<'_>) -> Option<Key> {
        write(&mut self.scratch, name.namespace, name.name);
        let (key, mark) = self.marks.remove_entry(self.scratch.as_str())?;
        mark.is_applied.then_some(key)
    }

    /// A name for an object with a name that cannot be decoded. It is the same for the same text.
    fn nameless(&self, text: &[u8]) -> String {
        format!("\0{:x}", self.hasher.hash_one(text))
    }

    /// A number for a version: the version itself where it is a number, so that two never share
    /// one.
    fn version(&self, version: &str) -> u64 {
        order(version).unwrap_or_else(|| self.hasher.hash_one(version) | 1 << 63)
    }
}
