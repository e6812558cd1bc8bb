//! Limits of numbers, as Go compares them.

use super::check::invalid;
use super::{Bound, Findings, Rules};
use kapigen_definitions::{Cause, Path};
use serde_json::{Value, json};
use std::cmp::Ordering;

pub(super) fn of_number(
    rules: &Rules,
    value: &Value,
    path: Path<'_>,
    found: &mut Findings,
) -> usize {
    let fits_format =
        value.as_i64().is_some_and(|whole| rules.format != "int32" || i32::try_from(whole).is_ok());
    if rules.kind == "integer" && !fits_format {
        let format = if rules.format.is_empty() {
            "(default format)".to_owned()
        } else {
            format!("with format {}", rules.format)
        };
        let why = format!("Checked value must be of type integer {format} in {path}");
        found.push(Cause::invalid("<nil>", &json!(""), &why));
    }
    if let Some(step) = rules.multiple_of.filter(|step| !is_multiple(value, *step)) {
        found.push(invalid(path, value, &format!("should be a multiple of {step}")));
    }
    if let Some(Bound { number: least, is_exclusive }) = rules.minimum
        && is_beyond(order(value, least).reverse(), is_exclusive)
    {
        let or = if is_exclusive { "" } else { "or equal to " };
        found.push(invalid(path, value, &format!("should be greater than {or}{least}")));
    }
    if let Some(Bound { number: most, is_exclusive }) = rules.maximum
        && is_beyond(order(value, most), is_exclusive)
    {
        let or = if is_exclusive { "" } else { "or equal to " };
        found.push(invalid(path, value, &format!("should be less than {or}{most}")));
    }
    2
}

fn is_beyond(order: Ordering, is_exclusive: bool) -> bool {
    if is_exclusive { order.is_ge() } else { order.is_gt() }
}

/// A float as an integer, if it is one.
fn whole(number: f64) -> Option<i64> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    let is_whole = number.fract() == 0.0 && (-BEYOND..BEYOND).contains(&number);
    #[expect(clippy::cast_possible_truncation, reason = "it is whole")]
    is_whole.then_some(number as i64)
}

/// Compares a number with a limit. Integers are compared as such: not all have a float of their
/// own.
fn order(value: &Value, limit: f64) -> Ordering {
    match (value.as_i64(), whole(limit)) {
        (Some(number), Some(limit)) => number.cmp(&limit),
        _ => {
            value.as_f64().and_then(|number| number.partial_cmp(&limit)).unwrap_or(Ordering::Equal)
        }
    }
}

/// Whether a number is a multiple of a step, as far as floats can show. Any is one of zero.
fn is_multiple(value: &Value, step: f64) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    const TOLERANCE: f64 = 1e-9;
    if let (Some(number), Some(step)) = (value.as_i64(), whole(step)) {
        return number.checked_rem(step).is_none_or(|rest| rest == 0);
    }
    let number = value.as_f64().unwrap_or_default();
    // The inverse of a fraction such as 0.1 is exact more often than the fraction is.
    let times = if step < 1.0 { 1.0 / step * number } else { number / step };
    let rest = times.fract();
    // Servers tolerate a positive number that is a little too large, and nothing else.
    let is_near = times >= 1.0 && rest / (times + times.trunc()) < TOLERANCE;
    times.abs() <= LARGEST && (rest == 0.0 || is_near)
}
