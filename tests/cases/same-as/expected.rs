// file: notes.txt
note    spec.yaml#/components/schemas/com.example.v1.Runner/properties/spec/properties/template/properties/newer: `example_v1::Template` has no field for `newer`

// file: src/example_v1/mod.rs
//! `example/v1`: types, and a module of requests for each resource.
pub use types::*;

// file: src/example_v1/types/mod.rs
pub use policy::Policy;
pub use runner::Runner;
pub use runner_spec::RunnerSpec;
pub use runner_status::RunnerStatus;
pub use template::Template;

// file: src/example_v1/types/policy.rs
/// Schema `com.example.v1.Policy`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Policy {
    /// `Always`
    Always,
    /// `Never`
    Never,
    /// A value that the document does not list.
    Other(String),
}
impl Policy {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Always => "Always",
            Self::Never => "Never",
}
impl From<&str> for Policy
            "Always" => Self::Always,
            "Never" => Self::Never,
kapigen_runtime::__private::open_enum!(Policy);

// file: src/example_v1/types/runner.rs
/// Schema `com.example.v1.Runner`.
#[derive(Clone, Default, PartialEq)]
pub struct Runner {
    /// `spec`.
    pub spec: Option<Box<RunnerSpec>>,
    /// `status`.
    pub status: Option<Box<RunnerStatus>>,
}
static TABLE: codec::Table =
    codec::Table::new("Runner", "! spec status");

// file: src/example_v1/types/runner_spec.rs
/// Schema `com.example.v1.Runner/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct RunnerSpec {
    /// One of `Always`, `Never`, `Sometimes`.
    pub policy: Option<Policy>,
    /// What runs.
    pub template: Option<Box<Template>>,
    /// `loose`.
    pub loose: Option<Box<Template>>,
    /// `byName`.
    pub by_name: Option<BTreeMap<String, Template>>,
    /// `selector`.
    pub selector: Option<Box<LabelSelector>>,
}
static TABLE: codec::Table =
    codec::Table::new("RunnerSpec", "! policy template loose byName selector");

// file: src/example_v1/types/runner_status.rs
/// Schema `com.example.v1.Runner/properties/status`.
#[derive(Clone, Default, PartialEq)]
pub struct RunnerStatus {
    /// `conditions`.
    pub conditions: Option<Vec<Condition>>,
}
static TABLE: codec::Table =
    codec::Table::new("RunnerStatus", "! conditions");

// file: src/example_v1/types/template.rs
/// Schema `com.example.v1.Template`.
#[derive(Clone, Default, PartialEq)]
pub struct Template {
    /// `image`.
    pub image: Option<String>,
    /// `limits`.
    pub limits: Option<BTreeMap<String, Quantity>>,
    /// `ports`.
    pub ports: Option<Vec<i32>>,
    /// `policy`.
    pub policy: Option<Policy>,
    /// `fallback`.
    pub fallback: Option<Box<Runner>>,
}
static TABLE: codec::Table =
    codec::Table::new("Template", "! image limits ports policy fallback");

