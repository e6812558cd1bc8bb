//! Paths of operations: group, version, resource, scope and subresource, and the paths that have
//! none.

use crate::model::{GroupVersion, Scope, Verb};
use crate::names;
use crate::openapi::resolve::Documents;
use kapigen_definitions::schema_keywords::ACTION;
use serde_json::Value;
use std::collections::BTreeSet;

/// The parts of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResourcePath {
    pub(super) group_version: GroupVersion,
    pub(super) plural: String,
    /// The path ends with one object, or below it.
    pub(super) named: bool,
    pub(super) in_namespace: bool,
    /// The deprecated `/watch/` form.
    pub(super) watch: bool,
    pub(super) subresource: Option<String>,
    /// Path below the subresource.
    pub(super) below: Option<String>,
}

impl ResourcePath {
    /// `/api/{version}/…` or `/apis/{group}/{version}/…`, then as servers lay out their resources.
    /// `None` for anything else, such as discovery (`/apis/apps/v1/`).
    pub(super) fn parse(path: &str) -> Option<Self> {
        let mut segments =
            path.trim_start_matches('/').split('/').filter(|segment| !segment.is_empty());
        let group = match segments.next()? {
            "api" => "",
            "apis" => segments.next()?,
            _ => return None,
        };
        let version = segments.next()?;
        let mut rest: Vec<&str> = segments.collect();
        // `watch/{name}` is an object of a resource with this name.
        let watch = matches!(rest.as_slice(), ["watch", next, ..] if !next.starts_with('{'));
        if watch {
            rest.remove(0);
        }
        // `namespaces/{namespace}/pods` is about pods; `namespaces/{name}` is about namespaces.
        let (in_namespace, rest) = match rest.as_slice() {
            ["namespaces", "{namespace}", rest @ ..] if !rest.is_empty() => (true, rest),
            rest => (false, rest),
        };
        let (plural, rest) = rest.split_first()?;
        if plural.starts_with('{') {
            return None;
        }
        let (named, rest) = match rest {
            [name, rest @ ..] if name.starts_with('{') => (true, rest),
            rest => (false, rest),
        };
        Some(Self {
            group_version: GroupVersion::new(group, version),
            plural: (*plural).to_owned(),
            named,
            in_namespace,
            watch,
            subresource: rest.first().map(|name| (*name).to_owned()),
            below: rest.get(1..).filter(|below| !below.is_empty()).map(|below| below.join("/")),
        })
    }

    /// The scope of the path, given whether the objects of its resource live in namespaces.
    pub(super) fn scope(&self, namespaced: bool) -> Scope {
        match (self.in_namespace, namespaced) {
            (true, _) => Scope::Namespace,
            (false, true) => Scope::AllNamespaces,
            (false, false) => Scope::Cluster,
        }
    }

    /// The verb of a method by the shape of the path, for operations without [`ACTION`].
    pub(super) fn verb(&self, method: &str) -> Verb {
        if matches!(self.subresource.as_deref(), Some("proxy" | "exec" | "attach" | "portforward"))
        {
            return Verb::Connect;
        }
        match (method, self.named) {
            ("get", _) if self.watch => Verb::Watch,
            ("get", true) => Verb::Get,
            ("get", false) => Verb::List,
            ("post", _) => Verb::Create,
            ("put", _) => Verb::Replace,
            ("patch", _) => Verb::Patch,
            ("delete", true) => Verb::Delete,
            ("delete", false) => Verb::DeleteCollection,
            _ => Verb::Connect,
        }
    }
}

/// The actions that servers have, and their verbs.
const ACTIONS: [(&str, Verb); 10] = [
    ("connect", Verb::Connect),
    ("delete", Verb::Delete),
    ("deletecollection", Verb::DeleteCollection),
    ("get", Verb::Get),
    ("list", Verb::List),
    ("patch", Verb::Patch),
    ("post", Verb::Create),
    ("put", Verb::Replace),
    ("watch", Verb::Watch),
    ("watchlist", Verb::Watch),
];

/// The verb of an action.
///
/// # Errors
/// When servers have no such action: the error lists the ones that they have.
pub(super) fn verb_of_action(action: &Value) -> Result<Verb, String> {
    let known =
        action.as_str().and_then(|action| ACTIONS.iter().find(|(known, _)| *known == action));
    known.map(|(_, verb)| *verb).ok_or_else(|| {
        let known: Vec<String> = ACTIONS.iter().map(|(action, _)| format!("`{action}`")).collect();
        format!("`{ACTION}` is {action}, and servers have {}", known.join(", "))
    })
}

