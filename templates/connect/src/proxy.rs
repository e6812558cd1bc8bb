//! Proxies: which one a request takes, by the rules of Go.

use crate::idn::to_ascii;
use crate::secret::Secret;
use http::Uri;
use http::uri::{Authority, Scheme};
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;

/// The URL of a proxy. `Debug` and `Display` show no password.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProxyUrl {
    /// The protocol.
    pub scheme: ProxyScheme,
    /// Host and port.
    pub authority: String,
    /// The name and the password of the user at the proxy.
    pub credentials: Option<(String, Secret)>,
}

/// The protocol of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyScheme {
    /// HTTP, by the method CONNECT.
    Http,
    /// The same over TLS.
    Https,
    /// SOCKS 5.
    Socks5,
}

impl fmt::Display for ProxyUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.scheme {
            ProxyScheme::Http => "http",
            ProxyScheme::Https => "https",
            ProxyScheme::Socks5 => "socks5",
        };
        let user = if self.credentials.is_some() { "…@" } else { "" };
        write!(f, "{scheme}://{user}{}", self.authority)
    }
}

/// Parses the URL of a proxy. One of the environment may lack its scheme.
///
/// # Errors
/// When it is not the URL of a proxy. The message quotes nothing, since there may be a password.
pub(crate) fn url(text: &str, is_of_environment: bool) -> Result<ProxyUrl, String> {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (scheme, rest),
        None if is_of_environment => ("http", text),
        None => return Err("it has no scheme: `http://`, `https://` or `socks5://`".to_owned()),
    };
    let scheme = match scheme {
        "http" => ProxyScheme::Http,
        "https" => ProxyScheme::Https,
        "socks5" | "socks5h" => ProxyScheme::Socks5,
        _ => return Err("its scheme is `http`, `https` or `socks5`".to_owned()),
    };
    let rest = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (user, authority) = match rest.rsplit_once('@') {
        Some((user, authority)) => (Some(user), authority),
        None => (None, rest),
    };
    let authority = to_ascii(authority);
    let is_host =
        authority.parse::<Authority>().is_ok_and(|authority| !authority.host().is_empty());
    if !is_host {
        return Err("its host is not valid".to_owned());
    }
    let credentials = user.map(|user| {
        let (name, password) = user.split_once(':').unwrap_or((user, ""));
        (decoded(name), decoded(password).into())
    });
    Ok(ProxyUrl { scheme, authority, credentials })
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// The proxies of an environment: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in upper case or, if
/// that is not set, in lower case.
#[derive(Clone, Debug, Default)]
pub struct ProxyRules {
    https: Option<Secret>,
    http: Option<Secret>,
    exceptions: Vec<Exception>,
    /// Whether this is a CGI program, to which anyone can send a header `Proxy`.
    is_cgi: bool,
}

/// Hosts that are reached without a proxy.
#[derive(Clone, Debug)]
enum Exception {
    All,
    Network(IpAddr, u32),
    Address(IpAddr, Option<String>),
    /// The end of names, with a dot before it, and whether it is also a name.
    Domain {
        end: String,
        is_name: bool,
        port: Option<String>,
    },
}

impl ProxyRules {
    /// The rules of variables.
    #[must_use]
    pub fn of(variables: &BTreeMap<String, String>) -> Self {
        let exceptions = variable(variables, "NO_PROXY").unwrap_or_default().split(',');
        Self {
            https: variable(variables, "HTTPS_PROXY").map(Secret::from),
            http: variable(variables, "HTTP_PROXY").map(Secret::from),
            exceptions: exceptions.filter_map(Exception::parse).collect(),
            is_cgi: variables.contains_key("REQUEST_METHOD"),
        }
    }

