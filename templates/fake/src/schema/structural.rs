//! Custom resources: defaults and validation by their structural schemas.

use super::{ListType, Node, Scalar, Shape};
use kapigen_definitions::{Cause, Path, type_name};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Fills in defaults, also for `null` where it is not a value of its own.
pub(crate) fn fill_defaults(node: Node<'_>, value: &mut Value) {
    match (node.shape(), value) {
        (Shape::Struct { .. }, Value::Object(members)) => {
            for (name, field) in node.fields() {
                let is_gap = members.get(name).is_none_or(|value| value.is_null() && !field.is_nullable());
                if !is_gap {
                    continue;
                }
                match field.default() {
                    Some(default) => _ = members.insert(name.to_owned(), default.clone()),
                    // Without a default it stays, for the validation to refuse or to drop.
                    None => _ = members.shift_remove(name),
                }
            }
            for (name, value) in members.iter_mut() {
                if let Some(field) = node.known(name) {
                    fill_defaults(field, value);
                }
            }
        }
        (Shape::Map(entry), Value::Object(members)) => {
            let entry = node.at(*entry);
            members.retain(|_, value| entry.is_nullable() || !value.is_null());
            for value in members.values_mut() {
                fill_defaults(entry, value);
            }
        }
        (Shape::List(..), Value::Array(elements)) => {
            for value in elements {
                fill_defaults(node.element(), value);
            }
        }
        _ => {}
    }
}

/// Reasons after which a server checks no rules that are expressions.
const BLOCKING: [&str; 5] =
    ["FieldValueNotSupported", "FieldValueRequired", "FieldValueTooLong", "FieldValueTooMany", "FieldValueTypeInvalid"];

/// Checks an object. Schemas are checked first, then the numbers of the scale at these paths; keys of lists only if
/// those hold.
///
/// Others were found before, in metadata.
pub(crate) fn validate(node: Node<'_>, object: &Value, replicas: &[&str], before: &[Cause]) -> Vec<Cause> {
    let mut causes = Vec::new();
    for (name, value) in object.as_object().into_iter().flatten() {
        if name != "metadata" {
            check(node.member(name), value, Path::Member(&Path::ROOT, name), &mut causes);
        }
    }
    if let Some(rules) = node.rules() {
        missing(rules, object, Path::ROOT, &mut causes);
    }
    causes.extend(replicas.iter().filter_map(|path| bad_replicas(object, path)));
    if causes.is_empty() {
        duplicates(node, object, Path::ROOT, &mut causes);
    }
    if before.iter().chain(&causes).any(|cause| BLOCKING.contains(&cause.reason)) {
        let why = "some validation rules were not checked because the object was invalid; correct the existing errors \
                   to complete validation";
        causes.push(Cause::invalid("<nil>", &Value::Null, why));
    }
    causes
}

/// Checks a number of replicas.
fn bad_replicas(object: &Value, path: &str) -> Option<Cause> {
    let field = format!(".{path}");
    let refuse = |value: &Value, wanted: &str| {
        let (shown, found) = in_go(value);
        let why = format!("{field} accessor error: {shown} is of the type {found}, expected {wanted}");
        Some(Cause::invalid(&*field, &json!(0), &why))
    };
    let mut value = object;
    for name in path.split('.') {
        let Value::Object(members) = value else { return refuse(value, "map[string]interface{}") };
        value = members.get(name)?;
    }
    match value.as_i64() {
        Some(0..) => None,
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
            let mut members: Vec<_> =
                members.iter().map(|(name, value)| (name, format!("{name}:{}", in_go(value).0))).collect();
            members.sort();
            let members: Vec<_> = members.into_iter().map(|(_, text)| text).collect();
            (format!("map[{}]", members.join(" ")), "map[string]interface {}")
        }
    }
}

fn missing(rules: &Rules, value: &Value, path: Path<'_>, causes: &mut Vec<Cause>) {
    for name in rules.required.iter().filter(|name| value.get(name).is_none()) {
        causes.push(Cause::required(&path.member(name), ""));
    }
}

