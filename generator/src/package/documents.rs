//! The documents of a crate: one for each group and version, and one for each resource with a feature
//! of its own, with the selected operations and the schemas that they need, corrected and without
//! descriptions. Each is self-contained, like the documents of servers.

use crate::error::Error;
use crate::model::documents::FeatureDocument;
use crate::model::features::Features;
use crate::model::{Api, GroupVersion, Kind, Module, Role};
use crate::openapi::resolve::Documents;
use crate::openapi::resolve::part::{Operations, PartialDocument};
use crate::openapi::schema::RESOURCE_EXTENSION;
use crate::parallel;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The maximum number of bytes of all documents together. Each repeats what it shares with others,
/// so many documents may become several times as large as their sources. The documents of
/// Kubernetes have less than 3 MB.
const MOST: usize = 64 << 20;

/// The files by their path below the folder of the crate.
///
/// # Errors
/// When they are too large together.
pub fn files(api: &Api, documents: &Documents) -> Result<Vec<(String, String)>, Error> {
    let all = api.documents();
    let features = Features::new(api);
    let mut wanted: Vec<Wanted<'_>> =
        all.iter().map(|document| Wanted::new(api, document, &features)).collect();
    let unselected = unselected(api);
    let size = AtomicUsize::new(0);
    let make = |wanted: &Wanted<'_>| {
        // Without this, the rest is made before the error is seen.
        if size.load(Ordering::Relaxed) > MOST {
            return (BTreeSet::new(), String::new());
        }
        let part = wanted.part(documents, &unselected);
        let text = text(&part.value);
        size.fetch_add(text.len(), Ordering::Relaxed);
        (part.schemas, text)
    };
    let mut texts = parallel::map(wanted.iter().collect(), make);
    // Types of modules without a document that no operation needs.
    let known: BTreeSet<&str> =
        texts.iter().flat_map(|(schemas, _)| schemas).map(String::as_str).collect();
    let missing: Vec<&str> = api
        .modules
        .values()
        .flat_map(Module::schemas)
        .filter(|name| !known.contains(name))
        .collect();
    if let (false, Some(first)) = (missing.is_empty(), wanted.first_mut()) {
        first.schemas.extend(missing);
        texts[0] = make(first);
    }
    if size.into_inner() > MOST {
        let message =
            format!("the documents of the crate would have more than {MOST} bytes together");
        return Err(Error::new(message).help("select fewer groups in groups.yaml"));
    }
    Ok(all.iter().zip(texts).map(|(document, (_, text))| (document.file(), text)).collect())
}

/// A document of some schemas and the ones that they need, without operations.
#[must_use]
pub fn of_schemas(documents: &Documents, title: &str, schemas: &BTreeSet<&str>) -> String {
    let mut part = documents.part(&Operations::new(), schemas);
    part.value["info"] = json!({ "title": title, "version": "v1" });
    text(&part.value)
}

/// Kinds that are served by resources which the crate does not have, by the names of their schemas.
/// Operations would describe these.
fn unselected(api: &Api) -> BTreeMap<&str, Value> {
    let mut kinds = BTreeMap::new();
    for (_, def) in api.types().filter(|(_, def)| def.is_named()) {
        let Some(Kind { identity, role: Role::Resource { plural, namespaced }, .. }) = &def.kind
        else {
            continue;
        };
        let mut modules =
            api.modules.values().filter(|module| module.group_version == identity.group_version);
        if !modules.any(|module| module.resources.contains_key(plural)) {
            kinds
                .insert(def.schema.as_str(), json!({ "plural": plural, "namespaced": namespaced }));
        }
    }
    kinds
}

/// The operations and types of a feature.
struct Wanted<'a> {
    group_version: &'a GroupVersion,
    operations: Operations<'a>,
    schemas: BTreeSet<&'a str>,
}

impl<'a> Wanted<'a> {
    fn new(api: &'a Api, document: &FeatureDocument<'a>, features: &Features<'_>) -> Self {
        let module = &api.modules[document.module];
        let resources = module.resources.values();
        let resources = resources.filter(|resource| resource.feature.as_deref() == document.apart);
        let mut operations = Operations::new();
        for operation in resources.flat_map(|resource| &resource.operations) {
            let key = (operation.location.document.as_str(), operation.path.as_str());
            operations.entry(key).or_default().insert(&operation.method);
        }
        // The schemas of a resource apart follow from its operations.
        let types = document.apart.is_none().then_some(&module.types).into_iter().flatten();
        let always_there = types
            .filter(|(name, def)| def.is_named() && features.gate(document.module, name).is_none());
        let schemas = always_there.map(|(_, def)| def.schema.as_str()).collect();
        Self { group_version: document.group_version, operations, schemas }
    }

    fn part(&self, documents: &Documents, unselected: &BTreeMap<&str, Value>) -> PartialDocument {
        let mut part = documents.part(&self.operations, &self.schemas);
        if self.operations.is_empty() {
            let GroupVersion { version, .. } = self.group_version;
            part.value["info"] =
                json!({ "title": self.group_version.api_version(), "version": version });
        }
        for (name, resource) in unselected.iter().filter(|(name, _)| part.schemas.contains(**name))
        {
            part.value["components"]["schemas"][*name][RESOURCE_EXTENSION] = resource.clone();
        }
        part
    }
}

/// JSON with a line for each path and each component, so that changes can be read.
fn text(document: &Value) -> String {
    let document = object(document, |key, value| match key {
        "paths" => object(value, |_, path| path.to_string()),
        "components" => object(value, |_, section| object(section, |_, item| item.to_string())),
        _ => value.to_string(),
    });
    document + "\n"
}

/// An object with a line for each member.
fn object(map: &Value, text: impl Fn(&str, &Value) -> String) -> String {
    let mut members = Vec::new();
    for (key, value) in map.as_object().into_iter().flatten() {
        members.push(format!("{}:{}", Value::from(key.as_str()), text(key, value)));
    }
    if members.is_empty() { "{}".to_owned() } else { format!("{{\n{}\n}}", members.join(",\n")) }
}
