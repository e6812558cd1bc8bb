//! What the tests of this package share.
//!
//! [`places`] knows where things are · [`documents`] reads `spec/` without the generator's code · [`filler`] makes
//! values from it · [`registry`] lists the types of `openshift-api` · [`types`] reads and writes them · [`compare`]
//! says where two values differ · [`random`] makes JSON · [`samples`] finds objects of servers ·
//! [`calls`] lists the functions of `openshift-api`, [`call`] makes requests of them, [`functions`] reads their text ·
//! [`operations`] is what `spec/` says of operations · [`workspace`] compiles crates ·
//! [`memory`] measures it in a process of its own · [`folder`] is one to write to · [`agreement`] holds the crate's JSON against serde's, and [`fuzz`] does so for random
//! texts.

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
pub mod memory;
pub mod operations;
pub mod places;
pub mod random;
#[rustfmt::skip]
pub mod registry;
pub mod samples;
pub mod types;
pub mod workspace;

/// The examples of the README compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// And those of the crate's own.
#[cfg(doctest)]
#[doc = include_str!("../../generated/README.md")]
struct CrateReadme;
