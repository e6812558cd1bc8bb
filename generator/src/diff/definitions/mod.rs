//! Changes of definitions of custom resources that break clients or stored objects.
//!
//! These are distinct from changes of the Rust interface: a narrower pattern changes no type, and a
//! server refuses objects for it all the same. Two lists of manifests are compared, each with one
//! definition or one version of it in a manifest.

mod change;
mod report;
mod schema;

pub use change::{Affected, DefinitionChange, DefinitionChangeKind};
pub use report::{json, markdown, text};

use kapigen_definitions::{Conversion, Definition, Scale, Version};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Compares definitions, and returns the changes that break clients and stored objects, in the
/// order of groups, plural names, versions and fields.
///
/// `is_wanted` selects definitions by group and plural name. Manifests without a group, names or
/// versions are ignored.
#[must_use]
pub fn changes(
    old: &[Value],
    new: &[Value],
    is_wanted: &dyn Fn(&str, &str) -> bool,
) -> Vec<DefinitionChange> {
    let old = read(old);
    let new = read(new);
    let resources = Resource::all(&new);
    let mut changes = Vec::new();
    for (key, before) in
        Resource::all(&old).into_iter().filter(|((group, plural), _)| is_wanted(group, plural))
    {
        let (group, plural) = key;
        let mut found = FoundChanges {
            resource: format!("{plural}.{group}"),
            version: None,
            changes: &mut changes,
        };
        match resources.get(&key) {
            Some(now) => compare(&before, now, &mut found),
            None => found.add(DefinitionChangeKind::Removed, "", None, None),
        }
    }
    changes
}

fn read(manifests: &[Value]) -> Vec<Definition<'_>> {
    manifests.iter().filter_map(|manifest| Definition::read(manifest).ok()).collect()
}

/// The changes of a definition, as far as they are found.
struct FoundChanges<'a> {
    resource: String,
    version: Option<String>,
    changes: &'a mut Vec<DefinitionChange>,
}

impl FoundChanges<'_> {
    fn add(
        &mut self,
        kind: DefinitionChangeKind,
        field: &str,
        old: Option<String>,
        new: Option<String>,
    ) {
        let resource = self.resource.clone();
        let version = self.version.clone();
        self.changes.push(DefinitionChange {
            resource,
            version,
            field: field.to_owned(),
            kind,
            old,
            new,
        });
    }

    /// Adds a change from one string to another, if they differ.
    fn renamed(&mut self, kind: DefinitionChangeKind, old: &str, new: &str) {
        self.renamed_at(kind, "", old, new);
    }

    /// The same at a field.
    fn renamed_at(&mut self, kind: DefinitionChangeKind, field: &str, old: &str, new: &str) {
        if old != new {
            self.add(kind, field, Some(old.to_owned()), Some(new.to_owned()));
        }
    }
}

/// A resource. Its versions may be in several manifests.
struct Resource<'d> {
    definition: &'d Definition<'d>,
    versions: BTreeMap<&'d str, &'d Version<'d>>,
}

impl<'d> Resource<'d> {
    /// The resources by group and plural name.
    fn all(definitions: &'d [Definition<'d>]) -> BTreeMap<(&'d str, &'d str), Self> {
        let mut resources: BTreeMap<_, Self> = BTreeMap::new();
        for definition in definitions {
            let key = (definition.group(), definition.plural());
            let resource = resources
                .entry(key)
                .or_insert_with(|| Self { definition, versions: BTreeMap::new() });
            for version in definition.versions() {
                let known = resource.versions.entry(version.name()).or_insert(version);
                // Of a version that is in several manifests, the one that is served.
                if !known.is_served() {
                    *known = version;
                }
            }
        }
        resources
    }

    fn scope(&self) -> &'static str {
        if self.definition.is_namespaced() { "Namespaced" } else { "Cluster" }
    }

    /// Whether a webhook converts its objects between versions.
    fn has_webhook(&self) -> bool {
        matches!(self.definition.conversion(), Conversion::Webhook(_))
    }

    fn storage(&self) -> Option<&'d str> {
        self.versions.values().find(|version| version.is_storage()).map(|version| version.name())
    }
}

fn compare(old: &Resource<'_>, new: &Resource<'_>, found: &mut FoundChanges<'_>) {
    found.renamed(DefinitionChangeKind::ScopeChanged, old.scope(), new.scope());
    found.renamed(DefinitionChangeKind::KindChanged, old.definition.kind(), new.definition.kind());
    let list_kinds = [old.definition.list_kind(), new.definition.list_kind()];
    found.renamed(DefinitionChangeKind::ListKindChanged, &list_kinds[0], &list_kinds[1]);
    storage(old, new, found);
    if old.has_webhook() && !new.has_webhook() {
        found.add(DefinitionChangeKind::ConversionRemoved, "", None, None);
    }
    for (name, before) in
        old.versions.iter().filter(|(_, version)| version.is_served() || version.is_storage())
    {
        found.version = Some((*name).to_owned());
        let now = new.versions.get(name);
        if before.is_served() && !now.is_some_and(|version| version.is_served()) {
            found.add(DefinitionChangeKind::VersionUnserved, "", None, None);
        }
        if let Some(now) = now.filter(|version| version.is_served() || version.is_storage()) {
            parts(before, now, found);
            schema::compare(
                before.schema().unwrap_or(&Value::Null),
                now.schema().unwrap_or(&Value::Null),
                found,
            );
        }
    }
    found.version = None;
}

/// Compares in which version objects are stored.
fn storage(old: &Resource<'_>, new: &Resource<'_>, found: &mut FoundChanges<'_>) {
    let Some(before) = old.storage() else { return };
    if !new.versions.contains_key(before) {
        found.version = Some(before.to_owned());
        found.add(DefinitionChangeKind::StorageRemoved, "", None, None);
        found.version = None;
    } else if let Some(now) = new.storage() {
        found.renamed(DefinitionChangeKind::StorageChanged, before, now);
    }
}

/// Compares the parts of a version other than its schema.
fn parts(old: &Version<'_>, new: &Version<'_>, found: &mut FoundChanges<'_>) {
    match (old.has_status(), new.has_status()) {
        (true, false) => found.add(DefinitionChangeKind::StatusRemoved, "", None, None),
        (false, true) => found.add(DefinitionChangeKind::StatusAdded, "", None, None),
        _ => {}
    }
    match (old.scale(), new.scale()) {
        (Some(_), None) => found.add(DefinitionChangeKind::ScaleRemoved, "", None, None),
        (Some(old), Some(new)) => {
            found.renamed(DefinitionChangeKind::ScaleChanged, &paths(&old), &paths(&new));
        }
        (None, _) => {}
    }
    let selectable: BTreeSet<&str> = new.selectable_fields().collect();
    for field in old.selectable_fields().filter(|field| !selectable.contains(field)) {
        found.add(DefinitionChangeKind::SelectableRemoved, field, None, None);
    }
}

fn paths(scale: &Scale<'_>) -> String {
    let selector = scale.label_selector.unwrap_or("no selector");
    format!("{}, {}, {selector}", scale.spec_replicas, scale.status_replicas)
}
