//! Whether a configuration fits its schema, in the words of a server.

use crate::schema::{ListType, Scalar, Shape, Typed};
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

/// Checks that a configuration has only known members, of the types they have, and no element twice.
pub(crate) fn check(typed: Typed<'_>, value: &Value) -> Result<(), Mistyped> {
    check_at(typed, value, "")
}

fn check_at(typed: Typed<'_>, value: &Value, path: &str) -> Result<(), Mistyped> {
    let Typed { schemas, schema } = typed;
    let refuse = |message: String| Err(Mistyped { path: path.to_owned(), message });
    match (schemas.shape(schema), value) {
        (_, Value::Null) | (Shape::Any | Shape::Same(_), _) => Ok(()),
        (Shape::Struct { open, .. }, Value::Object(members)) => members.iter().try_for_each(|(name, value)| {
            let (child, is_known) = schemas.member(schema, name);
            let path = format!("{path}.{name}");
            if !is_known && !open {
                return Err(Mistyped { path, message: "field not declared in schema".to_owned() });
            }
            check_at(typed.at(child), value, &path)
        }),
        (Shape::Map(entry), Value::Object(members)) => {
            members.iter().try_for_each(|(name, value)| check_at(typed.at(*entry), value, &format!("{path}.{name}")))
        }
        (Shape::List(element, _), Value::Array(elements)) => {
            let steps = identities(typed, elements);
            let mut known = BTreeSet::new();
            for (value, step) in elements.iter().zip(&steps) {
                if !known.insert(step) {
                    return refuse(format!("duplicate entries for key {step}"));
                }
                check_at(typed.at(*element), value, &format!("{path}{step}"))?;
            }
            Ok(())
        }
        (Shape::Struct { .. } | Shape::Map(_), other) => refuse(format!("expected map, got {}", shown(other))),
        (Shape::List(..), other) => refuse(format!("expected list, got {}", shown(other))),
        (Shape::Scalar(scalar), value) => scalar_fits(*scalar, value).or_else(refuse),
    }
}

fn scalar_fits(scalar: Scalar, value: &Value) -> Result<(), String> {
    match (scalar, value) {
        (Scalar::String | Scalar::Time | Scalar::MicroTime, Value::String(_))
        | (Scalar::Integer | Scalar::Number, Value::Number(_))
        | (Scalar::Boolean, Value::Bool(_))
        | (Scalar::Either, Value::String(_) | Value::Number(_)) => Ok(()),
        (Scalar::String | Scalar::Time | Scalar::MicroTime, other) => {
            Err(format!("expected string, got {}", shown(other)))
        }
        (Scalar::Integer | Scalar::Number, other) => {
            Err(format!("expected numeric (int or float), got {}", type_name(other)))
        }
        (Scalar::Boolean, other) => Err(format!("expected boolean, got {}", shown(other))),
        (Scalar::Either, other) => Err(format!("expected string or number, got {}", shown(other))),
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

/// The names by which a server refers to the elements of a list: their keys, their values or their indices.
fn identities(typed: Typed<'_>, elements: &[Value]) -> Vec<String> {
    let Typed { schemas, schema } = typed;
    let element = schemas.element(schema);
    let identity = |(index, value): (usize, &Value)| match schemas.list_type(schema) {
        ListType::Atomic => format!("[{index}]"),
        ListType::Set => format!("[={value}]"),
        ListType::Map(keys) => {
            let default = |key: &String| schemas.get(schemas.member(element, key).0).default.clone();
            let stated = |key: &String| Some((key.clone(), value.get(key).cloned().or_else(|| default(key))?));
            let stated: Vec<_> = keys.iter().filter_map(stated).collect();
            if stated.is_empty() {
                return format!("[{index}]");
            }
            let stated: Vec<_> = stated.iter().map(|(key, value)| format!("{key}={}", json!(value))).collect();
            format!("[{}]", stated.join(","))
        }
    };
    elements.iter().enumerate().map(identity).collect()
}
