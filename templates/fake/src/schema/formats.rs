//! Formats of strings: those that servers check of custom resources, but for numbers of books,
//! cards and persons, colors, and names of hosts.

use kapigen_definitions::{label_errors, subdomain_errors};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The check of a format.
type Check = fn(&str) -> bool;

/// The formats, without dashes, and their checks.
const FORMATS: [(&str, Check); 18] = [
    ("bsonobjectid", |text| text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit())),
    ("byte", is_base64),
    ("cidr", is_network),
    ("date", is_date),
    ("datetime", is_time),
    ("duration", is_duration),
    ("email", is_address),
    ("ipv4", |text| text.contains('.') && text.parse::<IpAddr>().is_ok()),
    ("ipv6", |text| text.contains(':') && text.parse::<IpAddr>().is_ok()),
    ("k8slongname", |text| subdomain_errors(text).is_empty()),
    ("k8sshortname", |text| label_errors(text).is_empty()),
    ("mac", is_hardware_address),
    ("password", |_| true),
    ("uri", is_uri),
    ("uuid", |text| is_uuid(text, None)),
    ("uuid3", |text| is_uuid(text, Some('3'))),
    ("uuid4", |text| is_uuid(text, Some('4'))),
    ("uuid5", |text| is_uuid(text, Some('5'))),
];

fn check(format: &str) -> Option<Check> {
    let name = format.replace('-', "");
    FORMATS.iter().find(|(known, _)| *known == name).map(|(_, check)| *check)
}

/// Whether strings of a format are checked.
pub(super) fn is_known(format: &str) -> bool {
    !format.is_empty() && check(format).is_some()
}

/// Whether a string has a format.
pub(crate) fn fits(format: &str, text: &str) -> bool {
    check(format).is_none_or(|check| check(text))
}

/// Base64 with its padding, and at least one group.
fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    !digits.is_empty()
        && text.len().is_multiple_of(4)
        && text.len() - digits.len() <= 2
        && digits.bytes().all(is_digit)
}

fn is_network(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let is_plain =
        !length.is_empty() && length.len() <= 3 && length.bytes().all(|byte| byte.is_ascii_digit());
    let length = length.parse::<u8>().ok().filter(|_| is_plain);
    let is_within = |most: u8| length.is_some_and(|length| length <= most);
    address.parse::<Ipv4Addr>().is_ok() && is_within(32)
        || address.parse::<Ipv6Addr>().is_ok() && is_within(128)
}

/// A number of two digits.
fn pair(text: &str) -> Option<u32> {
    text.parse().ok().filter(|_| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_date(text: &str) -> bool {
    super::times::check(&format!("{text}T00:00:00Z"), super::times::TIME).is_ok()
}

fn is_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't']) else { return false };
    let [hour, minute, second] = [0..2, 3..5, 6..8].map(|range| time.get(range).and_then(pair));
    let is_clock = hour < Some(24) && minute < Some(60) && second < Some(60);
    let is_split = [2, 5].iter().all(|at| time.as_bytes().get(*at) == Some(&b':'));
    let rest = time.get(8..).unwrap_or_default();
    let zone = rest
        .strip_prefix('.')
        .map_or(rest, |digits| digits.trim_start_matches(|c: char| c.is_ascii_digit()));
    let is_zone = match zone.as_bytes() {
        [b'Z' | b'z'] => !rest.starts_with(".Z") && !rest.starts_with(".z"),
        [b'+' | b'-', _, _, b':', _, _] => {
            pair(&zone[1..3]).is_some() && pair(&zone[4..6]).is_some()
        }
        _ => false,
    };
    is_date(date)
        && [hour, minute, second].iter().all(Option::is_some)
        && is_clock
        && is_split
        && is_zone
}

/// The units of durations in Go.
const UNITS: [&str; 8] = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"];
/// Further units, in any case, and the beginnings of their names.
const SHORT_UNITS: [&str; 11] = ["ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"];
const LONG_UNITS: [&str; 8] = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

fn is_duration(text: &str) -> bool {
    is_duration_of_go(text) || is_named_duration(text)
}

/// Numbers with units, such as `1h30m` and `-1.5h`.
fn is_duration_of_go(text: &str) -> bool {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let is_of_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut is_any = false;
    while !rest.is_empty() {
        let (number, behind) = rest.split_at(rest.find(|c| !is_of_number(c)).unwrap_or(rest.len()));
        let (unit, behind) = behind.split_at(behind.find(is_of_number).unwrap_or(behind.len()));
        if number.parse::<f64>().is_err() || !UNITS.contains(&unit) {
            return false;
        }
        rest = behind;
        is_any = true;
    }
    is_any
}

