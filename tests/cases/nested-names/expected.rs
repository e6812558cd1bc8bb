// file: src/example_v1/mod.rs
//! `example/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/example_v1/types/mod.rs
pub use plan::Plan;
pub use plan_inner_pod_spec::PlanInnerPodSpec;
pub use plan_item::PlanItem;
pub use plan_item_item::PlanItemItem;
pub use plan_item_item_item::PlanItemItemItem;
pub use plan_option::PlanOption;
pub use plan_option_string::PlanOptionString;
pub use plan_pod::PlanPod;
pub use plan_pod_spec::PlanPodSpec;
pub use plan_self::PlanSelf;
pub use plan_self_type::PlanSelfType;
pub use plan_steps::PlanSteps;
pub use plan_steps_steps::PlanStepsSteps;
pub use plan_steps_steps_steps::PlanStepsStepsSteps;

// file: src/example_v1/types/plan.rs
/// Deep.
///
/// Schema `com.example.v1.Plan`.
#[derive(Clone, Default, PartialEq)]
pub struct Plan {
    /// `podSpec`.
    pub pod_spec: Option<Box<PlanPodSpec>>,
    /// `pod`.
    pub pod: Option<Box<PlanPod>>,
    /// `item`.
    pub item: Option<Vec<PlanItem>>,
    /// `steps`.
    pub steps: Option<BTreeMap<String, Vec<BTreeMap<String, PlanSteps>>>>,
    /// `self`.
    pub self_: Option<Box<PlanSelf>>,
    /// `Option`.
    pub option: Option<Box<PlanOption>>,
}
static TABLE: codec::Table =
    codec::Table::new("Plan", "! podSpec pod item steps self Option");

// file: src/example_v1/types/plan_inner_pod_spec.rs
/// Schema `com.example.v1.Plan/properties/pod/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanInnerPodSpec {
    /// `b`.
    pub b: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanInnerPodSpec", "! b");

// file: src/example_v1/types/plan_item.rs
/// Schema `com.example.v1.Plan/properties/item/items`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanItem {
    /// `item`.
    pub item: Option<Vec<PlanItemItem>>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanItem", "! item");

// file: src/example_v1/types/plan_item_item.rs
/// Schema `com.example.v1.Plan/properties/item/items/properties/item/items`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanItemItem {
    /// One of `a`, `b`.
    pub item: Option<PlanItemItemItem>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanItemItem", "! item");

// file: src/example_v1/types/plan_item_item_item.rs
/// Schema `com.example.v1.Plan/properties/item/items/properties/item/items/properties/item`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PlanItemItemItem {
    /// `a`
    A,
    /// `b`
    B,
    /// A value that the document does not list.
    Other(String),
}
impl PlanItemItemItem {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::A => "a",
            Self::B => "b",
}
impl From<&str> for PlanItemItemItem
            "a" => Self::A,
            "b" => Self::B,
kapigen_runtime::__private::open_enum!(PlanItemItemItem);

// file: src/example_v1/types/plan_option.rs
/// Schema `com.example.v1.Plan/properties/Option`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanOption {
    /// `String`.
    pub string: Option<Box<PlanOptionString>>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanOption", "! String");

// file: src/example_v1/types/plan_option_string.rs
/// Schema `com.example.v1.Plan/properties/Option/properties/String`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanOptionString {
    /// `vec`.
    pub vec: Option<bool>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanOptionString", "! vec");

// file: src/example_v1/types/plan_pod.rs
/// Schema `com.example.v1.Plan/properties/pod`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanPod {
    /// `spec`.
    pub spec: Option<Box<PlanInnerPodSpec>>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanPod", "! spec");

// file: src/example_v1/types/plan_pod_spec.rs
/// Schema `com.example.v1.Plan/properties/podSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanPodSpec {
    /// `a`.
    pub a: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanPodSpec", "! a");

// file: src/example_v1/types/plan_self.rs
/// Schema `com.example.v1.Plan/properties/self`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanSelf {
    /// Only `x`.
    pub type_: Option<PlanSelfType>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanSelf", "! type");

// file: src/example_v1/types/plan_self_type.rs
/// Schema `com.example.v1.Plan/properties/self/properties/type`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PlanSelfType {
    /// `x`
    X,
    /// A value that the document does not list.
    Other(String),
}
impl PlanSelfType {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::X => "x",
}
impl From<&str> for PlanSelfType
            "x" => Self::X,
kapigen_runtime::__private::open_enum!(PlanSelfType);

// file: src/example_v1/types/plan_steps.rs
/// Schema `com.example.v1.Plan/properties/steps/additionalProperties/items/additionalProperties`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanSteps {
    /// `steps`.
    pub steps: Option<Box<PlanStepsSteps>>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanSteps", "! steps");

// file: src/example_v1/types/plan_steps_steps.rs
/// Schema
/// `com.example.v1.Plan/properties/steps/additionalProperties/items/additionalProperties/properties/steps`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanStepsSteps {
    /// `steps`.
    pub steps: Option<Box<PlanStepsStepsSteps>>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanStepsSteps", "! steps");

// file: src/example_v1/types/plan_steps_steps_steps.rs
/// Schema
/// `com.example.v1.Plan/properties/steps/additionalProperties/items/additionalProperties/properties/steps/properties/steps`.
#[derive(Clone, Default, PartialEq)]
pub struct PlanStepsStepsSteps {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("PlanStepsStepsSteps", "! name");

