//! Normal forms of built-in kinds: changes that servers make while they decode an object, beyond
//! its document.

use crate::object::Tree;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

/// Brings an object of a resource, by its group and plural name, into its normal form.
pub(crate) fn normalize(named: (&str, &str), object: &mut Value) {
    match named {
        ("", "secrets") => {
            encode_strings(object);
            if object.text("type").is_empty() {
                object["type"] = json!("Opaque");
            }
        }
        ("", "namespaces") => label(object),
        ("image.openshift.io", "images") => complete_image(object),
        ("apiextensions.k8s.io", "customresourcedefinitions") => complete_definition(object),
        _ => {}
    }
}

/// A namespace has its name as a label.
fn label(namespace: &mut Value) {
    let name = namespace.metadata_text("name").to_owned();
    if !name.is_empty() {
        let mut labels = namespace.metadata("labels").cloned().unwrap_or_else(|| json!({}));
        labels["kubernetes.io/metadata.name"] = json!(name);
        namespace.set_metadata("labels", labels);
    }
}

/// `stringData` of a secret becomes `data`.
fn encode_strings(secret: &mut Value) {
    let Value::Object(members) = &mut *secret else { return };
    let Some(Value::Object(strings)) = members.shift_remove("stringData") else { return };
    for (name, text) in strings {
        let text = text.as_str().unwrap_or_default();
        let mut data = secret.get("data").cloned().unwrap_or_else(|| json!({}));
        data[name] = json!(STANDARD.encode(text));
        secret["data"] = data;
    }
}

/// The metadata of an image is decoded into a struct of its own, in the version that the image
/// states or the first one.
fn complete_image(image: &mut Value) {
    let mut metadata = Map::new();
    let version = image
        .get("dockerImageMetadataVersion")
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty());
    let version = version.unwrap_or("1.0").to_owned();
    metadata.insert("kind".to_owned(), json!("DockerImage"));
    metadata.insert("apiVersion".to_owned(), json!(format!("image.openshift.io/{version}")));
    for (name, empty) in
        [("Id", json!("")), ("Created", Value::Null), ("ContainerConfig", json!({}))]
    {
        metadata.insert(name.to_owned(), empty);
    }
    match image.get("dockerImageMetadata") {
        None | Some(Value::Null) => {}
        Some(Value::Object(stated)) => metadata.extend(stated.clone()),
        // It cannot be decoded, and stays as it is.
        Some(_) => return,
    }
    image["dockerImageMetadata"] = Value::Object(metadata);
    image["dockerImageMetadataVersion"] = json!(version);
}

/// The names of a definition that follow from its kind, and its conversion.
fn complete_definition(definition: &mut Value) {
    let Some(kind) = definition.at("spec.names.kind").and_then(Value::as_str).map(str::to_owned)
    else {
        return;
    };
    let names = [("singular", kind.to_lowercase()), ("listKind", format!("{kind}List"))];
    for (name, default) in names.into_iter().filter(|_| !kind.is_empty()) {
        let path = format!("spec.names.{name}");
        if definition.at(&path).and_then(Value::as_str).unwrap_or_default().is_empty() {
            definition.put(&path, json!(default));
        }
    }
    if definition.at("spec.conversion").is_none_or(Value::is_null) {
        definition.put("spec.conversion", json!({"strategy": "None"}));
    }
}
