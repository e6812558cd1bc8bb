//! Fitting a tree to its schema, as decoding into a struct of Go does for built-in kinds.

use crate::schema::{Scalar, SchemaId, Schemas, Shape};
use serde_json::{Map, Value};

/// Removes members that the schema does not have, and returns their paths.
pub(super) fn prune(schemas: &Schemas, schema: SchemaId, value: &mut Value) -> Vec<String> {
    let mut unknown = Vec::new();
    prune_at(schemas, schema, value, "", &mut unknown);
    unknown
}

fn prune_at(schemas: &Schemas, schema: SchemaId, value: &mut Value, path: &str, unknown: &mut Vec<String>) {
    match (schemas.shape(schema), value) {
        (Shape::Struct { fields, open }, Value::Object(members)) => {
            let is_unknown = |name: &String| !open && !fields.contains_key(name);
            let names: Vec<_> = members.keys().filter(|name| is_unknown(name)).cloned().collect();
            for name in names {
                members.shift_remove(&name);
                unknown.push(joined(path, &name));
            }
            for (name, value) in members {
                if let Some(field) = fields.get(name) {
                    prune_at(schemas, *field, value, &joined(path, name), unknown);
                }
            }
        }
        (Shape::Map(entry), Value::Object(members)) => {
            for (name, value) in members {
                prune_at(schemas, *entry, value, &joined(path, name), unknown);
            }
        }
        (Shape::List(element, _), Value::Array(elements)) => {
            for (index, value) in elements.iter_mut().enumerate() {
                prune_at(schemas, *element, value, &format!("{path}[{index}]"), unknown);
            }
        }
        _ => {}
    }
}

pub(super) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Removes `null`, which means absent, and fills in objects and values that are never absent.
pub(super) fn complete(schemas: &Schemas, schema: SchemaId, value: &mut Value) {
    match (schemas.shape(schema), value) {
        (Shape::Struct { fields, .. }, Value::Object(members)) => {
            members.retain(|_, value| !value.is_null());
            for (name, field) in fields {
                let default = schemas.get(*field).default.as_ref().filter(|default| is_always_there(default));
                if let Some(default) = default
                    && !members.contains_key(name)
                {
                    members.insert(name.clone(), default.clone());
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

/// Puts `null` where an object without content has a required list or map: Go does not leave those out.
pub(super) fn add_empty(schemas: &Schemas, schema: SchemaId, value: &mut Value) {
    let (Shape::Struct { fields, .. }, Value::Object(members)) = (schemas.shape(schema), value) else { return };
    for name in &schemas.target(schema).required {
        if let Some(field) = fields.get(name)
            && matches!(schemas.shape(*field), Shape::List(..) | Shape::Map(_) | Shape::Struct { .. })
        {
            members.entry(name.as_str()).or_insert(Value::Null);
        }
    }
    for (name, value) in members.iter_mut() {
        if let Some(field) = fields.get(name) {
            add_empty(schemas, *field, value);
        }
    }
}

/// Documents also state the empty string and zero as defaults, which Go leaves out.
fn is_always_there(default: &Value) -> bool {
    match default {
        Value::Object(_) => true,
        Value::String(text) => !text.is_empty(),
        _ => false,
    }
}

fn zero(schemas: &Schemas, schema: SchemaId) -> Value {
    match schemas.shape(schema) {
        Shape::Scalar(Scalar::String | Scalar::Either) => Value::String(String::new()),
        Shape::Scalar(Scalar::Integer | Scalar::Number) => Value::from(0),
        Shape::Scalar(Scalar::Boolean) => Value::Bool(false),
        Shape::Struct { .. } => Value::Object(Map::new()),
        _ => Value::Null,
    }
}

/// The first value whose type is not that of the schema, as Go words it.
pub(super) fn mistyped(schemas: &Schemas, schema: SchemaId, value: &Value) -> Option<String> {
    mistyped_at(schemas, schema, value, "", "")
}

/// `owner` is the name of the struct that has the member.
fn mistyped_at(schemas: &Schemas, schema: SchemaId, value: &Value, owner: &str, path: &str) -> Option<String> {
    let refuse = |wanted: &str| {
        let found = type_name(value);
        let field = if owner.is_empty() { path.to_owned() } else { format!("{owner}.{path}") };
        Some(format!("json: cannot unmarshal {found} into Go struct field {field} of type {wanted}"))
    };
    match (schemas.shape(schema), value) {
        (_, Value::Null) | (Shape::Any | Shape::Same(_), _) => None,
        (Shape::Struct { .. } | Shape::Map(_), Value::Object(members)) => members.iter().find_map(|(name, value)| {
            let is_entry = matches!(schemas.shape(schema), Shape::Map(_));
            let path = if is_entry { path.to_owned() } else { joined(path, name) };
            let owner = if is_entry { owner } else { schemas.target(schema).name.as_str() };
            mistyped_at(schemas, schemas.member(schema, name).0, value, owner, &path)
        }),
        (Shape::List(element, _), Value::Array(elements)) => {
            elements.iter().find_map(|value| mistyped_at(schemas, *element, value, owner, path))
        }
        (Shape::Scalar(Scalar::String), value) => {
            if value.is_string() {
                None
            } else {
                refuse("string")
            }
        }
        (Shape::Scalar(Scalar::Integer), value) => {
            if value.is_i64() {
                None
            } else {
                refuse("int32")
            }
        }
        (Shape::Scalar(Scalar::Number), value) => {
            if value.is_number() {
                None
            } else {
                refuse("float64")
            }
        }
        (Shape::Scalar(Scalar::Boolean), value) => {
            if value.is_boolean() {
                None
            } else {
                refuse("bool")
            }
        }
        (Shape::Scalar(Scalar::Either), value) => {
            if value.is_string() || value.is_number() {
                None
            } else {
                refuse("string")
            }
        }
        (Shape::Struct { .. }, _) => refuse("struct"),
        (Shape::Map(_), _) => refuse("map[string]string"),
        (Shape::List(..), _) => refuse("slice"),
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
