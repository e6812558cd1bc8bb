//! Compares the structure of `spec/` with the documents that API servers publish.

use super::documents::{Documents, closure, schema};
use super::intended::{Intended, assert_only};
use kapigen_tests::places::{self, log};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use test_support::compare::differences;

/// Our documents, their counterparts from servers of Kubernetes 1.36 and of OpenShift, and the
/// resources that they have completely.
const PUBLISHED: &[(&str, &str, &[&str])] = &[
    ("core/v1.yaml", "kubernetes-1.36/api/v1.json", &["pods", "endpoints", "events"]),
    (
        "core/v1-objects.yaml",
        "kubernetes-1.36/api/v1.json",
        &[
            "configmaps",
            "secrets",
            "services",
            "serviceaccounts",
            "namespaces",
            "persistentvolumeclaims",
            "nodes",
        ],
    ),
    (
        "apps/v1.yaml",
        "kubernetes-1.36/apis/apps/v1.json",
        &["deployments", "statefulsets", "daemonsets", "replicasets", "controllerrevisions"],
    ),
    ("batch/v1.yaml", "kubernetes-1.36/apis/batch/v1.json", &["jobs", "cronjobs"]),
    (
        "coordination.k8s.io/v1.yaml",
        "kubernetes-1.36/apis/coordination.k8s.io/v1.json",
        &["leases"],
    ),
    ("events.k8s.io/v1.yaml", "kubernetes-1.36/apis/events.k8s.io/v1.json", &["events"]),
    (
        "networking.k8s.io/v1.yaml",
        "kubernetes-1.36/apis/networking.k8s.io/v1.json",
        &["ingresses", "networkpolicies"],
    ),
    ("policy/v1.yaml", "kubernetes-1.36/apis/policy/v1.json", &["poddisruptionbudgets"]),
    (
        "rbac.authorization.k8s.io/v1.yaml",
        "kubernetes-1.36/apis/rbac.authorization.k8s.io/v1.json",
        &["roles", "rolebindings", "clusterroles", "clusterrolebindings"],
    ),
    ("image.openshift.io/v1.yaml", "openshift/apis__image.openshift.io__v1.json", &["images"]),
    (
        "image.openshift.io/v1-streams.yaml",
        "openshift/apis__image.openshift.io__v1.json",
        &["imagestreams", "imagestreamtags"],
    ),
    ("route.openshift.io/v1.yaml", "openshift/manifests/routes.crd.yaml", &["routes"]),
];

/// A document of which `spec/` has shared schemas only.
const ALSO_PUBLISHED: &[(&str, &str, &[&str])] =
    &[("authorization", "kubernetes-1.36/apis/authorization.k8s.io/v1.json", &[])];

/// Schemas that `spec/` has although no path of these resources reaches them, or only by way of its
/// own words.
const ALSO: [&str; 9] = [
    "io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Condition",
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldSelectorRequirement",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Status",
    "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
    "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
    "io.k8s.api.core.v1.Binding",
    "io.k8s.api.core.v1.PodTemplateSpec",
];

const INTENDED: &[Intended] = &[
    Intended {
        place: "documents[*].openapi",
        reason: "3.0.3 is the latest edition of 3.0; servers state the first",
    },
    Intended {
        place: "documents[*].securitySchemes",
        reason: "authentication differs from cluster to cluster",
    },
    Intended {
        place: "documents[\"admission.k8s.io/v1.yaml\"]",
        reason: "no server publishes reviews",
    },
    Intended {
        place: "documents[\"apidiscovery.k8s.io/v2.yaml\"]",
        reason: "no server publishes discovery",
    },
    Intended {
        place: "documents[\"apiextensions.k8s.io/v1.yaml\"]",
        reason: "no server publishes reviews",
    },
    Intended {
        place: "documents[\"meta/v1.yaml\"]",
        reason: "what servers repeat in every document stands here once",
    },
    Intended {
        place: "paths*.parameters*.schema.uniqueItems",
        reason: "a slip of the servers: the word is for arrays, and none of these parameters is \
                 one",
    },
    Intended {
        place: "paths*/watch/*.deprecated",
        reason: "deprecated in words only, in the descriptions",
    },
    Intended {
        place: "schemas[\"io.openshift.route.v1.Route\"]*.x-kubernetes-validations*.message",
        reason: "the messages of rules are prose by others; ours are in our own words",
    },
    Intended {
        place: "schemas[\"io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions\"].\
                x-kubernetes-group-version-kind*",
        reason: "the groups that a server happens to have; ours are those of spec/",
    },
    Intended {
        place: "schemas[\"io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent\"].\
                x-kubernetes-group-version-kind*",
        reason: "the groups that a server happens to have; ours are those of spec/",
    },
];

