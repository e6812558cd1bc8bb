//! RBAC: the rules that requests need.
//!
//! ```
//! use kapigen_runtime::http;
//! use kapigen_runtime::rbac::Role;
//!
//! let list = http::Request::get("/api/v1/pods?watch=true").body(()).unwrap();
//! let create = http::Request::post("/api/v1/namespaces/web/events").body(()).unwrap();
//! let role = Role::of([&list, &create]);
//! assert!(role.to_yaml("example").contains("kind: ClusterRole\n"));
//! ```
//!
//! A test that runs a program against kapigen-fake knows every request that the program made:
//! `server.distinct_requests()`. Its own requests go through `server.unrecorded()`. It can write
//! the manifest of the role, and fail when the file differs.

use crate::codec::query::{is_true, pairs};
use crate::operation::Verb;
use crate::patch_type::PatchType;
use crate::resource_path::ResourcePath;
use crate::visible::is_unclear;
use http::{Method, Request, Uri};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The rules that requests need: a `ClusterRole` for the whole cluster, and a `Role` for each
/// namespace.
#[doc(alias("ClusterRole", "permissions"))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Role {
    /// By namespace, which is empty for the whole cluster.
    rules: BTreeMap<String, Rules>,
}

/// Verbs by group and resource.
type Rules = BTreeMap<(String, String), BTreeSet<&'static str>>;

/// The access that a server checks for a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Access {
    /// The verb.
    pub verb: Verb,
    /// The group, empty for core.
    pub group: String,
    /// The plural name of the resource, with a subresource after a slash.
    pub resource: String,
    /// The namespace. Empty for all of them, and for objects without one.
    pub namespace: String,
}

impl Access {
    /// The access that a server checks for a request, by its method, path and query. `None` if the
    /// path addresses no resource, such as a path of discovery, which all users may read.
    #[must_use]
    pub fn of<B>(request: &Request<B>) -> Option<Self> {
        Self::of_line(request.method(), request.uri())
    }

    /// The same, by method and URL.
    pub(crate) fn of_line(method: &Method, uri: &Uri) -> Option<Self> {
        // As servers read it.
        let path = percent_encoding::percent_decode_str(uri.path()).decode_utf8_lossy();
        let path = ResourcePath::parse(&path)?;
        // The first parameter with the name counts.
        let watch = pairs(uri.query().unwrap_or_default()).find(|(name, _)| name == "watch");
        let verb = path.verb(method.as_str(), watch.is_some_and(|(_, value)| is_true(&value)))?;
        let ResourcePath { group, plural, namespace, .. } = path;
        let resource =
            path.subresource.map_or_else(|| plural.to_owned(), |part| format!("{plural}/{part}"));
        Some(Self {
            verb,
            group: group.to_owned(),
            resource,
            namespace: namespace.unwrap_or_default().to_owned(),
        })
    }
}

impl Role {
    /// The rules that these requests need. Requests without a resource need none.
    ///
    /// An apply patch also needs `create`, which the server checks if there is no such object yet,
    /// and a watch `list`: an informer lists where a server does not send the objects with the
    /// watch.
    pub fn of<'a, B: 'a>(requests: impl IntoIterator<Item = &'a Request<B>>) -> Self {
        let mut role = Self::default();
        for request in requests {
            let Some(access) = Access::of(request) else { continue };
            let patch_type =
                request.headers().get(http::header::CONTENT_TYPE).and_then(PatchType::from_header);
            if patch_type == Some(PatchType::Apply) && !access.resource.contains('/') {
                role.allow(&Access { verb: Verb::Create, ..access.clone() });
            }
            if access.verb == Verb::Watch {
                role.allow(&Access { verb: Verb::List, ..access.clone() });
            }
            role.allow(&access);
        }
        role
    }

    /// Allows an access.
    pub fn allow(&mut self, access: &Access) {
        let rules = self.rules.entry(access.namespace.clone()).or_default();
        rules
            .entry((access.group.clone(), access.resource.clone()))
            .or_default()
            .insert(access.verb.as_str());
    }

    /// The same rules, with the rules of this namespace for the whole cluster: tests use one
    /// namespace; users may use any.
    #[must_use]
    pub fn cluster_wide(mut self, namespace: &str) -> Self {
        let moved = self.rules.remove(namespace).unwrap_or_default();
        let all = self.rules.entry(String::new()).or_default();
        for (resource, verbs) in moved {
            all.entry(resource).or_default().extend(verbs);
        }
        self
    }

    /// The manifests: a `ClusterRole` of this name for access in the whole cluster, and a `Role` in
    /// each namespace for access in that namespace alone. The same rules give the same text.
    #[must_use]
    pub fn to_yaml(&self, name: &str) -> String {
        let everywhere = self.rules.get("");
        let mut text = String::new();
        for (namespace, rules) in &self.rules {
            let rest = |resource, verbs: &BTreeSet<&'static str>| -> BTreeSet<&'static str> {
                let granted = everywhere
                    .filter(|_| !namespace.is_empty())
                    .and_then(|rules| rules.get(resource));
                verbs
                    .iter()
                    .copied()
                    .filter(|verb| !granted.is_some_and(|granted| granted.contains(verb)))
                    .collect()
            };
            // Resources of one group with the same verbs are one rule.
            let mut together: BTreeMap<(&str, BTreeSet<&str>), Vec<&str>> = BTreeMap::new();
            for (resource, verbs) in rules {
                let verbs = rest(resource, verbs);
                if !verbs.is_empty() {
                    together.entry((&resource.0, verbs)).or_default().push(&resource.1);
                }
            }
            if !together.is_empty() {
                write_role(&mut text, name, namespace, &together);
            }
        }
        text
    }
}

fn write_role(
    text: &mut String,
    name: &str,
    namespace: &str,
    rules: &BTreeMap<(&str, BTreeSet<&str>), Vec<&str>>,
) {
    let kind = if namespace.is_empty() { "ClusterRole" } else { "Role" };
    if !text.is_empty() {
        text.push_str("---\n");
    }
    let mut write = |line: std::fmt::Arguments<'_>| {
        writeln!(text, "{line}").expect("a string takes everything");
    };
    write(format_args!("apiVersion: rbac.authorization.k8s.io/v1"));
    write(format_args!("kind: {kind}"));
    write(format_args!("metadata:"));
    write(format_args!("  name: {}", quoted(name)));
    if !namespace.is_empty() {
        write(format_args!("  namespace: {}", quoted(namespace)));
    }
    write(format_args!("rules:"));
    for ((group, verbs), resources) in rules {
        write(format_args!("- apiGroups: [{}]", quoted(group)));
        write(format_args!("  resources: [{}]", joined(resources.iter().copied())));
        write(format_args!("  verbs: [{}]", joined(verbs.iter().copied())));
    }
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(quoted).collect::<Vec<_>>().join(", ")
}

/// A string of YAML: in quotes, so that it is neither a number nor a boolean. YAML has fewer
/// characters than JSON; others are escaped as in kapigen-yaml, on which the runtime does not
/// depend, and so are invisible ones.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    let mut quoted = String::with_capacity(json.len());
    for c in json.chars() {
        if is_unclear(c) || matches!(c, '\u{fffe}' | '\u{ffff}') {
            write!(quoted, "\\U{:08x}", u32::from(c)).expect("a string takes everything");
        } else {
            quoted.push(c);
        }
    }
    quoted
}
