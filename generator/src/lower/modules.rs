//! The module of each group-version, and so of each schema.
//!
//! Groups of Kubernetes leave out `.k8s.io`: `coordination.k8s.io/v1` is `coordination_v1`. Where
//! that is the module of another group too, the group with the dots takes its full name:
//! `autoscaling.k8s.io/v1` beside `autoscaling/v1` is `autoscaling_k8s_io_v1`. Long names are cut,
//! but for the version. Names that are still the same get a number. `module` in groups.yaml
//! overrides all that.

use super::kinds::kinds_of;
use crate::error::{Error, Errors, Location};
use crate::input::Selection;
use crate::model::{Api, GroupVersion, Module, wellknown};
use crate::names;
use crate::note::Note;
use crate::openapi::resolve::Documents;
use crate::pointer::unescape;
use std::collections::{BTreeMap, BTreeSet};

/// The module of each group-version of the documents.
#[derive(Debug, Default)]
pub(super) struct Modules(BTreeMap<GroupVersion, String>);

impl Modules {
    /// Names modules for the group-versions that there are, each with a place in a document that
    /// has it.
    pub(super) fn new(
        known: &BTreeMap<GroupVersion, Location>,
        selection: &Selection,
        notes: &mut Vec<Note>,
        errors: &mut Errors,
    ) -> Self {
        let mut chosen: BTreeMap<&str, &GroupVersion> = BTreeMap::new();
        for group_version in known.keys() {
            let Some(module) = selection.module(group_version) else { continue };
            if let Some(other) = chosen.insert(module, group_version) {
                let one = other.api_version();
                let two = group_version.api_version();
                let message = format!("`{one}` and `{two}` would both be the module `{module}`");
                let at = selection.module_location(group_version);
                errors.push(Error::at(at, message).help("give one of them another name"));
            }
        }
        let modules =
            named(known.keys().filter(|known| selection.module(known).is_none()), &chosen);
        for (group_version, module) in &modules {
            let usual = default(group_version);
            let reason = if *module != usual {
                format!("another group or version is `{usual}`")
            } else if names::is_cut(&group_version.group, &group_version.version) {
                "longer names are cut".to_owned()
            } else {
                continue;
            };
            notes.push(note(group_version, module, &reason, &known[group_version]));
        }
        let chosen = chosen
            .into_iter()
            .map(|(module, group_version)| (group_version.clone(), module.to_owned()));
        Self(chosen.chain(modules).collect())
    }

    /// The module of a group-version. If no document has the group-version, it is the default name.
    pub(super) fn get(&self, group_version: &GroupVersion) -> String {
        self.0.get(group_version).cloned().unwrap_or_else(|| default(group_version))
    }
}

fn named<'a>(
    all: impl Iterator<Item = &'a GroupVersion> + Clone,
    chosen: &BTreeMap<&str, &GroupVersion>,
) -> BTreeMap<GroupVersion, String> {
    let mut sharing: BTreeMap<String, usize> = BTreeMap::new();
    for group_version in all.clone() {
        *sharing.entry(default(group_version)).or_default() += 1;
    }
    let mut natural: BTreeMap<String, BTreeSet<GroupVersion>> = BTreeMap::new();
    for group_version in all {
        let usual = default(group_version);
        let shared = sharing[&usual] > 1 || chosen.contains_key(usual.as_str());
        let name = if shared {
            free_module(names::full_module(&group_version.group, &group_version.version))
        } else {
            usual
        };
        natural.entry(name).or_default().insert(group_version.clone());
    }
    let chosen = chosen.keys().map(|module| (*module).to_owned()).collect();
    names::distinct(&natural, &chosen, "_")
}

fn default(group_version: &GroupVersion) -> String {
    free_module(names::default_module(&group_version.group, &group_version.version))
}

fn note(group_version: &GroupVersion, module: &str, reason: &str, location: &Location) -> Note {
    Note {
        location: location.clone(),
        message: format!("`{}` is the module `{module}`, as {reason}", group_version.api_version()),
        help: Some("`module` in groups.yaml gives it another name".to_owned()),
    }
}

/// The module of every package of schemas. A package is the part of a schema name before the last
/// dot; all of its schemas belong to one group-version.
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
        api.modules.entry(self.module.clone()).or_insert_with(|| Module {
            group_version: self.group_version.clone(),
            ..Module::default()
        })
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
            let kinds =
                documents.named(name).map(|id| kinds_of(documents.schema(id))).unwrap_or_default();
            let package = votes.entry(package).or_default();
            for gvk in kinds.into_iter().filter(|gvk| gvk.kind == last) {
                *package.entry(gvk.group_version).or_default() += 1;
            }
        }
        let mut most = BTreeMap::new();
        for (package, votes) in votes {
            // The legacy group of OpenShift is the empty one and sorts first; of equals the last
            // one wins.
            let winner = votes.into_iter().max_by_key(|(_, count)| *count);
            most.insert(package, winner.map(|(group_version, _)| group_version));
        }
        Self(most)
    }

    /// The group-versions of packages that have kinds, and a schema of each.
    pub(super) fn group_versions(&self, documents: &Documents) -> BTreeMap<GroupVersion, Location> {
        let packages = self
            .0
            .iter()
            .filter(|(package, _)| wellknown::package_group_version(package).is_none());
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
        let mut packages = BTreeMap::new();
        for (package, most) in votes.0 {
            let assignment = if let Some(group_version) = wellknown::package_group_version(package)
            {
                ModuleAssignment { group_version, module: wellknown::META.to_owned() }
            } else if let Some(group_version) = most.or_else(|| guess(package)) {
                ModuleAssignment { module: modules.get(&group_version), group_version }
            } else {
                // It has no kinds, and its name is not a group-version.
                continue;
            };
            packages.insert(package.to_owned(), assignment);
        }
        Self(packages)
    }

    /// The module of the type of a schema, by the pointer of the schema. A schema that is part of a
    /// path, or has a name without a package, belongs to the group-version of its document.
    pub(super) fn module_of(&self, pointer: &str, document: &ModuleAssignment) -> ModuleAssignment {
        let name =
            pointer.strip_prefix("/components/schemas/").and_then(|rest| rest.split('/').next());
        let name = name.map(unescape);
        let package = name
            .as_deref()
            .map(|name| names::split_schema(name).0)
            .filter(|package| !package.is_empty());
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
    let is_version = version
        .strip_prefix('v')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    (is_version && !group.is_empty()).then(|| GroupVersion::new(group, version))
}
