// not vendored
//! URLs.

use super::budget::Budget;
use super::outcome::{Called, error};
use super::value::{Key, Text, Value};
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An absolute URL, or an absolute path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Url {
    text: String,
    scheme: String,
    /// The name or address, and the port, as they are written.
    host: String,
    path: String,
    query: String,
}

pub(super) fn call<'a>(budget: &mut Budget, name: &str, values: &[Value<'a>]) -> Called<'a> {
    match (name, values) {
        ("isURL", [Value::String(text)]) => Some(Ok(parse(text).is_ok().into())),
        ("url", [Value::String(text)]) => Some(match parse(text) {
            Ok(url) => Ok(Value::Url(Rc::new(url))),
            Err(why) => {
                let why = format!("parse {}: {why}", kapigen_definitions::quoted(text));
                error(format!("URL parse error during conversion from string: {why}"))
            }
        }),
        (_, [Value::Url(url)]) => {
            if let Err(failure) = budget.spend_bytes(url.text.len()) {
                return Some(Err(failure));
            }
            url.part(name).map(Ok)
        }
        _ => None,
    }
}

/// Parses a URL as the URI of a request: with a scheme, or an absolute path.
fn parse(text: &str) -> Result<Url, String> {
    const INVALID: &str = "invalid URI for request";
    if text.is_empty() {
        return Err("empty url".to_owned());
    }
    if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    let (scheme, rest) = scheme(text)?;
    let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    if !rest.starts_with('/') {
        // An opaque part: `mailto:a@example.com`.
        return if scheme.is_empty() {
            Err(INVALID.to_owned())
        } else {
            Ok(Url::new(text, scheme, "", "", query))
        };
    }
    let (host, path) = match rest.strip_prefix("//").filter(|_| !scheme.is_empty()) {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    check_host(host)?;
    check_escapes(path)?;
    Ok(Url::new(text, scheme, host, path, query))
}

fn scheme(text: &str) -> Result<(&str, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c));
    match end {
        Some(0) if text.starts_with(':') => Err("missing protocol scheme".to_owned()),
        Some(end)
            if text[end..].starts_with(':')
                && text.starts_with(|c: char| c.is_ascii_alphabetic()) =>
        {
            Ok((&text[..end], &text[end + 1..]))
        }
        Some(end) if text[end..].starts_with(':') => {
            Err("first path segment in URL cannot contain colon".to_owned())
        }
        _ => Ok(("", text)),
    }
}

fn check_host(host: &str) -> Result<(), String> {
    let port = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((_, port)) => port,
            None => return Err("missing ']' in host".to_owned()),
        },
        None => host.find(':').map_or("", |at| &host[at..]),
    };
    let digits = port.strip_prefix(':').unwrap_or(port);
    if !port.is_empty() && (!port.starts_with(':') || !digits.bytes().all(|b| b.is_ascii_digit())) {
        return Err(format!("invalid port {} after host", kapigen_definitions::quoted(port)));
    }
    if let Some(bad) = host.chars().find(|c| " \"<>\\^`{|}".contains(*c)) {
        let bad = kapigen_definitions::quoted(&bad.to_string());
        return Err(format!("invalid character {bad} in host name"));
    }
    check_escapes(host)
}

fn check_escapes(text: &str) -> Result<(), String> {
    for (at, _) in text.match_indices('%') {
        let escape: String = text[at..].chars().take(3).collect();
        if escape.len() < 3 || !escape[1..].bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(format!("invalid URL escape {}", kapigen_definitions::quoted(&escape)));
        }
    }
    Ok(())
}

impl Url {
    fn new(text: &str, scheme: &str, host: &str, path: &str, query: &str) -> Self {
        let scheme = scheme.to_lowercase();
        let [host, path, query] = [host, path, query].map(str::to_owned);
        Self { text: text.to_owned(), scheme, host, path, query }
    }

    /// The name or address, and the port.
    fn split_host(&self) -> (&str, &str) {
        if let Some((address, port)) =
            self.host.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        {
            return (address, port.trim_start_matches(':'));
        }
        self.host.split_once(':').unwrap_or((&self.host, ""))
    }

    fn part<'a>(&self, name: &str) -> Option<Value<'a>> {
        Some(match name {
            "getScheme" => self.scheme.clone().into(),
            "getHost" => self.host.clone().into(),
            "getHostname" => self.split_host().0.to_owned().into(),
            "getPort" => self.split_host().1.to_owned().into(),
            "getEscapedPath" => self.path.clone().into(),
            "getQuery" => self.query(),
            "string" => self.text.clone().into(),
            _ => return None,
        })
    }

    /// The values of each parameter.
    fn query<'a>(&self) -> Value<'a> {
        let mut parameters: BTreeMap<String, Vec<Value<'a>>> = BTreeMap::new();
        for parameter in self.query.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            parameters.entry(decoded(name)).or_default().push(decoded(value).into());
        }
        let entries = parameters
            .into_iter()
            .map(|(name, values)| (Key::String(Text::Shared(name.into())), Value::from(values)));
        Value::Map(Rc::new(entries.collect()))
    }
}

/// A name or a value of a query.
fn decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}
