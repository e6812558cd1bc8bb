//! OpenAPI documents of the resources of generated crates and of definitions.
//!
//! They are complete enough for clients such as kubectl, and to generate a crate from. Structs come from the tables of
//! generated crates, which have no descriptions, and strings where a document lists the values of an enum.

use super::custom;
use super::names::Names;
use super::operations::{self, Described};
use super::tables::Components;
use crate::registry::{Registry, api_version};
use kapigen_runtime::{Api, ApiKind, Operation, Verb, meta_v1};
use serde_json::{Map, Value, json};

/// The paths below `/openapi/v3/`, one for each group and version.
pub(super) fn paths(registry: &Registry) -> Vec<String> {
    let groups = registry.groups();
    let versions = groups.iter().flat_map(|(group, versions)| versions.iter().map(move |version| path(group, version)));
    versions.collect()
}

fn path(group: &str, version: &str) -> String {
    let root = if group.is_empty() { "api" } else { "apis" };
    format!("{root}/{}", api_version(group, version))
}

/// The document at a path, if the registry has resources of that group and version.
pub(super) fn document(registry: &Registry, names: &Names, wanted: &str) -> Option<Value> {
    let mut components = Components::new(names);
    let mut paths = Map::new();
    for api in registry.apis() {
        let here = api.operations.iter().filter(|operation| path(operation.group, operation.version) == wanted);
        for operation in here {
            operations::add(&mut paths, &described(registry, api, operation, &mut components));
        }
    }
    for resource in registry.all().filter(|resource| path(&resource.group, &resource.version) == wanted) {
        if let Some(definition) = &resource.custom {
            custom::add(&mut paths, &mut components, registry.apis(), (resource, definition));
        }
    }
    let info = json!({"title": wanted, "version": "fake"});
    (!paths.is_empty())
        .then(|| json!({"openapi": "3.0.0", "info": info, "paths": paths, "components": {"schemas": components.found}}))
}

/// An operation of a generated crate, whose schemas are added.
fn described(
    registry: &Registry,
    api: &Api,
    operation: &'static Operation,
    components: &mut Components<'_>,
) -> Described<'static> {
    let kind = kind(api, operation);
    let (group, version) = kind.map_or((operation.group, operation.version), |kind| (kind.group, kind.version));
    let mut object = |kind: Option<&ApiKind>| kind.map(|kind| components.add((kind.empty)().as_mut()));
    let (own, list) = match operation.verb {
        Verb::List => (None, object(list_of(api, kind))),
        Verb::Get | Verb::Create | Verb::Replace | Verb::Patch | Verb::Delete => (object(kind), None),
        _ => (None, None),
    };
    let body = match operation.verb {
        Verb::Patch => Some(components.patch()),
        Verb::Delete | Verb::DeleteCollection => Some(components.add(&mut meta_v1::DeleteOptions::default())),
        Verb::Create | Verb::Replace => own.clone(),
        _ => None,
    };
    let found = registry.get(operation.group, operation.version, operation.resource);
    let returns_deleted = found.is_some_and(|resource| resource.facts.returns_deleted);
    let response = match operation.verb {
        Verb::Get if operation.subresource == Some("log") => None,
        Verb::Delete if returns_deleted => own,
        Verb::Delete | Verb::DeleteCollection => Some(components.add(&mut meta_v1::Status::default())),
        Verb::Watch => Some(components.add(&mut meta_v1::WatchEvent::default())),
        Verb::List => list,
        _ => own,
    };
    Described {
        id: operation.id.to_owned(),
        method: operation.method,
        path: operation.path,
        action: action(operation),
        kind: [group, version, operation.kind],
        is_deprecated: operation.deprecated,
        parameters: operation.parameters.to_vec(),
        body: body.filter(|_| !operation.media_types.is_empty()).map(|body| (operation.media_types, body)),
        response,
    }
}

/// The kind of an operation. That of a subresource may be of another group.
fn kind(api: &Api, operation: &Operation) -> Option<&'static ApiKind> {
    let own = api.kind(operation.group, operation.version, operation.kind);
    own.or_else(|| api.kinds.iter().find(|kind| kind.kind == operation.kind))
}

/// The kind of the lists of a kind.
fn list_of(api: &Api, kind: Option<&ApiKind>) -> Option<&'static ApiKind> {
    let kind = kind?;
    api.kind(kind.group, kind.version, &format!("{}List", kind.kind))
}

fn action(operation: &Operation) -> &'static str {
    match operation.verb {
        Verb::Get => "get",
        Verb::List => "list",
        Verb::Watch if operation.path.ends_with('}') => "watch",
        Verb::Watch => "watchlist",
        Verb::Create => "post",
        Verb::Replace => "put",
        Verb::Patch => "patch",
        Verb::Delete => "delete",
        Verb::DeleteCollection => "deletecollection",
        Verb::Connect => "connect",
    }
}
