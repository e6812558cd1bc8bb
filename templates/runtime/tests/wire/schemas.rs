//! JSON schemas of types: structural schemas that accept what the types encode.

use serde_json::{Value, json};
use test_support::documents::{Documents, Member, Shape};
use test_support::filler::{Filler, SEEDS};
use test_support::registry::TYPES;
use test_support::structural::{broken_rules, refusals};

/// The schema of a type, by its name.
fn schema(module: &str, name: &str) -> Value {
    let ty = TYPES.iter().find(|ty| (ty.module, ty.name) == (module, name));
    ty.unwrap_or_else(|| panic!("{module}::{name} is a type")).json_schema()
}

#[test]
fn schemas_of_all_types_are_structural() {
    let failures: Vec<String> = TYPES
        .iter()
        .flat_map(|ty| {
            broken_rules(&ty.json_schema())
                .into_iter()
                .map(|failure| format!("{}{failure}", ty.name))
        })
        .collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn schemas_know_every_member_and_accept_its_values() {
    let documents = Documents::read();
    let mut failures = Vec::new();
    for ty in TYPES {
        let schema = ty.json_schema();
        for seed in 0..SEEDS {
            let value = Filler::new(documents, seed).fill(documents.named(ty.schema));
            failures.extend(
                refusals(&schema, &value)
                    .into_iter()
                    .map(|failure| format!("{}{failure}", ty.name)),
            );
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn schemas_require_what_documents_require() {
    let documents = Documents::read();
    for ty in TYPES {
        let Shape::Object(object) = documents.named(ty.schema) else { continue };
        // Each kind has metadata in Rust, but servers take objects without.
        let is_required = |member: &Member<'_>| {
            member.required && !(object.states_kind() && member.key == "metadata")
        };
        let mut expected: Vec<&str> =
            object.members().filter(is_required).map(|member| member.key).collect();
        expected.sort_unstable();
        let schema = ty.json_schema();
        let found: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert_eq!(found, expected, "{}::{}", ty.module, ty.name);
    }
}

#[test]
fn lists_keep_their_keys_and_defaults() {
    let container = schema("core_v1", "Container");
    let ports = &container["properties"]["ports"];
    assert_eq!(ports["x-kubernetes-list-type"], "map");
    assert_eq!(ports["x-kubernetes-list-map-keys"], json!(["containerPort", "protocol"]));
    assert_eq!(
        ports["items"]["properties"]["protocol"],
        json!({"type": "string", "default": "TCP"})
    );
    assert_eq!(ports["items"]["required"], json!(["containerPort"]));
    // The type of the elements has no default outside of the list.
    assert_eq!(
        schema("core_v1", "ContainerPort")["properties"]["protocol"],
        json!({"type": "string"})
    );
    assert_eq!(
        schema("meta_v1", "ObjectMeta")["properties"]["finalizers"]["x-kubernetes-list-type"],
        "set"
    );
    let selector = json!({"type": "object", "x-kubernetes-map-type": "atomic", "additionalProperties": {"type": "string"}});
    assert_eq!(schema("core_v1", "PodSpec")["properties"]["nodeSelector"], selector);
}

#[test]
fn values_have_the_types_of_their_encoding() {
    let container = schema("core_v1", "Container");
    let quantity = json!({"x-kubernetes-int-or-string": true});
    assert_eq!(
        container["properties"]["resources"]["properties"]["limits"]["additionalProperties"],
        quantity
    );
    let probe = schema("core_v1", "Probe");
    let port =
        json!({"x-kubernetes-int-or-string": true, "minimum": i32::MIN, "maximum": i32::MAX});
    assert_eq!(probe["properties"]["httpGet"]["properties"]["port"], port);
    assert_eq!(probe["properties"]["periodSeconds"], json!({"type": "integer", "format": "int32"}));
    let spec = schema("coordination_v1", "LeaseSpec");
    assert_eq!(spec["properties"]["renewTime"], json!({"type": "string", "format": "date-time"}));
    let reference = schema("core_v1", "LocalObjectReference");
    assert_eq!(reference["x-kubernetes-map-type"], "atomic");
}
