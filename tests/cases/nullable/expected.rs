// file: notes.txt
note    spec.yaml#/components/schemas/Door/properties/choice: its values are kept as JSON: a choice between schemas (`oneOf`, `anyOf`); a type needs one schema with all members: correct the document

// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/door.rs
/// What may be null in it.
///
/// Schema `Door`.
#[derive(Clone, Default)]
pub struct Door {
    /// Required and nullable.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub handle: Option<Box<DoorHandle>>,
    /// May be `null`, which is kept in `unknown_`.
    pub color: Option<String>,
    /// May be `null`, which is kept in `unknown_`.
    pub bolts: Option<Vec<i64>>,
    /// May be `null`, which is kept in `unknown_`.
    pub notes: Option<BTreeMap<String, String>>,
    /// May be `null`, which is kept in `unknown_`.
    pub weight: Option<f64>,
    /// May be `null`, which is kept in `unknown_`.
    pub open: Option<bool>,
    /// May be `null`, which is kept in `unknown_`.
    pub size: Option<Int64OrString>,
    /// May be `null`, which is kept in `unknown_`.
    pub lock: Option<Box<DoorLock>>,
    /// A list with nulls in it.
    pub hinges: Option<Vec<Option<String>>>,
    /// A map with nulls in it.
    pub labels: Option<BTreeMap<String, Option<DoorLabels>>>,
    /// A string or null.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub text: Option<String>,
    /// `texts`.
    pub texts: Option<Vec<Option<String>>>,
    /// By the schema around a reference.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub wrapped: Option<Box<Frame>>,
    /// By the schema of a reference.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub inside: Option<String>,
    /// `frames`.
    pub frames: Option<Vec<Option<Frame>>>,
    /// `grids`.
    pub grids: Option<BTreeMap<String, Option<Vec<Option<i64>>>>>,
    /// Matches exactly one of `{"type":"string","nullable":true}`,
    /// `{"type":"object","properties":{"a":{"type":"string"}}}`.
    ///
    /// Apply replaces the whole value.
    pub choice: Option<RawJson>,
    /// Free JSON is null itself.
    ///
    /// Apply replaces the whole value.
    pub any: Option<RawJson>,
    /// `anys`.
    pub anys: Option<Vec<RawJson>>,
    /// Only `A`.
    ///
    /// May be `null`, which is kept in `unknown_`.
    pub grade: Option<DoorGrade>,
    /// Each element: One of `B`, `C`.
    pub grades: Option<Vec<Option<DoorGrades>>>,
    /// Arbitrary JSON, usually an object with its own `kind` and `apiVersion`, whose schema is defined by
    /// the component that consumes it.
    ///
    /// Apply replaces the whole value.
    pub raw: Option<RawExtension>,
}
impl PartialEq for Door
static TABLE: codec::Table =
    codec::Table::new("Door", "! handle!! color!! bolts!! notes!! weight!! open!! size!! lock!! hinges labels text!! texts \
        wrapped!! inside!! frames grids choice!! any!! anys grade!! grades raw").merge(&[
        (16, codec::Merge::USUAL.atomic()),
        (17, codec::Merge::USUAL.atomic()),
        (21, codec::Merge::USUAL.atomic()),
    ]);

// file: src/spec/types/door_grade.rs
/// Schema `Door/properties/grade`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DoorGrade {
    /// `A`
    A,
    /// A value that the document does not list.
    Other(String),
}
impl DoorGrade {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::A => "A",
}
impl From<&str> for DoorGrade
            "A" => Self::A,
kapigen_runtime::__private::open_enum!(DoorGrade);

// file: src/spec/types/door_grades.rs
/// Schema `Door/properties/grades/items`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DoorGrades {
    /// `B`
    B,
    /// `C`
    C,
    /// A value that the document does not list.
    Other(String),
}
impl DoorGrades {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::B => "B",
            Self::C => "C",
}
impl From<&str> for DoorGrades
            "B" => Self::B,
            "C" => Self::C,
kapigen_runtime::__private::open_enum!(DoorGrades);

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

// file: src/spec/types/door_labels.rs
/// Schema `Door/properties/labels/additionalProperties`.
#[derive(Clone, Default, PartialEq)]
pub struct DoorLabels {
    /// `text`.
    pub text: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("DoorLabels", "! text");

// file: src/spec/types/door_lock.rs
/// Schema `Door/properties/lock`.
#[derive(Clone, Default, PartialEq)]
pub struct DoorLock {
    /// `key`.
    pub key: String,
}
static TABLE: codec::Table =
    codec::Table::new("DoorLock", "! key!");

// file: src/spec/types/frame.rs
/// Never null on its own.
///
/// Schema `Frame`.
#[derive(Clone, Default, PartialEq)]
pub struct Frame {
    /// `width`.
    pub width: Option<f64>,
}
static TABLE: codec::Table =
    codec::Table::new("Frame", "! width");

// file: src/spec/types/mod.rs
pub use door::Door;
pub use door_grade::DoorGrade;
pub use door_grades::DoorGrades;
pub use door_handle::DoorHandle;
pub use door_labels::DoorLabels;
pub use door_lock::DoorLock;
pub use frame::Frame;

