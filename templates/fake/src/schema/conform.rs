//! Fits a tree to its schema, as decoding into a Go struct does for built-in kinds.

use super::formats::is_base64_digit;
use super::{Node, Scalar, Shape, go_types, quantity, structural, times};
use kapigen_definitions::{Path, quoted};
use kapigen_runtime::meta_v1::{MicroTime, Quantity, Time};
use serde_json::{Map, Value};
use std::str::FromStr;

/// The maximum number of unknown or repeated members of a body that are reported, as on a server.
pub(crate) const MOST_REPORTED: usize = 100;

/// A member that a schema does not have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unknown {
    pub(crate) path: String,
    /// The path as a JSON pointer.
    pub(crate) pointer: String,
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown field {}", quoted(&self.path))
    }
}

/// Removes members that the schema does not have, and returns as many as are reported.
pub(crate) fn prune(node: Node<'_>, value: &mut Value) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    prune_at(node, value, Path::ROOT, &mut unknown);
    unknown
}

fn prune_at(node: Node<'_>, value: &mut Value, path: Path<'_>, unknown: &mut Vec<Unknown>) {
    match (node.shape(), value) {
        (Shape::Struct { open, .. }, Value::Object(members)) => {
            members.retain(|name, value| {
                let path = Path::Member(&path, name);
                if let Some(field) = node.known(name) {
                    prune_at(field, value, path, unknown);
                    return true;
                }
                if !open && unknown.len() < MOST_REPORTED {
                    unknown.push(Unknown { path: path.to_string(), pointer: path.pointer() });
                }
                *open
            });
        }
        (Shape::Map(entry), Value::Object(members)) if is_deep(node.at(*entry)) => {
            for (name, value) in members {
                prune_at(node.at(*entry), value, Path::Member(&path, name), unknown);
            }
        }
        (Shape::List(..), Value::Array(elements)) if is_deep(node.element()) => {
            for (index, value) in elements.iter_mut().enumerate() {
                prune_at(node.element(), value, Path::Index(&path, index), unknown);
            }
        }
        _ => {}
    }
}

/// Whether values of a schema have members of their own.
fn is_deep(node: Node<'_>) -> bool {
    matches!(node.shape(), Shape::Struct { .. } | Shape::Map(_) | Shape::List(..))
}

/// Removes `null`, which means absent, and fills in objects and values that are never absent.
pub(crate) fn complete(node: Node<'_>, value: &mut Value) {
    match (node.shape(), value) {
        (Shape::Struct { .. }, Value::Object(members)) => {
            for (name, default) in node.filled() {
                if members.get(name).is_none_or(Value::is_null) {
                    members.shift_remove(name);
                    members.insert(name.clone(), default.clone());
                }
            }
            members.retain(|name, value| {
                let field = node.known(name);
                if let Some(field) = field {
                    complete(field, value);
                }
                let is_map = field.is_some_and(|field| matches!(field.shape(), Shape::Map(_)));
                match value {
                    Value::Null => false,
                    Value::Array(elements) => !elements.is_empty(),
                    Value::Object(entries) => !entries.is_empty() || !is_map,
                    _ => true,
                }
            });
            for name in node.nulls() {
                if !members.contains_key(name) {
                    members.insert(name.clone(), Value::Null);
                }
            }
        }
        (Shape::Map(entry), Value::Object(members)) => {
            for value in members.values_mut() {
                if value.is_null() {
                    *value = zero(node.at(*entry));
                }
                complete(node.at(*entry), value);
            }
        }
        (Shape::List(..), Value::Array(elements)) => {
            for value in elements {
                complete(node.element(), value);
            }
        }
        (Shape::Scalar(scalar), value) => normalize(*scalar, value),
        _ => {}
    }
}

/// A time as it is written. `None` if the string is not a time.
fn written<T: FromStr + ToString>(text: &str) -> Option<String> {
    text.parse().ok().map(|time: T| time.to_string())
}

fn canonical_quantity(text: &str) -> Option<String> {
    let quantity: Quantity = text.parse().ok()?;
    Some(quantity.canonical().to_string())
}

