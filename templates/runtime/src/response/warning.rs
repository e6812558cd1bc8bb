//! `Warning` headers.

use crate::visible::Visible;
use http::HeaderMap;
use http::header::WARNING;
use std::fmt::{self, Write};

/// A warning of a server about a request that it performs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The code: 299 in all warnings of API servers, a persistent warning.
    pub code: u16,
    /// The agent that warns. `-` when none is named.
    pub agent: String,
    /// The message.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Visible(f).write_str(&self.text)
    }
}

/// All warnings of a response. Values that are not warnings of RFC 7234 are ignored.
pub(super) fn all(headers: &HeaderMap) -> Vec<Warning> {
    let values =
        headers.get_all(WARNING).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    let mut warnings = Vec::new();
    for value in values {
        let mut rest = value.as_ref();
        while let Some((warning, tail)) = parse(rest) {
            warnings.push(warning);
            rest = tail.trim_start().trim_start_matches(',');
        }
    }
    warnings
}

/// Parses `299 - "text"`, perhaps followed by a date. Returns the rest, too.
fn parse(text: &str) -> Option<(Warning, &str)> {
    let (code, rest) = text.trim_start().split_once(' ')?;
    let code = code.parse().ok().filter(|_| code.len() == 3)?;
    let (agent, rest) = rest.split_once(' ')?;
    let (text, rest) = quoted(rest)?;
    let rest = rest.trim_start();
    let rest = if rest.starts_with('"') { quoted(rest)?.1 } else { rest };
    Some((Warning { code, agent: agent.to_owned(), text }, rest))
}

/// Parses a quoted string. Returns the rest, too.
pub(super) fn quoted(text: &str) -> Option<(String, &str)> {
    let mut content = String::new();
    let mut chars = text.strip_prefix('"')?.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((content, &text[at + 2..])),
            '\\' => content.push(chars.next()?.1),
            c => content.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{HeaderMap, WARNING, Warning, all};

    fn warnings(values: &[&'static str]) -> Vec<(String, String)> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(WARNING, value.parse().unwrap());
        }
        all(&headers).into_iter().map(|Warning { agent, text, .. }| (agent, text)).collect()
    }

    fn pair(agent: &str, text: &str) -> (String, String) {
        (agent.to_owned(), text.to_owned())
    }

    #[test]
    fn warnings_are_read() {
        assert_eq!(
            warnings(&[r#"299 - "unknown field \"spec.x\"""#]),
            [pair("-", "unknown field \"spec.x\"")]
        );
        assert_eq!(
            warnings(&[
                r#"299 - "one", 299 kube "two" "Sat, 25 Aug 2012 23:34:45 GMT", 199 - """#,
                r#"299 - "back\\slash""#
            ]),
            [pair("-", "one"), pair("kube", "two"), pair("-", ""), pair("-", "back\\slash")]
        );
    }

    #[test]
    fn what_is_no_warning_is_passed_over() {
        assert!(
            warnings(&[
                "",
                "299",
                "299 -",
                "299 - text",
                "299 - \"open",
                "x - \"y\"",
                "2999 - \"z\""
            ])
            .is_empty()
        );
    }
}
