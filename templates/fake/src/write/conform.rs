//! Fitting a tree to its schema, as decoding into a struct of Go does for built-in kinds.

use super::{Path, times};
use crate::schema::{Scalar, SchemaId, Schemas, Shape};
use crate::tree::MOST_REPORTED;
use serde_json::{Map, Value};

/// Removes members that the schema does not have, and returns the paths of as many as are reported.
pub(crate) fn prune(schemas: &Schemas, schema: SchemaId, value: &mut Value) -> Vec<String> {
    let mut unknown = Vec::new();
    prune_at(schemas, schema, value, Path::Root, &mut unknown);
    unknown
}

fn prune_at(schemas: &Schemas, schema: SchemaId, value: &mut Value, path: Path<'_>, unknown: &mut Vec<String>) {
    match (schemas.shape(schema), value) {
        (Shape::Struct { fields, open }, Value::Object(members)) => {
            members.retain(|name, value| {
                let path = Path::Member(&path, name);
                if let Some(field) = fields.get(name) {
                    prune_at(schemas, *field, value, path, unknown);
                    return true;
                }
                if !open && unknown.len() < MOST_REPORTED {
                    unknown.push(path.to_string());
                }
                *open
            });
        }
        (Shape::Map(entry), Value::Object(members)) if is_deep(schemas, *entry) => {
            for (name, value) in members {
                prune_at(schemas, *entry, value, Path::Member(&path, name), unknown);
            }
        }
        (Shape::List(element, _), Value::Array(elements)) if is_deep(schemas, *element) => {
            for (index, value) in elements.iter_mut().enumerate() {
                prune_at(schemas, *element, value, Path::Element(&path, index), unknown);
            }
        }
        _ => {}
    }
}

/// Whether values of a schema have members of their own.
fn is_deep(schemas: &Schemas, schema: SchemaId) -> bool {
    matches!(schemas.shape(schema), Shape::Struct { .. } | Shape::Map(_) | Shape::List(..))
}

/// Removes `null`, which means absent, and fills in objects and values that are never absent.
pub(crate) fn complete(schemas: &Schemas, schema: SchemaId, value: &mut Value) {
    match (schemas.shape(schema), value) {
        (Shape::Struct { fields, .. }, Value::Object(members)) => {
            members.retain(|_, value| !value.is_null());
            for (name, field) in fields.iter() {
                if let Some(default) = &schemas.get(field).default
                    && schemas.is_always_present(field)
                    && !members.contains_key(name)
                {
                    members.insert(name.to_owned(), default.clone());
                }
            }
            for (name, value) in members.iter_mut() {
                if let Some(field) = fields.get(name) {
                    complete(schemas, *field, value);
                }
            }
            let is_empty_list = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
            let is_empty_map = |name: &String, value: &Value| {
                let is_map = fields.get(name).is_some_and(|field| matches!(schemas.shape(*field), Shape::Map(_)));
                is_map && value.as_object().is_some_and(Map::is_empty)
            };
            members.retain(|name, value| !is_empty_list(value) && !is_empty_map(name, value));
        }
        (Shape::Map(entry), Value::Object(members)) => {
            for value in members.values_mut() {
                if value.is_null() {
                    *value = zero(schemas, *entry);
                }
                complete(schemas, *entry, value);
            }
        }
        (Shape::List(element, _), Value::Array(elements)) => {
            for value in elements {
                complete(schemas, *element, value);
            }
        }
        _ => {}
    }
}

/// Fills in all that an object of a built-in kind has without any content.
pub(crate) fn fill(schemas: &Schemas, schema: SchemaId, object: &mut Value) {
    complete(schemas, schema, object);
    add_empty(schemas, schema, object);
}

