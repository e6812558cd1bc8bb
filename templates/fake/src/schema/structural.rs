//! Custom resources: defaults and validation by their structural schemas.

use super::rules::{self, Findings, Subschema};
use super::{ListRule, Node, Shape};
use kapigen_definitions::schema_keywords::ListType;
use kapigen_definitions::{Cause, Path};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The most bytes of defaults that an object gets: as many as a server sends to etcd.
const MOST_FILLED: usize = 2 << 20;

/// Removes `null` members, unless they are nullable or have a default. Elements that are `null`
/// stay.
pub(crate) fn drop_nulls(node: Node<'_>, value: &mut Value) {
    match value {
        Value::Object(members) => members.retain(|name, value| {
            let Some(below) = node.described(name) else { return true };
            drop_nulls(below, value);
            !value.is_null() || below.is_nullable() || below.default().is_some()
        }),
        Value::Array(elements) => {
            for element in elements {
                drop_nulls(node.element(), element);
            }
        }
        _ => {}
    }
}

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
            for (name, field) in node.fields() {
                if let Some(default) = field.default()
                    && members.get(name).is_none_or(|value| value.is_null() && !field.is_nullable())
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
        (Shape::Map(entry), Value::Object(members)) => {
            let entry = node.at(*entry);
            for (name, value) in members.iter_mut() {
                fill_entry(entry, value, name.len(), left)?;
            }
        }
        (Shape::List(..), Value::Array(elements)) => {
            for value in elements {
                fill_entry(node.element(), value, 0, left)?;
            }
        }
        _ => {}
    }
    Some(())
}

/// As [`fill`], for a present value. A `null` is replaced by the default, unless it is allowed.
fn fill_entry(node: Node<'_>, value: &mut Value, name: usize, left: &mut usize) -> Option<()> {
    if let Some(default) = node.default().filter(|_| value.is_null() && !node.is_nullable()) {
        *left = left.checked_sub(name + node.default_size())?;
        default.clone_into(value);
    }
    fill(node, value, left)
}

/// Reasons that keep a server from evaluating rules that are expressions.
const BLOCKING: [&str; 5] = [
    "FieldValueNotSupported",
    "FieldValueRequired",
    "FieldValueTooLong",
    "FieldValueTooMany",
    "FieldValueTypeInvalid",
];

/// An object to validate, with the facts that validation depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checked<'a> {
    pub(crate) object: &'a Value,
    /// The object that it replaces. Values that are unchanged are not validated.
    pub(crate) old: Option<&'a Value>,
    /// The member that a write to a part changes. Nothing else is validated then.
    pub(crate) part: Option<&'a str>,
    /// The paths of the numbers of the scale.
    pub(crate) replicas: &'a [&'a str],
    /// The rules for metadata, which its own schema lacks.
    pub(crate) metadata: Option<&'a Subschema>,
}

/// Checks an object: first by its schema, then the numbers of its scale, and then its lists, unless
/// the lists that it replaces were invalid already.
///
/// Other causes were found before: in metadata, and in embedded resources, which come before lists.
pub(crate) fn validate(
    node: Node<'_>,
    checked: Checked<'_>,
    before: &[Cause],
    embedded: Vec<Cause>,
) -> Vec<Cause> {
    let Checked { object, old, part, replicas, metadata } = checked;
    let mut found = Findings::with_work();
    if let (Some(part), Some(value)) = (metadata, object.get("metadata")) {
        rules::check(part, value, None, Path::ROOT.member("metadata"), &mut found);
    }
    match part {
        None => {
            rules::check(node, object, old, Path::ROOT, &mut found);
        }
        Some(name) => {
            if let Some(value) = object.get(name) {
                let old = old.and_then(|old| old.get(name));
                rules::check(node.member(name), value, old, Path::ROOT.member(name), &mut found);
            }
        }
    }
    replicas
        .iter()
        .filter(|path| part.is_none_or(|part| path.starts_with(part)))
        .filter_map(|path| bad_replicas(object, path))
        .for_each(|cause| found.push(cause));
    for cause in embedded {
        found.push(cause);
    }
    if old.is_none_or(|old| !has_odd_lists(node, old)) {
        all_lists(node, object, &mut found);
    }
    let mut causes = found.causes;
    if node.has_expressions() && blocks_expressions(before.iter().chain(&causes)) {
        let why = "some validation rules were not checked because the object was invalid; correct \
                   the existing errors to complete validation";
        causes.push(Cause::invalid("<nil>", &Value::Null, why));
    }
    causes
}

