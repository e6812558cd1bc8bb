//! Decoding and encoding of the types of this crate.
//!
//! Serde's derive generates a decoder and an encoder for every type, and each binary compiles them
//! again. Here every type has only a small table (its wire keys and access to each member, see
//! [`Object`]), and one decoder and one encoder for each format serve them all. They are called
//! drivers and are submodules of this one, which itself depends on no format: `json` for bytes of
//! JSON, [`serde`] for every format of serde, and `query` for parameters. `Deserialize` and
//! `Serialize` of every type use the second.
//!
//! These rules hold for all types:
//! * `null` is accepted for any member and means absent, as it does to an API server, unless the
//!   member is nullable: then it is a value, which is kept beside the fields, see [`Unknown`].
//! * A missing required member is decoded as empty, as an API server does, and is not encoded while
//!   it is empty.
//! * Unknown members are kept and encoded again, see [`Unknown`];
//!   [`deserialize_strict`](serde::deserialize_strict) lists the first of them.
//! * The last of repeated members counts.
//! * Explicit zeros, `""`, `[]` and `{}` survive decoding and encoding.
//! * Errors name the path, such as `spec.containers[3].ports[0].containerPort`.
//! * Paths and messages are short for any input: a long one is cut in the middle, which `…` shows.
//! * `Debug` shows no bytes and no free JSON, only their length.

pub(crate) mod builtin;
pub(crate) mod by_serde;
#[cfg(feature = "change")]
pub(crate) mod change;
/// Without the feature, nothing of it is compiled for a type.
#[cfg(not(feature = "change"))]
pub(crate) mod change {
    pub trait Unchanged {}
    impl<T> Unchanged for T {}
    pub(crate) use Unchanged as ListChange;
    pub(crate) use Unchanged as MapChange;
    pub(crate) use Unchanged as PrintedChange;
}
pub(crate) mod debug;
pub(crate) mod identity;
pub(crate) mod json;
pub(crate) mod mask;
pub(crate) mod member;
mod member_set;
pub(crate) mod nearest;
pub(crate) mod path;
pub(crate) mod presence;
pub(crate) mod query;
pub mod serde;
#[cfg(feature = "dynamic")]
pub(crate) mod stated;
pub(crate) mod table;
pub(crate) mod unknown;
pub(crate) mod value;

#[doc(hidden)]
pub use by_serde::BySerde;
#[doc(hidden)]
pub use identity::{Identified, Identity};
pub(crate) use member_set::MemberSet;
pub use path::UnknownMembers;
#[doc(hidden)]
pub use presence::same_unknown;
pub(crate) use presence::{is_exact, visit_encoded, visit_known, visit_unknown};
#[doc(hidden)]
pub use table::{Keys, ListType, Merge, PatchStrategy, Table};
pub use unknown::{Unknown, drop_unknown};
pub(crate) use unknown::{keep_text, unknown_of};
#[doc(hidden)]
pub use value::{Expected, List, Map, MemberVisitor, Printed, Scalar, ScalarType, Slot, View};
pub(crate) use value::{Formatted, Target, VisitEmpty};
pub use value::{Object, Value};

#[cfg(test)]
mod tests;
