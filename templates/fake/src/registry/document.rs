//! OpenAPI documents, and the resources that their operations serve.

use super::resource::{Resource, Subresource};
use super::{Custom, ScalePaths, outline};
use crate::kinds::Facts;
use crate::object::Tree;
use crate::schema::{Reader, Schema};
use kapigen_definitions::schema_keywords::{KINDS, SELECTABLE};
use kapigen_runtime::__private::{PatchType, ResourcePath};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

pub(super) const METHODS: [&str; 7] = ["get", "put", "post", "delete", "patch", "head", "options"];
/// The title of the documents that servers publish for definitions of custom resources.
const CUSTOM: &str = "Kubernetes CRD Swagger";
const SCHEMAS: &str = "#/components/schemas/";

/// An OpenAPI document, as API servers publish one for each group and version.
#[derive(Debug)]
pub(crate) struct Document {
    /// Sorted by group, version and plural name.
    resources: Vec<Arc<Resource>>,
}

/// The origin of a document.
#[derive(Clone, Debug)]
pub(super) enum DocumentSource {
    /// A generated crate. It is parsed on demand, once in a process.
    Crate(&'static str, OnceLock<Arc<Document>>),
    /// A test.
    Given(Arc<Value>, Arc<Document>),
    /// A compressed document of this crate. // not vendored
    #[cfg(feature = "kubernetes")] // not vendored
    Packed(&'static super::packed::Packed), // not vendored
    /// A text. It is parsed on demand.
    Text(Arc<Text>),
}

impl DocumentSource {
    pub(super) fn of_crate(text: &'static str) -> Self {
        Self::Crate(text, OnceLock::new())
    }

    pub(super) fn document(&self) -> &Document {
        match self {
            Self::Crate(text, document) => document.get_or_init(|| parsed(text)),
            Self::Given(_, document) => document,
            #[cfg(feature = "kubernetes")] // not vendored
            Self::Packed(packed) => packed.document(), // not vendored
            Self::Text(text) => text.document.get_or_init(|| parse(&text.text)),
        }
    }

    /// The document as a tree.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Crate(text, _) => serde_json::from_str(text).unwrap_or_default(),
            Self::Given(value, _) => Value::clone(value),
            #[cfg(feature = "kubernetes")] // not vendored
            Self::Packed(packed) => packed.value(), // not vendored
            Self::Text(text) => serde_json::from_str(&text.text).unwrap_or_default(),
        }
    }
}

/// Documents by the addresses and lengths of their texts. Each is parsed once.
type Parsed = BTreeMap<(usize, usize), Arc<OnceLock<Arc<Document>>>>;

/// The documents of generated crates that were parsed.
static PARSED: LazyLock<Mutex<Parsed>> = LazyLock::new(Mutex::default);

fn parsed(text: &'static str) -> Arc<Document> {
    let key = (text.as_ptr().addr(), text.len());
    let known =
        PARSED.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
    known.get_or_init(|| parse(text)).clone()
}

pub(super) fn parse(text: &str) -> Arc<Document> {
    Arc::new(Document::read(&outline::parse(text)))
}

/// A document as text, which takes a tenth of the memory of its tree.
#[derive(Debug)]
pub(super) struct Text {
    text: Box<str>,
    document: OnceLock<Arc<Document>>,
}

impl Text {
    /// The text of an OpenAPI document, and the groups and versions that its paths name. Of
    /// everything else, only the syntax is checked.
    pub(super) fn scan(text: Box<str>) -> Result<(Self, BTreeSet<(String, String)>), String> {
        let members: BTreeMap<Cow<'_, str>, &RawValue> =
            serde_json::from_str(&text).map_err(|error| format!("invalid JSON: {error}"))?;
        if !members.contains_key("openapi") {
            return Err("this is not an OpenAPI 3 document: it has no member `openapi`".to_owned());
        }
        let paths = members.get("paths").map_or("{}", |paths| paths.get());
        let paths: BTreeMap<Cow<'_, str>, &RawValue> =
            serde_json::from_str(paths).map_err(|_| "`paths` is not an object".to_owned())?;
        let versions = paths.keys().filter_map(|path| split(path));
        let versions =
            versions.map(|(group, version, _)| (group.to_owned(), version.to_owned())).collect();
        Ok((Self { text, document: OnceLock::new() }, versions))
    }
}

