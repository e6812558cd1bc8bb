//! Files of YAML, manifests and definitions take memory in proportion to their size.

use allocation_counter::measure;
use kapigen_definitions::{Definition, documents_with_all_members, refusals};
use kapigen_yaml::Reader;
use serde_json::{Map, Value, json};

/// A name, a function that makes a text for a size, and one that reads it.
type Case = (&'static str, fn(usize) -> String, fn(&str));

const CASES: [Case; 6] = [
    ("one-element", |size| format!("- &a b\n- [{}]", "[1],".repeat(size / 4)), tree),
    ("one-member", |size| format!("- &a b\n- [{}]", "{a: 1},".repeat(size / 7)), tree),
    ("items", |size| list("Pod", size), manifests),
    ("long kind", |size| list(&"K".repeat(size / 2), size / 2), manifests),
    (
        "nested lists",
        |size| {
            let open = "{kind: List, apiVersion: v1, items: [".repeat(60);
            format!("{open}{}{}", "{},".repeat(size / 3), "]}".repeat(60))
        },
        manifests,
    ),
    (
        "faults",
        |size| {
            let faults: Map<String, Value> =
                (0..size / 40).map(|index| (format!("property{index}"), json!({}))).collect();
            let within = json!({"n".repeat(size / 2): {"properties": faults}});
            json!({"apiVersion": "apiextensions.k8s.io/v1", "spec": {
                "group": "example.com",
                "scope": "Cluster",
                "names": {"plural": "widgets", "kind": "Widget"},
                "versions": [{"name": "v1", "served": true, "schema": {
                    "openAPIV3Schema": {"type": "object", "properties": within},
                }}],
            }})
            .to_string()
        },
        definitions,
    ),
];

fn list(kind: &str, size: usize) -> String {
    format!("kind: {kind}List\napiVersion: v1\nitems: [{}]\n", "{},".repeat(size / 3))
}

fn tree(text: &str) {
    assert!(Reader::new().document(text.as_bytes()).is_ok());
}

fn manifests(text: &str) {
    let _ = kapigen_client::manifest::parse("a.yaml", text.as_bytes());
}

fn definitions(text: &str) {
    let manifest: Value = serde_json::from_str(text).unwrap();
    assert!(!refusals(&manifest).is_empty());
    let definition = Definition::read(&manifest).unwrap();
    assert!(definition.versions()[0].published().is_err());
    assert_eq!(documents_with_all_members(&[definition]).len(), 1);
}

#[test]
fn memory_grows_as_the_text() {
    for (name, text, read) in CASES {
        let texts = [150_000, 300_000].map(text);
        let used = [0, 1].map(|which| measure(|| read(&texts[which])).bytes_max);
        let length = texts[1].len() as u64;
        println!("{name}: {used:?} bytes, the last for {length}");
        // Vectors grow in steps of twice their size.
        assert!(used[1] * 2 <= used[0] * 5, "{name}: {used:?}");
        assert!(used[1] <= 400 * length, "{name}: {used:?} for {length}");
    }
}
