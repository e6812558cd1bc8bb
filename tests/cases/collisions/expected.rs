// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/door.rs
/// Two members that would both be `open_at`, and one that has no letter.
///
/// Schema `Door`.
#[derive(Clone, Default, PartialEq)]
pub struct Door {
    /// `openAt`.
    pub open_at: Option<String>,
    /// `open-at`.
    pub opens_at: Option<String>,
    /// `名`.
    pub name: Option<String>,
    /// A nested object that would be called like the schema `DoorLock`.
    pub lock: Option<Box<DoorInnerLock>>,
}
static TABLE: codec::Table =
    codec::Table::new("Door", "! openAt open-at 名 lock");

// file: src/spec/types/door_inner_lock.rs
/// A nested object that would be called like the schema `DoorLock`.
///
/// Schema `Door/properties/lock`.
#[derive(Clone, Default, PartialEq)]
pub struct DoorInnerLock {
    /// `key`.
    pub key: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("DoorInnerLock", "! key");

// file: src/spec/types/door_lock.rs
/// A schema with that name.
///
/// Schema `DoorLock`.
#[derive(Clone, Default, PartialEq)]
pub struct DoorLock {
    /// `locked`.
    pub locked: Option<bool>,
}
static TABLE: codec::Table =
    codec::Table::new("DoorLock", "! locked");

// file: src/spec/types/mod.rs
pub use door::Door;
pub use door_inner_lock::DoorInnerLock;
pub use door_lock::DoorLock;
pub use other_door_lock::OtherDoorLock;
pub use portal::Portal;

// file: src/spec/types/other_door_lock.rs
/// Another schema with the same name in Rust.
///
/// Schema `door-lock`.
#[derive(Clone, Default, PartialEq)]
pub struct OtherDoorLock {
    /// `locked`.
    pub locked: Option<bool>,
}
static TABLE: codec::Table =
    codec::Table::new("OtherDoorLock", "! locked");

// file: src/spec/types/portal.rs
/// A schema whose name has no letter.
///
/// Schema `扉`.
#[derive(Clone, Default, PartialEq)]
pub struct Portal {
    /// `width`.
    pub width: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("Portal", "! width");

