// file: src/example_v1/mod.rs
//! `example/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/example_v1/types/boiler.rs
/// Uses the same objects in several places.
///
/// Schema `com.example.v1.Boiler`.
#[derive(Clone, Default, PartialEq)]
pub struct Boiler {
    /// `spec`.
    pub spec: Option<Box<BoilerSpec>>,
}
static TABLE: codec::Table =
    codec::Table::new("Boiler", "! spec");

// file: src/example_v1/types/boiler_spec.rs
/// Schema `com.example.v1.Boiler/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct BoilerSpec {
    /// The main valve.
    ///
    /// Rule `self.turns < 9`: turn it less
    pub main: Option<Box<BoilerSpecMain>>,
    /// The spare valve.
    pub spare: Option<Box<BoilerSpecSpare>>,
    /// `loops`.
    pub loops: Option<Vec<BoilerSpecLoops>>,
    /// `loose`.
    pub loose: Option<Box<BoilerSpecLoose>>,
    /// One of `Open`, `Shut`, `Broken`.
    pub state: Option<BoilerSpecState>,
    /// Each element: Rule `self.key != ''`
    ///
    /// Apply merges the elements by `key`.
    pub valves: Option<Vec<BoilerSpecValves>>,
    /// Each value: Rule `self.key != ''`
    pub by_name: Option<BTreeMap<String, BoilerSpecByName>>,
}
static TABLE: codec::Table =
    codec::Table::new("BoilerSpec", "! main spare loops loose state valves byName").merge(&[
        (5, codec::Merge::USUAL.map(&[("key", "")])),
    ]);

// file: src/example_v1/types/boiler_spec_by_name.rs
/// Schema `com.example.v1.Boiler/properties/spec/properties/byName/additionalProperties`, and an
/// identical one.
#[derive(Clone, Default, PartialEq)]
pub struct BoilerSpecByName {
    /// `key`.
    pub key: String,
    /// Has a name of its own.
    pub part: Option<Box<Part>>,
}
static TABLE: codec::Table =
    codec::Table::new("BoilerSpecByName", "! key! part");

// file: src/example_v1/types/boiler_spec_loops.rs
/// Schema `com.example.v1.Boiler/properties/spec/properties/loops/items`.
#[derive(Clone, Default, PartialEq)]
pub struct BoilerSpecLoops {
    /// `main`.
    pub main: Option<Box<BoilerSpecMain>>,
}
static TABLE: codec::Table =
    codec::Table::new("BoilerSpecLoops", "! main");

// file: src/example_v1/types/boiler_spec_loose.rs
/// Schema `com.example.v1.Boiler/properties/spec/properties/loose`.
#[derive(Clone, Default, PartialEq)]
pub struct BoilerSpecLoose {
    /// `key`.
    pub key: Option<String>,
    /// One of `Open`, `Shut`.
    pub mode: Option<BoilerSpecLooseMode>,
    /// `turns`.
    pub turns: Option<i32>,
}
static TABLE: codec::Table =
    codec::Table::new("BoilerSpecLoose", "! key mode turns");

// file: src/example_v1/types/boiler_spec_state.rs
/// Schema `com.example.v1.Boiler/properties/spec/properties/state`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BoilerSpecState {
    /// `Open`
    Open,
    /// `Shut`
    Shut,
    /// `Broken`
    Broken,
    /// A value that the document does not list.
    Other(String),
}
impl BoilerSpecState {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Open => "Open",
            Self::Shut => "Shut",
            Self::Broken => "Broken",
}
impl From<&str> for BoilerSpecState
            "Open" => Self::Open,
            "Shut" => Self::Shut,
            "Broken" => Self::Broken,
kapigen_runtime::__private::open_enum!(BoilerSpecState);