/// The characters of a path that need no escape, beside ASCII letters and digits (RFC 3986: `pchar`
/// without percent signs, which a server decodes).
const PLAIN: &str = "-._~!$&'()*+,;=:@";

const SPELLED_OUT: &str = "API servers serve fixed groups and versions; write them out";
const WHOLE: &str = "a parameter is a whole segment, as in `/pods/{name}`";
const ENCODED: &str =
    "paths have ASCII letters, digits and `-._~!$&'()*+,;=:@`; a query is declared as parameters";
const RESOLVED: &str =
    "clients and servers resolve it before they look at the path; write the intended path";
const SHORTER: &str =
    "names of resources and subresources have at most 63 characters on API servers";
const SEGMENTS: &str = "begin it with a slash, and put one slash between segments";

/// The error of a path, and the way to correct it.
pub(super) fn mistake(path: &str, resource: &ResourcePath) -> Option<(String, &'static str)> {
    let GroupVersion { group, version } = &resource.group_version;
    let below = [&resource.subresource, &resource.below]
        .map(|part| part.as_deref().unwrap_or_default())
        .join("_");
    let long = too_long("resource", &resource.plural).or_else(|| too_long("subresource", &below));
    if let Some(message) = long {
        return Some((message, SHORTER));
    }
    if [group, version].iter().any(|part| part.contains(['{', '}'])) {
        return Some(("group or version of the path is a parameter".to_owned(), SPELLED_OUT));
    }
    template_mistake(path)
}

/// The error for a resource or subresource with a Rust name that is too long.
fn too_long(part: &str, name: &str) -> Option<String> {
    let length = names::module(name)?.len();
    let most = names::LONGEST_RESOURCE;
    (length > most).then(|| {
        format!(
            "the {part} of the path makes a Rust name of {length} characters; it can have {most}"
        )
    })
}

/// The error of a path template. Arguments are encoded when a request is made; everything else is
/// sent as the document has it.
fn template_mistake(path: &str) -> Option<(String, &'static str)> {
    let Some(path) = path.strip_prefix('/') else {
        return Some(("the path does not begin with a slash".to_owned(), SEGMENTS));
    };
    let mut names = BTreeSet::new();
    // A slash may end a path.
    path.strip_suffix('/').unwrap_or(path).split('/').find_map(|segment| match parameter(segment) {
        Some(name) if !names.insert(name) => {
            Some((format!("duplicate path parameter `{name}`"), "rename one of them"))
        }
        Some(_) => None,
        None => literal_mistake(segment),
    })
}

/// The name of the parameter that a segment is.
fn parameter(segment: &str) -> Option<&str> {
    let name = segment.strip_prefix('{')?.strip_suffix('}')?;
    (!name.is_empty() && !name.contains(['{', '}'])).then_some(name)
}

fn literal_mistake(segment: &str) -> Option<(String, &'static str)> {
    match segment {
        "" => Some(("the path has an empty segment".to_owned(), SEGMENTS)),
        "." | ".." => {
            Some((format!("the path has `{segment}`, which leads to another path"), RESOLVED))
        }
        _ if segment.contains(['{', '}']) => Some((
            format!("a parameter is part of the segment `{}`", segment.escape_debug()),
            WHOLE,
        )),
        _ => {
            let odd =
                segment.chars().find(|c| !c.is_ascii_alphanumeric() && !PLAIN.contains(*c))?;
            Some((
                format!("the path has `{}`, which a path cannot have", odd.escape_default()),
                ENCODED,
            ))
        }
    }
}

/// Paths that do not belong to resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherPaths {
    /// The number of paths that list groups, versions and resources, such as `/apis/apps/`.
    pub discovery: usize,
    /// All others, such as `/healthz`.
    pub unknown: Vec<String>,
}

impl OtherPaths {
    /// Collects the paths of all documents that do not belong to resources.
    #[must_use]
    pub fn collect(documents: &Documents) -> Self {
        let paths = documents.paths().map(|(_, path, _)| path);
        let (discovery, unknown): (Vec<&str>, Vec<&str>) = paths
            .filter(|path| ResourcePath::parse(path).is_none())
            .partition(|path| is_discovery(path));
        Self {
            discovery: discovery.len(),
            unknown: unknown.into_iter().map(str::to_owned).collect(),
        }
    }
}

