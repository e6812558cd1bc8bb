//! Formats of strings: those that servers check of custom resources.

mod mail;
mod net;
mod numbers;
mod times;

use kapigen_definitions::{label_errors, subdomain_errors};

/// The check of a format.
type Check = fn(&str) -> bool;

/// The formats, without dashes, and their checks.
const FORMATS: [(&str, Check); 26] = [
    ("bsonobjectid", |text| text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit())),
    ("byte", is_base64),
    ("cidr", net::is_network),
    ("creditcard", numbers::is_card),
    ("date", times::is_date),
    ("datetime", times::is_time),
    ("duration", times::is_duration),
    ("email", mail::is_address),
    ("hexcolor", numbers::is_hexadecimal_color),
    ("hostname", net::is_host),
    ("ipv4", |text| text.contains('.') && net::loose_address(text).is_some()),
    ("ipv6", |text| text.contains(':') && text.parse::<std::net::Ipv6Addr>().is_ok()),
    ("isbn", |text| numbers::is_book_of_10(text) || numbers::is_book_of_13(text)),
    ("isbn10", numbers::is_book_of_10),
    ("isbn13", numbers::is_book_of_13),
    ("k8slongname", |text| subdomain_errors(text).is_empty()),
    ("k8sshortname", |text| label_errors(text).is_empty()),
    ("mac", net::is_hardware_address),
    ("password", |_| true),
    ("rgbcolor", numbers::is_color),
    ("ssn", numbers::is_person),
    ("uri", net::is_uri),
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
    !digits.is_empty()
        && text.len().is_multiple_of(4)
        && text.len() - digits.len() <= 2
        && digits.bytes().all(is_base64_digit)
}

pub(super) fn is_base64_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// Whether a character is white space in the patterns of servers.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{c}' | '\r')
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
mod tests;
