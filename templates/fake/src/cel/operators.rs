// not vendored
//! Operators: arithmetic, equality, order and membership.

use super::budget::Budget;
use super::outcome::{Evaluated, NO_OVERLOAD, Outcome, error};
use super::schema::ListKind;
use super::value::{Key, Text, Value};
use std::cmp::Ordering;
use std::rc::Rc;

const INT_OVERFLOW: &str = "integer overflow";
const UINT_OVERFLOW: &str = "unsigned integer overflow";

/// The value of a binary operator.
pub(super) fn binary<'a>(
    budget: &mut Budget,
    operator: &str,
    left: &Value<'a>,
    right: &Value<'a>,
) -> Outcome<'a> {
    let is_ordered = match operator {
        "==" => return Ok(equal(budget, left, right)?.into()),
        "!=" => return Ok((!equal(budget, left, right)?).into()),
        "<" => Ordering::is_lt,
        "<=" => Ordering::is_le,
        ">" => Ordering::is_gt,
        ">=" => Ordering::is_ge,
        "in" => return contains(budget, right, left),
        _ => return arithmetic(budget, operator, left, right),
    };
    Ok(compare(budget, left, right)?.is_some_and(is_ordered).into())
}

fn arithmetic<'a>(
    budget: &mut Budget,
    operator: &str,
    left: &Value<'a>,
    right: &Value<'a>,
) -> Outcome<'a> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => integers(operator, *left, *right),
        (Value::Uint(left), Value::Uint(right)) => unsigned(operator, *left, *right),
        (Value::Double(left), Value::Double(right)) => match operator {
            "+" => Ok(Value::Double(left + right)),
            "-" => Ok(Value::Double(left - right)),
            "*" => Ok(Value::Double(left * right)),
            "/" => Ok(Value::Double(left / right)),
            _ => error(NO_OVERLOAD),
        },
        (Value::Timestamp(_) | Value::Duration(_), _) | (_, Value::Timestamp(_)) => {
            super::time::arithmetic(operator, left, right)
        }
        _ if operator == "+" => add(budget, left, right),
        _ => error(NO_OVERLOAD),
    }
}

fn integers<'a>(operator: &str, left: i64, right: i64) -> Outcome<'a> {
    let result = match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" if right == 0 => return error("division by zero"),
        "/" => left.checked_div(right),
        _ if right == 0 => return error("modulus by zero"),
        _ => left.checked_rem(right),
    };
    result.map_or_else(|| error(INT_OVERFLOW), |result| Ok(Value::Int(result)))
}

fn unsigned<'a>(operator: &str, left: u64, right: u64) -> Outcome<'a> {
    let result = match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" if right == 0 => return error("division by zero"),
        "/" => left.checked_div(right),
        _ if right == 0 => return error("modulus by zero"),
        _ => left.checked_rem(right),
    };
    result.map_or_else(|| error(UINT_OVERFLOW), |result| Ok(Value::Uint(result)))
}

/// Joins strings, bytes or lists.
fn add<'a>(budget: &mut Budget, left: &Value<'a>, right: &Value<'a>) -> Outcome<'a> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => {
            budget.spend_bytes(left.len() + right.len())?;
            Ok(format!("{}{}", &**left, &**right).into())
        }
        (Value::Bytes(left), Value::Bytes(right)) => {
            budget.spend_bytes(left.len() + right.len())?;
            Ok(Value::Bytes([&**left, &**right].concat().into()))
        }
        _ => match (left.list_len(), right.list_len()) {
            (Some(one), Some(other)) => {
                budget.spend(one + other)?;
                join(budget, left, right)
            }
            _ => error(NO_OVERLOAD),
        },
    }
}

/// Joins lists: a set takes elements that it does not have, and a list with keys replaces elements
/// of the same keys.
fn join<'a>(budget: &mut Budget, left: &Value<'a>, right: &Value<'a>) -> Outcome<'a> {
    let kind = left.list_kind();
    let mut joined: Vec<_> = left.elements().into_iter().flatten().collect();
    for element in right.elements().into_iter().flatten() {
        let mut known = None;
        if *kind != ListKind::Plain {
            for (index, other) in joined.iter().enumerate() {
                if same(budget, kind, other, &element)? {
                    known = Some(index);
                    break;
                }
            }
        }
        match known {
            Some(index) => joined[index] = element,
            None => joined.push(element),
        }
    }
    Ok(Value::List(Rc::new(joined), kind))
}

