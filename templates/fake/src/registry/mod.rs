//! The resources that a server has.

mod custom;
mod document;
mod outline;
#[cfg(feature = "kubernetes")] // not vendored
pub(crate) mod packed; // not vendored
mod resource;

pub(crate) use custom::{Custom, ScalePaths};
pub(crate) use document::split;
pub(crate) use resource::{Resource, Subresource, api_version, qualified};

use document::{Document, DocumentSource, Text};
use kapigen_definitions::version_priority;
use resource::key;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[cfg(test)]
thread_local! {
    /// The number of versions and resources that were visited to find one of them.
    pub(crate) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A group and a version of it.
type GroupVersion = (String, String);

/// The documents of a server, and the resources that their operations serve.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registry {
    versions: BTreeMap<GroupVersion, Sources>,
    /// The definitions of custom resources, by the names that the store knows their resources by.
    definitions: BTreeMap<Arc<str>, Arc<Value>>,
    /// The minor version of Kubernetes, if its kinds are served.
    release: Option<u32>,
}

/// The minor version of the release that a server without the kinds of one states.
const RELEASE: u32 = 34;

/// The documents of a group and version. If several have a resource, the last one counts.
#[derive(Clone, Debug, Default)]
struct Sources {
    given: Vec<DocumentSource>,
    /// The resources of definitions. They override all others.
    defined: Defined,
}

/// The resources of definitions. Each is read on its own, so that the cost of another definition
/// does not grow with their number.
#[derive(Clone, Debug, Default)]
struct Defined {
    /// By plural name.
    resources: BTreeMap<String, Arc<Resource>>,
    /// Kinds, each with a plural name.
    kinds: BTreeSet<(String, String)>,
}

impl Defined {
    fn add(&mut self, resource: Arc<Resource>) {
        self.kinds.insert((resource.kind.clone(), resource.plural.clone()));
        self.resources.insert(resource.plural.clone(), resource);
    }

    fn remove(&mut self, plural: &str) {
        if let Some(resource) = self.resources.remove(plural) {
            self.kinds.remove(&(resource.kind.clone(), resource.plural.clone()));
        }
    }

    /// The first resource of a kind.
    fn of_kind(&self, kind: &str) -> Option<&Arc<Resource>> {
        let first = (kind.to_owned(), String::new());
        let (found, plural) = self.kinds.range(first..).next()?;
        if found == kind { self.resources.get(plural) } else { None }
    }
}

impl Sources {
    /// The resource of the last document that has one.
    fn given(
        &self,
        group: &str,
        version: &str,
        is_meant: impl Fn(&Resource) -> bool,
    ) -> Option<&Arc<Resource>> {
        self.given.iter().rev().map(DocumentSource::document).find_map(|document| {
            document.resources(group, version).find(|resource| {
                #[cfg(test)]
                LOOKED_AT.with(|count| count.set(count.get() + 1));
                is_meant(resource)
            })
        })
    }
}

impl Registry {
    /// Adds the documents of a generated crate, each with its path below `/openapi/v3/`.
    pub(crate) fn add_crate(&mut self, documents: &'static [(&'static str, &'static str)]) {
        for (path, text) in documents {
            let root = format!("/{path}/");
            if let Some((group, version, _)) = split(&root) {
                self.sources(group, version).given.push(DocumentSource::of_crate(text));
            }
        }
    }

    /// Adds an OpenAPI document.
    pub(crate) fn add_document(&mut self, document: &Value) {
        let read = Arc::new(Document::read(document));
        let source = DocumentSource::Given(Arc::new(document.clone()), read.clone());
        let versions: BTreeSet<_> = read.versions().collect();
        for (group, version) in versions {
            self.sources(group, version).given.push(source.clone());
        }
    }

    /// Adds an OpenAPI document as text, which is parsed when a request needs it.
    ///
    /// # Errors
    /// When it is not JSON, or no OpenAPI document.
    pub(crate) fn add_text(&mut self, text: Box<str>) -> Result<(), String> {
        let (text, versions) = Text::scan(text)?;
        let source = DocumentSource::Text(Arc::new(text));
        for (group, version) in versions {
            self.sources(&group, &version).given.push(source.clone());
        }
        Ok(())
    }

    /// The minor version of the release of Kubernetes that the server states.
    pub(crate) fn release(&self) -> u32 {
        self.release.unwrap_or(RELEASE)
    }

    fn sources(&mut self, group: &str, version: &str) -> &mut Sources {
        self.versions.entry((group.to_owned(), version.to_owned())).or_default()
    }

    /// Adds the resources of a `CustomResourceDefinition`, one for each served version, in place of
    /// its former ones.
    ///
    /// # Errors
    /// When it lacks something, which the message names, or is of a built-in resource.
    pub(crate) fn add_definition(&mut self, definition: &Value) -> Result<(), String> {
        let (group, key) = self.check_definition(definition)?;
        if self.definitions.get(&key).is_some_and(|known| known["spec"] == definition["spec"]) {
            return Ok(());
        }
        self.remove_definition(&key);
        for resource in custom::resources(definition) {
            let version = resource.version.clone();
            self.sources(group, &version).defined.add(resource);
        }
        self.definitions.insert(key, Arc::new(definition.clone()));
        Ok(())
    }

