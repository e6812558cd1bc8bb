//! Formats of strings: those that servers check of custom resources, but for numbers of books, cards and persons, colors,
//! and names of hosts.

use kapigen_definitions::{label_errors, subdomain_errors};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The check of a format.
type Check = fn(&str) -> bool;

/// The formats, without dashes, and their checks.
const FORMATS: [(&str, Check); 16] = [
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
pub(super) fn fits(format: &str, text: &str) -> bool {
    check(format).is_none_or(|check| check(text))
}

/// Base64 with its padding, and at least one group.
fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    !digits.is_empty() && text.len().is_multiple_of(4) && text.len() - digits.len() <= 2 && digits.bytes().all(is_digit)
}

fn is_network(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let is_plain = !length.is_empty() && length.len() <= 3 && length.bytes().all(|byte| byte.is_ascii_digit());
    let length = length.parse::<u8>().ok().filter(|_| is_plain);
    let is_within = |most: u8| length.is_some_and(|length| length <= most);
    address.parse::<Ipv4Addr>().is_ok() && is_within(32) || address.parse::<Ipv6Addr>().is_ok() && is_within(128)
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
    let zone = rest.strip_prefix('.').map_or(rest, |digits| digits.trim_start_matches(|c: char| c.is_ascii_digit()));
    let is_zone = match zone.as_bytes() {
        [b'Z' | b'z'] => !rest.starts_with(".Z") && !rest.starts_with(".z"),
        [b'+' | b'-', _, _, b':', _, _] => pair(&zone[1..3]).is_some() && pair(&zone[4..6]).is_some(),
        _ => false,
    };
    is_date(date) && [hour, minute, second].iter().all(Option::is_some) && is_clock && is_split && is_zone
}

/// Units of durations: those of Go, and their names.
const UNITS: [&str; 35] = [
    "ns",
    "nano",
    "nanos",
    "nanosecond",
    "nanoseconds",
    "us",
    "µs",
    "μs",
    "micro",
    "micros",
    "microsecond",
    "microseconds",
    "ms",
    "milli",
    "millis",
    "millisecond",
    "milliseconds",
    "s",
    "sec",
    "secs",
    "second",
    "seconds",
    "m",
    "min",
    "mins",
    "minute",
    "minutes",
    "h",
    "hr",
    "hour",
    "hours",
    "d",
    "day",
    "days",
    "w",
];

/// Numbers with units, such as `1h30m` and `22 ns`.
fn is_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let mut is_any = false;
    while !rest.is_empty() {
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = &rest[..rest.len() - behind.len()];
        let unit = behind.trim_start();
        let length = unit.find(|c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace()).unwrap_or(unit.len());
        if number.parse::<f64>().is_err() || !UNITS.contains(&&unit[..length]) {
            return false;
        }
        rest = unit[length..].trim_start();
        is_any = true;
    }
    is_any
}

/// An address of mail: of what servers refuse, what has no `@` between other characters.
fn is_address(text: &str) -> bool {
    text.rsplit_once('@').is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
}

/// A URI with a scheme, or a path from the root.
fn is_uri(text: &str) -> bool {
    let has_scheme = text.split_once(':').is_some_and(|(scheme, _)| {
        let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(is_inner)
    });
    (has_scheme || text.starts_with('/')) && !text.contains(|c: char| c.is_ascii_control() || c == ' ')
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
    rest.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) && is_version
}
