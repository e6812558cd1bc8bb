// not vendored
//! The functions of expressions, by their names.

use super::budget::Budget;
use super::outcome::{Called, NO_OVERLOAD, Outcome, error};
use super::parser::{Expr, Node};
use super::value::Value;
use super::{convert, lists, named, net, quantity, semver, strings, time, url};

/// The types that have names in expressions.
const TYPES: [&str; 13] = [
    "bool",
    "bytes",
    "double",
    "google.protobuf.Duration",
    "google.protobuf.Timestamp",
    "int",
    "list",
    "map",
    "null_type",
    "optional_type",
    "string",
    "type",
    "uint",
];

/// The type of a name.
pub(super) fn type_named(name: &str) -> Option<&'static str> {
    TYPES.into_iter().find(|known| *known == name)
}

/// The type that a selection names.
pub(super) fn qualified_type(of: &Node, field: &str) -> Option<&'static str> {
    let Expr::Select { of, field: middle, .. } = &of.expr else { return None };
    let Expr::Name(first) = &of.expr else { return None };
    type_named(&format!("{first}.{middle}.{field}"))
}

/// Calls a function. The value that it is called on is the first argument.
pub(super) fn call<'a>(budget: &mut Budget, name: &str, values: &[Value<'a>]) -> Outcome<'a> {
    let found = core(name, values)
        .or_else(|| convert::call(budget, name, values))
        .or_else(|| strings::call(budget, name, values))
        .or_else(|| lists::call(budget, name, values))
        .or_else(|| time::call(name, values))
        .or_else(|| url::call(budget, name, values))
        .or_else(|| net::call(name, values))
        .or_else(|| quantity::call(name, values))
        .or_else(|| semver::call(name, values))
        .or_else(|| named::call(budget, name, values));
    found.unwrap_or_else(|| error(NO_OVERLOAD))
}

pub(super) use lists::sorted;

/// Types and optional values.
fn core<'a>(name: &str, values: &[Value<'a>]) -> Called<'a> {
    Some(Ok(match (name, values) {
        ("dyn", [value]) => value.clone(),
        ("type", [value]) => Value::Type(value.type_name()),
        ("optional.none", []) => Value::Optional(None),
        ("optional.of", [value]) => Value::optional(Some(value.clone())),
        ("optional.ofNonZeroValue", [value]) => {
            Value::optional(Some(value.clone()).filter(|value| !is_zero(value)))
        }
        ("hasValue", [Value::Optional(inner)]) => inner.is_some().into(),
        ("value", [Value::Optional(inner)]) => match inner {
            Some(inner) => (**inner).clone(),
            None => return Some(error("optional.none() dereference")),
        },
        ("orValue", [Value::Optional(inner), other]) => {
            inner.as_ref().map_or_else(|| other.clone(), |inner| (**inner).clone())
        }
        ("or", [first @ Value::Optional(inner), other @ Value::Optional(_)]) => {
            if inner.is_some() {
                first.clone()
            } else {
                other.clone()
            }
        }
        _ => return None,
    }))
}

/// Whether a value is the zero of its type.
fn is_zero(value: &Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Int(number) => *number == 0,
        Value::Uint(number) => *number == 0,
        Value::Double(number) => *number == 0.0,
        Value::String(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        value => value.list_len().or_else(|| value.map_len()) == Some(0),
    }
}
