//! An in-memory Kubernetes API server for tests.
//!
//! Behavior common to all kinds matches a real API server: resource versions and conflicts,
//! watches, lists page by page, selectors, finalizers, patches, apply with field managers, dry
//! runs, status and scale, tables, discovery. Custom resources have their defaults, too, and are
//! checked by their schemas. Objects of built-in kinds that clients write get most of their
//! defaults, and are validated ([`Server::built_in_rules`] turns that off). There is no admission,
//! no authorization, and no controller except a garbage collector: a `Deployment` creates no pods,
//! and a pod is never scheduled.
//!
//! | feature, off by default | adds |
//! |---|---|
//! | `tower` | `FakeService`, for any Rust client over a `tower::Service`, such as kube's and kapigen-client's |
//! | `cel` | the rules of definitions in CEL: `x-kubernetes-validations` | // not vendored
//! | `listen` | `Server::listen`, a socket for clients in any language |
//! | `kubernetes` | `Server::kubernetes`, the stable kinds of Kubernetes | // not vendored
//! | `protobuf` | request bodies of built-in kinds in protobuf, as clients in Go send them | // not vendored
//! | `streams` | `Server::on_exec` and others: processes and ports of pods |
//!
//! A [`Server`] does no I/O: [`Server::handle`] takes a request and the time, and returns a
//! [`Reply`]. Names, UIDs and resource versions are deterministic. The kinds come from the constant
//! `DOCUMENTS` of generated crates, from custom resource definitions, and from OpenAPI documents.
//!
//! ```
//! use kapigen_fake::Server;
//! use serde_json::json;
//!
//! let server = Server::default();
//! let definition = json!({
//!     "spec": {
//!         "group": "example.com",
//!         "scope": "Namespaced",
//!         "names": {"plural": "widgets", "kind": "Widget"},
//!         "versions": [{
//!             "name": "v1",
//!             "served": true,
//!             "schema": {"openAPIV3Schema": {
//!                 "type": "object",
//!                 "properties": {"spec": {
//!                     "type": "object",
//!                     "properties": {"size": {"type": "integer", "default": 3}},
//!                 }},
//!             }},
//!         }],
//!     },
//! });
//! server.add_definition(&definition).unwrap();
//! let widget = json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {}});
//! let stored = server.create(&widget).unwrap();
//! assert_eq!(stored["spec"]["size"], 3);
//! assert_eq!(stored["metadata"]["resourceVersion"], "101");
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "cel")] // not vendored
mod cel; // not vendored
pub mod change;
mod discovery;
mod encode;
mod failure;
mod garbage;
mod http;
mod key;
mod kinds;
mod lifecycle;
mod logs;
mod names;
mod object;
#[cfg(feature = "protobuf")] // not vendored
mod protobuf; // not vendored
#[cfg(not(feature = "protobuf"))] // not vendored
#[path = "without_protobuf.rs"]
mod protobuf;
mod registry;
mod request;
mod schema;
mod secret;
mod select;
mod server;
#[cfg(feature = "listen")]
mod socket;
mod state;
mod store;
#[cfg(feature = "streams")]
pub mod streams;
mod syntax;
mod tables;
mod taken_names;
#[cfg(feature = "tower")]
mod tower;
mod tree;
mod validate;
mod verbs;

#[cfg(feature = "streams")]
pub use server::Session;
pub use server::{Action, Events, Fault, NextEvent, Reply, ReplyBody, Server, ServerSnapshot};
#[cfg(feature = "listen")]
pub use socket::Listening;
#[cfg(feature = "tower")]
pub use tower::{FakeService, ServiceBody};

// The README. Its examples are tests. // not vendored
#[cfg(doc)] // not vendored
#[doc = include_str!("../README.md")] // not vendored
pub mod _documentation {} // not vendored
