//! Types as documentation and reports write them.

use super::wellknown::{META, RUNTIME};
use super::{Type, TypeId};
use std::fmt;

/// The type in Rust, with paths from the root of the crate: `Vec<core_v1::Container>`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Int32 => f.write_str("i32"),
            Type::Int64 => f.write_str("i64"),
            Type::Double => f.write_str("f64"),
            Type::String => f.write_str("String"),
            Type::WellKnown(ty) => write!(f, "{META}::{}", ty.name()),
            // Each crate has the shared types in a module of its own, too.
            Type::Named(TypeId { package: Some(package), module, name }) if package == RUNTIME => {
                write!(f, "{module}::{name}")
            }
            Type::Named(id) => write!(f, "{id}"),
            Type::List(inner) => write!(f, "Vec<{inner}>"),
            Type::Map(inner) => write!(f, "BTreeMap<String, {inner}>"),
        }
    }
}
