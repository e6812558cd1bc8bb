//! Groups, versions and kinds: the module of each schema, and the kind of its objects.

use super::modules::Modules;
use crate::error::Location;
use crate::model::wellknown;
use crate::model::{Api, Field, GroupVersion, GroupVersionKind, Kind, Module, Role, Type};
use crate::names;
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{KIND_EXTENSION, RESOURCE_EXTENSION, Schema};
use crate::pointer::unescape;
use serde_json::Value;
use std::collections::BTreeMap;

/// The resource that serves a kind.
pub(super) type Served = BTreeMap<GroupVersionKind, (String, bool)>;

/// The module of every package of schemas. A package is the part of a schema name before the last dot; all of its
/// schemas belong to one group-version.
#[derive(Debug, Default)]
pub(super) struct Packages(BTreeMap<String, ModuleAssignment>);

/// A group-version and its module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModuleAssignment {
    pub(super) group_version: GroupVersion,
    pub(super) module: String,
}

impl ModuleAssignment {
    /// Its module in an API.
    pub(super) fn module_in<'a>(&self, api: &'a mut Api) -> &'a mut Module {
        let new = || Module { group_version: self.group_version.clone(), ..Module::default() };
        api.modules.entry(self.module.clone()).or_insert_with(new)
    }
}

/// The group-version of most kinds of each package.
#[derive(Debug, Default)]
pub(super) struct Votes<'a>(BTreeMap<&'a str, Option<GroupVersion>>);

impl<'a> Votes<'a> {
    pub(super) fn count(documents: &'a Documents) -> Self {
        let mut votes: BTreeMap<&str, BTreeMap<GroupVersion, usize>> = BTreeMap::new();
        for name in documents.names() {
            let (package, last) = names::split_schema(name);
            let kinds = documents.named(name).map(|id| kinds_of(documents.schema(id))).unwrap_or_default();
            let package = votes.entry(package).or_default();
            for gvk in kinds.into_iter().filter(|gvk| gvk.kind == last) {
                *package.entry(gvk.group_version).or_default() += 1;
            }
        }
        // The legacy group of OpenShift is the empty one and sorts first; of equals the last one wins.
        let most = |votes: BTreeMap<GroupVersion, usize>| votes.into_iter().max_by_key(|(_, count)| *count);
        Self(votes.into_iter().map(|(package, votes)| (package, most(votes).map(|(most, _)| most))).collect())
    }

    /// The group-versions of packages that have kinds, and a schema of each.
    pub(super) fn group_versions(&self, documents: &Documents) -> BTreeMap<GroupVersion, Location> {
        let packages = self.0.iter().filter(|(package, _)| wellknown::package_group_version(package).is_none());
        let of_names = documents.names().map(|name| (names::split_schema(name).0, name));
        let schemas: BTreeMap<&str, &str> = of_names.collect();
        let located = packages.filter_map(|(package, group_version)| {
            let id = documents.named(schemas.get(package)?)?;
            Some((group_version.clone()?, documents.location(id)))
        });
        located.collect()
    }
}

impl Packages {
    pub(super) fn new(votes: Votes<'_>, modules: &Modules) -> Self {
        // A package without kinds, whose name is not that of a group-version, has no module of its own.
        let assignment = |(package, most): (&str, Option<GroupVersion>)| {
            let shared = wellknown::package_group_version(package);
            let group_version = shared.clone().or(most).or_else(|| guess(package))?;
            let module = match shared {
                Some(_) => wellknown::META.to_owned(),
                None => modules.of(&group_version),
            };
            Some((package.to_owned(), ModuleAssignment { group_version, module }))
        };
        Self(votes.0.into_iter().filter_map(assignment).collect())
    }

