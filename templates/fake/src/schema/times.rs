//! Times in strings, checked and refused as Go does.

use std::ops::RangeInclusive;

/// A time with a time zone.
pub(super) const TIME: &str = "2006-01-02T15:04:05Z07:00";
/// A time with a time zone and six fractional digits.
pub(super) const MICRO_TIME: &str = "2006-01-02T15:04:05.000000Z07:00";

/// A part of a layout.
enum LayoutPart {
    Literal(&'static str),
    /// A number, with its name in errors and its range.
    Number(&'static str, &'static str, RangeInclusive<u32>),
}

const PARTS: [LayoutPart; 11] = [
    LayoutPart::Number("2006", "year", 0..=9999),
    LayoutPart::Literal("-"),
    LayoutPart::Number("01", "month", 1..=12),
    LayoutPart::Literal("-"),
    // Go checks days last, when it knows the month and has read the rest.
    LayoutPart::Number("02", "day", 0..=99),
    LayoutPart::Literal("T"),
    LayoutPart::Number("15", "hour", 0..=23),
    LayoutPart::Literal(":"),
    LayoutPart::Number("04", "minute", 0..=59),
    LayoutPart::Literal(":"),
    LayoutPart::Number("05", "second", 0..=59),
];

/// Checks a time. Errors are worded as by Go.
pub(super) fn check(text: &str, layout: &str) -> Result<(), String> {
    check_parts(text, layout).map_err(|why| format!("parsing time \"{text}\"{why}"))
}

fn check_parts(text: &str, layout: &str) -> Result<(), String> {
    let mut rest = text;
    let mut numbers = [0; PARTS.len()];
    for (part, found) in PARTS.iter().zip(&mut numbers) {
        rest = match part {
            LayoutPart::Literal(literal) => match rest.strip_prefix(literal) {
                Some(behind) => behind,
                None => return Err(unfit(layout, rest, literal)),
            },
            LayoutPart::Number(part, name, range) => {
                let Some((digits, behind)) = digits(rest, part.len()) else {
                    return Err(unfit(layout, rest, part));
                };
                if !range.contains(&digits) {
                    return Err(format!(": {name} out of range"));
                }
                *found = digits;
                behind
            }
        };
    }
    let fraction = rest.strip_prefix('.').unwrap_or_default();
    if layout == MICRO_TIME {
        match digits(fraction, 6) {
            Some((_, behind)) => rest = behind,
            None => return Err(unfit(layout, rest, ".000000")),
        }
    } else if fraction.starts_with(|c: char| c.is_ascii_digit()) {
        rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    match behind_zone(rest) {
        None => return Err(unfit(layout, rest, "Z07:00")),
        Some("") => {}
        Some(extra) => return Err(format!(": extra text: \"{extra}\"")),
    }
    let [year, _, month, _, day, ..] = numbers;
    let is_of_month = (1..=days(year, month)).contains(&day);
    if is_of_month { Ok(()) } else { Err(": day out of range".to_owned()) }
}

/// The error of the rest of a time that does not begin with a part of the layout.
fn unfit(layout: &str, rest: &str, part: &str) -> String {
    format!(" as \"{layout}\": cannot parse \"{rest}\" as \"{part}\"")
}

/// The number of days of a month.
fn days(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A number of this many digits, and what follows.
fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let (digits, behind) = text.split_at_checked(count)?;
    let number =
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
    Some((number, behind))
}

/// The rest of the string after a time zone.
fn behind_zone(text: &str) -> Option<&str> {
    if let Some(behind) = text.strip_prefix('Z') {
        return Some(behind);
    }
    let (_, behind) = digits(text.strip_prefix(['+', '-'])?, 2)?;
    digits(behind.strip_prefix(':')?, 2).map(|(_, behind)| behind)
}

#[cfg(test)]
mod tests {
    use super::{MICRO_TIME, TIME, check};

    #[test]
    fn times_have_the_form_of_their_layout() {
        for (text, layout) in [
            ("2024-02-29T00:00:00Z", TIME),
            ("2024-02-29T23:59:59.5+01:00", TIME),
            ("2024-02-29T23:59:59.123456-01:30", MICRO_TIME),
            ("2000-02-29T00:00:00Z", TIME),
            ("2023-12-31T00:00:00Z", TIME),
        ] {
            assert_eq!(check(text, layout), Ok(()), "{text}");
        }
    }

    #[test]
    fn errors_are_those_of_go() {
        for (text, layout, error) in [
            ("nonsense", TIME, "cannot parse \"nonsense\" as \"2006\""),
            ("", TIME, "cannot parse \"\" as \"2006\""),
            ("2024-01-01", TIME, "cannot parse \"\" as \"T\""),
            ("2024-01-01T00:00:00", TIME, "cannot parse \"\" as \"Z07:00\""),
            ("2024-01-01T00:00:03Z", MICRO_TIME, "cannot parse \"Z\" as \".000000\""),
            ("2024-01-01T00:00:03.123456789Z", MICRO_TIME, "cannot parse \"789Z\" as \"Z07:00\""),
            ("2024-13-01T00:00:03Z", TIME, "month out of range"),
            ("2024-02-30T00:00:03Z", TIME, "day out of range"),
            ("2023-02-29T00:00:03Z", TIME, "day out of range"),
            ("1900-02-29T00:00:03Z", TIME, "day out of range"),
            ("2024-04-31T00:00:03Z", TIME, "day out of range"),
            ("2024-04-00T00:00:03Z", TIME, "day out of range"),
            ("2024-04-31 00:00:03Z", TIME, "cannot parse \" 00:00:03Z\" as \"T\""),
            ("2024-01-01T00:00:03Zü", TIME, "extra text: \"ü\""),
            ("ü024-01-01T00:00:03Z", TIME, "cannot parse \"ü024-01-01T00:00:03Z\" as \"2006\""),
        ] {
            let found = check(text, layout).unwrap_err();
            assert!(
                found.starts_with(&format!("parsing time \"{text}\"")) && found.ends_with(error),
                "{found}"
            );
        }
    }
}
