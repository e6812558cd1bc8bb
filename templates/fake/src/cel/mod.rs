// not vendored
//! Rules of custom resources that are expressions in CEL.
//!
//! Expressions are parsed and evaluated here, because an evaluation must end: it takes at most so
//! many steps, and each visited expression, element and group of bytes is one. A definition is refused
//! for the types of its expressions and for what they could cost, as by a server. An expression that
//! has no value is an error, which refuses the object. Nothing outside of this module knows of
//! expressions.

mod budget;
mod checker;
mod convert;
mod cost;
mod decl;
mod definition;
mod eval;
mod fold;
mod functions;
mod lexer;
mod lists;
mod literals;
mod macros;
mod named;
mod names;
mod net;
mod operators;
mod outcome;
mod overloads;
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

pub(crate) use definition::refusals;
pub(crate) use schema::Schema;
pub(crate) use walk::validate;

/// What is wrong with an expression, and its offset.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fault {
    at: usize,
    why: String,
}