fn check(node: Node<'_>, value: &Value, path: Path<'_>, causes: &mut Vec<Cause>) {
    if value.is_null() && node.is_nullable() {
        return;
    }
    if let Some(rules) = node.rules() {
        if !has_type(node, rules, value) {
            let found = type_name(value);
            let wanted =
                if matches!(node.shape(), Shape::Scalar(Scalar::Either)) { "integer,string" } else { &rules.kind };
            let why = format!("{path} in body must be of type {wanted}: \"{found}\"");
            let cause = Cause::invalid(&path, &json!(found), &why);
            causes.push(Cause { reason: "FieldValueTypeInvalid", ..cause });
            if rules.kind == "integer" && value.is_number() {
                let format = if rules.format.is_empty() { "default" } else { &rules.format };
                let why = format!("Checked value must be of type integer ({format} format) in {path}");
                causes.push(Cause::invalid("<nil>", &json!(""), &why));
            }
            return;
        }
        facets(rules, value, path, causes);
        if value.is_object() {
            missing(rules, value, path, causes);
        }
    }
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                check(node.member(name), value, Path::Member(&path, name), causes);
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                check(node.element(), value, Path::Index(&path, index), causes);
            }
        }
        _ => {}
    }
}

fn has_type(node: Node<'_>, rules: &Rules, value: &Value) -> bool {
    if matches!(node.shape(), Shape::Scalar(Scalar::Either)) {
        return value.is_string() || value.is_i64();
    }
    match rules.kind.as_str() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => true,
    }
}

fn facets(rules: &Rules, value: &Value, path: Path<'_>, causes: &mut Vec<Cause>) {
    if let Some(minimum) = rules.minimum.filter(|minimum| value.as_f64().is_some_and(|number| number < *minimum)) {
        let why = format!("{path} in body should be greater than or equal to {minimum}");
        causes.push(Cause::invalid(&path, value, &why));
    }
    if let Some(maximum) = rules.maximum.filter(|maximum| value.as_f64().is_some_and(|number| number > *maximum)) {
        let why = format!("{path} in body should be less than or equal to {maximum}");
        causes.push(Cause::invalid(&path, value, &why));
    }
    if !rules.choices.is_empty() && !rules.choices.contains(value) {
        let choices: Vec<_> = rules.choices.iter().filter_map(Value::as_str).collect();
        causes.push(Cause::unsupported(&path, value, &choices));
    }
    let length = value.as_str().map(|text| text.chars().count());
    if let Some((_, longest)) = length.zip(rules.max_length).filter(|(length, longest)| length > longest) {
        causes.push(Cause::too_long(&path, longest));
    }
    if let Some((_, least)) = length.zip(rules.min_length).filter(|(length, least)| length < least) {
        let why = format!("{path} in body should be at least {least} chars long");
        causes.push(Cause::invalid(&path, value, &why));
    }
    let count = value.as_array().map(Vec::len);
    if let Some((count, most)) = count.zip(rules.max_items).filter(|(count, most)| count > most) {
        let message = format!("Too many: {count}: must have at most {most} items");
        causes.push(Cause::new(&path, "FieldValueTooMany", message));
    }
    if let Some((_, least)) = count.zip(rules.min_items).filter(|(count, least)| count < least) {
        let why = format!("{path} in body should have at least {least} items");
        causes.push(Cause::invalid(&path, value, &why));
    }
}

/// Repeated elements of sets and maps.
fn duplicates(node: Node<'_>, value: &Value, path: Path<'_>, causes: &mut Vec<Cause>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                duplicates(node.member(name), value, Path::Member(&path, name), causes);
            }
        }
        Value::Array(elements) => {
            let mut known = HashSet::new();
            for (index, element) in elements.iter().enumerate() {
                let path = Path::Index(&path, index);
                if let Some(identity) = identity(node.list_type(), element)
                    && let Some(again) = known.replace(identity)
                {
                    let message = format!("Duplicate value: {again}");
                    causes.push(Cause::new(&path, "FieldValueDuplicate", message));
                }
                duplicates(node.element(), element, path, causes);
            }
        }
        _ => {}
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

/// The facets of a schema that restrict its values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// The name of the type, such as `integer`. Empty if any type will do.
    pub(crate) kind: String,
    pub(crate) format: String,
    pub(crate) required: Vec<String>,
    pub(crate) choices: Vec<Value>,
    pub(crate) minimum: Option<f64>,
    pub(crate) maximum: Option<f64>,
    pub(crate) max_length: Option<usize>,
    pub(crate) min_length: Option<usize>,
    pub(crate) max_items: Option<usize>,
    pub(crate) min_items: Option<usize>,
}

impl Rules {
    pub(super) fn read(schema: &Map<String, Value>) -> Self {
        let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |key: &str| schema.get(key).and_then(Value::as_f64);
        let size = |key: &str| schema.get(key).and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok());
        let list = |key: &str| schema.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let required = list("required");
        Self {
            kind: text("type"),
            format: text("format"),
            required: required.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            choices: list("enum"),
            minimum: number("minimum"),
            maximum: number("maximum"),
            max_length: size("maxLength"),
            min_length: size("minLength"),
            max_items: size("maxItems"),
            min_items: size("minItems"),
        }
    }
}
