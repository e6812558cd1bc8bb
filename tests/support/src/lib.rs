//! Helpers of the tests of all packages, without the generator and the fake server.
//!
//! * Paths and input: [`places`] has the paths of the project, [`documents`] and [`operations`] read
//!   `spec/` without the generator's code, [`samples`] finds objects of servers, [`probes`] changes
//!   recorded ones.
//! * The crate: [`registry`] lists the types of `openshift-api`, [`types`] decodes and encodes
//!   them, [`literals`] makes objects as programs do; [`calls`] lists its functions, [`call`] makes
//!   requests of them, [`functions`] reads their source.
//! * Values: [`filler`] makes them from the documents, [`instances`] makes them from any schemas,
//!   [`random`] makes JSON, [`compare`] lists the differences of two, [`structural`] checks JSON
//!   schemas and what they accept.
//! * JSON: [`agreement`] compares the runtime's with serde's, [`fuzz`] does so for random input,
//!   [`order`] has the members of objects in another order.
//! * The machine: [`folder`] is one to write to, [`workspace`] compiles crates.

pub mod agreement;
pub mod call;
#[rustfmt::skip]
pub mod calls;
pub mod compare;
pub mod documents;
pub mod filler;
pub mod folder;
pub mod functions;
pub mod fuzz;
pub mod instances;
pub mod literals;
pub mod operations;
#[path = "../../../templates/runtime/tests/machines/order.rs"]
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
