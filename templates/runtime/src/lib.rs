//! The runtime of crates that kapigen generates.
//!
//! A generated crate has types, functions and tables. Everything that is the same for all of them is here: the metadata
//! that every object has ([`meta_v1`]), values such as times and quantities, building requests ([`request`], [`params`])
//! and decoding responses, watches and lists ([`response`], [`watch`], [`items`]). Since all generated crates stand on
//! this one, they share [`ObjectMeta`](meta_v1::ObjectMeta), [`Kind`], [`Request`] and [`Error`], and code that is
//! generic over [`Kind`] serves the kinds of all of them.
//!
//! Nothing here does I/O.
//!
//! # Encoding and decoding
//!
//! Every type is a plain struct with a small table, and one decoder and one encoder serve them all: [`from_slice`] and
//! [`to_vec`] for JSON, serde's traits for every format. What holds for all types:
//!
//! * `null` is accepted for any member and means absent, as it does to an API server.
//! * A missing required member is decoded as empty, as an API server does, and is not encoded while it is empty.
//! * Unknown members are kept and encoded again, see [`Unknown`]; [`from_slice_strict`] lists them, and [`drop_unknown`]
//!   removes them.
//! * Of repeated members the last one counts.
//! * Explicit zeros, `""`, `[]` and `{}` survive decoding and encoding.
//! * Errors name the path, such as `spec.containers[3].ports[0].containerPort`.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// Generated code names this crate, and some of it stands here.
extern crate self as kapigen_runtime;

#[macro_use]
mod macros;

mod api;
pub mod change;
pub mod codec;
mod invalid;
pub mod items;
mod kind;
mod lexer;
#[allow(clippy::doc_markdown)] // the words of documents
#[rustfmt::skip]
pub mod meta_v1;
mod operation;
#[allow(clippy::doc_markdown)]
#[rustfmt::skip]
pub mod params;
pub mod prelude;
pub mod request;
pub mod response;
pub mod route;
pub mod scope;
#[cfg(feature = "sources")] // not vendored
pub mod sources; // not vendored
mod values;
pub mod verbs;
pub mod watch;

pub use api::{Api, ApiKind};
pub use codec::json::{DecodeError, from_reader, from_slice, from_slice_strict, from_str, to_vec, to_writer};
pub use codec::{Unknown, drop_unknown};
pub use items::Items;
pub use kind::{Kind, Resource, ResourceList};
pub use operation::{Operation, Verb};
pub use request::{Patch, Request};
pub use response::{ApiError, Deleted, DeletedCollection, Error, Response, Text, Upgrade, Warning};
pub use watch::{Watch, WatchEvent};

/// The crate whose requests and responses stand in the interface of this one.
pub use http;
/// The crate whose timestamps stand in the interface of this one.
pub use jiff;

/// What generated code uses. It is no part of the interface: only code of the same version may name it.
#[doc(hidden)]
pub mod __private {
    pub use crate::codec::debug::debug;
    pub use crate::codec::query::{Params, Query, Source};
    pub use crate::codec::serde::{deserialize, deserialize_scalar, serialize};
    pub use crate::codec::{
        Expected, Identity, Keys, List, Map, MemberVisitor, Merge, Object, Scalar, Slot, Table, Unknown, Value, View,
    };
    pub use crate::request::Builder;
    pub use crate::{__object as object, __open_enum as open_enum};
    pub use serde;

    /// Generated code names this constant. Where it does not compile, the crate was generated for another version of the
    /// runtime: generate it again.
    pub const CODEGEN_1: () = ();
}