/// Whether causes keep a server from evaluating rules that are expressions.
pub(crate) fn blocks_expressions<'a>(mut causes: impl Iterator<Item = &'a Cause>) -> bool {
    causes.any(|cause| BLOCKING.contains(&cause.reason))
}

/// The most replicas of a scale.
const MOST_REPLICAS: i64 = i32::MAX as i64;

/// Checks a number of replicas.
fn bad_replicas(object: &Value, path: &str) -> Option<Cause> {
    let field = format!(".{path}");
    let mut value = object;
    for name in path.split('.') {
        let Value::Object(members) = value else {
            return Some(inaccessible(&field, value, "map[string]interface{}"));
        };
        value = members.get(name)?;
    }
    match value.as_i64() {
        Some(0..=MOST_REPLICAS) => None,
        Some(1..) => {
            let why = format!("should be less than or equal to {MOST_REPLICAS}");
            Some(Cause::invalid(field, value, &why))
        }
        Some(_) => Some(Cause::invalid(field, value, "should be a non-negative integer")),
        None => Some(inaccessible(&field, value, "int64")),
    }
}

/// The cause for which a number is refused that is not found as one.
fn inaccessible(field: &str, value: &Value, wanted: &str) -> Cause {
    let (shown, found) = in_go(value);
    let why = format!("{field} accessor error: {shown} is of the type {found}, expected {wanted}");
    Cause::invalid(field, &json!(0), &why)
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

fn has_odd_lists(node: Node<'_>, object: &Value) -> bool {
    let mut found = Findings::with_work();
    all_lists(node, object, &mut found);
    !found.causes.is_empty()
}

/// Checks all lists of an object except in its metadata.
fn all_lists(node: Node<'_>, object: &Value, found: &mut Findings) {
    let members = object.as_object().into_iter().flatten();
    for (name, value) in members.filter(|(name, _)| *name != "metadata") {
        lists(node.member(name), value, Path::Member(&Path::ROOT, name), found);
    }
}

/// Checks that lists are sets and maps where their schemas say so.
fn lists(node: Node<'_>, value: &Value, path: Path<'_>, found: &mut Findings) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                lists(node.member(name), value, Path::Member(&path, name), found);
            }
        }
        Value::Array(elements) => {
            let is_map = node.list_type() == ListType::Map;
            let odd = elements
                .iter()
                .position(|element| is_map && !element.is_object() && !element.is_null());
            if let Some(index) = odd {
                let why = "must be an object for an array of list-type map";
                found.add(|| Cause::invalid(&path.index(index), &elements[index], why));
            } else {
                duplicates(node.list_rule(), elements, path, found);
            }
            for (index, element) in elements.iter().enumerate() {
                lists(node.element(), element, Path::Index(&path, index), found);
            }
        }
        _ => {}
    }
}

/// Repeated elements of a set or map, each once.
fn duplicates(rule: &ListRule, elements: &[Value], path: Path<'_>, found: &mut Findings) {
    let mut known = HashMap::new();
    for (index, element) in elements.iter().enumerate() {
        let Some(identity) = rule.identity(element) else { continue };
        let times = known.entry(identity.clone()).or_insert(0);
        *times += 1;
        if *times == 2 {
            found.add(|| Cause::duplicate(&path.index(index), &identity));
        }
    }
}
