// not vendored
//! Conversions between types.

use super::budget::Budget;
use super::outcome::{Called, Outcome, error};
use super::time;
use super::value::Value;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The bytes of a string in base64. `None` if it is none.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

pub(super) fn call<'a>(budget: &mut Budget, name: &str, values: &[Value<'a>]) -> Called<'a> {
    let [value] = values else { return None };
    if let Value::String(text) = value
        && let Err(failure) = budget.spend_bytes(text.len())
    {
        return Some(Err(failure));
    }
    match name {
        "int" => int(value),
        "uint" => uint(value),
        "double" => double(value),
        "string" => string(value),
        "bytes" => match value {
            Value::Bytes(_) => Some(Ok(value.clone())),
            Value::String(text) => Some(Ok(Value::Bytes(text.as_bytes().into()))),
            _ => None,
        },
        "bool" => match value {
            Value::Bool(_) => Some(Ok(value.clone())),
            Value::String(text) => match &**text {
                "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(Ok(true.into())),
                "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(Ok(false.into())),
                _ => Some(unfit("string", "bool")),
            },
            _ => None,
        },
        "duration" => {
            match value {
                Value::Duration(_) => Some(Ok(value.clone())),
                Value::String(text) => Some(time::duration(text).map_or_else(
                    || unfit("string", "duration"),
                    |found| Ok(Value::Duration(found)),
                )),
                _ => None,
            }
        }
        "timestamp" => timestamp(value),
        _ => None,
    }
}

fn unfit<'a>(from: &str, to: &str) -> Outcome<'a> {
    error(format!("type conversion error from '{from}' to '{to}'"))
}

/// Checked conversions of floats: the limits are the floats next to the integers that fit.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn int<'a>(value: &Value<'a>) -> Called<'a> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    Some(match value {
        Value::Int(_) => Ok(value.clone()),
        Value::Uint(number) => i64::try_from(*number)
            .map_or_else(|_| error("integer overflow"), |number| Ok(Value::Int(number))),
        Value::Double(number) if *number > -BEYOND && *number < BEYOND => {
            Ok(Value::Int(*number as i64))
        }
        Value::Double(_) => error("integer overflow"),
        Value::String(text) => {
            text.parse().map_or_else(|_| unfit("string", "int"), |number| Ok(Value::Int(number)))
        }
        Value::Timestamp(time) => Ok(Value::Int(time.as_second())),
        Value::Duration(duration) => i64::try_from(duration.as_nanos())
            .map_or_else(|_| error("integer overflow"), |number| Ok(Value::Int(number))),
        _ => return None,
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked")]
fn uint<'a>(value: &Value<'a>) -> Called<'a> {
    const OVERFLOW: &str = "unsigned integer overflow";
    const BEYOND: f64 = 18_446_744_073_709_551_616.0;
    Some(match value {
        Value::Uint(_) => Ok(value.clone()),
        Value::Int(number) => u64::try_from(*number)
            .map_or_else(|_| error(OVERFLOW), |number| Ok(Value::Uint(number))),
        Value::Double(number) if *number >= 0.0 && *number < BEYOND => {
            Ok(Value::Uint(*number as u64))
        }
        Value::Double(_) => error(OVERFLOW),
        Value::String(text) => {
            text.parse().map_or_else(|_| unfit("string", "uint"), |number| Ok(Value::Uint(number)))
        }
        _ => return None,
    })
}

#[expect(clippy::cast_precision_loss, reason = "the nearest float")]
fn double<'a>(value: &Value<'a>) -> Called<'a> {
    Some(match value {
        Value::Double(_) => Ok(value.clone()),
        Value::Int(number) => Ok(Value::Double(*number as f64)),
        Value::Uint(number) => Ok(Value::Double(*number as f64)),
        Value::String(text) => text
            .parse()
            .map_or_else(|_| unfit("string", "double"), |number| Ok(Value::Double(number))),
        _ => return None,
    })
}

fn string<'a>(value: &Value<'a>) -> Called<'a> {
    let text = match value {
        Value::String(_) => return Some(Ok(value.clone())),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Double(number) => float(*number),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => return Some(error("invalid UTF-8 in bytes, cannot convert to string")),
        },
        Value::Timestamp(time) => time.to_string(),
        Value::Duration(duration) => time::seconds(*duration),
        Value::Ip(address) => address.to_string(),
        Value::Cidr(address, length) => format!("{address}/{length}"),
        _ => return None,
    };
    Some(Ok(text.into()))
}

fn timestamp<'a>(value: &Value<'a>) -> Called<'a> {
    Some(match value {
        Value::Timestamp(_) => Ok(value.clone()),
        Value::Int(seconds) => match kapigen_runtime::jiff::Timestamp::from_second(*seconds) {
            Ok(time) => Ok(Value::Timestamp(time)),
            Err(_) => error("timestamp overflow"),
        },
        Value::String(text) => time::time(text)
            .map_or_else(|| unfit("string", "timestamp"), |time| Ok(Value::Timestamp(time))),
        _ => return None,
    })
}

/// A float as Go prints it: with an exponent if it is large or small.
pub(super) fn float(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf".to_owned() } else { "-Inf".to_owned() };
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..21).contains(&exponent) {
        return number.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
