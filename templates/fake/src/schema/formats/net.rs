//! Addresses, names of hosts, and URIs.

use crate::schema::pattern;
use regex::Regex;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

/// An address in which numbers of version 4 may have leading zeros.
pub(super) fn loose_address(text: &str) -> Option<IpAddr> {
    match text.find(['.', ':']).map(|at| &text[at..=at]) {
        Some(".") => Some(IpAddr::V4(loose_v4(text)?)),
        Some(_) => {
            let (head, tail) = text.rsplit_once(':')?;
            let tail =
                if tail.contains('.') { loose_v4(tail)?.to_string() } else { tail.to_owned() };
            format!("{head}:{tail}").parse::<Ipv6Addr>().ok().map(IpAddr::V6)
        }
        None => None,
    }
}

fn loose_v4(text: &str) -> Option<Ipv4Addr> {
    let parts: Vec<_> = text.split('.').map(decimal).collect();
    let [Some(a), Some(b), Some(c), Some(d)] = parts[..] else { return None };
    Some(Ipv4Addr::new(a, b, c, d))
}

/// A number of one byte, with leading zeros.
fn decimal(text: &str) -> Option<u8> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = text.trim_start_matches('0');
    if digits.is_empty() && is_plain { Some(0) } else { digits.parse().ok().filter(|_| is_plain) }
}

pub(super) fn is_network(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let most = match loose_address(address) {
        Some(IpAddr::V4(_)) => 32,
        Some(IpAddr::V6(_)) => 128,
        None => return false,
    };
    decimal(length).is_some_and(|length| length <= most)
}

/// A hardware address of 6, 8 or 20 bytes: in pairs of digits, or in fours with dots.
pub(super) fn is_hardware_address(text: &str) -> bool {
    let (separator, width) = match (text.as_bytes().get(2), text.as_bytes().get(4)) {
        (Some(b':'), _) => (':', 2),
        (Some(b'-'), _) => ('-', 2),
        (_, Some(b'.')) => ('.', 4),
        _ => return false,
    };
    let bytes = text.split(separator).count() * width / 2;
    matches!(bytes, 6 | 8 | 20)
        && text
            .split(separator)
            .all(|group| group.len() == width && group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether all characters of a string are letters, symbols or ASCII digits.
fn is_plain(text: &str) -> bool {
    static PLAIN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let compiled = pattern::compile(r"^[0-9\p{L}\p{S}]*$", pattern::MOST_WEIGHT);
        compiled.ok().map(|compiled| compiled.regex)
    });
    PLAIN.as_ref().is_some_and(|plain| plain.is_match(text))
}

/// A name of a host, as servers take it: a single label has a dash only behind its first
/// character, and a domain ends with letters.
pub(super) fn is_host(text: &str) -> bool {
    let labels: Vec<_> = text.split('.').collect();
    let Some((last, before)) = labels.split_last() else { return false };
    if text.len() > 255 || labels.iter().any(|label| label.len() > 63 || label.is_empty()) {
        return false;
    }
    if before.is_empty() {
        let mut inner = last.chars();
        let first = inner.next().map(String::from).unwrap_or_default();
        let rest = inner.as_str();
        let rest = rest.strip_prefix('-').unwrap_or(rest);
        return is_plain(&first) && is_plain(rest) && rest.chars().count() <= 62;
    }
    before.iter().all(|label| is_label(label))
        && last.chars().count() >= 2
        && last.chars().all(|c| c.is_ascii_alphabetic() || !c.is_ascii())
        && is_letters(last)
}

/// Whether a string can be a label before the last one of a domain.
fn is_label(text: &str) -> bool {
    !text.starts_with('-') && !text.ends_with('-') && is_plain(&text.replace('-', ""))
}

fn is_letters(text: &str) -> bool {
    static LETTERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let compiled = pattern::compile(r"^\p{L}*$", pattern::MOST_WEIGHT);
        compiled.ok().map(|compiled| compiled.regex)
    });
    LETTERS.as_ref().is_some_and(|letters| letters.is_match(text))
}

/// A URI with a scheme, or a path from the root.
pub(super) fn is_uri(text: &str) -> bool {
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return false;
    }
    let scheme = text.split_once(':').filter(|(scheme, _)| is_scheme(scheme));
    let rest = scheme.map_or(text, |(_, rest)| rest);
    let rest = rest.split('?').next().unwrap_or_default();
    if text == "*" || scheme.is_some() && !rest.starts_with('/') {
        return true;
    }
    let path = match rest.strip_prefix("//").filter(|_| scheme.is_some()) {
        Some(authority) => {
            let (authority, path) =
                authority.split_at(authority.find('/').unwrap_or(authority.len()));
            if !is_authority(authority) {
                return false;
            }
            path
        }
        None if rest.starts_with('/') => rest,
        None => return false,
    };
    has_whole_escapes(path)
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Whether each percent sign begins an escaped byte.
fn has_whole_escapes(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| match rest.as_bytes() {
        [high, low, ..] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        _ => false,
    })
}

/// Whether a string is the host of a URI, with a user before it and a port behind it.
fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let is_user =
        user.chars().all(|c| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c));
    if !is_user || !has_whole_escapes(user) {
        return false;
    }
    if let Some(inner) = host.strip_prefix('[') {
        let Some((address, port)) = inner.rsplit_once(']') else { return false };
        let (address, zone) = address.split_once("%25").unwrap_or((address, ""));
        return is_port(port) && address.parse::<Ipv6Addr>().is_ok() && has_whole_escapes(zone);
    }
    let (name, port) = host.split_at(host.rfind(':').unwrap_or(host.len()));
    let is_name = name.chars().all(|c| {
        !c.is_ascii() || c.is_ascii_alphanumeric() || "-_.~!$&'()*+,;=:[]<>\"%".contains(c)
    });
    // Escaped bytes of a name are beyond ASCII.
    let has_high_escapes = name
        .split('%')
        .skip(1)
        .all(|rest| rest.starts_with(|c: char| matches!(c, '8'..='9' | 'a'..='f' | 'A'..='F')));
    is_port(port) && is_name && has_whole_escapes(name) && has_high_escapes
}

/// The port of a URI with its colon, or none.
fn is_port(text: &str) -> bool {
    match text.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_digit()),
        None => text.is_empty(),
    }
}
