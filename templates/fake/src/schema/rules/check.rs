//! Checks values by the rules of their schemas.

use super::combined::combined;
use super::findings::MOST_WORK;
use super::number::of_number;
use super::{Checked, Count, EITHER, Findings, Rules};
use crate::schema::{ListRule, formats, pattern};
use kapigen_definitions::schema_keywords::ListType;
use kapigen_definitions::{Cause, Path, type_name};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// The bytes of a string that take as long as a check.
const BYTES_PER_CHECK: usize = 64;

/// The work that may still be spent on checks of several values.
#[derive(Debug)]
pub(crate) struct Work(usize);

impl Default for Work {
    fn default() -> Self {
        Self(MOST_WORK)
    }
}

impl Work {
    /// The causes for which a value is refused.
    pub(crate) fn check<S: Checked>(&mut self, schema: S, value: &Value) -> Vec<Cause> {
        let mut found = Findings { budget: self.0, ..Findings::default() };
        check(schema, value, None, Path::ROOT, &mut found);
        self.0 = found.budget;
        found.causes
    }
}

/// Checks a value, unless it is unchanged: the stored one may be older than the rules. Returns the
/// number of checks that held.
pub(in crate::schema) fn check<S: Checked>(
    schema: S,
    value: &Value,
    old: Option<&Value>,
    path: Path<'_>,
    found: &mut Findings,
) -> usize {
    let Some(rules) = schema.rules() else { return 1 };
    if found.is_full() || old == Some(value) {
        return 1;
    }
    found.budget -= 1;
    let mut held = 1;
    if !value.is_null() || !schema.is_nullable() {
        held += of_type(rules, value, path, found);
    }
    if !value.is_null() {
        held += 1 + combined(rules, value, path, found);
    }
    match value {
        Value::String(text) => held += of_string(rules, text, path, found),
        Value::Number(_) => held += of_number(rules, value, path, found),
        Value::Array(elements) => {
            held += of_array((schema, rules), elements, old, path, found);
        }
        _ => {}
    }
    held += 1;
    check_choice(&rules.choices, value, path, found);
    if let Value::Object(members) = value {
        held += of_object((schema, rules), members, old, path, found);
    }
    held
}

/// Checks an enum. No choice is `null`, even if it is stated.
fn check_choice(choices: &[Value], value: &Value, path: Path<'_>, found: &mut Findings) {
    found.spend(choices.len());
    if choices.is_empty() || !value.is_null() && choices.contains(value) {
        return;
    }
    let mut shown = Vec::new();
    for choice in choices {
        shown.push(choice.as_str().map_or_else(|| choice.to_string(), str::to_owned));
    }
    let shown: Vec<_> = shown.iter().map(String::as_str).collect();
    found.push(Cause::unsupported(&path, value, &shown));
}

/// A value that a rule of its schema forbids.
pub(super) fn invalid(path: Path<'_>, value: &Value, why: &str) -> Cause {
    Cause::invalid(&path, value, &format!("{path} in body {why}"))
}

fn mistyped(path: Path<'_>, value: &str, wanted: &str) -> Cause {
    let cause =
        invalid(path, &json!(value), &format!("must be of type {wanted}: {}", json!(value)));
    Cause { reason: "FieldValueTypeInvalid", ..cause }
}

/// The type. Strings with a format are described by the format alone.
fn of_type(rules: &Rules, value: &Value, path: Path<'_>, found: &mut Findings) -> usize {
    let kind = &*rules.kind;
    let own = type_name(value);
    if kind.is_empty() {
        return 0;
    }
    let fits = match kind {
        EITHER => value.is_string() || value.is_i64(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        _ => kind == own,
    };
    let is_formatted = kind == "string" && formats::is_known(&rules.format);
    if fits || is_formatted && value.is_array() {
        return 2;
    }
    let cause = match value {
        Value::Null => mistyped(path, "null", kind),
        _ if is_formatted => mistyped(path, format_of(value), &rules.format),
        _ => mistyped(path, own, kind),
    };
    found.push(cause);
    1
}

/// The format that Go has for a value.
fn format_of(value: &Value) -> &'static str {
    match value {
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        _ => "",
    }
}

