// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/gate.rs
/// Lets some through.
///
/// At least 1 member.
///
/// Schema `Gate`.
#[derive(Clone, Default, PartialEq)]
pub struct Gate {
    /// A DNS label.
    ///
    /// 1 to 63 characters. Matches `^[a-z]([-a-z0-9]*[a-z0-9])?$`.
    pub name: String,
    /// At most 4 characters.
    ///
    /// Rule `self != 'SCTP'`
    pub protocol: Option<String>,
    /// At least 1. At most 65535.
    pub port: Option<i32>,
    /// How much of all.
    ///
    /// More than 0. At most 1.
    pub share: Option<f64>,
    /// Seconds.
    ///
    /// A multiple of 30.
    pub seconds: Option<i64>,
    /// At most 16 elements.
    ///
    /// Each element: At most 253 characters.
    pub zones: Option<Vec<String>>,
    /// At most 8 members.
    ///
    /// Each value: Matches `` ^[^`*]*$ ``.
    pub labels: Option<BTreeMap<String, String>>,
    /// Matches `^([0-9]+)Gi$`.
    pub size: Option<Int64OrString>,
    /// At most 2 members.
    pub hours: Option<Box<GateHours>>,
    /// `nothing`.
    pub nothing: Option<String>,
    /// Beyond 64 bits.
    ///
    /// At most 1e+26.
    pub huge: Option<i64>,
    /// `nonsense`.
    pub nonsense: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Gate", "! name! protocol port share seconds zones labels size hours nothing huge nonsense");

// file: src/spec/types/gate_hours.rs
/// Schema `Gate/properties/hours`.
#[derive(Clone, Default, PartialEq)]
pub struct GateHours {
    /// At least 0.
    pub from: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("GateHours", "! from");

// file: src/spec/types/mod.rs
pub use gate::Gate;
pub use gate_hours::GateHours;

