//! The documents of a crate: one for each group and version, with the selected operations and the schemas that they
//! need, corrected and without descriptions. Each stands alone, as those of servers do.

use crate::model::{Api, Module};
use crate::openapi::resolve::Documents;
use crate::openapi::resolve::part::{Operations, Part};
use crate::parallel;
use serde_json::Value;
use std::collections::BTreeSet;

/// The files by their path below the folder of the crate.
#[must_use]
pub fn files(api: &Api, documents: &Documents) -> Vec<(String, String)> {
    let described = api.documents();
    let mut wanted: Vec<Wanted<'_>> = described.iter().map(|document| Wanted::new(api, document.module)).collect();
    let mut parts = parallel::map(wanted.iter().collect(), |wanted| wanted.part(documents));
    // Types of modules without a document that no operation needs.
    let known: BTreeSet<&str> = parts.iter().flat_map(|part| &part.schemas).map(String::as_str).collect();
    let missing: Vec<&str> =
        api.modules.values().flat_map(Module::schemas).filter(|name| !known.contains(name)).collect();
    if let (false, Some(first)) = (missing.is_empty(), wanted.first_mut()) {
        first.schemas.extend(missing);
        parts[0] = first.part(documents);
    }
    described.iter().zip(&parts).map(|(document, part)| (document.file(), text(&part.value))).collect()
}

/// The operations and types of a module.
struct Wanted<'a> {
    operations: Operations<'a>,
    schemas: BTreeSet<&'a str>,
}

impl<'a> Wanted<'a> {
    fn new(api: &'a Api, module: &str) -> Self {
        let module = &api.modules[module];
        let mut operations = Operations::new();
        for operation in module.resources.values().flat_map(|resource| &resource.operations) {
            let key = (operation.location.document.as_str(), operation.path.as_str());
            operations.entry(key).or_default().insert(&operation.method);
        }
        Self { operations, schemas: module.schemas().collect() }
    }

    fn part(&self, documents: &Documents) -> Part {
        documents.part(&self.operations, &self.schemas)
    }
}

/// JSON with a line for each path and each component, so that changes can be read.
fn text(document: &Value) -> String {
    let lines = |map: &Value| object(map, |value| value.to_string());
    let components = |components: &Value| object(components, lines);
    let member = |(key, value): (&String, &Value)| {
        let value = match key.as_str() {
            "paths" => lines(value),
            "components" => components(value),
            _ => value.to_string(),
        };
        format!("{}:{value}", Value::from(key.as_str()))
    };
    let members: Vec<String> = document.as_object().into_iter().flatten().map(member).collect();
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

/// An object with a line for each member.
fn object(map: &Value, value: impl Fn(&Value) -> String) -> String {
    let member = |(key, member): (&String, &Value)| format!("{}:{}", Value::from(key.as_str()), value(member));
    let members: Vec<String> = map.as_object().into_iter().flatten().map(member).collect();
    if members.is_empty() { "{}".to_owned() } else { format!("{{\n{}\n}}", members.join(",\n")) }
}
