// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/door.rs
/// What may be null in it.
///
/// Schema `Door`.
#[derive(Clone, Default, PartialEq)]
pub struct Door {
    /// Required and nullable.
    pub handle: Option<Box<DoorHandle>>,
    /// `color`.
    pub color: Option<String>,
    /// `bolts`.
    pub bolts: Option<Vec<i64>>,
    /// `notes`.
    pub notes: Option<BTreeMap<String, String>>,
    /// `weight`.
    pub weight: Option<f64>,
    /// `open`.
    pub open: Option<bool>,
    /// `size`.
    pub size: Option<IntOrString>,
    /// `lock`.
    pub lock: Option<Box<DoorLock>>,
    /// A list with nulls in it.
    pub hinges: Option<Vec<RawJson>>,
    /// A map with nulls in it.
    pub labels: Option<BTreeMap<String, RawJson>>,
}
static TABLE: codec::Table =
    codec::Table::new("Door", "! handle color bolts notes weight open size lock hinges labels");

// file: src/spec/types/door_handle.rs
/// Required and nullable.
///
/// Schema `Door/properties/handle`.
#[derive(Clone, Default, PartialEq)]
pub struct DoorHandle {
    /// `side`.
    pub side: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("DoorHandle", "! side");

// file: src/spec/types/door_lock.rs
/// Schema `Door/properties/lock`.
#[derive(Clone, Default, PartialEq)]
pub struct DoorLock {
    /// `key`.
    pub key: String,
}
static TABLE: codec::Table =
    codec::Table::new("DoorLock", "! key!");

// file: src/spec/types/mod.rs
pub use door::Door;
pub use door_handle::DoorHandle;
pub use door_lock::DoorLock;

