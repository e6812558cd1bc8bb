//! Custom resources: defaults and validation by their structural schemas.

use super::rules::{self, Found, Part};
use super::{ListType, Node, Schemas, Shape};
use kapigen_definitions::{Cause, Path};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The most bytes of defaults that an object is given: as many as a server sends to etcd.
const MOST_FILLED: usize = 2 << 20;

/// Fills in defaults, also for `null` where it is not a value of its own. Returns their bytes.
/// `None` if there would be more than any server stores: some are missing then.
pub(crate) fn fill_defaults(node: Node<'_>, value: &mut Value) -> Option<usize> {
    let mut left = MOST_FILLED;
    fill(node, value, &mut left)?;
    Some(MOST_FILLED - left)
}

fn fill(node: Node<'_>, value: &mut Value, left: &mut usize) -> Option<()> {
    match (node.shape(), value) {
        (Shape::Struct { .. }, Value::Object(members)) => {
            // Without a default, `null` is as good as no member.
            let stays = |field: Node<'_>| field.is_nullable() || field.default().is_some();
            members.retain(|name, value| !value.is_null() || node.known(name).is_none_or(stays));
            for (name, field) in node.fields() {
                let is_given = |value: &Value| !value.is_null() || field.is_nullable();
                if let Some(default) =
                    field.default().filter(|_| !members.get(name).is_some_and(is_given))
                {
                    *left = left.checked_sub(name.len() + field.default_size())?;
                    members.insert(name.to_owned(), default.clone());
                }
            }
            for (name, value) in members.iter_mut() {
                if let Some(field) = node.known(name) {
                    fill(field, value, left)?;
                }
            }
        }
        // Entries without a schema are kept as they are.
        (Shape::Map(Schemas::ANY), _) => {}
        (Shape::Map(entry), Value::Object(members)) => {
            let entry = node.at(*entry);
            for value in members.values_mut() {
                fill_null(entry, value, left)?;
                fill(entry, value, left)?;
            }
            members.retain(|_, value| entry.is_nullable() || !value.is_null());
        }
        (Shape::List(..), Value::Array(elements)) => {
            for value in elements {
                fill_null(node.element(), value, left)?;
                fill(node.element(), value, left)?;
            }
        }
        _ => {}
    }
    Some(())
}

/// Puts a default in the place of `null` where that is not a value of its own.
fn fill_null(node: Node<'_>, value: &mut Value, left: &mut usize) -> Option<()> {
    if let Some(default) = node.default().filter(|_| value.is_null() && !node.is_nullable()) {
        *left = left.checked_sub(node.default_size())?;
        *value = default.clone();
    }
    Some(())
}

/// Reasons after which a server checks no rules that are expressions.
const BLOCKING: [&str; 5] = [
    "FieldValueNotSupported",
    "FieldValueRequired",
    "FieldValueTooLong",
    "FieldValueTooMany",
    "FieldValueTypeInvalid",
];

/// Checks an object: first by its schema and the rules for its metadata, then the numbers of the
/// scale at these paths, and then its lists.
///
/// Others were found before, in metadata.
pub(crate) fn validate(
    node: Node<'_>,
    object: &Value,
    (replicas, metadata): (&[&str], Option<&Part>),
    before: &[Cause],
) -> Vec<Cause> {
    let mut found = rules::check_object(node, object, metadata);
    replicas
        .iter()
        .filter_map(|path| bad_replicas(object, path))
        .for_each(|cause| found.push(cause));
    for (name, value) in
        object.as_object().into_iter().flatten().filter(|(name, _)| *name != "metadata")
    {
        lists(node.member(name), value, Path::Member(&Path::ROOT, name), &mut found);
    }
    let mut causes = found.causes;
    let is_blocked = before.iter().chain(&causes).any(|cause| BLOCKING.contains(&cause.reason));
    if is_blocked && node.has_expressions() {
        let why = "some validation rules were not checked because the object was invalid; correct \
                   the existing errors to complete validation";
        causes.push(Cause::invalid("<nil>", &Value::Null, why));
    }
    causes
}