/// Writes a quantity or a time in its canonical form, as servers do.
fn normalize(scalar: Scalar, value: &mut Value) {
    let normal = match (scalar, &*value) {
        (Scalar::Quantity, Value::String(text)) => canonical_quantity(text),
        (Scalar::Quantity, Value::Number(number)) => canonical_quantity(&number.to_string()),
        (Scalar::Time, Value::String(text)) => written::<Time>(text),
        (Scalar::MicroTime, Value::String(text)) => written::<MicroTime>(text),
        _ => None,
    };
    if let Some(normal) = normal.filter(|normal| value.as_str() != Some(normal)) {
        *value = Value::String(normal);
    }
}

/// Fills in the members that an object of a built-in kind has even without content.
pub(crate) fn fill(node: Node<'_>, object: &mut Value) {
    complete(node, object);
    add_empty(node, object);
}

/// Puts an empty list or object where an object without content has a required one: Go does not
/// leave those out.
fn add_empty(node: Node<'_>, value: &mut Value) {
    let Value::Object(members) = value else { return };
    for name in node.required() {
        let empty = match node.known(name).map(Node::shape) {
            Some(Shape::List(..)) => Value::Array(Vec::new()),
            Some(Shape::Map(_) | Shape::Struct { .. }) => Value::Object(Map::new()),
            _ => continue,
        };
        members.entry(name.as_str()).or_insert(empty);
    }
    for (name, value) in members.iter_mut() {
        if let Some(field) = node.known(name) {
            add_empty(field, value);
        }
    }
}

fn zero(node: Node<'_>) -> Value {
    match node.shape() {
        Shape::Scalar(Scalar::Int32 | Scalar::Int64 | Scalar::Number) => Value::from(0),
        Shape::Scalar(Scalar::Boolean) => Value::Bool(false),
        Shape::Scalar(_) => Value::String(String::new()),
        Shape::Struct { .. } => Value::Object(Map::new()),
        _ => Value::Null,
    }
}

/// The first value that does not have the type of its schema, in the words of Go.
pub(crate) fn mistyped(node: Node<'_>, value: &Value) -> Option<String> {
    mistyped_at(node, value, None, Path::ROOT)
}

/// `owner` is the struct that has the member, and the name of the member.
fn mistyped_at(
    node: Node<'_>,
    value: &Value,
    owner: Option<(Node<'_>, &str)>,
    path: Path<'_>,
) -> Option<String> {
    match (node.shape(), value) {
        (_, Value::Null) | (Shape::Any | Shape::Same(_), _) => return None,
        (Shape::Struct { .. }, Value::Object(members)) => {
            return members.iter().find_map(|(name, value)| {
                let embedded = go_types::embedded(node.name(), name);
                let inner = embedded.map(|embedded| Path::Member(&path, embedded));
                let path = Path::Member(inner.as_ref().unwrap_or(&path), name);
                mistyped_at(node.member(name), value, Some((node, name)), path)
            });
        }
        (Shape::Map(entry), Value::Object(members)) => {
            return members
                .values()
                .find_map(|value| mistyped_at(node.at(*entry), value, owner, path));
        }
        (Shape::List(..), Value::Array(elements)) => {
            return elements
                .iter()
                .find_map(|value| mistyped_at(node.element(), value, owner, path));
        }
        (Shape::Scalar(scalar), value) if fits(*scalar, value) => return malformed(*scalar, value),
        _ => {}
    }
    let found = match (node.shape(), value) {
        // The literal of a number is shown only if an integer is wanted.
        (Shape::Scalar(Scalar::Int32 | Scalar::Int64 | Scalar::Either), Value::Number(number)) => {
            format!("number {number}")
        }
        _ => type_name(value).to_owned(),
    };
    let (owner, member) = owner.map_or(("", ""), |(owner, member)| (owner.name(), member));
    let wanted = match go_type(node) {
        wanted if wanted == "map[string]resource.Quantity" => "v1.ResourceList".to_owned(),
        wanted if wanted.ends_with("string") && !wanted.starts_with("map") => {
            wanted.replace("string", go_types::string(owner, member))
        }
        wanted => wanted,
    };
    let field = if owner.is_empty() { path.to_string() } else { format!("{owner}.{path}") };
    if field.is_empty() {
        return Some(format!("json: cannot unmarshal {found} into Go value of type {wanted}"));
    }
    Some(format!("json: cannot unmarshal {found} into Go struct field {field} of type {wanted}"))
}

/// The first value that does not fit into a struct, in the words of the conversion of trees into
/// structs.
pub(crate) fn unrestorable(node: Node<'_>, value: &Value) -> Option<String> {
    match (node.shape(), value) {
        (_, Value::Null) | (Shape::Any | Shape::Same(_), _) => None,
        (Shape::Struct { .. }, Value::Object(members)) => {
            members.iter().find_map(|(name, value)| unrestorable(node.member(name), value))
        }
        (Shape::Map(entry), Value::Object(members)) => {
            members.values().find_map(|value| unrestorable(node.at(*entry), value))
        }
        (Shape::List(..), Value::Array(elements)) => {
            elements.iter().find_map(|value| unrestorable(node.element(), value))
        }
        (Shape::Struct { .. }, _) => {
            Some(format!("cannot restore struct from: {}", go_kind(value)))
        }
        (Shape::Map(_), _) => Some(format!("cannot restore map from {}", go_kind(value))),
        (Shape::List(..), _) => Some(format!("cannot restore slice from {}", go_kind(value))),
        (Shape::Scalar(scalar), value) if fits(*scalar, value) => malformed(*scalar, value),
        (Shape::Scalar(_), _) => {
            Some(format!("cannot convert {} to {}", go_kind(value), go_type(node)))
        }
    }
}

/// The kind of type that a value has in Go.
fn go_kind(value: &Value) -> &'static str {
    match structural::in_go(value).1 {
        "[]interface {}" => "slice",
        "map[string]interface{}" => "map",
        other => other,
    }
}

