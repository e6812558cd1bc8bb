// not vendored
//! Times and durations.

use super::outcome::{Called, NO_OVERLOAD, Outcome, error};
use super::value::Value;
use kapigen_runtime::jiff::tz::{Offset, TimeZone};
use kapigen_runtime::jiff::{SignedDuration, Timestamp, Zoned};

/// A time in RFC 3339. `None` if a string is none.
pub(super) fn time(text: &str) -> Option<Timestamp> {
    let is_full = text.as_bytes().get(10).is_some_and(|byte| matches!(byte, b'T' | b't'));
    text.parse().ok().filter(|_| is_full)
}

/// A time or a date, which begins at midnight.
pub(super) fn timestamp(text: &str) -> Option<Timestamp> {
    time(text).or_else(|| time(&format!("{text}T00:00:00Z")))
}

/// The nanoseconds of the units of durations.
const UNITS: [(&str, i128); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// A duration as Go writes it, such as `1h30m` or `-1.5s`. `None` if a string is none.
pub(super) fn duration(text: &str) -> Option<SignedDuration> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(SignedDuration::ZERO);
    }
    let mut total: i128 = 0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(end);
        let end = after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let (_, scale) = UNITS.iter().find(|(known, _)| *known == unit)?;
        total = total.checked_add(nanoseconds(number, *scale)?)?;
        rest = after;
    }
    let total = i64::try_from(sign * total).ok()?;
    Some(SignedDuration::from_nanos(total))
}

/// A decimal number of units in nanoseconds.
fn nanoseconds(number: &str, scale: i128) -> Option<i128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.len() + fraction.len() == 0 || fraction.contains('.') {
        return None;
    }
    let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let mut total = whole.checked_mul(scale)?;
    let mut scale = scale;
    for digit in fraction.bytes() {
        scale /= 10;
        total += i128::from(digit - b'0') * scale;
    }
    Some(total)
}

/// A duration in seconds: `90s`, `0.5s`.
pub(super) fn seconds(duration: SignedDuration) -> String {
    let nanoseconds = duration.as_nanos();
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let (whole, rest) =
        (nanoseconds.unsigned_abs() / 1_000_000_000, nanoseconds.unsigned_abs() % 1_000_000_000);
    let fraction = format!("{rest:09}");
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}s"),
        fraction => format!("{sign}{whole}.{fraction}s"),
    }
}

/// Sums and differences of times and durations.
pub(super) fn arithmetic<'a>(operator: &str, left: &Value<'a>, right: &Value<'a>) -> Outcome<'a> {
    match (operator, left, right) {
        ("+", Value::Timestamp(time), Value::Duration(more))
        | ("+", Value::Duration(more), Value::Timestamp(time)) => {
            time_within(time.checked_add(*more).ok())
        }
        ("-", Value::Timestamp(time), Value::Duration(less)) => {
            time_within(time.checked_sub(*less).ok())
        }
        ("-", Value::Timestamp(time), Value::Timestamp(other)) => {
            duration_within(Some(time.duration_since(*other)))
        }
        ("+", Value::Duration(one), Value::Duration(other)) => {
            duration_within(one.checked_add(*other))
        }
        ("-", Value::Duration(one), Value::Duration(other)) => {
            duration_within(one.checked_sub(*other))
        }
        _ => error(NO_OVERLOAD),
    }
}

fn time_within<'a>(time: Option<Timestamp>) -> Outcome<'a> {
    time.map_or_else(|| error("timestamp overflow"), |time| Ok(Value::Timestamp(time)))
}

/// Durations are limited to 64 bits of nanoseconds.
fn duration_within<'a>(duration: Option<SignedDuration>) -> Outcome<'a> {
    match duration.filter(|duration| i64::try_from(duration.as_nanos()).is_ok()) {
        Some(duration) => Ok(Value::Duration(duration)),
        None => error("integer overflow"),
    }
}

pub(super) fn call<'a>(name: &str, values: &[Value<'a>]) -> Called<'a> {
    match values {
        [Value::Duration(duration)] => {
            of_duration(name, *duration).map(|found| Ok(Value::Int(found)))
        }
        [Value::Timestamp(time)] => {
            of_time(name, &time.to_zoned(TimeZone::UTC)).map(|found| Ok(Value::Int(found)))
        }
        [Value::Timestamp(time), Value::String(zone)] => Some(match time_zone(zone) {
            Some(zone) => {
                return of_time(name, &time.to_zoned(zone)).map(|found| Ok(Value::Int(found)));
            }
            None => error(format!("time zone \"{}\" is not known here: give an offset", &**zone)),
        }),
        _ => None,
    }
}

/// UTC or an offset such as `-07:30`. Names of zones need tables, which are not here.
fn time_zone(name: &str) -> Option<TimeZone> {
    if matches!(name, "UTC" | "Z" | "") {
        return Some(TimeZone::UTC);
    }
    let (sign, rest) = match name.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, name.strip_prefix('+').unwrap_or(name)),
    };
    let (hours, minutes) = rest.split_once(':')?;
    let [hours, minutes] = [hours, minutes].map(|part| part.parse::<u8>().ok().map(i32::from));
    let seconds = sign * (hours? * 3600 + minutes? * 60);
    Offset::from_seconds(seconds).ok().map(TimeZone::fixed)
}

fn of_duration(name: &str, duration: SignedDuration) -> Option<i64> {
    Some(match name {
        "getHours" => duration.as_hours(),
        "getMinutes" => duration.as_mins(),
        "getSeconds" => duration.as_secs(),
        "getMilliseconds" => i64::from(duration.subsec_millis()),
        _ => return None,
    })
}

fn of_time(name: &str, time: &Zoned) -> Option<i64> {
    Some(i64::from(match name {
        "getFullYear" => time.year(),
        "getMonth" => i16::from(time.month()) - 1,
        "getDate" => i16::from(time.day()),
        "getDayOfMonth" => i16::from(time.day()) - 1,
        "getDayOfWeek" => i16::from(time.weekday().to_sunday_zero_offset()),
        "getDayOfYear" => time.day_of_year() - 1,
        "getHours" => i16::from(time.hour()),
        "getMinutes" => i16::from(time.minute()),
        "getSeconds" => i16::from(time.second()),
        "getMilliseconds" => time.millisecond(),
        _ => return None,
    }))
}
