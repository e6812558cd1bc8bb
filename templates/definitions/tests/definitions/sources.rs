//! Pointers of a document resolve to pointers of a manifest.

use super::{definition, schema};
use kapigen_definitions::{Definition, documents};
use serde_json::json;

const SCHEMA: &str = "/spec/versions/0/schema/openAPIV3Schema";
const WIDGET: &str = "/components/schemas/com.example.v1.Widget";

/// The pointer in the manifest for one in its document.
fn source(manifest: &serde_json::Value, pointer: &str) -> Option<String> {
    let definitions = [Definition::read(manifest).unwrap()];
    let documents = documents(&definitions);
    documents[0].source(&definitions, pointer).map(|source| source.pointer)
}

#[test]
fn each_value_of_a_schema_comes_from_the_same_value() {
    let manifest = definition(&schema());
    for rest in [
        "",
        "/required/0",
        "/properties/spec/properties/n/minimum",
        "/properties/spec/properties/a~1b~0c/nullable",
        "/properties/spec/oneOf/1/required/0",
        "/properties/spec/properties/parts/items/properties/k",
        "/properties/spec/x-kubernetes-validations/0/rule",
    ] {
        assert_eq!(source(&manifest, &format!("{WIDGET}{rest}")), Some(format!("{SCHEMA}{rest}")));
    }
}

#[test]
fn what_servers_add_comes_from_what_is_around_it() {
    let manifest = definition(&schema());
    let spec = format!("{SCHEMA}/properties/spec");
    for (rest, expected) in [
        ("/properties/metadata/allOf/0", format!("{SCHEMA}/properties")),
        ("/properties/spec/properties/port/anyOf/0/type", format!("{spec}/properties/port")),
        // Servers add the first element, which moves the others.
        (
            "/properties/spec/properties/limit/allOf/0/anyOf",
            format!("{spec}/properties/limit/allOf"),
        ),
        (
            "/properties/spec/properties/limit/allOf/1/pattern",
            format!("{spec}/properties/limit/allOf/0/pattern"),
        ),
        (
            "/properties/spec/properties/template/properties/kind",
            format!("{spec}/properties/template"),
        ),
        ("/x-kubernetes-group-version-kind/0", SCHEMA.to_owned()),
    ] {
        assert_eq!(source(&manifest, &format!("{WIDGET}{rest}")), Some(expected), "{rest}");
    }
}

#[test]
fn operations_and_lists_come_from_the_names() {
    let manifest = definition(&schema());
    let path = "/paths/~1apis~1example.com~1v1~1namespaces~1{namespace}~1widgets~1{name}/get";
    for pointer in [
        path,
        "/paths/~1apis~1example.com~1v1~1widgets",
        "/components/schemas/com.example.v1.WidgetList/type",
    ] {
        assert_eq!(source(&manifest, pointer), Some("/spec/names".to_owned()), "{pointer}");
    }
}

#[test]
fn what_all_documents_have_has_no_source() {
    let manifest = definition(&schema());
    for pointer in [
        "",
        "/info/title",
        "/paths",
        "/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Status/type",
    ] {
        assert_eq!(source(&manifest, pointer), None, "{pointer}");
    }
}

#[test]
fn older_definitions_have_one_schema_for_all_versions() {
    let mut manifest = definition(&json!({}));
    manifest["apiVersion"] = json!("apiextensions.k8s.io/v1beta1");
    let spec = &mut manifest["spec"];
    spec["versions"] = json!(null);
    spec["version"] = json!("v1");
    spec["validation"] = json!({"openAPIV3Schema": schema()});
    let pointer = format!("{WIDGET}/properties/status/type");
    assert_eq!(
        source(&manifest, &pointer),
        Some("/spec/validation/openAPIV3Schema/properties/status/type".to_owned())
    );
}
