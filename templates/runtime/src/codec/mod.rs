//! How the types of this crate are read and written.
//!
//! Serde's derive writes a decoder and an encoder for every type, and each binary compiles them again. Here every
//! type brings only a small table (its wire keys and how to reach each member, see [`Object`]), and one decoder and
//! one encoder serve them all. `serde::Deserialize` and `serde::Serialize` of every type lead here.
//!
//! What holds for all types:
//! * `null` is accepted for any member and means absent, as it does to an API server.
//! * A missing required member is read as empty, as an API server does.
//! * Unknown members are skipped; [`deserialize_strict`] lists the first of them.
//! * Of repeated members the last one counts.
//! * Explicit zeros, `""`, `[]` and `{}` survive reading and writing.
//! * Errors name the path, such as `spec.containers[3].ports[0].containerPort`.
//! * Paths and messages are short whatever the input is: what is long is cut in the middle, which `…` shows.
//! * `Debug` shows no bytes and no free JSON, only their length.

mod builtin;
mod debug;
pub(crate) mod identity;
pub(crate) mod path;
mod read;
pub(crate) mod scalar;
pub(crate) mod table;
pub(crate) mod value;
pub(crate) mod write;

#[doc(hidden)]
pub use debug::debug;
pub use path::UnknownMembers;
#[doc(hidden)]
pub use read::deserialize;
pub use read::deserialize_strict;
#[doc(hidden)]
pub use scalar::deserialize as deserialize_scalar;
#[doc(hidden)]
pub use table::{Identity, Keys, Table};
pub(crate) use value::Target;
#[doc(hidden)]
pub use value::{Expected, List, Map, Printed, Scalar, Slot, View, Visit};
pub use value::{Object, Value};
#[doc(hidden)]
pub use write::serialize;

/// What an [`Object`] does when it is asked for a member that it does not have.
///
/// # Panics
/// Always: an index that is not in the table is a fault of the codec, as one behind the end of a slice would be.
#[cold]
#[doc(hidden)]
pub fn no_member(index: usize) -> ! {
    panic!("no member with index {index}")
}

#[cfg(test)]
mod tests;