/// Shared schemas that no document of a group has: servers return such objects, and describe some
/// of them elsewhere.
const NOT_IN_GROUPS: [&str; 11] = [
    "APIGroup",
    "APIGroupList",
    "APIVersions",
    "GroupVersionForDiscovery",
    "PartialObjectMetadata",
    "PartialObjectMetadataList",
    "ServerAddressByClientCIDR",
    "Table",
    "TableColumnDefinition",
    "TableRow",
    "TableRowCondition",
];

/// Schemas of requests to webhooks, and of aggregated discovery, which no document describes.
const NOWHERE: [&str; 3] = [
    "io.k8s.api.admission.v1.",
    "io.k8s.api.apidiscovery.v2.",
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.Conversion",
];

/// Whether a schema is one of those.
fn not_in_groups(name: &str) -> bool {
    name.strip_prefix(META).is_some_and(|name| NOT_IN_GROUPS.contains(&name))
        || NOWHERE.iter().any(|prefix| name.starts_with(prefix))
}

/// The prefix of the names of shared schemas.
const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.";

#[test]
fn structure_is_as_published() {
    let published = read(PUBLISHED);
    let ours = Documents::ours();
    let mut schemas = published.schemas();
    schemas.extend(kubernetes().schemas());
    let mut operations = Map::new();
    for (name, _, resources) in PUBLISHED {
        let one = Documents([((*name).to_owned(), published.0[*name].clone())].into());
        operations.extend(one.operations(|path| resources.contains(&resource(path))));
    }
    let operations = Value::from(operations);
    let reached = closure(&schemas, &operations, &ALSO);
    let wanted: Value = schemas.into_iter().filter(|(name, _)| reached.contains(name)).collect();
    let expected =
        json!({ "documents": heads(&published), "paths": operations, "schemas": wanted });
    let ours_of_groups: Value =
        ours.schemas().into_iter().filter(|(name, _)| !not_in_groups(name)).collect();
    let found = json!({ "documents": heads(&ours), "paths": ours.operations(|_| true), "schemas": ours_of_groups });
    let lines = assert_only(INTENDED, &differences(&expected, &found));
    let count = |what: &str| found[what].as_object().map_or(0, serde_json::Map::len);
    let paths = count("paths");
    let schemas = count("schemas");
    log(&format!(
        "spec/ is as published: {paths} paths, {schemas} schemas. Meant to differ:\n{}",
        lines.join("\n")
    ));
}

/// The documents of Kubernetes. Where OpenShift's servers describe the same schemas, they have an
/// older release of them.
fn kubernetes() -> Documents {
    let mut all = read(PUBLISHED);
    all.0.retain(|name, _| !name.contains("openshift"));
    all.0.extend(read(ALSO_PUBLISHED).0);
    all
}

/// The resource that a path is of: the first part after the version and the namespace.
fn resource(path: &str) -> &str {
    let mut parts = path.split('/').skip(if path.starts_with("/api/") { 3 } else { 4 }).peekable();
    if parts.peek() == Some(&"watch") {
        parts.next();
    }
    let rest: Vec<&str> = parts.collect();
    match rest[..] {
        ["namespaces", _, "status" | "finalize"] => "namespaces",
        ["namespaces", _, resource, ..] | [resource, ..] => resource,
        [] => "",
    }
}

