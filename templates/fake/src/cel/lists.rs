// not vendored
//! Functions of lists, maps and sets.

use super::budget::Budget;
use super::operators::{binary, compare, equal, has_equal, order_of};
use super::outcome::{Called, Evaluated, NO_OVERLOAD, Outcome, error};
use super::strings;
use super::value::Value;
use std::cmp::Ordering;

pub(super) fn call<'a>(budget: &mut Budget, name: &str, values: &[Value<'a>]) -> Called<'a> {
    if name == "lists.range" {
        let [Value::Int(count)] = values else { return None };
        return Some(range(budget, *count));
    }
    let list = values.first()?;
    if name == "size" && values.len() == 1 {
        return size(list).map(Ok);
    }
    let count = list.list_len()?;
    if let Err(failure) = budget.spend(count) {
        return Some(Err(failure));
    }
    match (name, values) {
        ("sets.contains" | "sets.equivalent" | "sets.intersects", [one, other]) => {
            other.list_len()?;
            Some(sets(budget, name, one, other).map(Value::Bool))
        }
        ("join", [_]) => joined(budget, list, ""),
        ("join", [_, Value::String(separator)]) => joined(budget, list, separator),
        ("isSorted", [_]) => Some(is_sorted(budget, list).map(Value::Bool)),
        ("sum", [_]) => Some(sum(budget, list)),
        ("min", [_]) => Some(extreme(budget, name, list, Ordering::Less)),
        ("max", [_]) => Some(extreme(budget, name, list, Ordering::Greater)),
        ("indexOf" | "lastIndexOf", [_, wanted]) => {
            Some(index_of(budget, list, wanted, name == "lastIndexOf"))
        }
        ("slice", [_, Value::Int(start), Value::Int(end)]) => Some(slice(list, *start, *end)),
        ("flatten", [_]) => Some(flatten(budget, list, 1).map(Value::from)),
        ("flatten", [_, Value::Int(depth)]) => match usize::try_from(*depth) {
            Ok(depth) => Some(flatten(budget, list, depth).map(Value::from)),
            Err(_) => Some(error("level must be non-negative")),
        },
        ("distinct", [_]) => Some(distinct(budget, list)),
        ("reverse", [_]) => {
            let mut elements = all(list);
            elements.reverse();
            Some(Ok(elements.into()))
        }
        ("sort", [_]) => Some(sorted(budget, &all(list), &all(list))),
        ("first", [_]) => Some(Ok(Value::optional(list.element(0)))),
        ("last", [_]) => Some(Ok(Value::optional(list.element(count.wrapping_sub(1))))),
        ("optional.unwrap" | "unwrapOpt", [_]) => unwrapped(list),
        _ => None,
    }
}

/// The values of the elements that have one. `None` if an element is not optional.
fn unwrapped<'a>(list: &Value<'a>) -> Called<'a> {
    let mut values = Vec::new();
    for element in list.elements().into_iter().flatten() {
        let Value::Optional(inner) = element else { return None };
        values.extend(inner.map(|inner| (*inner).clone()));
    }
    Some(Ok(values.into()))
}

fn all<'a>(list: &Value<'a>) -> Vec<Value<'a>> {
    list.elements().into_iter().flatten().collect()
}

fn joined<'a>(budget: &mut Budget, list: &Value<'a>, separator: &str) -> Called<'a> {
    strings::join(budget, list, separator).transpose()
}

/// The number of elements, entries or bytes.
#[expect(clippy::cast_possible_wrap, reason = "no list has 2^63 elements")]
fn size<'a>(value: &Value<'a>) -> Option<Value<'a>> {
    let size = match value {
        Value::Bytes(bytes) => bytes.len(),
        value => value.list_len().or_else(|| value.keys().map(|keys| keys.len()))?,
    };
    Some(Value::Int(size as i64))
}

fn range<'a>(budget: &mut Budget, count: i64) -> Outcome<'a> {
    budget.spend(usize::try_from(count).unwrap_or_default())?;
    Ok((0..count).map(Value::Int).collect::<Vec<_>>().into())
}

fn is_sorted(budget: &mut Budget, list: &Value<'_>) -> Evaluated<bool> {
    let elements = all(list);
    for pair in elements.windows(2) {
        if compare(budget, &pair[0], &pair[1])? == Some(Ordering::Greater) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn sum<'a>(budget: &mut Budget, list: &Value<'a>) -> Outcome<'a> {
    let mut elements = all(list).into_iter();
    let mut sum = elements.next().unwrap_or(Value::Int(0));
    for element in elements {
        sum = binary(budget, "+", &sum, &element)?;
    }
    Ok(sum)
}

