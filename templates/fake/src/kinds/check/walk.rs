//! A walk through an object, beside the rules of its kind.

use super::syntax;
use crate::kinds::rules::MOST_BYTES;
use crate::object::Tree;
use kapigen_definitions::Cause;
use serde_json::{Value, json};
use std::collections::HashMap;

/// A path and what holds there.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) path: &'static str,
    pub(super) steps: Vec<PathStep>,
    /// The name of the place in errors, if it is not the path.
    pub(super) alias: Option<&'static str>,
    pub(super) marks: Vec<Mark>,
}

impl Row {
    /// Whether there may be defaults.
    pub(super) fn fills(&self) -> bool {
        self.marks
            .iter()
            .any(|mark| matches!(mark, Mark::Default { .. } | Mark::Fill(_) | Mark::Type(_)))
    }
}

#[derive(Debug)]
pub(super) enum PathStep {
    Member { name: &'static str, is_optional: bool },
    Each,
}

/// A rule that is a function.
pub(super) type Check = for<'w, 'a> fn(&'w mut Walk<'a>, &'a Value);

#[derive(Debug)]
pub(super) enum Mark {
    Default {
        value: Value,
        is_for_zero: bool,
    },
    Required(&'static str),
    None(&'static str),
    Range {
        least: i64,
        most: i64,
        why: String,
    },
    In(Vec<&'static str>),
    One(Vec<&'static str>),
    Is(syntax::Errors),
    Unique(&'static str),
    Same(&'static str),
    /// The rest holds for new objects only.
    New,
    Do(Check),
    Fill(Fill),
    Type(&'static str),
}

/// The rules by resource and by type.
#[derive(Debug)]
pub(super) struct Rules(pub(super) HashMap<&'static str, Vec<Row>>);

impl Rules {
    pub(super) fn resource(&self, (group, plural): (&str, &str)) -> Option<&[Row]> {
        self.0.get(&*format!("{group}/{plural}")).map(Vec::as_slice)
    }

    pub(super) fn of_type(&self, name: &str) -> &[Row] {
        self.0.get(name).map(Vec::as_slice).unwrap_or_default()
    }
}

/// A default that depends on other members.
pub(super) type Fill = fn(&mut Value);

/// A member that is absent.
pub(super) const NONE: &Value = &Value::Null;

/// Whether Go has no more of a value than of one that is absent.
pub(super) fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(is) => !is,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(super) fn elements(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// A walk through an object, beside the rules of its kind.
pub(super) struct Walk<'a> {
    pub(super) rules: &'static Rules,
    pub(super) object: &'a Value,
    /// The stored object that it replaces.
    pub(super) live: Option<&'a Value>,
    /// The values around the present one that have rules as types.
    pub(super) above: Vec<&'a Value>,
    pub(super) path: String,
    pub(super) causes: Vec<Cause>,
    pub(super) bytes: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn rows(&mut self, rows: &'static [Row], value: &'a Value) {
        for row in rows {
            self.row(row, &row.steps, value);
        }
    }

    /// Checks a value by the rules of a type.
    pub(super) fn value_of(&mut self, name: &str, value: &'a Value) {
        self.rows(self.rules.of_type(name), value);
    }

    /// Goes on to the values of a row.
    fn row(&mut self, row: &'static Row, steps: &'static [PathStep], value: &'a Value) {
        let Some((step, rest)) = steps.split_first() else {
            let length = self.path.len();
            if let Some(alias) = row.alias {
                let kept = self.path.len() - row.path.trim_end_matches('?').len();
                self.path.truncate(kept);
                self.path.push_str(alias);
            }
            self.marks(row, value);
            debug_assert!(row.alias.is_some() || self.path.len() == length);
            return;
        };
        let length = self.path.len();
        match step {
            PathStep::Member { name, is_optional } => {
                let member = value.get(name).unwrap_or(NONE);
                if !(*is_optional && member.is_null()) {
                    let dot = if length == 0 { "" } else { "." };
                    self.path.push_str(dot);
                    self.path.push_str(name);
                    self.row(row, rest, member);
                }
            }
            PathStep::Each => {
                for (index, element) in elements(value).iter().enumerate() {
                    self.path.extend(["[", &index.to_string(), "]"]);
                    self.row(row, rest, element);
                    self.path.truncate(length);
                }
            }
        }
        self.path.truncate(length);
    }

    fn marks(&mut self, row: &'static Row, value: &'a Value) {
        for mark in &row.marks {
            match mark {
                // A default is valid.
                Mark::Default { is_for_zero, .. } => {
                    if value.is_null() || *is_for_zero && is_zero(value) {
                        return;
                    }
                }
                Mark::Required(why) => {
                    if is_zero(value) {
                        self.required("", why);
                        return;
                    }
                }
                Mark::None(why) => self.push(|path| Cause::forbidden(path, why)),
                Mark::Range { least, most, why } => self.range(value, (*least, *most), why),
                Mark::In(supported) => {
                    if !text(value).is_empty() && !supported.contains(&text(value)) {
                        self.unsupported("", value, supported);
                    }
                }
                Mark::One(supported) => {
                    if !supported.contains(&text(value)) {
                        self.unsupported("", value, supported);
                    }
                }
                Mark::Is(errors) => {
                    for why in errors(text(value)) {
                        self.invalid("", &json!(text(value)), &why);
                    }
                }
                Mark::Unique(member) => self.unique(value, member),
                Mark::Same(why) => self.same(row.path, value, why),
                Mark::New => {
                    if self.live.is_some() {
                        return;
                    }
                }
                Mark::Fill(_) => {}
                Mark::Do(check) => check(self, value),
                Mark::Type(name) => {
                    self.above.push(value);
                    self.value_of(name, value);
                    self.above.pop();
                }
            }
        }
    }

    pub(super) fn range(&mut self, value: &Value, (least, most): (i64, i64), why: &str) {
        let number = value.as_i64().unwrap_or_default();
        if !(least..=most).contains(&number) {
            self.invalid("", &json!(number), why);
        }
    }

    pub(super) fn at_least(&mut self, place: &str, value: &Value, least: i64) {
        let number = value.as_i64().unwrap_or_default();
        if number < least {
            let why = format!("must be greater than or equal to {least}");
            self.invalid(place, &json!(number), &why);
        }
    }

    fn unique(&mut self, list: &Value, member: &str) {
        let mut known = std::collections::HashSet::new();
        for (index, element) in elements(list).iter().enumerate() {
            let value = element.get(member).unwrap_or(NONE);
            if !known.insert(text(value)) {
                self.duplicate(&format!("[{index}].{member}"), value);
            }
        }
    }

    fn same(&mut self, path: &str, value: &Value, why: &'static str) {
        let Some(live) = self.live else { return };
        let known = live.at(path).unwrap_or(NONE);
        if known == value {
            return;
        }
        if why.is_empty() {
            // An absent string is empty.
            let is_empty = value.is_null() && known.is_string();
            let shown = if is_empty { json!("") } else { value.clone() };
            self.push(|path| Cause::immutable(path, &shown));
        } else {
            self.push(|path| Cause::forbidden(path, why));
        }
    }

    pub(super) fn push(&mut self, cause: impl FnOnce(&str) -> Cause) {
        if self.bytes < MOST_BYTES {
            let cause = cause(&self.path);
            self.bytes += cause.field.len() + cause.message.len();
            self.causes.push(cause);
        }
    }

    /// Adds a cause at a place below the present one, such as `.name`.
    pub(super) fn below(&mut self, place: &str, cause: impl FnOnce(&str) -> Cause) {
        let length = self.path.len();
        let place = if length == 0 { place.trim_start_matches('.') } else { place };
        self.path.push_str(place);
        self.push(cause);
        self.path.truncate(length);
    }

    pub(super) fn required(&mut self, place: &str, why: &str) {
        self.below(place, |path| Cause::required(path, why));
    }

    pub(super) fn invalid(&mut self, place: &str, value: &Value, why: &str) {
        self.below(place, |path| Cause::invalid(path, value, why));
    }

    pub(super) fn duplicate(&mut self, place: &str, value: &Value) {
        self.below(place, |path| Cause::duplicate(path, value));
    }

    pub(super) fn unsupported(&mut self, place: &str, value: &Value, supported: &[&str]) {
        let value = json!(text(value));
        self.below(place, |path| Cause::unsupported(path, &value, supported));
    }
}
