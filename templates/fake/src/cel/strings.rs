// not vendored
//! Functions of strings. Positions count characters.

use super::budget::Budget;
use super::outcome::{Called, Evaluated, Outcome, error};
use super::printf;
use super::value::Value;
use std::rc::Rc;

pub(super) fn call<'a>(budget: &mut Budget, name: &str, values: &[Value<'a>]) -> Called<'a> {
    let ([Value::String(text), rest @ ..] | [rest @ .., Value::String(text)]) = values else {
        return None;
    };
    // `join` is a function of the list before its separator.
    let is_first = matches!(values, [Value::String(_), ..]);
    if !is_first {
        return None;
    }
    if let Err(failure) = budget.spend_bytes(text.len()) {
        return Some(Err(failure));
    }
    match (name, rest) {
        ("matches" | "find" | "findAll", [Value::String(pattern), rest @ ..]) => {
            matching(budget, name, text, pattern, rest)
        }
        ("replace", [Value::String(old), Value::String(new), rest @ ..]) => {
            Some(replace(budget, text, old, new, count(rest)?))
        }
        ("split", [Value::String(separator), rest @ ..]) => {
            Some(split(budget, text, separator, count(rest)?))
        }
        ("substring", [Value::Int(start)]) => Some(substring(text, *start, None)),
        ("substring", [Value::Int(start), Value::Int(end)]) => {
            Some(substring(text, *start, Some(*end)))
        }
        ("indexOf" | "lastIndexOf", [Value::String(part), rest @ ..]) => {
            let from = match rest {
                [] => None,
                [Value::Int(from)] => Some(*from),
                _ => return None,
            };
            if let Err(failure) = budget.spend(part.len() * text.len() / 64) {
                return Some(Err(failure));
            }
            Some(index_of(text, part, from, name == "lastIndexOf"))
        }
        ("format", [list]) => Some(printf::format(budget, text, list)),
        _ => plain(name, text, rest).map(Ok),
    }
}

/// Functions that take one string, and cannot fail.
#[expect(clippy::cast_possible_wrap, reason = "no text has 2^63 characters")]
fn plain<'a>(name: &str, text: &str, rest: &[Value<'a>]) -> Option<Value<'a>> {
    Some(match (name, rest) {
        ("size", []) => Value::Int(text.chars().count() as i64),
        ("startsWith", [Value::String(part)]) => text.starts_with(&**part).into(),
        ("endsWith", [Value::String(part)]) => text.ends_with(&**part).into(),
        ("contains", [Value::String(part)]) => text.contains(&**part).into(),
        ("lowerAscii", []) => text.to_ascii_lowercase().into(),
        ("upperAscii", []) => text.to_ascii_uppercase().into(),
        ("trim", []) => text.trim().to_owned().into(),
        ("reverse", []) => text.chars().rev().collect::<String>().into(),
        ("strings.quote", []) => printf::quote(text).into(),
        ("charAt", [Value::Int(index)]) => {
            let index = usize::try_from(*index).ok()?;
            let length = text.chars().count();
            if index > length {
                return None;
            }
            text.chars().nth(index).map(String::from).unwrap_or_default().into()
        }
        _ => return None,
    })
}

/// A limit of a number of parts. `None` if it is no number; without one or below zero, none.
#[expect(clippy::option_option, reason = "the inner `None` is no limit")]
fn count(rest: &[Value<'_>]) -> Option<Option<usize>> {
    match rest {
        [] => Some(None),
        [Value::Int(count)] => Some(usize::try_from(*count).ok()),
        _ => None,
    }
}

fn matching<'a>(
    budget: &mut Budget,
    name: &str,
    text: &str,
    pattern: &str,
    rest: &[Value<'a>],
) -> Called<'a> {
    let limit = count(rest).filter(|_| name == "findAll" || rest.is_empty())?;
    let regex = match budget.pattern(pattern, text) {
        Ok(regex) => regex,
        Err(failure) => return Some(Err(failure)),
    };
    Some(Ok(match name {
        "matches" => regex.is_match(text).into(),
        "find" => {
            regex.find(text).map(|found| found.as_str().to_owned()).unwrap_or_default().into()
        }
        _ => {
            let all = regex.find_iter(text).take(limit.unwrap_or(usize::MAX));
            all.map(|found| found.as_str().to_owned().into()).collect::<Vec<_>>().into()
        }
    }))
}