impl Document {
    pub(super) fn read(document: &Value) -> Self {
        let none = Map::new();
        let paths = document.get("paths").and_then(Value::as_object).unwrap_or(&none);
        let components =
            document.pointer("/components/schemas").and_then(Value::as_object).unwrap_or(&none);
        let mut found = BTreeMap::new();
        for (path, item) in paths {
            for method in METHODS {
                if let Some(operation) = item.get(method) {
                    add(&mut found, document, (path, method), operation);
                }
            }
        }
        let names = names(components);
        let is_custom = document.pointer("/info/title").and_then(Value::as_str) == Some(CUSTOM);
        let mut reader = Reader::new(components);
        let mut resources = Vec::new();
        for (resource, traits) in found.into_values() {
            let kind = (&*resource.group, &*resource.version, &*resource.kind);
            let is_custom = is_custom || traits.refuses_strategic_patches;
            let name = names.get(&kind).copied();
            let root =
                name.map(
                    |name| {
                        if is_custom { reader.structural_kind(name) } else { reader.named(name) }
                    },
                );
            let custom = is_custom
                .then(|| custom(&resource, &traits, name.and_then(|name| components.get(name))));
            let returns_deleted = traits.returned.is_some() && traits.returned.as_deref() == name;
            resources.push((resource, root, custom, returns_deleted));
        }
        // Some documents lack the deprecated paths that show it.
        let states_watches = resources.iter().any(|(resource, ..)| resource.is_watched);
        let schemas = Arc::new(reader.finish());
        let resources =
            resources.into_iter().map(|(mut resource, root, custom, returns_deleted)| {
                if let Some(root) = root {
                    resource.schema = Schema::new(&schemas, root);
                }
                resource.is_watched |= !states_watches && resource.collection.contains("GET");
                resource.singular = resource.kind.to_lowercase();
                resource.facts = Facts::new(
                    (&resource.group, &resource.plural),
                    resource.has_status(),
                    custom.is_some(),
                );
                resource.facts.returns_deleted |= returns_deleted;
                resource.custom = custom.map(Arc::new);
                Arc::new(resource)
            });
        Self { resources: resources.collect() }
    }

    /// The resources of a group and version.
    pub(super) fn resources(
        &self,
        group: &str,
        version: &str,
    ) -> impl Iterator<Item = &Arc<Resource>> {
        self.resources
            .iter()
            .filter(move |resource| resource.group == group && resource.version == version)
    }

    /// The groups and versions of its resources.
    pub(super) fn versions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.resources.iter().map(|resource| (&*resource.group, &*resource.version))
    }

    /// The resources, of all groups and versions.
    pub(super) fn into_resources(self) -> Vec<Arc<Resource>> {
        self.resources
    }

    /// Changes the resources. They are not shared.
    pub(super) fn update(&mut self, mut change: impl FnMut(&mut Resource)) {
        self.resources.iter_mut().filter_map(Arc::get_mut).for_each(&mut change);
    }
}

/// The traits of a resource that its operations state, beside their methods.
#[derive(Debug, Default)]
struct Traits {
    refuses_strategic_patches: bool,
    /// The name of the schema in the response to a delete.
    returned: Option<String>,
    /// The kind of lists.
    list_kind: Option<String>,
}

/// The names of the schemas of kinds.
fn names(components: &Map<String, Value>) -> BTreeMap<(&str, &str, &str), &str> {
    let kinds = components.iter().flat_map(|(name, schema)| {
        let kinds = schema.get(KINDS).and_then(Value::as_array).into_iter().flatten();
        kinds.map(move |kind| (identity(kind), name.as_str()))
    });
    // Of several schemas for one kind, the first one counts.
    let mut names = BTreeMap::new();
    kinds.for_each(|(kind, name)| _ = names.entry(kind).or_insert(name));
    names
}

fn identity(kind: &Value) -> (&str, &str, &str) {
    (kind.text("group"), kind.text("version"), kind.text("kind"))
}