/// Length, pattern and format of a string. If the length is wrong, the pattern is not checked.
fn of_string(rules: &Rules, text: &str, path: Path<'_>, found: &mut Findings) -> usize {
    found.spend(text.len() / BYTES_PER_CHECK);
    let Count { least, most } = rules.length;
    let length = text.chars().count();
    if let Some(most) = most.filter(|most| length > *most) {
        found.push(Cause::too_long(&path, most));
    } else if let Some(least) = least.filter(|least| length < *least) {
        let why = format!("should be at least {least} chars long");
        found.push(invalid(path, &json!(text), &why));
    } else if let Some(pattern) = &rules.pattern {
        match pattern::matches(pattern, text, &mut found.budget) {
            Ok(true) => {}
            Ok(false) => {
                found.push(invalid(path, &json!(text), &format!("should match '{pattern}'")));
            }
            Err(why) => found.push(Cause::invalid(&path, &json!(""), &why)),
        }
    }
    if !formats::is_known(&rules.format) {
        return 1;
    }
    if !formats::fits(&rules.format, text) {
        found.push(mistyped(path, text, &rules.format));
    }
    2
}

fn of_array<S: Checked>(
    (schema, rules): (S, &Rules),
    elements: &[Value],
    old: Option<&Value>,
    path: Path<'_>,
    found: &mut Findings,
) -> usize {
    let mut held = 2;
    if let Some(of_elements) = schema.of_elements() {
        let olds = by_key(schema.list_rule(), old);
        for (index, element) in elements.iter().enumerate() {
            let key = schema.list_rule().identity(element).filter(|_| !olds.is_empty());
            let old = key.and_then(|key| olds.get(&key).copied());
            held += check(of_elements, element, old, Path::Index(&path, index), found);
        }
    }
    let count = elements.len();
    let Count { least, most } = rules.elements;
    if let Some(least) = least.filter(|least| count < *least) {
        found.push(invalid(path, &json!(count), &format!("should have at least {least} items")));
    }
    if let Some(most) = most.filter(|most| count > *most) {
        found.push(too_many(path, count, most));
    }
    held
}

/// The elements of an old list by their keys. Only lists of type `map` have keys; in other lists
/// each new element is checked.
fn by_key<'a>(rule: &ListRule, old: Option<&'a Value>) -> HashMap<Value, &'a Value> {
    let mut olds = HashMap::new();
    if rule.list_type == ListType::Map {
        for old in old.and_then(Value::as_array).into_iter().flatten() {
            if let Some(key) = rule.identity(old) {
                olds.entry(key).or_insert(old);
            }
        }
    }
    olds
}

fn too_many(path: Path<'_>, count: usize, most: usize) -> Cause {
    let message = format!("Too many: {count}: must have at most {most} items");
    Cause::new(&path, "FieldValueTooMany", message)
}

/// The members of an object, unless there are too few or too many.
fn of_object<S: Checked>(
    (schema, rules): (S, &Rules),
    members: &Map<String, Value>,
    old: Option<&Value>,
    path: Path<'_>,
    found: &mut Findings,
) -> usize {
    let count = members.len();
    let Count { least, most } = rules.members;
    if let Some(least) = least.filter(|least| count < *least) {
        found.push(invalid(
            path,
            &json!(least),
            &format!("should have at least {least} properties"),
        ));
        return 1;
    }
    if let Some(most) = most.filter(|most| count > *most) {
        found.push(too_many(path, count, most));
        return 1;
    }
    let mut held = 1;
    for (name, value) in members {
        if let Some(below) = schema.below(name) {
            // All versions of an object have its kind, whatever is stored.
            let is_own = !matches!((path, &**name), (Path::Start(..), "apiVersion" | "kind"));
            let old = old.and_then(|old| old.get(name)).filter(|_| is_own);
            held += check(below, value, old, Path::Member(&path, name), found);
        }
    }
    for name in rules.required.iter().filter(|name| !members.contains_key(*name)) {
        found.push(Cause::required(&path.member(name), ""));
    }
    held
}
