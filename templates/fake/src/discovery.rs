//! A server's description of itself: version, health, groups, resources and documents.

use crate::registry::{Registry, Resource, Subresource, api_version, split};
use crate::request::Incoming;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::Hash;
use kapigen_definitions::version_priority;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The media type of an OpenAPI 2.0 document in protobuf.
pub(crate) const PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
/// The name by which clients request it. It is not valid, so no response states it.
const PROTOBUF_OF_CLIENTS: &str = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

/// OpenAPI documents that a server publishes instead of the ones with which its kinds were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents {
    /// By their paths. The last one of a path wins.
    published: Vec<(String, Value)>,
}

impl Documents {
    /// Publishes the document at a path.
    pub(crate) fn publish(&mut self, path: String, document: Value) {
        self.published.push((path, document));
    }

    /// The document at a path, such as `apis/apps/v1`.
    fn get(&self, registry: &Registry, path: &str) -> Option<Value> {
        let published = self.published.iter().rev().find(|(known, _)| known == path);
        published.map(|(_, document)| document.clone()).or_else(|| {
            let root = format!("/{path}/");
            let (group, version, rest) = split(&root)?;
            registry.document(group, version).filter(|_| rest.is_empty())
        })
    }
}

/// The paths below `/openapi/v3/`, one for each group and version.
fn document_paths(registry: &Registry) -> Vec<String> {
    let mut paths = Vec::new();
    for (group, versions) in registry.groups() {
        let root = if group.is_empty() { "api" } else { "apis" };
        for version in versions {
            paths.push(format!("{root}/{}", api_version(group, version)));
        }
    }
    paths
}

/// A response that is about the server itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum About {
    Json(Value),
    /// Groups or resources, in one of these media types.
    Listed(Value, Listing),
    /// All groups and their resources at once.
    Aggregated(Value),
    /// JSON with the content type of plain text.
    Index(Value),
    Text(String),
    /// An OpenAPI 2.0 document in protobuf that is empty, and so has no bytes.
    EmptyProtobuf,
    NotAllowed,
    /// 404 in plain text.
    NoPage,
    /// 404 without a body.
    Nothing,
}

/// The way in which a server responds with groups and resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    /// By a route, which has methods and media types.
    Routed,
    /// By a handler that ignores the method, as in the aggregation layer and for custom resources.
    Handled,
}

/// The response for a path that is about the server itself. `None` for all other paths.
pub(crate) fn about(
    registry: &Registry,
    request: &Incoming<'_>,
    documents: &Documents,
) -> Option<About> {
    let path = request.path.trim_end_matches('/');
    let is_health = matches!(
        path,
        "/healthz" | "/readyz" | "/livez" | "/healthz/ping" | "/readyz/ping" | "/livez/ping"
    );
    let found = match path {
        _ if is_health => {
            About::Text(if request.method == "HEAD" { String::new() } else { "ok".to_owned() })
        }
        "" => About::Json(json!({"paths": paths(registry)})),
        "/version" => About::Json(version(registry)),
        "/api" if wants_all(request) => About::Aggregated(aggregated(registry, str::is_empty)),
        "/api" => About::Listed(core(registry), Listing::Routed),
        "/apis" if wants_all(request) => {
            About::Aggregated(aggregated(registry, |group| !group.is_empty()))
        }
        "/apis" => About::Listed(groups(registry), Listing::Handled),
        "/openapi/v3" => About::Index(index(registry)),
        // kubectl before 1.29 requests it, and accepts an empty one.
        "/openapi/v2" if accepts_protobuf(request) => About::EmptyProtobuf,
        "/openapi/v2" => About::Json(
            json!({"swagger": "2.0", "info": {"title": "fake", "version": "fake"}, "paths": {}}),
        ),
        "/swagger.json" => About::NoPage,
        _ => below(registry, path, documents)?,
    };
    let is_handled = matches!(found, About::Listed(_, Listing::Handled));
    let reads = request.method == "GET" || is_health && request.method == "HEAD" || is_handled;
    Some(if reads { found } else { About::NotAllowed })
}

fn below(registry: &Registry, path: &str, documents: &Documents) -> Option<About> {
    if let Some(wanted) = path.strip_prefix("/openapi/v3/") {
        return Some(documents.get(registry, wanted).map_or(About::Nothing, About::Json));
    }
    let (group, version) = if let Some(version) = path.strip_prefix("/api/") {
        ("", Some(version))
    } else {
        let rest = path.strip_prefix("/apis/")?;
        rest.split_once('/').map_or((rest, None), |(group, version)| (group, Some(version)))
    };
    if version.is_some_and(|version| version.contains('/')) {
        return None;
    }
    let groups = registry.groups();
    let versions = groups.get(group)?;
    match version {
        None => Some(About::Listed(self::group(group, versions.iter().copied()), Listing::Handled)),
        Some(version) if versions.contains(version) => {
            let is_built_in =
                registry.of_version(group, version).any(|resource| resource.custom.is_none());
            let listing = if is_built_in { Listing::Routed } else { Listing::Handled };
            Some(About::Listed(resource_list(registry, group, version), listing))
        }
        Some(_) => None,
    }
}

