//! `groups.yaml` selects the parts of the documents that the crate has, and changes names. kapigen
//! reads it from the folder of the documents, or from the path in `--groups`. Without it, the crate
//! has everything. `kapigen init` prints one that selects everything: remove what you do not need.
//!
//! ```yaml
//! releases:
//!   Kubernetes: "1.34"
//! groups:
//!   - group: ""                       # core, the group of pods
//!     version: v1
//!     resources: [pods, events]
//!   - group: coordination.k8s.io
//!     version: v1
//!   - group: image.openshift.io
//!     version: v1
//!     module: images
//! types:
//!   - io.k8s.api.core.v1.PodTemplateSpec
//! rename:
//!   io.k8s.api.core.v1.Event: CoreEvent
//!   io.k8s.api.core.v1.Container.tty: has_terminal
//! ```

use crate::error::{Error, Errors, Location};
use crate::input::{Source, parse};
use crate::model::GroupVersion;
use crate::model::wellknown;
use crate::names;
use crate::pointer::escape;
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};

/// All keys of the file are optional.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Selection {
    /// The name of the file, for errors.
    #[serde(skip)]
    name: String,
    /// Groups and versions, each of which becomes a module and a Cargo feature. Default: all that
    /// the documents have.
    #[serde(deserialize_with = "some")]
    groups: Option<Vec<Entry>>,
    /// Where the documents come from: names of servers, and their versions. The documentation of
    /// the crate and its constant `RELEASES` show them.
    pub releases: BTreeMap<String, String>,
    /// Schemas that no selected resource needs, but the crate should have.
    pub types: Vec<String>,
    /// Rust names of your choice. For a type, the key is the name of its schema or, for a nested
    /// one, the path that the documentation of the type shows; for a field, `Schema.property`.
    rename: BTreeMap<String, String>,
    /// Nested schemas that repeat a named one: the path, such as `Schema/properties/property`, and
    /// the name of the schema. kapigen refuses contradictions between the two.
    same_as: BTreeMap<String, String>,
    /// Paths of nested schemas that get their own types, although a known type matches, or the type
    /// of another version.
    own: Vec<String>,
    /// Breaking changes that you accept, by the Rust names of types, fields or functions, each with
    /// a reason.
    pub accept: BTreeMap<String, String>,
    /// Groups and versions that the crate keeps although no document has them, each with a reason.
    pub keep: BTreeMap<String, String>,
    /// Groups and versions that the crate drops because no document has them, each with a reason.
    pub drop: BTreeMap<String, String>,
    /// The names of a crate that exists. Entries of the file come first.
    #[serde(skip)]
    held: HeldNames,
}

/// The names of a crate that exists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldNames {
    /// Modules of groups and versions.
    pub modules: BTreeMap<GroupVersion, String>,
    /// Rust names, as in `rename`.
    pub rename: BTreeMap<String, String>,
    /// Nested schemas that are types of their own, as in `own`.
    pub own: BTreeSet<String>,
    /// Nested schemas that are listed types, as in `same-as`.
    pub listed: BTreeMap<String, String>,
    /// Nested schemas that share no type with equal ones, except within their group.
    pub apart: BTreeMap<String, String>,
    /// Whether entries of the file may name what the documents do not have.
    pub is_lenient: bool,
}

/// An element of `groups`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    /// The group: `""` or `core` for core, or a name such as `apps`.
    #[serde(deserialize_with = "group")]
    group: String,
    /// The version, such as `v1`.
    version: String,
    /// The name of the module. Default: from group and version, such as `apps_v1`.
    module: Option<String>,
    /// Resources by their plural names. Default: all.
    resources: Option<Vec<String>>,
    /// Resources with a Cargo feature of their own, such as `core_v1_configmaps`, which also
    /// contains the types that only they need. They need not be in `resources`.
    #[serde(default)]
    apart: Vec<String>,
}

/// The name of a group. Core has an empty one, and is `core` to `kapigen pull` and to people.
fn group<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    Ok(if name == "core" { String::new() } else { name })
}

/// A list that is there: `groups:` without entries selects nothing, in place of everything.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Entry>>, D::Error> {
    Vec::deserialize(deserializer).map(Some)
}

