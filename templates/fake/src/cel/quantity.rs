// not vendored
//! Quantities.

use super::outcome::{Called, NO_OVERLOAD, Outcome, error};
use super::value::Value;
use kapigen_runtime::meta_v1::Quantity;
use std::cmp::Ordering;
use std::rc::Rc;

pub(super) fn call<'a>(name: &str, values: &[Value<'a>]) -> Called<'a> {
    Some(Ok(match (name, values) {
        ("isQuantity", [Value::String(text)]) => parse(text).is_ok().into(),
        ("quantity", [Value::String(text)]) => match parse(text) {
            Ok(found) => Value::Quantity(Rc::new(found)),
            Err(why) => return Some(error(why)),
        },
        ("isInteger", [Value::Quantity(one)]) => integer(one).is_some().into(),
        ("asInteger", [Value::Quantity(one)]) => match integer(one) {
            Some(number) => Value::Int(number),
            None => return Some(error("cannot convert value to integer")),
        },
        ("asApproximateFloat", [Value::Quantity(one)]) => Value::Double(one.to_f64()),
        ("sign", [Value::Quantity(one)]) => {
            Value::Int(match one.cmp(&Rc::new(Quantity::from(0))) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            })
        }
        (_, [Value::Quantity(one), Value::Quantity(other)]) => match name {
            "isGreaterThan" => (one > other).into(),
            "isLessThan" => (one < other).into(),
            "compareTo" => Value::Int(one.cmp(other) as i64),
            "add" => return Some(sum(one, other, 1)),
            "sub" => return Some(sum(one, other, -1)),
            _ => return None,
        },
        ("add", [Value::Quantity(one), Value::Int(other)]) => {
            return Some(sum(one, &Quantity::from(*other), 1));
        }
        // Servers declare this function, and do not have it.
        ("sub", [Value::Quantity(_), Value::Int(_)]) => return Some(error(NO_OVERLOAD)),
        _ => return None,
    }))
}

fn parse(text: &str) -> Result<Quantity, &'static str> {
    crate::schema::check_quantity(text)?;
    text.parse().map_err(|_| "not a quantity")
}

/// The number, if it is an integer.
fn integer(quantity: &Quantity) -> Option<i64> {
    let nano = nano(quantity)?;
    (nano % NANO == 0).then(|| i64::try_from(nano / NANO).ok())?
}

const NANO: i128 = 1_000_000_000;

/// The scales of suffixes.
const SUFFIXES: [(&str, i128); 16] = [
    ("n", 1),
    ("u", 1_000),
    ("m", 1_000_000),
    ("k", 1_000 * NANO),
    ("M", 1_000_000 * NANO),
    ("G", 1_000_000_000 * NANO),
    ("T", 1_000_000_000_000 * NANO),
    ("P", 1_000_000_000_000_000 * NANO),
    ("E", 1_000_000_000_000_000_000 * NANO),
    ("Ki", (1 << 10) * NANO),
    ("Mi", (1 << 20) * NANO),
    ("Gi", (1 << 30) * NANO),
    ("Ti", (1 << 40) * NANO),
    ("Pi", (1 << 50) * NANO),
    ("Ei", (1 << 60) * NANO),
    ("", NANO),
];

/// A quantity in billionths. `None` if there are too many.
fn nano(quantity: &Quantity) -> Option<i128> {
    let canonical = quantity.canonical().to_string();
    let end = canonical.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(canonical.len());
    let (number, suffix) = canonical.split_at(end);
    let exponent = suffix.strip_prefix(['e', 'E']).and_then(|digits| digits.parse::<i32>().ok());
    let scale = match exponent {
        Some(exponent) => 10_i128.checked_pow(u32::try_from(exponent + 9).ok()?)?,
        None => SUFFIXES.iter().find(|(known, _)| *known == suffix)?.1,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{fraction}").parse::<i128>().ok()?;
    let divisor = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    Some(digits.checked_mul(scale)? / divisor)
}

/// The sum or the difference of quantities.
fn sum<'a>(one: &Quantity, other: &Quantity, sign: i128) -> Outcome<'a> {
    let total = nano(one).zip(nano(other));
    let total = total.and_then(|(one, other)| one.checked_add(sign * other));
    let text =
        total.map(
            |total| {
                if total % NANO == 0 { (total / NANO).to_string() } else { format!("{total}n") }
            },
        );
    match text.and_then(|text| text.parse().ok()) {
        Some(found) => Ok(Value::Quantity(Rc::new(found))),
        None => error("the quantities are too large to be added here"),
    }
}