/// Puts an empty list or object where an object without content has a required one: Go does not leave those out.
fn add_empty(schemas: &Schemas, schema: SchemaId, value: &mut Value) {
    let (Shape::Struct { fields, .. }, Value::Object(members)) = (schemas.shape(schema), value) else { return };
    for name in &schemas.target(schema).required {
        let empty = match fields.get(name).map(|field| schemas.shape(*field)) {
            Some(Shape::List(..)) => Value::Array(Vec::new()),
            Some(Shape::Map(_) | Shape::Struct { .. }) => Value::Object(Map::new()),
            _ => continue,
        };
        members.entry(name.as_str()).or_insert(empty);
    }
    for (name, value) in members.iter_mut() {
        if let Some(field) = fields.get(name) {
            add_empty(schemas, *field, value);
        }
    }
}

fn zero(schemas: &Schemas, schema: SchemaId) -> Value {
    match schemas.shape(schema) {
        Shape::Scalar(Scalar::String | Scalar::Either | Scalar::Time | Scalar::MicroTime) => {
            Value::String(String::new())
        }
        Shape::Scalar(Scalar::Integer | Scalar::Number) => Value::from(0),
        Shape::Scalar(Scalar::Boolean) => Value::Bool(false),
        Shape::Struct { .. } => Value::Object(Map::new()),
        _ => Value::Null,
    }
}

/// The first value whose type is not that of the schema, as Go words it.
pub(crate) fn mistyped(schemas: &Schemas, schema: SchemaId, value: &Value) -> Option<String> {
    mistyped_at(schemas, schema, value, "", Path::Root)
}

/// `owner` is the name of the struct that has the member.
fn mistyped_at(schemas: &Schemas, schema: SchemaId, value: &Value, owner: &str, path: Path<'_>) -> Option<String> {
    let wanted = match (schemas.shape(schema), value) {
        (_, Value::Null) | (Shape::Any | Shape::Same(_), _) => return None,
        (Shape::Struct { .. }, Value::Object(members)) => {
            let owner = schemas.target(schema).name.as_str();
            return members.iter().find_map(|(name, value)| {
                mistyped_at(schemas, schemas.member(schema, name).0, value, owner, Path::Member(&path, name))
            });
        }
        (Shape::Map(entry), Value::Object(members)) => {
            return members.values().find_map(|value| mistyped_at(schemas, *entry, value, owner, path));
        }
        (Shape::List(element, _), Value::Array(elements)) => {
            return elements.iter().find_map(|value| mistyped_at(schemas, *element, value, owner, path));
        }
        (Shape::Scalar(scalar), value) if fits(*scalar, value) => return unparsable_time(*scalar, value),
        (Shape::Scalar(Scalar::String | Scalar::Either | Scalar::Time | Scalar::MicroTime), _) => "string",
        (Shape::Scalar(Scalar::Integer), _) => "int32",
        (Shape::Scalar(Scalar::Number), _) => "float64",
        (Shape::Scalar(Scalar::Boolean), _) => "bool",
        (Shape::Struct { .. }, _) => "struct",
        (Shape::Map(_), _) => "map[string]string",
        (Shape::List(..), _) => "slice",
    };
    let field = if owner.is_empty() { path.to_string() } else { format!("{owner}.{path}") };
    Some(format!("json: cannot unmarshal {} into Go struct field {field} of type {wanted}", type_name(value)))
}

/// The error of a time that is none.
fn unparsable_time(scalar: Scalar, value: &Value) -> Option<String> {
    let text = value.as_str()?;
    match scalar {
        Scalar::Time => times::check(text, times::TIME).err(),
        Scalar::MicroTime => times::check(text, times::MICRO_TIME).err(),
        _ => None,
    }
}

fn fits(scalar: Scalar, value: &Value) -> bool {
    match scalar {
        Scalar::String | Scalar::Time | Scalar::MicroTime => value.is_string(),
        Scalar::Integer => value.is_i64(),
        Scalar::Number => value.is_number(),
        Scalar::Boolean => value.is_boolean(),
        Scalar::Either => value.is_string() || value.is_number(),
    }
}

/// The type of a value, as Go names it.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
