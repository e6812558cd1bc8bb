//! The module of each group-version.
//!
//! Groups of Kubernetes leave out `.k8s.io`: `coordination.k8s.io/v1` is `coordination_v1`. Where that is the module of
//! another group too, the group with the dots takes its full name: `autoscaling.k8s.io/v1` beside `autoscaling/v1` is
//! `autoscaling_k8s_io_v1`. Long names are cut, but for the version. Names that are still the same get a number.
//! `module` in groups.yaml overrides all that.

use super::kinds::free_module;
use crate::error::{Error, Errors, Location};
use crate::input::Selection;
use crate::model::GroupVersion;
use crate::names;
use crate::note::Note;
use std::collections::{BTreeMap, BTreeSet};

/// The module of each group-version of the documents.
#[derive(Debug, Default)]
pub(super) struct Modules(BTreeMap<GroupVersion, String>);

impl Modules {
    /// Names modules for the group-versions that there are, each with a place in a document that has it.
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
                let (one, two) = (other.api_version(), group_version.api_version());
                let message = format!("`{one}` and `{two}` would both be the module `{module}`");
                let at = selection.module_location(group_version);
                errors.push(Error::at(at, message).help("give one of them another name"));
            }
        }
        let modules = named(known.keys().filter(|known| selection.module(known).is_none()), &chosen);
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
        let chosen = chosen.into_iter().map(|(module, group_version)| (group_version.clone(), module.to_owned()));
        Self(chosen.chain(modules).collect())
    }

    /// The module of a group-version. One that no document has takes its default name.
    pub(super) fn of(&self, group_version: &GroupVersion) -> String {
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
        let name =
            if shared { free_module(names::full_module(&group_version.group, &group_version.version)) } else { usual };
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