/// Servers publish shared schemas in every document; ours has them once. So all copies must be
/// equal to it.
#[test]
fn copies_are_as_published() {
    let kubernetes = kubernetes();
    let mut ours = Documents::ours().schemas();
    let theirs = kubernetes.schemas();
    ours.retain(|name, _| theirs.contains_key(name));
    let mut all = Vec::new();
    let mut compared = 0;
    for (name, document) in &kubernetes.0 {
        for (schema_name, value) in
            document["components"]["schemas"].as_object().into_iter().flatten()
        {
            let (Some(our), mut value) = (ours.get(schema_name), schema(value)) else { continue };
            // These lists have the resources that a server happens to serve.
            let mut our = our.clone();
            for side in [&mut our, &mut value] {
                side.as_object_mut().map(|side| side.remove("x-kubernetes-group-version-kind"));
            }
            compared += 1;
            let found = differences(&value, &our);
            all.extend(found.iter().map(|found| format!("{name}: {schema_name}.{found}")));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
    assert!(compared > ours.len(), "only {compared} copies were found");
}

/// Our lists may be shorter than the long published ones, but must have no other kinds.
#[test]
fn kinds_are_published() {
    let kinds = |documents: &Documents| -> BTreeSet<String> {
        let schemas = documents
            .0
            .values()
            .filter_map(|document| document["components"]["schemas"].as_object())
            .flatten();
        let kinds = |schema: &Value| {
            schema["x-kubernetes-group-version-kind"].as_array().cloned().unwrap_or_default()
        };
        let one = |name: &String, kind: &Value| {
            format!("{name}: {}/{} {}", kind["group"], kind["version"], kind["kind"])
        };
        schemas
            .flat_map(|(name, schema)| kinds(schema).into_iter().map(move |kind| one(name, &kind)))
            .collect()
    };
    let published = kinds(&read(PUBLISHED));
    let ours = kinds(&Documents::ours());
    let schema =
        |kind: &str| kind.split_once(':').map(|(name, _)| name.to_owned()).unwrap_or_default();
    let invented: Vec<_> =
        ours.difference(&published).filter(|kind| !not_in_groups(&schema(kind))).collect();
    assert!(!ours.is_empty() && invented.is_empty(), "{invented:?}");
}

/// A server described the schemas of discovery in a document that was recorded.
#[test]
fn discovery_is_as_recorded() {
    let folder = places::data("behaviours");
    let recorded = places::text(&folder.join("discovery.jsonl"));
    let mut documents = Documents::default();
    for (index, line) in recorded.lines().enumerate() {
        let scenario: Value = serde_json::from_str(line).expect("recordings are JSON");
        let bodies = scenario["steps"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|step| &step["response"]["body"]);
        let bodies = bodies
            .filter(|body| body["components"]["schemas"].get(format!("{META}APIGroup")).is_some());
        documents.0.extend(bodies.map(|body| (index.to_string(), body.clone())));
    }
    let ours = Documents::ours().schemas();
    let recorded = documents.schemas();
    let both: Vec<_> = recorded.iter().filter(|(name, _)| not_in_groups(name)).collect();
    let expected: Value =
        both.iter().map(|(name, value)| ((*name).clone(), (*value).clone())).collect();
    let found: Value =
        both.iter().map(|(name, _)| ((*name).clone(), ours[*name].clone())).collect();
    assert_eq!(expected.as_object().map(serde_json::Map::len), Some(4), "{expected}");
    _ = assert_only(&[], &differences(&expected, &found));
}

/// Published documents, under our names. A server makes one of a definition.
fn read(documents: &[(&str, &str, &[&str])]) -> Documents {
    let read = |(name, path, _): &(&str, &str, _)| {
        let text = places::text(&places::data(path));
        let value: Value = serde_yaml::from_str(&text).expect("published documents are YAML");
        let value = if kapigen_definitions::is_definition(&value) {
            let definition = kapigen_definitions::Definition::read(&value).expect("a definition");
            kapigen_definitions::documents(&[definition]).remove(0).into_value()
        } else {
            value
        };
        ((*name).to_owned(), value)
    };
    Documents(documents.iter().map(read).collect())
}

/// The version and the security schemes of each document.
fn heads(documents: &Documents) -> Value {
    let head = |document: &Value| json!({ "openapi": document["openapi"], "securitySchemes": document["components"]["securitySchemes"] });
    documents.0.iter().map(|(name, document)| (name.clone(), head(document))).collect()
}
