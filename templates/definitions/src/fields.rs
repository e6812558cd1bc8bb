//! The fields of definitions in all releases of Kubernetes, and the detection of unknown ones.

use crate::cause::MOST_BYTES;
use crate::path::Path;
use crate::schema_keywords::{RULE, Takes, VALIDATIONS, find_in_definitions, of_definitions};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A field that an object in a definition cannot have. Servers drop it, and kubectl refuses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField {
    /// Its JSON pointer, or the pointer of the first one if several objects of a type have it.
    pub pointer: String,
    /// Its name.
    pub name: String,
    /// The number of objects of the type that have it.
    pub count: usize,
    /// The fields that the type has.
    pub known: Vec<&'static str>,
}

/// The fields of objects, by their paths. `*` is any element of a list.
const FIELDS: &[(&str, &[&str])] = &[
    ("", &["apiVersion", "kind", "metadata", "spec", "status"]),
    (
        "metadata",
        &[
            "annotations",
            "clusterName",
            "creationTimestamp",
            "deletionGracePeriodSeconds",
            "deletionTimestamp",
            "finalizers",
            "generateName",
            "generation",
            "initializers",
            "labels",
            "managedFields",
            "name",
            "namespace",
            "ownerReferences",
            "resourceVersion",
            "selfLink",
            "uid",
        ],
    ),
    ("spec", &["conversion", "group", "names", "preserveUnknownFields", "scope", "versions"]),
    ("spec.names", &["categories", "kind", "listKind", "plural", "shortNames", "singular"]),
    ("spec.conversion", &["strategy", "webhook"]),
    ("spec.conversion.webhook", &["clientConfig", "conversionReviewVersions"]),
    ("spec.conversion.webhook.clientConfig", CLIENT),
    ("spec.conversion.webhook.clientConfig.service", SERVICE),
    (
        "spec.versions.*",
        &[
            "additionalPrinterColumns",
            "deprecated",
            "deprecationWarning",
            "name",
            "schema",
            "selectableFields",
            "served",
            "storage",
            "subresources",
        ],
    ),
    ("spec.versions.*.schema", VALIDATION),
    ("spec.versions.*.subresources", SUBRESOURCES),
    ("spec.versions.*.subresources.scale", SCALE),
    ("spec.versions.*.additionalPrinterColumns.*", COLUMN),
    ("spec.versions.*.selectableFields.*", SELECTABLE),
];

/// The further fields of `v1beta1`.
const OLDER: &[(&str, &[&str])] = &[
    (
        "spec",
        &["additionalPrinterColumns", "selectableFields", "subresources", "validation", "version"],
    ),
    ("spec.conversion", &["conversionReviewVersions", "webhookClientConfig"]),
    ("spec.conversion.webhookClientConfig", CLIENT),
    ("spec.conversion.webhookClientConfig.service", SERVICE),
    ("spec.validation", VALIDATION),
    ("spec.subresources", SUBRESOURCES),
    ("spec.subresources.scale", SCALE),
    ("spec.additionalPrinterColumns.*", COLUMN),
    ("spec.additionalPrinterColumns.*", &["JSONPath"]),
    ("spec.selectableFields.*", SELECTABLE),
    ("spec.versions.*.additionalPrinterColumns.*", &["JSONPath"]),
];

const CLIENT: &[&str] = &["caBundle", "service", "url"];
const SERVICE: &[&str] = &["name", "namespace", "path", "port"];
const VALIDATION: &[&str] = &["openAPIV3Schema"];
const SUBRESOURCES: &[&str] = &["scale", "status"];
const SCALE: &[&str] = &["labelSelectorPath", "specReplicasPath", "statusReplicasPath"];
const COLUMN: &[&str] = &["description", "format", "jsonPath", "name", "priority", "type"];
const SELECTABLE: &[&str] = &["jsonPath"];

/// The paths of schemas.
const SCHEMAS: [&str; 2] =
    ["spec.versions.*.schema.openAPIV3Schema", "spec.validation.openAPIV3Schema"];