/// Whole numbers with words, such as `2 weeks` and `1 Hour 22 min`, at least one of which is a
/// unit.
fn is_named_duration(text: &str) -> bool {
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\u{c}' | '\r');
    let mut rest = text.trim_start_matches(is_space);
    let mut is_any = false;
    while !rest.is_empty() {
        let (number, behind) =
            rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
        let behind = behind.trim_start_matches(is_space);
        let is_letter = |c: char| c.is_ascii_alphabetic() || c == 'µ';
        let (unit, behind) =
            behind.split_at(behind.find(|c| !is_letter(c)).unwrap_or(behind.len()));
        if number.parse::<i64>().is_err() || unit.is_empty() {
            return false;
        }
        let unit = unit.to_ascii_lowercase();
        is_any |=
            SHORT_UNITS.contains(&&*unit) || LONG_UNITS.iter().any(|long| unit.starts_with(long));
        rest = behind.trim_start_matches(is_space);
    }
    is_any
}

/// A hardware address of 6, 8 or 20 bytes: in pairs of digits, or in fours with dots.
fn is_hardware_address(text: &str) -> bool {
    let (separator, width) = match (text.as_bytes().get(2), text.as_bytes().get(4)) {
        (Some(b':'), _) => (':', 2),
        (Some(b'-'), _) => ('-', 2),
        (_, Some(b'.')) => ('.', 4),
        _ => return false,
    };
    let is_group =
        |group: &str| group.len() == width && group.bytes().all(|byte| byte.is_ascii_hexdigit());
    let bytes = text.split(separator).count() * width / 2;
    matches!(bytes, 6 | 8 | 20) && text.split(separator).all(is_group)
}

/// An address of mail: of what servers refuse, what has no `@` between other characters.
fn is_address(text: &str) -> bool {
    text.rsplit_once('@').is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
}

/// A URI with a scheme, or a path from the root.
fn is_uri(text: &str) -> bool {
    let has_scheme = text.split_once(':').is_some_and(|(scheme, _)| {
        let is_inner =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(is_inner)
    });
    (has_scheme || text.starts_with('/'))
        && !text.contains(|c: char| c.is_ascii_control() || c == ' ')
}

/// A UUID, with dashes or without, of a version.
fn is_uuid(text: &str, version: Option<char>) -> bool {
    let mut digits = String::new();
    let mut rest = text;
    for length in [8, 4, 4, 4, 12] {
        let Some((group, behind)) = rest.split_at_checked(length) else { return false };
        digits.push_str(group);
        rest = behind.strip_prefix('-').filter(|_| length != 12).unwrap_or(behind);
    }
    let is_version = version.is_none_or(|version| digits.chars().nth(12) == Some(version));
    // Versions 4 and 5 also state their variant.
    let is_variant = !matches!(version, Some('4' | '5'))
        || digits
            .chars()
            .nth(16)
            .is_some_and(|digit| matches!(digit, '8' | '9' | 'a' | 'b' | 'A' | 'B'));
    rest.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && is_version
        && is_variant
}

#[cfg(test)]
mod tests {
    use super::fits;

    fn check(format: &str, taken: &[&str], refused: &[&str]) {
        for text in taken {
            assert!(fits(format, text), "{format} {text:?}");
        }
        for text in refused {
            assert!(!fits(format, text), "{format} {text:?}");
        }
    }

    #[test]
    fn durations_are_those_of_go_or_numbers_with_names() {
        let taken = [
            "0",
            "-0",
            "1h30m",
            "-1.5h",
            ".5s",
            "1.s",
            "3μs",
            "2 weeks",
            "1 Hour",
            " 5s",
            "5 S 2 DAYS ",
            "1wk",
        ];
        let refused = [
            "", " ", "1", "-3d", "1.5d", ".s", "1 month", "s", "5 s,", "1..2s", "1h 30.5m", "+ 1s",
        ];
        check("duration", &taken, &refused);
        assert!(fits("duration", "1 parsec 2 s"), "one of them is a unit");
    }

    #[test]
    fn identifiers_of_later_versions_state_their_variant() {
        let named = |version: char, variant: char| {
            format!("00000000-0000-{version}000-{variant}000-000000000000")
        };
        for version in ['4', '5'] {
            let format = format!("uuid{version}");
            check(
                &format,
                &[&named(version, '8'), &named(version, 'B')],
                &[&named(version, '0'), &named('1', '8')],
            );
        }
        check("uuid3", &[&named('3', '0')], &[&named('4', '8')]);
    }

    #[test]
    fn hardware_addresses_have_pairs_or_fours_of_digits() {
        let taken = ["00:00:5e:00:53:01", "02-00-5E-10-00-00-00-01", "0000.5e00.5301"];
        let refused = [
            "00:00:5e:00:53",
            "00:00-5e:00:53:01",
            "0000.5e00.530g",
            "00005e005301",
            "é0:00:5e:00:53:01",
        ];
        check("mac", &taken, &refused);
        check(
            "bsonobjectid",
            &["507f1f77bcf86cd799439011"],
            &["507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"],
        );
    }
}