/// The most replicas of a scale.
const MOST_REPLICAS: i64 = i32::MAX as i64;

/// Checks a number of replicas.
fn bad_replicas(object: &Value, path: &str) -> Option<Cause> {
    let field = format!(".{path}");
    let refuse = |value: &Value, wanted: &str| {
        let (shown, found) = in_go(value);
        let why =
            format!("{field} accessor error: {shown} is of the type {found}, expected {wanted}");
        Some(Cause::invalid(&*field, &json!(0), &why))
    };
    let mut value = object;
    for name in path.split('.') {
        let Value::Object(members) = value else { return refuse(value, "map[string]interface{}") };
        value = members.get(name)?;
    }
    match value.as_i64() {
        Some(0..=MOST_REPLICAS) => None,
        Some(1..) => {
            let why = format!("should be less than or equal to {MOST_REPLICAS}");
            Some(Cause::invalid(field, value, &why))
        }
        Some(_) => Some(Cause::invalid(field, value, "should be a non-negative integer")),
        None => refuse(value, "int64"),
    }
}

/// A value and its type as Go prints them.
pub(crate) fn in_go(value: &Value) -> (String, &'static str) {
    match value {
        Value::Null => ("<nil>".to_owned(), "<nil>"),
        Value::Bool(flag) => (flag.to_string(), "bool"),
        Value::Number(number) if number.is_f64() => (number.to_string(), "float64"),
        Value::Number(number) => (number.to_string(), "int64"),
        Value::String(text) => (text.clone(), "string"),
        Value::Array(elements) => {
            let elements: Vec<_> = elements.iter().map(|element| in_go(element).0).collect();
            (format!("[{}]", elements.join(" ")), "[]interface {}")
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members
                .iter()
                .map(|(name, value)| (name, format!("{name}:{}", in_go(value).0)))
                .collect();
            members.sort();
            let members: Vec<_> = members.into_iter().map(|(_, text)| text).collect();
            (format!("map[{}]", members.join(" ")), "map[string]interface {}")
        }
    }
}

/// Checks that lists are sets and maps where their schemas say so.
fn lists(node: Node<'_>, value: &Value, path: Path<'_>, found: &mut Found) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                lists(node.member(name), value, Path::Member(&path, name), found);
            }
        }
        Value::Array(elements) => {
            let is_map = matches!(node.list_type(), ListType::Map(_));
            let is_odd = |element: &Value| is_map && !element.is_object() && !element.is_null();
            if let Some(index) = elements.iter().position(is_odd) {
                let why = "must be an object for an array of list-type map";
                found.add(|| Cause::invalid(&path.index(index), &elements[index], why));
            } else {
                duplicates(node.list_type(), elements, path, found);
            }
            for (index, element) in elements.iter().enumerate() {
                lists(node.element(), element, Path::Index(&path, index), found);
            }
        }
        _ => {}
    }
}

/// Repeated elements of a set or map, each once, however often it is there.
fn duplicates(list_type: &ListType, elements: &[Value], path: Path<'_>, found: &mut Found) {
    let mut known = HashMap::new();
    for (index, element) in elements.iter().enumerate() {
        let Some(identity) = identity(list_type, element) else { continue };
        let times = known.entry(identity.clone()).or_insert(0);
        *times += 1;
        if *times == 2 {
            found.add(|| Cause::duplicate(&path.index(index), &identity));
        }
    }
}

/// The value that no other element of a list may have.
fn identity(list_type: &ListType, element: &Value) -> Option<Value> {
    match list_type {
        ListType::Atomic => None,
        ListType::Set => Some(element.clone()),
        ListType::Map(keys) => {
            let keys = keys.iter().filter_map(|key| Some((key.clone(), element.get(key)?.clone())));
            Some(Value::Object(keys.collect()))
        }
    }
}
