//! Nested schemas that become the listed types that they fit.

use crate::folder::{Folder, assert_output};
use serde_json::{Value, json};
use std::fs;

/// The schema of a condition, as generators of definitions write it.
fn condition() -> Value {
    json!({
        "type": "object",
        "required": ["lastTransitionTime", "message", "reason", "status", "type"],
        "properties": {
            "lastTransitionTime": {"type": "string", "format": "date-time"},
            "message": {"type": "string", "maxLength": 32768},
            "observedGeneration": {"type": "integer", "format": "int64", "minimum": 0},
            "reason": {"type": "string", "minLength": 1},
            "status": {"type": "string", "enum": ["True", "False", "Unknown"]},
            "type": {"type": "string"},
        },
    })
}

/// The schema with a value at a pointer, which is made there.
fn with(mut schema: Value, pointer: &str, value: Value) -> Value {
    let (parent, last) = pointer.rsplit_once('/').unwrap();
    schema.pointer_mut(parent).unwrap()[last] = value;
    schema
}

/// The schema without the value at a pointer.
fn without(mut schema: Value, pointer: &str) -> Value {
    let (parent, last) = pointer.rsplit_once('/').unwrap();
    schema.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(last).unwrap();
    schema
}

/// A definition with these schemas in its status.
fn definition(status: &Value) -> String {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "boats.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "boats", "kind": "Boat"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {
                    "type": "object",
                    "properties": {"status": {"type": "object", "properties": status}},
                }},
            }],
        },
    })
    .to_string()
}

const CONDITIONS: &str = "com.example.v1.Boat/properties/status/properties/conditions/items";

struct Boats(Folder);

impl Boats {
    fn new(name: &str) -> Self {
        Self(Folder::new(&format!("listed-{name}")))
    }

    /// Makes the crate anew from these schemas, or again over the one that is there.
    fn generate(&self, status: &Value, arguments: &[&str]) -> std::process::Output {
        self.0.put("boats.yaml", &definition(status));
        let generate = ["generate", "--spec", "boats.yaml", "--out", "boats"];
        self.0.kapigen(&[&generate, arguments].concat())
    }

    /// The type of the elements of `conditions`.
    fn element(&self) -> String {
        let text = self.text("src/example_com_v1/types/boat_status.rs");
        let field = text.split_once("pub conditions: Option<Vec<").unwrap().1;
        field.split_once('>').unwrap().0.to_owned()
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.0.0.join("boats").join(path)).unwrap()
    }
}

fn list(items: &Value) -> Value {
    json!({"conditions": {"type": "array", "items": items}})
}

#[test]
fn what_fits_a_listed_type_becomes_it() {
    let boats = Boats::new("fits");
    let time = "/properties/lastTransitionTime";
    let fitting = [
        condition(),
        // Optional members may be absent, and required ones optional.
        without(condition(), "/properties/observedGeneration"),
        without(condition(), "/required"),
        // Narrower formats.
        with(condition(), "/properties/observedGeneration/format", json!("int32")),
        with(condition(), "/properties/message/format", json!("uri")),
    ];
    for schema in fitting {
        let output = boats.generate(&list(&schema), &["--follow", "--verbose"]);
        let line =
            format!("shared  {CONDITIONS}: io.k8s.apimachinery.pkg.apis.meta.v1.Condition\n");
        let expected = ["shared  1 nested schema became types of other crates\n", &line];
        assert_output(&output, 0, &expected, "");
        assert_eq!(boats.element(), "Condition", "{schema}");
        assert!(!boats.0.0.join("boats/src/interface.json").exists(), "documents say it all");
    }
    let own = [
        without(condition(), "/properties/reason"),
        without(condition(), "/properties/lastTransitionTime/format"),
        with(condition(), "/properties/severity", json!({"type": "string"})),
        with(condition(), "/properties/reason/type", json!("integer")),
        with(condition(), "/properties/reason/format", json!("byte")),
        with(condition(), "/properties/reason/nullable", json!(true)),
        with(condition(), "/nullable", json!(true)),
        with(condition(), "/x-kubernetes-preserve-unknown-fields", json!(true)),
        with(condition(), "/x-kubernetes-map-type", json!("atomic")),
        with(
            condition(),
            time,
            json!({"type": "object", "properties": {"at": {"type": "string"}}}),
        ),
    ];
    for schema in own {
        let output = boats.generate(&list(&schema), &["--follow"]);
        assert_output(&output, 0, &["made"], "");
        assert_ne!(boats.element(), "Condition", "{schema}");
    }
}

