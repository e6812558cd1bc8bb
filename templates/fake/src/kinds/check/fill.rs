//! Fills in the defaults of built-in kinds.

use super::parse;
use super::walk::{Mark, PathStep, Row, is_zero};
use serde_json::{Map, Value};

/// Fills in the defaults of an object of a resource, by its group and plural name. One that
/// replaces another gets them if that one has them: a test may have stored it without.
pub(crate) fn fill(named: (&str, &str), object: &mut Value, live: Option<&Value>) {
    let Some(rows) = parse::rules().resource(named) else { return };
    let is_filled = live.is_none_or(|live| {
        let mut filled = live.clone();
        fill_rows(rows, &mut filled);
        filled == *live
    });
    if is_filled {
        fill_rows(rows, object);
    }
}

fn fill_rows(rows: &[Row], value: &mut Value) {
    for row in rows.iter().filter(|row| row.fills()) {
        fill_row(row, &row.steps, value);
    }
}

fn fill_row(row: &Row, steps: &[PathStep], value: &mut Value) {
    let Some((step, rest)) = steps.split_first() else {
        row.marks.iter().for_each(|mark| fill_mark(mark, value));
        return;
    };
    match step {
        PathStep::Member { name, is_optional } => {
            let member = value.get_mut(name).filter(|member| !member.is_null());
            if let Some(member) = member {
                fill_row(row, rest, member);
            } else if !is_optional {
                let mut made = Value::Null;
                fill_row(row, rest, &mut made);
                put(value, name, made);
            }
        }
        PathStep::Each => {
            let elements = value.as_array_mut().into_iter().flatten();
            elements.for_each(|element| fill_row(row, rest, element));
        }
    }
}

fn fill_mark(mark: &Mark, value: &mut Value) {
    match mark {
        Mark::Default { value: default, is_for_zero }
            if value.is_null() || *is_for_zero && is_zero(value) =>
        {
            *value = default.clone();
        }
        Mark::Fill(fill) => fill(value),
        Mark::Type(name) => fill_rows(parse::rules().of_type(name), value),
        _ => {}
    }
}

/// Adds a member, unless there is nothing to add.
fn put(value: &mut Value, name: &str, member: Value) {
    if member.is_null() {
        return;
    }
    if value.is_null() {
        *value = Value::Object(Map::new());
    }
    if let Value::Object(members) = value {
        members.insert(name.to_owned(), member);
    }
}
