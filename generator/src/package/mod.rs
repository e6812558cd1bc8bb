//! The parts of a package that surround its Rust.

pub mod documents;