impl Selection {
    /// Reads `groups.yaml`.
    ///
    /// # Errors
    /// When it is not valid YAML or has another shape.
    pub fn read(source: &Source) -> Result<Self, Error> {
        const HELP: &str = "`kapigen init` prints one for the documents, to be cut down";
        let mut selection: Selection =
            parse::file(source).map_err(|error: Error| error.help(HELP))?;
        selection.name.clone_from(&source.name);
        Ok(selection)
    }

    /// Whether a resource is selected.
    #[must_use]
    pub fn has(&self, group_version: &GroupVersion, plural: &str) -> bool {
        self.groups.is_none()
            || self.entries(group_version).any(|entry| match &entry.resources {
                None => true,
                Some(resources) => {
                    resources.iter().chain(&entry.apart).any(|resource| resource == plural)
                }
            })
    }

    /// Whether a resource has a feature of its own.
    #[must_use]
    pub fn is_apart(&self, group_version: &GroupVersion, plural: &str) -> bool {
        let mut apart = self.entries(group_version).flat_map(|entry| &entry.apart);
        apart.any(|resource| resource == plural)
    }

    /// The module of a group-version, if the file names one.
    #[must_use]
    pub fn module(&self, group_version: &GroupVersion) -> Option<&str> {
        let own = self.entries(group_version).find_map(|entry| entry.module.as_deref());
        own.or_else(|| self.held.modules.get(group_version).map(String::as_str))
    }

    /// Whether any resource of a group and version may be selected.
    #[must_use]
    pub fn has_any(&self, group_version: &GroupVersion) -> bool {
        self.groups.is_none() || self.entries(group_version).next().is_some()
    }

    fn entries(&self, group_version: &GroupVersion) -> impl Iterator<Item = &Entry> {
        self.groups.iter().flatten().filter(move |entry| entry.is(group_version))
    }

    /// The selection with the names of a crate that exists.
    #[must_use]
    pub fn holding(&self, held: HeldNames, types: impl IntoIterator<Item = String>) -> Self {
        let mut selection = Self { held, ..self.clone() };
        let known: BTreeSet<String> = selection.types.iter().cloned().collect();
        selection.types.extend(types.into_iter().filter(|name| !known.contains(name)));
        selection
    }

    /// The same selection of the documents of a crate that exists, with its names.
    #[must_use]
    pub fn of_crate(
        &self,
        held: HeldNames,
        mut same_as: BTreeMap<String, String>,
        types: impl IntoIterator<Item = String>,
    ) -> Self {
        same_as.extend(self.same_as.clone());
        Self { same_as, types: types.into_iter().collect(), ..self.holding(held, []) }
    }

    /// The entries of `rename`.
    #[must_use]
    pub fn renames(&self) -> &BTreeMap<String, String> {
        &self.rename
    }

    /// The entries of `same-as`.
    #[must_use]
    pub fn same(&self) -> &BTreeMap<String, String> {
        &self.same_as
    }

    /// The group of a nested schema that shares no type with equal ones outside of it. The ones of a
    /// module that the file gives types of their own are a group.
    #[must_use]
    pub fn apart<'a>(&'a self, label: &str, module: &'a str) -> Option<&'a str> {
        let held = self.held.apart.get(label).map(String::as_str);
        held.or_else(|| self.own.iter().any(|own| own == label).then_some(module))
    }

    /// The location where the file names the module of a group-version.
    #[must_use]
    pub fn module_location(&self, group_version: &GroupVersion) -> Location {
        let groups = self.groups.as_deref().unwrap_or_default();
        let index =
            groups.iter().position(|group| group.is(group_version) && group.module.is_some());
        self.location(&format!("/groups/{}/module", index.unwrap_or_default()))
    }