fn extreme<'a>(budget: &mut Budget, name: &str, list: &Value<'a>, wanted: Ordering) -> Outcome<'a> {
    let mut elements = all(list).into_iter();
    let Some(mut best) = elements.next() else {
        return error(format!("{name} called on empty list"));
    };
    for element in elements {
        if compare(budget, &element, &best)? == Some(wanted) {
            best = element;
        }
    }
    Ok(best)
}

#[expect(clippy::cast_possible_wrap, reason = "no list has 2^63 elements")]
fn index_of<'a>(
    budget: &mut Budget,
    list: &Value<'a>,
    wanted: &Value<'a>,
    is_last: bool,
) -> Outcome<'a> {
    let mut found = -1;
    for (index, element) in all(list).iter().enumerate() {
        if equal(budget, element, wanted)? {
            found = index as i64;
            if !is_last {
                break;
            }
        }
    }
    Ok(Value::Int(found))
}

fn slice<'a>(list: &Value<'a>, start: i64, end: i64) -> Outcome<'a> {
    let count = list.list_len().unwrap_or_default();
    let [from, until] = [start, end].map(|index| usize::try_from(index).ok());
    match (from, until) {
        (Some(from), Some(until)) if from <= until && until <= count => {
            Ok((from..until).filter_map(|index| list.element(index)).collect::<Vec<_>>().into())
        }
        (Some(_), Some(until)) if until > count => {
            error(format!("cannot slice({start}, {end}), list is length {count}"))
        }
        (Some(_), Some(_)) => error(format!(
            "cannot slice({start}, {end}), start index must be less than or equal to end index"
        )),
        _ => error(format!("cannot slice({start}, {end}), negative indexes not supported")),
    }
}

fn flatten<'a>(budget: &mut Budget, list: &Value<'a>, depth: usize) -> Evaluated<Vec<Value<'a>>> {
    let mut flat = Vec::new();
    for element in all(list) {
        budget.spend(1)?;
        if depth > 0 && element.list_len().is_some() {
            flat.extend(flatten(budget, &element, depth - 1)?);
        } else {
            flat.push(element);
        }
    }
    Ok(flat)
}

fn distinct<'a>(budget: &mut Budget, list: &Value<'a>) -> Outcome<'a> {
    let mut known: Vec<Value<'a>> = Vec::new();
    for element in all(list) {
        if !has_equal(budget, &known, &element)? {
            known.push(element);
        }
    }
    Ok(known.into())
}

fn sets<'a>(
    budget: &mut Budget,
    name: &str,
    one: &Value<'a>,
    other: &Value<'a>,
) -> Evaluated<bool> {
    let (one, other) = (all(one), all(other));
    let (wanted, all_of) = match name {
        "sets.intersects" => (true, &other),
        _ => (false, &other),
    };
    for element in all_of {
        if has_equal(budget, &one, element)? == wanted {
            return Ok(wanted);
        }
    }
    if name == "sets.equivalent" {
        for element in &one {
            if !has_equal(budget, &other, element)? {
                return Ok(false);
            }
        }
    }
    Ok(!wanted)
}

/// Elements in the order of their keys.
pub(super) fn sorted<'a>(
    budget: &mut Budget,
    elements: &[Value<'a>],
    keys: &[Value<'a>],
) -> Outcome<'a> {
    let rounds = keys.len().max(1).ilog2() as usize + 1;
    budget.spend(keys.len() * rounds)?;
    // If each key has an order beside the first one, all have one: they are of one type.
    let mut bytes = 0;
    for key in keys {
        if compare(budget, &keys[0], key)?.is_none() {
            return error(NO_OVERLOAD);
        }
        bytes += if let Value::String(text) = key { text.len() } else { 0 };
    }
    budget.spend_bytes(bytes * rounds)?;
    let mut order: Vec<usize> = (0..elements.len()).collect();
    order.sort_by(|one, other| {
        order_of(&keys[*one], &keys[*other])
            .unwrap_or(Some(Ordering::Equal))
            .unwrap_or(Ordering::Equal)
    });
    Ok(order.into_iter().map(|index| elements[index].clone()).collect::<Vec<_>>().into())
}
