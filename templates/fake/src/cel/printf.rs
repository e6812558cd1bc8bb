// not vendored
//! `format` of strings.

use super::budget::Budget;
use super::convert::float;
use super::outcome::{Evaluated, NO_OVERLOAD, Outcome, error};
use super::time;
use super::value::Value;

/// Fills the values of a list into a template.
pub(super) fn format<'a>(budget: &mut Budget, template: &str, list: &Value<'a>) -> Outcome<'a> {
    let Some(count) = list.list_len() else { return error(NO_OVERLOAD) };
    let mut result = String::new();
    let mut index = 0;
    let mut rest = template;
    while let Some((before, clause)) = rest.split_once('%') {
        result.push_str(before);
        if let Some(after) = clause.strip_prefix('%') {
            result.push('%');
            rest = after;
            continue;
        }
        let (precision, clause) = precision(clause)?;
        let Some(verb) = clause.chars().next() else {
            return error("unexpected end of string");
        };
        let Some(value) = list.element(index) else {
            return error(format!("index {index} out of range"));
        };
        index += 1;
        let text = formatted(budget, verb, precision, &value)?;
        budget.spend_bytes(text.len())?;
        result.push_str(&text);
        rest = &clause[verb.len_utf8()..];
    }
    result.push_str(rest);
    if index < count {
        return error(format!(
            "too many arguments supplied to string.format (expected {index}, got {count})"
        ));
    }
    Ok(result.into())
}

/// The most digits after the point.
const MOST_DIGITS: usize = 1000;

/// The precision at the beginning of a clause, and the rest of it.
fn precision(clause: &str) -> Evaluated<(Option<usize>, &str)> {
    let Some(rest) = clause.strip_prefix('.') else { return Ok((None, clause)) };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    match rest[..end].parse().ok().filter(|digits| *digits <= MOST_DIGITS) {
        Some(digits) => Ok((Some(digits), &rest[end..])),
        None => error("error while parsing precision: invalid precision"),
    }
}

fn formatted(
    budget: &mut Budget,
    verb: char,
    precision: Option<usize>,
    value: &Value<'_>,
) -> Evaluated<String> {
    let text = match (verb, value) {
        ('s', value) => return shown(budget, value, false),
        ('d', Value::Int(number)) => number.to_string(),
        ('d', Value::Uint(number)) => number.to_string(),
        ('f', Value::Double(number)) => fixed(*number, precision.unwrap_or(6)),
        ('e', Value::Double(number)) => scientific(*number, precision.unwrap_or(6)),
        ('b', Value::Bool(flag)) => u8::from(*flag).to_string(),
        ('b', Value::Int(number)) => signed(*number, |number| format!("{number:b}")),
        ('b', Value::Uint(number)) => format!("{number:b}"),
        ('o', Value::Int(number)) => signed(*number, |number| format!("{number:o}")),
        ('o', Value::Uint(number)) => format!("{number:o}"),
        ('x' | 'X', value) => {
            let text = match value {
                Value::Int(number) => signed(*number, |number| format!("{number:x}")),
                Value::Uint(number) => format!("{number:x}"),
                Value::String(text) => hex(text.as_bytes()),
                Value::Bytes(bytes) => hex(bytes),
                _ => {
                    return refuse(
                        "only integers, byte buffers, and strings can be formatted as hex;",
                        value,
                    );
                }
            };
            if verb == 'X' { text.to_uppercase() } else { text }
        }
        ('d', _) => return refuse("decimal", value),
        ('f' | 'e', _) => return refuse("fixed-point", value),
        ('b', _) => return refuse("binary", value),
        ('o', _) => return refuse("octal", value),
        _ => {
            return error(format!(
                "could not parse formatting clause: unrecognized formatting clause \"{verb}\""
            ));
        }
    };
    Ok(text)
}

/// The error of a value that a clause cannot format.
fn refuse(clause: &str, value: &Value<'_>) -> Evaluated<String> {
    error(format!(
        "error during formatting: {clause} clause was passed an argument of type {}",
        value.type_name()
    ))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

/// A signed number in another base, with its sign before the digits.
fn signed(number: i64, digits: impl Fn(u64) -> String) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", digits(number.unsigned_abs()))
}

fn fixed(number: f64, digits: usize) -> String {
    if number.is_finite() { format!("{number:.digits$}") } else { float(number) }
}

fn scientific(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$e}");
    match text.split_once('e') {
        Some((digits, exponent)) if number.is_finite() => {
            let value: i32 = exponent.parse().unwrap_or_default();
            let sign = if value < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", value.abs())
        }
        _ => float(number),
    }
}

/// A value as a string. Within lists and maps, strings are quoted.
fn shown(budget: &mut Budget, value: &Value<'_>, is_nested: bool) -> Evaluated<String> {
    budget.spend(1)?;
    Ok(match value {
        Value::String(text) => {
            budget.spend_bytes(text.len())?;
            if is_nested { quote(text) } else { text.to_string() }
        }
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Double(number) if is_nested => fixed(*number, 6),
        Value::Double(number) => float(*number),
        Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::Timestamp(time) if is_nested => format!("timestamp(\"{time}\")"),
        Value::Timestamp(time) => time.to_string(),
        Value::Duration(duration) if is_nested => {
            format!("duration(\"{}\")", time::seconds(*duration))
        }
        Value::Duration(duration) => time::seconds(*duration),
        Value::Type(name) => (*name).to_owned(),
        value => match (value.list_len(), value.keys()) {
            (Some(_), _) => {
                let mut parts = Vec::new();
                for element in value.elements().into_iter().flatten() {
                    parts.push(shown(budget, &element, true)?);
                }
                format!("[{}]", parts.join(", "))
            }
            (_, Some(mut keys)) => {
                keys.sort();
                let mut parts = Vec::new();
                for key in keys {
                    let Some(entry) = value.entry(&key) else { continue };
                    let entry = shown(budget, &entry, true)?;
                    parts.push(format!("{}:{entry}", shown(budget, &key.value(), true)?));
                }
                format!("{{{}}}", parts.join(", "))
            }
            _ => {
                return error(format!(
                    "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given {}",
                    value.type_name()
                ));
            }
        },
    })
}

/// A string in quotes.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{b}' => quoted.push_str("\\v"),
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
