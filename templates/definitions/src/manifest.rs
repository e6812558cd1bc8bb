//! Manifests of definitions, as a server of `apiextensions.k8s.io/v1` takes them.

use crate::definition::{Column, Definition, Version};
use crate::priority::version_priority;
use crate::schema_keywords::PRESERVE;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The annotation with the last applied configuration, which clients write.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Members of metadata that servers and controllers write, and not the authors of a definition.
const WRITTEN_BY_SERVERS: [&str; 10] = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generation",
    "managedFields",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// Removes the parts of a definition that a cluster wrote: its status, and metadata such as managed
/// fields.
pub fn clean(manifest: &mut Value) {
    let Some(members) = manifest.as_object_mut() else { return };
    members.shift_remove("status");
    let Some(metadata) = members.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    metadata.retain(|name, _| !WRITTEN_BY_SERVERS.contains(&name.as_str()));
    if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
        annotations.shift_remove(LAST_APPLIED);
        if annotations.is_empty() {
            metadata.shift_remove("annotations");
        }
    }
}

/// Makes manifests to install: one of `apiextensions.k8s.io/v1` for each resource, without the
/// parts that a cluster wrote. Versions of a resource in several manifests are merged, and the
/// version with the highest priority is stored.
#[must_use]
pub fn manifests(definitions: &[Definition<'_>]) -> Vec<Value> {
    let mut resources: Vec<Vec<&Definition<'_>>> = Vec::new();
    let mut indexes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for definition in definitions {
        let index =
            *indexes.entry((definition.group(), definition.plural())).or_insert_with(|| {
                resources.push(Vec::new());
                resources.len() - 1
            });
        resources[index].push(definition);
    }
    resources.iter().filter_map(|parts| manifest(parts)).collect()
}

/// The manifest of a resource.
fn manifest(parts: &[&Definition<'_>]) -> Option<Value> {
    let (first, others) = parts.split_first()?;
    let mut manifest = first.manifest().clone();
    clean(&mut manifest);
    if first.name().is_empty() {
        let mut metadata =
            manifest.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
        metadata.insert("name".to_owned(), format!("{}.{}", first.plural(), first.group()).into());
        manifest["metadata"] = Value::Object(metadata);
    }
    if others.is_empty() && manifest["apiVersion"] == "apiextensions.k8s.io/v1" {
        return Some(manifest);
    }
    manifest["apiVersion"] = "apiextensions.k8s.io/v1".into();
    manifest["spec"] = spec(parts);
    Some(manifest)
}

/// The `spec` of a resource with versions in several manifests or in an older form.
fn spec(parts: &[&Definition<'_>]) -> Value {
    let first = parts[0];
    let mut versions: Vec<(&Definition<'_>, &Version<'_>)> = Vec::new();
    let mut indexes = BTreeMap::new();
    for one @ (_, version) in
        parts.iter().flat_map(|part| part.versions().iter().map(move |own| (*part, own)))
    {
        let index = *indexes.entry(version.name()).or_insert(versions.len());
        match versions.get_mut(index) {
            Some(known) if !known.1.is_served() => *known = one,
            Some(_) => {}
            None => versions.push(one),
        }
    }
    let stated = versions.iter().filter(|(_, version)| version.is_storage());
    let served = versions.iter().filter(|(_, version)| version.is_served());
    let stored = stated.max_by_key(|(_, version)| version_priority(version.name()));
    let stored =
        stored.or_else(|| served.max_by_key(|(_, version)| version_priority(version.name())));
    let stored = stored.map(|(_, version)| version.name());
    let mut spec = Map::new();
    spec.insert("group".to_owned(), first.group().into());
    spec.insert(
        "scope".to_owned(),
        if first.is_namespaced() { "Namespaced" } else { "Cluster" }.into(),
    );
    let names = parts.iter().find_map(|part| part.manifest()["spec"].get("names"));
    spec.extend(names.map(|names| ("names".to_owned(), names.clone())));
    // A webhook is preferred, in whichever manifest it is: without it, objects of the other
    // versions would not be converted.
    let conversions = parts.iter().rev().filter_map(|part| conversion(part.manifest()));
    let conversion = conversions.max_by_key(|conversion| conversion["strategy"] == "Webhook");
    spec.extend(conversion.map(|conversion| ("conversion".to_owned(), conversion)));
    let versions = versions.iter().map(|(definition, version)| {
        let mut members = members(definition, version);
        members.insert("storage".to_owned(), (stored == Some(version.name())).into());
        Value::Object(members)
    });
    spec.insert("versions".to_owned(), versions.collect());
    Value::Object(spec)
}

/// The conversion in the form of v1. Older definitions have the parts of a webhook beside its
/// strategy.
fn conversion(manifest: &Value) -> Option<Value> {
    let stated = manifest["spec"].get("conversion").filter(|stated| !stated.is_null())?;
    if stated["strategy"] != "Webhook" || !stated["webhook"].is_null() {
        return Some(stated.clone());
    }
    let versions = match &stated["conversionReviewVersions"] {
        Value::Null => json!(["v1beta1"]),
        versions => versions.clone(),
    };
    let mut webhook = json!({"conversionReviewVersions": versions});
    if !stated["webhookClientConfig"].is_null() {
        webhook["clientConfig"] = stated["webhookClientConfig"].clone();
    }
    Some(json!({"strategy": "Webhook", "webhook": webhook}))
}

/// The members of a version. In an older definition, `spec` has some of them.
fn members(definition: &Definition<'_>, version: &Version<'_>) -> Map<String, Value> {
    let own = definition.manifest().pointer(version.pointer()).and_then(Value::as_object);
    if definition.manifest()["apiVersion"] == "apiextensions.k8s.io/v1" {
        return own.cloned().unwrap_or_default();
    }
    let mut members = Map::new();
    members.insert("name".to_owned(), version.name().into());
    members.insert("served".to_owned(), version.is_served().into());
    for name in ["deprecated", "deprecationWarning"] {
        let own = own.filter(|_| version.is_deprecated()).and_then(|own| own.get(name));
        members.extend(own.map(|own| (name.to_owned(), own.clone())));
    }
    let mut schema = version.schema().cloned().unwrap_or_else(|| json!({"type": "object"}));
    // Older definitions keep unknown members unless they state otherwise.
    if definition.manifest()["spec"]["preserveUnknownFields"] != Value::Bool(false)
        && let Some(schema) = schema.as_object_mut()
    {
        schema.entry("type").or_insert_with(|| "object".into());
        schema.insert(PRESERVE.to_owned(), true.into());
    }
    members.insert("schema".to_owned(), json!({ "openAPIV3Schema": schema }));
    for name in ["subresources", "selectableFields"] {
        members.extend(version.inherited(name).map(|value| (name.to_owned(), value.clone())));
    }
    let columns: Vec<Value> = version.columns().map(column).collect();
    if !columns.is_empty() {
        members.insert("additionalPrinterColumns".to_owned(), Value::Array(columns));
    }
    members
}

fn column(column: Column<'_>) -> Value {
    let mut members = json!({"name": column.name, "type": column.kind, "jsonPath": column.path});
    let texts = [("format", column.format), ("description", column.description)];
    for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        members[name] = text.into();
    }
    if column.priority != 0 {
        members["priority"] = column.priority.into();
    }
    members
}
