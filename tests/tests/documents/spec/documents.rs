//! OpenAPI documents, reduced to their meaning: references are resolved or, where they name a
//! schema, replaced by its name; parameters of a path are with its operations; descriptions are
//! gone.

use kapigen_tests::places;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Keys beside the operations of a path.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// Documents by name.
#[derive(Default)]
pub(crate) struct Documents(pub(crate) BTreeMap<String, Value>);

impl Documents {
    /// The documents in `spec/`.
    pub(crate) fn ours() -> Self {
        let parse = |text: &str| serde_yaml::from_str(text).expect("spec/ is YAML");
        Self(places::documents().into_iter().map(|(name, text)| (name, parse(&text))).collect())
    }

    /// The target of a reference in a document, and the document that has it.
    ///
    /// # Panics
    /// When its target is absent.
    pub(crate) fn target(&self, from: &str, reference: &str) -> (&str, &Value) {
        let (file, pointer) = reference.split_once('#').expect("a reference has a `#`");
        let name = if file.is_empty() { from.to_owned() } else { join(from, file) };
        let found = self
            .0
            .get_key_value(&name)
            .and_then(|(name, document)| Some((name, document.pointer(pointer)?)));
        let (name, value) = found.unwrap_or_else(|| panic!("{from}: nothing is at {reference}"));
        (name, value)
    }

    fn resolve<'a>(&'a self, from: &'a str, value: &'a Value) -> (&'a str, &'a Value) {
        match value["$ref"].as_str() {
            Some(reference) => {
                let (name, value) = self.target(from, reference);
                self.resolve(name, value)
            }
            None => (from, value),
        }
    }

    /// Every operation: `paths` → path → method, of the paths that are wanted.
    pub(crate) fn operations(&self, wanted: impl Fn(&str) -> bool) -> Map<String, Value> {
        let mut paths = Map::new();
        for (name, document) in &self.0 {
            for (path, item) in
                document["paths"].as_object().into_iter().flatten().filter(|(path, _)| wanted(path))
            {
                let methods = METHODS.iter().filter_map(|method| Some((method, item.get(method)?)));
                let operations = methods.map(|(method, operation)| {
                    ((*method).to_owned(), self.operation(name, &item["parameters"], operation))
                });
                paths.insert(path.clone(), operations.collect());
            }
        }
        paths
    }

    fn operation(&self, from: &str, shared: &Value, operation: &Value) -> Value {
        let members = operation.as_object().expect("an operation is an object").iter();
        let plain = members.filter(|(key, _)| {
            !matches!(key.as_str(), "description" | "parameters" | "requestBody" | "responses")
        });
        let mut normal: Map<_, _> =
            plain.map(|(key, value)| (key.clone(), value.clone())).collect();
        let both = [shared, &operation["parameters"]]
            .into_iter()
            .flat_map(|list| list.as_array().into_iter().flatten());
        let parameters = both.map(|parameter| {
            let (_, parameter) = self.resolve(from, parameter);
            let text = |key: &str| parameter[key].as_str().unwrap_or_default();
            let rest = parameter.as_object().into_iter().flatten();
            let rest =
                rest.filter(|(key, _)| !matches!(key.as_str(), "in" | "name" | "description"));
            (
                format!("{}:{}", text("in"), text("name")),
                rest.map(|(key, value)| (key.clone(), schema(value))).collect::<Value>(),
            )
        });
        normal.insert("parameters".to_owned(), parameters.collect());
        if let Some(body) = operation.get("requestBody") {
            normal.insert("requestBody".to_owned(), self.content(from, body));
        }
        let responses = operation["responses"].as_object().into_iter().flatten();
        let responses =
            responses.map(|(status, response)| (status.clone(), self.content(from, response)));
        normal.insert("responses".to_owned(), responses.collect());
        normal.into()
    }

    /// A request or response body.
    fn content(&self, from: &str, value: &Value) -> Value {
        let (_, value) = self.resolve(from, value);
        let mut value = value.clone();
        value.as_object_mut().expect("a body is an object").remove("description");
        for content in value
            .get_mut("content")
            .and_then(Value::as_object_mut)
            .into_iter()
            .flat_map(Map::values_mut)
        {
            content["schema"] = schema(&content["schema"]);
        }
        value
    }

    /// All schemas by name. Of one that several documents have, the first.
    pub(crate) fn schemas(&self) -> BTreeMap<String, Value> {
        let mut all = BTreeMap::new();
        for document in self.0.values() {
            for (name, value) in document["components"]["schemas"].as_object().into_iter().flatten()
            {
                all.entry(name.clone()).or_insert_with(|| schema(value));
            }
        }
        all
    }
}

/// A relative reference of one document to another, from the folder of all.
fn join(from: &str, to: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in to.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The member that represents a reference.
pub(crate) const REFERENCE: &str = "$schema-named";

/// A schema without descriptions. A reference, alone or in an `allOf` of its own, is the name of
/// its target.
pub(crate) fn schema(value: &Value) -> Value {
    let Value::Object(object) = value else { return value.clone() };
    let mut normal = Map::new();
    for (key, value) in object {
        match (key.as_str(), value) {
            ("description", Value::String(_)) => {}
            ("$ref", Value::String(reference)) => {
                normal.insert(REFERENCE.to_owned(), name_in(reference));
            }
            ("allOf", Value::Array(parts)) if parts.len() == 1 && parts[0]["$ref"].is_string() => {
                normal.insert(
                    REFERENCE.to_owned(),
                    name_in(parts[0]["$ref"].as_str().unwrap_or_default()),
                );
            }
            // Its keys are names.
            ("properties", Value::Object(members)) => {
                let members = members.iter().map(|(name, value)| (name.clone(), schema(value)));
                normal.insert(key.clone(), members.collect());
            }
            _ => drop(normal.insert(key.clone(), schema(value))),
        }
    }
    normal.into()
}

fn name_in(reference: &str) -> Value {
    reference.rsplit('/').next().into()
}

/// The names of all schemas that something refers to, also through others.
pub(crate) fn closure(
    schemas: &BTreeMap<String, Value>,
    from: &Value,
    also: &[&str],
) -> BTreeSet<String> {
    let mut waiting: Vec<String> = also.iter().map(|name| (*name).to_owned()).collect();
    references(from, &mut waiting);
    let mut found = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if found.insert(name.clone()) {
            references(schemas.get(&name).unwrap_or(&json!(null)), &mut waiting);
        }
    }
    found
}

pub(crate) fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| references(value, found)),
        Value::Object(object) => {
            found.extend(object.get(REFERENCE).and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| references(value, found));
        }
        _ => {}
    }
}
