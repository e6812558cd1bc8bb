//! The paths of resources.

use super::{Derived, Facts, Resource, Subresource};
use crate::schema::Schema;
use std::collections::{BTreeMap, BTreeSet};

/// An operation, as documents and generated crates state it.
pub(super) struct Listed<'a> {
    pub(super) method: String,
    pub(super) path: &'a str,
    pub(super) kind: (String, String, String),
}

/// The resources that these operations are on.
pub(super) fn resources<'a>(operations: impl Iterator<Item = Listed<'a>>) -> Vec<Resource> {
    let mut found: BTreeMap<(String, String, String), Resource> = BTreeMap::new();
    for Listed { method, path, kind } in operations {
        let Some((group, version, rest)) = split(path) else { continue };
        let mut segments: Vec<_> = rest.split('/').collect();
        if segments.first() == Some(&"watch") {
            continue;
        }
        let namespaced = matches!(segments[..], ["namespaces", "{namespace}", _, ..]);
        if namespaced {
            segments.drain(..2);
        }
        let Some(plural) = segments.first().filter(|plural| !plural.is_empty() && !plural.starts_with('{')) else {
            continue;
        };
        let key = (group.to_owned(), version.to_owned(), (*plural).to_owned());
        let resource = found.entry(key).or_insert_with(|| empty(group, version, plural));
        resource.namespaced |= namespaced;
        match segments[..] {
            [_] => {
                if resource.kind.is_empty() {
                    resource.kind.clone_from(&kind.2);
                }
                // A list of all namespaces has the same methods or fewer.
                resource.collection.insert(method);
            }
            [_, "{name}"] => {
                resource.kind = kind.2;
                resource.object.insert(method);
            }
            [_, "{name}", name, ..] => {
                let subresource = resource.subresources.entry(name.to_owned()).or_default();
                let (group, version, kind) = kind;
                let methods = std::mem::take(&mut subresource.methods);
                *subresource = Subresource { group, version, kind, methods };
                subresource.methods.insert(method);
            }
            _ => {}
        }
    }
    found.into_values().collect()
}

fn empty(group: &str, version: &str, plural: &str) -> Resource {
    Resource {
        group: group.to_owned(),
        version: version.to_owned(),
        plural: plural.to_owned(),
        singular: String::new(),
        kind: String::new(),
        namespaced: false,
        collection: BTreeSet::new(),
        object: BTreeSet::new(),
        subresources: BTreeMap::new(),
        schema: Schema::any(),
        facts: Facts::default(),
        custom: None,
        derived: Derived::default(),
    }
}

/// Group, version and the rest of a path below `/api` or `/apis`.
pub(crate) fn split(path: &str) -> Option<(&str, &str, &str)> {
    if let Some(rest) = path.strip_prefix("/api/") {
        let (version, rest) = rest.split_once('/')?;
        return Some(("", version, rest));
    }
    let (group, rest) = path.strip_prefix("/apis/")?.split_once('/')?;
    let (version, rest) = rest.split_once('/')?;
    Some((group, version, rest))
}
