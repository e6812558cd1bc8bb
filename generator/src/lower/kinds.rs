//! The kinds of schemas and operations.

use crate::model::{Api, Field, GroupVersion, GroupVersionKind, Kind, Role, Type};
use crate::openapi::schema::{RESOURCE_EXTENSION, Schema};
use kapigen_definitions::schema_keywords::KINDS;
use serde_json::Value;
use std::collections::BTreeMap;

/// The resource that serves a kind.
pub(super) type Served = BTreeMap<GroupVersionKind, (String, bool)>;

/// The kind of an operation: [`KINDS`] is one object there, which may be in a list of one.
pub(super) fn only_kind_in(extension: &Value) -> Option<GroupVersionKind> {
    let one = match extension.as_array().map(Vec::as_slice) {
        None => extension,
        Some([one]) => one,
        Some(_) => return None,
    };
    read_kind(one)
}

fn read_kind(value: &Value) -> Option<GroupVersionKind> {
    let group_version = GroupVersion::new(value["group"].as_str()?, value["version"].as_str()?);
    Some(GroupVersionKind { group_version, kind: value["kind"].as_str()?.to_owned() })
}

/// The kinds of a schema: [`KINDS`] is a list there.
pub(super) fn kinds_of(schema: &Schema) -> Vec<GroupVersionKind> {
    let kinds = schema.extensions.get(KINDS).and_then(Value::as_array);
    kinds.into_iter().flatten().filter_map(read_kind).collect()
}

/// A type that serves more kinds than this (`DeleteOptions` serves every group) may state any of
/// them.
const FEW: usize = 2;

/// The kind of a struct, if it is one.
pub(super) fn kind_of(
    schema: &Schema,
    fields: &[Field],
    group_version: &GroupVersion,
    served: &Served,
) -> Option<Kind> {
    let kinds = kinds_of(schema);
    let is_kind = ["apiVersion", "kind"]
        .iter()
        .all(|wire| fields.iter().any(|field| field.wire == *wire && field.ty == Type::String));
    if !is_kind {
        return None;
    }
    let own = kinds.iter().find(|gvk| gvk.group_version == *group_version);
    let identity = own.or(kinds.first())?.clone();
    let role = role(fields, served.get(&identity).cloned().or_else(|| stated_resource(schema)));
    let accepted = if kinds.len() <= FEW { kinds } else { Vec::new() };
    Some(Kind { identity, accepted, role })
}

/// Whether a schema describes the objects of a resource.
pub(super) fn is_served(schema: &Schema, served: &Served) -> bool {
    stated_resource(schema).is_some()
        || kinds_of(schema).iter().any(|kind| served.contains_key(kind))
}

/// The resource of a kind, as an extension of its schema states it when the document leaves out the
/// operations.
fn stated_resource(schema: &Schema) -> Option<(String, bool)> {
    let stated = schema.extensions.get(RESOURCE_EXTENSION)?;
    Some((stated.get("plural")?.as_str()?.to_owned(), stated.get("namespaced")?.as_bool()?))
}

fn role(fields: &[Field], resource: Option<(String, bool)>) -> Role {
    let [metadata, items] = ["metadata", "items"]
        .map(|wire| fields.iter().find(|field| field.wire == wire).map(|field| &field.ty));
    let Some(Type::Named(metadata)) = metadata else { return Role::Other };
    match (items, resource) {
        (Some(Type::List(item)), _) if metadata.is_shared("ListMeta") => match &**item {
            Type::Named(item) => Role::List { item: item.clone() },
            _ => Role::Other,
        },
        (_, Some((plural, namespaced))) if metadata.is_shared("ObjectMeta") => {
            Role::Resource { plural, namespaced }
        }
        _ => Role::Other,
    }
}

/// Makes kinds like any other of them: items without a kind cannot be paged through as objects are.
pub(super) fn settle_lists(api: &mut Api) {
    let lists = api.types().filter(|(_, def)| match def.kind.as_ref().map(|kind| &kind.role) {
        Some(Role::List { item }) => !api.is_kind(item),
        _ => false,
    });
    for id in lists.map(|(id, _)| id).collect::<Vec<_>>() {
        if let Some(kind) = api.get_mut(&id).and_then(|def| def.kind.as_mut()) {
            kind.role = Role::Other;
        }
    }
}
