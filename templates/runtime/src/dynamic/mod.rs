//! Objects of any kind: those whose kind is known at run time only.
//!
//! An [`Object`] has typed metadata; all else stays as JSON, and is neither checked nor parsed until it is asked for.

mod object;

pub use object::{List, Object};