/// A selector is merged as a whole, so its schema must say so.
#[test]
fn what_servers_merge_otherwise_is_another_type() {
    let boats = Boats::new("merged");
    let requirement = json!({
        "type": "object", "required": ["key", "operator"],
        "properties": {
            "key": {"type": "string"}, "operator": {"type": "string"},
            "values": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "atomic"},
        },
    });
    let selector = json!({
        "type": "object", "x-kubernetes-map-type": "atomic",
        "properties": {
            "matchExpressions": {"type": "array", "items": requirement},
            "matchLabels": {"type": "object", "additionalProperties": {"type": "string"}},
        },
    });
    let lines = |schema: &Value| {
        let output = boats.generate(&json!({"selector": schema}), &["--follow", "--verbose"]);
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().filter(|line| line.starts_with("shared")).map(str::to_owned).collect()
    };
    let shared: Vec<String> = lines(&selector);
    let name = "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector";
    assert_eq!(
        shared,
        [
            "shared  1 nested schema became types of other crates",
            &format!("shared  com.example.v1.Boat/properties/status/properties/selector: {name}")
        ]
    );
    let values = "/properties/matchExpressions/items/properties/values/x-kubernetes-list-type";
    for other in
        [without(selector.clone(), "/x-kubernetes-map-type"), with(selector, values, json!("set"))]
    {
        let shared: Vec<String> = lines(&other);
        assert!(shared.is_empty(), "{other}: {shared:?}");
    }
}

#[test]
fn a_schema_keeps_its_own_type_on_request() {
    let boats = Boats::new("own");
    boats.0.put("own.yaml", &format!("own: [{CONDITIONS}]"));
    let output = boats.generate(&list(&condition()), &["--groups", "own.yaml"]);
    assert_output(&output, 0, &["made"], "");
    assert_eq!(boats.element(), "BoatStatusConditions");

    let lacking = list(&without(condition(), "/properties/reason"));
    let output = boats.generate(&lacking, &["--groups", "own.yaml", "--follow"]);
    let expected = format!(
        "error: no listed type fits the nested schema `{CONDITIONS}`, and its definition has no \
         other version\n  --> own.yaml:1:7\n"
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with(&expected), "{stderr}");
    assert_output(&output, 2, &[], "help: remove the entry");
}

/// Newer definitions make a type neither a listed one nor another one.
#[test]
fn a_crate_keeps_the_type_that_it_has() {
    let boats = Boats::new("held");
    let more = with(condition(), "/properties/severity", json!({"type": "string"}));
    let keeps = |element: &str, interface: &str, arguments: &[&str]| {
        assert_eq!(boats.element(), element);
        assert!(boats.text("src/interface.json").contains(interface), "{interface}");
        let check = ["check", "--spec", "boats.yaml", "--out", "boats"];
        assert_output(&boats.0.kapigen(&[&check, arguments].concat()), 0, &["0 files"], "");
    };
    assert_output(&boats.generate(&list(&condition()), &[]), 0, &[], "");
    assert_output(&boats.generate(&list(&more), &[]), 0, &[], "");
    keeps("Condition", &format!("\"same-as\": {{\n\"{CONDITIONS}\": \""), &[]);
    // The member that the type lacks is among the unknown ones.
    assert_output(&boats.generate(&list(&more), &["--follow"]), 0, &[], "");
    assert_eq!(boats.element(), "BoatStatusConditions");

    let lacking = without(without(condition(), "/required"), "/properties/reason");
    assert_output(&boats.generate(&list(&lacking), &["--follow"]), 0, &[], "");
    assert_output(&boats.generate(&list(&condition()), &[]), 0, &[], "");
    keeps("BoatStatusConditions", &format!("\"own\": [\n\"{CONDITIONS}\"\n]"), &[]);
    let changes = ["BoatStatus.conditions", "BoatStatusConditions", "BoatStatusConditionsStatus"]
        .map(|name| format!("example_com_v1::{name}"));
    let accept: Vec<&str> = changes.iter().flat_map(|name| ["--accept", name]).collect();
    assert_output(&boats.generate(&list(&condition()), &accept), 0, &[], "");
    assert_eq!(boats.element(), "Condition");
}
