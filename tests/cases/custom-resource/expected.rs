// file: src/stable_example_com_v1/crontabs.rs
//! Requests for `crontabs`, the objects of the [kind `CronTab`](super::CronTab).
/// `GET /apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}`. Responses: 200. RBAC:
/// `get` on `crontabs`. [Errors](self#errors).
#[doc(alias = "readStableExampleComV1NamespacedCronTab")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<CronTab>, Error>
pub const GET: Operation = Operation::new(Verb::Get, "readStableExampleComV1NamespacedCronTab", "GET", "/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}")
    .resource("stable.example.com", "v1", "crontabs")
    .kind("CronTab")
    .parameters(&["pretty", "resourceVersion"]);
impl Gettable for crate::stable_example_com_v1::CronTab

// file: src/stable_example_com_v1/mod.rs
//! `stable.example.com/v1`: types, and a module of requests for each resource.
pub mod crontabs;
pub use types::*;

// file: src/stable_example_com_v1/types/cron_tab.rs
/// Kind `CronTab` of `stable.example.com/v1`. Schema `com.example.stable.v1.CronTab`. Requests:
/// [`crontabs`](crate::stable_example_com_v1::crontabs).
#[derive(Clone)]
pub struct CronTab {
    /// The version of its schema.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Standard metadata.
    pub metadata: ObjectMeta,
    /// What is wanted.
    ///
    /// Matches exactly one of `{"required":["image"]}`, `{"properties":{"replicas":{"minimum":1}}}`.
    ///
    /// Rule `self.replicas > 0`: must be positive
    pub spec: CronTabSpec,
    /// May be `null`, which is kept in `unknown_`.
    pub status: Option<Box<CronTabStatus>>,
}
impl PartialEq for CronTab
impl CronTab {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for CronTab
    const GROUP: &'static str = "stable.example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "CronTab";
    const API_VERSION: &'static str = "stable.example.com/v1";
impl Resource for CronTab
    const PLURAL: &'static str = "crontabs";
impl AnyResource for CronTab
static TABLE: codec::Table =
    codec::Table::new("CronTab", "! apiVersion kind metadata! spec! status!!").identities(&[codec::Identity::new("stable.example.com/v1", "CronTab")]);

// file: src/stable_example_com_v1/types/cron_tab_spec.rs
/// What is wanted.
///
/// Schema `com.example.stable.v1.CronTab/properties/spec`.
#[derive(Clone, Default)]
pub struct CronTabSpec {
    /// 1 to 63 characters. Matches `^.*$`.
    pub schedule: String,
    /// May be `null`, which is kept in `unknown_`.
    pub image: Option<String>,
    /// May be `null`, which is kept in `unknown_`.
    pub maybe: Option<String>,
    /// At least 0. At most 1e+30.
    pub replicas: Option<i64>,
    /// `port`.
    pub port: Option<Int64OrString>,
    /// Each value: Matches `^x$`.
    pub limits: Option<BTreeMap<String, Int64OrString>>,
    /// `config`.
    pub config: Option<RawJson>,
    /// `values`.
    pub values: Option<RawJson>,
    /// Members that are known, and others that are not.
    pub partly: Option<RawJson>,
    /// A whole object of any kind.
    pub template: Option<RawJson>,
    /// `jobs`.
    ///
    /// Apply merges the elements by `name`.
    pub jobs: Option<Vec<CronTabSpecJobs>>,
}
impl PartialEq for CronTabSpec
static TABLE: codec::Table =
    codec::Table::new("CronTabSpec", "! schedule! image!! maybe!! replicas port limits config!! values!! partly!! template!! jobs").merge(&[
        (10, codec::Merge::USUAL.map(&[("name", "")])),
    ]);

// file: src/stable_example_com_v1/types/cron_tab_spec_jobs.rs
/// Schema `com.example.stable.v1.CronTab/properties/spec/properties/jobs/items`.
#[derive(Clone, Default, PartialEq)]
pub struct CronTabSpecJobs {
    /// `name`.
    pub name: String,
    /// `env`.
    pub env: Option<Vec<CronTabSpecJobsEnv>>,
}
static TABLE: codec::Table =
    codec::Table::new("CronTabSpecJobs", "! name! env");

// file: src/stable_example_com_v1/types/cron_tab_spec_jobs_env.rs
/// Schema `com.example.stable.v1.CronTab/properties/spec/properties/jobs/items/properties/env/items`.
#[derive(Clone, Default, PartialEq)]
pub struct CronTabSpecJobsEnv {
    /// Default `""`.
    pub value: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("CronTabSpecJobsEnv", "! value");

// file: src/stable_example_com_v1/types/cron_tab_status.rs
/// Schema `com.example.stable.v1.CronTab/properties/status`.
#[derive(Clone, Default, PartialEq)]
pub struct CronTabStatus {
    /// `conditions`.
    pub conditions: Option<Vec<CronTabStatusConditions>>,
}
static TABLE: codec::Table =
    codec::Table::new("CronTabStatus", "! conditions");

// file: src/stable_example_com_v1/types/cron_tab_status_conditions.rs
/// Schema `com.example.stable.v1.CronTab/properties/status/properties/conditions/items`.
#[derive(Clone, Default, PartialEq)]
pub struct CronTabStatusConditions {
    /// `type`.
    pub type_: String,
    /// One of `True`, `False`, `Unknown`.
    pub status: Option<CronTabStatusConditionsStatus>,
    /// Format `date-time`.
    pub last_transition_time: String,
}
static TABLE: codec::Table =
    codec::Table::new("CronTabStatusConditions", "! type! status lastTransitionTime!");

// file: src/stable_example_com_v1/types/cron_tab_status_conditions_status.rs
/// Schema
/// `com.example.stable.v1.CronTab/properties/status/properties/conditions/items/properties/status`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CronTabStatusConditionsStatus {
    /// `True`
    True,
    /// `False`
    False,
    /// `Unknown`
    Unknown,
    /// A value that the document does not list.
    Other(String),
}
impl CronTabStatusConditionsStatus {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
}
impl From<&str> for CronTabStatusConditionsStatus
            "True" => Self::True,
            "False" => Self::False,
            "Unknown" => Self::Unknown,
kapigen_runtime::__private::open_enum!(CronTabStatusConditionsStatus);

// file: src/stable_example_com_v1/types/mod.rs
pub use cron_tab::CronTab;
pub use cron_tab_spec::CronTabSpec;
pub use cron_tab_spec_jobs::CronTabSpecJobs;
pub use cron_tab_spec_jobs_env::CronTabSpecJobsEnv;
pub use cron_tab_status::CronTabStatus;
pub use cron_tab_status_conditions::CronTabStatusConditions;
pub use cron_tab_status_conditions_status::CronTabStatusConditionsStatus;