    /// The proxy of requests to a URL. `None`: they take none.
    ///
    /// # Errors
    /// When the proxy is not a URL.
    pub fn proxy(&self, url: &Uri) -> Result<Option<ProxyUrl>, String> {
        let is_https = url.scheme() == Some(&Scheme::HTTPS);
        let [name, proxy] = if is_https {
            ["HTTPS_PROXY", self.https.as_ref().map_or("", Secret::reveal)]
        } else {
            ["HTTP_PROXY", self.http.as_ref().map_or("", Secret::reveal)]
        };
        if proxy.is_empty() {
            return Ok(None);
        }
        if !is_https && self.is_cgi {
            return Err("`HTTP_PROXY` is not used by a CGI program, since requests can set it: \
                        unset `REQUEST_METHOD` or the proxy"
                .to_owned());
        }
        let host = url.host().unwrap_or_default().trim_matches(['[', ']']).to_lowercase();
        let port = url.port().map_or(if is_https { "443" } else { "80" }.to_owned(), |port| {
            port.as_str().to_owned()
        });
        let address = host.parse().ok().map(unmapped);
        let is_local = url.host() == Some("localhost")
            || address.is_some_and(|address: IpAddr| address.is_loopback());
        if is_local || self.exceptions.iter().any(|one| one.is_of(&host, &port, address)) {
            return Ok(None);
        }
        self::url(proxy, true).map(Some).map_err(|message| format!("`{name}`: {message}"))
    }
}

/// A variable that is set to something, in upper case or else in lower case.
fn variable<'a>(variables: &'a BTreeMap<String, String>, name: &str) -> Option<&'a str> {
    let names = [name, &name.to_lowercase()];
    let mut values = names.into_iter().filter_map(|name| variables.get(name));
    values.find(|value| !value.is_empty()).map(String::as_str)
}

impl Exception {
    /// An element of `NO_PROXY`.
    fn parse(text: &str) -> Option<Self> {
        let text = to_ascii(&text.trim().to_lowercase());
        if text.is_empty() {
            return None;
        }
        if text == "*" {
            return Some(Self::All);
        }
        if let Some((address, bits)) = text.split_once('/')
            && let (Ok(address), Ok(bits)) = (address.parse::<IpAddr>(), bits.parse::<u32>())
            && bits <= if address.is_ipv4() { 32 } else { 128 }
        {
            // Go has a network of mapped addresses as one of IPv4.
            return Some(match (address.to_canonical(), address) {
                (IpAddr::V4(address), IpAddr::V6(_)) if bits >= 96 => {
                    Self::Network(address.into(), bits - 96)
                }
                _ => Self::Network(address, bits),
            });
        }
        let (host, port) = split_port(&text);
        let port = port.filter(|port| !port.is_empty()).map(str::to_owned);
        if let Ok(address) = host.parse().map(unmapped) {
            return Some(Self::Address(address, port));
        }
        if host.is_empty() {
            return None;
        }
        let end = host.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(host);
        let is_name = !end.starts_with('.');
        let end = if is_name { format!(".{end}") } else { end.to_owned() };
        Some(Self::Domain { end, is_name, port })
    }

    fn is_of(&self, host: &str, port: &str, address: Option<IpAddr>) -> bool {
        match self {
            Self::All => true,
            Self::Network(network, bits) => address.is_some_and(|address| {
                address.is_ipv4() == network.is_ipv4()
                    && first(address, *bits) == first(*network, *bits)
            }),
            Self::Address(wanted, wanted_port) => {
                address == Some(*wanted) && has_port(wanted_port.as_deref(), port)
            }
            Self::Domain { end, is_name, port: wanted_port } => {
                (host.ends_with(end.as_str()) || *is_name && host == &end[1..])
                    && has_port(wanted_port.as_deref(), port)
            }
        }
    }
}

/// Whether an exception for a port, or else for all ports, is for this one.
fn has_port(wanted: Option<&str>, port: &str) -> bool {
    wanted.is_none_or(|wanted| wanted == port)
}

/// An address of IPv4 that is written as one of IPv6 is one of IPv4.
fn unmapped(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// The first bits of an address, which are no more than it has.
fn first(address: IpAddr, bits: u32) -> u128 {
    let (length, value) = match address {
        IpAddr::V4(address) => (32, u128::from(address.to_bits())),
        IpAddr::V6(address) => (128, address.to_bits()),
    };
    value.checked_shr(length - bits).unwrap_or_default()
}

/// A host and its port. An address of IPv6 has brackets only before a port.
fn split_port(text: &str) -> (&str, Option<&str>) {
    if let Some(rest) = text.strip_prefix('[') {
        return match rest.split_once("]:") {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        };
    }
    match text.split_once(':') {
        Some((host, port)) if !port.contains(':') => (host, Some(port)),
        _ => (text, None),
    }
}
