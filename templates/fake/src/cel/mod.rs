// not vendored
//! Rules of custom resources that are expressions in CEL.
//!
//! Expressions are parsed and evaluated here, because an evaluation must end: it takes at most so
//! many steps, and each visited expression, element and group of bytes is one. Costs are not checked
//! before, and types as far as they are certain: what has no value is an error, which refuses the
//! object. Nothing outside of this module knows of expressions.

mod convert;
mod definition;
mod eval;
mod fold;
mod functions;
mod lexer;
mod lists;
mod macros;
mod named;
mod names;
mod net;
mod operators;
mod parser;
mod printf;
mod quantity;
mod rule;
mod schema;
mod semver;
mod strings;
mod time;
mod types;
mod url;
mod value;
mod walk;

#[cfg(test)]
mod tests;

pub(crate) use definition::{UNCHECKED, refusals};
pub(crate) use schema::Schema;
pub(crate) use walk::validate;

/// What is wrong with an expression, and its offset.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fault {
    at: usize,
    why: String,
}
