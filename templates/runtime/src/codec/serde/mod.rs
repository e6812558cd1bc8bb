//! The driver for every format that serde has.

pub(crate) mod raw;
mod read;
mod scalar;
mod write;

#[doc(hidden)]
pub use read::deserialize;
pub use read::deserialize_strict;
#[doc(hidden)]
pub use scalar::deserialize as deserialize_scalar;
#[doc(hidden)]
pub use write::{serialize, serializing};
