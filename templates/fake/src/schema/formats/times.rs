//! Dates, times and durations.

use super::is_space;
use crate::schema::times;

/// A number of two digits.
fn pair(text: &str) -> Option<u32> {
    text.parse().ok().filter(|_| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(super) fn is_date(text: &str) -> bool {
    times::check(&format!("{text}T00:00:00Z"), times::TIME).is_ok()
}

/// A date and a time with a zone. Any character can stand before a fraction.
pub(super) fn is_time(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    let is_on_clock = [(0..2, 24), (3..5, 60), (6..8, 60)]
        .into_iter()
        .all(|(range, end)| time.get(range).and_then(pair).is_some_and(|number| number < end));
    let is_split = [2, 5].iter().all(|at| time.as_bytes().get(*at) == Some(&b':'));
    let rest = time.get(8..).unwrap_or_default();
    let fraction = rest.chars().next().map_or("", |c| &rest[c.len_utf8()..]);
    let behind = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    let has_fraction = behind.len() < fraction.len() && !rest.starts_with('\n');
    is_date(date) && is_on_clock && is_split && (is_zone(rest) || has_fraction && is_zone(behind))
}

fn is_zone(text: &str) -> bool {
    match text.as_bytes() {
        [b'z'] => true,
        [b'+' | b'-', digits @ ..] if digits.len() == 5 && text.is_ascii() => {
            digits[2] == b':' && pair(&text[1..3]).is_some() && pair(&text[4..6]).is_some()
        }
        _ => false,
    }
}

/// The units of durations in Go.
const UNITS: [&str; 8] = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"];
/// Further units, in any case, and the beginnings of their names.
const SHORT_UNITS: [&str; 11] = ["ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"];
const LONG_UNITS: [&str; 8] = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

pub(super) fn is_duration(text: &str) -> bool {
    is_duration_of_go(text) || has_named_duration(text)
}

/// Numbers with units, such as `1h30m` and `-1.5h`.
fn is_duration_of_go(text: &str) -> bool {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let mut is_any = false;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, behind) = rest.split_at(end);
        let end = behind.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(end);
        if number.parse::<f64>().is_err() || !UNITS.contains(&unit) {
            return false;
        }
        rest = behind;
        is_any = true;
    }
    is_any
}

/// Whole numbers with words anywhere, such as `2 weeks`, at least one of which is a unit. No number
/// is greater than 64 bits.
fn has_named_duration(text: &str) -> bool {
    let mut rest = text;
    let mut is_any = false;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        rest = &rest[start..];
        let (number, behind) =
            rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
        let word = behind.trim_start_matches(is_space);
        let end = word.find(|c: char| !c.is_ascii_alphabetic() && c != 'µ').unwrap_or(word.len());
        let (unit, behind) = word.split_at(end);
        rest = behind;
        if unit.is_empty() {
            continue;
        }
        if number.parse::<i64>().is_err() {
            return false;
        }
        let unit = unit.to_ascii_lowercase();
        is_any |=
            SHORT_UNITS.contains(&&*unit) || LONG_UNITS.iter().any(|long| unit.starts_with(long));
    }
    is_any
}
