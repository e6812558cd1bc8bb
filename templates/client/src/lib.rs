//! An async client for generated crates, over any [`tower_service::Service`].
//!
//! A [`Client`] sends a request and decodes its response, opens a stream such as a watch, and runs
//! a state machine ([`Machine`](kapigen_runtime::Machine)) such as an informer. It needs a service
//! that takes [`http`] requests and returns responses with an [`http_body::Body`], such as the
//! clients of hyper-util and kube, or of reqwest within a `service_fn` of
//! [`tower`](https://docs.rs/tower). TLS and credentials belong to the service. With the feature
//! `connect`, `Client::connect` brings a service that uses your kubeconfig.
//!
//! ```
//! use kapigen_client::{Client, Error};
//! use kapigen_runtime::params::ListParams;
//! use kapigen_runtime::scope::DynamicScope;
//! use kapigen_runtime::{Store, verbs};
//!
//! /// Keeps all objects of a kind in a store.
//! async fn follow<T: verbs::Listable>(client: &Client, store: &Store<T>) -> Result<(), Error> {
//!     let list = T::list(DynamicScope::default(), &ListParams::default())?;
//!     let mut events = client.informer(list)?;
//!     while let Some(event) = events.next().await {
//!         store.apply(&event);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! | method of [`Client`] | what it does |
//! |---|---|
//! | [`send`](Client::send) | sends a request, and returns the whole response |
//! | [`items`](Client::items) | returns the items of a list one by one, and fetches page by page |
//! | [`open`](Client::open), [`watch`](Client::watch) | streams the items of one response as they arrive |
//! | [`informer`](Client::informer) | streams all objects and each change of them, through failures |
//! | [`follow_log`](Client::follow_log) | streams the lines of a log, none lost and none repeated |
//! | [`elect`](Client::elect) | takes part in a leader election |
//! | [`update`](Client::update) | reads an object, changes it and replaces it, again after each conflict |
#![cfg_attr(
    feature = "dynamic",
    doc = "| [`discover`](Client::discover), [`resources`](Client::resources) | finds the resources of the server |"
)]
#![cfg_attr(
    not(feature = "dynamic"),
    doc = "| `discover`, `resources` | find the resources of the server, with the feature `dynamic` |"
)]
#![cfg_attr(
    feature = "streams",
    doc = "| [`exec`](Client::exec), [`attach`](Client::attach) | runs a process in a container |\n\
           | [`forward`](Client::forward), [`forward_listener`](Client::forward_listener) | \
           connects to a port of a pod; forwards a local port |"
)]
#![cfg_attr(
    not(feature = "streams"),
    doc = "| `exec`, `attach`, `forward`, `forward_listener` | run processes in \
           containers and connect to ports of pods, with the feature `streams` |"
)]
#![cfg_attr(
    feature = "copy",
    doc = "| [`copy_from`](Client::copy_from), [`copy_to`](Client::copy_to) | copies files and \
           folders of containers |"
)]
#![cfg_attr(
    not(feature = "copy"),
    doc = "| `copy_from`, `copy_to` | copy files and folders of containers, with the feature `copy` |"
)]
//! | [`run`](Client::run) | runs any [`Machine`](kapigen_runtime::Machine) |
//!
//! A [`WorkQueue`] hands keys of objects to a handler: see [`kapigen_runtime::queue`].
//!
//! The module `manifest`, with the feature of that name, reads manifests.
//!
//! `Client::connect`, with the feature `connect`, finds the cluster as kubectl does. The page
//! "Programs" of the book has services for kube, hyper-util and reqwest.
//!
//! A machine that cannot send its requests at all, for example because the base of the client is
//! wrong, reports [`FailureKind::Unsendable`](kapigen_runtime::machine::FailureKind::Unsendable),
//! and its stream ends. So does the stream of an informer if its requests are too long for a URL.
//! No other error ends an informer or an election.
//!
//! `send` and `open` repeat a failed request if that can do no harm: see
//! [`kapigen_runtime::retry`].
//!
//! Waits and timeouts use the timer of tokio. Every future here is cancel-safe: dropping it loses
//! no item and no event. Dropping a stream or a client ends its request.
#![forbid(unsafe_code)]

#[cfg(all(feature = "connect", target_arch = "wasm32"))] // not vendored
compile_error!("wasm32 has no sockets for `connect`: give `Client::new` a service"); // not vendored

mod alarm;
mod body;
mod client;
#[cfg(all(feature = "connect", not(target_arch = "wasm32")))] // not vendored
mod connect; // not vendored
#[cfg(feature = "copy")]
pub mod copy;
#[cfg(feature = "dynamic")]
mod discovery;
mod error;
mod follow;
#[cfg(feature = "manifest")] // vendored with manifest
pub mod manifest; // vendored with manifest
mod metrics;
mod queue;
mod random;
mod retry;
mod run;
mod stream;
#[cfg(feature = "streams")]
pub mod streams;
mod tasks;
mod transport;

pub use body::Body;
pub use client::Client;
#[cfg(feature = "dynamic")]
pub use discovery::Resources;
pub use error::{BoxError, Error, ErrorKind, NotRepeated};
#[cfg(all(feature = "connect", not(target_arch = "wasm32")))] // not vendored
pub use kapigen_connect; // not vendored
pub use queue::WorkQueue;
pub use run::{ItemStream, Run};
pub use stream::Stream;
pub use transport::Transport;

// The README; its examples are tests in `tests/consumer-client`. // not vendored
#[cfg(all(doc, not(doctest)))] // not vendored
#[doc = include_str!("../README.md")] // not vendored
pub mod _documentation {} // not vendored
