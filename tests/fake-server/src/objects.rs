//! Files that a server begins with: definitions of custom resources, OpenAPI documents, and objects.

use kapigen_fake::Server;
use openshift_api::jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A document of a file, with its position for errors.
struct Document<'a> {
    path: &'a Path,
    /// Its number in the file, from one.
    number: usize,
    content: Value,
}

/// Loads files into a server: first what adds kinds, whatever the order of files, then objects.
///
/// # Errors
/// When a file cannot be read, or the server refuses what is in it.
pub fn load(server: &Server, paths: &[PathBuf]) -> Result<(), String> {
    let mut documents = Vec::new();
    for path in paths {
        read(path, &mut documents)?;
    }
    let (kinds, objects): (Vec<_>, Vec<_>) = documents.into_iter().partition(adds_kinds);
    for document in kinds {
        if document.content.get("openapi").is_some() {
            server.add_document(&document.content);
        } else {
            server.add_definition(&document.content).map_err(|error| document.error(&error))?;
        }
    }
    for document in objects {
        create(server, &document)?;
    }
    Ok(())
}

/// Reads the documents of a file. A list becomes its items.
fn read<'a>(path: &'a Path, documents: &mut Vec<Document<'a>>) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    for (index, document) in serde_yaml::Deserializer::from_str(&text).enumerate() {
        let number = index + 1;
        let content = Value::deserialize(document).map_err(|error| format!("{}: {error}", path.display()))?;
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

fn adds_kinds(document: &Document<'_>) -> bool {
    document.content["kind"] == "CustomResourceDefinition" || document.content.get("openapi").is_some()
}

fn create(server: &Server, document: &Document<'_>) -> Result<(), String> {
    let namespace = document.content["metadata"]["namespace"].as_str().unwrap_or("default");
    let [version, kind] = ["apiVersion", "kind"].map(|key| document.content[key].as_str().unwrap_or_default());
    if version.is_empty() || kind.is_empty() {
        return Err(document.error("an object needs `apiVersion` and `kind`"));
    }
    let refused = |status: Value| match &status["message"] {
        Value::String(message) if status["code"] != 404 => document.error(message),
        _ => document.error(&format!("the server has no kind {kind} of {version}: add its definition before it")),
    };
    server.create(namespace, &document.content, Timestamp::now()).map(drop).map_err(refused)
}

impl Document<'_> {
    fn error(&self, problem: &str) -> String {
        format!("{}: document {}: {problem}", self.path.display(), self.number)
    }
}