fn is_discovery(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    matches!(parts.as_slice(), ["api" | "apis"] | ["api" | "apis", _] | ["apis", _, _])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(path: &str) -> ResourcePath {
        ResourcePath::parse(path).unwrap_or_else(|| panic!("{path}"))
    }

    #[test]
    fn paths_of_servers_are_understood() {
        let path = parse("/api/v1/namespaces/{namespace}/pods/{name}/log");
        assert_eq!(path.group_version.api_version(), "v1");
        assert_eq!(
            (path.plural.as_str(), path.named, path.in_namespace, path.watch),
            ("pods", true, true, false)
        );
        assert_eq!((path.subresource.as_deref(), path.below.as_deref()), (Some("log"), None));
        assert_eq!(path.scope(true), Scope::Namespace);

        let path = parse("/apis/coordination.k8s.io/v1/watch/leases");
        assert_eq!(path.group_version.api_version(), "coordination.k8s.io/v1");
        assert_eq!((path.plural.as_str(), path.named, path.watch), ("leases", false, true));
        assert_eq!((path.scope(true), path.scope(false)), (Scope::AllNamespaces, Scope::Cluster));

        let path = parse("/apis/example.com/v1/watch/{name}");
        assert_eq!((path.plural.as_str(), path.named, path.watch), ("watch", true, false));

        let path = parse("/api/v1/namespaces/{name}/status");
        assert_eq!(
            (path.plural.as_str(), path.named, path.in_namespace),
            ("namespaces", true, false)
        );

        let path = parse("/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}");
        assert_eq!(
            (path.subresource.as_deref(), path.below.as_deref()),
            (Some("proxy"), Some("{path}"))
        );
    }

    #[test]
    fn other_paths_are_not() {
        for path in [
            "/",
            "/version/",
            "/api/",
            "/api/v1/",
            "/apis/apps/",
            "/apis/apps/v1/",
            "/pets/{petId}",
        ] {
            assert_eq!(ResourcePath::parse(path), None, "{path}");
        }
    }

    #[test]
    fn without_an_action_the_verb_follows_from_method_and_path() {
        let cases = [
            ("/api/v1/pods", "get", Verb::List),
            ("/api/v1/namespaces/{namespace}/pods", "get", Verb::List),
            ("/api/v1/namespaces/{namespace}/pods", "post", Verb::Create),
            ("/api/v1/namespaces/{namespace}/pods", "delete", Verb::DeleteCollection),
            ("/api/v1/namespaces/{namespace}/pods/{name}", "get", Verb::Get),
            ("/api/v1/namespaces/{namespace}/pods/{name}", "put", Verb::Replace),
            ("/api/v1/namespaces/{namespace}/pods/{name}", "patch", Verb::Patch),
            ("/api/v1/namespaces/{namespace}/pods/{name}", "delete", Verb::Delete),
            ("/api/v1/namespaces/{namespace}/pods/{name}/status", "get", Verb::Get),
            ("/api/v1/namespaces/{namespace}/pods/{name}/eviction", "post", Verb::Create),
            ("/api/v1/namespaces/{namespace}/pods/{name}/exec", "get", Verb::Connect),
            ("/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}", "put", Verb::Connect),
            ("/api/v1/watch/pods", "get", Verb::Watch),
            ("/api/v1/watch/namespaces/{namespace}/pods/{name}", "get", Verb::Watch),
        ];
        for (path, method, verb) in cases {
            assert_eq!(parse(path).verb(method), verb, "{method} {path}");
        }
    }

    #[test]
    fn only_actions_of_servers_have_verbs() {
        assert_eq!(verb_of_action(&"connect".into()), Ok(Verb::Connect));
        for unknown in [Value::from("explode"), Value::Null, serde_json::json!(["get"])] {
            assert!(
                verb_of_action(&unknown).is_err_and(|message| message.contains("`watchlist`")),
                "{unknown}"
            );
        }
    }

    #[test]
    fn segments_are_plain_or_parameters() {
        for path in [
            "/api/v1/pods",
            "/api/v1/pods/{name}/proxy/{path}",
            "/api/v1/pods/",
            "/apis/a.b/v1/x:y@z/{a b}",
        ] {
            assert_eq!(template_mistake(path), None, "{path}");
        }
        let bad = [
            "api/v1/pods",
            "//api/v1/pods",
            "/api/v1//pods",
            "/api/v1/pods//",
            "/api/v1/./pods",
            "/api/v1/../pods",
            "/api/v1/pods?dryRun=All",
            "/api/v1/pods#a",
            "/api/v1/po ds",
            "/api/v1/pods\r\nHost: a",
            "/api/v1/p%6Fds",
            "/api/v1/pods\\a",
            "/api/v1/pöds",
            "/api/v1/pods/{name}.json",
            "/api/v1/pods/{a}{b}",
            "/api/v1/pods/x{foo}",
            "/api/v1/pods/{}",
            "/api/v1/pods/{a",
            "/api/v1/pods/{name}/{name}",
        ];
        for path in bad {
            assert!(template_mistake(path).is_some(), "{path}");
        }
    }
}