type Found = BTreeMap<(String, String, String), (Resource, Traits)>;

/// Adds an operation to its resource.
fn add(found: &mut Found, document: &Value, (path, method): (&str, &str), operation: &Value) {
    let Some(kind) = operation.get(KINDS).map(identity) else { return };
    let Some(path) = ResourcePath::parse(path).filter(|path| !path.plural.starts_with('{')) else {
        return;
    };
    let ResourcePath { group, version, plural, .. } = path;
    let key = (group.to_owned(), version.to_owned(), plural.to_owned());
    let (resource, traits) = found
        .entry(key)
        .or_insert_with(|| (Resource::empty(group, version, plural), Traits::default()));
    resource.namespaced |= path.namespace.is_some();
    if path.is_watch {
        resource.is_watched = true;
        return;
    }
    let name = method.to_uppercase();
    match (path.name, path.subresource) {
        (None, _) => {
            if resource.kind.is_empty() {
                kind.2.clone_into(&mut resource.kind);
            }
            // A list of all namespaces has the same methods or fewer.
            resource.collection.insert(name);
            if method == "get" {
                let (_, _, kind) = responded(document, operation).unwrap_or_default();
                traits.list_kind = Some(kind.to_owned()).filter(|kind| !kind.is_empty());
            }
        }
        (Some("{name}"), None) => {
            kind.2.clone_into(&mut resource.kind);
            resource.object.insert(name);
            match method {
                "patch" => {
                    traits.refuses_strategic_patches =
                        refuses_strategic_patches(document, operation);
                }
                "delete" => traits.returned = response(document, operation).map(str::to_owned),
                _ => {}
            }
        }
        (Some("{name}"), Some(subresource)) => {
            let subresource = resource.subresources.entry(subresource.to_owned()).or_default();
            // The operation of a custom resource names the resource, and some respond with a status
            // alone.
            let responded = responded(document, operation).filter(|(_, _, kind)| *kind != "Status");
            let (group, version, kind) = responded.unwrap_or(kind);
            let [group, version, kind] = [group, version, kind].map(str::to_owned);
            let methods = std::mem::take(&mut subresource.methods);
            *subresource = Subresource { group, version, kind, methods };
            subresource.methods.insert(name);
        }
        _ => {}
    }
}

/// The target of a reference, or else the value itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

/// The name of the schema of a response.
fn response<'a>(document: &'a Value, operation: &'a Value) -> Option<&'a str> {
    let response = resolved(document, operation.pointer("/responses/200")?);
    let schema =
        response.get("content")?.as_object()?.values().next()?.pointer("/schema/$ref")?.as_str()?;
    schema.strip_prefix(SCHEMAS)
}

/// The kind in a response, if its schema states it.
fn responded<'a>(document: &'a Value, operation: &'a Value) -> Option<(&'a str, &'a str, &'a str)> {
    let schema = document.pointer("/components/schemas")?.get(response(document, operation)?)?;
    schema.get(KINDS)?.get(0).map(identity)
}

/// Whether an operation takes patches, but not strategic ones. Documents without media types do not
/// state it.
fn refuses_strategic_patches(document: &Value, operation: &Value) -> bool {
    let body = operation.get("requestBody").map(|body| resolved(document, body));
    let content = body.and_then(|body| body.get("content")).and_then(Value::as_object);
    content.is_some_and(|content| {
        !content.is_empty() && !content.contains_key(PatchType::Strategic.media_type())
    })
}

/// The settings of a custom resource that is known by its document alone.
fn custom(resource: &Resource, traits: &Traits, schema: Option<&Value>) -> Custom {
    let selectable = schema.and_then(|schema| schema.get(SELECTABLE)).and_then(Value::as_array);
    let selectable = selectable.into_iter().flatten();
    let paths = selectable.filter_map(|field| field.get("fieldPath")?.as_str());
    Custom {
        list_kind: traits.list_kind.clone().unwrap_or_else(|| format!("{}List", resource.kind)),
        selectable: paths.map(str::to_owned).collect(),
        scale: resource.subresources.contains_key("scale").then(ScalePaths::usual),
        ..Custom::default()
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
