//! The runtime of generated crates.
//!
//! A generated crate has types, functions and tables. Everything that is the same for all of them
//! is here: the metadata that every object has ([`meta_v1`]), values such as times and quantities,
//! building requests ([`request`], [`params`]) and decoding responses, watches and lists
//! ([`response`], [`watch`], [`items`]). Since all generated crates depend on this one, they share
//! [`ObjectMeta`](meta_v1::ObjectMeta), [`Kind`], [`Request`] and [`Error`], and code that is
//! generic over [`Kind`] serves the kinds of all of them.
//!
//! Nothing here does I/O: a [`Request`] turns into an [`http::Request`] for any client, and decodes
//! the response.
//!
//! ```
//! use kapigen_runtime::meta_v1::{PartialObjectMetadata, Table};
//! use kapigen_runtime::{Request, from_str, http, to_vec};
//!
//! let object: PartialObjectMetadata = from_str(r#"{"metadata":{"name":"web"},"spec":{"paused":true}}"#)?;
//! assert_eq!(object.metadata.name.as_deref(), Some("web"));
//! // Unknown members are kept.
//! assert_eq!(to_vec(&object), br#"{"metadata":{"name":"web"},"spec":{"paused":true}}"#);
//!
//! /// Requests the columns that `kubectl get` prints, of the objects that any request returns.
//! fn as_table<T>(request: Request<T>) -> http::Request<Vec<u8>> {
//!     request.decode_as::<Table>().into_http()
//! }
//! # Ok::<(), kapigen_runtime::DecodeError>(())
//! ```
//!
//! # Code that is generic over kinds
//!
//! A function for all kinds takes a `T: Kind`, and a `T: Resource` if it needs metadata. The traits
//! in [`verbs`] build requests; an argument from [`scope`] selects the namespace:
//!
//! ```
//! use kapigen_runtime::params::ListParams;
//! use kapigen_runtime::scope::ListScope;
//! use kapigen_runtime::{Error, Request, verbs};
//!
//! /// Requests the objects of a kind that have a label.
//! fn labelled<T: verbs::Listable>(scope: impl ListScope<T::Scope>, label: &str) -> Result<Request<T::List>, Error> {
//!     T::list(scope, &ListParams::default().label_selector(label))
//! }
//! ```
//!
//! # Encoding and decoding
//!
//! Serde's derive generates a decoder and an encoder for every type, and each binary compiles them
//! again. Here every type is a plain struct with a small table, and one decoder and one encoder for
//! each format serve them all: [`from_slice`] and [`to_vec`] for JSON, serde's traits for every
//! format. These rules hold for all types:
//!
//! * `null` is accepted for any member and means absent, as it does to an API server, unless the
//!   schema of a custom resource says `nullable`: then it is kept.
//! * A missing required member is decoded as empty, as an API server does, and is not encoded while
//!   it is empty.
//! * Unknown members are kept and encoded again, see [`Unknown`]; [`from_slice_strict`] and
//!   [`deserialize_strict`] list the first of them, and [`drop_unknown`] removes them.
//! * The last of repeated members counts.
//! * Explicit zeros, `""`, `[]` and `{}` survive decoding and encoding.
//! * Errors name the path, such as `spec.containers[3].ports[0].containerPort`. Paths and messages
//!   are short for any input: a long one is cut in the middle, which `…` shows.
//! * `Debug` shows no bytes and no free JSON, only their length.
//!
//! # Features
//!
//! Types, requests, responses, watches, [masks](mask) and all forms of [`Patch`] are always there.
//! The rest is off by default, so that programs compile only what they use. A generated crate has
//! features of the same names, which enable these:
//!
//! | feature | enables |
//! |---|---|
//! | `admission` | [`admission`]: reviews of admission and conversion, for webhooks; it enables `change` |
//! | `change` | the functions of [`change`]: comparing, merging and patching objects, and the patch between two |
//! | `dynamic` | [`dynamic`]: objects of kinds that are known only at run time |
//! | `machines` | tasks of several requests: [`informer`], [`store`], [`pages`], [`log`], [`election`], [`update`], and utilities for programs that run for years: [`queue`], [`retry`], [`owners`], [`conditions`], [`recorder`], [`rbac`] |
//! | `route` | [`route`]: requests turned back into operations and their arguments |
//! | `schemars` | `schemars::JsonSchema` of all types, to embed them in custom resources of your own |
//! | `streams` | [`streams`]: WebSockets of `exec`, `attach` and `port-forward` |
#![cfg_attr(docsrs, feature(doc_cfg))]
// Docs of items that are always present also link to items that are not.
#![cfg_attr(
    not(all(
        feature = "admission",
        feature = "change",
        feature = "dynamic",
        feature = "machines",
        feature = "route",
        feature = "streams"
    )),
    allow(rustdoc::broken_intra_doc_links)
)]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// Functions that few programs call are `#[inline]`, not for speed: the compiler leaves them out of
// this crate, and compiles them in the crates that call them.

// Generated code names this crate, and some of it is in this crate.
extern crate self as kapigen_runtime;

#[macro_use]
mod macros;

