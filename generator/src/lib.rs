//! Generates a Rust crate from the OpenAPI 3.0 documents of Kubernetes-style APIs.
//!
//! Documents in, files out: [`generate`] touches neither disk nor network. Data flows one way,
//! through free functions, and each stage is a module that uses only earlier ones:
//!
//! | module | stage |
//! |---|---|
//! | [`input`] | documents, selection and other crates, read from disk |
//! | [`openapi`] | text → documents, corrected and split, with references that can be resolved |
//! | [`lower`](mod@lower) | documents → [`model`](mod@model), which is plain data |
//! | [`hold`] | newer documents with the interface of a crate that exists |
//! | [`functions`] | operations of the model → functions |
//! | [`emit`](mod@emit) | model → tokens and tables → text |
//! | [`package`](mod@package) | what surrounds the Rust: manifest, README, documents, definitions, copies of crates |
//! | [`diff`] | two models → changes of the interface |
//! | [`tree`] | text → files, compared with a folder and written |
//!
//! [`pipeline`] runs them in this order; [`Build`] does so for build scripts and tests, and `cli`
//! is the command. Work on each document and each file is done on all cores.

pub mod error;
mod hash;
pub mod names;
pub mod note;
mod parallel;
pub mod pointer;
pub mod visible;

pub mod diff;
pub mod emit;
pub mod functions;
pub mod hold;
pub mod input;
pub mod lower;
pub mod model;
pub mod openapi;
pub mod package;
pub mod tree;

pub mod build;
#[cfg(feature = "cli")]
pub mod cli;
pub mod pipeline;

pub use build::Build;
pub use input::Sources;
pub use input::package::Sibling;
pub use pipeline::{
    Manifests, Model, Output, generate, generate_observed, generate_runtime, held, model, offered,
};
