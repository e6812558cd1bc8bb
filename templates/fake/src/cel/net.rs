// not vendored
//! Addresses and networks.

use super::outcome::{Called, error};
use super::value::Value;
use kapigen_definitions::quoted;
use std::net::{IpAddr, Ipv6Addr};

pub(super) fn call<'a>(name: &str, values: &[Value<'a>]) -> Called<'a> {
    Some(Ok(match (name, values) {
        ("isIP", [Value::String(text)]) => address(text).is_ok().into(),
        ("isCIDR", [Value::String(text)]) => network(text).is_ok().into(),
        ("ip", [Value::String(text)]) => {
            return Some(address(text).map_or_else(error, |ip| Ok(Value::Ip(ip))));
        }
        ("cidr", [Value::String(text)]) => {
            return Some(
                network(text).map_or_else(error, |(ip, length)| Ok(Value::Cidr(ip, length))),
            );
        }
        ("ip.isCanonical", [Value::String(text)]) => match address(text) {
            Ok(ip) => (ip.to_string() == **text).into(),
            Err(why) => return Some(error(why)),
        },
        (_, [Value::Ip(ip)]) => return of_address(name, *ip).map(Ok),
        ("ip", [Value::Cidr(ip, _)]) => Value::Ip(*ip),
        ("prefixLength", [Value::Cidr(_, length)]) => Value::Int((*length).into()),
        ("masked", [Value::Cidr(ip, length)]) => Value::Cidr(masked(*ip, *length), *length),
        ("containsIP", [Value::Cidr(ip, length), other]) => match other {
            Value::Ip(other) => contains(*ip, *length, *other, *length).into(),
            Value::String(text) => match address(text) {
                Ok(other) => contains(*ip, *length, other, *length).into(),
                Err(why) => return Some(error(why)),
            },
            _ => return None,
        },
        ("containsCIDR", [Value::Cidr(ip, length), other]) => match other {
            Value::Cidr(other, narrow) => contains(*ip, *length, *other, *narrow).into(),
            Value::String(text) => match network(text) {
                Ok((other, narrow)) => contains(*ip, *length, other, narrow).into(),
                Err(why) => return Some(error(why)),
            },
            _ => return None,
        },
        _ => return None,
    }))
}

/// An address, neither with a zone nor of version 4 in version 6.
fn address(text: &str) -> Result<IpAddr, String> {
    let shown = quoted(text);
    let ip: IpAddr = text.parse().map_err(|_| {
        let why = if text.contains(['.', ':']) { "unexpected character" } else { "unable to parse IP" };
        format!("IP Address {shown} parse error during conversion from string: ParseAddr({shown}): {why}")
    })?;
    if is_mapped(ip) {
        return Err(format!("IPv4-mapped IPv6 address {shown} is not allowed"));
    }
    Ok(ip)
}

fn is_mapped(ip: IpAddr) -> bool {
    matches!(ip, IpAddr::V6(ip) if ip.to_ipv4_mapped().is_some())
}

fn network(text: &str) -> Result<(IpAddr, u8), String> {
    let (ip, length) = text.rsplit_once('/').ok_or_else(|| unparsable(text, "no '/'"))?;
    let ip: IpAddr = ip
        .parse()
        .map_err(|_| unparsable(text, &format!("ParseAddr({}): unable to parse IP", quoted(ip))))?;
    if is_mapped(ip) {
        return Err(format!("IPv4-mapped IPv6 address {} is not allowed", quoted(text)));
    }
    let is_plain = length == "0" || length.starts_with(|c: char| c.is_ascii_digit() && c != '0');
    let bits = length.parse::<u8>().ok().filter(|_| is_plain);
    let bits =
        bits.ok_or_else(|| unparsable(text, &format!("bad bits after slash: {}", quoted(length))))?;
    if bits > width(ip) {
        return Err(unparsable(text, "prefix length out of range"));
    }
    Ok((ip, bits))
}

fn unparsable(network: &str, why: &str) -> String {
    format!(
        "network address parse error during conversion from string: netip.ParsePrefix({}): {why}",
        quoted(network)
    )
}

/// The number of bits of an address.
fn width(ip: IpAddr) -> u8 {
    if ip.is_ipv4() { 32 } else { 128 }
}

/// An address without the bits after the first ones.
fn masked(ip: IpAddr, length: u8) -> IpAddr {
    match ip {
        IpAddr::V4(ip) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(length)).unwrap_or_default();
            IpAddr::V4((u32::from(ip) & mask).into())
        }
        IpAddr::V6(ip) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(length)).unwrap_or_default();
            IpAddr::V6(Ipv6Addr::from(u128::from(ip) & mask))
        }
    }
}

/// Whether a network contains another one.
fn contains(ip: IpAddr, length: u8, other: IpAddr, narrow: u8) -> bool {
    width(ip) == width(other) && length <= narrow && masked(other, length) == masked(ip, length)
}

fn of_address<'a>(name: &str, ip: IpAddr) -> Option<Value<'a>> {
    let is_link_local = match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.segments()[0] & 0xffc0 == 0xfe80,
    };
    let is_link_local_multicast = match ip {
        IpAddr::V4(ip) => ip.octets()[..3] == [224, 0, 0],
        IpAddr::V6(ip) => ip.segments()[0] & 0xff0f == 0xff02,
    };
    let is_broadcast = matches!(ip, IpAddr::V4(ip) if ip.is_broadcast());
    Some(match name {
        "family" => Value::Int(if ip.is_ipv4() { 4 } else { 6 }),
        "isUnspecified" => ip.is_unspecified().into(),
        "isLoopback" => ip.is_loopback().into(),
        "isLinkLocalUnicast" => is_link_local.into(),
        "isLinkLocalMulticast" => is_link_local_multicast.into(),
        "isGlobalUnicast" => {
            let is_other = ip.is_unspecified() || ip.is_loopback() || ip.is_multicast();
            (!is_other && !is_link_local && !is_broadcast).into()
        }
        _ => return None,
    })
}
