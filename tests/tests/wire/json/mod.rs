//! The crate's own way to read and write JSON, held against serde's.

mod agreement;
mod grammar;
mod texts;
