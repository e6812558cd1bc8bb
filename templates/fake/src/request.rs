//! Requests, taken apart.

use crate::failure::Failure;
use crate::registry::split;
use crate::tree::{Body, from_json, from_yaml};
use bytes::Bytes;
use http::header::{CONTENT_TYPE, USER_AGENT};
use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::borrow::Cow;

/// A request, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Incoming<'a> {
    pub(crate) method: &'a str,
    /// Decoded, before it is split: an encoded slash is one like any other.
    pub(crate) path: Cow<'a, str>,
    query: Vec<(String, String)>,
    pub(crate) headers: &'a http::HeaderMap,
    pub(crate) body: &'a [u8],
}

/// The resource that a path names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Target<'a> {
    pub(crate) group: &'a str,
    pub(crate) version: &'a str,
    pub(crate) namespace: Option<&'a str>,
    pub(crate) plural: &'a str,
    pub(crate) name: Option<&'a str>,
    pub(crate) subresource: Option<&'a str>,
    /// Whether the path is a deprecated one for watches.
    pub(crate) is_legacy_watch: bool,
}

/// A part of a URL without its escapes.
fn decoded(text: &str) -> Cow<'_, str> {
    // Nearly always there are none.
    if text.contains('%') { percent_decode_str(text).decode_utf8_lossy() } else { text.into() }
}

impl<'a> Incoming<'a> {
    pub(crate) fn new(request: &'a http::Request<Bytes>) -> Self {
        let decode = |text: &str| decoded(&text.replace('+', " ")).into_owned();
        let query = request.uri().query().unwrap_or_default();
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        Self {
            method: request.method().as_str(),
            path: decoded(request.uri().path()),
            query: pairs.map(|(name, value)| (decode(name), decode(value))).collect(),
            headers: request.headers(),
            body: request.body(),
        }
    }

    /// The same request with another body.
    pub(crate) fn with_body<'b>(&'b self, body: &'b [u8]) -> Incoming<'b> {
        Incoming {
            method: self.method,
            path: self.path.clone(),
            query: self.query.clone(),
            headers: self.headers,
            body,
        }
    }

    /// The first parameter with this name. Empty if it is absent.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.query.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.query.iter().any(|(known, _)| known == name)
    }

    /// A flag. Any value but `false` and `0` sets it, even an empty one.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        let value = self.query.iter().find(|(known, _)| known == name);
        value.is_some_and(|(_, value)| !value.eq_ignore_ascii_case("false") && value != "0")
    }

    /// A number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<i64>, Failure> {
        let text = self.get(name);
        if text.is_empty() {
            return Ok(None);
        }
        let bad = |_| Failure::bad_request(format!("strconv.ParseInt: parsing \"{text}\": invalid syntax"));
        text.parse().map(Some).map_err(bad)
    }

    pub(crate) fn content_type(&self) -> &'a str {
        let value = self.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        value.split(';').next().unwrap_or_default().trim()
    }

    /// The field manager: that of the parameter or, by default, the name of the program.
    pub(crate) fn manager(&self) -> &str {
        let stated = self.get("fieldManager");
        if !stated.is_empty() {
            return stated;
        }
        let agent = self.headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or("unknown");
        agent.split('/').next().unwrap_or(agent)
    }

    /// The body as a tree, of JSON or YAML.
    pub(crate) fn tree(&self) -> Result<Value, Failure> {
        self.parsed().map(|body| body.tree)
    }

    /// The body as a tree, and the members that it has twice.
    pub(crate) fn parsed(&self) -> Result<Body, Failure> {
        let is_yaml = self.content_type() == "application/yaml";
        let parsed = if is_yaml { from_yaml(self.body).ok() } else { from_json(self.body).ok() };
        parsed.ok_or_else(|| Failure::bad_request(self.unreadable()))
    }

    fn unreadable(&self) -> String {
        let problem = serde_json::from_slice::<Value>(self.body).err();
        let what = match problem {
            Some(error) if error.is_eof() => "unexpected end of JSON input".to_owned(),
            Some(error) => error.to_string(),
            None => "invalid YAML".to_owned(),
        };
        format!("couldn't get version/kind; json parse error: {what}")
    }
}

impl<'a> Target<'a> {
    /// The resource that a path names, if it is one of a resource.
    pub(crate) fn of(path: &'a str) -> Option<Self> {
        let (group, version, rest) = split(path)?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.is_empty() {
            return None;
        }
        let mut target = Self { group, version, ..Self::default() };
        let behind_watch = rest.strip_prefix("watch/");
        target.is_legacy_watch = behind_watch.is_some();
        let mut segments = behind_watch.unwrap_or(rest).split('/');
        let is_of_namespace = |name: &str| matches!(name, "status" | "finalize");
        let mut ahead = segments.clone();
        if let (Some("namespaces"), Some(namespace), Some(third)) = (ahead.next(), ahead.next(), ahead.next())
            && !(ahead.next().is_none() && is_of_namespace(third))
        {
            target.namespace = Some(namespace);
            segments.nth(1);
        }
        target.plural = segments.next()?;
        target.name = segments.next();
        target.subresource = segments.next();
        Some(target)
    }

    /// Whether a request to it is a watch.
    pub(crate) fn is_watch(&self, request: &Incoming<'_>) -> bool {
        request.method == "GET" && (self.is_legacy_watch || self.name.is_none() && request.is_set("watch"))
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn paths_name_resources() {
        let target = |path| {
            let target = Target::of(path)?;
            Some((target.namespace, target.plural, target.name, target.subresource))
        };
        assert_eq!(target("/api/v1/pods"), Some((None, "pods", None, None)));
        assert_eq!(target("/api/v1/namespaces/a/pods/"), Some((Some("a"), "pods", None, None)));
        assert_eq!(target("/api/v1/namespaces/a/pods/b/log"), Some((Some("a"), "pods", Some("b"), Some("log"))));
        assert_eq!(target("/api/v1/namespaces/a"), Some((None, "namespaces", Some("a"), None)));
        assert_eq!(target("/api/v1/namespaces/a/status"), Some((None, "namespaces", Some("a"), Some("status"))));
        assert!(Target::of("/api/v1/watch/namespaces/a/pods/b").is_some_and(|target| target.is_legacy_watch));
        assert_eq!(target("/apis/apps/v1"), None);
        assert_eq!(target("/version"), None);
    }
}
