//! Paths of operations: group, version, resource, scope and subresource.

use crate::model::{GroupVersion, Scope, Verb};
use serde_json::Value;

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
    /// `/api/{version}/…` or `/apis/{group}/{version}/…`, then as servers lay out their resources. `None` for anything
    /// else, such as discovery (`/apis/apps/v1/`).
    pub(super) fn parse(path: &str) -> Option<Self> {
        let mut segments = path.trim_start_matches('/').split('/').filter(|segment| !segment.is_empty()).peekable();
        let group = match segments.next()? {
            "api" => "",
            "apis" => segments.next()?,
            _ => return None,
        };
        let version = segments.next()?;
        let watch = segments.next_if_eq(&"watch").is_some();
        let rest: Vec<&str> = segments.collect();
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
            group_version: GroupVersion { group: group.to_owned(), version: version.to_owned() },
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

    /// The verb of a method by the shape of the path, for operations without [`ACTION_EXTENSION`].
    pub(super) fn verb(&self, method: &str) -> Verb {
        if matches!(self.subresource.as_deref(), Some("proxy" | "exec" | "attach" | "portforward")) {
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

/// The extension with the action of an operation.
pub(super) const ACTION_EXTENSION: &str = "x-kubernetes-action";

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
/// When it is none that servers have: the error has the ones that they do.
pub(super) fn verb_of_action(action: &Value) -> Result<Verb, String> {
    let known = action.as_str().and_then(|action| ACTIONS.iter().find(|(known, _)| *known == action));
    known.map(|(_, verb)| *verb).ok_or_else(|| {
        let known: Vec<String> = ACTIONS.iter().map(|(action, _)| format!("`{action}`")).collect();
        format!("`{ACTION_EXTENSION}` is {action}, and servers have {}", known.join(", "))
    })
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
        assert_eq!((path.plural.as_str(), path.named, path.in_namespace, path.watch), ("pods", true, true, false));
        assert_eq!((path.subresource.as_deref(), path.below.as_deref()), (Some("log"), None));
        assert_eq!(path.scope(true), Scope::Namespace);

        let path = parse("/apis/coordination.k8s.io/v1/watch/leases");
        assert_eq!(path.group_version.api_version(), "coordination.k8s.io/v1");
        assert_eq!((path.plural.as_str(), path.named, path.watch), ("leases", false, true));
        assert_eq!((path.scope(true), path.scope(false)), (Scope::AllNamespaces, Scope::Cluster));

        let path = parse("/api/v1/namespaces/{name}/status");
        assert_eq!((path.plural.as_str(), path.named, path.in_namespace), ("namespaces", true, false));

        let path = parse("/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}");
        assert_eq!((path.subresource.as_deref(), path.below.as_deref()), (Some("proxy"), Some("{path}")));
    }

    #[test]
    fn other_paths_are_not() {
        for path in ["/", "/version/", "/api/", "/api/v1/", "/apis/apps/", "/apis/apps/v1/", "/pets/{petId}"] {
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
            assert!(verb_of_action(&unknown).is_err_and(|message| message.contains("`watchlist`")), "{unknown}");
        }
    }
}