/// The release of Kubernetes whose kinds are served, or the oldest one that behaves as this server.
fn version(registry: &Registry) -> Value {
    let minor = registry.release();
    let [minor, before] = [minor, minor - 1].map(|minor| minor.to_string());
    json!({
        "major": "1", "minor": minor, "emulationMajor": "1", "emulationMinor": minor,
        "minCompatibilityMajor": "1", "minCompatibilityMinor": before,
        "gitVersion": format!("v1.{minor}.0"), "gitCommit": "", "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z", "goVersion": "none", "compiler": "none", "platform": "fake/fake",
    })
}

/// Whether the client asks for all groups and resources at once, in the version that this server
/// has. Older clients ask for `v2beta1`, and take a list of groups instead.
fn wants_all(request: &Incoming<'_>) -> bool {
    let accept = request
        .headers
        .get_all(http::header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let wanted = ["g=apidiscovery.k8s.io", "v=v2", "as=APIGroupDiscoveryList"];
    accept.flat_map(|text| text.split(',')).any(|clause| {
        let stated: Vec<_> = clause.split(';').map(str::trim).collect();
        wanted.iter().all(|parameter| stated.contains(parameter))
    })
}

fn accepts_protobuf(request: &Incoming<'_>) -> bool {
    let accept = request
        .headers
        .get_all(http::header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok());
    accept
        .flat_map(|text| text.split(','))
        .any(|clause| [PROTOBUF, PROTOBUF_OF_CLIENTS].contains(&clause.trim()))
}

fn core(registry: &Registry) -> Value {
    json!({
        "kind": "APIVersions",
        "versions": registry.groups().get("").into_iter().flatten().collect::<Vec<_>>(),
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": "fake"}],
    })
}

fn groups(registry: &Registry) -> Value {
    let all = registry.groups();
    let named = all.iter().filter(|(group, _)| !group.is_empty());
    let groups: Vec<_> = named
        .map(|(group, versions)| {
            let mut group = self::group(group, versions.iter().copied());
            if let Value::Object(members) = &mut group {
                members.retain(|name, _| !matches!(name.as_str(), "kind" | "apiVersion"));
            }
            group
        })
        .collect();
    json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
}

fn group<'a>(group: &str, versions: impl Iterator<Item = &'a str>) -> Value {
    let mut versions: Vec<_> = versions.collect();
    versions.sort_by_key(|version| Reverse(version_priority(version)));
    let versions = versions
        .into_iter()
        .map(|version| json!({"groupVersion": api_version(group, version), "version": version}));
    let versions: Vec<_> = versions.collect();
    let preferred = versions.first().cloned();
    json!({"kind": "APIGroup", "apiVersion": "v1", "name": group, "versions": versions, "preferredVersion": preferred})
}