/// Whether two elements of a list are the same one.
fn same<'a>(
    budget: &mut Budget,
    kind: &'a ListKind,
    one: &Value<'a>,
    other: &Value<'a>,
) -> Evaluated<bool> {
    let ListKind::Map(keys) = kind else { return equal(budget, one, other) };
    for key in keys {
        let key = Key::String(Text::Borrowed(key));
        let is_same = match (one.entry(&key), other.entry(&key)) {
            (Some(one), Some(other)) => equal(budget, &one, &other)?,
            (one, other) => one.is_none() && other.is_none(),
        };
        if !is_same {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(super) fn negate<'a>(operand: &Value<'a>) -> Outcome<'a> {
    match operand {
        Value::Int(number) => number
            .checked_neg()
            .map_or_else(|| error(INT_OVERFLOW), |result| Ok(Value::Int(result))),
        Value::Double(number) => Ok(Value::Double(-number)),
        _ => error(NO_OVERLOAD),
    }
}

/// Whether values are equal. Values of different types are not, but for numbers.
pub(super) fn equal<'a>(
    budget: &mut Budget,
    left: &Value<'a>,
    right: &Value<'a>,
) -> Evaluated<bool> {
    budget.spend(1)?;
    if let (Some(one), Some(other)) = (left.list_len(), right.list_len()) {
        return Ok(one == other && equal_lists(budget, left, right)?);
    }
    if let (Some(one), Some(other)) = (left.map_len(), right.map_len()) {
        return Ok(one == other && equal_maps(budget, left, right)?);
    }
    Ok(match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::String(one), Value::String(other)) => {
            budget.spend_bytes(one.len().min(other.len()))?;
            **one == **other
        }
        (Value::Bytes(one), Value::Bytes(other)) => {
            budget.spend_bytes(one.len().min(other.len()))?;
            one == other
        }
        (Value::Bool(one), Value::Bool(other)) => one == other,
        (Value::Timestamp(one), Value::Timestamp(other)) => one == other,
        (Value::Duration(one), Value::Duration(other)) => one == other,
        (Value::Quantity(one), Value::Quantity(other)) => one == other,
        (Value::Ip(one), Value::Ip(other)) => one == other,
        (Value::Cidr(one, first), Value::Cidr(other, second)) => one == other && first == second,
        (Value::Url(one), Value::Url(other)) => one == other,
        (Value::Semver(one), Value::Semver(other)) => one.cmp(other).is_eq(),
        (Value::Type(one), Value::Type(other)) | (Value::Format(one), Value::Format(other)) => {
            one == other
        }
        (Value::Optional(one), Value::Optional(other)) => match (one, other) {
            (Some(one), Some(other)) => equal(budget, one, other)?,
            (one, other) => one.is_none() && other.is_none(),
        },
        _ => numbers(left, right).is_ok_and(|order| order == Some(Ordering::Equal)),
    })
}

fn equal_lists<'a>(budget: &mut Budget, left: &Value<'a>, right: &Value<'a>) -> Evaluated<bool> {
    let is_ordered = *left.list_kind() == ListKind::Plain;
    let [lefts, rights] =
        [left, right].map(|list| list.elements().into_iter().flatten().collect::<Vec<_>>());
    budget.spend(lefts.len() + rights.len())?;
    if is_ordered {
        for (one, other) in lefts.iter().zip(&rights) {
            if !equal(budget, one, other)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    // The order of a set or of a list with keys does not matter.
    for (all, others) in [(&lefts, &rights), (&rights, &lefts)] {
        for one in all {
            if !has_equal(budget, others, one)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether one of some values is equal to another value.
pub(super) fn has_equal<'a>(
    budget: &mut Budget,
    values: &[Value<'a>],
    wanted: &Value<'a>,
) -> Evaluated<bool> {
    for value in values {
        if equal(budget, value, wanted)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn equal_maps<'a>(budget: &mut Budget, left: &Value<'a>, right: &Value<'a>) -> Evaluated<bool> {
    for key in left.keys().unwrap_or_default() {
        let (Some(one), Some(other)) = (left.entry(&key), right.entry(&key)) else {
            return Ok(false);
        };
        if !equal(budget, &one, &other)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The order of numbers of any types. `None` with NaN, which has none.
fn numbers(left: &Value<'_>, right: &Value<'_>) -> Evaluated<Option<Ordering>> {
    if let (Some(left), Some(right)) = (whole(left), whole(right)) {
        return Ok(Some(left.cmp(&right)));
    }
    match (float(left), float(right)) {
        (Some(left), Some(right)) => Ok(left.partial_cmp(&right)),
        _ => error(NO_OVERLOAD),
    }
}

fn whole(value: &Value<'_>) -> Option<i128> {
    match value {
        Value::Int(number) => Some(i128::from(*number)),
        Value::Uint(number) => Some(i128::from(*number)),
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "the nearest float is compared")]
fn float(value: &Value<'_>) -> Option<f64> {
    match value {
        Value::Double(number) => Some(*number),
        value => whole(value).map(|number| number as f64),
    }
}

/// The order of two values, paid for. `None` with NaN, which has none.
pub(super) fn compare<'a>(
    budget: &mut Budget,
    left: &Value<'a>,
    right: &Value<'a>,
) -> Evaluated<Option<Ordering>> {
    match (left, right) {
        (Value::String(one), Value::String(other)) => {
            budget.spend_bytes(one.len().min(other.len()))?;
        }
        (Value::Bytes(one), Value::Bytes(other)) => {
            budget.spend_bytes(one.len().min(other.len()))?;
        }
        _ => {}
    }
    order_of(left, right)
}

/// The order of two values. `None` with NaN, which has none.
pub(super) fn order_of(left: &Value<'_>, right: &Value<'_>) -> Evaluated<Option<Ordering>> {
    Ok(Some(match (left, right) {
        (Value::String(one), Value::String(other)) => (**one).cmp(&**other),
        (Value::Bytes(one), Value::Bytes(other)) => one.cmp(other),
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        (Value::Timestamp(one), Value::Timestamp(other)) => one.cmp(other),
        (Value::Duration(one), Value::Duration(other)) => one.cmp(other),
        _ => return numbers(left, right),
    }))
}

/// Whether a list has an element, or a map a key.
fn contains<'a>(budget: &mut Budget, container: &Value<'a>, value: &Value<'a>) -> Outcome<'a> {
    if container.map_len().is_some() {
        let key = Key::of(value);
        return Ok(key.is_some_and(|key| container.entry(&key).is_some()).into());
    }
    let Some(elements) = container.elements() else { return error(NO_OVERLOAD) };
    for element in elements {
        if equal(budget, &element, value)? {
            return Ok(true.into());
        }
    }
    Ok(false.into())
}
