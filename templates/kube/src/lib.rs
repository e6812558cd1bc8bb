//! Lets kube use the kinds of generated crates.
//!
//! [`Kube<T>`] wraps an object of a generated kind with the metadata of k8s-openapi, and implements
//! kube's traits: it works with [`kube::Api`], watchers, reflectors, finalizers, events and
//! controllers.
//!
//! ```
//! use kapigen_kube::Kube;
//! use kube::api::{Api, ListParams, Patch, PatchParams};
//! use openshift_api::image_v1::Image;
//!
//! /// Labels all images that have no labels yet.
//! async fn label(client: kube::Client) -> kube::Result<()> {
//!     let images: Api<Kube<Image>> = Api::all(client);
//!     for image in images.list(&ListParams::default()).await? {
//!         let (Some(name), None) = (&image.metadata.name, &image.metadata.labels) else { continue };
//!         let patch = serde_json::json!({"metadata": {"labels": {"seen": "true"}}});
//!         images.patch(name, &PatchParams::default(), &Patch::Merge(patch)).await?;
//!     }
//!     Ok(())
//! }
//! ```
//!
//! [`KubeService`] sends requests of generated crates through kube's client, with kapigen-client.
//!
//! Features:
//!
//! * `dynamic`: `KubeObject` and `KubeMaskedObject`, objects of kinds that are known only at run
//!   time.
//! * `ws`: `exec`, `attach`, `portforward` and ephemeral containers of `kube::Api`.
//! * `runtime`: `watcher_events` and others, with which informers feed kube's reflectors and
//!   controllers.
//!
//! The program selects the Kubernetes version with a feature of k8s-openapi, such as `latest`.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "dynamic")]
mod dynamic;
mod encode;
#[cfg(feature = "runtime")]
mod informer;
mod masked;
mod metadata;
mod object;
mod scope;
mod service;
mod subresources;

#[cfg(feature = "dynamic")]
pub use dynamic::KubeObject;
#[cfg(feature = "runtime")]
pub use informer::{FromInformer, WatcherEvents, masked_watcher_events, watcher_events};
#[cfg(all(feature = "dynamic", feature = "runtime"))]
pub use informer::{dynamic_watcher_events, masked_dynamic_watcher_events};
pub use masked::KubeMasked;
#[cfg(feature = "dynamic")]
pub use masked::KubeMaskedObject;
pub use object::Kube;
pub use scope::{KubeResource, KubeScope};
pub use service::KubeService;

// The README; its examples are tests. // not vendored
#[cfg(all(doc, feature = "runtime", feature = "ws"))] // not vendored
#[doc = include_str!("../README.md")] // not vendored
pub mod _documentation {} // not vendored