    /// The group of the resource that a definition defines, and its name in the store.
    ///
    /// # Errors
    /// When it lacks something, which the message names, or is of a built-in resource.
    pub(crate) fn check_definition<'a>(
        &self,
        definition: &'a Value,
    ) -> Result<(&'a str, Arc<str>), String> {
        let (group, plural) = custom::identity(definition)?;
        let key = key(group, plural);
        for ((group, version), sources) in self.of_group(group) {
            let known =
                sources.given.iter().flat_map(|source| source.document().resources(group, version));
            if known.into_iter().any(|own| own.custom.is_none() && *own.key() == key) {
                return Err(format!("`{key}` is a built-in resource"));
            }
        }
        Ok((group, key))
    }

    /// Removes the resources of a `CustomResourceDefinition`, by the name that the store knows them
    /// by.
    pub(crate) fn remove_definition(&mut self, key: &Arc<str>) {
        let Some((plural, group)) = key.split_once('.') else { return };
        if self.definitions.remove(key).is_none() {
            return;
        }
        let versions: Vec<GroupVersion> = self.of_group(group).map(|(id, _)| id.clone()).collect();
        for id in versions {
            let Some(sources) = self.versions.get_mut(&id) else { continue };
            sources.defined.remove(plural);
            if sources.given.is_empty() && sources.defined.resources.is_empty() {
                self.versions.remove(&id);
            }
        }
    }

    /// The versions of a group.
    fn of_group<'a>(
        &'a self,
        group: &'a str,
    ) -> impl Iterator<Item = (&'a GroupVersion, &'a Sources)> {
        let first = (group.to_owned(), String::new());
        self.versions.range(first..).take_while(move |(id, _)| {
            #[cfg(test)]
            LOOKED_AT.with(|count| count.set(count.get() + 1));
            id.0 == group
        })
    }

    /// The sources of a group and version.
    fn version(&self, group: &str, version: &str) -> Option<&Sources> {
        self.versions.get(&(group.to_owned(), version.to_owned()))
    }

    pub(crate) fn get(&self, group: &str, version: &str, plural: &str) -> Option<&Arc<Resource>> {
        let sources = self.version(group, version)?;
        let defined = sources.defined.resources.get(plural);
        defined.or_else(|| sources.given(group, version, |resource| resource.plural == plural))
    }

    /// The resources of a group and version, by name.
    pub(crate) fn of_version(
        &self,
        group: &str,
        version: &str,
    ) -> impl Iterator<Item = &Arc<Resource>> {
        let mut found: BTreeMap<&str, &Arc<Resource>> = BTreeMap::new();
        if let Some(sources) = self.version(group, version) {
            let given = sources.given.iter();
            let given = given.flat_map(|source| source.document().resources(group, version));
            let resources = given.chain(sources.defined.resources.values());
            found.extend(resources.map(|resource| (&*resource.plural, resource)));
        }
        found.into_values()
    }

    /// The versions of a resource, by the name that the store knows it by.
    pub(crate) fn versions_of<'a>(
        &'a self,
        key: &'a str,
    ) -> impl Iterator<Item = &'a Arc<Resource>> {
        let (plural, group) = key.split_once('.').unwrap_or((key, ""));
        let versions = self.of_group(group).map(|(id, _)| id);
        versions.filter_map(move |(group, version)| self.get(group, version, plural))
    }

    /// The events of the core group, in which form those of `events.k8s.io` are stored.
    pub(crate) fn events(&self) -> Option<&Arc<Resource>> {
        self.get("", "v1", "events")
    }

    /// The resource of a kind.
    pub(crate) fn of_kind(&self, api_version: &str, kind: &str) -> Option<&Arc<Resource>> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let sources = self.version(group, version)?;
        let defined = sources.defined.of_kind(kind);
        let found =
            defined.or_else(|| sources.given(group, version, |resource| resource.kind == kind))?;
        // A later document may have another kind under its name.
        let is_served = self
            .get(group, version, &found.plural)
            .is_some_and(|served| Arc::ptr_eq(served, found));
        if is_served {
            Some(found)
        } else {
            self.of_version(group, version).find(|resource| resource.kind == kind)
        }
    }

    /// The version and kind in which the objects of a resource are stored, in the form that is
    /// hashed.
    pub(crate) fn storage_of(&self, resource: &Resource) -> String {
        let Resource { group, kind, .. } = resource;
        let defined = resource
            .custom
            .as_ref()
            .map(|custom| &*custom.storage)
            .filter(|version| !version.is_empty());
        if let Some(stored) = resource.facts.stored_as.filter(|_| defined.is_none()) {
            return format!("{stored}/{kind}");
        }
        let versions = self.versions_of(resource.key()).map(|version| &*version.version);
        let version = defined.or_else(|| versions.max_by_key(|version| version_priority(version)));
        format!("{group}/{}/{kind}", version.unwrap_or(&resource.version))
    }

    /// The groups with their versions. The core group has no name.
    pub(crate) fn groups(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut groups: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (group, version) in self.versions.keys() {
            groups.entry(group).or_default().insert(version);
        }
        groups
    }

    /// The document of a group and version. Several documents are merged; where they differ, the
    /// last one wins.
    pub(crate) fn document(&self, group: &str, version: &str) -> Option<Value> {
        let sources = self.version(group, version)?;
        let defined = (!sources.defined.resources.is_empty())
            .then(|| custom::document(self.definitions.values().map(|own| &**own), group, version));
        let mut documents =
            sources.given.iter().map(DocumentSource::value).chain(defined.flatten());
        let first = documents.next()?;
        Some(documents.fold(first, merged))
    }
}

