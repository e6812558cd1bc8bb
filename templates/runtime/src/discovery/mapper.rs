//! From names that people use to resources.

use super::{APIGroupDiscoveryList, APIResourceDiscovery};
use crate::codec::nearest::nearest;
use crate::codec::path::{KEY, shortened};
use crate::dynamic::Resource;
use crate::kind::group_version;
use crate::meta_v1::APIResourceList;
use crate::visible::Visible;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

/// A resource that a server has, in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Discovered {
    /// Its group, version, kind, plural and scope, for requests.
    pub resource: Resource,
    /// The name of a single object, such as `pod`. Some servers state none.
    pub singular: String,
    /// Abbreviations, such as `po`.
    pub short_names: Vec<String>,
    /// The categories that it belongs to, such as `all`.
    pub categories: Vec<String>,
    /// The verbs that it supports, such as `list`.
    pub verbs: Vec<String>,
    /// Its subresources, such as `status`.
    pub subresources: Vec<String>,
}

/// The resources of a server by the names that people use for them.
///
/// Of several resources with a name, the first one is found: in the group that the server prefers,
/// and there in the version that the server prefers. `name.group` and `name.version.group` select
/// others; the beginning of a group is enough.
#[doc(alias = "RESTMapper")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapper {
    /// By preference.
    resources: Vec<Discovered>,
    /// The groups and versions with unknown resources, because the server that has them did not
    /// respond.
    unavailable: BTreeSet<String>,
}

impl Mapper {
    /// Adds all resources of aggregated discovery: the response of `/api`, then the response of
    /// `/apis`.
    pub fn add_groups(&mut self, groups: &APIGroupDiscoveryList) {
        for group in &groups.items {
            let name = group.metadata.name.as_deref().unwrap_or_default();
            for version in group.versions.iter().flatten() {
                if version.freshness.as_deref() == Some("Stale") {
                    self.add_unavailable(name, &version.version);
                }
                let resources = version.resources.iter().flatten();
                self.resources.extend(
                    resources.filter_map(|listed| aggregated(name, &version.version, listed)),
                );
            }
        }
    }

    /// Adds the resources of a group and version. Begin with the ones that the server prefers.
    pub fn add_resources(&mut self, list: &APIResourceList) {
        let mut subresources: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (parent, name) in list.resources.iter().filter_map(|listed| listed.name.split_once('/'))
        {
            subresources.entry(parent).or_default().push(name.to_owned());
        }
        for listed in &list.resources {
            let Some(resource) = Resource::discovered(&list.group_version, listed) else {
                continue;
            };
            self.resources.push(Discovered {
                resource,
                singular: listed.singular_name.clone(),
                short_names: listed.short_names.clone().unwrap_or_default(),
                categories: listed.categories.clone().unwrap_or_default(),
                verbs: listed.verbs.clone(),
                subresources: subresources.remove(&*listed.name).unwrap_or_default(),
            });
        }
    }

    /// Notes that the resources of a group and version are not known now.
    pub fn add_unavailable(&mut self, group: &str, version: &str) {
        let slash = if group.is_empty() { "" } else { "/" };
        self.unavailable.insert(format!("{group}{slash}{version}"));
    }

    /// All resources, the preferred ones first.
    #[must_use]
    pub fn resources(&self) -> &[Discovered] {
        &self.resources
    }

    /// The groups and versions with unknown resources, because the server that has them did not
    /// respond.
    pub fn unavailable(&self) -> impl Iterator<Item = &str> {
        self.unavailable.iter().map(String::as_str)
    }

    /// The resource with a name: the plural, singular or short one, or the kind, in capitals or
    /// not, and perhaps with a group, as in `deployments.apps`, or a version and a group, as in
    /// `deployments.v1.apps`.
    ///
    /// # Errors
    /// When there is none.
    pub fn resource(&self, name: &str) -> Result<&Discovered, UnknownResource> {
        let lower = name.to_lowercase();
        let mut parts = lower.splitn(3, '.');
        let [plain, second, third] = [parts.next(), parts.next(), parts.next()];
        let plain = plain.unwrap_or_default();
        let versioned =
            third.zip(second).and_then(|(group, version)| self.find(plain, group, Some(version)));
        let group = lower.split_once('.').map_or("", |(_, group)| group);
        versioned.or_else(|| self.find(plain, group, None)).ok_or_else(|| self.unknown(name))
    }

