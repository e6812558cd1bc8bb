//! Resources of custom resource definitions.

use super::{Facts, Merging, Resource, Source, Subresource};
use crate::schema::{Reader, Schemas, with_metadata};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// The settings of a definition beyond the schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Custom {
    /// `openAPIV3Schema` of the version, with its descriptions.
    pub(crate) schema: Value,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) list_kind: String,
    pub(crate) columns: Vec<Column>,
    /// Paths of members that field selectors may name, without the first dot.
    pub(crate) selectable: Vec<String>,
    pub(crate) scale: Option<ScalePaths>,
}

/// A column of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) format: String,
    pub(crate) description: String,
    pub(crate) priority: i64,
    pub(crate) path: String,
}

/// The paths of the numbers of a scale.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScalePaths {
    pub(crate) spec: String,
    pub(crate) status: String,
    pub(crate) selector: Option<String>,
}

pub(super) fn resources(schemas: &mut Schemas, definition: &Value) -> Result<Vec<Resource>, String> {
    let text = |pointer: &str| {
        let value = definition.pointer(pointer).and_then(Value::as_str);
        value.map(str::to_owned).ok_or_else(|| format!("the definition has no string at {pointer}"))
    };
    let (group, plural, kind) = (text("/spec/group")?, text("/spec/names/plural")?, text("/spec/names/kind")?);
    let namespaced = text("/spec/scope")? == "Namespaced";
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    let versions = versions.ok_or("the definition has no versions")?;
    let mut resources = Vec::new();
    for version in versions.iter().filter(|version| version.get("served") == Some(&Value::Bool(true))) {
        let name = version.get("name").and_then(Value::as_str).ok_or("a version has no name")?;
        let none = Map::new();
        let empty = Value::Null;
        let schema = version.pointer("/schema/openAPIV3Schema").unwrap_or(&empty);
        let merging = Merging::new(Source::Definition(schema.clone()));
        let schema = Reader::new(schemas, &none).with_rules().read(schema);
        let schema = with_metadata(schemas, schema);
        let singular = text("/spec/names/singular").unwrap_or_else(|_| kind.to_lowercase());
        let mut resource = Resource {
            group: group.clone(),
            version: name.to_owned(),
            plural: plural.clone(),
            singular,
            kind: kind.clone(),
            namespaced,
            collection: methods(&["GET", "POST", "DELETE"]),
            object: methods(&["GET", "PUT", "PATCH", "DELETE"]),
            subresources: subresources(version, &group, name, &kind),
            schema,
            merging,
            facts: Facts::default(),
            custom: Some(Arc::new(custom(definition, version, &kind))),
            blank: OnceLock::new(),
        };
        resource.facts = Facts::of(&resource);
        resources.push(resource);
    }
    Ok(resources)
}

fn methods(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn subresources(version: &Value, group: &str, name: &str, kind: &str) -> BTreeMap<String, Subresource> {
    let mut found = BTreeMap::new();
    let mut add = |path: &str, group: &str, version: &str, kind: &str| {
        let [group, version, kind] = [group, version, kind].map(str::to_owned);
        found.insert(path.to_owned(), Subresource { group, version, kind, methods: methods(&["GET", "PUT", "PATCH"]) });
    };
    if version.pointer("/subresources/status").is_some() {
        add("status", group, name, kind);
    }
    if version.pointer("/subresources/scale").is_some() {
        add("scale", "autoscaling", "v1", "Scale");
    }
    found
}

fn custom(definition: &Value, version: &Value, kind: &str) -> Custom {
    let names = |pointer: &str| strings(definition.pointer(pointer));
    let columns = version.get("additionalPrinterColumns").and_then(Value::as_array);
    let selectable = version.get("selectableFields").and_then(Value::as_array);
    let path = |field: &Value| field.get("jsonPath")?.as_str().map(|path| path.trim_start_matches('.').to_owned());
    let list_kind = definition.pointer("/spec/names/listKind").and_then(Value::as_str);
    Custom {
        schema: version.pointer("/schema/openAPIV3Schema").cloned().unwrap_or_default(),
        short_names: names("/spec/names/shortNames"),
        categories: names("/spec/names/categories"),
        list_kind: list_kind.map_or_else(|| format!("{kind}List"), str::to_owned),
        columns: columns.into_iter().flatten().map(column).collect(),
        selectable: selectable.into_iter().flatten().filter_map(path).collect(),
        scale: version.pointer("/subresources/scale").map(scale),
    }
}

fn strings(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn column(column: &Value) -> Column {
    let text = |key: &str| column.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let path = text("jsonPath");
    let description = Some(text("description")).filter(|text| !text.is_empty());
    let generic = || format!("Custom resource definition column (in JSONPath format): {path}");
    Column {
        name: text("name"),
        kind: text("type"),
        format: text("format"),
        description: description.unwrap_or_else(generic),
        priority: column.get("priority").and_then(Value::as_i64).unwrap_or_default(),
        path: path.trim_start_matches('.').to_owned(),
    }
}

fn scale(scale: &Value) -> ScalePaths {
    let path = |key: &str| scale.get(key)?.as_str().map(|path| path.trim_start_matches('.').to_owned());
    ScalePaths {
        spec: path("specReplicasPath").unwrap_or_default(),
        status: path("statusReplicasPath").unwrap_or_default(),
        selector: path("labelSelectorPath"),
    }
}