    /// The Rust name that the file gives to a schema or a property of one.
    ///
    /// # Errors
    /// When Rust or rustdoc does not allow it for a type or a field.
    pub fn renamed(&self, schema: &str, property: Option<&str>) -> Result<Option<&str>, Error> {
        let key = rename_key(schema, property);
        let Some(name) = self.rename.get(&key) else {
            return Ok(self.held.rename.get(&key).map(String::as_str));
        };
        let (message, help) = match property {
            None if name.len() > names::LONGEST_TYPE => {
                (names::too_long_type(name), "give it a shorter name")
            }
            None if !names::is_type_name(name) => (
                format!("`{name}` cannot be the name of a type"),
                "a type is called like `HttpProxy`",
            ),
            Some(_) if !names::is_snake_name(name) => (
                format!("`{name}` cannot be the name of a field"),
                "a field is called like `http_proxy`",
            ),
            _ => return Ok(Some(name)),
        };
        Err(Error::at(self.rename_location(&key), message).help(help))
    }

    /// The entries of `own`.
    #[must_use]
    pub fn own(&self) -> &[String] {
        &self.own
    }

    /// The names of listed types by the nested schemas that fit them: less the ones that have types
    /// of their own, and with the ones that a crate has already.
    #[must_use]
    pub fn listed(&self, fitting: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let fitting = fitting.iter().filter(|(label, _)| !self.held.own.contains(*label));
        let listed = fitting.chain(&self.held.listed);
        let listed = listed.filter(|(label, _)| !self.own.contains(*label));
        listed.map(|(label, name)| (label.clone(), name.clone())).collect()
    }

    /// The name of the schema that a nested one is the same as.
    #[must_use]
    pub fn same_as(&self, label: &str) -> Option<&str> {
        self.same_as.get(label).map(String::as_str)
    }

    /// Whether the file says nothing about the type of a nested schema.
    #[must_use]
    pub fn is_undecided(&self, label: &str) -> bool {
        !self.same_as.contains_key(label) && !self.own.iter().any(|own| own == label)
    }

    /// The location of the entry of `same-as` for a nested schema.
    #[must_use]
    pub fn same_as_location(&self, label: &str) -> Location {
        self.location(&format!("/same-as/{}", escape(label)))
    }

    /// Reports selected resources that the documents do not have, and invalid names of modules.
    pub fn check(&self, offered: &BTreeMap<GroupVersion, BTreeSet<String>>, errors: &mut Errors) {
        if self.held.is_lenient {
            return;
        }
        let mut seen = BTreeSet::new();
        for (index, group) in self.groups.iter().flatten().enumerate() {
            let pointer = format!("/groups/{index}");
            self.check_module(group, &pointer, errors);
            let wanted = group.group_version();
            let text = wanted.api_version();
            let Some(plurals) = offered.get(&wanted) else {
                let names: Vec<String> = offered.keys().map(GroupVersion::api_version).collect();
                let message = format!("no document has paths of `{text}`");
                errors.push(self.unknown(&pointer, message, &text, &names));
                continue;
            };
            let resources = group.resources.iter().flatten().enumerate();
            let resources = resources.map(|(index, resource)| ("resources", index, resource));
            let apart = group.apart.iter().enumerate();
            let apart = apart.map(|(index, resource)| ("apart", index, resource));
            for (key, index, resource) in resources.chain(apart) {
                if plurals.contains(resource) {
                    continue;
                }
                let names: Vec<String> = plurals.iter().cloned().collect();
                let message = format!("`{text}` has no resource `{resource}`");
                let pointer = format!("{pointer}/{key}/{index}");
                errors.push(self.unknown(&pointer, message, resource, &names));
            }
            if !seen.insert(wanted) {
                let error =
                    Error::at(self.location(&pointer), format!("`{text}` is selected twice"));
                errors.push(error.help("put all of its resources into one entry"));
            }
        }
    }

    /// Reports renames of types and fields that the crate does not have.
    pub fn check_renames(&self, used: &BTreeSet<String>, errors: &mut Errors) {
        for key in self.rename.keys().filter(|key| !used.contains(*key)) {
            let message = format!("`{key}` is renamed, but the crate has no such type or field");
            let near = names::nearest(key, used.iter().map(String::as_str));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let help = help.unwrap_or_else(|| "remove it, or select what has it".to_owned());
            errors.push(Error::at(self.rename_location(key), message).help(help));
        }
    }

