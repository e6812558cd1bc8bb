//! Checks objects of built-in kinds by a table of rules, and fills in their defaults.

mod fill;
mod parse;
mod special;
mod syntax;
mod table;

pub(crate) use fill::fill;
pub(crate) use special::defaults::admit;

use crate::kinds::rules::MOST_BYTES;
use crate::object::Tree;
use kapigen_definitions::Cause;
use parse::{Mark, Row, Step};
use serde_json::{Value, json};

/// A member that is absent.
const NONE: &Value = &Value::Null;

/// A walk through an object, beside the rules of its kind.
struct Walk<'a> {
    object: &'a Value,
    /// The stored object that it replaces.
    live: Option<&'a Value>,
    /// The values around the present one that have rules as types.
    above: Vec<&'a Value>,
    path: String,
    causes: Vec<Cause>,
    bytes: usize,
}

/// The causes for which an object of a resource, by its group and plural name, is refused. If it
/// replaces another, only what it changes is.
pub(crate) fn causes(named: (&str, &str), object: &Value, live: Option<&Value>) -> Vec<Cause> {
    let found = walk(named, object, live);
    // What a server has stored is valid. A test may have stored anything.
    let known = live.filter(|_| !found.is_empty()).map(|live| walk(named, live, Some(live)));
    let known = known.unwrap_or_default();
    found.into_iter().filter(|cause| !known.contains(cause)).collect()
}

fn walk(named: (&str, &str), object: &Value, live: Option<&Value>) -> Vec<Cause> {
    let Some(rows) = parse::rules().resource(named) else { return Vec::new() };
    let path = String::new();
    let mut walk = Walk { object, live, above: vec![object], path, causes: Vec::new(), bytes: 0 };
    walk.rows(rows, object);
    walk.causes
}

/// Whether Go has no more of a value than of one that is absent.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(is) => !is,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

impl<'a> Walk<'a> {
    fn rows(&mut self, rows: &'static [Row], value: &'a Value) {
        for row in rows {
            self.row(row, &row.steps, value);
        }
    }

    /// Goes on to the values of a row.
    fn row(&mut self, row: &'static Row, steps: &'static [Step], value: &'a Value) {
        let Some((step, rest)) = steps.split_first() else {
            let length = self.path.len();
            if let Some(alias) = row.alias {
                let kept = self.path.len() - row.path.len();
                self.path.truncate(kept);
                self.path.push_str(alias);
            }
            self.marks(row, value);
            debug_assert!(row.alias.is_some() || self.path.len() == length);
            return;
        };
        let length = self.path.len();
        match step {
            Step::Member { name, is_optional } => {
                let member = value.get(name).unwrap_or(NONE);
                if !(*is_optional && member.is_null()) {
                    let dot = if length == 0 { "" } else { "." };
                    self.path.push_str(dot);
                    self.path.push_str(name);
                    self.row(row, rest, member);
                }
            }
            Step::Each => {
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
                Mark::Fill(_) => {}
                Mark::Do(check) => check(self, value),
                Mark::Type(name) => {
                    self.above.push(value);
                    self.rows(parse::rules().of_type(name), value);
                    self.above.pop();
                }
            }
        }
    }

    fn range(&mut self, value: &Value, (least, most): (i64, i64), why: &str) {
        let number = value.as_i64().unwrap_or_default();
        if !(least..=most).contains(&number) {
            self.invalid("", &json!(number), why);
        }
    }

    fn at_least(&mut self, place: &str, value: &Value, least: i64) {
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
        let known = self.live.map(|live| live.at(path).unwrap_or(NONE));
        if known.is_none_or(|known| known == value) {
            return;
        }
        if why.is_empty() {
            self.push(|path| Cause::immutable(path, value));
        } else {
            self.push(|path| Cause::forbidden(path, why));
        }
    }

    fn push(&mut self, cause: impl FnOnce(&str) -> Cause) {
        if self.bytes < MOST_BYTES {
            let cause = cause(&self.path);
            self.bytes += cause.field.len() + cause.message.len();
            self.causes.push(cause);
        }
    }

    /// Adds a cause at a place below the present one, such as `.name`.
    fn below(&mut self, place: &str, cause: impl FnOnce(&str) -> Cause) {
        let length = self.path.len();
        let place = if length == 0 { place.trim_start_matches('.') } else { place };
        self.path.push_str(place);
        self.push(cause);
        self.path.truncate(length);
    }

    fn required(&mut self, place: &str, why: &str) {
        self.below(place, |path| Cause::required(path, why));
    }

    fn invalid(&mut self, place: &str, value: &Value, why: &str) {
        self.below(place, |path| Cause::invalid(path, value, why));
    }

    fn duplicate(&mut self, place: &str, value: &Value) {
        self.below(place, |path| Cause::duplicate(path, value));
    }

    fn unsupported(&mut self, place: &str, value: &Value, supported: &[&str]) {
        let value = json!(text(value));
        self.below(place, |path| Cause::unsupported(path, &value, supported));
    }
}
