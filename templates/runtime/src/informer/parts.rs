//! The parts of objects that matter to an informer.

use super::key::Reference;
use crate::codec::json::{self, DecodeError};
use crate::codec::{MemberVisitor, Object, Slot, Table, Target, View};

/// The name of a decoded object.
pub(super) fn name(object: &dyn Object) -> Reference<'_> {
    let mut found = Reference::default();
    let keys = object.table().keys.names();
    object.visit_members(&mut |index, view| {
        if let (Some(&"metadata"), View::Object(metadata)) = (keys.get(index), view) {
            let keys = metadata.table().keys.names();
            metadata.visit_members(&mut |index, view| match (keys.get(index), view) {
                (Some(&"name"), View::Str(name)) => found.name = name,
                (Some(&"namespace"), View::Str(namespace)) => found.namespace = namespace,
                (Some(&"resourceVersion"), View::Str(version)) => found.version = version,
                _ => {}
            });
        }
    });
    found
}

/// The name of an object that cannot be decoded. All other members are ignored.
#[derive(Debug, Default)]
pub(super) struct Nameplate {
    namespace: String,
    name: String,
    version: String,
}

impl Nameplate {
    pub(super) fn name(&self) -> Reference<'_> {
        Reference { namespace: &self.namespace, name: &self.name, version: &self.version }
    }

    /// Takes the members of `metadata` that are strings.
    fn set(&mut self, metadata: &RawMetadata) {
        let string = |value: &str| json::from_str::<String>(value).unwrap_or_default();
        let [name, namespace, version] = [&metadata.0[0], &metadata.0[1], &metadata.0[2]].map(|value| string(value));
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
        Ok((kind, Self::of(event.object.as_bytes())?))
    }

    /// The name of an object. Empty if it has none.
    ///
    /// # Errors
    /// When the text is not an object of JSON.
    pub(super) fn of(text: &[u8]) -> Result<Self, DecodeError> {
        let (mut object, mut metadata, mut plate) = (RawObject::default(), RawMetadata::default(), Self::default());
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
                static TABLE: Table = Table::new($name, concat!($(" ", $key),+));
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