    /// The module of the type of a schema, by the pointer of the schema. One that stands in a path or has a name
    /// without a package belongs to the group-version of its document.
    pub(super) fn module_of(&self, pointer: &str, document: &ModuleAssignment) -> ModuleAssignment {
        let name = pointer.strip_prefix("/components/schemas/").and_then(|rest| rest.split('/').next());
        let name = name.map(unescape);
        let package = name.as_deref().map(|name| names::split_schema(name).0).filter(|package| !package.is_empty());
        package.and_then(|package| self.0.get(package)).unwrap_or(document).clone()
    }
}

/// A name for a module that is not reserved.
pub(super) fn free_module(made: Option<String>) -> String {
    match made {
        Some(name) if wellknown::is_reserved_module(&name) => format!("{name}_"),
        Some(name) => name,
        None => "api".to_owned(),
    }
}

/// A package that has no kinds: its last two words, if the last one is a version.
fn guess(package: &str) -> Option<GroupVersion> {
    let (rest, version) = names::split_schema(package);
    let group = names::split_schema(rest).1;
    let is_version = version.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    (is_version && !group.is_empty()).then(|| GroupVersion { group: group.to_owned(), version: version.to_owned() })
}

/// The kind of an operation: [`KIND_EXTENSION`] is one object there, which may be in a list of one.
pub(super) fn only_kind_in(extension: &Value) -> Option<GroupVersionKind> {
    let one = match extension.as_array().map(Vec::as_slice) {
        None => extension,
        Some([one]) => one,
        Some(_) => return None,
    };
    read_kind(one)
}

fn read_kind(value: &Value) -> Option<GroupVersionKind> {
    let text = |key| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let group_version = GroupVersion { group: text("group")?, version: text("version")? };
    Some(GroupVersionKind { group_version, kind: text("kind")? })
}

/// The kinds of a schema: [`KIND_EXTENSION`] is a list there.
fn kinds_of(schema: &Schema) -> Vec<GroupVersionKind> {
    let kinds = schema.extensions.get(KIND_EXTENSION).and_then(Value::as_array);
    kinds.into_iter().flatten().filter_map(read_kind).collect()
}

/// A type that serves more kinds than this (`DeleteOptions` serves every group) may state any of them.
const FEW: usize = 2;

/// The kind of a struct, if it is one.
pub(super) fn kind_of(
    schema: &Schema,
    fields: &[Field],
    assignment: &ModuleAssignment,
    served: &Served,
) -> Option<Kind> {
    let kinds = kinds_of(schema);
    let states = |wire| fields.iter().any(|field| field.wire == wire && field.ty == Type::String);
    if !states("apiVersion") || !states("kind") {
        return None;
    }
    let own = kinds.iter().find(|gvk| gvk.group_version == assignment.group_version);
    let identity = own.or(kinds.first())?.clone();
    let role = role(fields, served.get(&identity).cloned().or_else(|| stated_resource(schema)));
    let accepted = if kinds.len() <= FEW { kinds } else { Vec::new() };
    Some(Kind { identity, accepted, role })
}

/// The resource of a kind whose operations are left out of the document.
fn stated_resource(schema: &Schema) -> Option<(String, bool)> {
    let stated = schema.extensions.get(RESOURCE_EXTENSION)?;
    Some((stated.get("plural")?.as_str()?.to_owned(), stated.get("namespaced")?.as_bool()?))
}

fn role(fields: &[Field], resource: Option<(String, bool)>) -> Role {
    let has_metadata = |name: &str| {
        let is_shared = |ty: &Type| matches!(ty, Type::Named(id) if id.is_shared(name));
        fields.iter().any(|field| field.wire == "metadata" && is_shared(&field.ty))
    };
    let items = fields.iter().find(|field| field.wire == "items").map(|field| &field.ty);
    match (items, resource) {
        (Some(Type::List(item)), _) if has_metadata("ListMeta") => match &**item {
            Type::Named(item) => Role::List { item: item.clone() },
            _ => Role::Other,
        },
        (_, Some((plural, namespaced))) if has_metadata("ObjectMeta") => Role::Resource { plural, namespaced },
        _ => Role::Other,
    }
}
