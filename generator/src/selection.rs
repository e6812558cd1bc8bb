//! `groups.yaml`: which parts of the documents the crate has.

use crate::error::{Error, Errors, Location};
use crate::load::{self, Source};
use crate::model::GroupVersion;
use crate::names;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Which parts of the documents the crate has.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Selection {
    /// The name of the file, for errors.
    #[serde(skip)]
    name: String,
    /// The groups. None: all that the documents have.
    #[serde(default)]
    groups: Option<Vec<Group>>,
    /// Schemas that the crate has although no selected resource needs them.
    #[serde(default)]
    pub types: Vec<String>,
    /// Rust names that differ from what the rules make: `Schema` or `Schema.member`, and the name.
    #[serde(default)]
    rename: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Group {
    group: String,
    version: String,
    /// The module, if not the default name.
    module: Option<String>,
    /// Plural names. None: all.
    resources: Option<Vec<String>>,
}

impl Selection {
    /// Reads `groups.yaml`.
    ///
    /// # Errors
    /// When it is not valid YAML or has another shape.
    pub fn read(source: &Source) -> Result<Self, Error> {
        let mut selection: Selection = load::parse(source)?;
        selection.name.clone_from(&source.name);
        Ok(selection)
    }

    /// Whether a resource is selected.
    #[must_use]
    pub fn has(&self, group_version: &GroupVersion, plural: &str) -> bool {
        let Some(groups) = &self.groups else { return true };
        groups.iter().filter(|group| group.is(group_version)).any(|group| match &group.resources {
            None => true,
            Some(resources) => resources.iter().any(|resource| resource == plural),
        })
    }

    /// The module of a group-version, if the file names one.
    #[must_use]
    pub fn module(&self, group_version: &GroupVersion) -> Option<&str> {
        let mut groups = self.groups.iter().flatten().filter(|group| group.is(group_version));
        groups.find_map(|group| group.module.as_deref())
    }

    /// The Rust name that the file gives to a schema or a member of one.
    #[must_use]
    pub fn renamed(&self, schema: &str, member: Option<&str>) -> Option<&str> {
        let key = member.map_or_else(|| schema.to_owned(), |member| format!("{schema}.{member}"));
        self.rename.get(&key).map(String::as_str)
    }

    /// Reports what the file selects and the documents do not have, and module names that cannot be.
    pub fn check(&self, offered: &BTreeMap<GroupVersion, BTreeSet<String>>, errors: &mut Errors) {
        for (index, group) in self.groups.iter().flatten().enumerate() {
            let pointer = format!("/groups/{index}");
            self.check_module(group, &pointer, errors);
            let wanted = GroupVersion { group: group.group.clone(), version: group.version.clone() };
            let Some(plurals) = offered.get(&wanted) else {
                let names: Vec<String> = offered.keys().map(GroupVersion::api_version).collect();
                let message = format!("no document has paths of `{}`", wanted.api_version());
                let near = names::nearest(&wanted.api_version(), names.iter().map(String::as_str));
                self.unknown(&pointer, message, near, &names, errors);
                continue;
            };
            for (place, resource) in group.resources.iter().flatten().enumerate() {
                if !plurals.contains(resource) {
                    let names: Vec<String> = plurals.iter().cloned().collect();
                    let message = format!("`{}` has no resource `{resource}`", wanted.api_version());
                    let near = names::nearest(resource, names.iter().map(String::as_str));
                    self.unknown(&format!("{pointer}/resources/{place}"), message, near, &names, errors);
                }
            }
        }
    }

    /// Reports names that were never asked for.
    pub fn check_renames(&self, used: &BTreeSet<String>, errors: &mut Errors) {
        for key in self.rename.keys().filter(|key| !used.contains(*key)) {
            let pointer = format!("/rename/{}", crate::document::escape(key));
            let message = format!("`{key}` is renamed, but the crate has no such type or field");
            let near = names::nearest(key, used.iter().map(String::as_str));
            self.unknown(&pointer, message, near, &[], errors);
        }
    }

    /// Where an extra type is asked for.
    #[must_use]
    pub fn type_location(&self, index: usize) -> Location {
        Location::pointer(&self.name, format!("/types/{index}"))
    }

    fn check_module(&self, group: &Group, pointer: &str, errors: &mut Errors) {
        let Some(module) = &group.module else { return };
        if names::module(module).as_deref() != Some(module) {
            errors.push(Error::at(
                Location::pointer(&self.name, format!("{pointer}/module")),
                format!("`{module}` cannot be the name of a module"),
            ).help("use lower-case words with `_` between them, such as `image_v1`"));
        }
    }

    fn unknown(&self, pointer: &str, message: String, near: Option<&str>, all: &[String], errors: &mut Errors) {
        let mut error = Error::at(Location::pointer(&self.name, pointer), message);
        if let Some(near) = near {
            error = error.help(format!("did you mean `{near}`?"));
        } else if !all.is_empty() {
            error = error.help(format!("the documents have {}", all.join(", ")));
        }
        errors.push(error);
    }
}

impl Group {
    fn is(&self, group_version: &GroupVersion) -> bool {
        self.group == group_version.group && self.version == group_version.version
    }
}
