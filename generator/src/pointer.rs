//! Names within JSON pointers.

pub use kapigen_yaml::pointer::{escape, unescape};