fn paths(registry: &Registry) -> Vec<String> {
    let mut paths: Vec<String> = [
        "/api",
        "/apis",
        "/healthz",
        "/livez",
        "/openapi/v2",
        "/openapi/v3",
        "/readyz",
        "/version",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.extend(document_paths(registry).iter().map(|path| format!("/{path}")));
    paths.extend(
        registry
            .groups()
            .keys()
            .filter(|group| !group.is_empty())
            .map(|group| format!("/apis/{group}")),
    );
    paths.sort();
    paths
}

fn index(registry: &Registry) -> Value {
    let mut paths = json!({});
    for path in document_paths(registry) {
        paths[&path] = json!({"serverRelativeURL": format!("/openapi/v3/{path}?hash=0")});
    }
    json!({"paths": paths})
}

fn resource_list(registry: &Registry, group: &str, version: &str) -> Value {
    let mut resources = Vec::new();
    for resource in registry.of_version(group, version) {
        let mut entry = json!({
            "name": resource.plural, "singularName": resource.singular, "namespaced": resource.namespaced,
            "kind": resource.kind, "verbs": verbs(resource),
        });
        for (name, words) in
            [("shortNames", short_names(resource)), ("categories", categories(resource))]
        {
            if !words.is_empty() {
                entry[name] = json!(words);
            }
        }
        if resource.is_watched {
            entry["storageVersionHash"] = json!(storage_hash(&registry.storage_of(resource)));
        }
        resources.push(entry);
        for (name, subresource) in subresources(resource) {
            let mut entry = json!({
                "name": format!("{}/{name}", resource.plural), "singularName": "", "namespaced": resource.namespaced,
                "kind": subresource.kind, "verbs": subresource_verbs(&subresource.methods),
            });
            if (subresource.group.as_str(), subresource.version.as_str()) != (group, version) {
                entry["group"] = json!(subresource.group);
                entry["version"] = json!(subresource.version);
            }
            resources.push(entry);
        }
    }
    let mut list = json!({"kind": "APIResourceList", "groupVersion": api_version(group, version), "resources": resources});
    // The core group is older than this member.
    if !group.is_empty() {
        list["apiVersion"] = json!("v1");
    }
    list
}

/// The hash of a version and kind in which objects are stored.
fn storage_hash(stored: &str) -> String {
    STANDARD.encode(&Hash::hash(stored.as_bytes())[..8])
}

/// All groups that a predicate takes, with their resources (`apidiscovery.k8s.io/v2`).
fn aggregated(registry: &Registry, takes: impl Fn(&str) -> bool) -> Value {
    let groups = registry.groups();
    let groups = groups.iter().filter(|(group, _)| takes(group)).map(|(group, versions)| {
        let mut versions: Vec<_> = versions.iter().collect();
        versions.sort_by_key(|version| Reverse(version_priority(version)));
        let versions = versions.into_iter().map(|version| {
            let resources = registry.of_version(group, version);
            let resources: Vec<_> =
                resources.map(|resource| aggregated_resource(resource)).collect();
            json!({"version": version, "resources": resources, "freshness": "Current"})
        });
        let metadata = if group.is_empty() { json!({}) } else { json!({"name": group}) };
        json!({"metadata": metadata, "versions": versions.collect::<Vec<_>>()})
    });
    json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {},
        "items": groups.collect::<Vec<_>>(),
    })
}

fn aggregated_resource(resource: &Resource) -> Value {
    let kind = json!({"group": resource.group, "version": resource.version, "kind": resource.kind});
    let subresources = subresources(resource).into_iter().map(|(name, subresource)| {
        json!({
            "subresource": name,
            "responseKind": {"group": subresource.group, "version": subresource.version, "kind": subresource.kind},
            "verbs": subresource_verbs(&subresource.methods),
        })
    });
    json!({
        "resource": resource.plural, "responseKind": kind,
        "scope": if resource.namespaced { "Namespaced" } else { "Cluster" },
        "singularResource": resource.singular, "verbs": verbs(resource),
        "shortNames": short_names(resource), "categories": categories(resource),
        "subresources": subresources.collect::<Vec<_>>(),
    })
}

/// The subresources by name; of custom resources the status comes first.
fn subresources(resource: &Resource) -> Vec<(&String, &Subresource)> {
    let mut all: Vec<_> = resource.subresources.iter().collect();
    all.sort_by_key(|(name, _)| resource.custom.is_some() && *name != "status");
    all
}

fn short_names(resource: &Resource) -> Vec<String> {
    let own = resource.custom.as_ref().map(|custom| custom.short_names.clone());
    own.unwrap_or_else(|| {
        resource.facts.short_names.iter().map(|name| (*name).to_owned()).collect()
    })
}

fn categories(resource: &Resource) -> Vec<String> {
    let own = resource.custom.as_ref().map(|custom| custom.categories.clone());
    own.unwrap_or_else(|| resource.facts.categories.iter().map(|name| (*name).to_owned()).collect())
}

fn verbs(resource: &Resource) -> Vec<&'static str> {
    let mut verbs = Vec::new();
    for (methods, method, verb) in [
        (&resource.object, "DELETE", "delete"),
        (&resource.object, "GET", "get"),
        (&resource.object, "PATCH", "patch"),
        (&resource.object, "PUT", "update"),
        (&resource.collection, "DELETE", "deletecollection"),
        (&resource.collection, "GET", "list"),
        (&resource.collection, "POST", "create"),
    ] {
        if methods.contains(method) {
            verbs.push(verb);
        }
    }
    verbs.extend(resource.is_watched.then_some("watch"));
    verbs.sort_unstable();
    // The handler of custom resources lists what it serves in an order of its own.
    if resource.custom.is_some() {
        let order =
            ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
        verbs.sort_by_key(|verb| order.iter().position(|known| known == verb));
    }
    verbs
}

fn subresource_verbs(methods: &BTreeSet<String>) -> Vec<&'static str> {
    let pairs = [
        ("POST", "create"),
        ("DELETE", "delete"),
        ("GET", "get"),
        ("PATCH", "patch"),
        ("PUT", "update"),
    ];
    pairs
        .into_iter()
        .filter(|(method, _)| methods.contains(*method))
        .map(|(_, verb)| verb)
        .collect()
}
