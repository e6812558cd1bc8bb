//! Files that a server begins with: definitions of custom resources, OpenAPI documents, and objects.

use kapigen_fake::Server;
use openshift_api::Error;
use openshift_api::jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A document of a file, with its position for errors.
struct Document<'a> {
    path: &'a Path,
    /// Its number in the file, from one.
    number: usize,
    content: Value,
}

/// Loads files into a server: first what adds kinds, whatever the order of files, then objects. Clients can add kinds,
/// too, because the server has the kind of definitions.
///
/// # Errors
/// When a file cannot be read, or the server refuses what is in it.
pub fn load(server: &Server, paths: &[PathBuf]) -> Result<(), String> {
    server.add_definition(&definitions())?;
    let mut documents = Vec::new();
    for path in paths {
        read(path, &mut documents)?;
    }
    documents.sort_by_key(|document| document.content["kind"] != "CustomResourceDefinition");
    let (kinds, objects): (Vec<_>, Vec<_>) =
        documents.into_iter().partition(|document| document.content.get("openapi").is_some());
    for document in kinds {
        server.add_document(&document.content);
    }
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}});
    // Without that kind, every namespace exists.
    drop(server.create("", &namespace, Timestamp::now()));
    objects.iter().try_for_each(|document| create(server, document))
}

/// The definition of the kind of definitions, which holds them to no schema.
fn definitions() -> Value {
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let schema = json!({"type": "object", "properties": {"spec": any, "status": any}});
    json!({"spec": {
        "group": "apiextensions.k8s.io",
        "scope": "Cluster",
        "names": {
            "plural": "customresourcedefinitions",
            "kind": "CustomResourceDefinition",
            "shortNames": ["crd", "crds"],
        },
        "versions": [{
            "name": "v1",
            "served": true,
            "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": schema},
        }],
    }})
}

/// Reads the documents of a file. A list becomes its items.
fn read<'a>(path: &'a Path, documents: &mut Vec<Document<'a>>) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let problem = |error: serde_yaml::Error| format!("{}: {error}", path.display());
    let contents: Vec<Value> = match serde_json::from_str(&text) {
        // JSON is YAML, too, but takes much longer as such.
        Ok(content) => vec![content],
        Err(_) => serde_yaml::Deserializer::from_str(&text)
            .map(Value::deserialize)
            .collect::<Result<_, _>>()
            .map_err(problem)?,
    };
    for (index, content) in contents.into_iter().enumerate() {
        let number = index + 1;
        match content {
            // A separator without a document behind it.
            Value::Null => {}
            Value::Object(mut list) if list.get("kind").is_some_and(|kind| kind == "List") => {
                let items = list.get_mut("items").and_then(Value::as_array_mut).map(std::mem::take);
                let items = items.unwrap_or_default().into_iter();
                documents.extend(items.map(|content| Document { path, number, content }));
            }
            content => documents.push(Document { path, number, content }),
        }
    }
    Ok(())
}

fn create(server: &Server, document: &Document<'_>) -> Result<(), String> {
    let namespace = document.content["metadata"]["namespace"].as_str().unwrap_or("default");
    let [version, kind] = ["apiVersion", "kind"].map(|key| document.content[key].as_str().unwrap_or_default());
    if version.is_empty() || kind.is_empty() {
        return Err(document.error("an object needs `apiVersion` and `kind`"));
    }
    let refused = |refusal: Error| match refusal.api() {
        _ if refusal.is_not_found() => {
            document.error(&format!("the server has no kind {kind} of {version}: add its definition before it"))
        }
        Some(api) => document.error(api.message()),
        None => document.error(&refusal.to_string()),
    };
    server.create(namespace, &document.content, Timestamp::now()).map(drop).map_err(refused)
}

impl Document<'_> {
    fn error(&self, problem: &str) -> String {
        format!("{}: document {}: {problem}", self.path.display(), self.number)
    }
}
