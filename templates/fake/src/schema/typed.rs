//! Whether a configuration fits its schema, in the words of a server.

use super::{Node, Scalar, Shape};
use kapigen_definitions::quoted;
use kapigen_definitions::schema_keywords::ListType;
use serde_json::Value;
use std::collections::BTreeSet;

/// A value that does not fit its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistyped {
    path: String,
    message: String,
}

impl Mistyped {
    fn new(path: &str, message: String) -> Self {
        Self { path: path.to_owned(), message }
    }
}

impl std::fmt::Display for Mistyped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Checks that a configuration has only known members, of the right types, and no repeated
/// elements.
pub(crate) fn check(node: Node<'_>, value: &Value) -> Result<(), Mistyped> {
    check_at(node, value, "", true)
}

/// As [`check`], but only for elements of merged lists.
pub(crate) fn check_elements(node: Node<'_>, value: &Value) -> Result<(), Mistyped> {
    check_at(node, value, "", false)
}

fn check_at(node: Node<'_>, value: &Value, path: &str, with_types: bool) -> Result<(), Mistyped> {
    match (node.shape(), value) {
        (_, Value::Null) | (Shape::Any | Shape::Same(_), _) => Ok(()),
        _ if !with_types && !is_granular(node) => Ok(()),
        (Shape::Struct { open, .. }, Value::Object(members)) => {
            members.iter().try_for_each(|(name, value)| {
                let path = format!("{path}.{name}");
                match node.known(name) {
                    Some(child) => check_at(child, value, &path, with_types),
                    None if *open || !with_types => Ok(()),
                    None => Err(Mistyped::new(&path, "field not declared in schema".to_owned())),
                }
            })
        }
        (Shape::Map(entry), Value::Object(members)) => {
            members.iter().try_for_each(|(name, value)| {
                check_at(node.at(*entry), value, &format!("{path}.{name}"), with_types)
            })
        }
        (Shape::List(..), Value::Array(elements)) => {
            let mut known = BTreeSet::new();
            for (index, value) in elements.iter().enumerate() {
                let step = step(node, index, value)
                    .map_err(|why| Mistyped::new(path, format!("element {index}: {why}")))?;
                check_at(node.element(), value, &format!("{path}{step}"), with_types)?;
                if let Some(step) = known.replace(step) {
                    return Err(Mistyped::new(path, format!("duplicate entries for key {step}")));
                }
            }
            Ok(())
        }
        _ if !with_types => Ok(()),
        (Shape::Struct { .. } | Shape::Map(_), other) => {
            Err(Mistyped::new(path, format!("expected map, got {}", shown(other))))
        }
        (Shape::List(..), other) => {
            Err(Mistyped::new(path, format!("expected list, got {}", shown(other))))
        }
        (Shape::Scalar(scalar), value) => {
            scalar_fits(*scalar, value).map_err(|message| Mistyped::new(path, message))
        }
    }
}

/// Whether objects or lists of a schema are merged.
fn is_granular(node: Node<'_>) -> bool {
    match node.shape() {
        Shape::List(..) => node.list_type() != ListType::Atomic,
        _ => !node.is_atomic(),
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

/// The step of a path by which a server refers to an element of a list: its key, its value or its
/// index. The error is what the element lacks.
fn step(node: Node<'_>, index: usize, element: &Value) -> Result<String, String> {
    match (node.list_type(), element) {
        (ListType::Atomic, _) => Ok(format!("[{index}]")),
        (ListType::Set, Value::Null) => {
            Err("associative list without keys has an element that's an explicit null".to_owned())
        }
        (ListType::Set, Value::Object(_)) => {
            Err("associative list without keys has an element that's a map type".to_owned())
        }
        (ListType::Set, Value::Array(_)) => {
            Err("not supported: associative list with lists as elements".to_owned())
        }
        (ListType::Set, element) => Ok(format!("[={element}]")),
        (ListType::Map, Value::Null) => {
            Err("associative list with keys may not have a null element".to_owned())
        }
        (ListType::Map, Value::Object(members)) => {
            let keys = &node.list_rule().keys;
            let element = node.element();
            let steps = keys.iter().filter_map(|key| {
                let stated = members.get(key).or_else(|| element.member(key).default())?;
                Some(format!("{key}={stated}"))
            });
            let steps: Vec<_> = steps.collect();
            if steps.is_empty() {
                let keys: Vec<_> = keys.iter().map(|key| quoted(key)).collect();
                return Err(format!(
                    "associative list with keys has an element that omits all key fields [{}] (and \
                     doesn't have default values for any key fields)",
                    keys.join(" ")
                ));
            }
            Ok(format!("[{}]", steps.join(",")))
        }
        (ListType::Map, _) => {
            Err("associative list with keys may not have non-map elements".to_owned())
        }
    }
}