// file: src/example_v1/types/level.rs
/// Schema `com.example.v1.Tank/properties/inner/properties/level`, and an identical one.
#[derive(Clone, Default, PartialEq)]
pub struct Level {
    /// `high`.
    pub high: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("Level", "! high");

// file: src/example_v1/types/mod.rs
pub use boiler::Boiler;
pub use boiler_spec::BoilerSpec;
pub use boiler_spec_by_name::BoilerSpecByName;
pub use boiler_spec_loops::BoilerSpecLoops;
pub use boiler_spec_loose::BoilerSpecLoose;
pub use boiler_spec_state::BoilerSpecState;
pub use level::Level;
pub use part::Part;
pub use tank::Tank;
pub use tank_inner::TankInner;
pub use tank_valve::TankValve;
pub use tank_valve_mode::TankValveMode;
/// Schema `com.example.v1.Boiler/properties/spec/properties/loose/properties/mode`, which is the same
/// as that of `TankValveMode`.
pub use tank_valve_mode::TankValveMode as BoilerSpecLooseMode;
/// Schema `com.example.v1.Boiler/properties/spec/properties/main`, which is the same as that of
/// `TankValve`.
pub use tank_valve::TankValve as BoilerSpecMain;
/// Schema `com.example.v1.Boiler/properties/spec/properties/spare`, which is the same as that of
/// `TankValve`.
pub use tank_valve::TankValve as BoilerSpecSpare;
/// Schema `com.example.v1.Boiler/properties/spec/properties/valves/items`, which is the same as that of
/// `BoilerSpecByName`.
pub use boiler_spec_by_name::BoilerSpecByName as BoilerSpecValves;

// file: src/example_v1/types/part.rs
/// Has a name of its own.
///
/// Schema `com.example.v1.Part`.
#[derive(Clone, Default, PartialEq)]
pub struct Part {
    /// `key`.
    pub key: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Part", "! key");

// file: src/example_v1/types/tank.rs
/// Uses an object of the boiler.
///
/// Schema `com.example.v1.Tank`.
#[derive(Clone, Default, PartialEq)]
pub struct Tank {
    /// The only valve.
    pub valve: Option<Box<TankValve>>,
    /// `level`.
    pub level: Option<Box<Level>>,
    /// `twin`.
    pub twin: Option<Box<BoilerSpecMain>>,
    /// `inner`.
    pub inner: Option<Box<TankInner>>,
}
static TABLE: codec::Table =
    codec::Table::new("Tank", "! valve level twin inner");

// file: src/example_v1/types/tank_inner.rs
/// Schema `com.example.v1.Tank/properties/inner`.
#[derive(Clone, Default, PartialEq)]
pub struct TankInner {
    /// `level`.
    pub level: Option<Box<Level>>,
}
static TABLE: codec::Table =
    codec::Table::new("TankInner", "! level");

// file: src/example_v1/types/tank_valve.rs
/// Schema `com.example.v1.Tank/properties/valve`, and 3 identical ones.
#[derive(Clone, Default, PartialEq)]
pub struct TankValve {
    /// Opens the main valve.
    ///
    /// In `com.example.v1.Boiler/properties/spec/properties/spare`: Opens the spare valve.
    ///
    /// At most 9 characters.
    pub key: String,
    /// One of `Open`, `Shut`.
    pub mode: Option<TankValveMode>,
    /// How often to turn.
    ///
    /// In `com.example.v1.Boiler/properties/spec/properties/main`: At least 0. At most 8.
    ///
    /// In `com.example.v1.Boiler/properties/spec/properties/loops/items/properties/main`: At most 8.
    pub turns: Option<i32>,
}
static TABLE: codec::Table =
    codec::Table::new("TankValve", "! key! mode turns");

// file: src/example_v1/types/tank_valve_mode.rs
/// Schema `com.example.v1.Tank/properties/valve/properties/mode`, and 4 identical ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TankValveMode {
    /// `Open`
    Open,
    /// `Shut`
    Shut,
    /// A value that the document does not list.
    Other(String),
}
impl TankValveMode {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Open => "Open",
            Self::Shut => "Shut",
}
impl From<&str> for TankValveMode
            "Open" => Self::Open,
            "Shut" => Self::Shut,
kapigen_runtime::__private::open_enum!(TankValveMode);

