// file: notes.txt
note    spec.yaml#/components/schemas/Gate: the type is `spec::Gate2`, as another schema is `Gate`; give it a name in groups.yaml: `rename: { "Gate": Name }`
note    spec.yaml#/components/schemas/Node/properties/rollout/properties/strategy: the type is `spec::NodeRolloutStrategy2`, as another schema is `NodeRolloutStrategy`; give it a name in groups.yaml: `rename: { "Node/properties/rollout/properties/strategy": Name }`
note    spec.yaml#/components/schemas/Node/properties/spec: the type is `spec::NodeSpec2`, as another schema is `NodeSpec`; give it a name in groups.yaml: `rename: { "Node/properties/spec": Name }`
note    spec.yaml#/components/schemas/pod: the type is `spec::Pod3`, as another schema is `Pod`; give it a name in groups.yaml: `rename: { "pod": Name }`

// file: src/a_v1/mod.rs
//! `a/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/a_v1/types/mod.rs
pub use pod::Pod;

// file: src/a_v1/types/pod.rs
/// In another module.
///
/// Schema `a.v1.Pod`.
#[derive(Clone, Default, PartialEq)]
pub struct Pod {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Pod", "! name");

// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/gate.rs
/// Renamed.
///
/// Schema `Door`.
#[derive(Clone, Default, PartialEq)]
pub struct Gate {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Gate", "! name");

// file: src/spec/types/gate2.rs
/// Numbered, as groups.yaml gives the name to another.
///
/// Schema `Gate`.
#[derive(Clone, Default, PartialEq)]
pub struct Gate2 {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Gate2", "! name");

// file: src/spec/types/mod.rs
pub use gate::Gate;
pub use gate2::Gate2;
pub use node::Node;
pub use node_rollout::NodeRollout;
pub use node_rollout_strategy::NodeRolloutStrategy;
pub use node_rollout_strategy2::NodeRolloutStrategy2;
pub use node_spec::NodeSpec;
pub use node_spec2::NodeSpec2;
pub use node_spec_inner::NodeSpecInner;
pub use pod::Pod;
pub use pod2::Pod2;
pub use pod3::Pod3;

// file: src/spec/types/node.rs
/// Has nested types that clash with a named one, and with each other.
///
/// Schema `Node`.
#[derive(Clone, Default, PartialEq)]
pub struct Node {
    /// Numbered.
    pub spec: Option<Box<NodeSpec2>>,
    /// Named.
    pub other: Option<Box<NodeSpec>>,
    /// Holds what is deeper.
    pub rollout: Option<Box<NodeRollout>>,
    /// Less deep.
    ///
    /// One of `One`, `All`.
    pub rollout_strategy: Option<NodeRolloutStrategy>,
}
static TABLE: codec::Table =
    codec::Table::new("Node", "! spec other rollout rolloutStrategy");

// file: src/spec/types/node_rollout.rs
/// Holds what is deeper.
///
/// Schema `Node/properties/rollout`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeRollout {
    /// Deeper.
    ///
    /// One of `Fast`, `Slow`.
    pub strategy: Option<NodeRolloutStrategy2>,
}
static TABLE: codec::Table =
    codec::Table::new("NodeRollout", "! strategy");

// file: src/spec/types/node_rollout_strategy.rs
/// Less deep.
///
/// Schema `Node/properties/rolloutStrategy`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NodeRolloutStrategy {
    /// `One`
    One,
    /// `All`
    All,
    /// A value that the document does not list.
    Other(String),
}
impl NodeRolloutStrategy {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::One => "One",
            Self::All => "All",
}
impl From<&str> for NodeRolloutStrategy
            "One" => Self::One,
            "All" => Self::All,
kapigen_runtime::__private::open_enum!(NodeRolloutStrategy);

// file: src/spec/types/node_rollout_strategy2.rs
/// Deeper.
///
/// Schema `Node/properties/rollout/properties/strategy`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NodeRolloutStrategy2 {
    /// `Fast`
    Fast,
    /// `Slow`
    Slow,
    /// A value that the document does not list.
    Other(String),
}
impl NodeRolloutStrategy2 {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Fast => "Fast",
            Self::Slow => "Slow",
}
impl From<&str> for NodeRolloutStrategy2
            "Fast" => Self::Fast,
            "Slow" => Self::Slow,
kapigen_runtime::__private::open_enum!(NodeRolloutStrategy2);

// file: src/spec/types/node_spec.rs
/// Named.
///
/// Schema `NodeSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeSpec {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("NodeSpec", "! name");

// file: src/spec/types/node_spec2.rs
/// Numbered.
///
/// Schema `Node/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeSpec2 {
    /// `inner`.
    pub inner: Option<Box<NodeSpecInner>>,
}
static TABLE: codec::Table =
    codec::Table::new("NodeSpec2", "! inner");

// file: src/spec/types/node_spec_inner.rs
/// Schema `Node/properties/spec/properties/inner`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeSpecInner {
    /// `x`.
    pub x: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("NodeSpecInner", "! x");

// file: src/spec/types/pod.rs
/// Spelled like the type.
///
/// Schema `Pod`.
#[derive(Clone, Default, PartialEq)]
pub struct Pod {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Pod", "! name");

// file: src/spec/types/pod2.rs
/// Looks like a numbered one.
///
/// Schema `Pod2`.
#[derive(Clone, Default, PartialEq)]
pub struct Pod2 {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Pod2", "! name");

// file: src/spec/types/pod3.rs
/// Another spelling.
///
/// Schema `pod`.
#[derive(Clone, Default, PartialEq)]
pub struct Pod3 {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Pod3", "! name");

