//! The schemas and parameters that all groups have in common, for the documents of definitions.

use crate::Failure;
use kapigen::input::Source;
use kapigen_yaml::{Reader, Rules};
use serde_json::{Map, Value, json};

/// The path of the file, from the root of the repository.
pub(crate) const PATH: &str = "templates/definitions/src/shared.json";

/// The document that has them, below the folder of the documents.
const DOCUMENT: &str = "meta/v1.yaml";

/// Schemas to which operations of custom resources refer, without their package.
const ROOTS: [&str; 5] = ["DeleteOptions", "ListMeta", "ObjectMeta", "Patch", "Status"];

/// The file: the schemas with all that they refer to, and the query parameters.
pub(crate) fn shared(documents: &[Source]) -> Result<String, Failure> {
    let source = documents
        .iter()
        .find(|source| source.name == DOCUMENT)
        .ok_or_else(|| Failure::in_file(DOCUMENT, "the document is not there"))?;
    let document = Reader::new()
        .rules(Rules::Core)
        .document(source.text.as_bytes())
        .map_err(|error| Failure::in_file(DOCUMENT, error))?;
    let components = &document.value["components"];
    let mut schemas = Map::new();
    for root in ROOTS {
        collect(
            &components["schemas"],
            &format!("io.k8s.apimachinery.pkg.apis.meta.v1.{root}"),
            &mut schemas,
        );
    }
    schemas.sort_keys();
    let parameters = components["parameters"].as_object().into_iter().flatten();
    let query = parameters.filter(|(_, parameter)| parameter["in"] == "query");
    let parameters: Map<String, Value> =
        query.map(|(name, parameter)| (name.clone(), parameter.clone())).collect();
    let shared = json!({"schemas": schemas, "parameters": parameters});
    Ok(serde_json::to_string_pretty(&shared).expect("strings can be written") + "\n")
}

/// Adds a schema, and the schemas that it refers to.
fn collect(schemas: &Value, name: &str, found: &mut Map<String, Value>) {
    if found.contains_key(name) {
        return;
    }
    let schema = &schemas[name];
    found.insert(name.to_owned(), schema.clone());
    let text = schema.to_string();
    let references =
        text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
    references.for_each(|name| collect(schemas, name, found));
}
