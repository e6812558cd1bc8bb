//! Resources, one group and version at a time, or all at once.

use crate::registry::{Registry, Resource, api_version};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) fn resource_list(registry: &Registry, group: &str, version: &str) -> Value {
    let mut resources = Vec::new();
    for resource in registry.of_version(group, version) {
        let mut entry = json!({
            "name": resource.plural, "singularName": resource.singular, "namespaced": resource.namespaced,
            "kind": resource.kind, "verbs": verbs(resource),
        });
        for (name, words) in [("shortNames", short_names(resource)), ("categories", categories(resource))] {
            if !words.is_empty() {
                entry[name] = json!(words);
            }
        }
        resources.push(entry);
        for (name, subresource) in &resource.subresources {
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
    let mut list =
        json!({"kind": "APIResourceList", "groupVersion": api_version(group, version), "resources": resources});
    // The core group is older than this member.
    if !group.is_empty() {
        list["apiVersion"] = json!("v1");
    }
    list
}

/// All groups that a predicate takes, with their resources (`apidiscovery.k8s.io/v2`).
pub(super) fn aggregated(registry: &Registry, takes: impl Fn(&str) -> bool) -> Value {
    let groups = registry.groups();
    let groups = groups.iter().filter(|(group, _)| takes(group)).map(|(group, versions)| {
        let versions = versions.iter().map(|version| {
            let resources = registry.of_version(group, version);
            let resources: Vec<_> = resources.map(|resource| aggregated_resource(resource)).collect();
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
    let subresources = resource.subresources.iter().map(|(name, subresource)| {
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

fn short_names(resource: &Resource) -> Vec<String> {
    let own = resource.custom.as_ref().map(|custom| custom.short_names.clone());
    own.unwrap_or_else(|| resource.facts.short_names.iter().map(|name| (*name).to_owned()).collect())
}

fn categories(resource: &Resource) -> Vec<String> {
    let own = resource.custom.as_ref().map(|custom| custom.categories.clone());
    own.unwrap_or_else(|| resource.facts.categories.iter().map(|name| (*name).to_owned()).collect())
}

fn verbs(resource: &Resource) -> Vec<&'static str> {
    let mut verbs = Vec::new();
    let of = |methods: &BTreeSet<String>, pairs: &[(&str, &'static str)]| -> Vec<&'static str> {
        pairs.iter().filter(|(method, _)| methods.contains(*method)).map(|(_, verb)| *verb).collect()
    };
    verbs.extend(of(&resource.object, &[("DELETE", "delete"), ("GET", "get"), ("PATCH", "patch"), ("PUT", "update")]));
    verbs.extend(of(
        &resource.collection,
        &[("DELETE", "deletecollection"), ("GET", "list"), ("GET", "watch"), ("POST", "create")],
    ));
    verbs.sort_unstable();
    verbs
}

fn subresource_verbs(methods: &BTreeSet<String>) -> Vec<&'static str> {
    let pairs = [("POST", "create"), ("DELETE", "delete"), ("GET", "get"), ("PATCH", "patch"), ("PUT", "update")];
    pairs.into_iter().filter(|(method, _)| methods.contains(*method)).map(|(_, verb)| verb).collect()
}
