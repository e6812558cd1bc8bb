// file: notes.txt
note    a.yaml#/components/schemas/a.v1.Pod: united with its copy in `b.yaml`, which differs in `new`, `old`
note    a.yaml#/components/schemas/a.v1.Port: united with its copy in `b.yaml`, which differs in `number`, `protocol`

// file: src/a_v1/mod.rs
//! `a/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/a_v1/types/mod.rs
pub use new::New;
pub use pod::Pod;
pub use port::Port;
pub use port_protocol::PortProtocol;

// file: src/a_v1/types/new.rs
/// Only in the other document.
///
/// Schema `a.v1.New`.
#[derive(Clone, Default, PartialEq)]
pub struct New {
    /// `pods`.
    pub pods: Option<Vec<Pod>>,
}
static TABLE: codec::Table =
    codec::Table::new("New", "! pods");

// file: src/a_v1/types/pod.rs
/// Of the first document.
///
/// Schema `a.v1.Pod`.
#[derive(Clone, Default, PartialEq)]
pub struct Pod {
    /// A name.
    ///
    /// At least 1 character.
    pub name: String,
    /// A port.
    pub port: Port,
    /// `labels`.
    pub labels: Option<BTreeMap<String, String>>,
    /// Format `date-time`.
    pub since: Option<String>,
    /// Left out by the other document.
    pub old: Option<String>,
    /// Only in the other document.
    pub new: Option<Box<New>>,
}
static TABLE: codec::Table =
    codec::Table::new("Pod", "! name! port! labels since old new");

// file: src/a_v1/types/port.rs
/// A port.
///
/// Schema `a.v1.Port`.
#[derive(Clone, Default, PartialEq)]
pub struct Port {
    /// Default `0`.
    pub number: Option<i32>,
    /// A protocol.
    ///
    /// One of `TCP`, `UDP`.
    pub protocol: Option<PortProtocol>,
}
static TABLE: codec::Table =
    codec::Table::new("Port", "! number protocol");

// file: src/a_v1/types/port_protocol.rs
/// A protocol.
///
/// Schema `a.v1.Port/properties/protocol`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PortProtocol {
    /// `TCP`
    TCP,
    /// `UDP`
    UDP,
    /// A value that the document does not list.
    Other(String),
}
impl PortProtocol {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::TCP => "TCP",
            Self::UDP => "UDP",
}
impl From<&str> for PortProtocol
            "TCP" => Self::TCP,
            "UDP" => Self::UDP,
kapigen_runtime::__private::open_enum!(PortProtocol);