    /// The resource of a kind, as objects state it.
    ///
    /// # Errors
    /// When there is none.
    pub fn kind(&self, api_version: &str, kind: &str) -> Result<&Discovered, UnknownResource> {
        let (group, version) = group_version(api_version);
        let found = self.resources.iter().find(|found| {
            let resource = &found.resource;
            (resource.group(), resource.version(), resource.kind()) == (group, version, kind)
        });
        found.ok_or_else(|| self.unknown_kind(api_version, kind))
    }

    /// The resources of a category, such as `all`, each in its preferred version. Empty if there is
    /// no such category.
    #[must_use]
    pub fn category(&self, name: &str) -> Vec<&Discovered> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for discovered in &self.resources {
            let is_preferred =
                seen.insert((discovered.resource.group(), discovered.resource.plural()));
            if is_preferred && discovered.categories.iter().any(|category| category == name) {
                found.push(discovered);
            }
        }
        found
    }

    /// Full names come before short ones, and a group before groups that begin with it.
    fn find(&self, name: &str, group: &str, version: Option<&str>) -> Option<&Discovered> {
        let versioned = self
            .resources
            .iter()
            .filter(|found| version.is_none_or(|version| found.resource.version() == version));
        let ranked = versioned.filter_map(|found| Some((rank(found, name, group)?, found)));
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, found)| found)
    }

    fn unknown(&self, name: &str) -> UnknownResource {
        let plain = name.split('.').next().unwrap_or_default();
        let names = self
            .resources
            .iter()
            .flat_map(|found| [found.resource.plural(), found.resource.kind()]);
        self.error(name, nearest(plain, names).map(str::to_owned))
    }

    fn unknown_kind(&self, api_version: &str, kind: &str) -> UnknownResource {
        let resources = self.resources.iter().map(|found| &found.resource);
        let other = resources.clone().find(|resource| resource.kind() == kind);
        let meant = if let Some(other) = other {
            Some(format!("{} of {}", other.kind(), other.api_version()))
        } else {
            let siblings = resources.filter(|resource| resource.api_version() == api_version);
            nearest(kind, siblings.map(Resource::kind)).map(str::to_owned)
        };
        let name = if api_version.is_empty() {
            kind.to_owned()
        } else {
            format!("{kind} of {api_version}")
        };
        self.error(&name, meant)
    }

    fn error(&self, name: &str, nearest: Option<String>) -> UnknownResource {
        let unavailable = self.unavailable.iter().cloned().collect();
        UnknownResource { name: name.to_owned(), nearest, unavailable }
    }
}

/// The rank of a resource by how it has a name and a group: first by its own group, and then by a
/// full name. `None` if it has not.
fn rank(found: &Discovered, name: &str, group: &str) -> Option<(bool, bool)> {
    let resource = &found.resource;
    if !resource.group().starts_with(group) {
        return None;
    }
    let is_full = resource.plural() == name
        || found.singular == name
        || resource.kind().to_lowercase() == name;
    let is_short = found.short_names.iter().any(|short| short == name);
    let is_group = group.is_empty() || resource.group() == group;
    (is_full || is_short).then_some((!is_group, !is_full))
}

/// A resource of aggregated discovery. `None` if it has subresources only.
fn aggregated(group: &str, version: &str, listed: &APIResourceDiscovery) -> Option<Discovered> {
    let kind = &listed.response_kind.as_ref()?.kind;
    let resource =
        if listed.scope == "Namespaced" { Resource::namespaced } else { Resource::cluster };
    let subresources =
        listed.subresources.iter().flatten().map(|subresource| subresource.subresource.clone());
    Some(Discovered {
        resource: resource(group, version, kind, &listed.resource),
        singular: listed.singular_resource.clone(),
        short_names: listed.short_names.clone().unwrap_or_default(),
        categories: listed.categories.clone().unwrap_or_default(),
        verbs: listed.verbs.clone(),
        subresources: subresources.collect(),
    })
}

/// A name of no resource.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownResource {
    /// The name, or the kind and `apiVersion`.
    pub name: String,
    /// The name that was probably meant.
    pub nearest: Option<String>,
    /// The groups and versions that may have it: the server that has them did not respond.
    pub unavailable: Vec<String>,
}

impl fmt::Display for UnknownResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        write!(f, "the server has no resource `{}`", shortened(&self.name, KEY))?;
        if let Some(nearest) = &self.nearest {
            write!(f, ": did you mean `{}`?", shortened(nearest, KEY))?;
        }
        if !self.unavailable.is_empty() {
            write!(
                f,
                " (these are not available now: {})",
                shortened(&self.unavailable.join(", "), 10 * KEY)
            )?;
        }
        Ok(())
    }
}

__error!(UnknownResource { name, nearest, unavailable });
