//! The resources that a server has.

mod custom;
mod facts;
mod generated;
mod kinds;
mod openapi;
mod paths;

pub(crate) use custom::Custom;
pub(crate) use facts::{Facts, WRITABLE_METADATA};
pub(crate) use kinds::bad_kinds;
pub(crate) use paths::split;

use crate::key::Key;
use crate::schema::{Schema, conform};
use kapigen_runtime::Api;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// A resource: the path of a kind, and the operations there.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) plural: String,
    pub(crate) singular: String,
    pub(crate) kind: String,
    pub(crate) namespaced: bool,
    /// Methods on the collection and on an object, each with its path, such as `GET` and `POST`.
    pub(crate) collection: BTreeSet<String>,
    pub(crate) object: BTreeSet<String>,
    /// Subresources by name, such as `status`.
    pub(crate) subresources: BTreeMap<String, Subresource>,
    pub(crate) schema: Schema,
    pub(crate) facts: Facts,
    /// The settings of the definition. `None` for built-in kinds.
    pub(crate) custom: Option<Arc<Custom>>,
    derived: Derived,
}

/// Values that are made of a resource once somebody asks for them.
#[derive(Clone, Debug, Default)]
struct Derived {
    api_version: OnceLock<String>,
    blank: OnceLock<Value>,
    head: OnceLock<String>,
    key: OnceLock<Arc<str>>,
}

/// A subresource: its kind, and its methods.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subresource {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) methods: BTreeSet<String>,
}

impl Resource {
    /// `apps/v1`, or `v1` for the core group.
    pub(crate) fn api_version(&self) -> &str {
        self.derived.api_version.get_or_init(|| api_version(&self.group, &self.version))
    }

    /// `deployments.apps`, as errors name the resource.
    pub(crate) fn qualified(&self) -> String {
        qualified(&self.plural, &self.group)
    }

    pub(crate) fn has_status(&self) -> bool {
        self.subresources.contains_key("status")
    }

    /// The beginning of an object as JSON: its kind and version, each with a comma behind it.
    pub(crate) fn head(&self) -> &str {
        self.derived.head.get_or_init(|| {
            // Documents can name kinds as they like.
            let [kind, version] = [&*self.kind, self.api_version()].map(|text| json!(text));
            format!("{{\"kind\":{kind},\"apiVersion\":{version},")
        })
    }

    /// The name by which the store knows its objects, which all versions share.
    pub(crate) fn key(&self) -> &Arc<str> {
        self.derived.key.get_or_init(|| Key::new(&self.group, &self.plural, None, "").resource)
    }

    /// An object without content. One of a built-in kind still has its plain structs, which no manager owns.
    pub(crate) fn blank(&self) -> &Value {
        self.derived.blank.get_or_init(|| {
            let mut blank = json!({"apiVersion": self.api_version(), "kind": self.kind, "metadata": {}});
            if self.custom.is_none() {
                conform::fill(self.schema.root(), &mut blank);
            }
            blank
        })
    }
}

/// A name, and its group behind a dot.
pub(crate) fn qualified(name: &str, group: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{name}.{group}") }
}

pub(crate) fn api_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

/// The resources by group, version and plural name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registry {
    /// Sorted by group, version and plural name.
    resources: Vec<Arc<Resource>>,
    /// The generated crates.
    apis: Vec<Api>,
}

impl Registry {
    /// Adds the resources of a generated crate.
    pub(crate) fn add_api(&mut self, api: &Api) {
        self.apis.push(*api);
        for resource in generated::resources(api) {
            self.add(resource);
        }
    }

    /// Adds the resources of an OpenAPI document.
    pub(crate) fn add_document(&mut self, document: &Value) {
        for resource in openapi::resources(document) {
            self.add(resource);
        }
    }

    /// The groups and versions whose paths a document has, as `api/v1` and `apis/apps/v1`.
    pub(crate) fn versions_of_document(document: &Value) -> BTreeSet<String> {
        let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
        let roots = paths.filter_map(|(path, _)| {
            let (_, _, rest) = split(path)?;
            Some(path[..path.len() - rest.len()].trim_matches('/').to_owned())
        });
        roots.collect()
    }

    /// Adds the resources of a `CustomResourceDefinition`, one for each served version, in place of those that it had.
    ///
    /// # Errors
    /// When it lacks something, which the message names, or is of a built-in resource.
    pub(crate) fn add_definition(&mut self, definition: &Value) -> Result<(), String> {
        let (group, plural) = custom::identity(definition)?;
        let key = Key::new(group, plural, None, "").resource;
        if self.all().any(|own| own.custom.is_none() && *own.key() == key) {
            return Err(format!("`{key}` is a built-in resource"));
        }
        let resources = custom::resources(definition)?;
        self.remove_definition(&key);
        for resource in resources {
            self.add(resource);
        }
        Ok(())
    }

    /// Removes the resources of a `CustomResourceDefinition`, by the name that the store knows them by.
    pub(crate) fn remove_definition(&mut self, key: &Arc<str>) {
        self.resources.retain(|resource| resource.custom.is_none() || resource.key() != key);
    }

    fn add(&mut self, resource: Resource) {
        match self.position(&resource.group, &resource.version, &resource.plural) {
            Ok(index) => self.resources[index] = Arc::new(resource),
            Err(index) => self.resources.insert(index, Arc::new(resource)),
        }
    }

    pub(crate) fn get(&self, group: &str, version: &str, plural: &str) -> Option<&Arc<Resource>> {
        let index = self.position(group, version, plural).ok()?;
        self.resources.get(index)
    }

    /// The index of a resource, or else the one where it belongs.
    fn position(&self, group: &str, version: &str, plural: &str) -> Result<usize, usize> {
        self.resources
            .binary_search_by(|known| (&*known.group, &*known.version, &*known.plural).cmp(&(group, version, plural)))
    }

    /// The generated crates whose resources were added.
    pub(crate) fn apis(&self) -> &[Api] {
        &self.apis
    }

    /// All resources, by group, version and name.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Resource>> {
        self.resources.iter()
    }

    /// The resource of a kind.
    pub(crate) fn of_kind(&self, api_version: &str, kind: &str) -> Option<&Arc<Resource>> {
        self.all().find(|resource| resource.kind == kind && resource.api_version() == api_version)
    }

    /// The groups with their versions. The core group has no name.
    pub(crate) fn groups(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut groups: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for resource in self.all() {
            groups.entry(&resource.group).or_default().insert(&resource.version);
        }
        groups
    }
}
