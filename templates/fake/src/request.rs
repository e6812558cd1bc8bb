//! Requests, parsed.

use crate::failure::Failure;
use crate::key::Key;
use crate::registry::Resource;
use crate::registry::api_version;
use crate::tree::{Body, from_json, from_yaml};
use bytes::Bytes;
use http::header::{CONTENT_TYPE, USER_AGENT};
use kapigen_runtime::__private::{is_true, pairs};
use kapigen_runtime::Verb;
use kapigen_runtime::jiff::Timestamp;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// The media types of bodies that are objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaType {
    Json,
    Yaml,
    Protobuf,
    Other,
}

/// The first bytes of all bodies in protobuf.
pub(crate) const PROTOBUF_PREFIX: &[u8] = b"k8s\0";

/// The parts of an HTTP request.
#[derive(Clone, Debug)]
pub(crate) struct Incoming<'a> {
    pub(crate) method: &'a str,
    /// Decoded before it is split, so an encoded slash counts as a slash.
    pub(crate) path: Cow<'a, str>,
    query: Vec<(String, String)>,
    pub(crate) headers: &'a http::HeaderMap,
    pub(crate) body: &'a [u8],
}

/// The kind of the body of a delete.
const DELETE_OPTIONS: &str = "DeleteOptions";

/// A request to a resource.
#[derive(Clone, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) incoming: &'a Incoming<'a>,
    /// The body as a tree, if it did not come as bytes.
    pub(crate) tree: Option<&'a Value>,
    pub(crate) verb: Verb,
    pub(crate) resource: Arc<Resource>,
    /// The namespace of the path. `None` for kinds of the cluster, and for all namespaces.
    pub(crate) namespace: Option<&'a str>,
    /// The name in the path. Empty for a collection.
    pub(crate) name: &'a str,
    /// The subresource in the path. Empty for the object itself.
    pub(crate) subresource: &'a str,
    pub(crate) now: Timestamp,
    /// Whether an object of a built-in kind is checked and completed by the rules of its kind. A
    /// test may store any.
    pub(crate) is_checked: bool,
}

impl<'a> Incoming<'a> {
    pub(crate) fn new(request: &'a http::Request<Bytes>) -> Self {
        let query = request.uri().query().unwrap_or_default();
        Self {
            method: request.method().as_str(),
            path: percent_decode_str(request.uri().path()).decode_utf8_lossy(),
            query: pairs(query)
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect(),
            headers: request.headers(),
            body: request.body(),
        }
    }

    /// The first parameter with this name. Empty if it is absent.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.query.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// All parameters with this name.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        self.query.iter().filter(|(known, _)| known == name).map(|(_, value)| &**value).collect()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.query.iter().any(|(known, _)| known == name)
    }

    /// Whether a flag is set. Any value but `false` and `0` sets it, even an empty one.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        let value = self.query.iter().find(|(known, _)| known == name);
        value.is_some_and(|(_, value)| is_true(value))
    }

    /// A number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<i64>, Failure> {
        let text = self.get(name);
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|_| {
            Failure::bad_request(format!("strconv.ParseInt: parsing \"{text}\": invalid syntax"))
        })
    }

    /// The media type of the body as the request states it, without parameters. Media types of
    /// patches are compared verbatim.
    pub(crate) fn content_type(&self) -> &'a str {
        let value = self
            .headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        value.split(';').next().unwrap_or_default().trim()
    }

    /// The media type of a body that is an object, in any case. The default is JSON.
    pub(crate) fn media_type(&self) -> MediaType {
        match &*self.content_type().to_ascii_lowercase() {
            "" | "application/json" => MediaType::Json,
            "application/yaml" => MediaType::Yaml,
            "application/vnd.kubernetes.protobuf" => MediaType::Protobuf,
            _ => MediaType::Other,
        }
    }

    /// The field manager: the query parameter or, by default, the name of the program.
    pub(crate) fn manager(&self) -> &str {
        let stated = self.get("fieldManager");
        if !stated.is_empty() {
            return stated;
        }
        let agent =
            self.headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or("unknown");
        agent.split('/').next().unwrap_or(agent)
    }

    /// The body, JSON or YAML, as a tree, and its duplicate members. Errors are worded as by a
    /// server.
    pub(crate) fn parsed(&self) -> Result<Body, String> {
        if self.media_type() == MediaType::Yaml {
            return from_yaml(self.body);
        }
        from_json(self.body)
            .map_err(|why| format!("couldn't get version/kind; json parse error: {why}"))
    }
}

/// The kind of the options of a verb, as errors name it.
pub(crate) fn options_kind(verb: Verb) -> &'static str {
    match verb {
        Verb::Create => "CreateOptions",
        Verb::Patch => "PatchOptions",
        Verb::Delete | Verb::DeleteCollection => DELETE_OPTIONS,
        Verb::Replace => "UpdateOptions",
        Verb::Get | Verb::Connect => "GetOptions",
        Verb::List | Verb::Watch => "ListOptions",
    }
}

impl Request<'_> {
    /// The first query parameter with this name. Empty if it is absent.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.incoming.get(name)
    }

    /// The body as a tree, and its duplicate members. Errors are worded as by a server.
    pub(crate) fn body(&self) -> Result<Body, String> {
        match self.tree {
            Some(tree) => Ok(Body { tree: tree.clone(), ..Body::default() }),
            None if self.incoming.media_type() == MediaType::Protobuf => {
                let (api_version, kind) = self.expected();
                let message = self.incoming.body.strip_prefix(PROTOBUF_PREFIX);
                crate::protobuf::decode(message.unwrap_or_default(), [&api_version, kind])
            }
            None => self.incoming.parsed(),
        }
    }

    /// Whether a body in protobuf is read.
    pub(crate) fn reads_protobuf(&self) -> bool {
        let (api_version, kind) = self.expected();
        let is_own = self.resource.custom.is_none() || kind == DELETE_OPTIONS;
        is_own && crate::protobuf::has(&api_version, kind)
    }

    /// The version and the kind of the body that the operation takes.
    fn expected(&self) -> (String, &str) {
        let resource = &self.resource;
        let kind = match resource.subresources.get(self.subresource) {
            _ if matches!(self.verb, Verb::Delete | Verb::DeleteCollection) => DELETE_OPTIONS,
            Some(part) => return (api_version(&part.group, &part.version), &part.kind),
            None => &resource.kind,
        };
        (resource.api_version().to_owned(), kind)
    }

    /// Whether the request changes nothing.
    pub(crate) fn is_dry_run(&self) -> bool {
        self.incoming.has("dryRun")
    }

    /// The key of an object of the resource and namespace.
    pub(crate) fn key(&self, name: &str) -> Key {
        Key::for_resource(self.resource.key().clone(), self.namespace, name)
    }

    /// The largest number of objects to list.
    pub(crate) fn limit(&self) -> Result<Option<usize>, Failure> {
        let limit = self.incoming.number("limit")?;
        Ok(limit.and_then(|limit| usize::try_from(limit).ok()).filter(|limit| *limit > 0))
    }

    /// Whether this is a resource of a group.
    pub(crate) fn is_of(&self, group: &str, plural: &str) -> bool {
        (self.resource.group.as_str(), self.resource.plural.as_str()) == (group, plural)
    }
}
