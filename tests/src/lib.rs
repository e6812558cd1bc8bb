//! Code that the tests of this package share.
//!
//! * Paths and input: [`places`] has the paths of the project, [`cases`] reads folders of
//!   documents, [`documents`] and [`operations`] read `spec/` without the generator's code,
//!   [`samples`] finds objects of servers, [`probes`] changes recorded ones.
//! * The crate: [`registry`] lists the types of `openshift-api`, [`types`] decodes and encodes
//!   them, [`literals`] makes objects as programs do; [`calls`] lists its functions, [`call`] makes
//!   requests of them, [`functions`] reads their source.
//! * Values: [`filler`] makes them from the documents, [`instances`] makes them from any schemas,
//!   [`random`] makes JSON, [`compare`] lists the differences of two, [`structural`] checks JSON
//!   schemas and what they accept.
//! * JSON: [`agreement`] compares the runtime's with serde's, [`fuzz`] does so for random input,
//!   [`order`] has the members of objects in another order.
//! * The machine: [`folder`] is one to write to, [`workspace`] compiles crates, [`memory`] measures
//!   work in a process of its own.

pub mod agreement;
pub mod call;
#[rustfmt::skip]
pub mod calls;
pub mod cases;
pub mod compare;
pub mod documents;
pub mod filler;
pub mod folder;
pub mod functions;
pub mod fuzz;
pub mod instances;
pub mod literals;
pub mod memory;
pub mod operations;
pub mod oracle;
#[path = "../../templates/runtime/tests/machines/order.rs"]
pub mod order;
pub mod places;
pub mod probes;
pub mod random;
#[rustfmt::skip]
pub mod registry;
pub mod samples;
pub mod structural;
pub mod types;
pub mod workspace;

/// The examples of the page about types compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../docs/types.md")]
struct TypesPage;

/// So do those of the page about tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/tests.md")]
struct TestsPage;

/// So do those of the page about big clusters.
#[cfg(doctest)]
#[doc = include_str!("../../docs/big-clusters.md")]
struct BigClustersPage;

/// So do those of the page about changes.
#[cfg(doctest)]
#[doc = include_str!("../../docs/changes.md")]
struct ChangesPage;

/// So do those of the page about k8s-openapi and kube.
#[cfg(doctest)]
#[doc = include_str!("../../docs/from-kube.md")]
struct FromKubePage;

/// So do those of the page about requests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/requests.md")]
struct RequestsPage;

/// So do those of the page about webhooks.
#[cfg(doctest)]
#[doc = include_str!("../../docs/webhooks.md")]
struct WebhooksPage;

/// So do those of the crate's own README.
#[cfg(doctest)]
#[doc = include_str!("../../generated/README.md")]
struct CrateReadme;

/// And that of the README of the runtime.
#[cfg(doctest)]
#[doc = include_str!("../../templates/runtime/README.md")]
struct RuntimeReadme;
