//! Loads documents as plain data of a limited size. Refuses input that is not an OpenAPI 3.0
//! document, and suggests a remedy.

use crate::error::{Error, Location};
use crate::input::{Source, parse};
use serde_json::Value;

/// A document as plain data, before it is interpreted.
#[derive(Clone, Debug, PartialEq)]
pub struct RawDocument {
    /// The name of its source.
    pub name: String,
    /// Its content.
    pub value: Value,
}

/// Reads an OpenAPI document.
///
/// # Errors
/// When the source is not YAML or JSON, or is not an OpenAPI 3.0 document.
pub fn document(source: &Source) -> Result<RawDocument, Error> {
    check_text(source)?;
    let value = parse::value(source)?;
    check_version(&source.name, &value)?;
    Ok(RawDocument { name: source.name.clone(), value })
}

const FETCH: &str = "give an OpenAPI 3.0 document, or the manifest of a CustomResourceDefinition: \
                     `kapigen pull` fetches those of a cluster, and `kubectl get --raw \
                     /openapi/v3/apis/<group>/<version>` prints one";

/// Refuses input that is empty, HTML or XML, or a message of kubectl, before it is parsed as YAML.
pub(crate) fn check_text(source: &Source) -> Result<(), Error> {
    let text = source.text.trim_start_matches('\u{feff}').trim_start();
    let found = match text.lines().next() {
        None => "it is empty".to_owned(),
        Some(line) if line.starts_with('<') => {
            "it is HTML or XML, such as the page of a login or of an error".to_owned()
        }
        Some(line) if line.starts_with("Error from server") => {
            format!("it is a message of kubectl: {line}")
        }
        Some(_) => return Ok(()),
    };
    Err(refusal(Location::document(&source.name), &found, FETCH))
}

/// The error for a document of another version or kind.
pub(crate) fn check_version(name: &str, value: &Value) -> Result<(), Error> {
    let (place, found, help) = match (value.get("openapi"), value.get("swagger")) {
        (Some(Value::String(version)), _) if version == "3.0" || version.starts_with("3.0.") => {
            return Ok(());
        }
        (Some(Value::Number(version)), _) => (
            "/openapi",
            format!("`openapi` is the number {version}"),
            "write it as a string, such as `\"3.0.3\"`".to_owned(),
        ),
        (Some(version), _) => (
            "/openapi",
            format!("`openapi` is {version}"),
            format!("other versions have other rules; {FETCH}"),
        ),
        (None, Some(version)) => (
            "/swagger",
            format!("`swagger` is {version}"),
            format!(
                "servers publish Swagger 2 at `/openapi/v2`, and OpenAPI 3.0 at `/openapi/v3`; \
                 {FETCH}"
            ),
        ),
        (None, None) => return Err(refusal(Location::document(name), &other(value), FETCH)),
    };
    Err(refusal(Location::pointer(name, place), &found, &help))
}

/// A value without a version.
fn other(value: &Value) -> String {
    let paths = value.get("paths").and_then(Value::as_object);
    match (value["kind"].as_str(), value["apiVersion"].as_str()) {
        _ if value.is_null() => "it is empty".to_owned(),
        (Some("Status"), _) => {
            let message = value["message"].as_str().unwrap_or("without a message");
            format!("it is an error of a server: {message}")
        }
        (Some(kind), Some(version)) => format!("it is an object, `{kind}` of `{version}`"),
        _ if paths.is_some_and(|paths| {
            paths.values().any(|entry| entry.get("serverRelativeURL").is_some())
        }) =>
        {
            "it is the index of a server's documents".to_owned()
        }
        _ => "it has no `openapi` version".to_owned(),
    }
}

fn refusal(location: Location, found: &str, help: &str) -> Error {
    Error::at(location, format!("not an OpenAPI 3.0 document: {found}")).help(help)
}
