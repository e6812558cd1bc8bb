//! Whether a configuration fits its schema, in the words of a server.

use super::{ListType, Node, Scalar, Shape};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A value that does not fit its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistyped {
    path: String,
    message: String,
}

impl std::fmt::Display for Mistyped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Checks that a configuration has only known members, of the types they have, and no element
/// twice.
pub(crate) fn check(node: Node<'_>, value: &Value) -> Result<(), Mistyped> {
    check_at(node, value, "")
}

fn check_at(node: Node<'_>, value: &Value, path: &str) -> Result<(), Mistyped> {
    let refuse = |message: String| Err(Mistyped { path: path.to_owned(), message });
    match (node.shape(), value) {
        (_, Value::Null) | (Shape::Any | Shape::Same(_), _) => Ok(()),
        (Shape::Struct { open, .. }, Value::Object(members)) => {
            members.iter().try_for_each(|(name, value)| {
                let path = format!("{path}.{name}");
                match node.known(name) {
                    Some(child) => check_at(child, value, &path),
                    None if *open => Ok(()),
                    None => {
                        Err(Mistyped { path, message: "field not declared in schema".to_owned() })
                    }
                }
            })
        }
        (Shape::Map(entry), Value::Object(members)) => {
            members.iter().try_for_each(|(name, value)| {
                check_at(node.at(*entry), value, &format!("{path}.{name}"))
            })
        }
        (Shape::List(..), Value::Array(elements)) => {
            let steps = identities(node, elements);
            let mut known = BTreeSet::new();
            for (value, step) in elements.iter().zip(&steps) {
                if !known.insert(step) {
                    return refuse(format!("duplicate entries for key {step}"));
                }
                check_at(node.element(), value, &format!("{path}{step}"))?;
            }
            Ok(())
        }
        (Shape::Struct { .. } | Shape::Map(_), other) => {
            refuse(format!("expected map, got {}", shown(other)))
        }
        (Shape::List(..), other) => refuse(format!("expected list, got {}", shown(other))),
        (Shape::Scalar(scalar), value) => scalar_fits(*scalar, value).or_else(refuse),
    }
}

fn scalar_fits(scalar: Scalar, value: &Value) -> Result<(), String> {
    match scalar {
        Scalar::Int32 | Scalar::Int64 | Scalar::Number if !value.is_number() => {
            Err(format!("expected numeric (int or float), got {}", type_name(value)))
        }
        Scalar::Boolean if !value.is_boolean() => {
            Err(format!("expected boolean, got {}", shown(value)))
        }
        Scalar::Either | Scalar::Quantity if !value.is_string() && !value.is_number() => {
            Err(format!("expected string or number, got {}", shown(value)))
        }
        Scalar::String | Scalar::Bytes | Scalar::Time | Scalar::MicroTime if !value.is_string() => {
            Err(format!("expected string, got {}", shown(value)))
        }
        _ => Ok(()),
    }
}

/// A value as a server shows it here.
fn shown(value: &Value) -> String {
    let value = value.to_string().replace('"', "");
    format!("&value.valueUnstructured{{Value:{value}}}")
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "int",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "map",
    }
}

/// The names by which a server refers to the elements of a list: their keys, their values or their
/// indices.
fn identities(node: Node<'_>, elements: &[Value]) -> Vec<String> {
    let element = node.element();
    let identity = |(index, value): (usize, &Value)| match node.list_type() {
        ListType::Atomic => format!("[{index}]"),
        ListType::Set => format!("[={value}]"),
        ListType::Map(keys) => {
            let stated = |key: &String| value.get(key).or_else(|| element.member(key).default());
            let stated: Vec<_> = keys
                .iter()
                .filter_map(|key| Some(format!("{key}={}", json!(stated(key)?))))
                .collect();
            if stated.is_empty() { format!("[{index}]") } else { format!("[{}]", stated.join(",")) }
        }
    };
    elements.iter().enumerate().map(identity).collect()
}