fn replace<'a>(
    budget: &mut Budget,
    text: &str,
    old: &str,
    new: &str,
    limit: Option<usize>,
) -> Outcome<'a> {
    let times = text.matches(old).count().min(limit.unwrap_or(usize::MAX));
    budget.spend_bytes(text.len() + times * new.len())?;
    Ok(text.replacen(old, new, times).into())
}

fn split<'a>(
    budget: &mut Budget,
    text: &str,
    separator: &str,
    limit: Option<usize>,
) -> Outcome<'a> {
    if limit == Some(0) {
        return Ok(Vec::new().into());
    }
    budget.spend(text.len() / separator.len().max(1))?;
    let limit = limit.unwrap_or(usize::MAX);
    let parts: Vec<Value<'a>> = if separator.is_empty() {
        let count = text.chars().count().min(limit);
        let mut parts: Vec<String> = text.chars().take(count).map(String::from).collect();
        let rest: String = text.chars().skip(count).collect();
        if let Some(last) = parts.last_mut() {
            last.push_str(&rest);
        }
        parts.into_iter().map(Value::from).collect()
    } else {
        text.splitn(limit, separator).map(|part| part.to_owned().into()).collect()
    };
    Ok(parts.into())
}

fn substring<'a>(text: &str, start: i64, end: Option<i64>) -> Outcome<'a> {
    let length = text.chars().count();
    let end = end.unwrap_or(i64::try_from(length).unwrap_or(i64::MAX));
    match (within(start, length), within(end, length)) {
        (None, _) => error(format!("index out of range: {start}")),
        (_, None) => error(format!("index out of range: {end}")),
        (Some(first), Some(last)) if first <= last => {
            Ok(text.chars().skip(first).take(last - first).collect::<String>().into())
        }
        _ => error(format!("invalid substring range. start: {start}, end: {end}")),
    }
}

/// The position of a part, from a position on or, from the end, up to one.
#[expect(clippy::cast_possible_wrap, reason = "no text has 2^63 characters")]
fn index_of<'a>(text: &str, part: &str, from: Option<i64>, is_last: bool) -> Outcome<'a> {
    let length = text.chars().count();
    let from = match from.map(|from| within(from, length)) {
        None => {
            if is_last {
                length
            } else {
                0
            }
        }
        Some(Some(from)) => from,
        Some(None) => return error(format!("index out of range: {}", from.unwrap_or_default())),
    };
    let start = text.char_indices().nth(from).map_or(text.len(), |(at, _)| at);
    let found = if is_last {
        let end = (start + part.len()).min(text.len());
        text.get(..end).and_then(|text| text.rfind(part))
    } else {
        text[start..].find(part).map(|at| start + at)
    };
    Ok(Value::Int(found.map_or(-1, |at| text[..at].chars().count() as i64)))
}

/// A position in a text of this length. `None` if it is outside.
fn within(position: i64, length: usize) -> Option<usize> {
    usize::try_from(position).ok().filter(|position| *position <= length)
}

/// Joins the strings of a list.
pub(super) fn join<'a>(
    budget: &mut Budget,
    list: &Value<'a>,
    separator: &str,
) -> Evaluated<Option<Value<'a>>> {
    let mut parts = Vec::new();
    for element in list.elements().into_iter().flatten() {
        let Value::String(part) = element else { return Ok(None) };
        budget.spend_bytes(32 + part.len() + separator.len())?;
        parts.push(part);
    }
    let parts: Vec<&str> = parts.iter().map(|part| &**part).collect();
    let joined: Rc<str> = parts.join(separator).into();
    Ok(Some(Value::String(super::value::Text::Shared(joined))))
}
