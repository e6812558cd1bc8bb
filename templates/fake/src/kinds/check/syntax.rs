//! Syntaxes of strings in built-in kinds, with the words in which servers refuse others.

use crate::schema::formats;
use crate::validate::{label_key_errors, label_value_errors};
use kapigen_definitions::{bad_label, label_errors, subdomain_errors};

/// The reasons for which a string is refused.
pub(super) type Errors = fn(&str) -> Vec<String>;

pub(super) fn named(name: &str) -> Errors {
    match name {
        "label" => label_errors,
        "subdomain" => subdomain_errors,
        "some_label" => |text| optional(text, label_errors),
        "some_label1035" => |text| optional(text, old_label_errors),
        "some_subdomain" => |text| optional(text, subdomain_errors),
        "key" => label_key_errors,
        "some_key" => |text| optional(text, label_key_errors),
        "value" => label_value_errors,
        "ip" => ip,
        "cidr" => cidr,
        "trimmed" => |text| {
            let is_trimmed = text.trim() == text;
            unless(is_trimmed, "must not have leading or trailing whitespace")
        },
        other => panic!("there is no syntax {other}"),
    }
}

fn unless(is_valid: bool, why: &str) -> Vec<String> {
    if is_valid { Vec::new() } else { vec![why.to_owned()] }
}

fn optional(text: &str, errors: fn(&str) -> Vec<String>) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { errors(text) }
}

/// The reasons for which a string is no label of RFC 1035.
pub(super) fn old_label_errors(text: &str) -> Vec<String> {
    bad_label(text).into_iter().collect()
}

pub(super) fn ip(text: &str) -> Vec<String> {
    let is_valid = formats::fits("ipv4", text) || formats::fits("ipv6", text);
    unless(is_valid, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")
}

fn cidr(text: &str) -> Vec<String> {
    let is_valid = formats::fits("cidr", text);
    unless(is_valid, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")
}

/// The reasons for which a string is no name of a port.
pub(super) fn port_name(text: &str) -> Vec<&'static str> {
    [
        (text.len() > 15, "must be no more than 15 characters"),
        (
            !text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        ),
        (!text.chars().any(|c| c.is_ascii_lowercase()), "must contain at least one letter (a-z)"),
        (text.contains("--"), "must not contain consecutive hyphens"),
        (text.starts_with('-') || text.ends_with('-'), "must not begin or end with a hyphen"),
    ]
    .into_iter()
    .filter_map(|(is_wrong, why)| is_wrong.then_some(why))
    .collect()
}
