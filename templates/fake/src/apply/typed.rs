//! What a configuration owns, and whether it fits its schema.

use super::Typed;
use super::set::{Set, Step};
use crate::schema::{ListType, Scalar, Shape};
use serde_json::Value;

/// The fields that a configuration owns: its scalars, empty objects, elements of lists, and all that is atomic.
pub(super) fn owned(typed: Typed<'_>, value: &Value) -> Set {
    let mut set = Set::default();
    walk(typed, value, &mut Vec::new(), &mut set);
    set
}

fn walk(typed: Typed<'_>, value: &Value, path: &mut Vec<Step>, set: &mut Set) {
    let Typed { schemas, schema } = typed;
    match value {
        _ if schemas.is_atomic(schema) => set.insert(path),
        Value::Object(members) => {
            let is_struct = matches!(schemas.shape(schema), Shape::Struct { .. });
            for (name, value) in members {
                let (child, is_known) = schemas.member(schema, name);
                path.push(Step::Field(name.clone()));
                walk(typed.at(child), value, path, set);
                let is_leaf = value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty);
                if is_leaf || !(is_struct && is_known) {
                    set.insert(path);
                }
                path.pop();
            }
        }
        Value::Array(elements) if *schemas.list_type(schema) != ListType::Atomic => {
            for (element, step) in elements.iter().zip(steps(typed, elements)) {
                path.push(step);
                walk(typed.at(schemas.element(schema)), element, path, set);
                set.insert(path);
                path.pop();
            }
        }
        Value::Null => {}
        _ => set.insert(path),
    }
}

/// The steps to the elements of a list that is merged.
pub(super) fn steps(typed: Typed<'_>, elements: &[Value]) -> Vec<Step> {
    let Typed { schemas, schema } = typed;
    let element = typed.at(schemas.element(schema));
    let step = |(index, value): (usize, &Value)| match schemas.list_type(schema) {
        ListType::Map(keys) => Step::of_keys(schemas, value, element, keys).unwrap_or(Step::Index(index)),
        ListType::Set => Step::Value(value.to_string()),
        ListType::Atomic => Step::Index(index),
    };
    elements.iter().enumerate().map(step).collect()
}

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
            let steps = steps(typed, elements);
            for (index, (value, step)) in elements.iter().zip(&steps).enumerate() {
                if steps[..index].contains(step) {
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
        (Scalar::String, Value::String(_))
        | (Scalar::Integer | Scalar::Number, Value::Number(_))
        | (Scalar::Boolean, Value::Bool(_))
        | (Scalar::Either, Value::String(_) | Value::Number(_)) => Ok(()),
        (Scalar::String, other) => Err(format!("expected string, got {}", shown(other))),
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