#[cfg(feature = "admission")]
pub mod admission;
#[cfg(feature = "admission")]
#[rustfmt::skip]
mod admission_v1;
mod api;
#[cfg(feature = "dynamic")]
#[rustfmt::skip]
mod apidiscovery_v2;
#[cfg(feature = "admission")]
#[rustfmt::skip]
mod apiextensions_v1;
pub mod change;
#[doc(hidden)] // for generated code; the root has what users need of it
pub mod codec;
#[cfg(feature = "machines")]
mod controller;
mod custom_resource;
#[cfg(feature = "dynamic")]
pub mod discovery;
#[cfg(feature = "dynamic")]
pub mod dynamic;
mod invalid;
pub mod items;
#[cfg(feature = "schemars")]
mod json_schema;
mod kind;
mod lexer;
pub mod mask;
#[rustfmt::skip]
pub mod meta_v1;
mod operation;
#[rustfmt::skip]
pub mod params;
mod patch_type;
pub mod prelude;
mod random;
pub mod request;
#[doc(hidden)] // for `custom_resource!`
pub mod resource_operations;
#[cfg(any(feature = "machines", feature = "route"))]
mod resource_path;
pub mod response;
#[cfg(feature = "route")]
pub mod route;
pub mod scope;
#[cfg(feature = "streams")]
pub mod streams;
mod values;
pub mod verbs;
mod visible;
pub mod watch;

pub use api::{Api, ApiKind};
pub use codec::json::{
    DecodeError, from_reader, from_slice, from_slice_strict, from_str, to_string, to_vec, to_writer,
};
pub use codec::serde::deserialize_strict;
pub use codec::{Unknown, UnknownMembers, drop_unknown};
pub use items::Items;
pub use kind::{AnyKind, AnyResource, HasMetadata, Kind, Resource, ResourceList};
pub use mask::{FieldMask, Masked};
pub use operation::{ExtraParameter, Operation, ParameterType, Verb};
pub use request::{Patch, Request};
pub use response::{ApiError, Deleted, DeletedCollection, Error, Response, Text, Upgrade, Warning};
pub use watch::{Watch, WatchEvent};

#[cfg(feature = "machines")]
pub use controller::{
    conditions, election,
    election::{Election, ElectionEvent},
    informer,
    informer::Informer,
    log,
    log::{LogEvent, LogFollower},
    machine,
    machine::{Input, Machine, Step},
    owners, pages,
    pages::{PageEvent, Pages},
    queue,
    queue::Queue,
    rbac, recorder, retry, store,
    store::Store,
    update,
    update::Update,
};

/// The crate of the requests and responses in the public API of this one.
pub use http;
/// The crate of the timestamps in the public API of this one.
pub use jiff;
/// The crate of [trees](serde_json::Value) of JSON.
pub use serde_json;

/// The items of this crate in the root of every generated one.
#[doc(hidden)] // generated crates show it
pub mod facade {
    #[cfg(feature = "admission")]
    pub use crate::admission;
    #[doc(hidden)]
    pub use crate::codec;
    #[cfg(feature = "route")]
    pub use crate::route;
    pub use crate::{
        AnyKind, AnyResource, Api, ApiError, DecodeError, Deleted, DeletedCollection, Error,
        FieldMask, Items, Kind, Masked, Operation, Patch, Request, Resource, ResourceList,
        Response, Text, Unknown, UnknownMembers, Upgrade, Verb, Warning, Watch, WatchEvent, change,
        custom_resource, deserialize_strict, drop_unknown, from_reader, from_slice,
        from_slice_strict, from_str, items, mask, meta_v1, params, prelude, request, response,
        scope, to_string, to_vec, to_writer, verbs, watch,
    };
    #[cfg(feature = "machines")]
    pub use crate::{
        Election, ElectionEvent, Informer, Input, LogEvent, LogFollower, Machine, PageEvent, Pages,
        Queue, Step, Store, Update, conditions, election, informer, log, machine, owners, pages,
        queue, rbac, recorder, retry, store, update,
    };
    #[cfg(feature = "dynamic")]
    pub use crate::{discovery, dynamic};
}

/// Items for generated code. They are not part of the public API: only code of the same version may
/// name them.
#[doc(hidden)]
pub mod __private {
    pub use crate::codec::by_serde::{serde_slot, visit_optional_serde, visit_serde};
    pub use crate::codec::debug::debug;
    pub use crate::codec::member::{KindObject, MemberAccess};
    pub use crate::codec::query::{Params, Query, Source, is_true, pairs};
    pub use crate::codec::serde::{deserialize, deserialize_scalar, serialize, serializing};
    pub use crate::codec::{
        Expected, Identified, Identity, Keys, List, Map, MemberVisitor, Merge, Object, Scalar,
        Slot, Table, Unknown, Value, View, same_unknown,
    };
    pub use crate::custom_resource::check_resource;
    #[cfg(feature = "schemars")]
    pub use crate::json_schema::schema as json_schema;
    pub use crate::kind::stated;
    pub use crate::mask::{masked_default, masked_mut};
    pub use crate::patch_type::PatchType;
    pub use crate::random::random;
    pub use crate::request::Builder;
    pub use crate::resource_operations;
    #[cfg(any(feature = "machines", feature = "route"))]
    pub use crate::resource_path::ResourcePath;
    pub use crate::response::usual_reason;
    pub use crate::visible::Visible;
    pub use crate::{__generated as generated, __kind_methods as kind_methods};
    pub use crate::{__object as object, __open_enum as open_enum};
    #[cfg(feature = "schemars")]
    pub use schemars;
    pub use serde;
}

// The README; its examples are tests in `tests`. // not vendored
#[cfg(all(doc, not(doctest)))] // not vendored
#[doc = include_str!("../README.md")] // not vendored
pub mod _documentation {} // not vendored