    /// Reports entries of `same-as` for nested schemas that the crate does not use.
    pub fn check_same_as(&self, seen: &BTreeSet<String>, errors: &mut Errors) {
        const LABELS: &str = "nested schemas are called like `Schema/properties/member`";
        if self.held.is_lenient {
            return;
        }
        for label in self.same_as.keys().filter(|label| !seen.contains(*label)) {
            let message = format!("no type of the crate has the nested schema `{label}`");
            let mut others = seen.iter().map(String::as_str);
            let near = names::nearest(label, others.clone()).or_else(|| {
                others.find(|other| other.rsplit('/').next() == label.rsplit('/').next())
            });
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("{LABELS}; remove the entry, or select what has it"),
            };
            errors.push(Error::at(self.same_as_location(label), message).help(help));
        }
    }

    /// Reports entries of `own` for nested schemas that would have types of their own anyway.
    pub fn check_own(&self, useless: &BTreeSet<&str>, errors: &mut Errors) {
        for (index, label) in self.own.iter().enumerate() {
            if useless.contains(label.as_str()) && !self.held.is_lenient {
                let location = self.location(&format!("/own/{index}"));
                let message = format!(
                    "no listed type fits the nested schema `{label}`, and its definition has no \
                     other version"
                );
                errors.push(Error::at(location, message).help("remove the entry"));
            }
        }
    }

    /// The location where a type is selected by name.
    #[must_use]
    pub fn type_location(&self, index: usize) -> Location {
        self.location(&format!("/types/{index}"))
    }

    /// The location where a schema or a property is renamed.
    fn rename_location(&self, key: &str) -> Location {
        self.location(&format!("/rename/{}", escape(key)))
    }

    fn location(&self, pointer: &str) -> Location {
        Location::pointer(&self.name, pointer)
    }

    fn check_module(&self, group: &Entry, pointer: &str, errors: &mut Errors) {
        let Some(module) = &group.module else { return };
        let (message, help) = if wellknown::is_reserved_module(module) {
            let message =
                format!("every crate has another item called `{module}`, or it cannot be a folder");
            (message, "choose another name for the module")
        } else if !names::is_snake_name(module) {
            let help = "use lower-case words with `_` between them, such as `image_v1`";
            (format!("`{module}` cannot be the name of a module"), help)
        } else if module.len() > names::LONGEST_MODULE {
            let [length, most] = [module.len(), names::LONGEST_MODULE];
            let message = format!("a module's name of {length} characters; it can have {most}");
            (message, "give it a shorter name")
        } else {
            return;
        };
        let at = self.location(&format!("{pointer}/module"));
        errors.push(Error::at(at, message).help(help));
    }

    /// The error of a name that the documents do not have.
    fn unknown(&self, pointer: &str, message: String, name: &str, all: &[String]) -> Error {
        let near = names::nearest(name, all.iter().map(String::as_str));
        let error = Error::at(self.location(pointer), message);
        match near {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None if all.is_empty() => error.help("the documents have no paths of resources at all"),
            None => error.help(format!("the documents have {}", all.join(", "))),
        }
    }
}

/// The key by which `rename` names a schema or a property.
#[must_use]
pub fn rename_key(schema: &str, property: Option<&str>) -> String {
    property.map_or_else(|| schema.to_owned(), |property| format!("{schema}.{property}"))
}

/// The advice to rename a schema or a property.
#[must_use]
pub fn advice(schema: &str, property: Option<&str>) -> String {
    let name = if property.is_some() { "name" } else { "Name" };
    format!(
        "give it a name in groups.yaml: `rename: {{ \"{}\": {name} }}`",
        rename_key(schema, property)
    )
}

impl Entry {
    fn group_version(&self) -> GroupVersion {
        GroupVersion::new(&self.group, &self.version)
    }

    fn is(&self, group_version: &GroupVersion) -> bool {
        self.group == group_version.group && self.version == group_version.version
    }
}

#[cfg(test)]
mod tests {
    use super::{GroupVersion, Selection};
    use crate::input::Source;

    #[test]
    fn core_has_two_spellings() {
        for name in ["core", "\"\""] {
            let text = format!("groups:\n- {{group: {name}, version: v1, resources: [pods]}}\n");
            let selection = Selection::read(&Source::new("groups.yaml", text)).unwrap();
            let core = GroupVersion::new("", "v1");
            assert!(selection.has(&core, "pods") && !selection.has(&core, "nodes"), "{name}");
        }
    }
}