/// Lists the fields of a definition that no release of Kubernetes knows there, each name once for
/// each type. If a definition has very many of them, only the first ones are listed.
#[must_use]
pub fn unknown_fields(manifest: &Value) -> Vec<UnknownField> {
    let mut found = UnknownFields::default();
    let older: &[_] = if manifest["apiVersion"] == "apiextensions.k8s.io/v1" { &[] } else { OLDER };
    let mut types: BTreeMap<&str, Vec<&'static str>> = BTreeMap::new();
    for (path, fields) in FIELDS.iter().chain(older) {
        types.entry(path).or_default().extend(*fields);
    }
    for (path, known) in &types {
        let steps: Vec<&str> = path.split('.').filter(|step| !step.is_empty()).collect();
        each(manifest, &steps, &Path::ROOT, &mut |value, place| {
            found.compare(value, place, path, known);
        });
    }
    let keywords = of_definitions().map(|keyword| keyword.name);
    let keywords: Vec<_> = keywords.chain(["$schema"]).collect();
    for path in SCHEMAS {
        let steps: Vec<&str> = path.split('.').collect();
        each(manifest, &steps, &Path::ROOT, &mut |value, place| {
            found.schema(value, place, &keywords);
        });
    }
    found.list
}

/// Visits the objects at a path.
fn each(
    value: &Value,
    steps: &[&str],
    place: &Path<'_>,
    visit: &mut dyn FnMut(&Map<String, Value>, &Path<'_>),
) {
    match (steps.split_first(), value) {
        (None, Value::Object(members)) => visit(members, place),
        (Some((&"*", rest)), Value::Array(elements)) => {
            for (index, element) in elements.iter().enumerate() {
                each(element, rest, &place.index(index), visit);
            }
        }
        (Some((name, rest)), Value::Object(members)) => {
            if let Some(value) = members.get(*name) {
                each(value, rest, &place.member(name), visit);
            }
        }
        _ => {}
    }
}

#[derive(Default)]
struct UnknownFields {
    list: Vec<UnknownField>,
    /// The indexes of the fields in the list, by type and name.
    indexes: BTreeMap<(&'static str, String), usize>,
    bytes: usize,
}

impl UnknownFields {
    /// Adds the fields of an object that its type does not have.
    fn compare(
        &mut self,
        object: &Map<String, Value>,
        place: &Path<'_>,
        of: &'static str,
        known: &[&'static str],
    ) {
        for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
            if let Some(index) = self.indexes.get(&(of, name.clone())) {
                self.list[*index].count += 1;
            } else if self.bytes < MOST_BYTES {
                let pointer = place.member(name).pointer();
                self.bytes += pointer.len() + name.len();
                self.indexes.insert((of, name.clone()), self.list.len());
                let known = known.to_vec();
                self.list.push(UnknownField { pointer, name: name.clone(), count: 1, known });
            }
        }
    }

    /// Adds the keywords of a schema, and of all in it, that schemas of definitions do not have.
    fn schema(&mut self, schema: &Map<String, Value>, place: &Path<'_>, keywords: &[&'static str]) {
        self.compare(schema, place, "schema", keywords);
        for (name, value) in schema {
            let Some(keyword) = find_in_definitions(name) else { continue };
            let place = place.member(name);
            match (keyword.takes, value) {
                (Takes::Schema | Takes::Items | Takes::SchemaOrFlag, Value::Object(schema)) => {
                    self.schema(schema, &place, keywords);
                }
                (Takes::Schemas | Takes::Items, Value::Array(schemas)) => {
                    for (index, schema) in schemas.iter().enumerate() {
                        let Some(schema) = schema.as_object() else { continue };
                        self.schema(schema, &place.index(index), keywords);
                    }
                }
                (Takes::SchemaMap, Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        let Some(schema) = schema.as_object() else { continue };
                        self.schema(schema, &place.key(name), keywords);
                    }
                }
                (_, Value::Array(rules)) if name == VALIDATIONS => {
                    for (index, rule) in rules.iter().enumerate() {
                        let Some(rule) = rule.as_object() else { continue };
                        self.compare(rule, &place.index(index), "rule", &RULE);
                    }
                }
                _ => {}
            }
        }
    }
}
