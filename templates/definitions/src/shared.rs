//! Schemas and parameters that all groups have in common.

use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// The package of the schemas that all groups share.
const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";
/// The schema of the subresource `scale`.
pub(crate) const SCALE: &str = "io.k8s.api.autoscaling.v1.Scale";

/// Schemas and query parameters by name, from the documents that kapigen's own types are made of.
static SHARED: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("shared.json")).expect("a test reads it"));

/// The end of the descriptions of members that each resource has. Servers have these descriptions
/// as constants, and most definitions repeat them: with other wording, a document would differ from
/// a server's.
macro_rules! more_info {
    () => {
        "More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md"
    };
}

const API_VERSION: &str = concat!(
    "APIVersion defines the versioned schema of this representation of an object. Servers should \
     convert recognized schemas to the latest internal value, and may reject unrecognized values. ",
    more_info!(),
    "#resources"
);
const KIND: &str = concat!(
    "Kind is a string value representing the REST resource this object represents. Servers may \
     infer this from the endpoint the client submits requests to. Cannot be updated. In \
     CamelCase. ",
    more_info!(),
    "#types-kinds"
);

/// The description of the items of a list.
pub(crate) fn items(plural: &str) -> String {
    format!("List of {plural}. {}", more_info!())
}

/// The schemas of the subresource `scale`.
static SCALES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("scale.json")).expect("a test reads it"));

/// The metadata of a kind: the name of its schema, and the description of the member.
#[derive(Debug)]
pub(crate) struct Metadata {
    schema: &'static str,
    description: &'static str,
}

/// The metadata of an object.
pub(crate) const OBJECT_META: Metadata = Metadata {
    schema: "ObjectMeta",
    description: concat!("Standard object's metadata. ", more_info!(), "#metadata"),
};

/// The metadata of a list.
pub(crate) const LIST_META: Metadata = Metadata {
    schema: "ListMeta",
    description: concat!("Standard list metadata. ", more_info!(), "#types-kinds"),
};

/// The schemas that every document has.
pub(crate) fn schemas(has_scale: bool) -> impl Iterator<Item = (&'static String, &'static Value)> {
    let scales = SCALES.as_object().filter(|_| has_scale);
    SHARED["schemas"].as_object().into_iter().chain(scales).flatten()
}

/// The full name of a shared schema.
pub(crate) fn name(schema: &str) -> String {
    format!("{META}.{schema}")
}

/// A reference to a schema.
pub(crate) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The members that each resource has.
pub(crate) fn identity(metadata: &Metadata) -> [(&'static str, Value); 3] {
    let all = json!([reference(&name(metadata.schema))]);
    [
        ("apiVersion", json!({"description": API_VERSION, "type": "string"})),
        ("kind", json!({"description": KIND, "type": "string"})),
        ("metadata", json!({"description": metadata.description, "allOf": all})),
    ]
}

/// The query parameter with this name.
pub(crate) fn parameter(name: &str) -> Value {
    let mut parameter = SHARED["parameters"][name].clone();
    // As every parameter of a server.
    if let Some(schema) = parameter.get_mut("schema").and_then(Value::as_object_mut) {
        schema.insert("uniqueItems".to_owned(), true.into());
    }
    parameter
}

/// A parameter of a path.
pub(crate) fn path_parameter(name: &str, description: &str) -> Value {
    let schema = json!({"type": "string", "uniqueItems": true});
    json!({"name": name, "in": "path", "description": description, "required": true, "schema": schema})
}

/// The members of a kind in a group and version.
pub(crate) fn group_version_kind(group: &str, version: &str, kind: &str) -> Value {
    let members = [("group", group), ("version", version), ("kind", kind)];
    Value::Object(
        members
            .into_iter()
            .map(|(name, text)| (name.to_owned(), text.into()))
            .collect::<Map<_, _>>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_schemas_are_complete() {
        let schemas: Map<String, Value> =
            schemas(true).map(|(name, schema)| (name.clone(), schema.clone())).collect();
        for name in ["DeleteOptions", "ListMeta", "ObjectMeta", "Patch", "Status"].map(name) {
            assert!(schemas.contains_key(&name), "{name}");
        }
        let text = Value::Object(schemas.clone()).to_string();
        let references =
            text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
        let unknown: Vec<_> = references.filter(|name| !schemas.contains_key(*name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        assert_eq!(parameter("watch")["schema"]["type"], "boolean");
    }
}
