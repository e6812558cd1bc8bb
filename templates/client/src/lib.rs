//! Requests and machines of [`kapigen_runtime`], run over any [`tower_service::Service`].
//!
//! A [`Client`] sends a request and decodes its response, opens a stream such as a watch, and runs a
//! [`Machine`](kapigen_runtime::Machine) such as an informer. It needs a service that takes [`http`] requests and
//! returns responses with an [`http_body::Body`]: those of hyper-util and kube do, and reqwest's within a `service_fn`
//! of [`tower`](https://docs.rs/tower). TLS and credentials belong to the service. [`Typed`] makes requests for types of
//! your own.
//!
//! ```
//! use kapigen_client::{Client, Error, Transport};
//! use kapigen_runtime::meta_v1::{PartialObjectMetadata, PartialObjectMetadataList};
//! use kapigen_runtime::{Request, Store};
//!
//! /// Keeps a store up to date, for ever.
//! async fn follow<S: Transport<B>, B: From<Vec<u8>>>(
//!     service: S,
//!     list: Request<PartialObjectMetadataList>,
//!     store: Store<PartialObjectMetadata>,
//! ) -> Result<(), Error> {
//!     let client = Client::new(service).base("https://10.0.0.1:6443".parse().expect("a URL"));
//!     let mut events = client.informer(list)?;
//!     while let Some(event) = events.next().await {
//!         store.apply(&event);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! Waits and time limits use the timer of tokio. Every future here can be dropped: no item and no event is lost with
//! one that did not return it, and dropping a stream or a client ends its request.
#![forbid(unsafe_code)]

mod body;
mod boxed;
mod client;
mod error;
mod items;
mod programs;
mod run;
#[cfg(feature = "sources")] // not vendored
#[doc(hidden)] // not vendored
pub mod sources; // not vendored
mod stream;
mod transport;
pub mod typed;

pub use body::Body;
pub use boxed::{BoxClient, BoxService};
pub use client::Client;
pub use error::Error;
pub use items::Items;
pub use run::Run;
pub use stream::Stream;
pub use transport::Transport;
pub use typed::{Typed, TypedKind};

/// An error of a transport, of any type.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
