// file: notes.txt
note    spec.yaml#/paths/~1apis~1a.b~1v1~1gauges: `a.b/v1` is the module `a_b_v1_2`, as another group or version is `a_b_v1`; `module` in groups.yaml gives it another name
note    spec.yaml#/paths/~1apis~1autoscaling.k8s.io~1v1~1scalers: `autoscaling.k8s.io/v1` is the module `autoscaling_k8s_io_v1`, as another group or version is `autoscaling_v1`; `module` in groups.yaml gives it another name

// file: src/a_b_v1/gauges.rs
//! Requests for `gauges`.
/// `GET /apis/a-b/v1/gauges`. Responses: 200. RBAC: `list` on `gauges`. [Errors](self#errors).
#[doc(alias = "listHyphenGauge")]
pub fn list() -> Result<Request<Gauge>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listHyphenGauge", "GET", "/apis/a-b/v1/gauges")
    .resource("a-b", "v1", "gauges");

// file: src/a_b_v1/mod.rs
//! `a-b/v1`: types, and a module of requests for each resource.
pub mod gauges;
pub use types::*;

// file: src/a_b_v1/types/gauge.rs
/// A kind of a-b.
///
/// Kind `Gauge` of `a-b/v1`. Schema `a-b.v1.Gauge`.
#[derive(Clone, PartialEq)]
pub struct Gauge {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
}
impl Gauge {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Gauge
    const GROUP: &'static str = "a-b";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Gauge";
    const API_VERSION: &'static str = "a-b/v1";
static TABLE: codec::Table =
    codec::Table::new("Gauge", "! apiVersion kind").identities(&[codec::Identity::new("a-b/v1", "Gauge")]);

// file: src/a_b_v1/types/mod.rs
pub use gauge::Gauge;

// file: src/a_b_v1_2/gauges.rs
//! Requests for `gauges`.
/// `GET /apis/a.b/v1/gauges`. Responses: 200. RBAC: `list` on `gauges`. [Errors](self#errors).
#[doc(alias = "listDottedGauge")]
pub fn list() -> Result<Request<Gauge>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listDottedGauge", "GET", "/apis/a.b/v1/gauges")
    .resource("a.b", "v1", "gauges");

// file: src/a_b_v1_2/mod.rs
//! `a.b/v1`: types, and a module of requests for each resource.
pub mod gauges;
pub use types::*;

// file: src/a_b_v1_2/types/gauge.rs
/// A kind of a.b.
///
/// Kind `Gauge` of `a.b/v1`. Schema `b.a.v1.Gauge`.
#[derive(Clone, PartialEq)]
pub struct Gauge {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
}
impl Gauge {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Gauge
    const GROUP: &'static str = "a.b";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Gauge";
    const API_VERSION: &'static str = "a.b/v1";
static TABLE: codec::Table =
    codec::Table::new("Gauge", "! apiVersion kind").identities(&[codec::Identity::new("a.b/v1", "Gauge")]);

// file: src/a_b_v1_2/types/mod.rs
pub use gauge::Gauge;

// file: src/autoscaling_k8s_io_v1/mod.rs
//! `autoscaling.k8s.io/v1`: types, and a module of requests for each resource.
pub mod scalers;
pub use types::*;

// file: src/autoscaling_k8s_io_v1/scalers.rs
//! Requests for `scalers`.
/// `GET /apis/autoscaling.k8s.io/v1/scalers`. Responses: 200. RBAC: `list` on `scalers`.
/// [Errors](self#errors).
#[doc(alias = "listScaler")]
pub fn list() -> Result<Request<Scaler>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listScaler", "GET", "/apis/autoscaling.k8s.io/v1/scalers")
    .resource("autoscaling.k8s.io", "v1", "scalers");

// file: src/autoscaling_k8s_io_v1/types/mod.rs
pub use scaler::Scaler;

// file: src/autoscaling_k8s_io_v1/types/scaler.rs
/// A kind of the group with the dots.
///
/// Kind `Scaler` of `autoscaling.k8s.io/v1`. Schema `io.k8s.autoscaling.v1.Scaler`.
#[derive(Clone, PartialEq)]
pub struct Scaler {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
}
impl Scaler {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Scaler
    const GROUP: &'static str = "autoscaling.k8s.io";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Scaler";
    const API_VERSION: &'static str = "autoscaling.k8s.io/v1";
static TABLE: codec::Table =
    codec::Table::new("Scaler", "! apiVersion kind").identities(&[codec::Identity::new("autoscaling.k8s.io/v1", "Scaler")]);

// file: src/autoscaling_v1/mod.rs
//! `autoscaling/v1`: types, and a module of requests for each resource.
pub mod replicas;
pub use types::*;

// file: src/autoscaling_v1/replicas.rs
//! Requests for `replicas`.
/// `GET /apis/autoscaling/v1/replicas`. Responses: 200. RBAC: `list` on `replicas`.
/// [Errors](self#errors).
#[doc(alias = "listReplica")]
pub fn list() -> Result<Request<Replica>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listReplica", "GET", "/apis/autoscaling/v1/replicas")
    .resource("autoscaling", "v1", "replicas");

// file: src/autoscaling_v1/types/mod.rs
pub use replica::Replica;

// file: src/autoscaling_v1/types/replica.rs
/// A kind of the group without.
///
/// Kind `Replica` of `autoscaling/v1`. Schema `io.k8s.api.autoscaling.v1.Replica`.
#[derive(Clone, PartialEq)]
pub struct Replica {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
}
impl Replica {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Replica
    const GROUP: &'static str = "autoscaling";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Replica";
    const API_VERSION: &'static str = "autoscaling/v1";
static TABLE: codec::Table =
    codec::Table::new("Replica", "! apiVersion kind").identities(&[codec::Identity::new("autoscaling/v1", "Replica")]);

// file: src/gauges_v1/gauges.rs
//! Requests for `gauges`.
/// `GET /apis/metrics.k8s.io/v1/gauges`. Responses: 200. RBAC: `list` on `gauges`.
/// [Errors](self#errors).
#[doc(alias = "listGauge")]
pub fn list() -> Result<Request<Gauge>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listGauge", "GET", "/apis/metrics.k8s.io/v1/gauges")
    .resource("metrics.k8s.io", "v1", "gauges");

// file: src/gauges_v1/mod.rs
//! `metrics.k8s.io/v1`: types, and a module of requests for each resource.
pub mod gauges;
pub use types::*;

// file: src/gauges_v1/types/gauge.rs
/// A kind of metrics.k8s.io.
///
/// Kind `Gauge` of `metrics.k8s.io/v1`. Schema `io.k8s.metrics.v1.Gauge`.
#[derive(Clone, PartialEq)]
pub struct Gauge {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
}
impl Gauge {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Gauge
    const GROUP: &'static str = "metrics.k8s.io";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Gauge";
    const API_VERSION: &'static str = "metrics.k8s.io/v1";
static TABLE: codec::Table =
    codec::Table::new("Gauge", "! apiVersion kind").identities(&[codec::Identity::new("metrics.k8s.io/v1", "Gauge")]);

// file: src/gauges_v1/types/mod.rs
pub use gauge::Gauge;

// file: src/metrics_v1/gauges.rs
//! Requests for `gauges`.
/// `GET /apis/metrics/v1/gauges`. Responses: 200. RBAC: `list` on `gauges`. [Errors](self#errors).
#[doc(alias = "listOtherGauge")]
pub fn list() -> Result<Request<Gauge>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listOtherGauge", "GET", "/apis/metrics/v1/gauges")
    .resource("metrics", "v1", "gauges");

// file: src/metrics_v1/mod.rs
//! `metrics/v1`: types, and a module of requests for each resource.
pub mod gauges;
pub use types::*;

// file: src/metrics_v1/types/gauge.rs
/// A kind of metrics.
///
/// Kind `Gauge` of `metrics/v1`. Schema `metrics.v1.Gauge`.
#[derive(Clone, PartialEq)]
pub struct Gauge {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
}
impl Gauge {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Gauge
    const GROUP: &'static str = "metrics";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Gauge";
    const API_VERSION: &'static str = "metrics/v1";
static TABLE: codec::Table =
    codec::Table::new("Gauge", "! apiVersion kind").identities(&[codec::Identity::new("metrics/v1", "Gauge")]);

// file: src/metrics_v1/types/mod.rs
pub use gauge::Gauge;