/// The type of a schema, as Go names it: structs by package and name.
fn go_type(node: Node<'_>) -> String {
    let plain = match node.shape() {
        Shape::Scalar(Scalar::Int32 | Scalar::Either) => "int32",
        Shape::Scalar(Scalar::Int64) => "int64",
        Shape::Scalar(Scalar::Number) => "float64",
        Shape::Scalar(Scalar::Boolean) => "bool",
        Shape::Scalar(Scalar::Bytes) => "[]uint8",
        Shape::Scalar(Scalar::Quantity) => "resource.Quantity",
        Shape::Scalar(_) => "string",
        Shape::Map(entry) => return format!("map[string]{}", go_type(node.at(*entry))),
        Shape::List(..) => return format!("[]{}", go_type(node.element())),
        _ => match node.full_name().rmatch_indices('.').nth(1) {
            Some((dot, _)) => &node.full_name()[dot + 1..],
            None => "struct",
        },
    };
    plain.to_owned()
}

/// The error of a string that is neither a time nor base64.
fn malformed(scalar: Scalar, value: &Value) -> Option<String> {
    let text = value.as_str()?;
    match scalar {
        Scalar::Quantity => quantity::check(text).err().map(str::to_owned),
        Scalar::Bytes => {
            base64_error(text).map(|at| format!("illegal base64 data at input byte {at}"))
        }
        Scalar::Time => times::check(text, times::TIME).err(),
        Scalar::MicroTime => times::check(text, times::MICRO_TIME).err(),
        _ => None,
    }
}

/// The index of the first byte at which a string is not base64. Line breaks are skipped.
fn base64_error(text: &str) -> Option<usize> {
    let bytes = text.bytes().enumerate().filter(|(_, byte)| !matches!(byte, b'\n' | b'\r'));
    let bytes: Vec<_> = bytes.collect();
    let digits = bytes.iter().take_while(|(_, byte)| is_base64_digit(*byte)).count();
    let rest = &bytes[digits..];
    match (digits % 4, rest) {
        (0, []) | (2, [(_, b'='), (_, b'=')]) | (3, [(_, b'=')]) => None,
        (partial, []) => Some(text.len() - partial),
        (2, [(_, b'='), (_, b'='), (at, _), ..]) | (3, [(_, b'='), (at, _), ..]) => Some(*at),
        (2, [(_, b'=')]) => Some(text.len()),
        (2, [(_, b'='), (at, _), ..]) => Some(at - 1),
        (_, [(at, _), ..]) => Some(*at),
    }
}

fn fits(scalar: Scalar, value: &Value) -> bool {
    match scalar {
        Scalar::String | Scalar::Bytes | Scalar::Time | Scalar::MicroTime => value.is_string(),
        Scalar::Int32 => value.as_i64().is_some_and(|number| i32::try_from(number).is_ok()),
        Scalar::Int64 => value.is_i64(),
        Scalar::Number => value.is_number(),
        Scalar::Boolean => value.is_boolean(),
        Scalar::Either => value.is_string() || fits(Scalar::Int32, value),
        Scalar::Quantity => value.is_string() || value.is_number(),
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