/// A document with the paths and components of another one.
fn merged(mut document: Value, other: Value) -> Value {
    let Value::Object(members) = other else { return document };
    for (name, value) in members {
        match (&name[..], document.get_mut(&name), value) {
            ("paths", Some(Value::Object(paths)), Value::Object(more)) => paths.extend(more),
            ("components", Some(Value::Object(parts)), Value::Object(more)) => {
                for (part, more) in more {
                    match (parts.get_mut(&part), more) {
                        (Some(Value::Object(known)), Value::Object(more)) => known.extend(more),
                        (_, more) => _ = parts.insert(part, more),
                    }
                }
            }
            (_, _, value) => document[&name] = value,
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::Registry;
    use serde_json::{Value, json};

    const GROUP: (&str, &str) = ("a.io", "v1");

    /// A document of one kind with these media types of patches.
    fn document(title: &str, media_types: &[&str], size: &Value) -> Value {
        let kind = json!({"group": "a.io", "version": "v1", "kind": "Widget"});
        let content: serde_json::Map<String, Value> =
            media_types.iter().map(|media_type| ((*media_type).to_owned(), json!({}))).collect();
        let get = json!({"x-kubernetes-group-version-kind": kind});
        let patch = json!({"x-kubernetes-group-version-kind": kind, "requestBody": {"$ref": "#/components/requestBodies/P"}});
        json!({
            "info": {"title": title},
            "paths": {"/apis/a.io/v1/widgets/{name}": {"get": get, "patch": patch}},
            "components": {
                "requestBodies": {"P": {"content": content}},
                "schemas": {"io.a.v1.Widget": {
                    "type": "object", "properties": {"size": size}, "x-kubernetes-group-version-kind": [kind],
                }},
            },
        })
    }

    fn registry(document: &Value) -> Registry {
        let mut registry = Registry::default();
        registry.add_document(document);
        registry
    }

    #[test]
    fn documents_of_definitions_and_without_strategic_patches_have_custom_resources() {
        let strategic = "application/strategic-merge-patch+json";
        for (title, media_types, is_custom) in [
            ("Kubernetes", &["application/json-patch+json", strategic][..], false),
            ("Kubernetes", &["application/json-patch+json"][..], true),
            ("Kubernetes", &[][..], false),
            ("Kubernetes CRD Swagger", &["application/json-patch+json", strategic][..], true),
        ] {
            let registry =
                registry(&document(title, media_types, &json!({"type": "integer", "default": 3})));
            let resource = registry.get(GROUP.0, GROUP.1, "widgets").unwrap();
            let has_rules = resource.schema.root().member("size").rules().is_some();
            assert_eq!(
                (resource.custom.is_some(), has_rules),
                (is_custom, is_custom),
                "{title} {media_types:?}"
            );
        }
    }

    #[test]
    fn definitions_win_over_documents_of_their_kind() {
        let mut registry =
            registry(&document("Kubernetes CRD Swagger", &[], &json!({"type": "integer"})));
        let published = registry.document(GROUP.0, GROUP.1).unwrap();
        assert_eq!(published, document("Kubernetes CRD Swagger", &[], &json!({"type": "integer"})));
        let schema = json!({"type": "object", "properties": {"length": {"type": "string"}}});
        let version = json!({"name": "v1", "served": true, "schema": {"openAPIV3Schema": schema}});
        let names = json!({"plural": "widgets", "kind": "Widget", "shortNames": ["wd"]});
        let spec =
            json!({"group": "a.io", "scope": "Cluster", "names": names, "versions": [version]});
        registry.add_definition(&json!({"spec": spec})).unwrap();
        let resource = registry.get(GROUP.0, GROUP.1, "widgets").unwrap();
        assert_eq!(resource.custom.as_ref().unwrap().short_names, ["wd"]);
        assert!(
            resource.schema.root().known("length").is_some()
                && resource.schema.root().known("size").is_none()
        );
        let published = registry.document(GROUP.0, GROUP.1).unwrap();
        let widget = &published["components"]["schemas"]["io.a.v1.Widget"]["properties"];
        assert_eq!((&widget["length"]["type"], widget.get("size")), (&json!("string"), None));
        registry.remove_definition(&"widgets.a.io".into());
        let resource = registry.get(GROUP.0, GROUP.1, "widgets").unwrap();
        assert!(resource.schema.root().known("size").is_some());
    }
}
