//! Documents made of definitions equal those that a server published for them.

use super::{manifests, projects};
use kapigen_definitions::{Definition, documents};
use kapigen_tests::places;
use kapigen_yaml::pointer::escape;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use test_data::texts;

/// The only difference: a server lists the groups that it has built in.
const BUILT_IN: &str = "/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions/\
                        x-kubernetes-group-version-kind";

#[test]
fn documents_are_those_of_a_server() {
    let mut failures = Vec::new();
    let mut count = 0;
    for project in projects() {
        let manifests = manifests(&project);
        let definitions: Vec<_> =
            manifests.iter().map(|manifest| Definition::read(manifest).unwrap()).collect();
        let mut published: BTreeSet<String> = places::files(&project.join("documents"), &["json"])
            .iter()
            .map(|path| places::relative(path, &project.join("documents")))
            .collect();
        for document in documents(&definitions) {
            let name = format!("{}-{}.json", document.group(), document.version());
            assert!(published.remove(&name), "{}: a server has no {name}", project.display());
            let path = project.join("documents").join(&name);
            let theirs: Value = serde_json::from_str(&places::text(&path)).unwrap();
            let mut differences = Vec::new();
            let ours = texts::removed(document.value().clone());
            compare(&ours, &theirs, String::new(), &mut differences);
            // The data has only hashes of descriptions.
            let words = places::text(&places::data(&format!("words/documents/{name}")));
            let theirs = serde_json::from_str(&words).unwrap();
            let ours = json!(texts::of_server(document.value()));
            compare(&ours, &theirs, String::new(), &mut differences);
            assert!(differences.iter().any(|(pointer, _)| pointer == BUILT_IN), "{name}");
            differences.retain(|(pointer, _)| pointer != BUILT_IN);
            failures.extend(
                differences
                    .into_iter()
                    .map(|(pointer, difference)| format!("{name}#{pointer}: {difference}")),
            );
            count += 1;
        }
        assert!(published.is_empty(), "{}: not made: {published:?}", project.display());
    }
    assert!(
        failures.is_empty(),
        "{} differences:\n{}",
        failures.len(),
        failures[..failures.len().min(40)].join("\n")
    );
    assert!(count > 10, "only {count} documents");
}

#[test]
fn descriptions_of_a_definition_are_in_its_document() {
    let text = |description: &str| json!({"type": "string", "description": description});
    let schema = json!({"type": "object", "description": "A star.", "properties": {
        "spec": {"type": "object", "description": "Its form.", "properties": {
            "description": text("Words."),
            "tags": {"type": "array", "description": "Tags.", "items": text("A tag.")},
            "colors": {"type": "object", "additionalProperties": text("A color.")},
        }},
    }});
    let manifest = json!({"spec": {
        "group": "example.com", "scope": "Cluster", "names": {"plural": "stars", "kind": "Star"},
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {
            "openAPIV3Schema": schema,
        }}],
    }});
    let document = documents(&[Definition::read(&manifest).unwrap()]).remove(0).into_value();
    let described = |schema: &Value| {
        let mut found = BTreeMap::new();
        texts::each_description(schema, "", &mut |at, text| {
            found.insert(at.to_owned(), text.to_owned());
        });
        found
    };
    let mut found = described(&document["components"]["schemas"]["com.example.v1.Star"]);
    for of_all_objects in ["apiVersion", "kind", "metadata"] {
        assert!(found.remove(&format!("/properties/{of_all_objects}/description")).is_some());
    }
    assert_eq!(found, described(&schema));
}

/// Collects where two values differ.
fn compare(ours: &Value, theirs: &Value, at: String, differences: &mut Vec<(String, String)>) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let names: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
            for name in names {
                let at = format!("{at}/{}", escape(name));
                match (ours.get(name), theirs.get(name)) {
                    (Some(ours), Some(theirs)) => compare(ours, theirs, at, differences),
                    (Some(ours), None) => {
                        differences.push((at, format!("only ours: {}", short(ours))));
                    }
                    (None, Some(theirs)) => {
                        differences.push((at, format!("only theirs: {}", short(theirs))));
                    }
                    (None, None) => {}
                }
            }
        }
        (Value::Array(_), Value::Array(_)) if at.ends_with("/parameters") => {
            compare(&by_name(ours), &by_name(theirs), at, differences);
        }
        _ if ours == theirs => {}
        _ => differences.push((at, format!("{} != {}", short(ours), short(theirs)))),
    }
}

/// Parameters by their name, since their order does not matter.
fn by_name(parameters: &Value) -> Value {
    let parameters = parameters.as_array().into_iter().flatten();
    let parameters = parameters
        .map(|parameter| (parameter["name"].as_str().unwrap().to_owned(), parameter.clone()));
    Value::Object(parameters.collect::<Map<_, _>>())
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(200).collect()
}
