//! Times in strings, checked and refused as Go does.

/// A time with a time zone.
pub(super) const TIME: &str = "2006-01-02T15:04:05Z07:00";
/// The same with six digits of a fraction.
pub(super) const MICRO_TIME: &str = "2006-01-02T15:04:05.000000Z07:00";

/// The parts of a layout: what they are called, and the number that they are at most.
const PARTS: [(&str, Option<u32>); 11] = [
    ("2006", Some(9999)),
    ("-", None),
    ("01", Some(12)),
    ("-", None),
    ("02", Some(31)),
    ("T", None),
    ("15", Some(23)),
    (":", None),
    ("04", Some(59)),
    (":", None),
    ("05", Some(59)),
];

/// The names of the parts in errors.
const NAMES: [&str; 11] = ["year", "", "month", "", "day", "", "hour", "", "minute", "", "second"];

/// Checks a time. The error is that of Go.
pub(super) fn check(text: &str, layout: &str) -> Result<(), String> {
    let unfit = |rest: &str, part: &str| {
        Err(format!("parsing time \"{text}\" as \"{layout}\": cannot parse \"{rest}\" as \"{part}\""))
    };
    let mut rest = text;
    for ((part, most), name) in PARTS.into_iter().zip(NAMES) {
        match most {
            None => match rest.strip_prefix(part) {
                Some(behind) => rest = behind,
                None => return unfit(rest, part),
            },
            Some(most) => {
                let Some((digits, behind)) = digits(rest, part.len()) else { return unfit(rest, part) };
                // Only months and days begin at one.
                let least = u32::from(matches!(name, "month" | "day"));
                if !(least..=most).contains(&digits) {
                    return Err(format!("parsing time \"{text}\": {name} out of range"));
                }
                rest = behind;
            }
        }
    }
    let fraction = rest.strip_prefix('.').unwrap_or_default();
    if layout == MICRO_TIME {
        match digits(fraction, 6) {
            Some((_, behind)) => rest = behind,
            None => return unfit(rest, ".000000"),
        }
    } else if fraction.starts_with(|c: char| c.is_ascii_digit()) {
        rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    match behind_zone(rest) {
        None => unfit(rest, "Z07:00"),
        Some("") => Ok(()),
        Some(extra) => Err(format!("parsing time \"{text}\": extra text: \"{extra}\"")),
    }
}

/// A number of so many digits, and what follows.
fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let (digits, behind) = text.split_at_checked(count)?;
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
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
            ("2024-01-01T00:00:03Zü", TIME, "extra text: \"ü\""),
            ("ü024-01-01T00:00:03Z", TIME, "cannot parse \"ü024-01-01T00:00:03Z\" as \"2006\""),
        ] {
            let found = check(text, layout).unwrap_err();
            assert!(found.starts_with(&format!("parsing time \"{text}\"")) && found.ends_with(error), "{found}");
        }
    }
}
